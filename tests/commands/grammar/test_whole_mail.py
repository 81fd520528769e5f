"""What the lines of a mail are beside each other."""

from dataclasses import replace

import pytest

from takmail.commands.command import LineFault, Unclear
from takmail.commands.command_list import COMMANDS
from takmail.commands.grammar.answers import Expected
from takmail.commands.grammar.line_reader import in_game
from takmail.commands.grammar.understand import understand
from takmail.commands.grammar.understood import Understood
from takmail.games.registry import GAMES
from takmail.games.tak.game import TakGame
from tests.commands.build import game
from tests.support.tables import each_row

PLAYED = ("ps a1", "ps e5", "ps b2", "ps d4")
IN_TAK = in_game(GAMES, COMMANDS, TakGame(), game(*PLAYED).state, played=PLAYED)
"""The reader of a game of Tak of four turns. White, to move, has a flat on B2, and Black on D4."""


def read(text: str) -> Understood:
    return understand(text, IN_TAK, expected=Expected(sender="Zoe"), names=("Ada", "Ben"))


def doubts(understood: Understood) -> list[Unclear]:
    return [order.arguments for order in understood.orders if isinstance(order.arguments, Unclear)]


def test_words_describe_a_turn_only_on_ones_own() -> None:
    text = "What a week!\nI'd like to stand a wall on c4, next to yours"
    (intention,) = doubts(read(text))
    assert (intention.fault, intention.offers) == (LineFault.INTENTION, ())
    (doubt,) = doubts(understand(text, replace(IN_TAK, is_to_move=True)))
    assert doubt.fault is LineFault.DESCRIBED
    assert doubt.offers == ("ps c4",)


@each_row(
    ("line", "is_so"),
    [
        ("no, wait", True),
        ("sorry, I mean the other one", True),
        ("нет, подожди", True),
        ("不对", True),
        ("Hang on, let me think again.", True),
        ("I take that back", True),
        ("I changed my mind", True),
        ("oops", True),
        ("better: d5", True),
        ("Wait until you see my next move!", False),
        ("I was wrong about the cap", False),
        ("better luck next time", False),
        ("thanks, your turn", False),
        ("no rain in Berlin today", False),
        ("No problem!", False),
        ("I mean it!", False),
        ("I mean it, watch the corner", False),
        ("I mean the corner", True),
        ("Нет проблем", False),
        ("没问题", False),
        ("No, problem", False),
        ("not a problem, wait", True),
        ("No, I have not seen the film yet.", False),
        ("No, c3 is better", True),
        ("Sorry, I was away", False),
        ("Sorry, ps d5", True),
        ("Rather d5", True),
        ("The wall on c3 was a mistake.", False),
        ("Will answer more later, maybe ps d5 was better, but who cares.", False),
        ("不对，我要下d5", True),
        ("нет, лучше d5", True),
        ("I'd rather be in bed", False),
    ],
)
def test_what_takes_back_the_move_above_it(line: str, is_so: bool) -> None:
    faults = [doubt.fault for doubt in doubts(read(f"ps b4\n{line}"))]
    assert (LineFault.TAKEN_BACK in faults) is is_so


@each_row(
    ("text", "offers"),
    [
        ("ps b4\nno, wait", ("ps b4",)),
        ("ps b4\nNo, wait, ps c4", ("ps c4", "ps b4")),
        ("ps b4\nhm, wait\nI think c4", ("ps c4", "ps b4")),
        ("draw\nno, wait", ("draw",)),
        ("ps b4\nno, wait\nps c4", ("ps c4", "ps b4")),
        ("ps b4\nps d9 instead", ("ps b4",)),
        ("ps b4\nLet me play ps c4 instead", ("ps c4", "ps b4")),
        ("ps b4\ndraw\nno, wait", ("draw", "ps b4")),
        ("block Ben\nno, wait", ("block Ben",)),
        ("ps b4\n" + "We talk of cats.\n\n" * 40 + "no, wait, ps c4", ("ps c4", "ps b4")),
    ],
)
def test_what_is_taken_back_is_offered_the_last_first(text: str, offers: tuple[str, ...]) -> None:
    (doubt,) = doubts(read(text))
    assert (doubt.offers[: len(offers)], doubt.is_rejected) == (offers, True)


@pytest.mark.parametrize(
    "text",
    [
        "ps b4\nHm, wait, c4 or d5",
        "ps b4\nХотя нет, лучше поставлю на c4.",
        "ps b4\n不对，还是下c4",
    ],
)
def test_at_most_three_lines_are_offered_in_place_of_what_is_taken_back(text: str) -> None:
    (doubt,) = doubts(read(text))
    assert len(doubt.offers) <= 3


@pytest.mark.parametrize(
    "line",
    [
        "Scratch that, I need to think about this a bit longer.",
        "Let me think about it longer.",
        "算了，我再想想。",
        "Ой, нет, я ещё подумаю.",
    ],
)
def test_who_thinks_longer_is_offered_no_slower_game(line: str) -> None:
    (doubt,) = doubts(read(f"ps b4\n{line}"))
    assert doubt.offers == ("ps b4",)


@pytest.mark.parametrize(
    "text", ["ps b4\nBest,\nZoe", "ps b4\n\nAda", "ps b4\nKind regards\nDrew", "ps b4\nBye\nLoga"]
)
def test_a_name_is_no_slip_of_a_command(text: str) -> None:
    assert not doubts(read(text))


@each_row(
    "line",
    [
        "if he plays e5 then I play d5",
        "If you take d5, I will move my wall.",
        "要是他下e5，我就下d5",
        "если он пойдёт на e5, я на d5",
        "When you put your capstone on c2 I'll just walk around it.",
        "Once you move to c2 I'll block",
        "当你下c2的时候，我就绕过去",
        "Когда ты сыграешь c2, я пойду в обход.",
    ],
)
def test_a_plan_offers_nothing(line: str) -> None:
    for text in (line, f"ps b4\n{line}"):
        (doubt,) = doubts(read(text))
        assert (doubt.fault, doubt.offers) == (LineFault.PLAN, ())


@pytest.mark.parametrize(
    "line",
    [
        "when you played c2 I laughed",
        "When you play c2 I smile",
        "你下c2的时候我笑了",
        "Когда ты сыграл c2, я смеялся",
    ],
)
def test_what_has_happened_is_no_plan(line: str) -> None:
    assert not doubts(read(line))
