"""Store an outcome: its events, its letters, and the state in which its mail ends.

The WHERE clause of each event's statement has the event's preconditions. If no row matches, `write` raises Conflict.
The caller then rolls back and processes the cause again.
"""

from collections.abc import Mapping, Sequence, Set
from dataclasses import asdict, replace
from typing import Any

import sqlalchemy
from sqlalchemy import Boolean, and_, bindparam, case, delete, exists, func, insert, or_, update
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col

from takmail.commands.affected_players import parties
from takmail.letters.letter import NewLetter
from takmail.mail.tokens import DRAWN_ANEW
from takmail.pipeline.process import Conflict, Outcome
from takmail.pipeline.returned import MAY_COME_BACK
from takmail.store import dispatch, erasure, inbox, outbox
from takmail.store.dispatch import Claimed
from takmail.store.merge import merge
from takmail.store.statements import run, run_built, run_many, select
from takmail.store.tables import (
    AddressRow,
    BlockRow,
    ChatRow,
    DisputeRow,
    GameRow,
    OfferRow,
    OperatorLogRow,
    OutboxRow,
    PlayerRow,
    QuestionRow,
    RememberedAddressRow,
    SeatRow,
    SeekRow,
    ShownBoardRow,
    TakenBackRow,
    TurnRow,
)
from takmail.world import events as ev
from takmail.world.ids import GameNumber, QuestionId
from takmail.world.kinds import LetterPurpose, LetterState, PlayerKind, QuestionKind
from takmail.world.match import finished, score_digest_of
from takmail.world.players import SETTINGS
from takmail.world.questions import Question
from takmail.world.records import GameRecord
from takmail.world.snapshot import Snapshot
from takmail.world.table import Table, decided

_GAME = col(GameRow.id) == bindparam("game")
_NEW_GAME = insert(GameRow)
_NEW_SEAT = insert(SeatRow)
_AT_BASE = (_GAME, col(GameRow.version) == bindparam("base"))
_RAISE_VERSION = update(GameRow).where(*_AT_BASE).values(version=bindparam("to"))
_LOCK_SHOWN_GAME: Any = select(GameRow.id).where(*_AT_BASE).with_for_update(read=True)
_SEATED = (
    update(SeatRow)
    .where(col(SeatRow.game_id) == bindparam("game"), col(SeatRow.seat) == bindparam("number"))
    .values(player_id=bindparam("player"), token_number=DRAWN_ANEW)
)
_ASKS_BOARD = (
    update(SeatRow)
    .where(col(SeatRow.game_id) == bindparam("game"), col(SeatRow.seat) == bindparam("number"))
    .values(asks_board=bindparam("so"))
)
_RENEW_TOKEN = (
    update(SeatRow)
    .where(col(SeatRow.game_id) == bindparam("game"), col(SeatRow.seat) == bindparam("whose"))
    .values(token_number=bindparam("number"))
)

_NEW_TURN = insert(TurnRow)
_TURNS_AFTER = (col(TurnRow.game_id) == bindparam("game"), col(TurnRow.number) > bindparam("after"))
_NEXT_RUN = (
    select(func.coalesce(func.max(TakenBackRow.branch), 0) + 1)
    .where(col(TakenBackRow.game_id) == bindparam("game"))
    .scalar_subquery()
)
_KEPT_OF_TURN = ("game_id", "number", "seat", "text", "written", "is_agreed", "played_at", "version")
_TAKE_BACK = insert(TakenBackRow).from_select(
    [*_KEPT_OF_TURN, "branch", "how", "taken_back_at", "ended_version"],
    select(
        *(getattr(TurnRow, name) for name in _KEPT_OF_TURN),
        _NEXT_RUN,
        bindparam("by_what", type_=TakenBackRow.__table__.c.how.type),  # type: ignore[attr-defined]
        bindparam("at", type_=TakenBackRow.__table__.c.taken_back_at.type),  # type: ignore[attr-defined]
        bindparam("since", type_=sqlalchemy.Integer),
    )
    .where(*_TURNS_AFTER)
    .order_by(col(TurnRow.number)),
)
_DELETE_TURNS = delete(TurnRow).where(*_TURNS_AFTER)

