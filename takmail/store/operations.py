"""Carry out operations: statements that also reach rows that were not read, as to erase and to merge players."""

from collections.abc import Collection
from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import and_, bindparam, case, delete, exists, func, insert, literal_column, or_, update
from sqlmodel import Session, col

from takmail.limits.letters import WAIT_FOR_THOUGHT
from takmail.pipeline.process import Conflict
from takmail.pipeline.returned import MAY_COME_BACK
from takmail.store import clubs, due, outbox, ratings, split_mails
from takmail.store.digests import move_digest, reschedule_digest
from takmail.store.held import references
from takmail.store.personal_data import ANEW, LETTERS, TAKEN_OVER
from takmail.store.records import HELD
from takmail.store.statements import run, select
from takmail.store.tables import (
    AddressRow,
    BlockRow,
    ChatRow,
    GameRow,
    OperatorLogRow,
    OutboxRow,
    PlayerRow,
    RememberedAddressRow,
    SeatRow,
)
from takmail.world import LetterPurpose, LetterState, operations

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
_IS_OF_PLAYER = exists().where(
    col(SeatRow.game_id) == ChatRow.game_id,
    col(SeatRow.seat) == ChatRow.seat,
    col(SeatRow.player_id) == bindparam("player"),
)
_DROP_WORDS = delete(ChatRow).where(col(ChatRow.letter_id).is_(None), _IS_OF_PLAYER)
_DROP_WORDS_TO = _DROP_WORDS.where(
    exists().where(col(SeatRow.game_id) == ChatRow.game_id, col(SeatRow.player_id) == bindparam("reader"))
)

_SET_STOPPED = (
    update(AddressRow)
    .where(col(AddressRow.player_id) == bindparam("player"))
    .values(stopped_at=bindparam("at"))
)
_FORGET_ADDRESS = delete(RememberedAddressRow).where(
    col(RememberedAddressRow.digest).in_(bindparam("marks", expanding=True))
)
_REMEMBER_ADDRESS = insert(RememberedAddressRow).values(
    last_text=bindparam("whole"),
    last_frame=bindparam("frame"),
    similar_texts=bindparam("similar"),
    texts_in_a_row=bindparam("in_a_row"),
)
_OWN_ADDRESSES: Any = select(AddressRow.address).where(col(AddressRow.player_id) == bindparam("player"))
_OWN_GAMES: Any = select(SeatRow.game_id).where(col(SeatRow.player_id) == bindparam("player"))
_NEW_LOG = insert(OperatorLogRow)

_WITHDRAW = (
    update(OutboxRow)
    .where(
        col(OutboxRow.message_id).in_(bindparam("letters", expanding=True)),
        col(OutboxRow.state).in_(
            (LetterState.QUEUED, LetterState.POSTPONED, LetterState.RESTING, LetterState.HELD)
        ),
        # Claiming is a statement, too, so either the letter is claimed first or it is withdrawn first.
        col(OutboxRow.claimed_by) == "",
    )
    .values(
        state=case(
            (col(OutboxRow.state) == LetterState.HELD, LetterState.GATHERED.value),
            else_=LetterState.WITHDRAWN.value,
        )
    )
)
_WITHDRAW_TO_SEAT = (
    update(OutboxRow)
    .where(
        col(OutboxRow.game_id) == bindparam("game"),
        col(OutboxRow.seat) == bindparam("whose"),
        # A claimed letter is in transit and will be delivered.
        or_(
            col(OutboxRow.state).in_(
                (LetterState.BOUNCED, LetterState.RESTING, LetterState.POSTPONED, LetterState.HELD)
            ),
            and_(col(OutboxRow.state) == LetterState.QUEUED, col(OutboxRow.claimed_by) == ""),
        ),
    )
    .values(state=LetterState.WITHDRAWN)
)
_SWAP_SEATS = tuple(
    update(row).where(col(row.game_id) == bindparam("game")).values(seat=literal_column("1") - col(row.seat))
    for row in (OutboxRow, ChatRow)
)
_SUSPEND_LETTERS = (
    update(OutboxRow)
    .where(col(OutboxRow.mail_to) == bindparam("reader"), col(OutboxRow.state).in_(outbox.LEAVING))
    .values(state=LetterState.RESTING)
)
_TIME: Any = OutboxRow.__table__.c.due_at.type  # type: ignore[attr-defined]
_NOW: Any = bindparam("now", type_=_TIME)
_RETURNED_LETTER = (
    update(OutboxRow)
    .where(col(OutboxRow.message_id) == bindparam("letter"), col(OutboxRow.state).in_(MAY_COME_BACK))
    .values(returned_at=func.coalesce(col(OutboxRow.returned_at), _NOW))
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
        # What is due soon leaves by itself, and may wait for what a process thinks about.
        col(OutboxRow.due_at) > bindparam("soon", type_=_TIME),
    )
    .order_by(col(OutboxRow.id))
    .limit(bindparam("most"))
)
_UNDER_LEASE = and_(col(OutboxRow.claimed_by) != "", col(OutboxRow.error) == "", col(OutboxRow.due_at) > _NOW)
"""The condition that a process claimed the letter before it was suspended, and may still be sending it."""
_RELEASE_LETTERS = (
    update(OutboxRow)
    .where(col(OutboxRow.id).in_(_WAITS_FOR_READER.union_all(select(_POSTPONED.subquery()))))
    .values(state=LetterState.QUEUED, due_at=case((_UNDER_LEASE, col(OutboxRow.due_at)), else_=_NOW))
)


