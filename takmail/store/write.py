"""Storing all that a cause leads to: its events, its letters, and where its mail ends.

What an event takes for granted stands in the WHERE of its statement. Where no row is left that is so, `Conflict` is
raised, the caller rolls back, and the cause is worked on again.
"""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Any

import sqlalchemy
from sqlalchemy import and_, bindparam, case, delete, exists, func, insert, literal, or_, update
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col

from takmail.commands import events as ev
from takmail.commands.affected_players import parties
from takmail.commands.game.match import counted_as, finished
from takmail.commands.game.table import Table
from takmail.commands.kinds import LetterState, PlayerKind, QuestionKind, Standing
from takmail.commands.records import GameNumber, Question, QuestionId
from takmail.commands.snapshot import Snapshot
from takmail.letters.letter import NewLetter
from takmail.pipeline.returned import MAY_COME_BACK
from takmail.pipeline.values import Conflict, Outcome
from takmail.store import erasure, erasure_progress, inbox, outbox
from takmail.store.merge import merge
from takmail.store.statements import run, run_many, select
from takmail.store.tables import (
    AddressRow,
    BlockRow,
    ChatRow,
    DisputeRow,
    GameRow,
    LogRow,
    OfferRow,
    OutboxRow,
    PlayerRow,
    QuestionRow,
    SeatRow,
    SeekRow,
    ShownBoardRow,
    TakenBackRow,
    TurnRow,
)
from takmail.store.tables.column_types import WORD

_GAME = col(GameRow.id) == bindparam("game")
_NEW_GAME = insert(GameRow)
_NEW_SEAT = insert(SeatRow)
_AT_BASE = (_GAME, col(GameRow.version) == bindparam("base"))
_IS_SHOWN: Any = select(GameRow.id).where(*_AT_BASE).with_for_update(read=True)
_SEATED = (
    update(SeatRow)
    .where(col(SeatRow.game_id) == bindparam("game"), col(SeatRow.seat) == bindparam("number"))
    .values(player_id=bindparam("player"))
)
_ASKS_BOARD = (
    update(SeatRow)
    .where(col(SeatRow.game_id) == bindparam("game"), col(SeatRow.seat) == bindparam("number"))
    .values(asks_board=bindparam("so"))
)

_NEW_TURN = insert(TurnRow)
_GONE_TURNS = (col(TurnRow.game_id) == bindparam("game"), col(TurnRow.number) > bindparam("after"))
_BRANCH = (
    select(func.coalesce(func.max(TakenBackRow.branch), 0) + 1)
    .where(col(TakenBackRow.game_id) == bindparam("game"))
    .scalar_subquery()
)
_KEPT_OF_TURN = ("game_id", "number", "seat", "text", "written", "is_agreed", "played_at", "version")
_TAKE_BACK = insert(TakenBackRow).from_select(
    [*_KEPT_OF_TURN, "branch", "how", "taken_back_at", "gone"],
    select(
        *(getattr(TurnRow, name) for name in _KEPT_OF_TURN),
        _BRANCH,
        bindparam("by_what", type_=TakenBackRow.__table__.c.how.type),  # type: ignore[attr-defined]
        bindparam("at", type_=TakenBackRow.__table__.c.taken_back_at.type),  # type: ignore[attr-defined]
        bindparam("since", type_=sqlalchemy.Integer),
    )
    .where(*_GONE_TURNS)
    .order_by(col(TurnRow.number)),
)
_LET_TURNS_GO = delete(TurnRow).where(*_GONE_TURNS)

_NEW_OFFER = insert(OfferRow)
_CLOSE_OFFER = (
    update(OfferRow)
    .where(
        col(OfferRow.game_id) == bindparam("game"),
        col(OfferRow.version) == bindparam("offer"),
        col(OfferRow.ended).is_(None),
    )
    .values(ended=bindparam("how"), gone=bindparam("by"))
)
_LET_OFFERS_GO = delete(OfferRow).where(col(OfferRow.game_id) == bindparam("game"))

