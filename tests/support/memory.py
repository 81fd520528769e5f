"""A store made of dictionaries. Snapshots are loaded from it, and outcomes are stored in it."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import datetime, timedelta
from itertools import takewhile
from typing import TypeVar

from takmail.games.interface import Seat
from takmail.letters.letter import Letter
from takmail.letters.services import Services
from takmail.limits.letters import HELD_FOR
from takmail.limits.mails import MAX_NAMED_GAMES
from takmail.mail.message import Message
from takmail.pipeline.authenticate import games_named, tokens
from takmail.pipeline.process import Conflict, Outcome, Trace
from takmail.pipeline.returned import MAY_COME_BACK
from takmail.world import operations
from takmail.world.changes import erasing
from takmail.world.kinds import (
    BEGUN,
    GameNumber,
    LetterPurpose,
    LetterState,
    LogWord,
    MessageId,
    PendingId,
    PendingKind,
    PlayerId,
    Standing,
    StrangerBudget,
)
from takmail.world.letters import (
    Budget,
    ChatLetter,
    CountedLetter,
    ReturnedLetter,
    SentLetter,
    Thread,
    WaitingChat,
)
from takmail.world.players import Mailbox, Player
from takmail.world.queries import Lacks, Numbered
from takmail.world.records import Pending
from takmail.world.table import Table
from takmail.world.tasks import Task
from takmail.world.world import Cause, Snapshot, World
from tests.commands.build import SERVICES, Stored

LAST_LETTERS = 6
T = TypeVar("T")
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
UNCLAIMED = (LetterState.QUEUED, LetterState.POSTPONED, LetterState.RESTING)
"""States of letters that no sender has claimed."""
WAITING = (*UNCLAIMED, LetterState.BOUNCED)
"""States of letters that may still be sent."""


@dataclass
class Memory(Stored):
    """All stored data. Values that depend only on letters are computed from `outbox` for each cause.

    `now` is the time of the last cause. `said` are the chat messages in letters, by letter. `_worlds` are the worlds
    after decisions with those before them, by the id of the world after.
    """

    services: Services = SERVICES
    now: datetime = datetime.min
    outbox: dict[MessageId, Letter] = field(default_factory=dict)
    said: dict[MessageId, tuple[WaitingChat, ...]] = field(default_factory=dict)
    log: list[operations.AddToLog] = field(default_factory=list)
    tasks: dict[Task, datetime] = field(default_factory=dict)
    remembered: dict[str, operations.RememberAddress] = field(default_factory=dict)
    _seeks: int = 0
    waiting_mails: set[PlayerId] = field(default_factory=set)
    _questions: int = 0
    _worlds: dict[int, tuple[World, World]] = field(default_factory=dict, repr=False, compare=False)

    # Loading.

    def snapshot(self, cause: Cause, now: datetime, message: Message | None = None) -> Snapshot:
        """Return the snapshot for a cause. If the cause is not a mail, it contains all stored data."""
        self._pass_time(now)
        seed = self.services.key.seed(cause.name)
        if message is None:
            return Snapshot(cause, now, seed, self._everything())
        answered = self._answered(message)
        named = {*games_named(tuple(tokens(self.services.key, message)), message)[:MAX_NAMED_GAMES]}
        if answered is not None and answered.game is not None:
            named.add(answered.game)
        games = {one: self.tables[one] for one in sorted(named) if one in self.tables}
        sender = self.player_by_address(message.sender)
        people = [one for game in games.values() for one in game.players] + [sender] * (sender is not None)
        players = {one.id: one for one in people if one is not None}
        asked = {message.sender}.union(*(one.addresses for one in players.values()))
        pending = tuple(one for one in self.questions if one.address in asked)
        return Snapshot(
            cause=cause,
            now=now,
            seed=seed,
            world=World(players=players, games=games, pending=pending),
            sender=self.mailbox(message.sender),
            player=sender,
            answered=answered,
            known_letters=frozenset(one for one in self.outbox if one in _ids(message)),
        )

    def _answered(self, message: Message) -> SentLetter | None:
        """Return the newest letter that a mail answers.

        References counts only if In-Reply-To names no letter of takmail.
        """
        for ids in (message.in_reply_to, message.references):
            found = [one for one in self.outbox.values() if one.message_id in map(str.lower, ids)]
            if found:
                return _sent(found[-1])
        return None

    def _pass_time(self, now: datetime) -> None:
        """Set the time. Recompute budgets and threads, and drop expired questions."""
        self.now = now
        self.questions = [one for one in self.questions if one.at(now).is_open]
        self.players = {one.id: self._as_of_now(one) for one in self.players.values()}
        self.tables = {number: self._laid(game) for number, game in self.tables.items()}

    def _as_of_now(self, player: Player) -> Player:
        """Return a player with all data that is stored elsewhere."""
        by_address = sorted(player.mailboxes, key=lambda one: one.address)
        boxes = tuple(replace(one, budget=self._budget(one)) for one in by_address)
        begun = len(self.games_of(player.id, BEGUN))
        return replace(player, mailboxes=boxes, begun_games=min(begun, 2))

    def _laid(self, game: Table) -> Table:
        """Return a game with the current data of its players and threads."""
        first, second = (self.players[one] for one in game.record.seats)
        threads = (self._thread(game.number, Seat.FIRST), self._thread(game.number, Seat.SECOND))
        game = replace(game, players=(first, second), threads=threads)
        return replace(
            game,
            pending=tuple(one.at(self.now) for one in game.pending),
            has_rematch=self._has_rematch(game.number),
        )

    def _thread(self, game: GameNumber, seat: Seat) -> Thread:
        every = [one for one in self.outbox.values() if (one.game, one.seat) == (game, seat)]
        stand = [one for one in every if one.state is not LetterState.WITHDRAWN]
        if not stand:
            return Thread()
        texts = tuple((one.text, one.html_text) for one in stand[: -LAST_LETTERS - 1 : -1])
        last = stand[-1]
        is_unclaimed = last.state in UNCLAIMED
        return Thread(
            first=stand[0].message_id,
            last=last.message_id,
            before=stand[-2].message_id if len(stand) > 1 else None,
            texts=texts,
            reported_turn=last.reported_turn,
            is_unclaimed=is_unclaimed,
            chat=self.said.get(last.message_id, ()) if is_unclaimed else (),
            is_held=last.is_postponed and last.due_at <= last.created_at + HELD_FOR,
        )

    def _budget(self, box: Mailbox) -> Budget:
        """Return the recent letters to an address."""
        to = [one for one in self.outbox.values() if one.mail_to == box.address]
        of_day = [one for one in to if self.now - DAY < one.created_at <= self.now]
        of_hour = [one for one in of_day if one.created_at > self.now - HOUR]
        news = [one for one in of_day if box.verified_at is None or one.created_at > box.verified_at]
        put_off = [one for one in to if one.state is LetterState.POSTPONED]
        chats = [one for one in of_hour if one.state is not LetterState.WITHDRAWN]
        return Budget(
            hour=Counter(one.purpose for one in of_hour),
            day=Counter(one.purpose for one in of_day),
            news=Counter(
                one.game for one in news if one.game is not None and one.purpose is LetterPurpose.NEWS
            ),
            postponed=Counter(
                (one.purpose, one.game if one.purpose is LetterPurpose.NEWS else None) for one in put_off
            ),
            chats=tuple(
                ChatLetter(one.message_id, one.created_at)
                for one in reversed(chats)
                if one.purpose is LetterPurpose.CHAT
            ),
        )

    def counted_letters(self, budget: StrangerBudget) -> Sequence[CountedLetter]:
        counted = (one for one in self.outbox.values() if one.budget is budget and one.created_at <= self.now)
        return [self._counted(one) for one in counted if one.due_at > self.now - DAY]

    def _counted(self, letter: Letter) -> CountedLetter:
        asked = next((one for one in self.questions if one.letter == letter.message_id), None)
        host = None if letter.game is None else self.tables[letter.game].record.invited_by
        player = host or (None if asked is None else asked.player)
        addresses = self.players[player].addresses if player else ()
        return CountedLetter(letter.mail_to, letter.due_at, player, addresses)

    def decided(self, snapshot: Snapshot, decide: Callable[[Snapshot], T]) -> T:
        """Return what is decided on the snapshot and whatever it looks up here."""
        while True:
            try:
                decision = decide(snapshot)
            except Lacks as lacks:
                snapshot = snapshot.with_lookups(self, lacks)
            else:
                outcome = decision.outcome if isinstance(decision, Trace) else decision
                if isinstance(outcome, Outcome):
                    # The world after it is kept, too, so that its id stays its own.
                    self._worlds[id(outcome.world)] = outcome.world, snapshot.world
                return decision

    # Storing.

    def store(self, outcome: Outcome) -> None:
        """Keep the world after a cause. Raises Conflict if something that it changes has changed since."""
        _, before = self._worlds[id(outcome.world)]
        after = outcome.world
        changed = [game for number, game in after.games.items() if game is not before.games.get(number)]
        people = [one for number, one in after.players.items() if one is not before.players.get(number)]
        replaced = (self.outbox[one] for letter in outcome.letters for one in letter.replaces)
        if (
            any(self._has_changed(game, before) for game in changed)
            or any(self._is_other(one, before) for one in people)
            or not self.open_seeks.keys() >= before.seeks.keys() - after.seeks.keys()
            or any(one in self.open_seeks for one in after.seeks.keys() - before.seeks.keys())
            or not {one.id for one in self._all_pending()} >= _ids_of(before) - _ids_of(after)
            or any(self._is_gone(one.player) for one in after.all_pending if one.id < 0 and one.player)
            or any(one.state not in UNCLAIMED for one in replaced)
            or any(map(self._fails, after.operations))
        ):
            raise Conflict
        for one in people:
            self.players[one.id] = _merged(self.players.get(one.id), before.players.get(one.id), one)
        for game in changed:
            self._keep_game(game, before)
        gone = before.seeks.keys() - after.seeks.keys()
        seeks = {**self.open_seeks, **after.seeks}
        self.open_seeks = {number: seek for number, seek in seeks.items() if number not in gone}
        self._seeks = max([self._seeks, *after.seeks])
        self.questions = [*self._asked(self.questions, before.pending, after.pending)]
        for operation in after.operations:
            self._carry_out(operation)
        for number, game in self.tables.items():
            first, second = (self.players[one] for one in game.record.seats)
            self.tables[number] = replace(game, players=(first, second))
        for letter in outcome.letters:
            self._keep_letter(letter)

    def _has_changed(self, game: Table, before: World) -> bool:
        """Tell whether a game is not as it was when it was loaded, or a new one cannot be kept."""
        record = game.record
        if game.number in before.games:
            known = before.games[game.number].record.version
            return record.version != known and self.tables[game.number].record.version != known
        is_second = record.rematch_of is not None and self._has_rematch(record.rematch_of)
        return game.number in self.tables or is_second or any(map(self._is_gone, record.seats))

    def _has_rematch(self, number: GameNumber) -> bool:
        later = (one for one in self._records() if one.rematch_of == number)
        return any(one.standing != Standing.DECLINED for one in later)

    def _is_other(self, player: Player, before: World) -> bool:
        """Tell whether a player is not as when they were loaded, or a name or an address is somebody else's."""
        was, stored = before.players.get(player.id), self.players.get(player.id)
        if was is None:
            return stored is not None or any(map(self.player_by_address, player.addresses))
        assert stored is not None
        bounced = [(box.address, box.bounces) for box in was.mailboxes]
        namesake = None if player.skeleton is None else self.player_by_skeleton(player.skeleton)
        return (
            stored.is_erased
            or bounced != [(box.address, box.bounces) for box in stored.mailboxes]
            or (namesake is not None and namesake.id != player.id)
            or any(map(self.player_by_address, {*player.addresses} - {*was.addresses}))
            or any(map(self._is_gone, player.blocked - was.blocked))
        )

    def _is_gone(self, player: PlayerId) -> bool:
        return player in self.players and self.players[player].is_erased

    def _fails(self, operation: operations.Operation) -> bool:
        """Tell whether an operation was decided on letters, addresses or games that have changed since."""
        match operation:
            case operations.WithdrawLetter(letter=letter):
                return self.outbox[letter].state not in UNCLAIMED
            case operations.ReturnLetter(letter=letter):
                return self.outbox[letter].state not in MAY_COME_BACK
            case operations.ErasePlayer(player=player, addresses=addresses, subjects=subjects):
                games = {one.number for one in self._records() if player in one.seats}
                return not ({*self.players[player].addresses} <= {*addresses} and games <= {*dict(subjects)})
            case _:
                return False

    def _keep_game(self, game: Table, before: World) -> None:
        """Keep a game, or only what waits in it if nothing else has changed in it."""
        known, stored = before.games.get(game.number), self.tables.get(game.number)
        asked = self._asked(*map(_pending_of, (stored, known, game)))
        if known is not None and stored is not None and known.record.version == game.record.version:
            game = replace(stored, has_rematch=game.has_rematch)
        self.tables[game.number] = replace(game, pending=tuple(asked))

    def _carry_out(self, operation: operations.Operation) -> None:
        match operation:
            case operations.AddToLog():
                self.log.append(operation)
            case operations.RunTask(task=task, at=at):
                self.tasks[task] = self.tasks.get(task, at) if task.kind.is_asked_for else at
            case operations.WithdrawLetter(letter=letter):
                self._set(LetterState.WITHDRAWN, [self.outbox[letter]])
            case operations.WithdrawToSeat(game=game, seat=seat):
                to_seat = [one for one in self.outbox.values() if (one.game, one.seat) == (game, seat)]
                self._set(LetterState.WITHDRAWN, [one for one in to_seat if one.state in WAITING])
            case operations.SwapSeats(game=game):
                letters = [one for one in self.outbox.values() if one.game == game and one.seat is not None]
                for one in letters:
                    self.outbox[one.message_id] = replace(one, seat=Seat(one.seat).other)
                    said = self.said.get(one.message_id, ())
                    self.said[one.message_id] = tuple(replace(it, seat=it.seat.other) for it in said)
            case operations.SuspendLetters(address=address):
                waiting = (LetterState.QUEUED, LetterState.BOUNCED, LetterState.POSTPONED)
                self._set(LetterState.RESTING, self._to([address], *waiting))
            case operations.ReleaseLetters(address=address, player=player, max_postponed=most):
                put_off = self._to(self.players[player].addresses, LetterState.POSTPONED)
                put_off = [one for one in put_off if one.purpose is not LetterPurpose.CHAT]
                resting = self._to([address], LetterState.RESTING, LetterState.BOUNCED)
                self._set(LetterState.QUEUED, [*resting, *put_off[:most]])
            case operations.ReturnLetter(letter=letter, retry_at=again):
                self._set(LetterState.FAILED if again is None else LetterState.BOUNCED, [self.outbox[letter]])
            case operations.RememberAddress(digests=digests):
                self.remembered = {one: it for one, it in self.remembered.items() if one not in digests}
                self.remembered[digests[0]] = operation
            case operations.DropChat(player=player, reader=reader):
                for number, table in self.tables.items():
                    if reader in (None, *table.record.seats):
                        words = (
                            one
                            for one in table.waiting_chat
                            if table.record.seats[one.seat] != player or one.letter is not None
                        )
                        self.tables[number] = replace(table, waiting_chat=tuple(words))
            case operations.ErasePlayer(player=player, addresses=addresses):
                self._erase(player, addresses)
                world = erasing(operation)(self._everything())
                self.players, self.tables = dict(world.players), dict(world.games)
                self.open_seeks, self.questions = dict(world.seeks), [*world.pending]

    def _everything(self) -> World:
        return World(
            players=dict(self.players),
            games=dict(self.tables),
            seeks=dict(self.open_seeks),
            pending=tuple(self.questions),
        )

    def _erase(self, player: PlayerId, addresses: Collection[str]) -> None:
        """Delete all letters to a leaving player and about their games. Unsent ones are cancelled."""
        games = {one.number for one in self._records() if player in one.seats}
        for one in list(self.outbox.values()):
            if one.mail_to not in addresses and one.game not in games:
                continue
            self.outbox[one.message_id] = replace(
                one,
                state=LetterState.WITHDRAWN if one.state in WAITING else one.state,
                mail_to="" if one.mail_to in addresses else one.mail_to,
                raw=b"",
                text="",
                html_text=None,
            )

    def _asked(
        self, stored: Iterable[Pending], before: Iterable[Pending], after: Iterable[Pending]
    ) -> Iterator[Pending]:
        """Yield what is stored as pending with what has changed in them, and the new ones with new numbers."""
        closed, now = {one.id for one in before}, {one.id: one for one in after}
        yield from (now.get(one.id, one) for one in stored if one.id in now or one.id not in closed)
        for one in now.values():
            if one.id < 0:
                self._questions += 1
                yield replace(one, id=PendingId(self._questions))

    def _keep_letter(self, letter: Letter) -> None:
        assert letter.message_id not in self.outbox
        self._set(LetterState.WITHDRAWN, [self.outbox[one] for one in letter.replaces])
        if letter.released is not None:
            self._set(LetterState.QUEUED, [self.outbox[letter.released]])
        self.outbox[letter.message_id] = replace(letter, text="" if letter.purge_after_send else letter.text)
        if letter.chat_versions:
            assert letter.game is not None
            self._bring(letter, self._everything().games[letter.game])

    def _bring(self, letter: Letter, table: Table) -> None:
        """Store that chat is in a letter. If the letter is postponed, the chat waits as long as the letter does."""
        brought = tuple(one for one in table.waiting_chat if one.version in letter.chat_versions)
        assert len(brought) == len(letter.chat_versions)
        self.said[letter.message_id] = tuple(replace(one, letter=None) for one in brought)
        newest = list(table.last_chat)
        for one in brought:
            newest[one.seat] = one.words
        waiting = tuple(one for one in table.waiting_chat if one not in brought)
        if letter.postpones_chat:
            waiting += tuple(replace(one, letter=letter.message_id) for one in brought)
        self.tables[table.number] = replace(table, waiting_chat=waiting, last_chat=(newest[0], newest[1]))

    def _set(self, state: LetterState, letters: Iterable[Letter]) -> None:
        self.outbox |= {one.message_id: replace(one, state=state) for one in letters}

    def _to(self, addresses: Collection[str], *states: LetterState) -> list[Letter]:
        """Return the letters to some addresses in these states, or in any."""
        found = (one for one in self.outbox.values() if one.mail_to in addresses)
        return [one for one in found if not states or one.state in states]

    def send_all(self) -> None:
        """Send all queued letters."""
        self._set(LetterState.SENT, [one for one in self.outbox.values() if one.state is LetterState.QUEUED])

    def _all_pending(self) -> list[Pending]:
        return [*self.questions, *(one for game in self.tables.values() for one in game.pending)]

    # Queries of commands that involve letters, questions or the log.

    def next_number(self, table: Numbered, new: int = 0) -> int:
        return self._seeks + 1 if table == "seek" else super().next_number(table, new)

    def mailbox(self, address: str) -> Mailbox:
        owner = self.player_by_address(address)
        box = (owner and owner.mailbox(address)) or Mailbox(address)
        digests = self.services.key.digests(address)
        found = next((self.remembered[one] for one in digests if one in self.remembered), None)
        if box.verified_at is None and found is not None:
            box = replace(
                box,
                verified_at=found.verified_at,
                stopped_at=box.stopped_at or found.left_at,
                last_text=found.text,
                has_left=found.left_at is not None,
            )
        return replace(box, budget=self._budget(box))

    def addresses_asked(self, player: PlayerId, since: datetime) -> frozenset[str]:
        asked = (one for one in self.questions if one.kind is PendingKind.ADDRESS and one.player == player)
        return frozenset(one.address for one in asked if one.address is not None and one.asked_at >= since)

    def has_waiting_mail(self, player: PlayerId) -> bool:
        return player in self.waiting_mails

    def was_told_of_seat(self, address: str, game: GameNumber) -> bool:
        to = (one for one in self.outbox.values() if one.mail_to == address and one.game == game)
        return any(one.purpose is LetterPurpose.NONSENSE for one in to)

    def block_reason(self, player: PlayerId) -> str:
        why = [one.why for one in self.log if one.player == player and one.what == LogWord.BLOCKED]
        return why[-1] if why else ""

    def returned_letter(self, letters: Sequence[MessageId]) -> ReturnedLetter | None:
        every = list(self.outbox.values())
        found = [one for one in every if one.message_id in letters]
        if not found:
            return None
        one, number = found[-1], every.index(found[-1]) + 1
        return ReturnedLetter(
            number, one.message_id, one.mail_to, one.state, one.game, bool(one.raw), one.created_at
        )

    def waiting_tasks(self, game: GameNumber) -> frozenset[Task]:
        return frozenset(task for task in self.tasks if task.game == game)

    def faults_told(self, game: GameNumber) -> frozenset[str]:
        words = (LogWord.FROZEN, LogWord.ADJOURNED, LogWord.RESUMED)
        deeds = [one for one in reversed(self.log) if one.game == game and one.what in words]
        return frozenset(one.fault for one in takewhile(lambda deed: deed.what == LogWord.FROZEN, deeds))


def _ids_of(world: World) -> set[PendingId]:
    return {one.id for one in world.all_pending}


def _merged(stored: Player | None, before: Player | None, after: Player) -> Player:
    """Return a stored player with what has changed between two worlds."""
    if stored is None or before is None:
        return after
    changed = {
        one.name: getattr(after, one.name)
        for one in fields(after)
        if getattr(after, one.name) != getattr(before, one.name)
    }
    return replace(stored, **changed)


def _pending_of(game: Table | None) -> tuple[Pending, ...]:
    return () if game is None else game.pending


def _sent(letter: Letter) -> SentLetter:
    shown = (letter.version, letter.turn, letter.text, letter.html_text)
    return SentLetter(letter.message_id, letter.game, letter.seat, *shown)


def _ids(message: Message) -> frozenset[str]:
    return frozenset(one.lower() for one in (*message.in_reply_to, *message.references))
