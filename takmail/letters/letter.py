"""Define a letter: how it is sent, what it is rendered from, and what is stored of it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from takmail.blocks import Blocks
from takmail.games.interface import Seat
from takmail.letters import budgets
from takmail.letters.reader import Correspondent, Reader, Style
from takmail.limits.letters import MAX_LETTERS_AT_ONCE, PORTION_PAUSE, WAIT_FOR_THOUGHT, RateLimits
from takmail.mail.tokens import STOP, SeatRef
from takmail.world import (
    UNVERIFIED,
    DeliveryClass,
    Game,
    GameNumber,
    LetterPurpose,
    LetterState,
    Mailbox,
    MessageId,
    StrangerBudget,
    WaitingChat,
)


@dataclass(frozen=True, slots=True)
class Sending:
    """How a letter is sent, and how it counts.

    * `purpose` is the kind under which budgets count it
    * `answers` is whoever wrote the mail that it answers, None if it answers none
    * `asks`: it asks for a `yes`
    * `ends` is what its List-Unsubscribe ends: all mail, reminders alone, or digests
    * `is_urgent`: it is never postponed, and is text only
    * `typed_due_at` is from when it may leave if it goes to an address that a player typed, otherwise None
    * `lesson` is the mark of the lesson that it gives, '' if it gives none
    * `waits_for_thought`: it waits for what a process thinks about, for `WAIT_FOR_THOUGHT` at most. The next letter to
      the same seat takes its place if the game has moved on. Other letters overtake it, but for those about a game
      that is over, which let it leave.
    * `tells_thought`: it tells what was thought about, or the end of the game, in place of a letter that waits
    * `is_withheld`: it is stored, as text only, but never sent
    * `is_piece`: it is a piece of the answer to a mail about several games, and never sent by itself
    * `digest_at` is when the digest leaves that tells what it tells, None if it leaves by itself
    * `purge_after_send`: its content is deleted after sending
    """

    purpose: LetterPurpose = LetterPurpose.NOTHING
    answers: Correspondent | None = None
    asks: bool = False
    ends: str = STOP
    is_urgent: bool = False
    typed_due_at: datetime | None = None
    lesson: str = ""
    waits_for_thought: bool = False
    tells_thought: bool = False
    is_withheld: bool = False
    is_piece: bool = False
    digest_at: datetime | None = None
    purge_after_send: bool = False

    @property
    def has_null_sender(self) -> bool:
        """Whether its envelope sender is empty, so that no bounce arrives.

        If the sender of the mail is unknown, a bounce of the answer would only cause a loop. If nothing of it is kept,
        a bounce could not be matched with a player.
        """
        is_forgotten = self.purge_after_send and self.answers is not None
        return is_forgotten or self.purpose is LetterPurpose.NONSENSE

    def is_to_stranger(self, mailbox: Mailbox) -> bool:
        """Whether it answers a mail that may be forged, and goes to an address from which nobody provably wrote."""
        return self.purpose in UNVERIFIED and mailbox.verified_at is None

    def style(self, wanted: Style, mailbox: Mailbox) -> Style:
        """Return the style of the letter to somebody who has chosen one.

        The owner of the address may never have written, so nobody must make takmail send them much.
        """
        is_text = self.is_urgent or self.is_withheld or self.is_to_stranger(mailbox)
        return wanted.as_text if is_text else wanted

    def delivery_class(self, mailbox: Mailbox, game: Game | None, *, is_proven: bool) -> DeliveryClass:
        """Return the class of a letter about a game. `is_proven`: no mail that may be forged led to it."""
        if self.is_urgent:
            return DeliveryClass.GAMES
        if not is_proven or mailbox.verified_at is None:
            return DeliveryClass.OTHERS
        has_begun = game is not None and game.record.has_begun
        return DeliveryClass.GAMES if has_begun else DeliveryClass.PLAYERS

    def state_and_due(
        self, rates: RateLimits, mailbox: Mailbox, game: GameNumber | None, now: datetime, *, earlier: int
    ) -> tuple[LetterState, datetime]:
        """Return the state of a new letter, and when it may be sent. `earlier` letters of its cause are written.

        A suspended mailbox gets only answers and questions, because a mail from its address caused them, and urgent
        letters.
        """
        if self.is_withheld:
            return LetterState.WITHDRAWN, now
        if self.is_piece:
            return LetterState.PIECE, now
        if self.waits_for_thought:
            # Others that are due overtake it. To the operator it is queued as any other, since what it waits for may be
            # a move that the opponent has prepared.
            return LetterState.QUEUED, now + WAIT_FOR_THOUGHT
        # Who has written gets an invitation at once. The host is told the same as for a stranger's address, so that
        # nobody learns whose it is.
        is_early = mailbox.verified_at is not None and not self.asks
        typed_due_at = None if is_early or mailbox.is_suspended else self.typed_due_at
        if typed_due_at is not None and typed_due_at > now:
            return LetterState.POSTPONED, typed_due_at
        if self.asks or self.is_urgent or self.purpose.is_an_answer:
            return LetterState.QUEUED, now
        if mailbox.is_suspended:
            return LetterState.RESTING, now
        due = budgets.due_later(rates, mailbox, self.purpose, game, now)
        if self.digest_at is not None:
            return LetterState.HELD, due or now
        if due is not None:
            return LetterState.POSTPONED, due
        # The first letters of a cause leave at once, so that it does not use up what a mail server takes in a minute.
        return LetterState.QUEUED, now + earlier // MAX_LETTERS_AT_ONCE * PORTION_PAUSE

    def budget(self, mailbox: Mailbox) -> StrangerBudget | None:
        """Return the budget of letters to strangers in which it counts, or None."""
        if self.typed_due_at is not None:
            return StrangerBudget.INVITATIONS
        return StrangerBudget.ANSWERS if self.is_to_stranger(mailbox) else None


@dataclass(frozen=True, slots=True)
class Draft:
    """A letter before it is rendered.

    * `mailbox` and `name` are its recipient's
    * `make` makes the blocks that it says to its `reader`
    * `ref` is the seat that it goes to, and the last turn on the board, None if it goes to no seat
    * `replaced` is the letter that waits for a thought and that it takes the place of, and `released` the one that
      leaves before it, None if there is none
    * `previous` are the Message-IDs of the earlier mails in its thread, and `own` those of letters to the same seat,
      also before the players swapped their seats
    """

    message_id: MessageId
    mailbox: Mailbox
    name: str
    subject: str
    style: Style
    sending: Sending
    reader: Reader
    make: Callable[[Reader], Blocks]
    ref: SeatRef | None = None
    replaced: MessageId | None = None
    released: MessageId | None = None
    previous: tuple[str, ...] = ()
    own: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Rendered:
    """What a letter looks like.

    * `raw` are its bytes without the pictures, which `drawings` names (`Drawings.as_text`)
    * `text` and `html_text` are the readable content of its two parts, by which quotes of it are recognised
    * `fragment` is the HTML of a piece, '' of any other
    """

    raw: bytes
    text: str
    html_text: str | None = None
    drawings: str = ""
    fragment: str = ""


NEVER_RENDERED = Rendered(b"", "")
"""The content of a letter that waits for a digest: its reader gets that, or another letter about the game."""


@dataclass(frozen=True, slots=True)
class About:
    """The game that a letter is about, and what it shows of it. All is None if it is about none.

    * `seat` and `version`: it shows the game at this version to the player in this seat
    * `turn` is the number of the last turn on its board
    * `reported_turn` is the number of the turn that it reports, or None if it reports anything else except chat
    * `chat` is the waiting chat that it delivers
    * `digest_at` is as in `Sending`
    """

    game: GameNumber | None = None
    seat: Seat | None = None
    version: int | None = None
    turn: int | None = None
    reported_turn: int | None = None
    chat: tuple[WaitingChat, ...] = ()
    digest_at: datetime | None = None

    @property
    def chat_versions(self) -> tuple[int, ...]:
        """The versions of the chat messages in it."""
        return tuple(words.version for words in self.chat)


@dataclass(frozen=True, slots=True)
class Letter:
    """A finished letter that is to be stored.

    * `purpose`, `budget` and `purge_after_send` are as in `Sending`
    * `state` says whether it may be sent, and `due_at` from when. Of due letters, those of the first
      `delivery_class` are sent first.
    * `gathered` are the games that it is about if it is a digest
    * `replaced` and `released` are as in `Draft`
    """

    message_id: MessageId
    mail_from: str
    mail_to: str
    content: Rendered
    purpose: LetterPurpose
    state: LetterState
    due_at: datetime
    created_at: datetime
    about: About = About()
    gathered: tuple[About, ...] = ()
    purge_after_send: bool = False
    replaced: MessageId | None = None
    released: MessageId | None = None
    delivery_class: DeliveryClass = DeliveryClass.GAMES
    budget: StrangerBudget | None = None

    @property
    def waits_for_thought(self) -> bool:
        """Whether it waits for what a process thinks about."""
        return self.state is LetterState.QUEUED and self.due_at == self.created_at + WAIT_FOR_THOUGHT

    @property
    def is_postponed(self) -> bool:
        """Whether it is not sent before it is due."""
        return self.state is LetterState.POSTPONED

    @property
    def is_piece(self) -> bool:
        """Whether it is a piece of the answer to a mail about several games."""
        return self.state is LetterState.PIECE

    @property
    def is_held(self) -> bool:
        """Whether a digest or another letter will tell what it tells."""
        return self.state is LetterState.HELD

    @property
    def postpones_chat(self) -> bool:
        """Whether an earlier letter to the seat takes over its chat: it is held, or postponed and only of chat."""
        return self.is_held or (self.is_postponed and self.purpose is LetterPurpose.CHAT)

    @property
    def shown(self) -> tuple[About, ...]:
        """The games that it shows."""
        return (self.about, *self.gathered)

    @property
    def replaces(self) -> tuple[MessageId, ...]:
        """The letters that are not sent, as it takes their place: chat letters, and one that waits for a thought."""
        chat = tuple(words for about in self.shown for words in about.chat)
        return (*postponed_letters(chat), *([] if self.replaced is None else [self.replaced]))


def postponed_letters(chat: tuple[WaitingChat, ...]) -> tuple[MessageId, ...]:
    """Return the postponed chat letters that contain these messages. Another letter now delivers them."""
    return tuple(dict.fromkeys(words.letter for words in chat if words.letter is not None))