def carry_out(
    session: Session, operation: operations.Operation, now: datetime, changed: Collection[int]
) -> bool:
    """Carry out an operation. Raise Conflict if it was decided on data that has changed since.

    `changed` are the numbers of the games that the same cause has given a new version. Return whether letters are
    queued again.
    """
    match operation:
        case operations.WithdrawLetter(letter=letter):
            withdraw(session, [letter])
        case operations.WithdrawToSeat(game=game, seat=seat):
            run(session, _WITHDRAW_TO_SEAT, game=game, whose=seat)
        case operations.RescheduleDigest(player=player, choice=choice, zone=zone):
            reschedule_digest(session, player, choice, zone, now)
        case operations.GatherLetters(letters=letters):
            withdraw(session, letters)
        case operations.SwapSeats(game=game):
            for statement in _SWAP_SEATS:
                run(session, statement, game=game)
        case operations.DropChat():
            _drop_chat(session, operation)
        case operations.ReleaseLetters():
            return _release_letters(session, operation, now)
        case operations.SuspendLetters(address=address):
            run(session, _SUSPEND_LETTERS, reader=address)
        case operations.ReturnLetter():
            _return_letter(session, operation, now)
        case operations.RememberAddress():
            _remember_address(session, operation)
        case operations.ErasePlayer():
            erase(session, operation, changed)
        case operations.MergePlayers():
            _merge_players(session, operation, now)
        case operations.AddToLog():
            _add_to_log(session, operation, now)
        case operations.RunTask(task=task):
            due.run_task(session, task, now)
        case operations.RateAgain():
            ratings.set_due(session, now)
        case operations.SplitMail():
            split_mails.store(session, operation, now)
        case operations.ScheduleWork(subject=subject, work=work, at=at):
            if at is None:
                due.set_due_by(session, subject, work, now)
            else:
                due.set_due(session, subject, work, at)
        case operations.TellStep(work=work, players=players):
            clubs.tell_step(session, work, players, now)
    return False


def _release_letters(session: Session, release: operations.ReleaseLetters, now: datetime) -> bool:
    """Queue the letters that wait for their reader. Return whether there are any."""
    values = {"reader": release.address, "player": release.player, "most": release.max_postponed}
    soon = now + WAIT_FOR_THOUGHT
    return run(session, _RELEASE_LETTERS, **values, now=now, soon=soon).rowcount > 0


def _drop_chat(session: Session, operation: operations.DropChat) -> None:
    if operation.reader is None:
        run(session, _DROP_WORDS, player=operation.player)
    else:
        run(session, _DROP_WORDS_TO, player=operation.player, reader=operation.reader)


def _return_letter(session: Session, operation: operations.ReturnLetter, now: datetime) -> None:
    again = operation.retry_at
    statement = _FAIL_RETURNED if again is None else _RETRY_RETURNED
    when = {} if again is None else {"again": again}
    returned = run(session, statement, letter=operation.letter, why=operation.reason, now=now, **when)
    if returned.rowcount != 1:
        raise Conflict("a letter that came back")


