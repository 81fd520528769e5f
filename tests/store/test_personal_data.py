"""The description of personal data names every column, and `forget me`, `mydata` and merging do what it says."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from itertools import count
from typing import Any

import pytest
from sqlalchemy import Boolean, Column, Integer, LargeBinary, Table, insert, select, text
from sqlalchemy.sql import visitors
from sqlmodel import Session, SQLModel, col

from takmail.store.database import Store
from takmail.store.held import Held, Shown, references
from takmail.store.operations import erase, merge
from takmail.store.personal_data import TAKEN_OVER
from takmail.store.records import HELD
from takmail.store.tables import AddressRow, GameRow, Moment, PendingRow, PlayerRow
from takmail.store.tables.column_types import ADDRESS, OneOf, TimesOff
from takmail.world import TimeOff
from takmail.world.kinds import GameNumber, LogWord, PendingId, PlayerId
from takmail.world.operations import ErasePlayer
from tests.support.rows import held_about

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
ADA, BEN, CY, DAN = map(PlayerId, range(1, 5))
NAMES = {ADA: "ada", BEN: "ben", CY: "cy", DAN: "dan"}
GAMES = {1: (BEN, ADA), 2: (BEN, CY), 3: (ADA, BEN)}
"""The players of three games, the host first."""
TABLES: Sequence[Table] = SQLModel.metadata.sorted_tables
TABLES_BY_NAME = {one.name: one for one in TABLES}


def held_in(table: Table) -> Held:
    (found,) = (one for one in HELD if one.table.__table__ is table)
    return found


def shown_in(held: Held) -> Sequence[Shown]:
    return [one for one in (held.shown, *held.also_shown) if one is not None]


def shown_columns(held: Held) -> set[str]:
    """Return the columns of a table that `mydata` shows, also those in an expression."""
    return {
        node.name
        for shown in shown_in(held)
        for expression in shown.expressions(held.table).values()
        for node in visitors.iterate(select(expression))
        if isinstance(node, Column) and node.table.name == held.table.__tablename__
    }


def table_name(table: Table) -> str:
    return table.name


@pytest.mark.parametrize("table", TABLES, ids=table_name)
def test_every_column_is_described_and_what_is_plain_is_nothing_else(table: Table) -> None:
    held = held_in(table)
    personal = {*(held.becomes or ()), *held.in_state.split(), *shown_columns(held)}
    assert personal.isdisjoint(held.plain.split())
    assert personal | {*held.plain.split()} == {column.name for column in table.columns}


@dataclass(frozen=True)
class Word:
    """A text that is in one column of one row only. `in_game` is the row's game."""

    table: str
    column: str
    of: PlayerId
    in_game: int | None


@dataclass
class Filled:
    """A database with rows of Ada, Ben and Cy in every table. Each column with text has a word of its own."""

    session: Session
    words: dict[str, Word] = field(default_factory=dict)
    numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def row(self, name: str, of: PlayerId, **given: Any) -> int:
        """Insert a row about a player, and return its number."""
        table = SQLModel.metadata.tables[name]
        number = next(self.numbers)
        values = {one.name: self._value(one, of, number, given) for one in table.columns}
        self.session.connection().execute(insert(table), values)
        return number

    def _value(self, column: Column[Any], of: PlayerId, number: int, given: dict[str, Any]) -> Any:
        if column.name in given:
            return given[column.name]
        if column.foreign_keys or column.name == "rematch_of":
            return None
        kinds = held_in(column.table).table.model_fields[column.name].annotation
        for kind in getattr(kinds, "__args__", (kinds,)):
            if isinstance(kind, type) and issubclass(kind, StrEnum):
                return next(iter(kind))
        if isinstance(column.type, OneOf | Integer):
            return number
        if isinstance(column.type, Boolean):
            return False
        if isinstance(column.type, Moment):
            return NOW + timedelta(minutes=number)
        if isinstance(column.type, TimesOff):
            return (TimeOff(NOW, NOW + timedelta(minutes=number)),)
        if getattr(column.type, "length", None) == ADDRESS.length:
            return f"{NAMES[of]}@example.org"
        word = f"<{NAMES[of]}{len(self.words)}>"
        game = given.get("id" if column.table.name == "game" else "game_id")
        self.words[word] = Word(column.table.name, column.name, of, game)
        return word.encode() if isinstance(column.type, LargeBinary) else word

    def found(self, values: object) -> set[str]:
        """Return the words in anything that `repr` shows."""
        return {*re.findall(r"<\w+>", repr(values))} & self.words.keys()

    def stored(self) -> set[str]:
        """Return the words that are stored."""
        return self.found(everything(self.session))


def everything(session: Session) -> list[Any]:
    session.flush()
    return [tuple(row) for table in TABLES for row in session.connection().execute(select(table))]


