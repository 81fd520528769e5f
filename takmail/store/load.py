"""Load the snapshot of a cause in few statements: a summary query says which tables have rows about each game."""

from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import bindparam, or_
from sqlmodel import Session, col

from takmail.games.interface import Seat, State
from takmail.letters.services import Services
from takmail.limits.mails import MAX_NAMED_GAMES
from takmail.mail.message import Dmarc, Mail
from takmail.mail.tokens import SeatRef
from takmail.pipeline.authenticate import games_named, is_refuted, tokens
from takmail.pipeline.process import Conflict
from takmail.store import games, operator_log, people
from takmail.store.games import Replay, Replays
from takmail.store.letter_counts import LetterCounts
from takmail.store.people import People
from takmail.store.record import Record
from takmail.store.records import BOARDS, DISPUTES, PENDING, TAKEN_BACK, TURNS
from takmail.store.statements import run
from takmail.store.tables import PendingRow
from takmail.store.tables.column_types import LARGEST
from takmail.store.threads import (
    NAMED_LETTERS,
    NO_CHAT,
    OF_THREADS,
    SENT_LETTER,
    Letters,
    load_chat,
)
from takmail.store.turn_times import with_turn_times
from takmail.world import (
    ON_TIME,
    Cause,
    Correspondence,
    Corruption,
    Game,
    GameNumber,
    GameRecord,
    LogWord,
    MessageId,
    Pending,
    Player,
    PlayerId,
    Queries,
    Ruling,
    Run,
    SentLetter,
    Snapshot,
    Standing,
    World,
    check_pending,
    or_fault,
)

DAY = timedelta(days=1)

_OF_GAMES_OR_ADDRESSES = PENDING.query.where(
    or_(
        col(PendingRow.game_id).in_(bindparam("games", expanding=True)),
        col(PendingRow.address).in_(bindparam("addresses", expanding=True)),
    )
)

NOTHING_NAMED: Mapping[str, Sequence[str]] = {"replies": (), "ids": ()}
"""The parameters for the letters that a mail names if it names none."""