_NEW_DISPUTE = insert(DisputeRow)
_END_DISPUTES = (
    update(DisputeRow)
    .where(col(DisputeRow.game_id) == bindparam("game"), col(DisputeRow.ended_at).is_(None))
    .values(ended_at=bindparam("at"), gone=bindparam("by"))
)
_END_SAME_DISPUTE = _END_DISPUTES.where(
    col(DisputeRow.seat) == bindparam("whose"), col(DisputeRow.turn) == bindparam("about")
)

_NEW_WORDS = insert(ChatRow)
_NO_LETTER = {"letter_id": None, "is_put_off": False}
_WORDS_WAIT_AGAIN = (
    update(ChatRow)
    .where(
        col(ChatRow.letter_id).in_(
            select(OutboxRow.id).where(col(OutboxRow.message_id).in_(bindparam("letters", expanding=True)))
        )
    )
    .values(**_NO_LETTER)
)
_BRINGS = (
    update(ChatRow)
    .where(
        col(ChatRow.game_id) == bindparam("game"),
        col(ChatRow.version).in_(bindparam("versions", expanding=True)),
        col(ChatRow.letter_id).is_(None),
    )
    .values(
        letter_id=select(OutboxRow.id)
        .where(col(OutboxRow.message_id) == bindparam("letter"))
        .scalar_subquery(),
        is_put_off=bindparam("puts_off"),
    )
)
_IS_SAYERS = exists().where(
    col(SeatRow.game_id) == ChatRow.game_id,
    col(SeatRow.seat) == ChatRow.seat,
    col(SeatRow.player_id) == bindparam("player"),
)
_DROP_WORDS = delete(ChatRow).where(col(ChatRow.letter_id).is_(None), _IS_SAYERS)
_DROP_WORDS_TO = _DROP_WORDS.where(
    exists().where(col(SeatRow.game_id) == ChatRow.game_id, col(SeatRow.player_id) == bindparam("reader"))
)

_NEW_QUESTION = insert(QuestionRow)
_CLOSE_QUESTIONS = delete(QuestionRow).where(col(QuestionRow.id).in_(bindparam("ids", expanding=True)))
_CLOSE_IN_GAME = delete(QuestionRow).where(col(QuestionRow.game_id) == bindparam("game"))
_CLOSE_RESIGNATIONS = _CLOSE_IN_GAME.where(col(QuestionRow.kind) == QuestionKind.RESIGN)
_REPLACE_QUESTION = (
    update(QuestionRow).where(col(QuestionRow.id) == bindparam("question")).values(is_replaced=True)
)

_SHOW_BOARD = (
    update(ShownBoardRow)
    .where(col(ShownBoardRow.game_id) == bindparam("game"), col(ShownBoardRow.seat) == bindparam("whose"))
    .values(board=bindparam("text"), turn=bindparam("after"), shown_at=bindparam("at"))
)
_NEW_BOARD = insert(ShownBoardRow)

_NEW_PLAYER = insert(PlayerRow)
_NEW_ADDRESS = insert(AddressRow)
_IS_HERE = col(PlayerRow.kind) != PlayerKind.GONE
_OF_PLAYER = (col(PlayerRow.id) == bindparam("player"), _IS_HERE)
_ARE_HERE: Any = (
    select(PlayerRow.id)
    .where(col(PlayerRow.id).in_(bindparam("players", expanding=True)), _IS_HERE)
    .order_by(col(PlayerRow.id))
    .with_for_update(read=True)
)
_OWN_ADDRESSES: Any = select(AddressRow.address).where(col(AddressRow.player_id) == bindparam("player"))
_OWN_GAMES: Any = select(SeatRow.game_id).where(col(SeatRow.player_id) == bindparam("player"))
_HEARD = (
    update(AddressRow)
    .where(col(AddressRow.address) == bindparam("writer"))
    .values(bounces=0, heard_at=bindparam("now"))
)
_BOUNCED = (
    update(AddressRow)
    .where(col(AddressRow.address) == bindparam("reader"), col(AddressRow.bounces) == bindparam("before"))
    .values(bounces=col(AddressRow.bounces) + 1)
)
_STOP = (
    update(AddressRow)
    .where(col(AddressRow.player_id) == bindparam("player"))
    .values(stopped_at=bindparam("at"))
)
_LET_ADDRESS_GO = delete(AddressRow).where(
    col(AddressRow.address) == bindparam("gone"), col(AddressRow.player_id) == bindparam("player")
)
_NEW_BLOCK = insert(BlockRow)
_IS_BLOCK = (col(BlockRow.player_id) == bindparam("player"), col(BlockRow.blocked_id) == bindparam("other"))
_BLOCKED: Any = select(BlockRow.player_id).where(*_IS_BLOCK)
_UNBLOCK = delete(BlockRow).where(*_IS_BLOCK)
_NEW_SEEK = insert(SeekRow)
_CLOSE_SEEKS = delete(SeekRow).where(col(SeekRow.id).in_(bindparam("ids", expanding=True)))
_NEW_LOG = insert(LogRow)

