"""Define the events of mails about several games, which are split into parts."""

from dataclasses import dataclass

from takmail.world.events.base import Event
from takmail.world.kinds import GameNumber
from takmail.world.operations import SplitMail
from takmail.world.split_mails import HandledPart, NewPart, WaitingPart
from takmail.world.world import World


@dataclass(frozen=True, slots=True, kw_only=True)
class MailSplit(Event):
    """A mail about several games was split into parts, which are handled like mails of their own.

    `left_out` are the games whose lines are over the limit on parts, and None for words that are for no game.
    """

    mail: int
    parts: tuple[NewPart, ...]
    left_out: tuple[int | None, ...] = ()

    def apply(self, world: World) -> World:
        """Return the world in which the parts are to be stored."""
        return world.with_operation(SplitMail(mail=self.mail, parts=self.parts, left_out=self.left_out))


@dataclass(frozen=True, slots=True, kw_only=True)
class PartsAnswered(Event):
    """The sender of a mail about several games is told what became of its parts.

    * `address` is the sender's, and `thread` are the Message-IDs of the mail's thread, its own one last
    * `handled` are the parts of which no letter has told, and `waiting` those that are not handled yet
    * `left_out` are the games whose lines are over the limit on parts
    * `has_idle_words`: nobody gets some words of the mail, as they are for no game
    * `is_later`: an earlier letter has told of other parts of the mail
    """

    address: str
    thread: tuple[str, ...]
    handled: tuple[HandledPart, ...]
    waiting: tuple[WaitingPart, ...] = ()
    left_out: tuple[GameNumber, ...] = ()
    has_idle_words: bool = False
    is_later: bool = False
