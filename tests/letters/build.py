"""Provide a harness that only writes letters. It takes events, and keeps the letters as a store would."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from takmail.commands.answers import (
    Assurance,
    ChatResult,
    ChatStatus,
    NewsAndChanges,
    Refusal,
    Reported,
    Result,
    SeatClaim,
    Sender,
    Skipped,
    Told,
)
from takmail.commands.context import Context
from takmail.games.interface import Seat
from takmail.letters import budgets
from takmail.letters.compose import Composed, compose
from takmail.letters.letter import Letter
from takmail.letters.services import Services
from takmail.mail.message import Message, UnreadableReason
from takmail.pipeline.results import with_changes
from takmail.world.kinds import GameNumber, LetterState, MessageId
from takmail.world.players import Mailbox, Player
from takmail.world.table import Table
from takmail.world.world import NO_MAILBOX, Cause, Snapshot, World
from tests.commands.build import NOW, SERVICES

Line = tuple[str, NewsAndChanges | Refusal | Told | Skipped]
"""A line of a mail, and the events of its command. The first event is the answer."""


@dataclass
class LetterHarness:
    """A state with games and players, and the letters about them. `write` writes the letters of a cause."""

    services: Services = SERVICES
    state: World = field(default_factory=World)
    now: datetime = NOW
    letters: list[Letter] = field(default_factory=list)
    strangers: dict[str, Mailbox] = field(default_factory=dict)
    causes: int = 0

    def put(self, *things: Player | Table) -> "LetterHarness":
        """Return the harness with these facts, and a game with its players."""
        for one in things:
            if isinstance(one, Player):
                self.state = replace(self.state, players={**self.state.players, one.id: one})
            else:
                self.put(*one.players)
                self.state = replace(self.state, games={**self.state.games, one.number: one})
        return self

    def write(
        self,
        *lines: Line,
        by: Player | None = None,
        address: str = "",
        name: str = "",
        game: int | None = None,
        seat: Seat | None = None,
        before: NewsAndChanges = (),
        after: NewsAndChanges = (),
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
        owner = by and self.state.players.get(by.id, by)
        address = address or (owner.main_mailbox.address if owner else "")
        box = (owner and owner.mailbox(address)) or self.strangers.get(address, Mailbox(address))
        snapshot = Snapshot(
            Cause(f"mail {self.causes}", self.causes),
            self.now,
            b"seed %d" % self.causes,
            self.state,
            box if address else NO_MAILBOX,
            owner,
        )
        context = Context(
            self.services, self.now, b"", None, address, name, owner, self.state, before=self.state
        )
        for events in (before, *(answer for _, answer in lines if isinstance(answer, tuple)), after):
            context = with_changes(context, events)
        state, done = context.world, context.events
        claim = None
        if game is not None:
            if seat is None and by is not None:
                seat = state.games[GameNumber(game)].record.seat_of(by.id)
            assert seat is not None
            claim = SeatClaim(GameNumber(game), seat, Assurance.PLAYER)
        reports = tuple(
            Reported(line, answer[0] if isinstance(answer, tuple) else answer) for line, answer in lines
        )
        made = Result(state, done, reports, ChatResult(words), claim=claim, is_silent=is_silent, **result)  # type: ignore[arg-type]
        player = None if owner is None else state.players[owner.id]
        player = player or next((one for one in state.players.values() if one.mailbox(address)), None)
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
        message = Message(message_id, address, name, (), "", (), tuple(references), "", unreadable=unread)
        is_mail = bool(address)
        found = compose(
            self.services, snapshot, message if is_mail else None, sender if is_mail else None, made
        )
        self.state = state
        for letter in found.letters:
            self._keep(letter)
        return found

    def last(self, to: str) -> Letter:
        """Return the newest letter to an address."""
        return next(one for one in reversed(self.letters) if one.mail_to == to)

    def _keep(self, letter: Letter) -> None:
        self.letters.append(letter)
        owner = next((one for one in self.state.players.values() if one.mailbox(letter.mail_to)), None)
        box = None if owner is None else owner.mailbox(letter.mail_to)
        is_postponed = letter.state is LetterState.POSTPONED
        spent = budgets.with_letter(
            box or self.strangers.get(letter.mail_to, Mailbox(letter.mail_to)),
            letter.purpose,
            letter.game,
            letter.message_id,
            self.now,
            postponed=is_postponed,
        )
        if owner is None:
            self.strangers[letter.mail_to] = spent
        else:
            self.state = self.state.with_player(owner.with_mailbox(spent))
        if letter.game is not None:
            self._keep_in_game(letter)

    def _keep_in_game(self, letter: Letter) -> None:
        assert letter.game is not None
        assert letter.seat is not None
        table = self.state.games[letter.game]
        threads = list(table.threads)
        thread = threads[letter.seat]
        for gone in letter.replaces:
            thread = thread.without(gone)
        thread = replace(
            thread.with_letter(letter.message_id), reported_turn=letter.reported_turn, is_unclaimed=True
        )
        mine = tuple(one for one in table.waiting_chat if one.version in letter.chat_versions)
        put_off = tuple(replace(one, letter=letter.message_id) for one in mine if letter.postpones_chat)
        others = tuple(one for one in table.waiting_chat if one not in mine)
        table = replace(table, waiting_chat=(*others, *put_off))
        thread = replace(thread, chat=tuple(replace(one, letter=None) for one in mine))
        threads[letter.seat] = thread
        first, second = threads
        table = replace(table, threads=(first, second))
        self.state = replace(self.state, games={**self.state.games, letter.game: table})


def reads(letter: Letter) -> str:
    """Return a letter's text with its lines joined."""
    return " ".join(letter.text.split())


def ids(letters: Sequence[Letter]) -> list[MessageId]:
    """Return the Message-IDs of letters."""
    return [one.message_id for one in letters]
