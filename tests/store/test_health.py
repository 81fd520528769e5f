"""The health numbers: correct, and cheap with many games and letters."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import text

from takmail.games.interface import Seat
from takmail.store import health
from takmail.store.database import Store
from takmail.world.kinds import LetterState, MailState, Standing
from tests.store.plans import noted, plans
from tests.store.scene import ADA, BEN, Scene, game

QUESTIONS = [
    health.mails,
    health.oldest_mail,
    health.letters,
    health.oldest_letter,
    health.games,
]


@pytest.mark.sqlite("how SQLite means to find what is asked for")
@pytest.mark.parametrize("question", QUESTIONS)
def test_what_has_ended_is_not_looked_at(store: Store, question: Any) -> None:
    with noted(store) as asked, store.transaction() as session:
        question(session)
    (statement,) = [statement for statement in asked if statement[0].startswith("SELECT")]
    steps = [step for _, step in plans(store, [statement])]
    assert any(step.startswith("SEARCH ") for step in steps)
    assert not any(step.startswith("SCAN ") for step in steps)


def test_everything_is_counted_where_it_stands(scene: Scene) -> None:
    scene.joined("Ada", "Ben").begun()
    scene.do(game(2, standing=Standing.INVITED))
    letters = [scene.letter(seat) for seat in (*Seat, *Seat)]
    scene.do(letters=letters)
    for _ in range(3):
        scene.kept_mail()
        scene.now += timedelta(seconds=1)
    with scene.store.transaction() as session:
        session.execute(text("UPDATE inbox SET state = 'answered'"))
        for change in (
            "UPDATE outbox SET state = 'failed' WHERE id = 1",
            "UPDATE outbox SET state = 'sent' WHERE id = 2",
            "UPDATE inbox SET state = 'shunted' WHERE id = 1",
            "UPDATE inbox SET state = 'new' WHERE id IN (2, 3)",
            f"UPDATE address SET bounces = 3 WHERE address = '{BEN}'",
            f"UPDATE address SET bounces = 1 WHERE address = '{ADA}'",
        ):
            session.execute(text(change))
        total = session.execute(text("SELECT count(*) FROM outbox")).scalar_one()
        assert health.mails(session) == {MailState.NEW: 2, MailState.SHUNTED: 1}
        letters = health.letters(session)
        assert letters[LetterState.FAILED] == 1
        assert sum(letters.values()) == total - 1
        assert health.games(session) == {
            Standing.INVITED: 1,
            Standing.BIDDING: 0,
            Standing.OPEN: 1,
            Standing.ADJOURNED: 0,
        }
        assert health.addresses(session) == {"bouncing": 2, "resting": 1, "bouncing_strangers": 0}
        session.execute(text(f"UPDATE address SET verified_at = NULL WHERE address = '{BEN}'"))
        assert health.addresses(session) == {"bouncing": 1, "resting": 0, "bouncing_strangers": 1}


def test_where_nothing_waits_there_is_no_oldest(store: Store) -> None:
    with store.transaction() as session:
        assert (health.oldest_mail(session), health.oldest_letter(session)) == (None, None)
        assert health.last_contact(session, "INBOX") is None
