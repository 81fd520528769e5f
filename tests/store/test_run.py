"""Statements that are compiled once: lists of any length, defaults, named rows and SQLAlchemy's errors."""

from datetime import UTC, datetime

import pytest
import sqlalchemy
from sqlalchemy import bindparam, update
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col

from takmail.store.database import Store
from takmail.store.statements import insert, run, run_many, select
from takmail.store.tables import PlayerRow
from takmail.store.tables.column_types import SEAT, OneOf
from takmail.world.kinds import Standing

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
_NEW = sqlalchemy.insert(PlayerRow)
_THESE = (
    select(PlayerRow.id, PlayerRow.name, PlayerRow.created_at, PlayerRow.is_blocked)
    .where(col(PlayerRow.id).in_(bindparam("numbers", expanding=True)))
    .order_by(col(PlayerRow.id))
)
_OTHERS = select(PlayerRow.id).where(
    col(PlayerRow.id).not_in(bindparam("numbers", expanding=True)), col(PlayerRow.kind) == "person"
)
_RENAME = (
    update(PlayerRow)
    .where(col(PlayerRow.id).in_(bindparam("numbers", expanding=True)))
    .values(name=bindparam("new"))
)


def add(session: Session, *numbers: int) -> None:
    rows = [{"id": one, "name": f"Player {one}", "kind": "person", "created_at": NOW} for one in numbers]
    run_many(session, _NEW, rows)


def test_a_row_has_the_names_and_types_of_its_columns(store: Store) -> None:
    with store.transaction() as session:
        add(session, 7)
        (row,) = run(session, _THESE, numbers=[7])
    assert (row.id, row.name, row.created_at, row.is_blocked) == (7, "Player 7", NOW, False)
    assert row == (7, "Player 7", NOW, False)


@pytest.mark.parametrize("length", [0, 1, 2, 3, 5, 64, 65, 1_500])
def test_a_list_may_have_any_length(store: Store, length: int) -> None:
    numbers = range(1, length + 1)
    with store.transaction() as session:
        add(session, *range(1, 4))
        assert run(session, _THESE, numbers=list(numbers)).scalars() == [*numbers[:3]]
        others = run(session, _OTHERS, numbers=list(numbers)).scalars()
        assert sorted(others) == [one for one in range(1, 4) if one > length]
        assert run(session, _RENAME, numbers=list(numbers), new="X").rowcount == min(length, 3)


def test_a_column_that_is_not_named_gets_its_default(store: Store) -> None:
    with store.transaction() as session:
        add(session, 1)
        assert session.get_one(PlayerRow, 1).is_blocked is False


def test_an_error_is_one_of_sqlalchemy_and_quotes_no_parameter(store: Store) -> None:
    with store.transaction() as session:
        add(session, 1)
    with pytest.raises(IntegrityError) as error, store.transaction() as session:
        run(session, _NEW, id=1, name="a secret", kind="person", created_at=NOW)
    assert "a secret" not in str(error.value)
    assert "INSERT INTO player" in str(error.value)


def test_an_insert_returns_the_number_of_the_new_row(store: Store) -> None:
    values = {"name": "Ada", "kind": "person", "created_at": NOW}
    with store.transaction() as session:
        first, second = (insert(session, _NEW, values) for _ in range(2))
        assert second == (first or 0) + 1
        assert run(session, _THESE, numbers=[first]).first().name == "Ada"


def test_changes_that_the_orm_has_not_stored_yet_are_seen(store: Store) -> None:
    with store.transaction() as session:
        session.add(PlayerRow(id=4, name="Ada", created_at=NOW))
        assert run(session, _THESE, numbers=[4]).scalar() == 4


@pytest.mark.parametrize(
    ("enum", "stored"),
    [(OneOf(Standing), "open"), (SEAT, 1), (OneOf(Standing), "odd"), (SEAT, 2), (SEAT, None)],
)
def test_a_column_of_an_enum_returns_what_the_enum_lacks_as_it_is(
    store: Store, enum: OneOf, stored: object
) -> None:
    with store.transaction() as session:
        found = run(session, select(bindparam("stored", type_=enum).label("found")), stored=stored).scalar()
    assert found == stored
    assert isinstance(found, enum.enum) is (stored in ("open", 1))
