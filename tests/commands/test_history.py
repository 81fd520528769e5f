"""The order of turns and of what was taken back, as ledgers read it."""

from datetime import UTC, datetime

import pytest

from takmail.commands.game.history import history
from takmail.commands.kinds import TakenBackBy
from takmail.commands.records import TakenBackTurn, Turn
from takmail.games.interface import Seat, TakeBack

ADA, BEN = TakeBack(Seat.FIRST), TakeBack(Seat.SECOND)


def read(events: str) -> tuple[str | TakeBack, ...]:
    """Play events such as `a b undo c`: letters are turns, other words take turns back.

    `undo` and `right` take back the last turn, `back1` goes back to turn 1, and `restart` begins anew.
    """
    turns, gone, version, runs = list[Turn](), list[TakenBackTurn](), 0, 0
    for word in events.split():
        version += 1
        if len(word) == 1:
            number = len(turns) + 1
            turns.append(Turn(number, (number - 1) % 2, word, word, version))
            continue
        how = TakenBackBy(word.rstrip("0123456789"))
        is_of_last = how in (TakenBackBy.UNDO, TakenBackBy.RIGHT)
        after = len(turns) - 1 if is_of_last else 0 if how == TakenBackBy.RESTART else int(word[-1])
        runs += 1
        at = datetime(2026, 11, 23, tzinfo=UTC)
        gone += [
            TakenBackTurn(
                one.number, one.seat, one.text, one.text, one.version, False, runs, how, at, version
            )
            for one in turns[after:]
        ]
        del turns[after:]
    return history(turns, gone)


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ("", ()),
        ("a b c", ("a", "b", "c")),
        ("a b undo c", ("a", "c")),
        ("a b right", ("a", BEN)),
        ("a b c right d", ("a", "b", ADA, "d")),
        ("a b c right right", ("a", ADA, BEN)),
        ("a b c right right d right", ("a", ADA, BEN, BEN)),
        ("a b c right d back2", ("a", "b", ADA)),
        ("a b c right d back1", ("a",)),
        ("a b c right d e back3", ("a", "b", ADA, "d")),
        ("a right b restart", ()),
        ("a right b restart c", ("c",)),
        ("a b c back1 d right e", ("a", BEN, "e")),
        ("a b c back1 right b", (ADA, "b")),
    ],
)
def test_what_was_taken_back_by_right_stands_where_its_turn_stood(
    events: str, expected: tuple[str | TakeBack, ...]
) -> None:
    assert read(events) == expected