_NEW_OFFER = insert(OfferRow)
_CLOSE_OFFER = (
    update(OfferRow)
    .where(
        col(OfferRow.game_id) == bindparam("game"),
        col(OfferRow.version) == bindparam("offer"),
        col(OfferRow.ended).is_(None),
    )
    .values(ended=bindparam("how"), ended_version=bindparam("by"))
)
_DELETE_OFFERS = delete(OfferRow).where(col(OfferRow.game_id) == bindparam("game"))

_NEW_DISPUTE = insert(DisputeRow)
_END_DISPUTES = (
    update(DisputeRow)
    .where(col(DisputeRow.game_id) == bindparam("game"), col(DisputeRow.ended_at).is_(None))
    .values(ended_at=bindparam("at"), ended_version=bindparam("by"))
)
_END_SAME_DISPUTE = _END_DISPUTES.where(
    col(DisputeRow.seat) == bindparam("whose"), col(DisputeRow.turn) == bindparam("about")
)

_NEW_WORDS = insert(ChatRow)
_NO_LETTER = {"letter_id": None, "is_postponed": False}
_WORDS_WAIT_AGAIN = (
    update(ChatRow)
    .where(
        col(ChatRow.letter_id).in_(
            select(OutboxRow.id).where(col(OutboxRow.message_id).in_(bindparam("letters", expanding=True)))
        )
    )
    .values(**_NO_LETTER)
)
_SET_LETTER_OF_WORDS = (
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
        is_postponed=bindparam("postpones_chat"),
    )
)
_IS_OF_PLAYER = exists().where(
    col(SeatRow.game_id) == ChatRow.game_id,
    col(SeatRow.seat) == ChatRow.seat,
    col(SeatRow.player_id) == bindparam("player"),
)
_DROP_WORDS = delete(ChatRow).where(col(ChatRow.letter_id).is_(None), _IS_OF_PLAYER)
_DROP_WORDS_TO = _DROP_WORDS.where(
    exists().where(col(SeatRow.game_id) == ChatRow.game_id, col(SeatRow.player_id) == bindparam("reader"))
)

_NEW_QUESTION = insert(QuestionRow)
_CLOSE_QUESTIONS = delete(QuestionRow).where(col(QuestionRow.id).in_(bindparam("ids", expanding=True)))
_CLOSE_IN_GAME = delete(QuestionRow).where(col(QuestionRow.game_id) == bindparam("game"))
_CLOSE_RESIGNATIONS = _CLOSE_IN_GAME.where(col(QuestionRow.kind) == QuestionKind.RESIGN)
_NUMBERS_OF_LETTERS = select(OutboxRow.message_id, OutboxRow.id).where(
    col(OutboxRow.message_id).in_(bindparam("letters", expanding=True))
)
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
_NOT_ERASED = col(PlayerRow.kind) != PlayerKind.ERASED
_OF_PLAYER = (col(PlayerRow.id) == bindparam("player"), _NOT_ERASED)
_LOCK_PLAYERS: Any = (
    select(PlayerRow.id)
    .where(col(PlayerRow.id).in_(bindparam("players", expanding=True)), _NOT_ERASED)
    .order_by(col(PlayerRow.id))
    .with_for_update(read=True)
)
_OWN_ADDRESSES: Any = select(AddressRow.address).where(col(AddressRow.player_id) == bindparam("player"))
_OWN_GAMES: Any = select(SeatRow.game_id).where(col(SeatRow.player_id) == bindparam("player"))
_LAST_TEXT: dict[str, Any] = {
    "last_text": bindparam("whole"),
    "last_frame": bindparam("frame"),
    "similar_texts": bindparam("similar"),
    "texts_in_a_row": bindparam("in_a_row"),
}
_SET_VERIFIED = (
    update(AddressRow)
    .where(col(AddressRow.address) == bindparam("writer"))
    .values(
        bounces=0,
        verified_at=bindparam("now"),
        token_number=col(AddressRow.token_number) + bindparam("renewed"),
        is_unsigned=or_(col(AddressRow.is_unsigned), bindparam("unsigned", type_=Boolean)),
        **_LAST_TEXT,
    )
)
_COUNT_BOUNCE = (
    update(AddressRow)
    .where(col(AddressRow.address) == bindparam("reader"), col(AddressRow.bounces) == bindparam("before"))
    .values(bounces=col(AddressRow.bounces) + 1)
)
_SET_STOPPED = (
    update(AddressRow)
    .where(col(AddressRow.player_id) == bindparam("player"))
    .values(stopped_at=bindparam("at"))
)
_DELETE_ADDRESS = delete(AddressRow).where(
    col(AddressRow.address) == bindparam("gone"), col(AddressRow.player_id) == bindparam("player")
)
_FORGET_ADDRESS = delete(RememberedAddressRow).where(
    col(RememberedAddressRow.digest).in_(bindparam("digests", expanding=True))
)
_REMEMBER_ADDRESS = insert(RememberedAddressRow).values(_LAST_TEXT)
_NEW_BLOCK = insert(BlockRow)
_IS_BLOCK = (col(BlockRow.player_id) == bindparam("player"), col(BlockRow.blocked_id) == bindparam("other"))
_BLOCKED: Any = select(BlockRow.player_id).where(*_IS_BLOCK)
_UNBLOCK = delete(BlockRow).where(*_IS_BLOCK)
_NEW_SEEK = insert(SeekRow)
_CLOSE_SEEKS = delete(SeekRow).where(col(SeekRow.id).in_(bindparam("ids", expanding=True)))
_NEW_LOG = insert(OperatorLogRow)

