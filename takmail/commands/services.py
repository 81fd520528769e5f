"""CommandServices for every cause: the name of takmail, its key, wording, limits and games; no clock."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from takmail.commands.kinds import LetterView
from takmail.games.registry import Games
from takmail.mail.limits import USUAL, Limits
from takmail.mail.tokens import SeatKey


@dataclass(frozen=True, slots=True)
class RateLimits:
    """How many letters go to one address; each kind is counted by itself, so that none uses up what is another's.

    Answers within an hour: to mails that are surely a player's; to those that may be forged in the name of somebody who
    plays; to all others. Letters within a day, of each kind that may be too many: to who has ever written, and to who
    has not. Letters within an hour that bring words and nothing else.
    """

    answers_per_hour: int
    unproven_answers_per_hour: int
    stranger_answers_per_hour: int
    letters_per_day: int = 200
    stranger_letters_per_day: int = 10
    chat_letters_per_hour: int = 30


class Wording(Protocol):
    """The templates as commands know them: words that are stored with a game or compared with a name."""

    def line(self, name: str, /, **facts: object) -> str:
        """A template that is one line."""

    def exists(self, name: str) -> bool:
        """Whether there is such a template."""

    def names(self) -> Sequence[str]:
        """The names of all templates."""


@dataclass(frozen=True, slots=True)
class CommandServices:
    """The services that commands use.

    `authserv_id` names the mail server whose Authentication-Results are trusted, None: no server's. `operator` is the
    operator's address if they want letters. `letter_view` is for players who have chosen none. `games` are those that
    can be played.
    """

    address: str
    name: str
    key: SeatKey
    templates: Wording
    rates: RateLimits
    limits: Limits = USUAL
    authserv_id: str | None = None
    operator: str | None = None
    letter_view: LetterView = LetterView.BOTH
    games: Games = field(kw_only=True)
