"""A letter as an outcome holds it: finished bytes, and all that storing it changes."""

from dataclasses import dataclass
from datetime import datetime

from takmail.commands.kinds import LetterPurpose, LetterState
from takmail.commands.records import GameNumber, MessageId
from takmail.games.interface import Seat


@dataclass(frozen=True, slots=True)
class NewLetter:
    """A letter that is to be stored.

    `text` and `html_text` are what both of its sides read as; either may be quoted to us. `game`, `seat` and
    `version` are what it shows of a game; `turn` is the last turn on its board, and `told` the turn that it tells of,
    if it tells of nothing else but words. `answers` is among which letters it counts. `state` and `due_at` say
    whether it may leave, and when. `is_fleeting`: nothing of it is kept once it has left.

    `brings` are the words of its game, by version, that it brings; `puts_off` that they go along with any other
    letter as long as this one waits. `replaces` is a letter of words alone that waits and whose words it brings.
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
