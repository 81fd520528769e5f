"""The players who have left, to be searched for in the mails and letters of others, a few at a time."""

from collections.abc import Collection, Sequence

from sqlalchemy import and_, exists, func, or_
from sqlmodel import Session, col, delete, select

from takmail.commands.kinds import MailState
from takmail.store import games, outbox
from takmail.store.erasure import WAITING, Traces, reduce_mails
from takmail.store.tables import Forgetting, IntakeRow, OutboxRow

ROWS_AT_ONCE = 5_000
"""How many numbers of mails or letters one transaction walks at most, as there may be nothing left of most of them."""

_IS_DONE = and_(col(Forgetting.mails) == 0, col(Forgetting.letters) == 0)


def begin(session: Session, traces: Traces, label: str) -> None:
    """Note that what leads to somebody is to be looked for in all that is kept by now."""
    newest = session.exec(select(func.max(IntakeRow.id))).one()
    session.add(
        Forgetting(
            addresses="\n".join(traces.addresses),
            names="\n".join(traces.names),
            label=label,
            mails=newest or 0,
            letters=outbox.newest(session),
        )
    )
    session.flush()


def next_one(session: Session) -> Forgetting | None:
    """What is to be worked on next, for this transaction alone; None where there is nothing, or others have it.

    Nobody is held up by another one's mail that still waits, or for whom only the file is to be written.
    """
    waits = exists().where(col(IntakeRow.id) == Forgetting.mails, col(IntakeRow.state) == MailState.NEW)
    query = select(Forgetting).where(or_(col(Forgetting.letters) > 0, ~waits))
    query = query.order_by(_IS_DONE, col(Forgetting.id)).limit(1)
    return session.exec(query.with_for_update(skip_locked=True)).first()


def traces_of(one: Forgetting) -> Traces:
    """What is looked for."""
    return Traces(*(tuple(filter(None, lines.split("\n"))) for lines in (one.addresses, one.names)))


def mails_done(session: Session, one: Forgetting, found: Collection[int], up_to: int) -> None:
    """Keep nothing of the mails in which they were found, and go on with those up to a number."""
    reduce_mails(session, found)
    one.mails = up_to
    _note(session, one)


def look_at_letters(session: Session, one: Forgetting, most: int) -> None:
    """Take them out of the next letters, and go on with those before these.

    In a game that runs only their addresses are looked for: a name may be any word. A letter that waits leaves as it
    is, as its reader waits for it, and nothing is kept of it then.
    """
    above = max(one.letters - ROWS_AT_ONCE, 0)
    numbers = _next_letters(session, above, one.letters, most)
    # Locked, so that none of them leaves just now with nobody knowing that it is not to be kept.
    query = select(OutboxRow).where(col(OutboxRow.id).in_(numbers)).order_by(col(OutboxRow.id))
    rows = session.exec(query.with_for_update()).all()
    running = games.running_of(session, {row.game_id for row in rows if row.game_id is not None})
    traces = traces_of(one)
    for row in rows:
        sought = traces.sure if row.game_id in running else traces
        if not sought.stands_in(f"{row.text}\n{row.html_text or ''}\n{row.error}"):
            continue
        if row.state in WAITING:
            row.is_fleeting = True
        else:
            outbox.reduce_letter(row)
            row.text = sought.without(row.text, one.label)
            row.html_text = sought.without(row.html_text, one.label) if row.text and row.html_text else None
            row.error = sought.without(row.error, one.label)
        session.add(row)
    one.letters = numbers[-1] - 1 if len(numbers) == most else above
    _note(session, one)


def _next_letters(session: Session, above: int, up_to: int, most: int) -> Sequence[int]:
    """The numbers of the newest letters between two of which more is kept than that they were written."""
    says_something = or_(col(OutboxRow.text) != "", col(OutboxRow.error) != "")
    query = select(col(OutboxRow.id)).where(
        col(OutboxRow.id) > above, col(OutboxRow.id) <= up_to, says_something
    )
    found = session.exec(query.order_by(col(OutboxRow.id).desc()).limit(most))
    return [number for number in found if number is not None]


def is_done(one: Forgetting) -> bool:
    """Whether all mails and letters have been looked at."""
    return one.mails == one.letters == 0


def end(session: Session, one: Forgetting) -> None:
    """Let go of it."""
    session.exec(delete(Forgetting).where(col(Forgetting.id) == one.id))


def _note(session: Session, one: Forgetting) -> None:
    """Write down how far it has come; at the end what leads to them goes, too."""
    if is_done(one):
        one.addresses, one.names = "", ""
    session.add(one)
    session.flush()
