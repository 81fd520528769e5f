"""Define a letter in an outcome: its bytes, and the data that is stored with it."""

from dataclasses import dataclass
from datetime import datetime

from takmail.games.interface import Seat
from takmail.world import DeliveryClass, GameNumber, LetterPurpose, LetterState, MessageId, StrangerBudget


@dataclass(frozen=True, slots=True)
class NewLetter:
    """A finished letter that is to be stored.

    * `raw` are its bytes without the pictures, which `drawings` names (`Drawings.as_text`)
    * `text` and `html_text` are the readable content of its two parts, by which quotes of it are recognised
    * `purpose` is the kind under which budgets count it
    * `budget` is the budget of letters to strangers in which it counts, or None
    * `state` says whether it may be sent, and `due_at` from when. Of due letters, those of the first
      `delivery_class` are sent first.
    * `game`, `seat` and `version`: it shows the game at this version to the player in this seat
    * `turn` is the number of the last turn on its board
    * `reported_turn` is the number of the turn that it reports, or None if it reports anything else except chat
    * `purge_after_send`: its content is deleted after sending
    * `chat_versions` are the versions of the chat messages in it
    * `postpones_chat`: it is a postponed chat letter, so any earlier letter to the seat takes over its messages
    * `replaces` are the waiting chat letters whose messages it takes over
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
    drawings: str = ""
    delivery_class: DeliveryClass = DeliveryClass.GAMES
    budget: StrangerBudget | None = None
