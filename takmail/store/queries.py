"""The queries that a cause can run in its transaction, and what protects what they find."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import takewhile
from typing import Any

from sqlalchemy import and_, bindparam, func, or_, union_all
from sqlalchemy.orm import aliased
from sqlmodel import col

from takmail.store import clubs, due, games, operator_log, people
from takmail.store.held import Shown
from takmail.store.letter_queries import LetterQueries
from takmail.store.load import load_games
from takmail.store.people import People
from takmail.store.ratings import RatingQueries
from takmail.store.records import HELD, PENDING, SEEKS
from takmail.store.statements import run, select
from takmail.store.tables import (
    AddressRow,
    GameRow,
    InboxRow,
    PendingRow,
    PlayerRow,
    SeatRow,
    SeekRow,
    TurnRow,
)
from takmail.store.tables.column_types import Moment
from takmail.world import (
    BEGUN,
    LIFETIME,
    NEVER_EXPIRES,
    POSTS,
    UNFINISHED,
    BegunGame,
    Finished,
    Game,
    GameNumber,
    GameRecord,
    LogWord,
    Mailbox,
    MailState,
    Newest,
    Pending,
    PendingId,
    PendingKind,
    PersonalData,
    Player,
    PlayerId,
    Ruling,
    Seek,
    Standing,
    Task,
    is_for_coins,
    score_digest_of,
)
from takmail.world.clubs.values import SeasonRows, Tournament, TournamentNumber

_GAMES_OF_ONE = select(SeatRow.game_id).where(col(SeatRow.player_id) == bindparam("one"))
_GAMES_OF_OTHER = select(SeatRow.game_id).where(col(SeatRow.player_id) == bindparam("other"))
_FIRST_GAME = GameNumber(1)
_ARE_BETWEEN = (col(GameRow.id).in_(_GAMES_OF_ONE), col(GameRow.id).in_(_GAMES_OF_OTHER))
_MY_SEAT: Any = aliased(SeatRow)
_OTHER_SEAT: Any = aliased(SeatRow)
_OPPONENTS = (
    select(_MY_SEAT.game_id, PlayerRow.name)
    .join(GameRow, col(GameRow.id) == _MY_SEAT.game_id)
    .join(_OTHER_SEAT, and_(_OTHER_SEAT.game_id == _MY_SEAT.game_id, _OTHER_SEAT.seat != _MY_SEAT.seat))
    .join(PlayerRow, col(PlayerRow.id) == _OTHER_SEAT.player_id)
    .where(_MY_SEAT.player_id == bindparam("player"), col(GameRow.standing).in_(UNFINISHED))
    .order_by(_MY_SEAT.game_id)
)
_BEGUN = (
    select(GameRow.id, GameRow.kind, SeatRow.player_id)
    .join(SeatRow, col(SeatRow.game_id) == GameRow.id)
    .where(col(SeatRow.seat) == 0, *_ARE_BETWEEN, col(GameRow.standing).in_(BEGUN))
    .order_by(col(GameRow.id))
)
_COUNT_IN_MATCH = (
    *_ARE_BETWEEN,
    col(GameRow.id) >= bindparam("since"),
    col(GameRow.kind) == bindparam("kind"),
    col(GameRow.standing) == Standing.OVER,
    or_(col(GameRow.ruling).is_(None), col(GameRow.ruling) != Ruling.VOID),
)
_FINISHED = games.RECORDS.where(*_COUNT_IN_MATCH)
_TURNS_OF_FINISHED = games.texts_in_one(select(GameRow.id).where(*_COUNT_IN_MATCH))
_TURN_OF = (
    select(TurnRow.number)
    .join(SeatRow, and_(col(SeatRow.game_id) == TurnRow.game_id, col(SeatRow.seat) == TurnRow.seat))
    .where(col(SeatRow.player_id) == bindparam("player"))
    .limit(1)
)
_FINISHED_BY = (
    select(GameRow.id)
    .join(SeatRow, col(SeatRow.game_id) == GameRow.id)
    .where(
        col(SeatRow.player_id) == bindparam("player"),
        col(GameRow.kind) == bindparam("kind"),
        col(GameRow.standing) == Standing.OVER,
    )
    .limit(1)
)
_REMATCH = games.RECORDS.where(
    col(GameRow.rematch_of) == bindparam("game"), col(GameRow.standing) != Standing.DECLINED
).limit(1)
_LAST_WRITTEN = (
    select(func.max(AddressRow.verified_at))
    .where(col(AddressRow.player_id) == SeekRow.player_id)
    .scalar_subquery()
)
_SEEKS_BY_WRITER = SEEKS.query.order_by(None).order_by(
    _LAST_WRITTEN.desc(), col(SeekRow.player_id), col(SeekRow.id)
)
_ADDRESSES_ASKED = select(PendingRow.address).where(
    col(PendingRow.player_id) == bindparam("player"),
    col(PendingRow.kind) == PendingKind.ADDRESS,
    col(PendingRow.asked_at) >= bindparam("since"),
)
_EXPIRED = PENDING.query.where(
    col(PendingRow.asked_at) <= bindparam("then"),
    col(PendingRow.ended).is_(None),
    col(PendingRow.kind).not_in(NEVER_EXPIRES),
).limit(bindparam("most"))
SHUNTED_COUNTS_FOR = timedelta(days=7)
"""How long a player can't lose on time because a mail of theirs waits for the operator."""


