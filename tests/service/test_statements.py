"""The SQL statements for one mail are few, and none of them scans a whole table."""

import re

import pytest

from takmail.runtime.mail_worker import MailWorker
from takmail.store.database import Store
from tests.store.plans import Statement, noted, scanned, transactions
from tests.support.harness import ADA, BEN, Harness
from tests.support.sending import TakesLetters

MOST = 23
"""The number of statements for a mail with one move, from the inbox to both letters. The BEGINs are counted."""

MOST_OF_DECISION = 13
"""The number of statements in the second transaction for the mail, which loads the snapshot and stores the outcome.

BEGIN and PRAGMA are not counted.
"""


def of_a_move(harness: Harness) -> list[Statement]:
    """Return the statements of a mail that answers its letter with a move, the usual case."""
    harness.begin_and_play("ps a1", "ps b2", "ps c3", "ps d4")
    mail = harness.mail(f"Ada <{ADA}>", "ps a2", harness.last(ADA)).as_bytes()
    with noted(harness.store) as found:
        harness.mail_worker.keep_one(mail)
        harness.mail_worker.work()
    assert [letter.to for letter in harness.collect()] == [ADA, BEN]
    return found


@pytest.fixture
def harness(store: Store) -> Harness:
    """A takmail whose letters go from the commit to the delivery worker, as in a service."""
    harness = Harness(store)
    harness.mail_worker = MailWorker(store, harness.causes, delivery=TakesLetters())
    return harness


def test_a_move_takes_few_statements(harness: Harness) -> None:
    found = [statement for statement, _ in of_a_move(harness)]
    assert len(found) <= MOST, "\n".join(found)


def test_the_transaction_that_decides_on_a_move_by_reply_takes_few(harness: Harness) -> None:
    harness.begin_and_play("ps a1", "ps b2", "ps c3", "ps d4")
    harness.mail_worker.keep_one(harness.mail(f"Ada <{ADA}>", "ps a2", harness.last(ADA)).as_bytes())
    with transactions(harness.store) as found:
        harness.mail_worker.work()
    claim, decision, nothing_more = found
    for name, statements in (("claim", claim), ("decision", decision), ("nothing more", nothing_more)):
        print(f"{name}: {len(statements)}", *(statement for statement, _ in statements), sep="\n\n")
    assert [letter.to for letter in harness.collect()] == [ADA, BEN]
    assert sum(statement.startswith("INSERT INTO outbox") for statement, _ in decision) == 2
    assert len(decision) <= MOST_OF_DECISION


def test_a_long_game_takes_no_more_statements_than_a_short_one(harness: Harness) -> None:
    first = len(of_a_move(harness))
    harness.play("ps b3", "ps a3", "ps b4", "ps a4", start=1)
    mail = harness.mail(f"Ben <{BEN}>", "ps e5", harness.last(BEN)).as_bytes()
    with noted(harness.store) as found:
        harness.mail_worker.keep_one(mail)
        harness.mail_worker.work()
    assert len(found) == first


@pytest.mark.sqlite("PostgreSQL has RETURNING")
def test_no_statement_needs_more_than_the_sqlite_of_enterprise_systems(harness: Harness) -> None:
    with noted(harness.store) as found:
        harness.begin_and_play("ps a1", "ps b2")
        harness.send(f"Ada <{ADA}>", "seek 5")
    assert [statement for statement, _ in found if "RETURNING" in statement] == []


def test_a_move_finds_everything_by_an_index(harness: Harness) -> None:
    assert scanned(harness.store, of_a_move(harness)) == []


def test_a_move_looks_through_no_other_game_of_its_player(harness: Harness) -> None:
    # The query only checks whether they have a game, so it stops at the first one.
    by_player = [one for one, _ in of_a_move(harness) if re.search(r"seat\.player_id = [?%]", one)]
    assert by_player == []
