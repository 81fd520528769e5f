"""Stored seeks: their numbers, when they end, and who sees them."""

from datetime import timedelta

import pytest

from takmail.commands.seek import SOUGHT_FOR
from takmail.limits.letters import MAX_BOUNCES, MAX_LISTED_SEEKS
from takmail.runtime.scheduler import Retention
from takmail.store.tables import AddressRow, BlockRow, GameRow, PlayerRow, SeekRow
from tests.support import rows
from tests.support.harness import ADA, BEN, Harness, said
from tests.support.scenes import played_once

OTHER = "other@example.org"
_ADA, _BEN, _OTHER = f"Ada <{ADA}>", f"Ben <{BEN}>", f"Other <{OTHER}>"


@pytest.fixture
@played_once
def seeking(harness: Harness) -> None:
    """Ada seeks a game, and Ben has sought one."""
    harness.send(_ADA, "seek 5")
    harness.send(_BEN, "seek 8\nunseek")


def sought(harness: Harness) -> list[int | None]:
    """Return the numbers of all seeks."""
    with harness.store.transaction() as session:
        return [one.id for one in rows.seeks(session)]


def has_begun(harness: Harness, number: int) -> bool:
    with harness.store.transaction() as session:
        return session.get(GameRow, number) is not None


def test_a_number_is_never_given_twice(seeking: Harness) -> None:
    seeking.send(_ADA, "unseek")
    seeking.send(_ADA, "seek 6")
    assert sought(seeking) == [3]
    assert "is not open" in said(seeking.send(_BEN, "join 1")[-1])


def test_a_seek_lapses(seeking: Harness) -> None:
    seeking.now += SOUGHT_FOR + timedelta(seconds=1)
    assert "is not open" in said(seeking.send(_BEN, "join 1")[-1])
    assert "Nobody seeks a game" in said(seeking.send(_BEN, "seeks")[-1])
    # Showing seeks changes nothing. Retention closes overdue ones.
    Retention(seeking.store, seeking.causes, 30).work()
    assert sought(seeking) == []


def test_of_two_who_join_at_once_the_second_hears_that_it_is_taken(seeking: Harness) -> None:
    seeking.send(_BEN, "seeks")
    seeking.send(_OTHER, "seeks")
    seeking.mail_worker.keep_one(seeking.mail(_BEN, "join 1", seeking.last(BEN)).as_bytes())
    seeking.mail_worker.keep_one(seeking.mail(_OTHER, "join 1", seeking.last(OTHER)).as_bytes())
    seeking.mail_worker.work()
    seeking.collect()
    assert "the game with Ada begins" in seeking.last(BEN).text
    assert "seek #1 is not open; it has been taken, or taken back" in said(seeking.last(OTHER))
    assert not has_begun(seeking, 2)


def test_a_list_has_an_end(seeking: Harness) -> None:
    with seeking.store.transaction() as session:
        for number in range(MAX_LISTED_SEEKS):
            player = PlayerRow(name=f"Cy {number}", created_at=seeking.now)
            session.add(player)
            session.flush()
            session.add(AddressRow(address=f"cy{number}@example.org", player_id=player.id))
            session.add(SeekRow(player_id=player.id, kind="tak", setup="5", sought_at=seeking.now))
    (letter,) = seeking.send(_BEN, "seeks")
    assert letter.text.count(" with ") == MAX_LISTED_SEEKS
    assert "There are more; these are of the players who wrote last" in letter.text


def hide(harness: Harness, how: str) -> None:
    with harness.store.transaction() as session:
        ada, ben = rows.player(session, ADA), rows.player(session, BEN)
        match how:
            case "blocked by the operator":
                ada.is_blocked = True
            case "whose letters come back":
                session.get_one(AddressRow, ADA).bounces = MAX_BOUNCES
            case "who is blocked":
                session.add(BlockRow(player_id=ben.id, blocked_id=ada.id, blocked_at=harness.now))
            case _:
                session.add(BlockRow(player_id=ada.id, blocked_id=ben.id, blocked_at=harness.now))


@pytest.mark.parametrize(
    "how", ["blocked by the operator", "whose letters come back", "who is blocked", "who blocks"]
)
def test_somebody_with_whom_no_game_could_begin_is_as_good_as_not_there(seeking: Harness, how: str) -> None:
    hide(seeking, how)
    assert "Nobody seeks a game" in said(seeking.send(_BEN, "seeks")[-1])
    assert "seek #1 is not open; it has been taken, or taken back" in said(seeking.send(_BEN, "join 1")[-1])
    assert not has_begun(seeking, 1)
