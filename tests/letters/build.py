"""Provide a harness that only writes letters. It takes events, and keeps the letters as a store would."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from takmail.commands.answers import (
    Assurance,
    CauseResult,
    ChatResult,
    ChatStatus,
    Events,
    Refusal,
    Reported,
    SeatClaim,
    Sender,
    Skipped,
    Told,
)
from takmail.commands.context import Author, Context
from takmail.games.interface import Seat
from takmail.letters import budgets
from takmail.letters.compose import Composed, compose
from takmail.letters.letter import Letter
from takmail.letters.services import Services
from takmail.mail.message import Mail, MailBody, ThreadHeaders, UnreadableReason
from takmail.pipeline.reactions import settled, with_events
from takmail.world.events import ended_games
from takmail.world.game import Game
from takmail.world.kinds import GameNumber, LetterState, MessageId
from takmail.world.players import Mailbox, Player
from takmail.world.reading import Reading
from takmail.world.world import NO_MAILBOX, Cause, Snapshot, World
from tests.commands.build import NOW, SERVICES, Following, Stored

Line = tuple[str, Events | Refusal | Told | Skipped]
"""A line of a mail, and the events of its command. The first event is the answer."""


@dataclass
class LetterHarness:
    """Games and players, and the letters about them. `write` writes the letters of a cause."""

    services: Services = SERVICES
    stored: Stored = field(default_factory=Stored)
    now: datetime = NOW
    letters: list[Letter] = field(default_factory=list)
    strangers: dict[str, Mailbox] = field(default_factory=dict)
    causes: int = 0

    def put(self, *things: Player | Game) -> "LetterHarness":
        """Return the harness with these values, and a game with its players."""
        self.stored.put(*things)
        return self

    @property
    def state(self) -> World:
        """The world before the next cause."""
        return World(Reading(self.stored), Following(self.stored))

    def write(
        self,
        *lines: Line,
        by: Player | None = None,
        address: str = "",
        name: str = "",
        game: int | None = None,
        seat: Seat | None = None,
        before: Events = (),
        after: Events = (),
        verified: tuple[bool, bool] = (True, True),
        words: ChatStatus = ChatStatus.NONE,
        unread: UnreadableReason | None = None,
        message_id: str = "<1@mail.example.org>",
        references: Sequence[str] = (),
        is_silent: bool = False,
        **result: object,
    ) -> Composed:
        """Write the letters of a mail `by` a player or from an `address`, or of another cause if neither is given.

        `before` and `after` are the events around those of the mail's lines. `verified` is whether the address and
        whether the player is verified. Without a seat it is that of `by` in `game`.
        """
        self.causes += 1
        known = self.state
        owner = by and self.stored.players.get(by.id, by)
        address = address or (owner.main_mailbox.address if owner else "")
        box = (owner and owner.mailbox(address)) or self.strangers.get(address, Mailbox(address))
        snapshot = Snapshot(
            Cause(f"mail {self.causes}", self.causes),
            self.now,
            b"seed %d" % self.causes,
            known,
            box if address else NO_MAILBOX,
            owner,
        )
        context = Context(self.services, self.now, b"", snapshot.cause, Author(address, name), owner, known)
        context, reports = with_events(context, before), []
        for line, answer in lines:
            before_line = len(context.so_far.happened)
            context, followed = settled(context, answer if isinstance(answer, tuple) else ())
            first = context.so_far.happened[before_line] if isinstance(answer, tuple) else answer
            reports.append(Reported(line, first, followed=followed))
        context = with_events(context, after)
        state, done = context.world, context.so_far.happened
        claim = None
        if game is not None:
            if seat is None and by is not None:
                seat = state.game(GameNumber(game)).record.seat_of(by.id)
            assert seat is not None
            claim = SeatClaim(GameNumber(game), seat, Assurance.PLAYER)
        made = CauseResult(
            state,
            done,
            tuple(reports),
            ChatResult(words),
            claim=claim,
            ended=ended_games(done),
            is_silent=is_silent,
            **result,
        )  # type: ignore[arg-type]
        player = state.owner(address) if owner is None else state.player(owner.id)
        made = replace(made, player=player)
        sender = Sender(
            address,
            name,
            owner,
            verified[0],
            verified[1],
            is_signed=False,
            unsubscribes="",
            claim=claim,
            mailbox=snapshot.sender,
        )
        message = Mail(
            message_id, address, name, (), "", ThreadHeaders((), tuple(references)), MailBody("", unread)
        )
        is_mail = bool(address)
        found = compose(
            self.services, snapshot, message if is_mail else None, sender if is_mail else None, made
        )
        self.put(*state.players.values(), *map(state.game, state.games))
        for letter in found.letters:
            self._keep(letter)
        return found

    def last(self, to: str) -> Letter:
        """Return the newest letter to an address."""
        return next(one for one in reversed(self.letters) if one.mail_to == to)

    def _keep(self, letter: Letter) -> None:
        self.letters.append(letter)
        owner = self.state.owner(letter.mail_to)
        box = None if owner is None else owner.mailbox(letter.mail_to)
        is_postponed = letter.state is LetterState.POSTPONED
        spent = budgets.with_letter(
            box or self.strangers.get(letter.mail_to, Mailbox(letter.mail_to)),
            letter.purpose,
            letter.about.game,
            letter.message_id,
            self.now,
            postponed=is_postponed,
        )
        if owner is None:
            self.strangers[letter.mail_to] = spent
        else:
            self.put(owner.with_mailbox(spent))
        if letter.about.game is not None:
            self._keep_in_game(letter)

    def _keep_in_game(self, letter: Letter) -> None:
        assert letter.about.game is not None
        assert letter.about.seat is not None
        table = self.state.game(letter.about.game)
        threads = list(table.correspondence.threads)
        thread = threads[letter.about.seat]
        for gone in letter.replaces:
            thread = thread.without(gone)
        thread = replace(
            thread.with_letter(letter.message_id), reported_turn=letter.about.reported_turn, is_unclaimed=True
        )
        mine = tuple(
            one for one in table.correspondence.waiting_chat if one.version in letter.about.chat_versions
        )
        put_off = tuple(replace(one, letter=letter.message_id) for one in mine if letter.postpones_chat)
        others = tuple(one for one in table.correspondence.waiting_chat if one not in mine)
        table = replace(table, correspondence=replace(table.correspondence, waiting_chat=(*others, *put_off)))
        thread = replace(thread, chat=tuple(replace(one, letter=None) for one in mine))
        threads[letter.about.seat] = thread
        first, second = threads
        table = replace(table, correspondence=replace(table.correspondence, threads=(first, second)))
        self.put(table)


def reads(letter: Letter) -> str:
    """Return a letter's text with its lines joined."""
    return " ".join(letter.content.text.split())


def ids(letters: Sequence[Letter]) -> list[MessageId]:
    """Return the Message-IDs of letters."""
    return [one.message_id for one in letters]
