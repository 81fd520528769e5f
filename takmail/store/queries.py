"""Queries of commands beside the snapshot, by SQL."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, func, or_, text
from sqlmodel import Session, col

from takmail.commands.game.match import Finished, counted_as
from takmail.commands.game.table import Corrupt, Table
from takmail.commands.kinds import BEGUN, LetterState, LogWord, QuestionKind, Ruling, Standing
from takmail.commands.personal_data import PersonalData
from takmail.commands.records import (
    Dispute,
    DisputeEvidence,
    GameNumber,
    GameRecord,
    Mailbox,
    MessageId,
    Offer,
    Player,
    PlayerId,
    Question,
    ReturnedLetter,
    Seek,
    SeekNumber,
)
from takmail.games.interface import Seat
from takmail.letters.services import Services
from takmail.pipeline.values import Conflict
from takmail.store import games, mail_queries, operator_log, people
from takmail.store import personal_data as stored_data
from takmail.store.erasure import WAITING
from takmail.store.load import (
    DISPUTES,
    OFFERS,
    QUESTIONS,
    SEEKS,
    dispute_of,
    offer_of,
    question_of,
    seek_of,
    sent,
)
from takmail.store.people import People
from takmail.store.replays import Replays
from takmail.store.snapshot import load_games
from takmail.store.statements import run, select
from takmail.store.tables import BlockRow, GameRow, OutboxRow, PlayerRow, QuestionRow, SeatRow, SeekRow
from takmail.store.tables.column_types import LARGEST

_BLOCKS = select(BlockRow.player_id).where(
    col(BlockRow.player_id) == bindparam("player"), col(BlockRow.blocked_id) == bindparam("other")
)
_BLOCKED = (
    select(BlockRow.blocked_id)
    .where(col(BlockRow.player_id) == bindparam("player"))
    .order_by(col(BlockRow.blocked_id))
)
_REMATCH = (
    games.RECORDS.where(
        col(GameRow.rematch_of) == bindparam("game"), col(GameRow.standing) != Standing.DECLINED
    )
).limit(1)
_WAS_ASKED = (
    select(GameRow.id)
    .join(SeatRow, col(SeatRow.game_id) == GameRow.id)
    .where(
        col(SeatRow.player_id) == bindparam("player"),
        col(GameRow.invited_by) != bindparam("player"),
        col(GameRow.asked_at).is_not(None),
    )
    .limit(1)
)
_GAMES_OF_ONE = select(SeatRow.game_id).where(col(SeatRow.player_id) == bindparam("one"))
_GAMES_OF_OTHER = select(SeatRow.game_id).where(col(SeatRow.player_id) == bindparam("other"))
_BETWEEN = (
    col(GameRow.id).in_(_GAMES_OF_ONE),
    col(GameRow.id).in_(_GAMES_OF_OTHER),
    col(GameRow.kind) == bindparam("kind"),
)
_LAST_BEGINNER = (
    select(SeatRow.player_id)
    .join(GameRow, col(GameRow.id) == SeatRow.game_id)
    .where(col(SeatRow.seat) == 0, *_BETWEEN, col(GameRow.standing).in_(BEGUN))
    .order_by(col(GameRow.id).desc())
    .limit(1)
)
_OPPONENTS = (
    select(GameRow.kind, SeatRow.player_id)
    .join(SeatRow, col(SeatRow.game_id) == GameRow.id)
    .where(
        col(GameRow.id).in_(_GAMES_OF_ONE),
        col(SeatRow.player_id) != bindparam("one"),
        col(GameRow.standing).in_(BEGUN),
    )
    .order_by(col(GameRow.id))
)
_FINISHED = games.RECORDS.where(
    *_BETWEEN,
    col(GameRow.standing) == Standing.OVER,
    or_(col(GameRow.ruling).is_(None), col(GameRow.ruling) != Ruling.VOID),
)
_SEEK = SEEKS.where(col(SeekRow.id) == bindparam("seek"))
_ADDRESSES_ASKED = select(QuestionRow.address).where(
    col(QuestionRow.player_id) == bindparam("player"),
    col(QuestionRow.kind) == QuestionKind.ADDRESS,
    col(QuestionRow.asked_at) >= bindparam("since"),
)
_QUESTIONS_TO = QUESTIONS.where(col(QuestionRow.address) == bindparam("address"))
_LOOKED_THROUGH = 200
"""Letters of a game, the newest, among which one is sought that showed a board."""
_LETTERS: Any = select(
    OutboxRow.id,
    OutboxRow.message_id,
    OutboxRow.mail_to,
    OutboxRow.state,
    OutboxRow.game_id,
    OutboxRow.seat,
    OutboxRow.version,
    OutboxRow.shown,
    OutboxRow.text,
    OutboxRow.html_text,
    OutboxRow.created_at,
    OutboxRow.intake_id,
    func.length(OutboxRow.raw).label("length"),
).order_by(col(OutboxRow.id).desc())
_RETURNED = _LETTERS.where(col(OutboxRow.message_id).in_(bindparam("letters", expanding=True))).limit(1)
_LAST_SENT = _LETTERS.where(
    col(OutboxRow.game_id) == bindparam("game"),
    col(OutboxRow.seat) == bindparam("seat"),
    col(OutboxRow.state) == LetterState.SENT,
).limit(1)
_LETTERS_OF = _LETTERS.where(col(OutboxRow.game_id) == bindparam("game")).limit(bindparam("most"))
_TOLD_OF = _LETTERS.where(
    col(OutboxRow.game_id) == bindparam("game"),
    col(OutboxRow.turn) == bindparam("turn"),
    col(OutboxRow.state) != LetterState.WITHDRAWN,
).limit(1)
_TO_OPPONENTS = (
    select(OutboxRow.game_id, OutboxRow.message_id, OutboxRow.state)
    .join(SeatRow, col(SeatRow.game_id) == OutboxRow.game_id)
    .where(
        col(SeatRow.player_id) == bindparam("player"),
        col(SeatRow.seat) != OutboxRow.seat,
        col(OutboxRow.state) != LetterState.WITHDRAWN,
    )
    .order_by(col(OutboxRow.id))
)
_GIVEN = text("SELECT seq FROM sqlite_sequence WHERE name = :table")


@dataclass(frozen=True, slots=True)
class SqlQueries:
    """The port `Queries` to what one transaction sees by `now`.

    Each statement sees what is committed by then. A game that is given at another version than before raises Conflict:
    what was decided on the first would be stored on the second.
    """

    session: Session
    services: Services
    replays: Replays
    now: datetime
    _versions: dict[GameNumber, int] = field(default_factory=dict, init=False)

    def next_game(self) -> GameNumber:
        """The number of the next game; no number is given twice, and gaps are fine."""
        return GameNumber(self._next(GameRow))

    def next_player(self) -> PlayerId:
        """The number of the next player; as `next_game`."""
        return PlayerId(self._next(PlayerRow))

    def next_seek(self) -> SeekNumber:
        """The number of the next seek; as `next_game`."""
        return SeekNumber(self._next(SeekRow))

    def player(self, player: PlayerId) -> Player:
        """A player who is known to exist, with all mailboxes."""
        return self._filled(people.load(self.session, [player]))[0]

    def player_by_address(self, address: str) -> Player | None:
        """Whose address this is, in normal form; until the transaction ends nobody else counts the letters to them.

        Who is found so is mostly written to, as whoever is invited.
        """
        return self._counted(people.load(self.session, (), address))

    def player_by_skeleton(self, skeleton: str) -> Player | None:
        """Whose name it is that has this skeleton, if anybody's own; counted as by `player_by_address`."""
        return self._counted(people.by_skeleton(self.session, skeleton))

    def skeletons(self, beginning: str) -> frozenset[str]:
        """The skeletons of all names that begin so."""
        column = col(PlayerRow.skeleton)
        query = select(PlayerRow.skeleton).where(column.startswith(beginning, autoescape=True))
        return frozenset(self.session.connection().execute(query).scalars())

    def mailbox(self, address: str) -> Mailbox:
        """An address with what was written to it of late, be it anybody's or not."""
        known = people.load(self.session, (), address)
        _, mailboxes = people.with_budgets(self.session, known, self.now, [address])
        return mailboxes[address]

    def blocks(self, player: PlayerId, other: PlayerId) -> bool:
        """Whether a player wants to hear nothing of another one."""
        return run(self.session, _BLOCKS, player=player, other=other).first() is not None

    def blocked_by(self, player: PlayerId) -> Sequence[Player]:
        """Of whom a player wants to hear nothing, by number."""
        blocked = list(run(self.session, _BLOCKED, player=player).scalars())
        return list(people.load(self.session, blocked).players.values())

    def table(self, number: GameNumber) -> Table | Corrupt | None:
        """A game with everything on its table; None: there is none of this number."""
        state = load_games(self.session, self.services, self.replays, [number], self.now)
        game = state.games.get(number)
        if game is not None:
            self._as_given(game.record)
        return game

    def games_of(self, player: PlayerId, standings: Sequence[Standing]) -> Sequence[GameRecord]:
        """The games that a player sits in, in these standings, by number."""
        return [self._as_given(one) for one in games.of_player(self.session, player, standings)]

    def rematch_of(self, number: GameNumber) -> GameRecord | None:
        """The game that follows on a finished one, unless it was declined."""
        row = run(self.session, _REMATCH, game=number).first()
        return None if row is None else self._as_given(games.record_of(row))

    def was_asked(self, player: PlayerId) -> bool:
        """Whether a player has ever got an invitation."""
        return run(self.session, _WAS_ASKED, player=player).first() is not None

    def last_beginner(self, kind: str, one: PlayerId, other: PlayerId) -> PlayerId | None:
        """Who had the first seat in the newest game of a kind that two players have begun; None: there is none."""
        found = run(self.session, _LAST_BEGINNER, kind=kind, one=one, other=other).scalar()
        return None if found is None else PlayerId(found)

    def opponents(self, player: PlayerId) -> Sequence[tuple[str, PlayerId]]:
        """The opponents of a player's games, each with the kind of game; each once, longest known first."""
        rows: Iterable[Any] = run(self.session, _OPPONENTS, one=player)
        return list(dict.fromkeys((kind, PlayerId(other)) for kind, other in rows))

    def finished(self, kind: str, one: PlayerId, other: PlayerId) -> Sequence[Finished]:
        """The games of a kind that two players have finished, by number; those that are void are none of them.

        What each has scored is stored with it, and counted anew where what it follows from is not as it was then.
        """
        rows = run(self.session, _FINISHED, kind=kind, one=one, other=other)
        found = [games.record_of(row) for row in rows]
        turns = games.texts_in_one(self.session, [record.number for record in found])
        return [self._finished(record, turns.get(record.number, "")) for record in found]

    def ended_offers(self, game: GameNumber) -> Sequence[Offer]:
        """The offers of a game that stand no more, oldest first; so is a proposal whose time is over."""
        found = (offer_of(row) for row in run(self.session, OFFERS, game=game))
        return [one for one in found if one.ended is not None or Table.is_overdue(one, self.now)]

    def disputes(self, game: GameNumber) -> Sequence[Dispute]:
        """All disputes of a game, oldest first."""
        return [dispute_of(row) for row in run(self.session, DISPUTES, game=game)]

    def seek(self, number: SeekNumber) -> Seek | None:
        """A seek, be it as old as it may."""
        row = run(self.session, _SEEK, seek=number).one_or_none() if number <= LARGEST else None
        return None if row is None else seek_of(row)

    def seeks(self) -> Sequence[Seek]:
        """All seeks, oldest first, be they as old as they may."""
        return [seek_of(row) for row in run(self.session, SEEKS)]

    def questions_to(self, address: str) -> Sequence[Question]:
        """The questions that are open to an address, oldest first, be they as old as they may.

        Those that newer ones have replaced are among them, and those for which no letter was written.
        """
        return [question_of(row) for row in run(self.session, _QUESTIONS_TO, address=address)]

    def addresses_asked(self, player: PlayerId, since: datetime) -> frozenset[str]:
        """The addresses that a player has claimed since a moment, and that are not confirmed."""
        return frozenset(run(self.session, _ADDRESSES_ASKED, player=player, since=since).scalars())

    def why_barred(self, player: PlayerId) -> str:
        """Why the operator has last blocked a player, '' if never."""
        deed = operator_log.last_of_player(self.session, player, LogWord.BLOCKED)
        return "" if deed is None else deed.why

    def personal_data(self, player: PlayerId, most: int, most_posts: int) -> PersonalData:
        """All that is held about a player: of each kind the newest rows, and how many older ones there are."""
        return stored_data.personal_data(self.session, player, most, most_posts)

    def former_names(self, player: PlayerId) -> Sequence[str]:
        """The names that letters to a player went to."""
        return stored_data.former_names(self.session, player, self.services.limits)

    def returned_letter(
        self, letters: Sequence[MessageId], seats: Sequence[tuple[GameNumber, Seat]]
    ) -> ReturnedLetter | None:
        """The newest of our letters with one of these Message-IDs, else the last that has left for the first seat."""
        row = run(self.session, _RETURNED, letters=list(letters)).first() if letters else None
        if row is None and seats:
            game, seat = seats[0]
            row = run(self.session, _LAST_SENT, game=game, seat=seat).first() if game <= LARGEST else None
        if row is None:
            return None
        return ReturnedLetter(
            row.id,
            MessageId(row.message_id),
            row.mail_to,
            LetterState(row.state),
            None if row.game_id is None else GameNumber(row.game_id),
            row.length > 0,
        )

    def frozen_for(self, game: GameNumber) -> str | None:
        """The digest of the fault for which a game was last frozen, '' if it was not kept.

        None: never, or it was adjourned or resumed since.
        """
        deed = operator_log.last_of_game(
            self.session, game, LogWord.FROZEN, LogWord.ADJOURNED, LogWord.RESUMED
        )
        return deed.fault or "" if deed is not None and deed.what == LogWord.FROZEN else None

    def evidence(self, game: GameNumber, turn: int) -> DisputeEvidence:
        """What is kept of a corrupt game that may tell how it was, above all at a turn."""
        rows = run(self.session, _LETTERS_OF, game=game, most=_LOOKED_THROUGH).all()
        told = run(self.session, _TOLD_OF, game=game, turn=turn).first()
        return DisputeEvidence(
            letters=tuple(sent(row) for row in rows),
            told=None if told is None else sent(told),
            told_at=None if told is None else told.created_at,
            told_mail=None if told is None else told.intake_id,
            turns=tuple(games.turns(self.session, game)),
            mail=mail_queries.that_played(self.session, game, turn),
            kept=tuple(mail_queries.kept_for(self.session, game)),
        )

    def games_with_waiting_letters(self, player: PlayerId) -> Mapping[GameNumber, Sequence[MessageId]]:
        """The games with letters to a player's opponent that have not left yet, each with those that have."""
        waiting: set[GameNumber] = set()
        left: dict[GameNumber, list[MessageId]] = {}
        for row in run(self.session, _TO_OPPONENTS, player=player):
            if row.state in WAITING:
                waiting.add(GameNumber(row.game_id))
            else:
                left.setdefault(GameNumber(row.game_id), []).append(MessageId(row.message_id))
        return {game: left.get(game, []) for game in waiting}

    def _as_given(self, record: GameRecord) -> GameRecord:
        if self._versions.setdefault(record.number, record.version) != record.version:
            raise Conflict(f"game {record.number}")
        return record

    def _counted(self, found: People) -> Player | None:
        """The one who was found, if anybody, with the count of the letters to them for this transaction alone."""
        for one in found.players:
            people.count_alone(self.session, str(one))
        return next(iter(self._filled(found)), None)

    def _filled(self, found: People) -> Sequence[Player]:
        filled, _ = people.with_budgets(self.session, found, self.now)
        return list(filled.players.values())

    def _finished(self, record: GameRecord, turns: str) -> Finished:
        digest = counted_as(record, turns)
        if record.counted == digest:
            return Finished(record.number, record.seats[0], record.winner, record.points)
        rules = self.services.games.rules(record.kind, is_relay=record.is_relay)
        return self.replays.finished(record, rules, digest, turns.splitlines())

    def _next(self, table: Any) -> int:
        """The next number of a table; SQLite keeps the highest that was ever given, PostgreSQL has sequences."""
        name = table.__table__.name
        if self.session.get_bind().dialect.name == "postgresql":
            newest = select(func.coalesce(func.max(table.id), 0)).scalar_subquery()
            following = select(func.greatest(func.nextval(f"{name}_id_seq"), newest + 1))
            return int(run(self.session, following).scalar_one())
        return 1 + (run(self.session, _GIVEN, table=name).scalar() or 0)
