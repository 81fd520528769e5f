"""Write letters: word them, put them into threads, and decide when they leave."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Self

from takmail.blocks import Blocks, Message, Text, message
from takmail.commands.clocks import announced_until
from takmail.commands.grammar.names import first_name
from takmail.commands.services import A_FRIEND
from takmail.commands.view import View, look
from takmail.games.interface import Seat
from takmail.letters import budgets
from takmail.letters.drawings import animation_of
from takmail.letters.letter import Draft, Letter, Sending, postponed_letters
from takmail.letters.reader import Reader, Style, style_of
from takmail.letters.rendering import common_values, links_of, rendered
from takmail.letters.services import Services
from takmail.limits.letters import HELD_FOR, MAX_LETTERS_AT_ONCE, PORTION_PAUSE
from takmail.mail.letter_body import Attachment
from takmail.mail.tokens import FIRST_RENEWED, SeatRef, nonce_of
from takmail.world import (
    BEGUN,
    DeliveryClass,
    GameNumber,
    LetterState,
    LetterView,
    Mailbox,
    Match,
    MessageId,
    Standing,
    Table,
    Thread,
    WaitingChat,
    World,
)

_PLAIN = Sending()


@dataclass(frozen=True, slots=True)
class LetterWriter:
    """The letters of one outcome that are written so far. Each writing method returns a new writer with one more.

    * `before` is the world before their cause, and `world` the one after it
    * `is_proven`: no mail that may be forged is the cause
    * `mailboxes` by address and `threads` by game and seat include these letters
    * `delivered_chat` is the version of a game up to which these letters deliver the waiting chat to a seat
    """

    services: Services
    before: World
    world: World
    now: datetime
    seed: bytes
    is_proven: bool = True
    letters: tuple[Letter, ...] = ()
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

    def in_game(
        self,
        make: Callable[[Reader], Blocks],
        table: Table,
        seat: Seat,
        sending: Sending = _PLAIN,
        *,
        chat: tuple[WaitingChat, ...] = (),
        has_board: bool = True,
        with_record: bool = False,
        record: str = "",
        has_ended: bool = False,
        match: Match | None = None,
        reported_turn: int | None = None,
    ) -> Self:
        """Write a letter about a game to the player in `seat`. `make` makes its blocks.

        Who has no address gets none. Without a board (`has_board`), its reader has no view of the game. Otherwise
        CorruptGame is raised if it is corrupt. `with_record`: the game's record is attached, and so is a `record` that
        is given. `has_ended`: it shows the end of the game, with its animation, and how the `match` stands then. `chat`
        and `reported_turn` are as in `Letter`.
        """
        player, number = table.players[seat], table.record.token_numbers[seat]
        if not player.mailboxes:
            return self
        mailbox, known = player.main_mailbox, self.threads.get((table.number, seat), table.threads[seat])
        replaced = known.held if has_ended or self._has_moved_on(table) else None
        thread = _without_letters(known, (*postponed_letters(chat), replaced))
        ref = SeatRef(table.number, seat, table.turns[-1].number if table.turns else 0, number)
        message_id = self._message_id(mailbox, ref, asks=sending.asks)
        style = sending.style(style_of(self.services, player), mailbox)
        view = look(table, seat, now=self.now) if has_board else None
        # A reader who wants text only gets no attachment, as the mail would then have several parts.
        attaches = style.view is not LetterView.TEXT
        token = self.services.key.token(table.number, seat, number)
        reader = replace(
            self._reader(style, table.record.kind),
            view=view,
            opponent=table.players[seat.other].name if view is None else view.opponent,
            opponent_left=table.players[seat.other].is_erased,
            heard=tuple(one.words for one in chat),
            has_ended=has_ended,
            match=match,
            record_file=_record_of(table, view, record)
            if attaches and (with_record or record) and view is not None
            else None,
            animation=animation_of(table, f"takmail-{table.number}.gif") if attaches and has_ended else None,
            was_read=number == FIRST_RENEWED and f"<{token}." not in (thread.last or ""),
            plays_bot=table.players[seat.other].is_bot,
            replaces_held=replaced is not None,
        )
        reader = replace(reader, opponent_away=self._opponent_away(table, seat, thread, reader))
        tag = self.services.key.subject_tag(table.number, seat, number)
        subject = f"{tag} {self._said(subject_of(table, reader), style.language)}"
        reader = replace(reader, links=links_of(self.services, message_id, ref, subject, style.language))
        answered = () if sending.answers is None else sending.answers.thread
        draft = Draft(
            message_id,
            mailbox,
            player.name,
            subject,
            style,
            reader,
            make(reader),
            ref,
            replaced,
            known.held if replaced is None else None,
            previous=(*thread.ids, *answered),
            own=thread.ids,
        )
        letters = self._with_letter(
            draft, sending, table.number, table=table, chat=chat, reported_turn=reported_turn
        )
        threads = {**self.threads, (table.number, seat): thread.with_letter(message_id)}
        return replace(letters, threads=threads)

    def with_waiting_chat(
        self,
        make: Callable[[Reader], Blocks],
        table: Table,
        seat: Seat,
        sending: Sending,
        *,
        has_ended: bool,
        match: Match | None,
        with_record: bool = False,
        reported_turn: int | None = None,
        by: int | None = None,
    ) -> Self:
        """Write a letter about a game with the opponent's waiting chat, up to version `by` of the game if it is given.

        Before the game begins, its guest gets no chat but with the invitation. If the game has ended, the letter also
        has its record, an animation and the score of the `match`. `match` must be seen from the first seat. The other
        parameters are those of `in_game`.
        """
        place = (table.number, seat)
        since, until = self.delivered_chat.get(place, -1), table.record.version if by is None else by
        is_heard = table.record.standing in BEGUN or table.players[seat].id == table.record.invited_by
        waiting = table.chat_for(seat) if is_heard else ()
        seen = match if seat == Seat.FIRST or match is None else match.turned()
        letters = self.in_game(
            make,
            table,
            seat,
            sending,
            chat=tuple(one for one in waiting if since < one.version <= until),
            with_record=with_record or (has_ended and bool(table.turns)),
            has_ended=has_ended,
            match=seen if has_ended else None,
            reported_turn=reported_turn,
        )
        return replace(letters, delivered_chat={**letters.delivered_chat, place: until})

    def outside_games(
        self,
        subject: Message,
        make: Callable[[Reader], Blocks],
        mailbox: Mailbox,
        wanted: Style,
        sending: Sending,
        *,
        about: GameNumber | None = None,
    ) -> Self:
        """Write a letter to the owner of a mailbox, who has chosen a style, and to no seat. `make` makes its blocks.

        `about` is the game that it concerns, if any.
        """
        writer, style = sending.answers, sending.style(wanted, mailbox)
        said = self._said(subject, style.language)
        message_id = self._message_id(
            mailbox,
            None,
            asks=sending.asks,
            lesson=f"{style.language}{sending.lesson}" if sending.lesson else "",
        )
        links = links_of(
            self.services, message_id, None, said, style.language, is_for_others=bool(sending.lesson)
        )
        reader = replace(self._reader(style, None if writer is None else writer.game), links=links)
        draft = Draft(
            message_id,
            mailbox,
            "" if writer is None else writer.name,
            said,
            style,
            reader,
            make(reader),
            previous=() if writer is None else writer.thread,
        )
        return self._with_letter(draft, sending, about)

    def _reader(self, style: Style, kind: str | None) -> Reader:
        """Return the reader of a letter. `kind` is the kind of game that it is about, None for the default one."""
        services = self.services
        return Reader(
            None,
            kind or services.games.default,
            services.games,
            services.new_players,
            bool(services.bots.every),
            self.world,
            style.language,
        )

    def _opponent_away(self, table: Table, seat: Seat, thread: Thread, reader: Reader) -> date | None:
        """Return until when the opponent is away, None if they are not, or if one of the last letters has said so."""
        if table.record.standing is not Standing.OPEN:
            return None
        until = announced_until(table.players[seat.other], self.now)
        absence = message("opponent_is_away", opponent=reader.opponent, until=until)
        said = "" if until is None else "".join(self._said(absence, reader.language).split())
        return None if any(said in "".join(text.split()) for text, _ in thread.texts) else until

    def _has_moved_on(self, table: Table) -> bool:
        """Return whether the cause has changed the turns of a game, or ended it.

        Then a letter about it takes the place of one that is held. Any other letter tells something else.
        """
        known = self.before.games.get(table.number)
        return (known is not None and known.turns != table.turns) or self.world.has_ended_since(
            self.before, table.number
        )

    def _message_id(
        self, mailbox: Mailbox, ref: SeatRef | None, *, asks: bool, lesson: str = ""
    ) -> MessageId:
        """Return the Message-ID of the next letter."""
        nonce = nonce_of(self.seed, len(self.letters) + 1)
        made = self.services.key.message_id(
            ref, mailbox.address, nonce, mailbox.token_number, asks=asks, lesson=lesson
        )
        return MessageId(made)

    def _said(self, subject: Text, language: str) -> str:
        return self.services.templates.words(language).text(subject, common_values(self.services, self.now))

    def _with_letter(
        self,
        draft: Draft,
        sending: Sending,
        game: GameNumber | None,
        *,
        table: Table | None = None,
        chat: tuple[WaitingChat, ...] = (),
        reported_turn: int | None = None,
    ) -> Self:
        """Return the writer with one more letter, about a game, and with the board of the `table` if that is given."""
        made = rendered(self.services, draft, sending, self.now)
        mailbox = budgets.without_letters(self.current_mailbox(draft.mailbox), postponed_letters(chat))
        state, due = self._state_and_due(sending, mailbox, game)
        letter = Letter(
            message_id=draft.message_id,
            mail_from="" if sending.has_null_sender else self.services.address,
            mail_to=mailbox.address,
            raw=made.raw,
            text=made.text,
            html_text=made.html_text,
            drawings=made.drawings,
            purpose=sending.purpose,
            budget=sending.budget(draft.mailbox),
            state=state,
            due_at=due,
            created_at=self.now,
            delivery_class=self._class_of(sending, draft.mailbox, table),
            game=game,
            seat=None if draft.ref is None else draft.ref.seat,
            turn=None if draft.ref is None else draft.ref.turn,
            version=None if table is None else table.record.version,
            reported_turn=reported_turn,
            chat=chat,
            replaced=draft.replaced,
            released=draft.released,
            purge_after_send=sending.purge_after_send,
        )
        mailbox = budgets.with_letter(
            mailbox, letter.purpose, game, letter.message_id, self.now, postponed=letter.is_postponed
        )
        mailboxes = {**self.mailboxes, mailbox.address: mailbox}
        return replace(self, letters=(*self.letters, letter), mailboxes=mailboxes)

    def _class_of(self, sending: Sending, mailbox: Mailbox, table: Table | None) -> DeliveryClass:
        if sending.is_urgent:
            return DeliveryClass.GAMES
        if not self.is_proven or mailbox.verified_at is None:
            return DeliveryClass.OTHERS
        has_begun = table is not None and table.record.standing in BEGUN
        return DeliveryClass.GAMES if has_begun else DeliveryClass.PLAYERS

    def _state_and_due(
        self, sending: Sending, mailbox: Mailbox, game: GameNumber | None
    ) -> tuple[LetterState, datetime]:
        """Return the state of a new letter, and when it may be sent.

        A suspended mailbox gets only answers and questions, because a mail from its address caused them, and urgent
        letters.
        """
        typed_due_at = sending.typed_due_at
        if sending.is_withheld:
            return LetterState.WITHDRAWN, self.now
        if sending.is_held:
            return LetterState.POSTPONED, self.now + HELD_FOR
        if typed_due_at is not None and typed_due_at > self.now and not mailbox.is_suspended:
            return LetterState.POSTPONED, typed_due_at
        if sending.asks or sending.is_urgent or sending.purpose.is_an_answer:
            return LetterState.QUEUED, self.now
        if mailbox.is_suspended:
            return LetterState.RESTING, self.now
        due = budgets.due_later(self.services.rates, mailbox, sending.purpose, game, self.now)
        if due is not None:
            return LetterState.POSTPONED, due
        # The first letters of a cause leave at once, so that it does not use up what a mail server takes in a minute.
        return LetterState.QUEUED, self.now + len(self.letters) // MAX_LETTERS_AT_ONCE * PORTION_PAUSE


def _without_letters(thread: Thread, replaced: Iterable[MessageId | None]) -> Thread:
    """Return the thread of a seat without the letters that the next one replaces."""
    for letter in replaced:
        if letter is not None:
            thread = thread.without(letter)
    return thread


def _record_of(table: Table, view: View, record: str) -> Attachment:
    """Return the game's record as an attached plain text file, which every program can open."""
    record = record or view.record or table.game_record(view.you)
    return Attachment(f"takmail-{view.number}.{table.rules.file_ending}", "plain", record)


def subject_of(table: Table, reader: Reader) -> Text:
    """Return the Subject of a letter about a game. It stays the same from the acceptance on.

    Before that, the guest reads who asks, and the host the name by which the guest is known. Somebody who has never
    played gets no more of the host's name than its first word, as the host chooses the name.
    """
    view = reader.view
    if view is not None and view.is_guest and table.record.is_invitation:
        has_played = table.players[view.you].begun_games
        host = view.opponent if has_played else first_name(view.opponent)
        return _of_invitation(view, reader, host)
    if view is None or view.names == view.table.names:
        return table.record.subject
    first, second = view.names
    return message("subject_of_game", first=first, second=second, title=table.title)


def _of_invitation(seen: View, reader: Reader, host: str) -> Message:
    wording = reader.wording
    return message(
        "subject_of_invitation",
        host=host or A_FRIEND,
        game="" if wording.title_names_game else wording.name,
        title=message("title", labels=wording.title(seen.table.record.setup, is_relay=seen.is_relay)),
    )