_NEW_LETTER = insert(OutboxRow)
_WITHDRAW = (
    update(OutboxRow)
    .where(
        col(OutboxRow.message_id) == bindparam("letter"),
        col(OutboxRow.state).in_((LetterState.QUEUED, LetterState.POSTPONED, LetterState.RESTING)),
        # A sender who claims it at the same moment comes before or after.
        col(OutboxRow.claimed_by) == "",
    )
    .values(state=LetterState.WITHDRAWN)
)
_WITHDRAW_PUT_OFF = (
    update(OutboxRow)
    .where(
        col(OutboxRow.message_id).in_(bindparam("letters", expanding=True)),
        col(OutboxRow.state) == LetterState.POSTPONED,
    )
    .values(state=LetterState.WITHDRAWN)
)
_WITHDRAW_TO_SEAT = (
    update(OutboxRow)
    .where(
        col(OutboxRow.game_id) == bindparam("game"),
        col(OutboxRow.seat) == bindparam("whose"),
        # One that is on its way arrives.
        or_(
            col(OutboxRow.state).in_((LetterState.BOUNCED, LetterState.RESTING, LetterState.POSTPONED)),
            and_(col(OutboxRow.state) == LetterState.QUEUED, col(OutboxRow.claimed_by) == ""),
        ),
    )
    .values(state=LetterState.WITHDRAWN)
)
_REST = (
    update(OutboxRow)
    .where(col(OutboxRow.mail_to) == bindparam("reader"), col(OutboxRow.state).in_(outbox.LEAVING))
    .values(state=LetterState.RESTING)
)
_CAME_BACK = update(OutboxRow).where(
    col(OutboxRow.message_id) == bindparam("letter"), col(OutboxRow.state).in_(MAY_COME_BACK)
)
_GAVE_UP = _CAME_BACK.values(state=LetterState.FAILED, error=bindparam("why"))
_GOES_AGAIN = _CAME_BACK.values(state=LetterState.BOUNCED, error=bindparam("why"), due_at=bindparam("again"))
_WAITS_FOR_READER = select(OutboxRow.id).where(
    col(OutboxRow.mail_to) == bindparam("reader"),
    col(OutboxRow.state).in_((LetterState.RESTING, LetterState.BOUNCED)),
)
_PUT_OFF = (
    select(OutboxRow.id)
    .where(
        col(OutboxRow.mail_to).in_(
            select(AddressRow.address).where(col(AddressRow.player_id) == bindparam("player"))
        ),
        col(OutboxRow.state) == LetterState.POSTPONED,
    )
    .order_by(col(OutboxRow.id))
    .limit(bindparam("most"))
)
_NOW: Any = bindparam("now", type_=OutboxRow.__table__.c.due_at.type)  # type: ignore[attr-defined]
_UNDER_LEASE = and_(col(OutboxRow.claimed_by) != "", col(OutboxRow.error) == "", col(OutboxRow.due_at) > _NOW)
"""A sender has had it in hand when it was put to rest, and may still be handing it over."""
_WAKE = (
    update(OutboxRow)
    .where(col(OutboxRow.id).in_(_WAITS_FOR_READER.union_all(select(_PUT_OFF.subquery()))))
    .values(state=LetterState.QUEUED, due_at=case((_UNDER_LEASE, col(OutboxRow.due_at)), else_=_NOW))
)

Disputed = ev.DisputeOpened | ev.DisputePassedOn
_Beginning = ev.GameProposed | ev.SeekJoined


