"""All templates of Nim that the letters of every game include exist and can be rendered."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

import pytest

from takmail.blocks import Block, message
from takmail.commands.view import View, look
from takmail.games.interface import NearMiss, Reason, Refused, Seat
from takmail.games.wording import Boards
from takmail.letters.news.beginnings import invitation
from takmail.letters.passages import ending, turns
from takmail.letters.passages.below import next_steps
from takmail.letters.passages.turns import board
from takmail.letters.reader import Lobby, Reader
from takmail.world.consequences import Verdict
from takmail.world.kinds import Ruling, Standing
from takmail.world.records import Invitation
from tests.commands.build import AS_BEN, game
from tests.nim.beside_tak import GAMES, NIM, NIM_FOLDER, templates
from tests.nim.state import RULES, NimState
from tests.nim.wording import FACTS_OF_REASONS
from tests.support.wording import english, page

TEMPLATES = templates()
WORDS = TEMPLATES.words("en")
WORDING = NIM.wording
SETUP = "heaps=3,4,5"
OVER_BY_TURNS = ("take 3 from 1", "take 4 from 2", "take 5 from 3")


def view(
    *turns: str,
    setup: str = SETUP,
    standing: Standing = Standing.OPEN,
    resigned: Seat | None = None,
    ruling: Ruling | None = None,
) -> View:
    """Return a game as its first player sees it, whom the second one has invited."""
    table = game(
        *turns,
        number=7,
        kind="nim",
        setup=setup,
        games=GAMES,
        standing=standing,
        resigned=resigned,
        ruling=ruling,
    )
    record = replace(table.record, invitation=Invitation(AS_BEN.id))
    return look(replace(table, record=record), Seat.FIRST)


def after(*turns: str) -> NimState:
    state = NIM.start(SETUP)
    for text in turns:
        state = state.play(text)
    return state


OVER = after(*OVER_BY_TURNS)
VIEWS = [
    view(),
    view(setup="random", standing=Standing.INVITED),
    view("take 1 from 1"),
    view(*OVER_BY_TURNS, standing=Standing.OVER),
    *(
        view("take 1 from 1", standing=Standing.OVER, resigned=resigned, ruling=ruling)
        for resigned, ruling in ((Seat.FIRST, None), (None, Ruling.AGREED), (None, Ruling.SECOND))
    ),
]


def reader(seen: View) -> Reader:
    return Reader(seen, "nim", Lobby(GAMES))


def said(blocks: Iterable[Block]) -> str:
    return " ".join(page(tuple(blocks), WORDS).split())


def test_nothing_of_nim_speaks_of_tak() -> None:
    for path in NIM_FOLDER.rglob("*.jinja"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"\b(Tak|PTN|flats?|capstones?|roads?|White|Black)\b|tak_", text), path


@pytest.mark.parametrize("one", VIEWS, ids=lambda one: str(one.standing))
def test_a_board_and_an_invitation_are_worded(one: View) -> None:
    shown = page(board(reader(one)), WORDS)
    assert all(row in shown for row in one.shown.board)
    assert max(map(len, shown.splitlines())) <= 72
    assert said(next_steps(reader(one)))
    invited = said(invitation(reader(one), is_to_stranger=True))
    assert "asks you to a game of Nim by mail" in invited
    assert ("drawn by lot when you accept" in invited) == (one.shown.board == ())
    for sentences in (WORDING.shape, WORDING.sides(one), WORDING.legend(one.you), WORDING.how(one)):
        assert english(sentences, WORDS)
    if one.ended is not None:
        record = said(ending.record(reader(one)))
        assert "Here is the whole game. The record has lines that say what was taken" in record


def test_the_end_is_told_with_its_points() -> None:
    over = view(*OVER_BY_TURNS, standing=Standing.OVER)
    assert english(ending.outcome(reader(over)), WORDS) == "You win: you have taken the last stone."
    assert said(ending.score(reader(over))) == "Result: 1-0 You score 3 points, one for each heap."
    theirs = replace(over, seat=Seat.SECOND)
    assert english(ending.outcome(reader(theirs)), WORDS) == "Ben wins and has taken the last stone."
    assert "Ben scores 3 points" in said(ending.score(reader(theirs)))


@pytest.mark.parametrize(
    "text", ["take 1 from 1", "take 5 from 1", "take 1 from 9", "take 0 from 1", "take 3 from 1"]
)
def test_a_turn_is_explained(text: str) -> None:
    before = after()
    try:
        then = before.play(text)
    except Refused:
        then = None
    verdict = Verdict(
        "nim", 1, "Ada", text, text, before, then, before.touched(text), before.verdict(text), None
    )
    words = said(turns.verdict(reader(view()), verdict))
    assert ("keeps every rule." in words) == (then is not None)
    assert ("breaks a rule: " in words) == (then is None)
    proof = said(turns.proof(reader(view()), verdict))
    assert " taken: " in proof or "Here the rules stop it." in proof
    kept = [check for check in verdict.checks if check.reason is None]
    assert all(english(WORDING.check(check), WORDS) in proof for check in kept)


def test_the_turn_that_ends_the_game_is_explained() -> None:
    before = after("take 3 from 1", "take 4 from 2")
    text = "take 5 from 3"
    verdict = Verdict(
        "nim", 3, "Ada", text, text, before, OVER, before.touched(text), before.verdict(text), OVER.result
    )
    assert "the player of the first turn wins" in said(
        turns.verdict(reader(view(*OVER_BY_TURNS[:2])), verdict)
    )


def reasons() -> Iterator[Reason]:
    state = after()
    for line in ("take 1", "from 1"):
        miss = state.read(line)
        assert isinstance(miss, NearMiss)
        yield miss.reason
    for text in ("take 0 from 1", "take 9 from 1", "take 1 from 9", "hello"):
        yield refusal(lambda text=text: state.play(text))
    yield refusal(lambda: OVER.play("take 1 from 1"))
    yield refusal(lambda: after("take 3 from 1").choices_at("1"))
    for written in ("1 o", "1 ooooo/2 o/3 o", "1 -/2 -/3 -"):
        yield refusal(lambda written=written: state.adopt(written, Seat.FIRST))
    for word in ("enormous", "heaps=1"):
        yield refusal(lambda word=word: NIM.set_up((word,), None))
    given_away = state.asks_before("take 1 from 1")
    assert given_away is not None
    yield given_away


def refusal(ask) -> Reason:
    with pytest.raises(Refused) as caught:
        ask()
    return caught.value.reason


def test_every_reason_and_every_rule_is_worded() -> None:
    found = list(reasons())
    assert {one.name for one in found} >= set(FACTS_OF_REASONS)
    for reason in found:
        assert len(english(WORDING.reason(reason), WORDS).split()) > 4
    checks = [check for text in ("take 1 from 1", "take 9 from 1") for check in after().verdict(text)]
    assert {check.rule for check in checks} == set(RULES)
    for check in checks:
        assert check.reason is not None or english(WORDING.check(check), WORDS)


@pytest.mark.parametrize(
    "board", ["1 ooo/2 oooo/3 ooooo", "1 oo/2 oooo/3 ooooo", "1 o/2 o/3 o", "1 o", "what"]
)
def test_boards_that_are_compared_with_the_game_are_worded(board: str) -> None:
    found = NIM.compare(SETUP, ["take 1 from 1"], board)
    assert page(WORDING.compared(found, Boards.YOURS), WORDS)
    assert page(WORDING.proposed(found, is_yours=True), WORDS)
    two = NIM.compare_two(SETUP, ["take 1 from 1"], board, "1 ooo/2 oooo/3 ooooo")
    assert "The two boards are" in page(WORDING.compared(two, Boards.TWO), WORDS)


def test_what_can_be_played_is_listed() -> None:
    for group in after().choices():
        assert "heap" in english(WORDING.choices(group), WORDS)
        assert "take" in english(WORDING.spelt(group), WORDS)
        assert english(WORDING.untouched(group), WORDS)


@pytest.mark.parametrize("topic", ["moves", "new", "seek", "board", "rs", "log", "relay"])
def test_help_is_nim_s_own(topic: str) -> None:
    assert len(english(message(f"help_nim_{topic}"), WORDS).split()) > 5
