"""The rate limits count letters without reading them."""

import pytest

from takmail.store.budgets import budgets
from takmail.store.database import Store
from tests.store.plans import inner, noted, plans
from tests.store.scene import ADA, NOW


@pytest.mark.sqlite("PostgreSQL reads a table of a few rows in another way")
def test_letters_are_counted_in_an_index_alone(store: Store) -> None:
    with noted(store) as found, store.transaction() as session:
        budgets(session, [ADA], NOW)
    steps = [
        step for _, step in plans(store, inner(found)) if "ix_outbox_purpose" in step and "created_at" in step
    ]
    assert "COVERING INDEX" in steps[0]