@pytest.fixture
def filled(store: Store) -> Iterator[Filled]:
    with store.transaction() as session:
        yield fill(Filled(session))


def fill(rows: Filled) -> Filled:
    rows.row("outage", ADA)
    for player in NAMES:
        rows.row("player", player, id=player)
    for player in (ADA, BEN, CY):
        rows.row("address", player, player_id=player)
        rows.row("seek", player, player_id=player)
        rows.row("rating", player, player_id=player)
        rows.row("inbox", player)
        rows.row("outbox", player, mail_from="", sha256=None)
        rows.row("pending", player, kind="commands")
        rows.row("pending", player, kind="address", player_id=player, address="new@example.org")
        rows.row("operator_log", player, player_id=player)
    for player in (ADA, BEN):
        rows.row("tournament", player, id=player, organiser_id=player)
        rows.row("entry", player, tournament_id=player, player_id=player)
        rows.row("pairing", player, tournament_id=player, first_id=player, second_id=CY)
        rows.row("step", player, tournament_id=player, player_id=player)
    for player, other in ((ADA, BEN), (BEN, ADA), (CY, ADA), (BEN, CY)):
        rows.row("block", player, player_id=player, blocked_id=other)
    for game, (host, guest) in GAMES.items():
        rows.row("game", guest, id=game, invited_by=host)
        rows.row("due", host, game_id=game, work="clock", claimed_by="")
        for seat, player in enumerate((host, guest)):
            rows.row("seat", player, game_id=game, seat=seat, player_id=player)
        for seat, player in enumerate((host, guest)):
            at = {"game_id": game, "seat": seat}
            mail = rows.row("inbox", player, sender="elsewhere@example.net", game_id=game)
            letter = rows.row(
                "outbox", player, **at, mail_from="", mail_to="elsewhere@example.net", sha256=None
            )
            rows.row("turn", player, **at, mail_id=mail)
            rows.row("chat", player, **at, letter_id=letter)
            for name in ("taken_back", "shown_board", "dispute"):
                rows.row(name, player, **at)
            for kind in ("draw", "held"):
                rows.row("pending", player, **at, kind=kind, address=None)
        rows.row("operator_log", ADA if ADA in (host, guest) else guest, game_id=game)
    rows.row("operator_log", BEN, game_id=1, player_id=BEN)
    rows.row("clock", DAN, stood_seconds=0)
    rows.row("first_turn", DAN)
    rows.row("blocked_domain", DAN)
    rows.row("lease", DAN)
    rows.row("marker", DAN)
    rows.row("watermark", DAN)
    rows.row("remembered_address", DAN)
    return rows


def test_every_table_is_filled(filled: Filled) -> None:
    for table in TABLES:
        assert filled.session.connection().execute(select(table)).first(), table.name


def erasing(filled: Filled) -> ErasePlayer:
    """Return the operation that erases Ada, who is in the games 1 and 3."""
    addresses = filled.session.scalars(
        select(AddressRow.address).where(col(AddressRow.player_id) == ADA)
    ).all()
    subjects = tuple((GameNumber(number), "a subject") for number in (1, 3))
    return ErasePlayer(player=ADA, label="a player", addresses=tuple(addresses), subjects=subjects)


def test_an_erasure_leaves_what_the_description_says_and_nothing_of_others_goes(filled: Filled) -> None:
    filled.session.get_one(PlayerRow, ADA).name = "a player"
    erase(filled.session, erasing(filled), ())
    left = filled.stored()
    for word, one in filled.words.items():
        held = held_in(SQLModel.metadata.tables[one.table])
        if one.of == ADA:
            goes = held.becomes is None or one.column in held.becomes
        else:
            # Of the opponents' rows in the player's games.
            goes = one.in_game in (1, 3) and (
                held.becomes is None
                or (one.table, one.column) in (("game", "subject"), ("operator_log", "why"))
            )
        assert (word in left) is not goes, one
    kept = repr(everything(filled.session))
    assert "ada@example.org" not in kept
    assert "ben@example.org" in kept
    after = held_about(filled.session, ADA, 9, 9, ())
    assert [kind for kind, found in after.items() if found.rows] == [
        "turns",
        "taken_back",
        "tournaments",
        "entries",
        "steps",
        "log",
        "letters",
    ]


def test_an_erased_guest_is_called_as_the_player_is_from_then_on(filled: Filled) -> None:
    filled.session.get_one(PlayerRow, ADA).name = "a player"
    erase(filled.session, erasing(filled), ())
    labels = dict(filled.session.connection().execute(select(GameRow.id, GameRow.guest_label)).all())
    assert labels[1] == "a player"
    assert "a player" not in (labels[2], labels[3])


