"""The numbers of new rows, which a transaction takes."""

from sqlalchemy import func, text
from sqlmodel import Session, SQLModel

from takmail.store.statements import run, select
from takmail.world import Numbered

_RAISE_NUMBER = text("UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = :table")
_HIGHEST_NUMBER = text("SELECT seq FROM sqlite_sequence WHERE name = :table")
_FIRST_NUMBER = text("INSERT INTO sqlite_sequence (name, seq) VALUES (:table, 1)")


class SqlNumbers:
    """The numbers of new rows in one transaction. None is given twice, and some may stay unused."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._given: dict[Numbered, int] = {}

    def following(self, table: Numbered) -> int:
        """Return the number of the next row of a table.

        SQLite stores the highest number ever given in a table. PostgreSQL has a sequence for each table, which is not
        behind the rows, unless they were written without it.
        """
        if self._session.get_bind().dialect.name == "postgresql":
            number = self._of_sequence(table)
        else:
            if not run(self._session, _RAISE_NUMBER, table=table).rowcount:
                run(self._session, _FIRST_NUMBER, table=table)
            number = int(run(self._session, _HIGHEST_NUMBER, table=table).scalar())
        self._given[table] = max(number, self._given.get(table, 0) + 1)
        return self._given[table]

    def _of_sequence(self, table: Numbered) -> int:
        newest = select(func.coalesce(func.max(SQLModel.metadata.tables[table].c.id), 0)).scalar_subquery()
        following = select(func.greatest(func.nextval(f"{table}_id_seq"), newest + 1))
        return int(self._session.execute(following).scalar_one())
