"""Define the services that commands use: takmail's name and key, templates, limits and games. There is no clock."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from takmail.blocks import Message, message
from takmail.commands.command import Commands
from takmail.games.bots import NO_BOTS, Bots
from takmail.games.registry import Games
from takmail.limits.letters import RateLimits
from takmail.limits.mails import DEFAULT_LIMITS, Limits
from takmail.mail.tokens import SeatKey
from takmail.world import LetterView, NewPlayers

A_FRIEND = message("a_friend")
"""The name of a player who has none."""
A_PLAYER = message("a_player")
"""The name of a player who has left for good."""
ADDRESS_LEFT_OUT = message("address_left_out")
"""What stands in the place of an address in somebody's words."""
LABELS = (A_FRIEND, A_PLAYER, ADDRESS_LEFT_OUT)


class TemplateSource(Protocol):
    """The templates and messages that commands use, for text that is stored or compared with a name."""

    @property
    def languages(self) -> Sequence[str]:
        """The codes of all languages that have messages."""

    def has_message(self, name: str) -> bool:
        """Tell whether there is a message of this name."""

    def said(self, message: Message, language: str = "en") -> str:
        """Return a message in words, on one line."""

    def line(self, name: str, /, **facts: object) -> str:
        """Return the text of a template that renders to one line."""


@dataclass(frozen=True, slots=True)
class CommandServices:
    """The services that commands use.

    * `address` and `name` are takmail's own
    * `authserv_id` names the mail server whose Authentication-Results headers are trusted, None to trust no server
    * `operator` is the operator's address, None if they want no letters
    * `letter_view` is the letter format of players who chose none
    * `keep_mail_days` is the number of days after which mails and letters are reduced
    * `new_players` tells who may begin to play
    * `language` is the language of letters to players who chose none
    * `commands` are those that players can write
    * `games` are the playable games
    * `bots` are the bots that players can play against
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
    new_players: NewPlayers = NewPlayers.ANYONE
    language: str = "en"
    commands: Commands = field(kw_only=True)
    games: Games = field(kw_only=True)
    bots: Bots = field(kw_only=True, default=NO_BOTS)

    def label(self, label: Message) -> str:
        """Return a label that stands in place of a name, and is kept with the game, in the language of the service."""
        return self.templates.said(label, self.language)
