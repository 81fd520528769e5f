"""Erase a player: delete everything that is theirs, and keep their finished games anonymously."""

from collections.abc import Collection, Mapping, Sequence

from sqlalchemy import and_, exists, or_
from sqlmodel import Session, col, delete, select, update

from takmail.commands.kinds import LetterState, MailState
from takmail.store import outbox, retention
from takmail.store.tables import (
    AddressRow,
    BlockRow,
    ChatRow,
    DisputeRow,
    GameRow,
    InboxRow,
    OfferRow,
    OperatorLogRow,
    OutboxRow,
    QuestionRow,
    SeatRow,
    SeekRow,
    ShownBoardRow,
    TakenBackRow,
    TurnRow,
)

WAITING = (LetterState.QUEUED, LetterState.BOUNCED, LetterState.RESTING, LetterState.POSTPONED)


def erase(
    session: Session,
    you: int,
    label: str,
    addresses: Collection[str],
    subjects: Mapping[int, str],
    changed: Collection[int],
) -> None:
    """Delete the data of player `you`, except for the player's row. Letters call the player `label` from then on.

    Copies in the mails of others and in letters to others stay until retention reduces them. `subjects` are the new
    subjects of the player's games. All games except `changed` get a new version, so that no concurrent outcome uses
    the old state.
    """
    of_player = select(SeatRow.game_id).where(SeatRow.player_id == you)
    numbers = session.exec(of_player.order_by(col(SeatRow.game_id))).all()
    _erase_mails(session, you, addresses)
    _erase_letters(session, you, addresses)
    _erase_words(session, you, numbers, label)
    for table, owner in (
        (SeekRow, SeekRow.player_id),
        (QuestionRow, QuestionRow.player_id),
        (AddressRow, AddressRow.player_id),
    ):
        session.exec(delete(table).where(col(owner) == you))
    session.exec(delete(QuestionRow).where(col(QuestionRow.address).in_(addresses)))
    session.exec(delete(BlockRow).where(or_(col(BlockRow.player_id) == you, col(BlockRow.blocked_id) == you)))
    session.flush()
    named = update(GameRow).where(col(GameRow.id).in_(numbers), col(GameRow.id).not_in(changed))
    session.exec(named.values(version=col(GameRow.version) + 1))
    for number, subject in subjects.items():
        session.exec(update(GameRow).where(col(GameRow.id) == number).values(subject=subject))
    session.expire_all()


def _erase_mails(session: Session, you: int, addresses: Collection[str]) -> None:
    """Reduce every mail from the player. Waiting ones are rejected."""
    played = select(TurnRow.mail_id).join(
        SeatRow, and_(col(SeatRow.game_id) == TurnRow.game_id, col(SeatRow.seat) == TurnRow.seat)
    )
    sent = set(session.exec(select(InboxRow.id).where(col(InboxRow.sender).in_(addresses))))
    own = sent | set(session.exec(played.where(SeatRow.player_id == you)))
    waiting = (col(InboxRow.state) == MailState.NEW, col(InboxRow.id).in_(sent))
    session.exec(
        update(InboxRow).where(*waiting).values(state=MailState.REJECTED, note="its sender has left")
    )
    reduce_mails(session, [one for one in own if one is not None])


def reduce_mails(session: Session, numbers: Collection[int]) -> None:
    """Reduce mails. The traceback of a mail that failed is deleted, as it may quote the mail."""
    retention.reduce_these_mails(session, list(numbers))
    failed = (col(InboxRow.id).in_(numbers), col(InboxRow.state) == MailState.SHUNTED)
    session.exec(update(InboxRow).where(*failed).values(note="it failed; its contents are deleted"))


def _erase_letters(session: Session, you: int, addresses: Collection[str]) -> None:
    """Strip the letters to the player. Waiting ones are withdrawn."""
    seat = and_(col(SeatRow.game_id) == OutboxRow.game_id, col(SeatRow.seat) == OutboxRow.seat)
    to_seat = exists().where(seat, col(SeatRow.player_id) == you)
    theirs = select(OutboxRow).where(or_(col(OutboxRow.mail_to).in_(addresses), to_seat))
    for row in session.exec(theirs).yield_per(100):
        if row.state in WAITING:
            row.state = LetterState.WITHDRAWN
        outbox.reduce_letter(row)
        row.text, row.html_text, row.error, row.mail_to = "", None, "", ""
        session.add(row)
    session.flush()


def _erase_words(session: Session, you: int, numbers: Sequence[int], label: str) -> None:
    """Delete what the player typed, and everything about their games that only running games need."""
    for seat in session.exec(select(SeatRow).where(SeatRow.player_id == you)).all():
        for table in (TurnRow, TakenBackRow):
            own = (col(table.game_id) == seat.game_id, col(table.seat) == seat.seat)
            session.exec(update(table).where(*own).values(written=col(table.text)))
    for rows in (ChatRow, QuestionRow, OfferRow, ShownBoardRow, DisputeRow):
        session.exec(delete(rows).where(col(rows.game_id).in_(numbers)))
    is_guest = (col(GameRow.guest_label).is_not(None), col(GameRow.invited_by) != you)
    session.exec(update(GameRow).where(col(GameRow.id).in_(numbers), *is_guest).values(guest_label=label))
    # The operator's words may name the player.
    about = or_(col(OperatorLogRow.player_id) == you, col(OperatorLogRow.game_id).in_(numbers))
    session.exec(update(OperatorLogRow).where(about).values(why=""))