@dataclass(slots=True)
class _Change:
    """The changed columns of one game row, between two versions."""

    base: int
    version: int
    values: dict[str, Any] = field(default_factory=dict)


def write(session: Session, snapshot: Snapshot, outcome: Outcome, *, claimed_by: str | None = None) -> None:
    """Store all that a cause leads to; `snapshot` is what it was decided on, `claimed_by` who has its mail in hand.

    Raises Conflict where something is no longer as it was loaded, and `inbox.NotOurs` where another process has the
    mail by now; the caller rolls back in either case.
    """
    try:
        _Writer(session, snapshot, outcome).write(claimed_by)
    except IntegrityError as error:
        raise Conflict("something of it is there already") from error


class _Writer:
    """Stores one outcome."""

    def __init__(self, session: Session, snapshot: Snapshot, outcome: Outcome) -> None:
        self._session, self._snapshot, self._outcome = session, snapshot, outcome
        self._mail = snapshot.cause.mail
        self._asked: dict[QuestionId, Question] = {}
        self._closed = {one.question for one in outcome.events if isinstance(one, ev.QuestionClosed)}
        self._changes: dict[GameNumber, _Change] = {}

    def write(self, claimed_by: str | None) -> None:
        """Store it in an order in which each statement finds what it refers to."""
        outcome, events = self._outcome, self._outcome.events
        if outcome.state is not None and self._mail is not None:
            inbox.end(
                self._session,
                self._mail,
                outcome.state,
                outcome.note,
                claimed_by=claimed_by,
                is_costly=outcome.is_costly,
                game=outcome.game,
                turn=outcome.turn,
            )
        for one in events:
            self._join(one)
        self._keep_parties()
        self._collect_changes()
        begun = {one.game for one in events if isinstance(one, _Beginning)}
        # A game that is declined makes room for another rematch, so it comes first.
        self._change_games(self._changes.keys() - begun)
        for one in events:
            self._begin_game(one)
        self._change_games(begun)
        self._close_questions()
        for one in events:
            self._write(one)
        self._post(outcome.letters)
        self._ask()

    def _run(self, statement: Any, **values: object) -> int:
        """Carry out a statement; gives how many rows it has changed."""
        return run(self._session, statement, **values).rowcount

    def _expect(self, count: int, statement: Any, what: str, **values: object) -> None:
        """Carry out a statement that changes so many rows, or raise Conflict."""
        if self._run(statement, **values) != count:
            raise Conflict(what)

    # What other events take for granted.

    def _join(self, event: ev.Event) -> None:
        match event:
            case ev.PlayerJoined(player=new):
                self._run(
                    _NEW_PLAYER,
                    id=new.id,
                    kind=new.kind,
                    name=new.name,
                    skeleton=new.skeleton,
                    is_blocked=new.is_blocked,
                    letter_view=new.letter_view,
                    has_to_be_asked=new.has_to_be_asked,
                    data_sent_at=new.data_sent_at,
                    created_at=new.created_at,
                )
                rows = [
                    {
                        "address": one.address,
                        "player_id": new.id,
                        "bounces": one.bounces,
                        "heard_at": one.heard_at,
                        "stopped_at": one.stopped_at,
                    }
                    for one in new.mailboxes
                ]
                run_many(self._session, _NEW_ADDRESS, rows)
            case ev.PlayerNamed(player=player, name=name, skeleton=skeleton):
                self._set(player, name=name, skeleton=skeleton)

    def _keep_parties(self) -> None:
        """Raise Conflict where somebody has left to whom something new is tied; until the commit nobody else can."""
        named = {one for event in self._outcome.events for one in parties(event)}
        if named and len(run(self._session, _ARE_HERE, players=sorted(named)).all()) != len(named):
            raise Conflict("a player")

    def _begin_game(self, event: ev.Event) -> None:
        if not isinstance(event, _Beginning):
            return
        record = event.record
        self._run(
            _NEW_GAME,
            id=record.number,
            version=event.version,
            kind=record.kind,
            setup=record.setup,
            subject=record.subject,
            standing=record.standing,
            invited_by=record.invited_by,
            days=record.days,
            rematch_of=record.rematch_of,
            guest_label=record.guest_label,
            is_relay=record.is_relay,
            asked_at=record.asked_at,
            created_at=record.created_at,
        )
        rows = [
            {"game_id": record.number, "seat": seat, "player_id": player, "asks_board": False}
            for seat, player in enumerate(record.seats)
        ]
        run_many(self._session, _NEW_SEAT, rows)

    def _collect_changes(self) -> None:
        """Gather the changed columns of each game row."""
        for event in self._outcome.events:
            if not isinstance(event, ev.GameEvent):
                continue
            base = event.version if isinstance(event, _Beginning) else event.version - 1
            change = self._changes.setdefault(event.game, _Change(base, base))
            change.version = event.version
            change.values |= self._columns(event, change.values)

    def _change_games(self, numbers: Set[GameNumber]) -> None:
        """Raise the version of each game, with all else in its row that changes, if it is as it was loaded."""
        for number in sorted(numbers):
            change = self._changes[number]
            if change.version != change.base:
                statement = update(GameRow).where(*_AT_BASE).values(version=change.version, **change.values)
                self._expect(1, statement, f"game {number}", game=number, base=change.base)

    def _columns(self, event: ev.GameEvent, before: Mapping[str, Any]) -> Mapping[str, Any]:
        """What an event changes in the row of its game."""
        match event:
            case ev.InvitationWritten(at=at):
                return {"asked_at": at}
            case ev.GameBegun(setup=setup):
                return {"standing": Standing.OPEN, "setup": setup}
            case ev.InvitationDeclined() | ev.InvitationWithdrawn():
                return {"standing": Standing.DECLINED}
            case ev.GameEnded(score=score, resigned=resigned, ruling=ruling):
                ended = {"standing": Standing.OVER, "score": score, "resigned": resigned, "ruling": ruling}
                return {**ended, **self._counted(event.game)}
            case ev.GameAdjourned() | ev.GameFrozen() if "standing" not in before:
                stands = case(
                    (col(GameRow.standing) == Standing.OPEN, literal(Standing.ADJOURNED.value, WORD)),
                    else_=GameRow.standing,
                )
                return {"standing": stands}
            case ev.GameResumed():
                return {"standing": Standing.OPEN}
            case _:
                return {}

    def _counted(self, number: GameNumber) -> Mapping[str, Any]:
        """Who has won a game that has ended, and the points of each seat; of a corrupt one nobody knows."""
        game = next((one for one in self._outcome.ended if one.number == number), None)
        if not isinstance(game, Table):
            return {"winner": None, "first_points": None, "second_points": None, "counted": None}
        found = finished(game.record, game.rules, game.state)
        first, second = found.points or (None, None)
        digest = counted_as(game.record, "\n".join(game.texts()))
        return {"winner": found.winner, "first_points": first, "second_points": second, "counted": digest}

    def _close_questions(self) -> None:
        """Close those that are stored; what this very outcome has asked is closed as it comes."""
        if ids := sorted(one for one in self._closed if one > 0):
            self._expect(len(ids), _CLOSE_QUESTIONS, "a question", ids=ids)

    # What has happened.

    def _write(self, event: ev.Event) -> None:
        match event:
            case ev.GameEvent():
                self._write_in_game(event)
            case ev.QuestionAsked(question=question):
                self._asked[question.id] = question
            case ev.QuestionClosed(question=closed):
                self._asked.pop(closed, None)
            case ev.QuestionReplaced(question=old) if old in self._asked:
                self._asked[old] = replace(self._asked[old], is_replaced=True)
            case ev.QuestionReplaced(question=old) if old not in self._closed:
                self._expect(1, _REPLACE_QUESTION, "a question", question=old)
            case ev.WordsDropped(player=player, reader=None):
                self._run(_DROP_WORDS, player=player)
            case ev.WordsDropped(player=player, reader=reader):
                self._run(_DROP_WORDS_TO, player=player, reader=reader)
            case ev.SeekOpened(seek=seek, again=False):
                self._run(
                    _NEW_SEEK,
                    id=seek.number,
                    player_id=seek.player,
                    kind=seek.kind,
                    setup=seek.setup,
                    first=seek.first,
                    days=seek.days,
                    is_relay=seek.is_relay,
                    sought_at=seek.sought_at,
                )
            case ev.SeeksClosed(numbers=numbers):
                if numbers:
                    self._expect(len({*numbers}), _CLOSE_SEEKS, "a seek", ids=sorted({*numbers}))
            case ev.Logged():
                self._run(
                    _NEW_LOG,
                    game_id=event.game,
                    player_id=event.player,
                    at=event.at,
                    who=event.who,
                    what=event.what,
                    why=event.why,
                    fault=event.fault or None,
                )
            case _:
                self._write_of_people(event)
                self._write_of_letters(event)

    def _write_in_game(self, event: ev.GameEvent) -> None:
        game, version = event.game, event.version
        match event:
            case ev.SeekJoined(seek=seek):
                self._expect(1, _CLOSE_SEEKS, "a seek", ids=[seek])
            case ev.GameBegun(seats=seats):
                known = self._snapshot.state.games.get(game)
                for seat, player in enumerate(seats):
                    if known is None or known.record.seats[seat] != player:
                        self._run(_SEATED, game=game, number=seat, player=player)
            case ev.InvitationWithdrawn(guest=guest):
                self._run(_WITHDRAW_TO_SEAT, game=game, whose=guest)
            case ev.TurnPlayed(turn=turn):
                self._play(event, turn.number, turn.seat, turn.text, event.written, is_agreed=False)
            case ev.BoardSet(seat=seat, text=text):
                self._play(event, None, seat, text, text, is_agreed=True)
            case ev.TurnsTakenBack():
                self._take_back(event)
            case ev.GameEnded():
                self._drop_asked(game)
                self._run(_CLOSE_IN_GAME, game=game)
                self._run(_LET_OFFERS_GO, game=game)
            case ev.GameAdjourned() | ev.GameRuled() | ev.GameFrozen():
                self._run(_CLOSE_RESIGNATIONS, game=game)
            case ev.OfferMade(offer=offer):
                self._run(
                    _NEW_OFFER,
                    game_id=game,
                    version=version,
                    seat=offer.seat,
                    kind=offer.kind,
                    turn=offer.turn,
                    target=offer.target,
                    board=offer.board,
                    offered_at=offer.offered_at,
                )
            case ev.OfferClosed(offer=gone, how=how):
                self._run(_CLOSE_OFFER, game=game, offer=gone, how=how, by=version)
            case ev.DisputeOpened(turn=turn):
                self._dispute(event, turn)
            case ev.DisputePassedOn(turn=played):
                self._dispute(event, played.number)
            case ev.WordsSaid(seat=seat, words=words, at=at):
                self._run(_NEW_WORDS, game_id=game, version=version, seat=seat, words=words, said_at=at)
            case ev.BoardKept(seat=seat, board=board, turn=turn, at=at):
                shown = {"board": board, "turn": turn, "shown_at": at}
                if not self._run(_SHOW_BOARD, game=game, whose=seat, text=board, after=turn, at=at):
                    self._run(_NEW_BOARD, game_id=game, seat=seat, **shown)
            case ev.BoardAsked(seat=seat):
                self._run(_ASKS_BOARD, game=game, number=seat, so=True)
            case ev.BoardAnswered(seat=seat):
                self._run(_ASKS_BOARD, game=game, number=seat.other, so=False)

    def _play(
        self,
        event: ev.TurnPlayed | ev.BoardSet,
        number: int | None,
        seat: int,
        text: str,
        written: str,
        *,
        is_agreed: bool,
    ) -> None:
        """Append a turn, which ends all disputes; a board that is set comes behind the last turn."""
        values: dict[str, object] = {
            "game_id": event.game,
            "version": event.version,
            "seat": seat,
            "text": text,
            "written": written,
            "is_agreed": is_agreed,
            "checksum": event.checksum,
            "played_at": event.at,
            "intake_id": event.mail,
        }
        if number is None:
            last = select(func.coalesce(func.max(TurnRow.number), 0) + 1).where(
                col(TurnRow.game_id) == event.game
            )
            number = int(run(self._session, last).scalar_one())
        self._run(_NEW_TURN, number=number, **values)
        self._end_disputes(event)

    def _take_back(self, event: ev.TurnsTakenBack) -> None:
        game, after = event.game, event.after
        self._run(_TAKE_BACK, game=game, after=after, by_what=event.how, at=event.at, since=event.version)
        self._run(_LET_TURNS_GO, game=game, after=after)
        self._end_disputes(event)
        self._drop_asked(game)
        self._run(_CLOSE_IN_GAME, game=game)
        if event.told is not None:
            self._expect(1, _WITHDRAW, "a letter that has left", letter=event.told)
            self._run(_WORDS_WAIT_AGAIN, letters=[event.told])

    def _end_disputes(self, event: ev.TurnPlayed | ev.BoardSet | ev.TurnsTakenBack) -> None:
        known = self._snapshot.state.games.get(event.game)
        is_new = any(isinstance(one, Disputed) and one.game == event.game for one in self._outcome.events)
        if not isinstance(known, Table) or known.disputes or is_new:
            self._run(_END_DISPUTES, game=event.game, at=event.at, by=event.version)

    def _dispute(self, event: Disputed, turn: int) -> None:
        """Note a dispute in the place of the one that the seat had about that turn."""
        same = {"whose": event.seat, "about": turn}
        self._run(_END_SAME_DISPUTE, game=event.game, at=event.at, by=event.version, **same)
        self._run(
            _NEW_DISPUTE,
            game_id=event.game,
            version=event.version,
            seat=event.seat,
            turn=turn,
            reason=event.reason,
            opened_at=event.at,
        )

    def _drop_asked(self, game: GameNumber) -> None:
        """What this very outcome has asked in a game is asked no more."""
        self._asked = {number: one for number, one in self._asked.items() if one.game != game}

    def _set(self, player: int, **values: object) -> None:
        statement = update(PlayerRow).where(*_OF_PLAYER).values(**values)
        self._expect(1, statement, "a player", player=player)

    def _write_of_people(self, event: ev.Event) -> None:
        match event:
            case ev.ViewChosen(player=player, view=view):
                self._set(player, letter_view=view)
            case ev.InvitationsWait(player=player, is_so=is_so):
                self._set(player, has_to_be_asked=is_so)
            case ev.DataSent(player=player, at=at):
                self._set(player, data_sent_at=at)
            case ev.PlayerBarred(player=player):
                self._set(player, is_blocked=True)
            case ev.PlayerReadmitted(player=player):
                self._set(player, is_blocked=False)
            case ev.PlayerHeard(address=address, at=at):
                self._run(_HEARD, writer=address, now=at)
            case ev.MailboxBounced(address=address, before=before):
                self._expect(1, _BOUNCED, "an address", reader=address, before=before)
            case ev.PlayerStopped(player=player, at=at):
                self._run(_STOP, player=player, at=at)
            case ev.PlayerWentOn(player=player):
                self._run(_STOP, player=player, at=None)
            case ev.AddressAdded(player=player, address=address, at=at):
                self._run(_NEW_ADDRESS, address=address, player_id=player, bounces=0, heard_at=at)
            case ev.AddressRemoved(player=player, address=address):
                self._expect(1, _LET_ADDRESS_GO, "an address", gone=address, player=player)
            case ev.PlayerBlocked(player=player, other=other, at=at):
                if run(self._session, _BLOCKED, player=player, other=other).first() is None:
                    self._run(_NEW_BLOCK, player_id=player, blocked_id=other, since=at)
            case ev.PlayerUnblocked(player=player, other=other):
                self._run(_UNBLOCK, player=player, other=other)
            case ev.PlayerErased():
                self._erase(event)
            case ev.PlayersMerged(source=source, into=into, is_awake=is_awake):
                merge(self._session, source, into)
                if is_awake:
                    self._run(_STOP, player=into, at=None)

    def _erase(self, event: ev.PlayerErased) -> None:
        """Erase somebody who still has just the addresses and games that are known of, or raise Conflict."""
        # First of all, so that nobody else ties anything new to them meanwhile.
        self._set(
            event.player,
            kind=PlayerKind.GONE,
            name=event.label,
            skeleton=None,
            letter_view=None,
            data_sent_at=None,
        )
        addresses = {*run(self._session, _OWN_ADDRESSES, player=event.player).scalars()}
        games = {*run(self._session, _OWN_GAMES, player=event.player).scalars()}
        if addresses != {*event.addresses} or games != dict(event.subjects).keys():
            raise Conflict("a player")
        traces = erasure.Traces(event.addresses, event.names)
        erasure.forget(
            self._session, event.player, event.label, traces, dict(event.subjects), {*self._changes}
        )
        erasure_progress.begin(self._session, traces, event.label)

    def _write_of_letters(self, event: ev.Event) -> None:
        match event:
            case ev.LettersWoken(address=address, player=player, most=most, at=at):
                self._run(_WAKE, reader=address, player=player, most=most, now=at)
            case ev.LettersRested(address=address):
                self._run(_REST, reader=address)
            case ev.LettersWithdrawn(game=game, seat=seat):
                self._run(_WITHDRAW_TO_SEAT, game=game, whose=seat)
            case ev.LetterReturned(letter=letter, reason=reason, again=None):
                self._expect(1, _GAVE_UP, "a letter that came back", letter=letter, why=reason)
            case ev.LetterReturned(letter=letter, reason=reason, again=again):
                back = {"letter": letter, "why": reason, "again": again}
                self._expect(1, _GOES_AGAIN, "a letter that came back", **back)

    # Letters, and what they ask and bring.

    def _post(self, letters: Sequence[NewLetter]) -> None:
        self._check_shown(letters)
        for one in letters:
            if one.replaces:
                self._expect(
                    len(one.replaces), _WITHDRAW_PUT_OFF, "a letter that has left", letters=one.replaces
                )
                self._run(_WORDS_WAIT_AGAIN, letters=one.replaces)
        run_many(self._session, _NEW_LETTER, [_row(one, self._mail) for one in letters])
        for one in letters:
            if one.brings:
                brought = {"letter": one.message_id, "puts_off": one.puts_off}
                self._expect(
                    len(one.brings),
                    _BRINGS,
                    "words that another letter brings",
                    game=one.game,
                    versions=one.brings,
                    **brought,
                )

    def _check_shown(self, letters: Sequence[NewLetter]) -> None:
        """Raise Conflict where a letter shows a game that has gone on; in SQLite nobody else can have written."""
        if self._session.get_bind().dialect.name == "sqlite":
            return
        shown = {
            (one.game, one.version) for one in letters if one.game is not None and one.version is not None
        }
        for game, version in sorted(shown):
            if (
                game not in self._changes
                and run(self._session, _IS_SHOWN, game=game, base=version).first() is None
            ):
                raise Conflict(f"game {game}")

    def _ask(self) -> None:
        asked = self._asked.values()
        letters = {one.letter for one in asked} - {None}
        numbers: dict[str, int] = {}
        if letters:
            known = select(OutboxRow.message_id, OutboxRow.id).where(col(OutboxRow.message_id).in_(letters))
            numbers = {row.message_id: row.id for row in run(self._session, known)}
        rows = [
            {
                "kind": one.kind,
                "game_id": one.game,
                "seat": one.seat,
                "version": one.version,
                "turn": one.turn,
                "address": one.address,
                "player_id": one.player,
                "words": one.words,
                "letter_id": None if one.letter is None else numbers[one.letter],
                "asked_at": one.asked_at,
                "is_replaced": one.is_replaced,
            }
            for one in asked
        ]
        run_many(self._session, _NEW_QUESTION, rows)


def _row(letter: NewLetter, mail: int | None) -> Mapping[str, object]:
    """A letter as a row of the outbox."""
    return {
        "message_id": letter.message_id,
        "game_id": letter.game,
        "seat": letter.seat,
        "version": letter.version,
        "shown": letter.turn,
        "turn": letter.told,
        "mail_from": letter.mail_from,
        "mail_to": letter.mail_to,
        "raw": letter.raw,
        "is_fleeting": letter.is_fleeting,
        "text": letter.text,
        "html_text": letter.html_text,
        "answers": letter.answers,
        "state": letter.state,
        "attempts": 0,
        "claimed_by": "",
        "due_at": letter.due_at,
        "created_at": letter.created_at,
        "error": "",
        "intake_id": mail,
    }
