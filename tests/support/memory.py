"""A store made of dictionaries. Snapshots are loaded from it, and outcomes are stored in it."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import TypeVar

from takmail.commands.affected_players import parties
from takmail.commands.evolve import evolved
from takmail.games.interface import Seat
from takmail.letters.letter import NewLetter
from takmail.letters.services import Services
from takmail.limits.mails import MAX_NAMED_GAMES
from takmail.mail.message import Message
from takmail.pipeline.authenticate import games_named, tokens
from takmail.pipeline.process import Conflict, Outcome
from takmail.pipeline.returned import MAY_COME_BACK
from takmail.world import events as ev
from takmail.world.ids import GameNumber, MessageId, PlayerId, QuestionId, SeekNumber
from takmail.world.kinds import BEGUN, LetterPurpose, LetterState, LogWord, QuestionKind, StrangerBudget
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
from takmail.world.queries import Lacks
from takmail.world.questions import Question
from takmail.world.snapshot import Cause, Snapshot
from takmail.world.table import Corrupt, Table
from takmail.world.world import World
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

    `now` is the time of the last cause. `said` are the chat messages in letters, by letter.
    """

    services: Services = SERVICES
    now: datetime = datetime.min
    outbox: dict[MessageId, NewLetter] = field(default_factory=dict)
    said: dict[MessageId, tuple[WaitingChat, ...]] = field(default_factory=dict)
    log: list[ev.Logged] = field(default_factory=list)
    remembered: dict[str, ev.AddressRemembered] = field(default_factory=dict)
    _seeks: int = 0
    _questions: int = 0

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
        self.questions = [one for one in self.questions if one.is_open(now)]
        self.players = {one.id: self._as_of_now(one) for one in self.players.values()}
        self.tables = {number: self._laid(game) for number, game in self.tables.items()}

    def _as_of_now(self, player: Player) -> Player:
        """Return a player with all data that is stored elsewhere."""
        by_address = sorted(player.mailboxes, key=lambda one: one.address)
        boxes = tuple(replace(one, budget=self._budget(one)) for one in by_address)
        begun = len(self.games_of(player.id, BEGUN))
        return replace(player, mailboxes=boxes, begun_games=min(begun, 2))

    def _laid(self, game: Table | Corrupt) -> Table | Corrupt:
        """Return a game with the current data of its players and threads."""
        first, second = (self.players[one] for one in game.record.seats)
        threads = (self._thread(game.number, Seat.FIRST), self._thread(game.number, Seat.SECOND))
        game = replace(game, players=(first, second), threads=threads)
        if isinstance(game, Corrupt):
            return game
        standing = tuple(one for one in game.offers if not game.is_overdue(one, self.now))
        asked = tuple(one for one in game.questions if one.is_open(self.now))
        return replace(
            game, offers=standing, questions=asked, has_rematch=self.rematch_of(game.number) is not None
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

    def _counted(self, letter: NewLetter) -> CountedLetter:
        asked = next((one for one in self.questions if one.letter == letter.message_id), None)
        host = None if letter.game is None else self.tables[letter.game].record.invited_by
        player = host or (None if asked is None else asked.player)
        addresses = self.players[player].addresses if player else ()
        return CountedLetter(letter.mail_to, letter.due_at, player, addresses)

    def decided(self, snapshot: Snapshot, decide: Callable[[Snapshot], T]) -> T:
        """Return what is decided on the snapshot and whatever it looks up here."""
        while True:
            try:
                return decide(snapshot)
            except Lacks as lacks:
                snapshot = snapshot.with_lookups(self, lacks)

    # Storing.

    def store(self, outcome: Outcome) -> None:
        """Store everything that follows from a cause. Raises Conflict if a precondition no longer holds."""
        replaced = (self.outbox[one] for letter in outcome.letters for one in letter.replaces)
        if (
            any(map(self._is_conflict, outcome.events))
            or any(self._version(number) != version for number, version in _base_of(outcome).items())
            or any(one.state is not LetterState.POSTPONED for one in replaced)
        ):
            raise Conflict
        for event in outcome.events:
            self._keep(event)
        self._take(evolved(self.services, self.now, self._everything(), outcome.events))
        for letter in outcome.letters:
            self._keep_letter(letter)

    def _everything(self) -> World:
        return World(
            players=dict(self.players),
            games=dict(self.tables),
            seeks=dict(self.open_seeks),
            pending=tuple(self.questions),
        )

    def _version(self, number: GameNumber) -> int:
        return self.tables[number].record.version if number in self.tables else 0

    def _is_conflict(self, event: ev.Event) -> bool:
        """Tell whether another cause has changed a precondition of an event, apart from the versions of games."""
        if any(self.players[one].is_erased for one in parties(event) if one in self.players):
            return True
        match event:
            case ev.SeekJoined(seek=seek):
                return seek not in self.open_seeks
            case ev.SeeksClosed(numbers=numbers):
                return not self.open_seeks.keys() >= {*numbers}
            case ev.SeekOpened(seek=seek, is_repeated=False):
                return seek.number <= self._seeks
            case ev.QuestionClosed(question=number) | ev.QuestionReplaced(question=number):
                return number > 0 and number not in {one.id for one in self._all_questions()}
            case ev.TurnsTakenBack(cancelled_letter=letter) if letter is not None:
                return self.outbox[letter].state not in UNCLAIMED
            case ev.LetterReturned(letter=letter):
                return self.outbox[letter].state not in MAY_COME_BACK
            case ev.PlayerJoined(player=player):
                return player.id in self.players or any(map(self.player_by_address, player.addresses))
            case ev.PlayerNamed(player=number, skeleton=skeleton):
                namesake = self.player_by_skeleton(skeleton)
                return namesake is not None and namesake.id != number
            case ev.AddressAdded(address=address):
                return self.player_by_address(address) is not None
            case ev.MailboxBounced(address=address, bounces_before=before):
                return self.mailbox(address).bounces != before
            case ev.PlayerErased(player=number, addresses=addresses, subjects=subjects):
                games = {one.number for one in self._records() if number in one.seats}
                return not ({*self.players[number].addresses} <= {*addresses} and games <= {*dict(subjects)})
            case ev.GameProposed(record=record):
                return record.rematch_of is not None and self.rematch_of(record.rematch_of) is not None
            case _:
                return False

    def _keep(self, event: ev.Event) -> None:
        """Store the changes of an event that `evolve` does not make, mostly those of letters."""
        match event:
            case ev.Logged():
                self.log.append(event)
            case ev.TurnPlayed(game=game, turn=turn):
                self.played_at[game, turn.number] = self.now
            case ev.OfferMade(game=game, offer=offer, version=version):
                self.made.setdefault(game, []).append(replace(offer, version=version))
            case ev.OfferClosed(game=game, offer=closed, how=how, version=version):
                self.made[game] = [
                    replace(one, ended=how, ended_version=version) if one.version == closed else one
                    for one in self.offers(game)
                ]
            case ev.GameEnded(game=game):
                self.made.pop(game, None)
            case ev.SeekOpened(seek=seek):
                self._seeks = max(self._seeks, seek.number)
            case ev.TurnsTakenBack(cancelled_letter=letter) if letter is not None:
                self._set(LetterState.WITHDRAWN, [self.outbox[letter]])
            case ev.InvitationDeclined(game=game, seat=seat) | ev.InvitationWithdrawn(game=game, seat=seat):
                to_seat = [one for one in self.outbox.values() if (one.game, one.seat) == (game, seat)]
                self._set(LetterState.WITHDRAWN, [one for one in to_seat if one.state in WAITING])
            case ev.LettersSuspended(address=address):
                waiting = (LetterState.QUEUED, LetterState.BOUNCED, LetterState.POSTPONED)
                self._set(LetterState.RESTING, self._to([address], *waiting))
            case ev.LettersReleased(address=address, player=player, max_postponed=most):
                put_off = self._to(self.players[player].addresses, LetterState.POSTPONED)
                put_off = [one for one in put_off if one.purpose is not LetterPurpose.CHAT]
                resting = self._to([address], LetterState.RESTING, LetterState.BOUNCED)
                self._set(LetterState.QUEUED, [*resting, *put_off[:most]])
            case ev.LetterReturned(letter=letter, retry_at=again):
                self._set(LetterState.FAILED if again is None else LetterState.BOUNCED, [self.outbox[letter]])
            case ev.AddressRemembered(digests=digests):
                self.remembered = {one: it for one, it in self.remembered.items() if one not in digests}
                self.remembered[digests[0]] = event
            case ev.PlayerErased(player=player, addresses=addresses):
                self._erase(player, addresses)

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
        for number in games:
            self.made.pop(number, None)
            self.said_against.pop(number, None)

    def _take(self, state: World) -> None:
        """Replace all data with a complete state."""
        self.players = dict(state.players)
        self.tables = {number: self._filed(game) for number, game in state.games.items()}
        self.open_seeks = {
            number: one for number, one in state.seeks.items() if number not in state.closed_seeks
        }
        self.questions = list(self._numbered(state.pending))

    def _filed(self, game: Table | Corrupt) -> Table | Corrupt:
        if isinstance(game, Corrupt):
            return game
        known = {one.version for one in self.disputes(game.number)}
        self.said_against.setdefault(game.number, []).extend(
            one for one in game.disputes if one.version not in known
        )
        return replace(game, questions=tuple(self._numbered(game.questions)))

    def _numbered(self, questions: Iterable[Question]) -> Iterator[Question]:
        """Yield the questions, each new one with a new number."""
        for one in questions:
            self._questions += one.id < 0
            yield replace(one, id=QuestionId(self._questions)) if one.id < 0 else one

    def _keep_letter(self, letter: NewLetter) -> None:
        assert letter.message_id not in self.outbox
        self._set(LetterState.WITHDRAWN, [self.outbox[one] for one in letter.replaces])
        self.outbox[letter.message_id] = replace(letter, text="" if letter.purge_after_send else letter.text)
        if letter.chat_versions:
            assert letter.game is not None
            self._bring(letter, self._everything().table(letter.game))

    def _bring(self, letter: NewLetter, table: Table) -> None:
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

    def _set(self, state: LetterState, letters: Iterable[NewLetter]) -> None:
        self.outbox |= {one.message_id: replace(one, state=state) for one in letters}

    def _to(self, addresses: Collection[str], *states: LetterState) -> list[NewLetter]:
        """Return the letters to some addresses in these states, or in any."""
        found = (one for one in self.outbox.values() if one.mail_to in addresses)
        return [one for one in found if not states or one.state in states]

    def send_all(self) -> None:
        """Send all queued letters."""
        self._set(LetterState.SENT, [one for one in self.outbox.values() if one.state is LetterState.QUEUED])

    def _all_questions(self) -> list[Question]:
        games = (game for game in self.tables.values() if isinstance(game, Table))
        return [*self.questions, *(one for game in games for one in game.questions)]

    # Queries of commands that involve letters, questions or the log.

    def next_seek(self) -> SeekNumber:
        return SeekNumber(self._seeks + 1)

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
        asked = (one for one in self.questions if one.kind is QuestionKind.ADDRESS and one.player == player)
        return frozenset(one.address for one in asked if one.address is not None and one.asked_at >= since)

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

    def frozen_for(self, game: GameNumber) -> str | None:
        words = (LogWord.FROZEN, LogWord.ADJOURNED, LogWord.RESUMED)
        deeds = [one for one in self.log if one.game == game and one.what in words]
        return deeds[-1].fault if deeds and deeds[-1].what == LogWord.FROZEN else None

    def shunted_mails(self, game: GameNumber) -> Sequence[int]:  # noqa: ARG002 - it keeps no mails
        return ()


def _base_of(outcome: Outcome) -> dict[GameNumber, int]:
    """Return the versions that the games had before the events."""
    events = (one for one in reversed(outcome.events) if isinstance(one, ev.GameEvent))
    return {one.game: one.version - 1 for one in events}


def _sent(letter: NewLetter) -> SentLetter:
    shown = (letter.version, letter.turn, letter.text, letter.html_text)
    return SentLetter(letter.message_id, letter.game, letter.seat, *shown)


def _ids(message: Message) -> frozenset[str]:
    return frozenset(one.lower() for one in (*message.in_reply_to, *message.references))
