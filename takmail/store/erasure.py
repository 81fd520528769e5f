"""Erase a player: delete everything that is theirs, and keep their finished games anonymously."""

from collections.abc import Collection, Mapping

from sqlmodel import Session, col, delete, select, update

from takmail.store import outbox
from takmail.store.personal_data import ANEW, HELD, LETTERS
from takmail.store.tables import GameRow, OutboxRow


def erase(session: Session, you: int, subjects: Mapping[int, str], changed: Collection[int]) -> None:
    """Delete the data of player `you` as `HELD` describes it. The player's row must have its new name already.

    Copies in the mails of others and in letters to others stay until retention reduces them. `subjects` are the new
    subjects of the player's games. All games except `changed` get a new version, so that no concurrent outcome uses
    the old state.
    """
    letters = select(OutboxRow).where(LETTERS, col(OutboxRow.sha256).is_(None))
    for row in session.exec(letters, params={"you": you}).yield_per(100):
        outbox.reduce_letter(row)
        session.add(row)
    for held in reversed(HELD):
        if held.becomes is None:
            session.execute(delete(held.table).where(held.rows), {"you": you})
            continue
        values = {name: value for name, value in held.becomes.items() if value is not ANEW}
        if values:
            session.execute(update(held.table).where(held.rows).values(values), {"you": you})
    renewed = update(GameRow).where(col(GameRow.id).in_(subjects), col(GameRow.id).not_in(changed))
    session.exec(renewed.values(version=col(GameRow.version) + 1))
    for number, subject in subjects.items():
        session.exec(update(GameRow).where(col(GameRow.id) == number).values(subject=subject))
    session.expire_all()