def _remember_address(session: Session, operation: operations.RememberAddress) -> None:
    run(session, _FORGET_ADDRESS, marks=operation.marks)
    run(
        session,
        _REMEMBER_ADDRESS,
        digest=operation.marks[0],
        verified_at=operation.verified_at,
        left_at=operation.left_at,
        **asdict(operation.text),
    )


def _merge_players(session: Session, operation: operations.MergePlayers, now: datetime) -> None:
    source, into = operation.source, operation.into
    merge(session, source, into)
    move_digest(session, source, into, now)
    clubs.move_steps(session, source, into, now)
    if operation.accepts_mail:
        run(session, _SET_STOPPED, player=into, at=None)


def _add_to_log(session: Session, operation: operations.AddToLog, now: datetime) -> None:
    run(
        session,
        _NEW_LOG,
        game_id=operation.game,
        player_id=operation.player,
        at=now,
        who=operation.who,
        what=operation.what,
        why=operation.why,
        fault=operation.fault or None,
    )


def withdraw(session: Session, letters: Collection[str]) -> None:
    """Withdraw letters, whose chat waits again. One that was held is gathered.

    Raise Conflict if one of them was claimed or sent.
    """
    if run(session, _WITHDRAW, letters=letters).rowcount != len(letters):
        raise Conflict("a letter that was claimed or sent")
    run(session, _WORDS_WAIT_AGAIN, letters=letters)


def erase(session: Session, erasing: operations.ErasePlayer, changed: Collection[int]) -> None:
    """Delete the data of a player as `HELD` describes it. The player's row must have its new name already.

    That change locks out other transactions that refer to the player. Raises Conflict if the player's addresses or
    games have changed since they were read. Copies in the mails of others and in letters to others stay until
    retention reduces them. All games get a new version, so that no concurrent outcome uses the old state.
    Those that the cause has `changed` are stored with it already.
    """
    you = {"you": erasing.player}
    subjects: dict[int, str] = dict(erasing.subjects)
    addresses = {*run(session, _OWN_ADDRESSES, player=erasing.player).scalars()}
    games = {*run(session, _OWN_GAMES, player=erasing.player).scalars()}
    if addresses != {*erasing.addresses} or games != subjects.keys():
        raise Conflict("a player")
    letters = select(OutboxRow).where(LETTERS, col(OutboxRow.sha256).is_(None))
    for row in session.scalars(letters, you).yield_per(100):
        outbox.reduce_letter(row)
    for held in reversed(HELD):
        if held.becomes is None:
            session.execute(delete(held.table).where(held.rows), you)
            continue
        values = {name: value for name, value in held.becomes.items() if value is not ANEW}
        if values:
            session.execute(update(held.table).where(held.rows).values(values), you)
    renewed = update(GameRow).where(col(GameRow.id).in_(subjects), col(GameRow.id).not_in(changed))
    session.exec(renewed.values(version=col(GameRow.version) + 1))
    for number, subject in subjects.items():
        session.exec(update(GameRow).where(col(GameRow.id) == number).values(subject=subject))
    session.expire_all()


def merge(session: Session, source: int, into: int) -> None:
    """Let all rows that refer to player `source` refer to player `into`, and delete `source`.

    Where both players have a setting, that of `into` is kept.
    """
    _move_blocks(session, source, into)
    ratings.forget(session, source)
    goes, stays = session.get_one(PlayerRow, source), session.get_one(PlayerRow, into)
    for column in TAKEN_OVER.split():
        setattr(stays, column, getattr(stays, column) or getattr(goes, column))
    session.flush()
    for held in HELD:
        for column in references(held.table):
            refers = getattr(held.table, column) == source
            session.connection().execute(update(held.table).where(refers).values({column: into}))
    session.expire_all()
    session.delete(goes)


def _move_blocks(session: Session, source: int, into: int) -> None:
    """Combine the blocks of both players. Drop blocks between the two, and duplicates."""
    is_theirs = or_(col(BlockRow.player_id) == source, col(BlockRow.blocked_id) == source)
    old = session.scalars(select(BlockRow).where(is_theirs)).all()
    pairs = {
        tuple(
            into if player == source else player for player in (row.player_id, row.blocked_id)
        ): row.blocked_at
        for row in old
    }
    session.exec(delete(BlockRow).where(is_theirs))
    for (player, blocked), since in pairs.items():
        if player != blocked and session.get(BlockRow, (player, blocked)) is None:
            session.add(BlockRow(player_id=player, blocked_id=blocked, blocked_at=since))
