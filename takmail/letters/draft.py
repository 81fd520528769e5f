"""Define what a letter is made from, before it is written."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from takmail.blocks import Blocks, message
from takmail.commands.result import Sender
from takmail.commands.view import View
from takmail.games.interface import Seat
from takmail.letters.drawings import Animation
from takmail.letters.mailto_links import MailtoLinks, mailto_links
from takmail.letters.services import Services
from takmail.letters.style import Style
from takmail.mail.letter_body import Attachment
from takmail.mail.message import UnreadableReason
from takmail.mail.tokens import SeatRef
from takmail.world import (
    BEGUN,
    UNVERIFIED,
    GameNumber,
    GameRecord,
    LetterPurpose,
    Mailbox,
    MessageId,
    StrangerBudget,
    Table,
    WaitingChat,
)


@dataclass(frozen=True, slots=True)
class Correspondent:
    """Whoever gets the answer to a mail, and what its letters take from the mail.

    * `mailbox` gets the answer. It is in its state after the mail.
    * `name` is empty if it is not verified
    * `style` is how they want their letters
    * `thread` are the Message-IDs of the mail's thread. The mail's own one is the last.
    * `unreadable` is the reason why the mail's text was not read, or None
    * `last_for` is "hour" or "day" if the answer is the last one allowed within that time, otherwise ''
    * `game` is the kind of game that the mail is about, or None for the default one
    * `needs_new_token`: others have read the current token of the seat in the answer's thread
    """

    sender: Sender
    mailbox: Mailbox
    name: str
    style: Style
    thread: tuple[str, ...] = ()
    unreadable: UnreadableReason | None = None
    last_for: str = ""
    game: str | None = None
    needs_new_token: bool = False


@dataclass(frozen=True, slots=True)
class Draft:
    """A letter before it is rendered.

    * `message_id` is its Message-ID, and `links` are the links in it
    * `blocks` are what it says, and `game` is the kind of game
    * `opponent` is the name that its messages give the reader's opponent, '' if it is about no game
    * `name` and `mailbox` are its recipient's. The mailbox decides whether the letter may be sent.
    * `style` is its format and its language
    * `is_answer`: it answers a mail of its recipient
    * `previous` are the Message-IDs of the earlier mails in its thread
    * `asks`: it asks for a `yes`
    * `is_urgent`: it is never postponed
    * `typed_due_at` is from when it may leave if it goes to an address that a player typed, otherwise None
    * `is_withheld`: it is stored, but never sent
    * `has_null_sender`: its envelope sender is empty, so that no bounce arrives
    * `ref` is the seat and the last turn on the board, and `version` is the version of the game that it shows
    * `about` is the game that a letter to nobody of it concerns
    * `chat` is the waiting chat that it delivers

    The other fields are those of `NewLetter`.
    """

    message_id: MessageId
    blocks: Blocks
    links: MailtoLinks
    name: str
    subject: str
    mailbox: Mailbox
    style: Style
    purpose: LetterPurpose
    is_answer: bool
    game: str
    opponent: str = ""
    previous: tuple[str, ...] = ()
    asks: bool = False
    is_urgent: bool = False
    typed_due_at: datetime | None = None
    is_withheld: bool = False
    has_null_sender: bool = False
    purge_after_send: bool = False
    ref: SeatRef | None = None
    about: GameNumber | None = None
    version: int | None = None
    reported_turn: int | None = None
    attachments: tuple[Attachment, ...] = ()
    animation: Animation | None = None
    chat: tuple[WaitingChat, ...] = ()

    @property
    def is_to_stranger(self) -> bool:
        """Whether it answers a mail that may be forged, and goes to an address from which nobody provably wrote."""
        return self.purpose in UNVERIFIED and self.mailbox.verified_at is None


def budget_of(draft: Draft) -> StrangerBudget | None:
    """Return the budget of letters to strangers in which a letter counts, or None."""
    if draft.typed_due_at is not None:
        return StrangerBudget.INVITATIONS
    return StrangerBudget.ANSWERS if draft.is_to_stranger else None


def purpose_of_news(record: GameRecord) -> LetterPurpose:
    """Return the kind under which budgets count a letter about a game that answers no mail."""
    return LetterPurpose.NEWS if record.standing in BEGUN else LetterPurpose.NOTHING


def words_for(table: Table, reader: Seat) -> tuple[WaitingChat, ...]:
    """Return the opponent's chat that the player in a seat has not received, and may receive now, oldest first."""
    waiting = (one for one in table.waiting_chat if one.seat == reader.other and not table.record.seals_words)
    return tuple(sorted(waiting, key=lambda one: one.version))


def postponed_letters(words: Iterable[WaitingChat]) -> tuple[MessageId, ...]:
    """Return the postponed chat letters that contain these words. Another letter now delivers the words."""
    return tuple(dict.fromkeys(one.letter for one in words if one.letter is not None))


def links_of(
    services: Services, message_id: str, ref: SeatRef | None, subject: str, language: str
) -> MailtoLinks:
    """Return the `mailto:` links of a letter. A mail that one of them opens is an answer to the letter."""
    address = services.key.letter_address(message_id)
    keep_one = services.templates.said(message("keep_one_line"), language)
    if ref is None:
        return mailto_links(address, f"Re: {subject}", 0, keep_one)
    return mailto_links(address, services.key.letter_tag(message_id), (ref.turn or 0) + 1, keep_one)


def record_of(table: Table, view: View) -> tuple[Attachment, ...]:
    """Return the game's record as an attached plain text file, which every program can open."""
    record = view.record or table.game_record(view.you)
    return (Attachment(f"takmail-{view.number}.{table.rules.file_ending}", "plain", record),)
