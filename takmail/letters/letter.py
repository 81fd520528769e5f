"""A letter in an outcome: finished bytes, and all that storing it changes."""

from dataclasses import dataclass
from datetime import datetime

from takmail.commands.kinds import LetterPurpose, LetterState
from takmail.commands.records import GameNumber, MessageId
from takmail.games.interface import Seat


@dataclass(frozen=True, slots=True)
class NewLetter:
    """A letter that is to be stored.

    `text` and `html_text` are the readable content of its two parts, to recognise quotes. `game`, `seat` and
    `version` are what it shows of a game. `turn` is the last turn on its board. `told` is the turn that it reports,
    if it reports only that and chat. `answers` is the kind under which budgets count it. `state` and `due_at` are
    whether and when it may be sent. `is_fleeting`: it is purged after sending.

    `brings` are the versions of the chat messages in it. `puts_off`: these also go with any other letter while this
    one waits. `replaces` are waiting chat letters whose messages it takes over.
    """

    message_id: MessageId
    mail_from: str
    mail_to: str
    raw: bytes
    text: str
    html_text: str | None
    answers: LetterPurpose
    state: LetterState
    due_at: datetime
    created_at: datetime
    game: GameNumber | None = None
    seat: Seat | None = None
    version: int | None = None
    turn: int | None = None
    told: int | None = None
    is_fleeting: bool = False
    brings: tuple[int, ...] = ()
    puts_off: bool = False
    replaces: tuple[MessageId, ...] = ()