_WITHDRAW = (
    update(OutboxRow)
    .where(
        col(OutboxRow.message_id) == bindparam("letter"),
        col(OutboxRow.state).in_((LetterState.QUEUED, LetterState.POSTPONED, LetterState.RESTING)),
        # Claiming is a statement, too, so either the letter is claimed first or it is withdrawn first.
        col(OutboxRow.claimed_by) == "",
    )
    .values(state=LetterState.WITHDRAWN)
)
_WITHDRAW_POSTPONED = (
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
        # A claimed letter is in transit and will be delivered.
        or_(
            col(OutboxRow.state).in_((LetterState.BOUNCED, LetterState.RESTING, LetterState.POSTPONED)),
            and_(col(OutboxRow.state) == LetterState.QUEUED, col(OutboxRow.claimed_by) == ""),
        ),
    )
    .values(state=LetterState.WITHDRAWN)
)
_SUSPEND_LETTERS = (
    update(OutboxRow)
    .where(col(OutboxRow.mail_to) == bindparam("reader"), col(OutboxRow.state).in_(outbox.LEAVING))
    .values(state=LetterState.RESTING)
)
_RETURNED_LETTER = update(OutboxRow).where(
    col(OutboxRow.message_id) == bindparam("letter"), col(OutboxRow.state).in_(MAY_COME_BACK)
)
_FAIL_RETURNED = _RETURNED_LETTER.values(state=LetterState.FAILED, error=bindparam("why"))
_RETRY_RETURNED = _RETURNED_LETTER.values(
    state=LetterState.BOUNCED, error=bindparam("why"), due_at=bindparam("again")
)
_WAITS_FOR_READER = select(OutboxRow.id).where(
    col(OutboxRow.mail_to) == bindparam("reader"),
    col(OutboxRow.state).in_((LetterState.RESTING, LetterState.BOUNCED)),
)
_POSTPONED = (
    select(OutboxRow.id)
    .where(
        col(OutboxRow.mail_to).in_(
            select(AddressRow.address).where(col(AddressRow.player_id) == bindparam("player"))
        ),
        col(OutboxRow.state) == LetterState.POSTPONED,
        col(OutboxRow.purpose) != LetterPurpose.CHAT,
    )
    .order_by(col(OutboxRow.id))
    .limit(bindparam("most"))
)
_NOW: Any = bindparam("now", type_=OutboxRow.__table__.c.due_at.type)  # type: ignore[attr-defined]
_UNDER_LEASE = and_(col(OutboxRow.claimed_by) != "", col(OutboxRow.error) == "", col(OutboxRow.due_at) > _NOW)
"""The condition that a process claimed the letter before it was suspended, and may still be sending it."""
_RELEASE_LETTERS = (
    update(OutboxRow)
    .where(col(OutboxRow.id).in_(_WAITS_FOR_READER.union_all(select(_POSTPONED.subquery()))))
    .values(state=LetterState.QUEUED, due_at=case((_UNDER_LEASE, col(OutboxRow.due_at)), else_=_NOW))
)

