"""Collect the letters of one cause while they are written: make their blocks, and put them into threads."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import NamedTuple, Self

from takmail.blocks import Blocks, Message, message
from takmail.commands.series import begun_after, score_for
from takmail.commands.show import match_between
from takmail.commands.view import look
from takmail.games.interface import Seat
from takmail.games.readonly import replace
from takmail.letters.letter import About, Draft, Sending, postponed_letters
from takmail.letters.passages.series import next_game
from takmail.letters.passages.terms import subject_of
from takmail.letters.reader import (
    NO_OPPONENT,
    NOTHING_ATTACHED,
    Opponent,
    Reader,
    Standings,
    Style,
    attached_to,
    style_of,
)
from takmail.letters.written import WrittenLetters
from takmail.mail.tokens import FIRST_RENEWED, NO_DIGEST, SeatRef
from takmail.world import (
    Game,
    GameNumber,
    LetterPurpose,
    LetterView,
    Mailbox,
    Match,
    MessageId,
    Player,
    PlayerId,
    SeenWorld,
    Thread,
    WaitingChat,
    view,
)

_PLAIN = Sending()


class _Place(NamedTuple):
    """Where a letter to a seat stands among the others to it.

    * `ref` is the seat, and the last turn on the board
    * `thread` are the letters to the seat before it
    * `replaced` and `released` are as in `Draft`
    """

    ref: SeatRef
    thread: Thread
    replaced: MessageId | None
    released: MessageId | None


class LetterBatch(WrittenLetters):
    """The letters of a cause that are written so far. Each method returns a new batch with one more."""

    __slots__ = ()

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
        is as in `Letter`, and `reported_turn` as in `About`. If the cause has begun the next game of a match, the
        letter is the first one of that game.
        """
        player = game.players[seat]
        if not player.mailboxes:
            return self
        place = self._place(game, seat, sending, chat)
        style = self.legible(sending.style(self.style_of(player), player.main_mailbox))
        # A reader who wants text only gets no attachment, as the mail would then have several parts.
        attaches = style.view is not LetterView.TEXT
        reader = self._reader_in_seat(game, place, style, sending, chat, has_board=has_board)
        seen = reader.world.game(game.number)
        reader = replace(
            reader,
            has_ended=has_ended,
            standings=replace(reader.standings, match=self._match(game, seat) if has_ended else None),
            attached=attached_to(seen, reader.view, record, with_record=with_record, has_ended=has_ended)
            if attaches
            else NOTHING_ATTACHED,
        )
        draft = self._draft_to_seat(make, player, place, style, sending, reader)
        version = game.record.version
        about = About(game.number, seat, version, place.ref.turn, reported_turn, chat, sending.digest_at)
        following = begun_after(self.world, game) if has_ended and has_board else None
        if following is not None:
            return self._with_next_game(draft, about, following)
        return self._with_letter_to_seat(draft, place.thread, about, game)

    def _with_letter_to_seat(
        self, draft: Draft, thread: Thread, about: About, game: Game, above: tuple[About, ...] = ()
    ) -> Self:
        letters = self.with_letter(draft, game.number, about, game, above)
        if letters.letters[-1].is_held or draft.ref is None:
            return letters
        threads = {**self.threads, (game.number, draft.ref.seat): thread.with_letter(draft.message_id)}
        return replace(letters, threads=threads)

    def _with_next_game(self, ended: Draft, shown: About, following: Game) -> Self:
        """Write the first letter of the next game of a match, in place of the one about the end of the game before it.

        `ended` is that letter, which stands above the new board, and `shown` what it shows.
        """
        player, sending, style = ended.reader.world.reader, ended.sending, ended.style
        assert player is not None
        seat = following.record.seat_of(player)
        place = self._place(following, seat, sending, ())
        place = place._replace(replaced=ended.replaced, released=ended.released)
        reader = replace(
            self._reader_in_seat(following, place, style, sending, (), has_board=True),
            attached=ended.reader.attached,
        )
        make = partial(_with_next_game, ended)
        draft = self._draft_to_seat(make, following.players[seat], place, style, sending, reader)
        about = About(following.number, seat, following.record.version, place.ref.turn)
        return self._with_letter_to_seat(draft, place.thread, about, following, (shown,))

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
            self.reader(style, game.record.kind, world, sending),
            view=seen,
            opponent=NO_OPPONENT if doer is None else Opponent(seen.names[doer]),
            has_ended=self.has_ended(game.number),
        )
        subject = self.said(subject_of(seen.game, reader), style.language)
        message_id = self.message_id(mailbox, None, sending, style.language)
        draft = Draft(message_id, mailbox, player.name, subject, style, sending, reader, make)
        return self.with_letter(draft, game.number, About(game.number))

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
        style = self.legible(sending.style(style_of(self.services, player), mailbox))
        draft = Draft(
            self.message_id(mailbox, None, sending, style.language),
            mailbox,
            player.name,
            self.said(subject, style.language),
            style,
            sending,
            self.reader(style, None, view(self.world, number, self.now), sending),
            make,
        )
        return self.with_letter(draft, None, About(), gathered=tuple(gathered))

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
        writer, style = sending.answers, self.legible(sending.style(wanted, mailbox))
        world = view(self.world, None if writer is None else self.writing_player, self.now)
        draft = Draft(
            self.message_id(mailbox, None, sending, style.language),
            mailbox,
            "" if writer is None else writer.name,
            self.said(subject, style.language),
            style,
            sending,
            self.reader(style, None if writer is None else writer.game, world, sending),
            make,
            previous=thread if writer is None else writer.thread,
        )
        return self.with_letter(draft, about, About(about))

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

    def _place(self, game: Game, seat: Seat, sending: Sending, chat: tuple[WaitingChat, ...]) -> _Place:
        """Return where a letter to a seat with this chat stands."""
        known = self.threads.get((game.number, seat), game.correspondence.threads[seat])
        waiting, has_moved_on = known.waiting_for_thought, self._has_moved_on(game)
        is_told = (sending.tells_thought or has_moved_on) and not self._waits_for_person(game, seat)
        replaced = waiting if is_told else None
        # Nobody reads what follows the end before the end. A receipt that comes later is as true as before.
        released = waiting if replaced is None and (has_moved_on or game.record.is_over) else None
        thread = _without_letters(known, (*postponed_letters(chat), replaced))
        turn = game.turns[-1].number if game.turns else 0
        ref = SeatRef(game.number, seat, turn, game.record.seats[seat].token_number)
        return _Place(ref, thread, replaced, released)

    def _reader_in_seat(
        self,
        game: Game,
        place: _Place,
        style: Style,
        sending: Sending,
        chat: tuple[WaitingChat, ...],
        *,
        has_board: bool,
    ) -> Reader:
        """Return the reader of a letter to a seat, with what they may see of its game."""
        seat, number = place.ref.seat, place.ref.number
        world = view(self.world, game.players[seat].id, self.now)
        seen = world.game(game.number)
        token = self.services.key.token(game.number, seat, number)
        return replace(
            self.reader(style, seen.record.kind, world, sending),
            view=look(seen, seat) if has_board else None,
            opponent=self._opponent(world, seen, seat, place.thread, chat, style.language),
            was_read=number == FIRST_RENEWED and f"<{token}." not in (place.thread.last or ""),
            replaces_waiting=place.replaced is not None,
            standings=Standings(series=score_for(self.world, game.record, seat)),
        )

    def _draft_to_seat(
        self,
        make: Callable[[Reader], Blocks],
        player: Player,
        place: _Place,
        style: Style,
        sending: Sending,
        reader: Reader,
    ) -> Draft:
        ref, thread = place.ref, place.thread
        subject = self.said(subject_of(reader.world.game(GameNumber(ref.game)), reader), style.language)
        return Draft(
            self.message_id(player.main_mailbox, ref, sending, style.language),
            player.main_mailbox,
            player.name,
            f"{self.services.key.subject_tag(ref.game, ref.seat, ref.number)} {subject}",
            style,
            sending,
            reader,
            make,
            ref,
            place.replaced,
            place.released,
            previous=(*thread.ids, *(() if sending.answers is None else sending.answers.thread)),
            own=thread.ids,
        )

    def _match(self, game: Game, seat: Seat) -> Match | None:
        """Return how the match stands after a game, as the player in `seat` sees it. A void game has none."""
        if not game.record.counts_in_match:
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
            said = "".join(self.said(absence, language).split())
            until = None if any(said in "".join(text.split()) for text, _ in thread.texts) else until
        words = tuple(waiting.words for waiting in chat)
        return Opponent(player.name, player.is_bot, player.is_erased, until, words)

    def _has_moved_on(self, game: Game) -> bool:
        """Return whether the cause has changed the turns of a game, or ended it.

        Then a letter about it takes the place of one that waits for a thought. Any other letter tells something else.
        """
        before = self.world.stored.games.get(game.number)
        return (before is not None and before.turns != game.turns) or self.has_ended(game.number)

    def _waits_for_person(self, game: Game, seat: Seat) -> bool:
        """Return whether a receipt to `seat` waits for a turn that their opponent has prepared, and that is not played.

        It leaves then, so that nobody can tell from the letters that anything was prepared.
        """
        before = self.world.stored.games.get(game.number)
        if before is None or not before.record.is_open or game.players[seat.other].is_bot:
            return False
        if not before.waits_for(seat.other):
            return False
        is_played = len(game.turns) > len(before.turns) and game.turns[-1].mail is None
        return not is_played


def _with_next_game(ended: Draft, reader: Reader) -> Blocks:
    """Return what a letter tells of a game that has ended, and below it the next one of the match."""
    at_end = replace(
        ended.reader, links=reader.links, standings=replace(ended.reader.standings, goes_on=True)
    )
    return (*ended.make(at_end), *next_game(reader))


def _without_letters(thread: Thread, replaced: Iterable[MessageId | None]) -> Thread:
    """Return the thread of a seat without the letters that the next one replaces."""
    for letter in replaced:
        if letter is not None:
            thread = thread.without(letter)
    return thread
