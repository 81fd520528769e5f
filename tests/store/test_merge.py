"""Merging two players who are the same person, with all rows that refer to them."""

from datetime import UTC, datetime

import pytest
from sqlmodel import Session, SQLModel, select

from takmail.store import games, people
from takmail.store.database import Store
from takmail.store.operations import merge
from takmail.store.tables import (
    AddressRow,
    BlockRow,
    EntryRow,
    GameRow,
    OperatorLogRow,
    PairingRow,
    PendingRow,
    PlayerRow,
    SeatRow,
    SeekRow,
    StepRow,
    TournamentRow,
)
from takmail.world.kinds import LetterView, Standing
from takmail.world.waiting import PendingKind

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
KEEPS, GOES, THIRD = 1, 2, 3


def three(session: Session) -> None:
    for number, name in enumerate(("ben", "other", "ada"), 1):
        session.add(PlayerRow(id=number, name=name.capitalize(), created_at=NOW))
        session.flush()
        session.add(AddressRow(address=f"{name}@example.org", player_id=number))


def begin(session: Session, first: int, second: int) -> None:
    row = GameRow(
        version=1,
        kind="tak",
        setup="5",
        subject="Tak",
        standing=Standing.OPEN,
        invited_by=first,
        created_at=NOW,
    )
    session.add(row)
    session.flush()
    assert row.id is not None
    session.add_all(
        SeatRow(game_id=row.id, seat=seat, player_id=one) for seat, one in enumerate((first, second))
    )


def naming_a_player() -> set[tuple[str, str]]:
    """Return every column of the schema that refers to a player."""
    return {
        (table.name, column.name)
        for table in SQLModel.metadata.sorted_tables
        for column in table.columns
        if any(key.target_fullname == "player.id" for key in column.foreign_keys)
    }


def test_all_that_names_the_one_names_the_other(store: Store) -> None:
    with store.transaction() as session:
        three(session)
        begin(session, GOES, THIRD)
        session.add(SeekRow(player_id=GOES, kind="tak", setup="5", first="random", sought_at=NOW))
        session.add(
            PendingRow(address="a@example.org", kind=PendingKind.ADDRESS, player_id=GOES, asked_at=NOW)
        )
        session.add(OperatorLogRow(player_id=GOES, at=NOW, who="Someone", what="blocked"))
        session.add(BlockRow(player_id=GOES, blocked_id=THIRD, blocked_at=NOW))
        session.add(
            TournamentRow(
                id=1, version=1, name="Autumn", skeleton="autumn", kind="tak", setup="5", pace="days=3", most=9,
                organiser_id=GOES, standing="entering", season=1, created_at=NOW,
            )
        )  # fmt: skip
        session.flush()
        session.add(EntryRow(tournament_id=1, season=1, player_id=GOES, entered_at=NOW))
        of_season = {"tournament_id": 1, "season": 1, "division": 1}
        session.add(PairingRow(game_id=1, first_id=GOES, second_id=THIRD, **of_season))
        session.add(PairingRow(game_id=2, first_id=THIRD, second_id=GOES, **of_season))
        session.add(StepRow(version=1, kind="left", player_id=GOES, happened_at=NOW, **of_season))
    with store.transaction() as session:
        merge(session, GOES, KEEPS)
    with store.transaction() as session:
        assert session.get(PlayerRow, GOES) is None
        assert [
            row.address for row in session.exec(select(AddressRow).where(AddressRow.player_id == KEEPS))
        ] == [
            "ben@example.org",
            "other@example.org",
        ]
        assert games.every(session)[0].players == (KEEPS, THIRD)
        found = {
            (model.__tablename__, column)
            for model, column in (
                (SeatRow, "player_id"), (GameRow, "invited_by"), (SeekRow, "player_id"), (OperatorLogRow, "player_id"),
                (PendingRow, "player_id"), (AddressRow, "player_id"), (BlockRow, "player_id"),
                (TournamentRow, "organiser_id"), (EntryRow, "player_id"), (PairingRow, "first_id"),
                (PairingRow, "second_id"), (StepRow, "player_id"),
            )
            if any(getattr(row, column) == KEEPS for row in session.exec(select(model)))
        }  # fmt: skip
    # Ratings are computed anew.
    assert found == naming_a_player() - {("block", "blocked_id"), ("rating", "player_id")}


def test_blocks_are_one_for_both_and_nobody_blocks_themselves(store: Store) -> None:
    with store.transaction() as session:
        three(session)
        for pair in ((KEEPS, THIRD), (GOES, THIRD), (THIRD, GOES), (GOES, KEEPS), (KEEPS, GOES)):
            session.add(BlockRow(player_id=pair[0], blocked_id=pair[1], blocked_at=NOW))
    with store.transaction() as session:
        merge(session, GOES, KEEPS)
    with store.transaction() as session:
        rows = session.exec(select(BlockRow)).all()
        assert {(row.player_id, row.blocked_id) for row in rows} == {(KEEPS, THIRD), (THIRD, KEEPS)}


@pytest.mark.parametrize("who", [KEEPS, GOES])
def test_an_invitation_to_either_that_waits_goes_on_waiting(store: Store, who: int) -> None:
    with store.transaction() as session:
        three(session)
        session.get_one(PlayerRow, who).invitations_wait = True
    with store.transaction() as session:
        merge(session, GOES, KEEPS)
    with store.transaction() as session:
        assert session.get_one(PlayerRow, KEEPS).invitations_wait


@pytest.mark.parametrize(
    ("kept", "gone", "then"),
    [
        (None, LetterView.TEXT, LetterView.TEXT),
        (LetterView.HTML, LetterView.TEXT, LetterView.HTML),
        (LetterView.HTML, None, LetterView.HTML),
        (None, None, None),
    ],
)
def test_the_one_who_stays_has_letters_as_they_said_or_else_as_the_other_one_did(
    store: Store, kept: LetterView | None, gone: LetterView | None, then: LetterView | None
) -> None:
    with store.transaction() as session:
        three(session)
        for number, view in ((KEEPS, kept), (GOES, gone)):
            session.get_one(PlayerRow, number).letter_view = view
    with store.transaction() as session:
        merge(session, GOES, KEEPS)
    with store.transaction() as session:
        for address in ("ben@example.org", "other@example.org"):
            owner = people.load(session, (), address).owner(address)
            assert owner is not None
            assert owner.preferences.letter_view == then


@pytest.mark.parametrize("kept", [False, True])
def test_the_one_who_stays_has_receipts_as_they_said(store: Store, kept: bool) -> None:
    with store.transaction() as session:
        three(session)
        for number, wants_none in ((KEEPS, kept), (GOES, not kept)):
            session.get_one(PlayerRow, number).wants_no_receipts = wants_none
    with store.transaction() as session:
        merge(session, GOES, KEEPS)
    with store.transaction() as session:
        assert session.get_one(PlayerRow, KEEPS).wants_no_receipts is kept