@dataclass(slots=True)
class Loader:
    """Loads from the database in one transaction. `now` is the UTC-aware time of the cause.

    Each statement sees what is committed when it runs. A game that is loaded again with another version raises
    Conflict, because the decision may be based on the first one.

    The letters that a mail names (`named_by`) are loaded together with the first game. `answered` is the newest letter
    of takmail's that the mail answers, or None. If `with_turn_times` is true, what clocks depend on is loaded also of
    games in which none runs. `known` are the Message-IDs in the mail that belong to letters of takmail's. `counts`
    are the letters to somebody on which a decision relies.
    """

    session: Session
    services: Services
    replays: Replays
    now: datetime
    named: Mapping[str, Sequence[str]] = field(default_factory=lambda: NOTHING_NAMED)
    answered: SentLetter | None = None
    with_turn_times: bool = False
    known: set[MessageId] = field(default_factory=set)
    counts: LetterCounts = field(init=False)
    _versions: dict[GameNumber, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.counts = LetterCounts(self.session, self.now)

    def check_version(self, record: GameRecord) -> GameRecord:
        """Return a game's record. Raise Conflict if the game was loaded before with another version."""
        if self._versions.setdefault(record.number, record.version) != record.version:
            raise Conflict(f"game {record.number}")
        return record

    def with_budgets(self, known: People, address: str = "") -> People:
        """Return players with the budgets of their mailboxes. `address` is another one whose budget will be read."""
        addresses = (address for player in known.players.values() for address in player.addresses)
        self.counts.note((*addresses, *([address] if address else [])))
        return people.with_budgets(self.session, known, self.now)

    def summaries(self, numbers: Collection[int]) -> Sequence[Any]:
        """Return the rows of `games.THESE` for these numbers. Games that don't exist are missing."""
        known = [one for one in numbers if one <= LARGEST]
        return run(self.session, games.THESE, games=known) if known else ()

    def pending(self, numbers: Collection[int], addresses: Collection[str]) -> Sequence[Pending]:
        """Return what waits for a word in these games or from these addresses, oldest first. Some may have expired."""
        if not numbers and not addresses:
            return ()
        rows = run(self.session, _OF_GAMES_OR_ADDRESSES, games=list(numbers), addresses=sorted(addresses))
        return [item.at(self.now) for item in PENDING.values_of(rows)]

    def games(self, found: Sequence[Any], players: Mapping[PlayerId, Player]) -> Mapping[GameNumber, Game]:
        """Load the games of these summaries, whose players (`players`) are loaded already."""
        waiting = self.pending([row.id for row in found if row.has_pending], ())
        return {
            GameNumber(row.id): self._game(row, players, [item for item in waiting if item.game == row.id])
            for row in found
        }

    def find_letters(self) -> None:
        """Load the letters of takmail's that the mail names, unless they were loaded together with a game."""
        if self.named != NOTHING_NAMED:
            self._note_letters(run(self.session, NAMED_LETTERS, **self.named))

    def _note_letters(self, rows: Iterable[Any]) -> None:
        self.named = NOTHING_NAMED
        for row in rows:
            if row.what in ("answered", "known"):
                self.known.add(MessageId(row.message_id))
            if row.what == "answered":
                self.answered = SentLetter(*row[: len(SENT_LETTER)])

    def _game(self, row: Any, players: Mapping[PlayerId, Player], waiting: Sequence[Pending]) -> Game:
        session, record = self.session, self.check_version(games.game_record(row))
        rules = self.services.games.rules_of(record)
        first, second = record.players
        pair = (players[first], players[second])
        letters = self._letters(record.number)
        chat = load_chat(session, record.number, letters.unclaimed) if row.has_chat else NO_CHAT
        taken_back = _rows(session, TAKEN_BACK, row)

        def replay() -> Replay:
            sound = self.replays.replay(session, record, rules, taken_back)
            check_pending(record, rules, sound.states, len(sound.turns), waiting)
            return sound

        states: tuple[State, ...] | Corruption
        runs: tuple[Run, ...] = ()
        played = or_fault(replay)
        if isinstance(played, Corruption):
            turns, states = tuple(TURNS.load(session, record.number)), played
        else:
            turns, states, runs = played.turns, played.states, played.runs
        last_chat, versions = zip(*(chat.last_written.get(seat, (None, 0)) for seat in Seat), strict=True)
        boards = {board.seat: board for board in _rows(session, BOARDS, row)}
        game = Game(
            record,
            rules,
            pair,
            turns,
            states,
            pending=tuple(waiting),
            taken_back=runs,
            every_dispute=tuple(_rows(session, DISPUTES, row)),
            correspondence=Correspondence(
                waiting_chat=chat.waiting,
                last_chat=last_chat,
                last_chat_versions=versions,
                threads=(letters.thread(Seat.FIRST, chat), letters.thread(Seat.SECOND, chat)),
                shown_boards=(boards.get(0), boards.get(1)),
            ),
            why=_operators_reason(session, record),
            has_rematch=row.has_rematch,
        )
        return with_turn_times(self.session, game, self.now, is_due=self.with_turn_times)

    def _letters(self, number: int) -> Letters:
        """Return the letters of a game's threads. Those that the mail names are loaded in the same statement."""
        rows = run(self.session, OF_THREADS, game=number, **self.named)
        self._note_letters(rows)
        return Letters(rows)


def named_by(message: Mail) -> Mapping[str, Sequence[str]]:
    """Return the parameters of the query for the letters that a mail names.

    References matter only if nothing in In-Reply-To is the Message-ID of a letter. Message-IDs are in lower case, as
    mail programs may change the case.
    """
    thread = message.thread
    return {
        "replies": [message_id.lower() for message_id in thread.in_reply_to],
        "ids": [*{message_id.lower() for message_id in thread.all}],
    }


def _rows(session: Session, record: Record, row: Any) -> Sequence[Any]:
    """Return the values of a record that belong to the game of a row of `games.THESE`."""
    return record.load(session, row.id) if getattr(row, f"has_{record.table.__tablename__}") else ()


def _operators_reason(session: Session, record: GameRecord) -> str:
    """Return the reason of the operator's last action that explains the game's standing, or ''."""
    is_adjourned = record.standing == Standing.ADJOURNED
    if not is_adjourned and record.end.ruling in (None, Ruling.AGREED, *ON_TIME):
        return ""
    words = (LogWord.ADJOURNED, LogWord.FROZEN) if is_adjourned else (LogWord.ENDED, LogWord.CORRECTED)
    lines = operator_log.of_game(session, record.number, *words)
    return lines[-1].why if lines and lines[-1].what != LogWord.FROZEN else ""


def load_snapshot(loader: Loader, world: World, cause: Cause, message: Mail) -> Snapshot:
    """Return the snapshot for a mail. What nearly every mail needs is read at once, in few statements.

    `with_named_letters` must have added to `message` the letters that it names. Offers and questions that have expired
    are left out. They stay in the database until retention closes them.
    """
    session, services, now, stored = loader.session, loader.services, loader.now, world.stored
    proofs = tuple(tokens(services.key, message))
    named = games_named(proofs, message)[:MAX_NAMED_GAMES]
    found = loader.summaries(named)
    known = people.load(session, _players(found), message.sender)
    player = known.owner(message.sender)
    filled = loader.with_budgets(known, message.sender)
    for number, filled_player in filled.players.items():
        stored.know(Queries.player, number, answer=filled_player)
    stored.know(Queries.player_by_address, message.sender, answer=filled.owner(message.sender))
    loader.named = named_by(message)
    loaded = loader.games(found, filled.players)
    for game in named:
        stored.know(Queries.game, game, answer=loaded.get(game))
    loader.find_letters()
    answered = loader.answered
    if answered is not None and answered.game is not None and answered.game not in named:
        of_letter = load_games(loader, [answered.game], filled).get(answered.game)
        stored.know(Queries.game, answered.game, answer=of_letter)
    addresses = _addresses_that_answer(message.sender, player, proofs, found, known)
    # Whether there are questions is known for players' addresses only.
    asked = loader.pending((), addresses & known.asked if player is not None else addresses)
    for address in addresses:
        questions = [question for question in asked if question.address == address]
        stored.know(Queries.questions_to, address, answer=questions)
    sender = people.mailbox_of(session, services.key, message.sender, filled, now)
    stored.know(Queries.mailbox, message.sender, answer=sender)
    if not _is_proven_player(services, message, proofs, found, player):
        if player is None:
            loader.counts.rely_on(message.sender, (message.sender,))
        else:
            loader.counts.rely_on(str(player.id), player.addresses)
    return Snapshot(
        cause=cause,
        now=now,
        seed=services.key.seed(cause.name),
        world=world,
        sender=sender,
        player=world.owner(message.sender),
        answered=answered,
        known_letters=frozenset(loader.known),
    )


def load_games(
    loader: Loader, numbers: Collection[int], known: People | None = None
) -> Mapping[GameNumber, Game]:
    """Load the games with these numbers, and their players. Games that don't exist are missing.

    Players in `known` are not loaded again.
    """
    found = loader.summaries(numbers)
    loaded = {} if known is None else known.players
    missing = people.load(loader.session, _players(found) - loaded.keys())
    players = {**loaded, **loader.with_budgets(missing).players}
    return loader.games(found, players)


def load_cause(
    loader: Loader, world: World, cause: Cause, games: Collection[int] = (), players: Collection[int] = ()
) -> Snapshot:
    """Return the snapshot for a cause that is not a mail. These games and these players are read at once."""
    known = loader.with_budgets(people.load(loader.session, players))
    for number, player in known.players.items():
        world.stored.know(Queries.player, number, answer=player)
    for game_number, game in load_games(loader, games, known).items():
        world.stored.know(Queries.game, game_number, answer=game)
    return Snapshot(cause=cause, now=loader.now, seed=loader.services.key.seed(cause.name), world=world)


def _players(found: Sequence[Any]) -> frozenset[int]:
    """Return the numbers of all players of games."""
    return frozenset(player for row in found for player in (row.first, row.second))


def _is_proven_player(
    services: Services,
    message: Mail,
    proofs: Sequence[SeatRef],
    found: Sequence[Any],
    player: Player | None,
) -> bool:
    """Return whether it is proven that the player wrote the mail.

    The number of answers to such a player is not limited, so its count needs no lock.
    """
    mailbox = None if player is None else player.mailbox(message.sender)
    if player is None or mailbox is None or is_refuted(message, mailbox):
        return False
    known = {
        row.id: ((row.first, row.first_token_number), (row.second, row.second_token_number)) for row in found
    }
    has_token = any(
        known[ref.game][ref.seat] == (player.id, ref.number) for ref in proofs if ref.game in known
    )
    thread = message.thread.all
    return (
        has_token
        or message.dmarc is Dmarc.PASS
        or services.key.proves_address(message.recipients, thread, message.sender, mailbox.token_number)
    )


def _addresses_that_answer(
    sender: str, player: Player | None, proofs: Sequence[SeatRef], found: Sequence[Any], known: People
) -> Set[str]:
    """Return the addresses whose open questions the mail may answer: those of its sender and of the proven seats."""
    owners: set[PlayerId] = set() if player is None else {player.id}
    seats = {row.id: (row.first, row.second) for row in found}
    owners |= {PlayerId(seats[proof.game][proof.seat]) for proof in proofs if proof.game in seats}
    return {sender, *(address for owner in owners for address in known.players[owner].addresses)}