def test_mydata_shows_all_that_is_described_and_only_names_of_others(filled: Filled) -> None:
    held = held_about(filled.session, ADA, 100, 100, ())
    assert list(held) == [shown.kind for held in HELD for shown in shown_in(held)]
    assert [kind for kind, found in held.items() if not found.rows] == []
    seen = filled.found(held)
    for word, one in filled.words.items():
        is_shown = one.column in shown_columns(held_in(SQLModel.metadata.tables[one.table]))
        if one.table == "inbox" and one.in_game is not None:
            is_shown = False  # it came from an address that is not hers
        elif one.of != ADA:
            # She blocks Ben.
            is_shown = (one.table, one.column, one.of) == ("player", "name", BEN)
        assert (word in seen) == is_shown, one


def test_the_kinds_and_names_that_mydata_shows(filled: Filled) -> None:
    held = held_about(filled.session, ADA, 100, 100, ())
    assert {kind: " ".join(found.rows[0]) for kind, found in held.items()} == {
        "turns": "game turn at seconds you_wrote",
        "taken_back": "game turn at taken_back given_up_by you_wrote",
        "chat": "game at passed_on words",
        "offers": "game offer after_turn back_to_turn board at ended",
        "boards_shown": "game after_turn at you_wrote",
        "disputes": "game turn at ended reason",
        "questions_in_games": "game asked about words replaced_by_newer",
        "questions": "asked about words replaced_by_newer",
        "seeks": "seek kind setup first pace strict relay unrated at",
        "ratings": "kind board points deviation games",
        "blocks": "name since",
        "tournaments": "name you_organise_it_since",
        "entries": "tournament season division at dropped_out stays seed",
        "steps": "at kind why",
        "log": "game at done why",
        "mails": "at state bytes subject",
        "letters": "at state game subject",
    }


def test_why_a_game_was_frozen_is_not_shown(filled: Filled) -> None:
    filled.session.connection().execute(text(f"UPDATE operator_log SET what = '{LogWord.FROZEN}'"))
    rows = held_about(filled.session, ADA, 9, 9, ())["log"].rows
    assert [row["why"] for row in rows] == [""] * 3


def test_mydata_leaves_out_closed_questions_and_counts_what_is_older(filled: Filled) -> None:
    held = held_about(filled.session, ADA, 1, 2, ())
    assert (len(held["questions"].rows), held["questions"].older) == (1, 1)
    assert (len(held["letters"].rows), held["letters"].older) == (2, 1)
    questions = filled.session.connection().execute(select(PendingRow.id)).scalars()
    closed = held_about(filled.session, ADA, 9, 9, [PendingId(one) for one in questions])
    assert not closed["questions"].rows
    assert not closed["questions_in_games"].rows


KEPT_IN_A_MERGER = {
    "id",
    "kind",
    "name",
    "skeleton",
    "is_blocked",
    "wants_no_receipts",
    "reads_ptn",
    "wants_no_reminders",
    "announces_holidays",
    "digest",
    "time_off",
    "created_at",
}
"""The columns of the remaining player that the other one's never replace."""


def test_every_column_of_a_player_is_kept_or_taken_over_in_a_merger() -> None:
    columns = {column.name for column in held_in(TABLES_BY_NAME["player"]).table.__table__.columns}
    assert columns == KEPT_IN_A_MERGER | {*TAKEN_OVER.split()}
    assert KEPT_IN_A_MERGER.isdisjoint(TAKEN_OVER.split())


def test_a_setting_of_the_remaining_player_is_kept_and_a_missing_one_taken_over(filled: Filled) -> None:
    ada, dan = (filled.session.get_one(PlayerRow, one) for one in (ADA, DAN))
    ada.language, ada.letter_view, ada.data_sent_at, ada.invitations_wait = "zh", "text", NOW, True
    dan.language, dan.letter_view, dan.data_sent_at, dan.invitations_wait = None, "html", None, False
    filled.session.flush()
    merge(filled.session, ADA, DAN)
    kept = filled.session.get_one(PlayerRow, DAN)
    assert (kept.language, kept.letter_view, kept.data_sent_at) == ("zh", "html", NOW)
    assert kept.invitations_wait


def test_who_is_merged_has_all_rows_of_both_and_nothing_refers_to_the_other(filled: Filled) -> None:
    before = held_about(filled.session, ADA, 100, 100, ())
    merge(filled.session, ADA, DAN)
    after = held_about(filled.session, DAN, 100, 100, ())
    # Both have one rating from then on, which is computed anew.
    assert not after["ratings"].rows
    assert {**after, "ratings": before["ratings"]} == before
    assert not any(found.rows for found in held_about(filled.session, ADA, 100, 100, ()).values())
    for held in HELD:
        for name in references(held.table):
            query = select(text("1")).select_from(held.table).where(getattr(held.table, name) == ADA)
            assert filled.session.connection().execute(query).first() is None, (held.table, name)
