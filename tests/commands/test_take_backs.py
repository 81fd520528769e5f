"""Who took back a turn by right, as ledgers count it."""

from datetime import UTC, datetime

import pytest

from takmail.games.interface import Seat
from takmail.world.kinds import TakenBackBy
from takmail.world.records import Turn
from takmail.world.replay import Run, take_backs
from tests.support.tables import each_row

ADA, BEN = Seat.FIRST, Seat.SECOND
AT = datetime(2026, 11, 23, tzinfo=UTC)


def read(happened: str) -> tuple[Seat, ...]:
    """Play events such as `a b undo c`: letters are turns, other words take turns back.

    `undo` and `right` take back the last turn, `back1` goes back to turn 1, and `restart` begins anew.
    """
    turns, runs, version = list[Turn](), list[Run](), 0
    for word in happened.split():
        version += 1
        if len(word) == 1:
            number = len(turns) + 1
            turns.append(Turn(number, (number - 1) % 2, word, word, version, AT))
            continue
        how = TakenBackBy(word.rstrip("0123456789"))
        is_of_last = how in (TakenBackBy.UNDO, TakenBackBy.RIGHT)
        after = len(turns) - 1 if is_of_last else 0 if how == TakenBackBy.RESTART else int(word[-1])
        runs.append(Run(len(runs) + 1, how, AT, version, tuple(turns[after:]), ()))
        del turns[after:]
    return take_backs(runs)


@each_row(
    ("happened", "expected"),
    [
        ("", ()),
        ("a b c", ()),
        ("a b undo c", ()),
        ("a b right", (BEN,)),
        ("a b c right d", (ADA,)),
        ("a b c right right", (ADA, BEN)),
        ("a b c right right undo", ()),
        ("a b c right right b c undo", (ADA, BEN)),
        ("a b c right right d right", (ADA, BEN, BEN)),
        ("a b c right d back2", (ADA,)),
        ("a b c right d back1", ()),
        ("a b c right d undo", (ADA,)),
        ("a b c right undo", ()),
        ("a b c right d e back3", (ADA,)),
        ("a right b restart", ()),
        ("a right b restart c", ()),
        ("a b c back1 d right e", (BEN,)),
        ("a b c back1 right b", (ADA,)),
    ],
)
def test_a_take_back_counts_until_the_game_goes_back_behind_it(
    happened: str, expected: tuple[Seat, ...]
) -> None:
    assert read(happened) == expected


@pytest.mark.parametrize(("how", "seat"), [("moonshine", 0), ("right", 2)])
def test_a_damaged_row_is_told(how: str, seat: int) -> None:
    with pytest.raises(ValueError, match="is not a valid"):
        take_backs([Run(1, how, AT, 4, (Turn(7, seat, "a", "a", 3, AT),), ())])