_Beginning = ev.GameProposed | ev.SeekJoined


_CHANGING = ("standing", "setup", "invited_at", "resigned", "ruling")
"""The columns of a game's row that events change. They have the names of fields of its record."""


def write(
    session: Session,
    snapshot: Snapshot,
    outcome: Outcome,
    *,
    claimed_by: str | None = None,
    sent_by: str | None = None,
) -> tuple[Claimed, ...]:
    """Store the outcome of a cause that was decided on `snapshot`. `claimed_by` is the process that claimed its mail.

    `sent_by` is the process that sends the letters at once, if there is one. Letters that may leave now are stored as
    claimed by it, and returned.

    Raises Conflict if the data has changed since the snapshot was loaded, and `inbox.ClaimLost` if another process has
    claimed the mail. The caller must roll back after either error.
    """
    try:
        return _Writer(session, snapshot, outcome, sent_by).write(claimed_by)
    except IntegrityError as error:
        raise Conflict("a row exists already") from error


class _Writer:
    """Stores one outcome."""

    def __init__(self, session: Session, snapshot: Snapshot, outcome: Outcome, sent_by: str | None) -> None:
        self._session, self._snapshot, self._outcome, self._sent_by = session, snapshot, outcome, sent_by
        self._mail = snapshot.cause.mail
        self._new_questions: dict[QuestionId, Question] = {}
        self._closed_questions = {
            one.question for one in outcome.events if isinstance(one, ev.QuestionClosed)
        }
        self._bases: dict[GameNumber, int] = {}

    def write(self, claimed_by: str | None) -> tuple[Claimed, ...]:
        """Store the outcome, and return the letters that are stored as claimed.

        Rows are stored before others refer to them.
        """
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
            self._add_player(one)
        self._lock_parties()
        for one in events:
            if isinstance(one, ev.GameEvent):
                self._bases.setdefault(one.game, one.version - 1)
        begun = {one.game for one in events if isinstance(one, _Beginning)}
        # A game has one rematch that is not declined. So declined games are stored before new games.
        self._change_games(self._bases.keys() - begun)
        for one in events:
            self._begin_game(one)
        self._close_questions()
        for one in events:
            self._write(one)
        claimed = self._write_letters(outcome.letters)
        self._write_questions()
        return claimed

    def _run(self, statement: Any, **values: object) -> int:
        """Run a statement. Return the number of changed rows."""
        return run(self._session, statement, **values).rowcount

    def _expect(self, count: int, statement: Any, what: str, **values: object) -> None:
        """Run a statement. Raise Conflict if it doesn't change exactly `count` rows. `what` names them."""
        if self._run(statement, **values) != count:
            raise Conflict(what)

    # Rows to which other rows refer.

    def _add_player(self, event: ev.Event) -> None:
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
                    wants_no_receipts=new.wants_no_receipts,
                    reads_ptn=new.reads_ptn,
                    invitations_wait=new.invitations_wait,
                    data_sent_at=new.data_sent_at,
                    created_at=new.created_at,
                )
                rows = [
                    {
                        "address": one.address,
                        "player_id": new.id,
                        "bounces": one.bounces,
                        "verified_at": one.verified_at,
                        "stopped_at": one.stopped_at,
                    }
                    for one in new.mailboxes
                ]
                run_many(self._session, _NEW_ADDRESS, rows)
            case ev.PlayerNamed(player=player, name=name, skeleton=skeleton):
                self._set(player, name=name, skeleton=skeleton)

    def _lock_parties(self) -> None:
        """Lock the players to whom the events refer until the commit. Raise Conflict if one of them was erased."""
        named = {one for event in self._outcome.events for one in parties(event)}
        if named and len(run(self._session, _LOCK_PLAYERS, players=sorted(named)).all()) != len(named):
            raise Conflict("a player")

    def _begin_game(self, event: ev.Event) -> None:
        if not isinstance(event, _Beginning):
            return
        record = self._outcome.games[event.game].record
        self._run(
            _NEW_GAME,
            id=record.number,
            version=record.version,
            kind=record.kind,
            subject=record.subject,
            invited_by=record.invited_by,
            days=record.days,
            rematch_of=record.rematch_of,
            guest_label=record.guest_label,
            is_relay=record.is_relay,
            created_at=record.created_at,
            **self._changed_columns(record),
        )
        rows = [
            {"game_id": record.number, "seat": seat, "player_id": player, "asks_board": False}
            for seat, player in enumerate(event.record.seats)
        ]
        run_many(self._session, _NEW_SEAT, rows)

    def _change_games(self, numbers: Set[GameNumber]) -> None:
        """Store the changes of each game row. Raise Conflict if a game has changed since it was loaded."""
        for number in sorted(numbers):
            record, base = self._outcome.games[number].record, self._bases[number]
            changed = self._changed_columns(record)
            if not changed:
                self._expect(1, _RAISE_VERSION, f"game {number}", game=number, base=base, to=record.version)
                continue
            statement = update(GameRow).where(*_AT_BASE).values(version=record.version, **changed)
            if run_built(self._session, statement, game=number, base=base).rowcount != 1:
                raise Conflict(f"game {number}")

    def _changed_columns(self, record: GameRecord) -> Mapping[str, Any]:
        """Return the columns of a game's row that differ from the snapshot: all that may, if it has no such game."""
        known = self._snapshot.world.games.get(record.number)
        changed = {
            name: getattr(record, name)
            for name in _CHANGING
            if known is None or getattr(record, name) != getattr(known.record, name)
        }
        # A game that was loaded later is compared with nothing, and may have ended long ago.
        has_ended = any(
            isinstance(event, ev.GameEnded) and event.game == record.number for event in self._outcome.events
        )
        return {**changed, **self._result(record.number)} if has_ended else changed

    def _result(self, number: GameNumber) -> Mapping[str, Any]:
        """Return the columns with the result of an ended game. A corrupt game has no points."""
        game = self._outcome.games[number]
        if not isinstance(game, Table):
            result = decided(game.record, game.rules)
            columns = ("winner", "first_points", "second_points", "score_digest")
            return {**dict.fromkeys(columns), "score": result.score if result else None}
        found = finished(game.record, game.rules, game.state)
        first, second = found.points or (None, None)
        digest = score_digest_of(game.record, "\n".join(game.texts()))
        return {
            "score": game.result.score if game.result else None,
            "winner": found.winner,
            "first_points": first,
            "second_points": second,
            "score_digest": digest,
        }

    def _close_questions(self) -> None:
        """Delete the stored questions that the events close. Questions that this outcome asks are not stored yet."""
        if ids := sorted(one for one in self._closed_questions if one > 0):
            self._expect(len(ids), _CLOSE_QUESTIONS, "a question", ids=ids)

    # The rows of each event.

    def _write(self, event: ev.Event) -> None:
        match event:
            case ev.GameEvent():
                self._write_game_event(event)
            case ev.QuestionAsked(question=question):
                self._new_questions[question.id] = question
            case ev.QuestionClosed(question=closed):
                self._new_questions.pop(closed, None)
            case ev.QuestionReplaced(question=old) if old in self._new_questions:
                self._new_questions[old] = replace(self._new_questions[old], is_replaced=True)
            case ev.QuestionReplaced(question=old) if old not in self._closed_questions:
                self._expect(1, _REPLACE_QUESTION, "a question", question=old)
            case ev.ChatDropped(player=player, reader=None):
                self._run(_DROP_WORDS, player=player)
            case ev.ChatDropped(player=player, reader=reader):
                self._run(_DROP_WORDS_TO, player=player, reader=reader)
            case ev.SeekOpened(seek=seek, is_repeated=False):
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
                    at=self._snapshot.now,
                    who=event.who,
                    what=event.what,
                    why=event.why,
                    fault=event.fault or None,
                )
            case (
                ev.PlayerEvent()
                | ev.VerifiedMailReceived()
                | ev.AddressRemembered()
                | ev.MailboxBounced()
                | ev.PlayersMerged()
            ):
                self._write_player_event(event)
            case _:
                self._write_letter_event(event)

    def _write_game_event(self, event: ev.GameEvent) -> None:
        game, version = event.game, event.version
        match event:
            case ev.SeekJoined(seek=seek):
                self._expect(1, _CLOSE_SEEKS, "a seek", ids=[seek])
            case ev.GameBegun(seats=seats):
                known = self._snapshot.world.games.get(game)
                for seat, player in enumerate(seats):
                    if known is None or known.record.seats[seat] != player:
                        self._run(_SEATED, game=game, number=seat, player=player)
            case ev.InvitationDeclined(seat=guest) | ev.InvitationWithdrawn(seat=guest):
                self._run(_WITHDRAW_TO_SEAT, game=game, whose=guest)
            case ev.TurnPlayed():
                self._play(event)
            case ev.TurnsTakenBack():
                self._take_back(event)
            case ev.GameEnded():
                self._drop_new_questions(game)
                self._run(_CLOSE_IN_GAME, game=game)
                self._run(_DELETE_OFFERS, game=game)
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
            case ev.DisputeOpened():
                self._dispute(event)
            case ev.ChatQueued(seat=seat, words=words):
                self._run(
                    _NEW_WORDS,
                    game_id=game,
                    version=version,
                    seat=seat,
                    words=words,
                    said_at=self._snapshot.now,
                )
            case ev.BoardStored(seat=seat, board=board, turn=turn):
                now = self._snapshot.now
                if not self._run(_SHOW_BOARD, game=game, whose=seat, text=board, after=turn, at=now):
                    self._run(_NEW_BOARD, game_id=game, seat=seat, board=board, turn=turn, shown_at=now)
            case ev.SeatTokenRenewed(seat=seat, number=number):
                self._run(_RENEW_TOKEN, game=game, whose=seat, number=number)
            case ev.BoardAsked(seat=seat):
                self._run(_ASKS_BOARD, game=game, number=seat, so=True)
            case ev.BoardAnswered(seat=seat):
                self._run(_ASKS_BOARD, game=game, number=seat.other, so=False)

    def _play(self, event: ev.TurnPlayed) -> None:
        """Store a turn and end all disputes."""
        turn = event.turn
        self._run(
            _NEW_TURN,
            game_id=event.game,
            number=turn.number,
            version=event.version,
            seat=turn.seat,
            text=turn.text,
            written=event.written,
            is_agreed=turn.is_agreed,
            checksum=event.checksum,
            played_at=self._snapshot.now,
            mail_id=event.mail,
        )
        self._end_disputes(event)

    def _take_back(self, event: ev.TurnsTakenBack) -> None:
        game, after = event.game, event.after
        self._run(
            _TAKE_BACK, game=game, after=after, by_what=event.how, at=self._snapshot.now, since=event.version
        )
        self._run(_DELETE_TURNS, game=game, after=after)
        self._end_disputes(event)
        self._drop_new_questions(game)
        self._run(_CLOSE_IN_GAME, game=game)
        if event.cancelled_letter is not None:
            self._expect(1, _WITHDRAW, "a letter that was claimed or sent", letter=event.cancelled_letter)
            self._run(_WORDS_WAIT_AGAIN, letters=[event.cancelled_letter])

    def _end_disputes(self, event: ev.TurnPlayed | ev.TurnsTakenBack) -> None:
        known = self._snapshot.world.games.get(event.game)
        is_new = any(
            isinstance(one, ev.DisputeOpened) and one.game == event.game for one in self._outcome.events
        )
        if not isinstance(known, Table) or known.disputes or is_new:
            self._run(_END_DISPUTES, game=event.game, at=self._snapshot.now, by=event.version)

    def _dispute(self, event: ev.DisputeOpened) -> None:
        """Store a dispute. End an earlier dispute of the same seat about the same turn."""
        same = {"whose": event.seat, "about": event.turn.number}
        self._run(_END_SAME_DISPUTE, game=event.game, at=self._snapshot.now, by=event.version, **same)
        self._run(
            _NEW_DISPUTE,
            game_id=event.game,
            version=event.version,
            seat=event.seat,
            turn=event.turn.number,
            reason=event.reason,
            opened_at=self._snapshot.now,
        )

    def _drop_new_questions(self, game: GameNumber) -> None:
        """Drop the questions that this outcome asks in a game, which are not stored yet."""
        self._new_questions = {number: one for number, one in self._new_questions.items() if one.game != game}

    def _set(self, player: int, **values: object) -> None:
        statement = update(PlayerRow).where(*_OF_PLAYER).values(**values)
        if run_built(self._session, statement, player=player).rowcount != 1:
            raise Conflict("a player")

    def _write_player_event(self, event: ev.Event) -> None:
        now = self._snapshot.now
        match event:
            case ev.SettingChosen(player=player, keyword=keyword, value=value):
                self._set(player, **{SETTINGS[keyword].column: value})
            case ev.InvitationsWait(player=player, are_waiting=is_so):
                self._set(player, invitations_wait=is_so)
            case ev.DataSent(player=player):
                self._set(player, data_sent_at=now)
            case ev.BlockedByOperator(player=player, is_blocked=is_so):
                self._set(player, is_blocked=is_so)
            case ev.VerifiedMailReceived(address=address, renews_token=renewed, text=text):
                noted = {"unsigned": event.is_unsigned, **asdict(text)}
                self._run(_SET_VERIFIED, writer=address, now=now, renewed=int(renewed), **noted)
            case ev.MailboxBounced(address=address, bounces_before=before):
                self._expect(1, _COUNT_BOUNCE, "an address", reader=address, before=before)
            case ev.AddressRemembered(digests=digests, verified_at=verified_at, left_at=left_at):
                self._run(_FORGET_ADDRESS, digests=digests)
                noted = {"verified_at": verified_at, "left_at": left_at, **asdict(event.text)}
                self._run(_REMEMBER_ADDRESS, digest=digests[0], **noted)
            case ev.MailStopped(player=player):
                self._run(_SET_STOPPED, player=player, at=now)
            case ev.MailResumed(player=player):
                self._run(_SET_STOPPED, player=player, at=None)
            case ev.LettersReleased(address=address, player=player, max_postponed=most):
                self._run(_RELEASE_LETTERS, reader=address, player=player, most=most, now=now)
            case ev.AddressAdded(player=player, address=address):
                times = {"verified_at": now, "added_at": now}
                self._run(_NEW_ADDRESS, address=address, player_id=player, bounces=0, **times)
            case ev.AddressRemoved(player=player, address=address):
                self._expect(1, _DELETE_ADDRESS, "an address", gone=address, player=player)
            case ev.PlayerBlocked(player=player, other=other):
                if run(self._session, _BLOCKED, player=player, other=other).first() is None:
                    self._run(_NEW_BLOCK, player_id=player, blocked_id=other, blocked_at=now)
            case ev.PlayerUnblocked(player=player, other=other):
                self._run(_UNBLOCK, player=player, other=other)
            case ev.PlayerErased():
                self._erase(event)
            case ev.PlayersMerged(source=source, into=into, accepts_mail=is_awake):
                merge(self._session, source, into)
                if is_awake:
                    self._run(_SET_STOPPED, player=into, at=None)

    def _erase(self, event: ev.PlayerErased) -> None:
        """Erase a player. Raise Conflict if the player's addresses or games have changed since they were loaded."""
        # The player's row is changed first. It locks out other transactions that refer to the player.
        self._set(event.player, kind=PlayerKind.ERASED, name=event.label)
        addresses = {*run(self._session, _OWN_ADDRESSES, player=event.player).scalars()}
        games = {*run(self._session, _OWN_GAMES, player=event.player).scalars()}
        if addresses != {*event.addresses} or games != dict(event.subjects).keys():
            raise Conflict("a player")
        subjects: dict[int, str] = dict(event.subjects)
        erasure.erase(self._session, event.player, subjects, {*self._bases})

    def _write_letter_event(self, event: ev.Event) -> None:
        match event:
            case ev.LettersSuspended(address=address):
                self._run(_SUSPEND_LETTERS, reader=address)
            case ev.LetterReturned(letter=letter, reason=reason, retry_at=None):
                self._expect(1, _FAIL_RETURNED, "a letter that came back", letter=letter, why=reason)
            case ev.LetterReturned(letter=letter, reason=reason, retry_at=again):
                back = {"letter": letter, "why": reason, "again": again}
                self._expect(1, _RETRY_RETURNED, "a letter that came back", **back)

    # Letters, and the questions and chat messages that they contain.

    def _write_letters(self, letters: Sequence[NewLetter]) -> tuple[Claimed, ...]:
        self._check_shown_games(letters)
        for one in letters:
            if one.replaces:
                self._expect(
                    len(one.replaces),
                    _WITHDRAW_POSTPONED,
                    "a letter that was claimed or sent",
                    letters=one.replaces,
                )
                self._run(_WORDS_WAIT_AGAIN, letters=one.replaces)
        rows = [_row(one, self._mail) for one in letters]
        claimed = dispatch.insert_letters(self._session, rows, self._sent_by, self._snapshot.now)
        for one in letters:
            if one.chat_versions:
                brought = {"letter": one.message_id, "postpones_chat": one.postpones_chat}
                self._expect(
                    len(one.chat_versions),
                    _SET_LETTER_OF_WORDS,
                    "chat that another letter contains",
                    game=one.game,
                    versions=one.chat_versions,
                    **brought,
                )
        return claimed

    def _check_shown_games(self, letters: Sequence[NewLetter]) -> None:
        """Raise Conflict if a letter shows an old version of a game. SQLite needs no check, as it has one writer."""
        if self._session.get_bind().dialect.name == "sqlite":
            return
        shown = {
            (one.game, one.version) for one in letters if one.game is not None and one.version is not None
        }
        for game, version in sorted(shown):
            if (
                game not in self._bases
                and run(self._session, _LOCK_SHOWN_GAME, game=game, base=version).first() is None
            ):
                raise Conflict(f"game {game}")

    def _write_questions(self) -> None:
        asked = self._new_questions.values()
        letters = {one.letter for one in asked} - {None}
        numbers: dict[str, int] = {}
        if letters:
            found = run(self._session, _NUMBERS_OF_LETTERS, letters=list(letters))
            numbers = {row.message_id: row.id for row in found}
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
    """Return the columns of a new letter in the outbox. `mail` is the number of the mail that led to it, or None."""
    return {
        "message_id": letter.message_id,
        "game_id": letter.game,
        "seat": letter.seat,
        "version": letter.version,
        "turn": letter.turn,
        "reported_turn": letter.reported_turn,
        "mail_from": letter.mail_from,
        "mail_to": letter.mail_to,
        "raw": letter.raw,
        "drawings": letter.drawings,
        "purge_after_send": letter.purge_after_send,
        "text": letter.text,
        "html_text": letter.html_text,
        "purpose": letter.purpose,
        "state": letter.state,
        "delivery_class": int(letter.delivery_class),
        "attempts": 0,
        "claimed_by": "",
        "due_at": letter.due_at,
        "created_at": letter.created_at,
        "error": "",
        "mail_id": mail,
        "budget": letter.budget,
    }
