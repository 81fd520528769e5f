"""Define CommandServices: the name, key, templates, limits and games that commands use. It has no clock."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from takmail.commands.kinds import LetterView
from takmail.games.registry import Games
from takmail.mail.limits import DEFAULT_LIMITS, Limits
from takmail.mail.tokens import SeatKey


@dataclass(frozen=True, slots=True)
class RateLimits:
    """How many letters may go to one address. Each kind is counted separately, so that one cannot use up another's.

    * `answers_per_hour`: to verified mails of a player
    * `unproven_answers_per_hour`: to mails that may be forged in the name of a player
    * `stranger_answers_per_hour`: to all other mails
    * `letters_per_day`: of each kind that can become too many, to an address whose owner has written
    * `stranger_letters_per_day`: the same, to an address whose owner has never written
    * `chat_letters_per_hour`: letters that contain only chat
    """

    answers_per_hour: int
    unproven_answers_per_hour: int
    stranger_answers_per_hour: int
    letters_per_day: int = 200
    stranger_letters_per_day: int = 10
    chat_letters_per_hour: int = 30


class Wording(Protocol):
    """The templates as commands use them: for text that is stored with a game or compared with a name."""

    def line(self, name: str, /, **facts: object) -> str:
        """Return a template that renders to one line."""

    def exists(self, name: str) -> bool:
        """Tell whether a template exists."""

    def names(self) -> Sequence[str]:
        """Return the names of all templates."""


@dataclass(frozen=True, slots=True)
class CommandServices:
    """The services that commands use.

    * `authserv_id` is the mail server whose Authentication-Results headers are trusted, None for no server
    * `operator` is the operator's address, if they want letters
    * `letter_view` is the default letter format
    * `games` are the playable games
    """

    address: str
    name: str
    key: SeatKey
    templates: Wording
    rates: RateLimits
    limits: Limits = DEFAULT_LIMITS
    authserv_id: str | None = None
    operator: str | None = None
    letter_view: LetterView = LetterView.BOTH
    games: Games = field(kw_only=True)
