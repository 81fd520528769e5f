"""A line may name a game, and a turn may take several lines."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from takmail.commands.command import LineFault, Unclear
from takmail.commands.command_list import COMMANDS
from takmail.commands.grammar.arguments import Compare, Help, Moves, Play, Rules
from takmail.commands.grammar.invitation_forms import New, SeekGame
from takmail.commands.grammar.line_reader import anywhere
from takmail.commands.grammar.normalize import without_move
from takmail.commands.grammar.understand import understand
from takmail.commands.grammar.understood import Understood
from takmail.games.interface import NearMiss, Reading, ReadTurn, Reason
from takmail.games.registry import Games
from takmail.games.tak.game import TakGame
from takmail.limits.words import MAX_TURN_LINES
from takmail.world.pace import NO_TIMING, Timing
from tests.support.orders import ordered
from tests.support.tables import each_row

BEN = "ben@example.org"
GAMES = Games({"tak": TakGame(), "towers": TakGame()}, "tak")
READER = anywhere(GAMES, COMMANDS)


def read(text: str) -> Understood:
    return understand(text, READER)


def meant(*lines: str) -> Unclear:
    return Unclear(LineFault.MEANT, offers=lines)


def new(kind: str, opponent: str = BEN, *, first: str | None = None, is_relay: bool = False) -> New:
    return New(("5",), first, NO_TIMING, is_relay, opponent=opponent, kind=kind)


@each_row(
    ("line", "command", "form"),
    [
        (f"new 5 vs {BEN}", new("tak"), f"new 5 vs {BEN}"),
        (f"new tak 5 vs {BEN}", new("tak"), f"new 5 vs {BEN}"),
        (f"New Towers, 5 vs {BEN}", new("towers"), f"new towers 5 vs {BEN}"),
        (f"new relay towers 5 vs {BEN}", new("towers", is_relay=True), f"new towers 5 relay vs {BEN}"),
        (f"new towers first=me 5 vs {BEN}", new("towers", first="me"), f"new towers 5 vs {BEN} first=me"),
        ("new towers 5 vs Ben", new("towers", "ben"), None),
        ("new 5 vs towers", new("tak", "towers"), None),
        (f"challenge {BEN} 5", new("tak"), f"new 5 vs {BEN}"),
        (f"challenge towers 5 {BEN}", new("towers"), f"new towers 5 vs {BEN}"),
        ("seek 5", SeekGame(("5",), None, NO_TIMING, kind="tak"), "seek 5"),
        (
            "seek towers 5 days=3",
            SeekGame(("5",), None, Timing("days=3"), kind="towers"),
            "seek towers 5 days=3",
        ),
        ("new tak", Unclear(LineFault.NEW_WITHOUT_OPPONENT, "tak"), None),
        (f"new towers 5 {BEN}", new("towers"), f"new towers 5 vs {BEN}"),
        ("rules", Rules(""), "rules"),
        ("Rules Towers?", Rules("towers"), "rules towers"),
        ("help", Help(""), "help"),
        ("help towers", Help("", "towers"), "help towers"),
        ("help towers moves", Help("moves", "towers"), "help towers moves"),
        ("help moves", Help("moves"), "help moves"),
        ("ruels towers", meant("rules towers"), None),
        (f"nwe towers 5 vs {BEN}", meant(f"new towers 5 vs {BEN}"), None),
        ("moves b2", Moves("b2"), "moves b2"),
        ("moves call0900", Moves("call0900"), None),
    ],
)
def test_a_game_is_named_by_the_first_word(line: str, command: object, form: str | None) -> None:
    (order,) = read(line).orders
    assert ordered([order]) == [command]
    assert order.canonical(GAMES) == form
    if form is not None:
        assert ordered(read(form).orders) == [command]


@pytest.mark.parametrize("line", ["seek towers", "/seek towers"])
def test_a_size_may_be_left_out(line: str) -> None:
    (order,) = read(line).orders
    assert ordered([order]) == [SeekGame((), None, NO_TIMING, kind="towers")]
    assert order.canonical(GAMES) == "seek towers 5"


@pytest.mark.parametrize(
    "words",
    [
        "new towers in town",
        "seek tak players",
        "help towers win the day",
    ],
)
def test_other_words_with_a_game_s_name_are_chat(words: str) -> None:
    assert (read(words).orders, read(words).chat) == ((), words)


def read_turn(line: str) -> Reading:
    """A game whose turns are `hop` and a number, or `hop`, then one `by` for each of the numbers."""
    head, _, rest = line.partition(" ")
    if head != "hop":
        return None
    return ReadTurn(line) if rest.isdigit() else NearMiss(Reason("unfinished"))


def read_lines(typed: Sequence[str]) -> tuple[Reading, int]:
    lines = [without_move(line) for line in typed]
    below = [line.removeprefix("by ") for line in lines[1:] if line.startswith("by ")]
    if lines[0] == "hop" and below:
        return ReadTurn(f"hop {''.join(below)}"), 1 + len(below)
    return read_turn(lines[0]), 1


def exact(text: str) -> ReadTurn | None:
    reading = read_turn(text)
    return reading if isinstance(reading, ReadTurn) else None


LONG = replace(READER, read_turn=read_turn, exact=exact, read_lines=read_lines)


def long(text: str) -> list[tuple[str, object]]:
    return [(one.line, *ordered([one])) for one in understand(text, LONG).orders]


def test_a_turn_goes_on_in_the_lines_below() -> None:
    assert long("hop 1") == [("hop 1", Play("hop 1", None))]
    assert long("hop\nby 2") == [("hop by 2", Play("hop 2", None))]
    assert long("Hi Ben,\n*hop*\n/by 2.\nby 3\nSee you") == [("hop /by 2 by 3", Play("hop 23", None))]
    assert understand("Hi\nhop\nby 2\nSee you", LONG).chat == "Hi\nSee you"
    assert long("#12 hop\n#12 by 2\nrs") == [("hop by 2", Play("hop 2", None)), ("rs", "rs")]


@pytest.mark.parametrize("between", ["", "quit", "s 0 0\n0 0 0\n0 0 0", "x" * 20_000])
def test_it_ends_with_its_paragraph(between: str) -> None:
    reason = Reason("unfinished")
    unfinished = (
        "hop",
        Unclear(LineFault.TURN, reason=reason, is_turn=True, needs_game=True),
    )
    assert long(f"hop\n{between}\nby 2")[0] == unfinished
    if between.startswith("s"):
        assert [command for _, command in long(f"hop\n{between}")] == [
            unfinished[1],
            Compare("s 0 0/0 0 0/0 0 0"),
        ]


def test_no_turn_takes_more_lines_than_a_few() -> None:
    (line, command), *_ = long("hop" + "\nby 1" * 9)
    assert command == Play("hop " + "1" * (MAX_TURN_LINES - 1), None)
    assert line.count("by") == MAX_TURN_LINES - 1


def test_what_only_looks_like_its_second_half_is_words() -> None:
    assert long("by 2") == []
    assert long("Hello\nby 2") == []
