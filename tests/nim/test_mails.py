"""Typed mails in a takmail that has Nim and Tak."""

import pytest

from takmail.commands.command import LineFault, Unclear
from takmail.commands.command_list import COMMANDS
from takmail.commands.grammar.arguments import Compare, Help, Moves, Play, Rules, Show
from takmail.commands.grammar.invitation_forms import New, SeekGame
from takmail.commands.grammar.line_reader import anywhere, in_game
from takmail.commands.grammar.proposing import Propose, Why
from takmail.commands.grammar.understand import named_games, understand
from takmail.games.relay import Relay
from takmail.games.tak.game import TakGame
from takmail.world.pace import NO_TIMING, Timing
from takmail.world.waiting import PendingKind
from tests.nim.beside_tak import GAMES, NIM
from tests.support.orders import ordered
from tests.support.tables import each_row

BEN = "ben@example.org"
STATE = NIM.start("heaps=3,4,5")
NIM_MAIL = in_game(GAMES, COMMANDS, NIM, STATE)
TAK_MAIL = in_game(GAMES, COMMANDS, TakGame(), TakGame().start("5"))
NO_GAME = anywhere(GAMES, COMMANDS)


def meant_turn(line: str) -> Unclear:
    return Unclear(LineFault.MEANT, offers=(line,), is_turn=True, needs_game=True)


def read(text: str, reader=NIM_MAIL):
    found = understand(text, reader)
    return ordered(found.orders), found.chat


@each_row(
    ("line", "command", "form"),
    [
        (f"new nim vs {BEN}", New((), None, opponent=BEN, kind="nim"), f"new nim random vs {BEN}"),
        (f"Challenge Nim {BEN}", New((), None, opponent=BEN, kind="nim"), f"new nim random vs {BEN}"),
        ("new nim vs Ben", New((), None, opponent="ben", kind="nim"), None),
        (
            f"new nim heaps=3,4,5 vs {BEN} first=me days=3",
            New(("heaps=3,4,5",), "me", Timing("days=3"), opponent=BEN, kind="nim"),
            f"new nim heaps=3,4,5 vs {BEN} first=me days=3",
        ),
        (
            f"new nim relay vs {BEN}",
            New((), None, NO_TIMING, True, opponent=BEN, kind="nim"),
            f"new nim random relay vs {BEN}",
        ),
        (f"new 5 vs {BEN}", New(("5",), None, opponent=BEN, kind="tak"), f"new 5 vs {BEN}"),
        ("new nim", Unclear("new_without_opponent", "nim"), None),
        (f"new nim {BEN}", New((), None, opponent=BEN, kind="nim"), f"new nim random vs {BEN}"),
        ("seek nim", SeekGame((), None, NO_TIMING, kind="nim"), "seek nim random"),
        ("seek nim random", SeekGame(("random",), None, NO_TIMING, kind="nim"), "seek nim random"),
        (
            "seek nim heaps=7,7,7",
            SeekGame(("heaps=7,7,7",), None, NO_TIMING, kind="nim"),
            "seek nim heaps=7,7,7",
        ),
        ("seek 5", SeekGame(("5",), None, NO_TIMING, kind="tak"), "seek 5"),
        ("rules nim", Rules("nim"), "rules nim"),
        ("help nim moves", Help("moves", "nim"), "help nim moves"),
        ("moves 2", Moves("2"), "moves 2"),
        ("moves b2", Moves("b2"), "moves b2"),
        ("show 5", Show(5), "show 5"),
    ],
)
@pytest.mark.parametrize("reader", [NIM_MAIL, TAK_MAIL, NO_GAME])
def test_a_command_is_the_same_whatever_the_mail_is_about(line, command, form, reader) -> None:
    assert read(line, reader) == ([command], "")
    (order,) = understand(line, reader).orders
    assert order.canonical(GAMES) == form
    if form is not None:
        (again,) = understand(form, reader).orders
        assert again.canonical(GAMES) == form


@pytest.mark.parametrize("words", ["new nim set bought", "seek nim players", "rules of nim", "nim is fun"])
def test_words_about_nim_are_words(words: str) -> None:
    assert read(words, NO_GAME) == ([], words)


@each_row(
    ("text", "commands", "chat"),
    [
        ("take 3\nfrom 2", [Play("take 3 from 2", None)], ""),
        ("Hi Ben,\n\nTake 3.\nFrom 2!\n\nAda", [Play("take 3 from 2", None)], "Hi Ben,\n\nAda"),
        ("take 3 from 2 #7", [Play("take 3 from 2", 7)], ""),
        ("take 3\nfrom 2 #7\nrs", [Play("take 3 from 2", 7), "rs"], ""),
        ("take 3\nfrom 2\ntake 1\nfrom 1", [Play("take 3 from 2", None), Play("take 1 from 1", None)], ""),
        ("#12 take 3\nfrom 2", [Play("take 3 from 2", None)], ""),
        ("why take 3 from 2", [Why(None, "take 3 from 2")], ""),
        ("why 2", [Why(2)], ""),
        ("rs\n1 ooo\n2 -\n3 o", [Compare("1 ooo/2 -/3 o")], ""),
        ("1 | ooo\n2 | -\n3 | o", [Compare("1 ooo/2 -/3 o")], ""),
        (
            "propose board\nsecond to move\n1 ooo\n2 -\n3 o",
            [Propose(PendingKind.BOARD, board="1 ooo/2 -/3 o", whose="second")],
            "",
        ),
        ("Hi! take 3 from 2", [meant_turn("take 3 from 2")], ""),
        ("ps b4", [], "ps b4"),
        ("take care\nfrom Ada", [], "take care\nfrom Ada"),
    ],
)
def test_a_mail_of_a_game_of_nim_is_read(text: str, commands: list[object], chat: str) -> None:
    assert read(text) == (commands, chat)


def test_the_line_of_a_turn_of_two_lines_is_both() -> None:
    (order,) = understand("Take 3\nfrom 2", NIM_MAIL).orders
    assert order.line == "Take 3 from 2"
    assert order.canonical(GAMES) == "take 3 from 2"


@pytest.mark.parametrize(
    "text", ["take 3", "from 2", "take 3\n\nfrom 2", "take 3\nquit\nfrom 2", "1. take 3"]
)
def test_half_a_turn_is_asked_about(text: str) -> None:
    (miss, *_), chat = read(text)
    assert isinstance(miss, Unclear)
    assert miss.offers
    assert chat == ""


@pytest.mark.parametrize("text", ["#12 take 3\nfrom 2", "#12 take 3 from 2", "#12 take 3\n#12 from 2"])
@pytest.mark.parametrize("reader", [NIM_MAIL, NO_GAME])
def test_a_mail_names_its_game_above_a_turn_of_two_lines(text: str, reader) -> None:
    assert named_games(text, reader) == (12,)


def test_moves_that_are_only_passed_on_are_read_the_same() -> None:
    relay = Relay(NIM)
    assert read("take 9\nfrom 9", in_game(GAMES, COMMANDS, relay, relay.start("random"))) == (
        [Play("take 9 from 9", None)],
        "",
    )


def test_turns_of_both_games_are_known_where_no_game_is() -> None:
    assert read("ps b4\ntake 3 from 2", NO_GAME)[0] == [Play("ps b4", None), Play("take 3 from 2", None)]
    assert GAMES.seat_anywhere("second") == GAMES.seat_anywhere("black")
    assert read("take 3 from 2", TAK_MAIL) == ([], "take 3 from 2")
