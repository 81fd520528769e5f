"""Collect the letters of one cause while they are written: make their blocks, and put them into threads."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Self

from takmail.blocks import Blocks, Message, Text, message
from takmail.commands.answers import Result, SeatClaim
from takmail.commands.show import counts, match_between
from takmail.commands.view import look
from takmail.games.interface import Seat
from takmail.letters import budgets
from takmail.letters.letter import NEVER_RENDERED, About, Draft, Letter, Sending, postponed_letters
from takmail.letters.parts.terms import subject_of
from takmail.letters.reader import (
    NO_OPPONENT,
    NOTHING_ATTACHED,
    Answering,
    Correspondent,
    Lobby,
    Opponent,
    Reader,
    Style,
    attached_to,
    style_of,
)
from takmail.letters.rendering import common_values, rendered
from takmail.letters.services import Services
from takmail.mail.tokens import FIRST_RENEWED, NO_DIGEST, SeatRef, nonce_of
from takmail.world import (
    Game,
    GameNumber,
    LetterPurpose,
    LetterState,
    LetterView,
    Mailbox,
    Match,
    MessageId,
    Player,
    PlayerId,
    SeenWorld,
    Snapshot,
    Thread,
    WaitingChat,
    World,
    events,
    is_reviewed,
    view,
)

_PLAIN = Sending()


@dataclass(frozen=True, slots=True)
class LetterBatch:
    """The letters of a cause that are written so far. Each writing method returns a new batch with one more.

    * `snapshot` is what the cause was decided from, and `result` what the letters describe
    * `writer` wrote the mail that is answered, None if none is
    * `mailboxes` by address and `threads` by game and seat include these letters
    * `delivered_chat` is the version of a game up to which these letters deliver the waiting chat to a seat
    """

    services: Services
    snapshot: Snapshot
    result: Result
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
        return bool(self.services.bots.every) and self.has_ended(game.number) and is_reviewed(game)

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

    def in_game(
        self,
        make: Callable[[Reader], Blocks],
        game: Game,
        seat: Seat,
        sending: Sending = _PLAIN,
        *,
        chat: tuple[WaitingChat, ...] = (),
        has_board: bool = True,
        with_record: bool = False,
        record: str = "",
        has_ended: bool = False,
        reported_turn: int | None = None,
    ) -> Self:
        """Write a letter about a game to the player in `seat`. `make` makes its blocks.

        Who has no address gets none. Without a board (`has_board`), its reader has no view of the game. Otherwise
        CorruptGame is raised if it is corrupt. `with_record`: the game's record is attached, and so is a `record` that
        is given. `has_ended`: it shows the end of the game, with its animation, and how the match stands then. `chat`
        is as in `Letter`, and `reported_turn` as in `About`.
        """
        player, number = game.players[seat], game.record.seats[seat].token_number
        if not player.mailboxes:
            return self
        mailbox, known = (
            player.main_mailbox,
            self.threads.get((game.number, seat), game.correspondence.threads[seat]),
        )
        waiting = known.waiting_for_thought
        replaced = waiting if sending.tells_thought or self._has_moved_on(game) else None
        # Nobody reads what follows the end before the end. A receipt that comes later is as true as before.
        released = waiting if replaced is None and game.record.is_over else None
        thread = _without_letters(known, (*postponed_letters(chat), replaced))
        ref = SeatRef(game.number, seat, game.turns[-1].number if game.turns else 0, number)
        style = self._legible(sending.style(self._style_of(player), mailbox))
        message_id = self._message_id(mailbox, ref, sending, style.language)
        world = view(self.world, player.id, self.now)
        seen_game = world.game(game.number)
        seen = look(seen_game, seat, clock=world.clock(game.number)) if has_board else None
        # A reader who wants text only gets no attachment, as the mail would then have several parts.
        attaches = style.view is not LetterView.TEXT
        token = self.services.key.token(game.number, seat, number)
        reader = replace(
            self._reader(style, seen_game.record.kind, world, sending),
            view=seen,
            opponent=self._opponent(world, seen_game, seat, thread, chat, style.language),
            has_ended=has_ended,
            match=self._match(game, seat) if has_ended else None,
            attached=attached_to(seen_game, seen, record, with_record=with_record, has_ended=has_ended)
            if attaches
            else NOTHING_ATTACHED,
            was_read=number == FIRST_RENEWED and f"<{token}." not in (thread.last or ""),
            replaces_waiting=replaced is not None,
        )
        tag = self.services.key.subject_tag(game.number, seat, number)
        draft = Draft(
            message_id,
            mailbox,
            player.name,
            f"{tag} {self._said(subject_of(seen_game, reader), style.language)}",
            style,
            sending,
            reader,
            make,
            ref,
            replaced,
            released,
            previous=(*thread.ids, *(() if sending.answers is None else sending.answers.thread)),
            own=thread.ids,
        )
        about = About(
            game.number, seat, game.record.version, ref.turn, reported_turn, chat, sending.digest_at
        )
        letters = self._with_letter(draft, game.number, about, game)
        if letters.letters[-1].is_held:
            return letters
        threads = {**self.threads, (game.number, seat): thread.with_letter(message_id)}
        return replace(letters, threads=threads)

    def with_waiting_chat(
        self,
        make: Callable[[Reader], Blocks],
        game: Game,
        seat: Seat,
        sending: Sending,
        *,
        has_ended: bool,
        with_record: bool = False,
        reported_turn: int | None = None,
        by: int | None = None,
    ) -> Self:
        """Write a letter about a game with the opponent's waiting chat, up to version `by` of the game if it is given.

        Before the game begins, its guest gets no chat but with the invitation. If the game has ended, the letter also
        has its record, an animation and the score of the match. The other parameters are those of `in_game`.
        """
        place = (game.number, seat)
        since, until = self.delivered_chat.get(place, -1), game.record.version if by is None else by
        is_heard = game.record.has_begun or game.players[seat].id == game.record.invitation.host
        waiting = game.chat_for(seat) if is_heard else ()
        letters = self.in_game(
            make,
            game,
            seat,
            sending,
            chat=tuple(words for words in waiting if since < words.version <= until),
            with_record=with_record or (has_ended and bool(game.turns)),
            has_ended=has_ended,
            reported_turn=reported_turn,
        )
        return replace(letters, delivered_chat={**letters.delivered_chat, place: until})

    def to_onlooker(
        self,
        make: Callable[[Reader], Blocks],
        game: Game,
        number: PlayerId,
        doer: Seat | None,
        sending: Sending,
    ) -> Self:
        """Write a letter about a game to a player who has no seat in it. Messages call `doer` the opponent.

        Raises CorruptGame if it is corrupt.
        """
        player = self.world.player(number)
        if not player.mailboxes:
            return self
        mailbox, world = player.main_mailbox, view(self.world, number, self.now)
        style, seen = (
            sending.style(style_of(self.services, player), mailbox),
            look(world.game(game.number), None),
        )
        reader = replace(
            self._reader(style, game.record.kind, world, sending),
            view=seen,
            opponent=NO_OPPONENT if doer is None else Opponent(seen.names[doer]),
            has_ended=self.has_ended(game.number),
        )
        subject = self._said(subject_of(seen.game, reader), style.language)
        message_id = self._message_id(mailbox, None, sending, style.language)
        draft = Draft(message_id, mailbox, player.name, subject, style, sending, reader, make)
        return self._with_letter(draft, game.number, About(game.number))

    def digest(
        self,
        subject: Message,
        make: Callable[[Reader], Blocks],
        number: PlayerId,
        gathered: Sequence[About],
    ) -> Self:
        """Write a letter to a player about several games. `gathered` says what it shows of each."""
        player, sending = self.world.player(number), Sending(LetterPurpose.NEWS, ends=NO_DIGEST)
        if not player.mailboxes:
            return self
        mailbox = player.main_mailbox
        style = self._legible(sending.style(style_of(self.services, player), mailbox))
        draft = Draft(
            self._message_id(mailbox, None, sending, style.language),
            mailbox,
            player.name,
            self._said(subject, style.language),
            style,
            sending,
            self._reader(style, None, view(self.world, number, self.now), sending),
            make,
        )
        return self._with_letter(draft, None, About(), gathered=tuple(gathered))

    def outside_games(
        self,
        subject: Message,
        make: Callable[[Reader], Blocks],
        mailbox: Mailbox,
        wanted: Style,
        sending: Sending,
        *,
        about: GameNumber | None = None,
        thread: tuple[str, ...] = (),
    ) -> Self:
        """Write a letter to the owner of a mailbox, who has chosen a style, and to no seat. `make` makes its blocks.

        `about` is the game that it concerns, if any. `thread` are the mails before it if it answers none now.
        """
        writer, style = sending.answers, self._legible(sending.style(wanted, mailbox))
        world = view(self.world, None if writer is None else self._writing_player, self.now)
        draft = Draft(
            self._message_id(mailbox, None, sending, style.language),
            mailbox,
            "" if writer is None else writer.name,
            self._said(subject, style.language),
            style,
            sending,
            self._reader(style, None if writer is None else writer.game, world, sending),
            make,
            previous=thread if writer is None else writer.thread,
        )
        return self._with_letter(draft, about, About(about))

    def to_sender(
        self,
        subject: Message,
        make: Callable[[Reader], Blocks],
        sending: Sending,
        about: GameNumber | None = None,
    ) -> Self:
        """Return the batch with an answer to the mail that goes to no seat. `about` is the game that it concerns."""
        assert self.writer is not None
        return self.outside_games(subject, make, self.writer.mailbox, self.writer.style, sending, about=about)

    @property
    def _writing_player(self) -> PlayerId | None:
        """The player who wrote the mail, also one whom it has erased. None if there is none."""
        before = None if self.writer is None else self.writer.sender.player
        player = self.result.player or before
        return None if player is None else player.id

    def _style_of(self, player: Player) -> Style:
        """Return how a player wants letters. Who has never written gets an answer in the language of the mail."""
        style, language = style_of(self.services, player), self.result.offers_language
        is_unknown = self._writing_player == player.id and not player.has_written
        return style._replace(language=language) if language and is_unknown else style

    def _legible(self, style: Style) -> Style:
        """Return the style of a letter, which has the text, too, if the mail has just chosen HTML alone.

        So whoever reads only text can undo it, even if they have not written the mail.
        """
        is_new = style.view is LetterView.HTML and "view" in events.settings_changed(self.result.happened)
        return style._replace(view=LetterView.BOTH) if is_new else style

    def _reader(self, style: Style, kind: str | None, world: SeenWorld, sending: Sending) -> Reader:
        """Return the reader of a letter, who may see the `world`.

        `kind` is the kind of game that the letter is about, None for the default one.
        """
        services = self.services
        return Reader(
            None,
            kind or services.games.default,
            Lobby(services.games, services.new_players, services.bots),
            world,
            style.language,
            None if sending.answers is None else Answering(),
        )

    def _match(self, game: Game, seat: Seat) -> Match | None:
        """Return how the match stands after a game, as the player in `seat` sees it. A void game has none."""
        if not counts(game.record):
            return None
        match = match_between(self.world, game.record.kind, *game.players)
        return match if seat == Seat.FIRST else match.turned()

    def _opponent(
        self,
        world: SeenWorld,
        game: Game,
        seat: Seat,
        thread: Thread,
        chat: tuple[WaitingChat, ...],
        language: str,
    ) -> Opponent:
        """Return the opponent of who sits in `seat`. That they are away is left out if a recent letter has told it."""
        player = game.players[seat.other]
        until = world.opponent_away(game.number) if game.record.is_open else None
        if until is not None:
            absence = message("opponent_is_away", opponent=player.name, until=until)
            said = "".join(self._said(absence, language).split())
            until = None if any(said in "".join(text.split()) for text, _ in thread.texts) else until
        words = tuple(waiting.words for waiting in chat)
        return Opponent(player.name, player.is_bot, player.is_erased, until, words)

    def _has_moved_on(self, game: Game) -> bool:
        """Return whether the cause has changed the turns of a game, or ended it.

        Then a letter about it takes the place of one that waits for a thought. Any other letter tells something else.
        """
        before = self.world.stored.games.get(game.number)
        return (before is not None and before.turns != game.turns) or self.has_ended(game.number)

    def _message_id(
        self, mailbox: Mailbox, ref: SeatRef | None, sending: Sending, language: str
    ) -> MessageId:
        """Return the Message-ID of the next letter."""
        nonce = nonce_of(self.snapshot.seed, len(self.letters) + 1)
        lesson = f"{language}{sending.lesson}" if sending.lesson else ""
        return MessageId(
            self.services.key.message_id(
                ref, mailbox.address, nonce, mailbox.token_number, asks=sending.asks, lesson=lesson
            )
        )

    def _said(self, subject: Text, language: str) -> str:
        return self.services.templates.words(language).text(subject, common_values(self.services, self.now))

    def _with_letter(
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


def _without_letters(thread: Thread, replaced: Iterable[MessageId | None]) -> Thread:
    """Return the thread of a seat without the letters that the next one replaces."""
    for letter in replaced:
        if letter is not None:
            thread = thread.without(letter)
    return thread