def _unhandled_by(state: MailState) -> Any:
    """Return the query for a player's mails in a state, by two indexes."""
    of_player = select(AddressRow.address).where(col(AddressRow.player_id) == bindparam("player"))
    # The sum keeps SQLite from looking for rows by number.
    in_state = (col(InboxRow.id) + 0).in_(select(InboxRow.id).where(col(InboxRow.state) == state))
    return select(InboxRow.id).where(col(InboxRow.sender).in_(of_player), in_state)


_IS_IN_TIME = func.coalesce(InboxRow.arrived_at, InboxRow.received_at) <= bindparam("until", type_=Moment)
_WAITING_MAIL = union_all(
    _unhandled_by(MailState.NEW).where(_IS_IN_TIME),
    _unhandled_by(MailState.SHUNTED).where(_IS_IN_TIME, col(InboxRow.received_at) > bindparam("since")),
    # All mails that are reduced have no sender, so the index on it must not be used.
    select(InboxRow.id).where(
        col(InboxRow.state) == MailState.NEW, func.coalesce(col(InboxRow.sender), "") == "", _IS_IN_TIME
    ),
).limit(1)


class SqlQueries(LetterQueries, RatingQueries):
    """Implements `Queries` for one transaction."""

    __slots__ = ()

    def player(self, player: PlayerId) -> Player:
        """Return an existing player, with all mailboxes."""
        known = people.load(self.session, [player])
        return self.with_budgets(known).players[player]

    def player_by_address(self, address: str) -> Player | None:
        """Return the owner of a normalised address, or None."""
        return self._counted_player(people.load(self.session, address=address))

    def player_by_skeleton(self, skeleton: str) -> Player | None:
        """Return the player whose registered name has this skeleton, or None."""
        return self._counted_player(people.load(self.session, skeleton=skeleton))

    def skeletons(self, beginning: str) -> frozenset[str]:
        """Return the skeletons of all names that begin with this text."""
        column = col(PlayerRow.skeleton)
        query = select(PlayerRow.skeleton).where(column.startswith(beginning, autoescape=True))
        return frozenset(self.session.connection().execute(query).scalars())

    def mailbox(self, address: str) -> Mailbox:
        """Return the mailbox of an address with its budget. The address need not belong to a player."""
        known = self.with_budgets(people.load(self.session, address=address), address)
        return people.mailbox_of(self.session, self.services.key, address, known, self.now)

    def game(self, number: GameNumber) -> Game | None:
        """Return a game with all its rows, or None if there is none with this number."""
        return load_games(self, [number]).get(number)

    def games_of(self, player: PlayerId, standings: tuple[Standing, ...]) -> Sequence[GameRecord]:
        """Return the games of a player that have one of these standings, in the order of their numbers."""
        return [self.check_version(one) for one in games.of_player(self.session, player, standings)]

    def opponents(self, player: PlayerId) -> Sequence[tuple[GameNumber, str]]:
        """Return the unfinished games of a player with the opponents' names, in the order of their numbers."""
        return [(GameNumber(number), name) for number, name in run(self.session, _OPPONENTS, player=player)]

    def begun_between(self, one: PlayerId, other: PlayerId) -> Sequence[BegunGame]:
        """Return the games that two players have begun with each other, in the order of their numbers."""
        return [BegunGame(*row) for row in run(self.session, _BEGUN, one=one, other=other)]

    def rematch_of(self, number: GameNumber) -> GameRecord | None:
        """Return the rematch of a game, or None if there is none or it was declined."""
        row = run(self.session, _REMATCH, game=number).first()
        return None if row is None else self.check_version(games.game_record(row))

    def finished(
        self, kind: str, one: PlayerId, other: PlayerId, since: GameNumber = _FIRST_GAME
    ) -> Sequence[Finished]:
        """Return the finished games of a kind between two players from a number on, in order, without void ones.

        The result of a game is stored. If the digest shows that the game has changed since, the result is recomputed.
        """
        match = {"kind": kind, "one": one, "other": other, "since": since}
        records = [games.game_record(row) for row in run(self.session, _FINISHED, **match)]
        turns = dict(run(self.session, _TURNS_OF_FINISHED, **match)) if records else {}
        return [self._finished_game(record, turns.get(record.number, "")) for record in records]

    def seeks(self) -> Sequence[Seek]:
        """Return all stored seeks, including those that have expired.

        The player who wrote last comes first, and the oldest seek of each.
        """
        return SEEKS.values_of(run(self.session, _SEEKS_BY_WRITER))

    def questions_to(self, address: str) -> Sequence[Pending]:
        """Return the stored questions to an address, oldest first.

        They include questions that have expired, that were replaced, or that have no letter.
        """
        return self.pending((), [address])

    def overdue(self, most: int) -> Sequence[Pending]:
        """Return at most `most` offers and questions that have expired but are stored as open."""
        rows = run(self.session, _EXPIRED, then=self.now - LIFETIME, most=most)
        return [item.at(self.now) for item in PENDING.values_of(rows)]

    def addresses_asked(self, player: PlayerId, since: datetime) -> frozenset[str]:
        """Return the addresses that a player has asked to add since a time, and that are not confirmed yet."""
        return frozenset(run(self.session, _ADDRESSES_ASKED, player=player, since=since).scalars())

    def has_played(self, player: PlayerId) -> bool:
        """Return whether a player has played a turn in a game that is stored."""
        return run(self.session, _TURN_OF, player=player).first() is not None

    def has_finished(self, player: PlayerId, kind: str) -> bool:
        """Return whether a player has a stored game of a kind that is over."""
        return run(self.session, _FINISHED_BY, player=player, kind=kind).first() is not None

    def has_waiting_mail(self, player: PlayerId, until: datetime) -> bool:
        """Return whether a mail that is not handled yet may be a player's: its sender may not be known yet.

        It must have arrived until a time, and a mail that waits for the operator counts for some days. So nobody can
        put off the end of a game by further mails.
        """
        since = self.now - SHUNTED_COUNTS_FOR
        return run(self.session, _WAITING_MAIL, player=player, since=since, until=until).first() is not None

    def block_reason(self, player: PlayerId) -> str:
        """Return the reason for which the operator last blocked a player, or ''."""
        lines = operator_log.of_player(self.session, player, LogWord.BLOCKED)
        return lines[-1].why if lines else ""

    def personal_data(
        self, player: PlayerId, most: int, most_posts: int, closed: frozenset[PendingId]
    ) -> PersonalData:
        """Return the stored data about a player by kind, without the questions `closed`.

        At most `most` rows of each kind are loaded, and `most_posts` mails and letters. These are the newest rows, in
        ascending order.
        """
        return {
            shown.kind: self._newest(
                held.table, shown, most_posts if shown.kind in POSTS else most, you=player, closed=closed
            )
            for held in HELD
            for shown in (held.shown, *held.also_shown)
            if shown is not None
        }

    def _newest(self, table: Any, shown: Shown, most: int, **values: Any) -> Newest:
        columns = [column.label(name) for name, column in shown.expressions(table).items()]
        keys = [*([getattr(table, shown.since)] if shown.since else []), *table.__table__.primary_key]
        query = select(*columns).select_from(table).where(shown.which)
        newest = query.order_by(*(key.desc() for key in keys)).limit(most)
        rows = self.session.execute(newest, values).mappings().all()
        total = select(func.count()).select_from(table).where(shown.which)
        older = self.session.execute(total, values).scalar_one() - len(rows)
        return Newest([dict(row) for row in rows[::-1]], older)

    def waiting_tasks(self, game: GameNumber) -> frozenset[Task]:
        """Return the tasks of a game that wait or run."""
        return due.waiting_tasks(self.session, game)

    def faults_told(self, game: GameNumber) -> frozenset[str]:
        """Return the digests of the faults that takmail has told since it adjourned a corrupt game."""
        words = (LogWord.FROZEN, LogWord.ADJOURNED, LogWord.RESUMED)
        lines = reversed(operator_log.of_game(self.session, game, *words))
        return frozenset(
            line.fault or "" for line in takewhile(lambda line: line.what == LogWord.FROZEN, lines)
        )

    def tournament(self, number: TournamentNumber) -> Tournament | None:
        return clubs.tournament(self.session, number)

    def tournament_named(self, skeleton: str) -> TournamentNumber | None:
        return clubs.named(self.session, skeleton)

    def tournament_of_game(self, game: GameNumber) -> TournamentNumber | None:
        return clubs.of_game(self.session, game)

    def season_of_game(self, number: TournamentNumber, game: GameNumber) -> int | None:
        return clubs.season_of_game(self.session, number, game)

    def past_season(self, number: TournamentNumber, season: int) -> SeasonRows:
        return clubs.past_season(self.session, number, season)

    def tournaments(self, player: PlayerId | None) -> Sequence[TournamentNumber]:
        return clubs.going_on(self.session, player)

    def _counted_player(self, found: People) -> Player | None:
        """Return the player in `found`, or None. Who is found in this way usually gets a letter, as an invitation."""
        filled = self.with_budgets(found)
        player = next(iter(filled.players.values()), None)
        if player is not None:
            self.counts.rely_on(str(player.id), player.addresses)
        return player

    def _finished_game(self, record: GameRecord, turns: str) -> Finished:
        digest = score_digest_of(record, turns)
        rules = self.services.games.rules_of(record)
        if record.end.score_digest == digest and not is_for_coins(record, rules):
            end = record.end
            return Finished(record.number, record.players[0], end.winner, end.points, series=record.series)
        return self.replays.finished(self.session, record, rules, digest)
