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
    `version` are what it shows of a game. `turn` is the last turn on its board. `reported_turn` is the turn that it
    reports,
    if it reports only that and chat. `purpose` is the kind under which budgets count it. `state` and `due_at` are
    whether and when it may be sent. `purge_after_send`: it is purged after sending.

    `chat_versions` are the versions of the chat messages in it. `postpones_chat`: these also go with any other
    letter while this
    one waits. `replaces` are waiting chat letters whose messages it takes over.
    """

    message_id: MessageId
    mail_from: str
    mail_to: str
    raw: bytes
    text: str
    html_text: str | None
    purpose: LetterPurpose
    state: LetterState
    due_at: datetime
    created_at: datetime
    game: GameNumber | None = None
    seat: Seat | None = None
    version: int | None = None
    turn: int | None = None
    reported_turn: int | None = None
    purge_after_send: bool = False
    chat_versions: tuple[int, ...] = ()
    postpones_chat: bool = False
    replaces: tuple[MessageId, ...] = ()
