"""Keep the letters of one cause that are written so far, and render and count the next one."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Self

from takmail.blocks import Text
from takmail.commands.answers import CauseResult, SeatClaim
from takmail.commands.series import begun_after
from takmail.games.interface import Seat
from takmail.games.readonly import replace
from takmail.letters import budgets
from takmail.letters.letter import NEVER_RENDERED, About, Draft, Letter, Sending, postponed_letters
from takmail.letters.reader import (
    Answering,
    Correspondent,
    Lobby,
    Reader,
    Style,
    style_of,
)
from takmail.letters.rendering import common_values, rendered
from takmail.letters.services import Services
from takmail.mail.tokens import SeatRef, nonce_of
from takmail.world import (
    Game,
    GameNumber,
    LetterPurpose,
    LetterState,
    LetterView,
    Mailbox,
    MessageId,
    Player,
    PlayerId,
    SeenWorld,
    Snapshot,
    Thread,
    World,
    events,
    is_reviewed,
)


@dataclass(frozen=True, slots=True)
class WrittenLetters:
    """The letters of a cause that are written so far, and what the next one of them depends on.

    * `snapshot` is what the cause was decided from, and `result` what the letters describe
    * `writer` wrote the mail that is answered, None if none is
    * `mailboxes` by address and `threads` by game and seat include these letters
    * `delivered_chat` is the version of a game up to which these letters deliver the waiting chat to a seat
    """

    services: Services
    snapshot: Snapshot
    result: CauseResult
    writer: Correspondent | None
    letters: tuple[Letter, ...] = ()
    mailboxes: Mapping[str, Mailbox] = field(default_factory=dict)
    threads: Mapping[tuple[GameNumber, Seat], Thread] = field(default_factory=dict)
    delivered_chat: Mapping[tuple[GameNumber, Seat], int] = field(default_factory=dict)

    @property
    def world(self) -> World:
        """The world after the cause."""
        return self.result.world

    @property
    def now(self) -> datetime:
        """The time of the cause."""
        return self.snapshot.now

    @property
    def claim(self) -> SeatClaim | None:
        """The seat whose thread gets the answer, or None if the answer is not about a game."""
        return self.result.claim

    @property
    def purpose(self) -> LetterPurpose:
        """The kind under which budgets count letters that the mail leads to."""
        return LetterPurpose.SURE if self.writer is None else self.writer.sender.purpose

    @property
    def is_of_part(self) -> bool:
        """Whether the cause is a part of a mail about several games. What ends a game has letters of its own."""
        return self.snapshot.cause.part_of is not None and not self.result.ended

    @property
    def last_for(self) -> str:
        """What `Correspondent.last_for` says, '' if no mail is answered."""
        return "" if self.writer is None else self.writer.last_for

    @property
    def is_stranger(self) -> bool:
        """Whether the mail that is answered is a stranger's (`Sender.is_stranger`)."""
        return self.writer is not None and self.writer.sender.is_stranger

    def has_ended(self, game: GameNumber) -> bool:
        """Return whether this cause ended a game. One that had not begun is declined instead."""
        return game in self.result.ended and self.world.game(game).record.is_over

    def holds_end(self, game: Game) -> bool:
        """Return whether letters that only tell that a game has ended wait for what its review finds."""
        is_last = self.has_ended(game.number) and begun_after(self.world, game) is None
        return bool(self.services.bots.every) and is_last and is_reviewed(game)

    def mailbox(self, address: str) -> Mailbox:
        """Return the mailbox of an address, as it is after the cause.

        If no player owns it after the cause, return it as it was before. If no player owned the address before either,
        return a new mailbox.
        """
        owners = (world.owner(address) for world in (self.world, self.snapshot.world))
        owned = (owner.mailbox(address) for owner in owners if owner is not None)
        return next((mailbox for mailbox in owned if mailbox is not None), Mailbox(address))

    def current_mailbox(self, mailbox: Mailbox) -> Mailbox:
        """Return a mailbox whose budget includes the letters written so far."""
        return self.mailboxes.get(mailbox.address, mailbox)

    @property
    def writing_player(self) -> PlayerId | None:
        """The player who wrote the mail, also one whom it has erased. None if there is none."""
        before = None if self.writer is None else self.writer.sender.player
        player = self.result.player or before
        return None if player is None else player.id

    def style_of(self, player: Player) -> Style:
        """Return how a player wants letters. Who has never written gets an answer in the language of the mail."""
        style, language = style_of(self.services, player), self.result.offers_language
        is_unknown = self.writing_player == player.id and not player.has_written
        return style._replace(language=language) if language and is_unknown else style

    def legible(self, style: Style) -> Style:
        """Return the style of a letter, which has the text, too, if the mail has just chosen HTML alone.

        So whoever reads only text can undo it, even if they have not written the mail.
        """
        is_new = style.view is LetterView.HTML and "view" in events.settings_changed(self.result.happened)
        return style._replace(view=LetterView.BOTH) if is_new else style

    def reader(self, style: Style, kind: str | None, world: SeenWorld, sending: Sending) -> Reader:
        """Return the reader of a letter, who may see the `world`.

        `kind` is the kind of game that the letter is about, None for the default one.
        """
        services = self.services
        return Reader(
            None,
            kind or services.games.default,
            Lobby(services.games, services.access.new_players, services.bots),
            world,
            style.language,
            None if sending.answers is None else Answering(),
        )

    def message_id(self, mailbox: Mailbox, ref: SeatRef | None, sending: Sending, language: str) -> MessageId:
        """Return the Message-ID of the next letter."""
        nonce = nonce_of(self.snapshot.seed, len(self.letters) + 1)
        lesson = f"{language}{sending.lesson}" if sending.lesson else ""
        return MessageId(
            self.services.key.message_id(
                ref, mailbox.address, nonce, mailbox.token_number, asks=sending.asks, lesson=lesson
            )
        )

    def said(self, subject: Text, language: str) -> str:
        """Return a text in a language, such as a Subject."""
        return self.services.templates.words(language).text(subject, common_values(self.services, self.now))

    def with_letter(
        self,
        draft: Draft,
        number: GameNumber | None,
        about: About,
        game: Game | None = None,
        gathered: tuple[About, ...] = (),
    ) -> Self:
        """Return the batch with one more letter, about the game of this number, with its board if `game` is given.

        `about` says what it shows of the game, and `gathered` what a digest shows of several.
        """
        sending = draft.sending
        chat = tuple(words for shown in (about, *gathered) for words in shown.chat)
        mailbox = budgets.without_letters(self.current_mailbox(draft.mailbox), postponed_letters(chat))
        state, due = sending.state_and_due(
            self.services.rates, mailbox, number, self.now, earlier=len(self.letters)
        )
        letter = Letter(
            message_id=draft.message_id,
            mail_from="" if sending.has_null_sender else self.services.address,
            mail_to=mailbox.address,
            content=NEVER_RENDERED if state is LetterState.HELD else rendered(self.services, draft, self.now),
            purpose=sending.purpose,
            budget=sending.budget(draft.mailbox),
            state=state,
            due_at=due,
            created_at=self.now,
            delivery_class=sending.delivery_class(
                draft.mailbox, game, is_proven=self.purpose is LetterPurpose.SURE
            ),
            about=about,
            gathered=gathered,
            replaced=draft.replaced,
            released=draft.released,
            purge_after_send=sending.purge_after_send,
        )
        mailbox = budgets.with_letter(
            mailbox, letter.purpose, number, letter.message_id, self.now, postponed=letter.is_postponed
        )
        mailboxes = {**self.mailboxes, mailbox.address: mailbox}
        return replace(self, letters=(*self.letters, letter), mailboxes=mailboxes)
