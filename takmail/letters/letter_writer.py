"""Write letters: word them, put them into threads, and build their bytes and the data that is stored with them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from takmail.blocks import Blocks, Message, message
from takmail.commands.grammar.names import first_name
from takmail.commands.view import View, look
from takmail.games.interface import Seat
from takmail.letters import budgets
from takmail.letters.draft import (
    Correspondent,
    Draft,
    budget_of,
    links_of,
    postponed_letters,
    purpose_of_news,
    record_of,
    words_for,
)
from takmail.letters.drawings import Attached, Drawings, animation_of
from takmail.letters.kinds.invitations import subject_of_invitation
from takmail.letters.letter import NewLetter
from takmail.letters.reader import GameLetter, Reader
from takmail.letters.rendering import rendered_letter
from takmail.letters.services import Services
from takmail.letters.style import Style, style_of
from takmail.letters.thread_headers import thread_headers_for
from takmail.limits.letters import MAX_LETTERS_AT_ONCE, PORTION_PAUSE
from takmail.mail.letter import Letter
from takmail.mail.quotes.own_letters import page_text
from takmail.mail.tokens import FIRST_RENEWED, SeatRef, nonce_of
from takmail.world import (
    BEGUN,
    DeliveryClass,
    GameNumber,
    LetterPurpose,
    LetterState,
    LetterView,
    Mailbox,
    Match,
    MessageId,
    Table,
    Thread,
    WaitingChat,
    World,
)


@dataclass(frozen=True, slots=True)
class LetterWriter:
    """The letters of one outcome that are written so far. Each writing method returns a new writer with one more.

    * `is_proven`: no mail that may be forged is the cause
    * `mailboxes` by address and `threads` by game and seat include these letters
    * `delivered_chat` is the version of a game up to which these letters deliver the waiting chat to a seat
    """

    services: Services
    world: World
    now: datetime
    seed: bytes
    is_proven: bool = True
    letters: tuple[NewLetter, ...] = ()
    mailboxes: Mapping[str, Mailbox] = field(default_factory=dict)
    threads: Mapping[tuple[GameNumber, Seat], Thread] = field(default_factory=dict)
    delivered_chat: Mapping[tuple[GameNumber, Seat], int] = field(default_factory=dict)

    @property
    def newest(self) -> MessageId:
        """The Message-ID of the last letter."""
        return self.letters[-1].message_id

    def current_mailbox(self, mailbox: Mailbox) -> Mailbox:
        """Return a mailbox whose budget includes the letters written so far."""
        return self.mailboxes.get(mailbox.address, mailbox)

    def reader(self, language: str, view: View | None = None, kind: str | None = None) -> Reader:
        """Return the reader of a letter. `kind` is the kind of game that it is about, None for the default one."""
        services = self.services
        return Reader(
            view,
            kind or services.games.default,
            services.games,
            services.new_players,
            self.world,
            language=language,
        )

    def in_game(
        self,
        make: Callable[[GameLetter], Blocks],
        table: Table,
        seat: Seat,
        *,
        has_board: bool = True,
        writer: Correspondent | None = None,
        counts_as: LetterPurpose | None = None,
        is_answer: bool = False,
        asks: bool = False,
        typed_due_at: datetime | None = None,
        is_withheld: bool = False,
        reported_turn: int | None = None,
        with_record: bool = False,
        has_ended: bool = False,
        chat: tuple[WaitingChat, ...] = (),
        heard: tuple[str, ...] = (),
        match: Match | None = None,
    ) -> "LetterWriter":
        """Write a letter about a game to the player in `seat`. `make` makes its blocks.

        Without a board (`has_board`), its reader has no view of the game. Otherwise CorruptGame is raised if it is
        corrupt.

        `counts_as` is the kind under which budgets count the letter, or None for the usual kind (`purpose_of_news`).
        `is_withheld`: the letter is stored, as text only, but never sent. `with_record`: the game's record is attached.
        `has_ended`: it shows the end of the game, with its animation. The others are as in `NewLetter` and `Draft`.
        """
        player, key = table.players[seat], self.services.key
        view = look(table, seat) if has_board else None
        number = table.record.token_numbers[seat]
        tag, token = key.subject_tag(table.number, seat, number), key.token(table.number, seat, number)
        thread = self.threads.get((table.number, seat), table.threads[seat])
        for postponed in postponed_letters(chat):
            thread = thread.without(postponed)
        style = style_of(self.services, player)
        if is_withheld:
            style = style.as_text
        # A reader who wants text only gets no attachment, as the mail would then have several parts.
        is_text = style.view is LetterView.TEXT
        record = () if is_text or view is None or not with_record else record_of(table, view)
        animation = None if is_text or not has_ended else animation_of(table, f"takmail-{table.number}.gif")
        ref = SeatRef(table.number, seat, table.turns[-1].number if table.turns else 0, number)
        reader = self.reader(style.language, view, table.record.kind)
        subject = f"{tag} {self._subject(table, reader)}"
        message_id = self._message_id(player.main_mailbox, ref, asks=asks)
        links = links_of(self.services, message_id, ref, subject, style.language)
        reader = replace(
            reader,
            links=links,
            has_ended=has_ended,
            opponent_left=table.players[seat.other].is_erased,
        )
        letter = GameLetter(
            reader,
            heard,
            match,
            Attached(record[0].name if record else None, animation),
            was_read=number == FIRST_RENEWED and f"<{token}." not in (thread.last or ""),
        )
        draft = Draft(
            message_id=message_id,
            blocks=make(letter),
            links=links,
            name=player.name,
            subject=subject,
            mailbox=player.main_mailbox,
            style=style,
            purpose=counts_as or purpose_of_news(table.record),
            is_answer=is_answer,
            game=table.record.kind,
            opponent=table.players[seat.other].name if view is None else view.opponent,
            previous=(*thread.ids, *(writer.thread if writer and is_answer else ())),
            asks=asks,
            typed_due_at=typed_due_at,
            is_withheld=is_withheld,
            ref=ref,
            version=table.record.version,
            reported_turn=reported_turn,
            attachments=record,
            animation=animation,
            chat=chat,
        )
        return self._with_letter(draft, thread)

    def with_waiting_chat(
        self,
        make: Callable[[GameLetter], Blocks],
        table: Table,
        seat: Seat,
        *,
        has_ended: bool,
        match: Match | None,
        writer: Correspondent | None = None,
        counts_as: LetterPurpose | None = None,
        is_answer: bool = False,
        asks: bool = False,
        is_withheld: bool = False,
        reported_turn: int | None = None,
        with_record: bool = False,
        by: int | None = None,
    ) -> "LetterWriter":
        """Write a letter about a game with the opponent's waiting chat, up to version `by` of the game if it is given.

        Before the game begins, its guest gets no chat but with the invitation. If the game has ended, the letter also
        has its record, an animation and the score of the `match`. `match` must be seen from the first seat. The other
        parameters are those of `in_game`.
        """
        place = (table.number, seat)
        since, until = self.delivered_chat.get(place, -1), table.record.version if by is None else by
        is_heard = table.record.standing in BEGUN or table.players[seat].id == table.record.invited_by
        waiting = tuple(one for one in words_for(table, seat) if is_heard and since < one.version <= until)
        seen = match if seat == Seat.FIRST or match is None else match.turned()
        letters = self.in_game(
            make,
            table,
            seat,
            has_board=True,
            writer=writer,
            counts_as=counts_as,
            is_answer=is_answer,
            asks=asks,
            is_withheld=is_withheld,
            reported_turn=reported_turn,
            with_record=with_record or (has_ended and bool(table.turns)),
            chat=waiting,
            typed_due_at=None,
            heard=tuple(one.words for one in waiting),
            has_ended=has_ended,
            match=seen if has_ended else None,
        )
        return replace(letters, delivered_chat={**letters.delivered_chat, place: until})

    def outside_games(
        self,
        subject: Message,
        make: Callable[[Reader], Blocks],
        mailbox: Mailbox,
        style: Style,
        *,
        writer: Correspondent | None = None,
        name: str = "",
        answers: LetterPurpose = LetterPurpose.NOTHING,
        is_answer: bool = False,
        asks: bool = False,
        about: GameNumber | None = None,
        is_urgent: bool = False,
        typed_due_at: datetime | None = None,
        purge_after_send: bool = False,
        has_null_sender: bool = False,
    ) -> "LetterWriter":
        """Write a letter to the owner of a mailbox and to no seat. `make` makes its blocks.

        `about` is the game that it concerns, if any.
        """
        game = (writer and writer.game) or self.services.games.default
        said = self._said(subject, style.language)
        message_id = self._message_id(mailbox, None, asks=asks)
        links = links_of(self.services, message_id, None, said, style.language)
        draft = Draft(
            message_id=message_id,
            blocks=make(replace(self.reader(style.language, kind=game), links=links)),
            links=links,
            name=name,
            subject=said,
            mailbox=mailbox,
            style=style.as_text if is_urgent else style,
            purpose=answers,
            is_answer=is_answer,
            game=game,
            previous=writer.thread if writer and is_answer else (),
            asks=asks,
            about=about,
            is_urgent=is_urgent,
            typed_due_at=typed_due_at,
            purge_after_send=purge_after_send,
            has_null_sender=has_null_sender,
        )
        return self._with_letter(draft)

    def _subject(self, table: Table, reader: Reader) -> str:
        """Return the subject of a letter about a game. It stays the same from the acceptance on.

        Before that, the guest reads who asks, and the host the name by which the guest is known. Somebody who has never
        played gets no more of the host's name than its first word, as the host chooses the name.
        """
        view = reader.view
        if view is None:
            return table.record.subject
        if view.is_guest and table.record.is_invitation:
            has_played = table.players[view.you].begun_games
            host = view.opponent if has_played else first_name(view.opponent)
            return self._said(subject_of_invitation(view, reader.wording, host), reader.language)
        if view.knows_opponent:
            return table.record.subject
        first, second = view.names
        subject = message("subject_of_game", first=first, second=second, title=table.title)
        return self._said(subject, reader.language)

    def _message_id(self, mailbox: Mailbox, ref: SeatRef | None, *, asks: bool) -> MessageId:
        """Return the Message-ID of the next letter."""
        nonce = nonce_of(self.seed, len(self.letters) + 1)
        made = self.services.key.message_id(ref, mailbox.address, nonce, mailbox.token_number, asks=asks)
        return MessageId(made)

    def _said(self, subject: Message, language: str) -> str:
        return self.services.templates.words(language).text(subject, self._common(""))

    def _common(self, opponent: str) -> dict[str, object]:
        """Return the parameters that all messages of a letter have."""
        return {"service": self.services.name, "address": self.services.address, "opponent": opponent}

    def _with_letter(self, draft: Draft, thread: Thread | None = None) -> "LetterWriter":
        """Return the writer with one more letter. `thread` is the thread of the letter's seat, to which it is added."""
        if draft.is_to_stranger:
            # The owner of the address may never have written, so nobody must make takmail send them much.
            draft = replace(draft, style=draft.style.as_text, previous=draft.previous[-1:])
        services, to, number = self.services, draft.mailbox.address, draft.mailbox.token_number
        message_id = draft.message_id
        both = rendered_letter(
            services,
            draft.blocks,
            draft.style,
            self._common(draft.opponent),
            draft.links,
            draft.subject,
        )
        letter = Letter(
            to=to,
            to_name=draft.name,
            subject=draft.subject,
            language=draft.style.language,
            text=None if draft.style.view is LetterView.HTML and both.html else both.text,
            message_id=message_id,
            date=self.now,
            is_reply=draft.is_answer,
            html=both.html,
            has_pictures=bool(both.pictures),
            has_animation=draft.animation is not None,
            attachments=draft.attachments,
            **thread_headers_for(
                services, to, number, draft.ref, draft.previous, () if thread is None else thread.ids
            ),
        )
        if draft.asks and draft.ref is None:
            # Some mail programs keep only the reply address, and a `yes` counts only if it names the letter.
            letter = replace(letter, reply_to=services.key.letter_address(message_id))
        replaces = postponed_letters(draft.chat)
        mailbox = budgets.without_letters(self.current_mailbox(draft.mailbox), replaces)
        game = draft.about if draft.ref is None else GameNumber(draft.ref.game)
        state, due = self._state_and_due(draft, mailbox, game)
        is_postponed = state is LetterState.POSTPONED
        new = NewLetter(
            message_id=message_id,
            # The sender of such a mail is unknown, so a bounce of the answer would only cause a loop.
            mail_from=""
            if draft.has_null_sender or draft.purpose is LetterPurpose.NONSENSE
            else services.address,
            mail_to=to,
            raw=letter.as_bytes(),
            drawings=Drawings(draft.game, both.pictures, draft.animation).as_text(),
            text=both.text,
            html_text=None if both.html is None else page_text(both.html),
            purpose=draft.purpose,
            state=state,
            due_at=due,
            created_at=self.now,
            delivery_class=self._class_of(draft),
            budget=budget_of(draft),
            game=game,
            seat=None if draft.ref is None else draft.ref.seat,
            version=draft.version,
            turn=None if draft.ref is None else draft.ref.turn,
            reported_turn=draft.reported_turn,
            purge_after_send=draft.purge_after_send,
            chat_versions=tuple(one.version for one in draft.chat),
            postpones_chat=is_postponed and draft.purpose is LetterPurpose.CHAT,
            replaces=replaces,
        )
        mailbox = budgets.with_letter(
            mailbox, draft.purpose, game, message_id, self.now, postponed=is_postponed
        )
        threads = self.threads
        if new.game is not None and new.seat is not None and thread is not None:
            threads = {**threads, (new.game, new.seat): thread.with_letter(message_id)}
        return replace(
            self, letters=(*self.letters, new), mailboxes={**self.mailboxes, to: mailbox}, threads=threads
        )

    def _class_of(self, draft: Draft) -> DeliveryClass:
        if draft.is_urgent:
            return DeliveryClass.GAMES
        if not self.is_proven or draft.mailbox.verified_at is None:
            return DeliveryClass.OTHERS
        game = None if draft.ref is None else self.world.games[GameNumber(draft.ref.game)]
        has_begun = game is not None and game.record.standing in BEGUN
        return DeliveryClass.GAMES if has_begun else DeliveryClass.PLAYERS

    def _state_and_due(
        self, draft: Draft, mailbox: Mailbox, game: GameNumber | None
    ) -> tuple[LetterState, datetime]:
        """Return the state of a new letter, and when it may be sent.

        A suspended mailbox gets only answers and questions, because a mail from its address caused them, and urgent
        letters.
        """
        if draft.is_withheld:
            return LetterState.WITHDRAWN, self.now
        if draft.typed_due_at is not None and draft.typed_due_at > self.now and not mailbox.is_suspended:
            return LetterState.POSTPONED, draft.typed_due_at
        if draft.asks or draft.is_urgent or draft.purpose.is_an_answer:
            return LetterState.QUEUED, self.now
        if mailbox.is_suspended:
            return LetterState.RESTING, self.now
        due = budgets.due_later(self.services.rates, mailbox, draft.purpose, game, self.now)
        if due is not None:
            return LetterState.POSTPONED, due
        # The first letters of a cause leave at once, so that it does not use up what a mail server takes in a minute.
        return LetterState.QUEUED, self.now + len(self.letters) // MAX_LETTERS_AT_ONCE * PORTION_PAUSE
