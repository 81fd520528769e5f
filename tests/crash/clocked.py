"""Games in which time passes: what is due in them by itself, and how their scripts end."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from takmail.world.clock import AlarmKind


class Due(Enum):
    """What becomes due for the player to move: the alarm, and what the letters to that player and the other one say.

    The words are '' if there is no letter.
    """

    REMINDER = (AlarmKind.REMINDER, "reminder", "")
    HOLIDAY = (AlarmKind.TIME_OVER, "on holiday until", "on holiday until")
    HOLIDAY_AGAIN = (AlarmKind.TIME_OVER, "", "")
    QUESTION = (AlarmKind.TIME_OVER, "is over", "is over")
    LOSS = (AlarmKind.TIME_OVER, "wins", "win")
    REST = (AlarmKind.REST, "rests", "rests")

    @property
    def alarm(self) -> AlarmKind:
        """The kind of the alarm."""
        return self.value[0]

    @property
    def takes_holidays(self) -> bool:
        """Whether it needs a player for whom holidays are taken."""
        return self in (Due.HOLIDAY, Due.HOLIDAY_AGAIN)

    def words(self, *, is_to_mover: bool) -> str:
        """Return what a player's letter says, or ''."""
        return self.value[1 if is_to_mover else 2]


@dataclass(frozen=True, slots=True)
class Wait:
    """Nobody writes until something is due for the player in `seat`, whose turn it is."""

    seat: int
    due: Due


@dataclass(frozen=True, slots=True)
class Course:
    """What happens by itself in a game that was begun with `options`: before each turn, and at the end.

    The words stand for mails of the player who waits for the other one.
    """

    options: str
    before_turns: Sequence[Due | str]
    at_end: Sequence[Due | str] = ()


COURSES = (
    Course("days=1", (Due.REMINDER, Due.HOLIDAY, Due.HOLIDAY_AGAIN)),
    Course("days=2 strict", (Due.REMINDER,), (Due.LOSS,)),
    Course("time=2d+1d", (Due.REMINDER,), (Due.QUESTION, "claim")),
    Course("days=3", (Due.QUESTION, "wait")),
    Course("days=3", (Due.QUESTION, Due.REST)),
    Course("", (Due.REMINDER, Due.REST)),
    Course("time=3d+2d strict", (Due.HOLIDAY,), (Due.REMINDER, Due.LOSS)),
)
