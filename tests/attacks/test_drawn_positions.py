"""The position of a random game of TZAAR: nobody knows it before it is drawn, and nobody can have it drawn again."""

import re
from dataclasses import replace

import pytest

from takmail.games.tzaar.state import TzaarState
from takmail.mail.tokens import SeatKey
from takmail.world.kinds import Standing
from tests.commands.build import TAK
from tests.support.cost import assert_in_proportion
from tests.support.memory_harness import PLAIN, MemoryHarness
from tests.support.players import ADA, BEN, said
from tests.support.width import combined, tenth_of

AS_ADA, AS_BEN = f"Ada <{ADA}>", f"Ben <{BEN}>"


@pytest.fixture
def harness() -> MemoryHarness:
    return MemoryHarness()


def start(harness: MemoryHarness, number: int = 1) -> str:
    """Return the position before the first turn."""
    table = harness.table(number)
    state = table.rules.referee.start(table.record.setup)
    assert isinstance(state, TzaarState)
    return str(state.position)


def begin(harness: MemoryHarness) -> str:
    harness.begin("tzaar")
    return start(harness)


@pytest.mark.parametrize(
    ("who", "line"),
    combined(
        [AS_ADA, AS_BEN],
        ["rs", "show", "show 0", "log", "ptn", "games", "match", "moves", "moves a1", "rules", "why"],
    ),
)
def test_nothing_shows_a_position_before_the_guest_accepts(
    harness: MemoryHarness, who: str, line: str
) -> None:
    harness.send(AS_ADA, f"new tzaar vs {BEN}")
    address = ADA if who is AS_ADA else BEN
    seen = harness.send(who, line, harness.last(address))
    assert harness.table().record.setup == "random"
    for letter in seen:
        assert "start=" not in letter.text
        assert re.search(r"^[A-I]  +.*[zrtZRT]\b", letter.text, re.MULTILINE) is None


def test_the_same_mails_draw_another_position_with_another_key() -> None:
    other = SeatKey(b"another key for tests only", TAK, "+")
    assert begin(MemoryHarness()) != begin(MemoryHarness(services=replace(PLAIN, key=other)))


def test_a_mail_that_comes_twice_draws_no_other_position(harness: MemoryHarness) -> None:
    harness.send(AS_ADA, f"new tzaar vs {BEN} first=me")
    mail = harness.mail(AS_BEN, "accept", harness.last(BEN)).as_bytes()
    harness.deliver(mail)
    drawn = start(harness)
    harness.deliver(mail)
    harness.send(AS_BEN, "accept", harness.last(BEN))
    assert start(harness) == drawn


@pytest.mark.parametrize("line", ["decline", "withdraw", "undo", "accept", "new tzaar random vs Ada", "quit"])
def test_who_does_not_like_the_position_cannot_back_out(harness: MemoryHarness, line: str) -> None:
    drawn = begin(harness)
    harness.send(AS_BEN, line, harness.last(BEN))
    assert start(harness) == drawn
    assert harness.table().record.standing == Standing.OPEN


def test_a_new_beginning_keeps_the_position(harness: MemoryHarness) -> None:
    drawn = begin(harness)
    harness.send(AS_ADA, "moves", harness.last(ADA))
    state = harness.table().state
    harness.send(AS_ADA, state.choices()[0].turns[0].typed, harness.last(ADA))
    harness.send(AS_BEN, "propose restart", harness.last(BEN))
    harness.send(AS_ADA, "agree", harness.last(ADA))
    assert not harness.table().turns
    assert str(harness.table().state.position) == drawn  # type: ignore[attr-defined]


def test_an_invitation_that_is_declined_and_made_again_tells_nothing(harness: MemoryHarness) -> None:
    for number in (1, 2, 3):
        harness.send(AS_ADA, f"new tzaar vs {BEN}")
        assert harness.table(number).record.setup == "random"
        harness.send(AS_BEN, "decline", harness.last(BEN))
        assert harness.table(number).record.setup == "random"


@pytest.mark.parametrize("back_out", [(AS_ADA, "withdraw"), (AS_ADA, "decline"), (AS_BEN, "decline")])
def test_a_rematch_that_is_called_off_draws_nothing(
    harness: MemoryHarness, back_out: tuple[str, str]
) -> None:
    first = begin(harness)
    harness.send(AS_BEN, "resign", harness.last(BEN))
    harness.send(AS_BEN, "yes", harness.last(BEN))
    who, line = back_out
    for _ in range(2):
        seen = harness.send(AS_ADA, "rematch", harness.last(ADA))
        number = max(harness.memory.tables)
        assert number > 1
        seen += harness.send(who, line, harness.last(ADA if who is AS_ADA else BEN))
        assert harness.table(number).record.setup == "random"
        assert all("start=" not in letter.text for letter in seen)
    assert start(harness) == first


def test_a_relay_game_shows_its_position_only_when_it_begins(harness: MemoryHarness) -> None:
    seen = harness.send(AS_ADA, f"new tzaar relay vs {BEN}")
    seen += harness.send(AS_BEN, "rs", harness.last(BEN))
    assert not any("Position" in letter.text or "begin with this board" in letter.text for letter in seen)
    seen = harness.send(AS_BEN, "accept", harness.last(BEN))
    assert all(f"Position: {start(harness)}" in said(letter) for letter in seen)


@pytest.mark.parametrize(
    "spot", tenth_of(["t ", "t", "z9 ", "z999999999", "A ", "0 ", "+ ", "tttttttttttttttttttttttttttttt "])
)
def test_a_very_long_line_costs_in_proportion(harness: MemoryHarness, spot: str) -> None:
    begin(harness)
    letter, rows = harness.last(ADA), "\n".join(harness.table().state.board()[1:])

    def deliver(spots: int) -> None:
        harness.deliver(
            harness.mail(AS_ADA, f"propose board white\nA {spot * spots}\n{rows}", letter).as_bytes()
        )

    assert_in_proportion(deliver, 200_000 // len(spot))
    assert not harness.table().offers


@pytest.mark.parametrize(
    "row", tenth_of(["A T T T T t", "t" * 60, "z99 " * 12, "c a1 b2 " * 8, "E t r z t + T Z R T"])
)
def test_a_mail_full_of_columns_costs_in_proportion(harness: MemoryHarness, row: str) -> None:
    begin(harness)
    letter = harness.last(ADA)

    def deliver(rows: int) -> None:
        harness.deliver(harness.mail(AS_ADA, f"{row}\n" * rows, letter).as_bytes())

    assert_in_proportion(deliver, 200_000 // (len(row) + 1))
    assert not harness.table().turns


def test_a_board_that_one_player_pastes_is_seen_by_nobody_else(harness: MemoryHarness) -> None:
    begin(harness)
    rows = "\n".join(harness.table().state.board()).replace("Z", "T", 1)
    letters = harness.send(AS_BEN, rows, harness.last(BEN))
    assert [one.to for one in letters] == [BEN]
    assert "one spot differs" in said(letters[0])
