"""The rate limits count letters without reading them."""

import pytest

from takmail.store.database import Store
from takmail.store.people import budgets
from tests.store.plans import inner, noted, plans
from tests.store.scene import ADA, NOW


@pytest.mark.sqlite("PostgreSQL reads a table of a few rows in another way")
def test_no_letter_is_read_only_to_be_counted(store: Store) -> None:
    with noted(store) as found, store.transaction() as session:
        budgets(session, [ADA], NOW)
    steps = [step for _, step in plans(store, inner(found)) if step.startswith("SEARCH outbox")]
    written, news, postponed, chats = steps
    for counted in (written, news):
        assert "COVERING INDEX ix_outbox_purpose" in counted
    assert "ix_outbox_reader (mail_to=? AND state=?)" in postponed
    assert "ix_outbox_purpose" in chats
    assert "created_at>?" in chats
