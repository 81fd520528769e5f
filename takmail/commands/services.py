"""Define the services that commands use: takmail's name and key, templates, limits and games. There is no clock."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from takmail.commands.kinds import LetterView
from takmail.games.registry import Games
from takmail.mail.limits import DEFAULT_LIMITS, Limits
from takmail.mail.tokens import SeatKey


@dataclass(frozen=True, slots=True)
class RateLimits:
    """The maximum numbers of letters to one address. Each kind has its own limit, so that one cannot use up another's.

    * `answers_per_hour`: answers to verified mails of a player
    * `unproven_answers_per_hour`: answers to mails that name a player as sender but may be forged
    * `stranger_answers_per_hour`: answers to all other mails
    * `letters_per_day`: letters of each limited kind to an address whose owner has written
    * `stranger_letters_per_day`: letters of each limited kind to an address whose owner has never written
    * `chat_letters_per_hour`: letters that contain only chat
    """

    answers_per_hour: int
    unproven_answers_per_hour: int
    stranger_answers_per_hour: int
    letters_per_day: int = 200
    stranger_letters_per_day: int = 10
    chat_letters_per_hour: int = 30


class TemplateSource(Protocol):
    """The templates that commands use, for text that is stored with a game or compared with a name."""

    def line(self, name: str, /, **facts: object) -> str:
        """Return the text of a template that renders to one line."""

    def exists(self, name: str) -> bool:
        """Tell whether a template exists."""

    def names(self) -> Sequence[str]:
        """Return the names of all templates."""


@dataclass(frozen=True, slots=True)
class CommandServices:
    """The services that commands use.

    * `address` and `name` are takmail's own
    * `authserv_id` names the mail server whose Authentication-Results headers are trusted, None to trust no server
    * `operator` is the operator's address, None if they want no letters
    * `letter_view` is the letter format of players who chose none
    * `keep_mail_days` is the number of days after which mails and letters are reduced
    * `games` are the playable games
    """

    address: str
    name: str
    key: SeatKey
    templates: TemplateSource
    rates: RateLimits
    limits: Limits = DEFAULT_LIMITS
    authserv_id: str | None = None
    operator: str | None = None
    letter_view: LetterView = LetterView.BOTH
    keep_mail_days: int = 30
    games: Games = field(kw_only=True)
