"""Load what is stored about a player, as `takmail.store.personal_data` describes it, for `mydata`."""

from collections.abc import Collection
from typing import Any

from sqlalchemy import func
from sqlmodel import Session

from takmail.store.personal_data import HELD, Shown
from takmail.store.statements import select
from takmail.world import POSTS, Newest, PendingId, PersonalData, PlayerId


def held_about(
    session: Session, you: PlayerId, most: int, most_posts: int, closed: Collection[PendingId]
) -> PersonalData:
    """Return the stored data about player `you` by kind, without the questions `closed`.

    At most `most` rows of each kind are loaded, and `most_posts` mails and letters. These are the newest rows, in
    ascending order.
    """
    return {
        shown.kind: _newest(
            session, held.table, shown, most_posts if shown.kind in POSTS else most, you=you, closed=closed
        )
        for held in HELD
        for shown in (held.shown, *held.also_shown)
        if shown is not None
    }


def _newest(session: Session, table: Any, shown: Shown, most: int, **values: Any) -> Newest:
    columns = [one.label(name) for name, one in shown.expressions(table).items()]
    keys = [*([getattr(table, shown.since)] if shown.since else []), *table.__table__.primary_key]
    query = select(*columns).select_from(table).where(shown.which)
    newest = query.order_by(*(key.desc() for key in keys)).limit(most)
    rows = session.execute(newest, values).mappings().all()
    count = session.execute(select(func.count()).select_from(table).where(shown.which), values).scalar_one()
    return Newest([dict(row) for row in rows[::-1]], count - len(rows))
