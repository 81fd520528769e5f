"""The rate limits count letters without reading them."""

from datetime import timedelta
from typing import Any

import pytest

from takmail.store.database import Store
from takmail.store.people import budgets
from takmail.store.tables import InboxRow
from takmail.world.kinds import GameNumber, LetterPurpose, LetterState, PlayerId
from takmail.world.letters import Budget
from tests.store.plans import inner, noted, plans
from tests.store.scene import ADA, NOW, Scene
from tests.support.rows import add_letter, new_letter


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


@pytest.mark.parametrize(
    ("after", "values", "news", "chats"),
    [
        (timedelta(), {"purpose": LetterPurpose.NEWS, "game_id": 1}, 1, 0),
        (timedelta(days=-1), {"purpose": LetterPurpose.NEWS, "game_id": 1}, 0, 0),
        (timedelta(minutes=1), {"purpose": LetterPurpose.NEWS, "game_id": 1}, 0, 0),
        (timedelta(), {"purpose": LetterPurpose.NEWS}, 0, 0),
        (timedelta(), {"purpose": LetterPurpose.SURE, "game_id": 1}, 0, 0),
        (timedelta(), {"purpose": LetterPurpose.CHAT, "game_id": 1}, 0, 1),
        (timedelta(hours=-1), {"purpose": LetterPurpose.CHAT, "game_id": 1}, 0, 0),
        (timedelta(minutes=1), {"purpose": LetterPurpose.CHAT, "game_id": 1}, 0, 0),
        (timedelta(), {"purpose": LetterPurpose.CHAT, "game_id": 1, "state": LetterState.WITHDRAWN}, 0, 0),
    ],
)
@pytest.mark.parametrize("reader", ["nobody@example.org", ADA])
def test_which_letters_count_as_news_of_a_game_and_as_words(
    scene: Scene, reader: str, after: timedelta, values: dict[str, Any], news: int, chats: int
) -> None:
    scene.joined("Ada", "Ben").begun()
    now = scene.now + timedelta(days=2)
    with scene.store.transaction() as session:
        letter = new_letter(reader, now + after)
        for name, value in values.items():
            setattr(letter, name, value)
        add_letter(session, letter)
        budget = budgets(session, [reader], now).get(reader, Budget())
    assert budget.news == ({GameNumber(1): news} if news else {})
    assert len(budget.chats) == chats


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({}, True),
        ({"mail_to": "other@example.org"}, False),
        ({"purpose": LetterPurpose.SURE}, False),
        ({"game_id": 2}, False),
    ],
)
def test_a_stranger_is_told_once_of_each_game_that_its_seat_is_somebody_elses(
    scene: Scene, values: dict[str, Any], told: bool
) -> None:
    scene.joined("Ada", "Ben").begun().begun(2)
    with scene.store.transaction() as session:
        letter = new_letter("nobody@example.org", scene.now)
        for name, value in {"purpose": LetterPurpose.NONSENSE, "game_id": 1, **values}.items():
            setattr(letter, name, value)
        add_letter(session, letter)
        assert scene.queries(session).was_told_of_seat("nobody@example.org", GameNumber(1)) is told


@pytest.mark.parametrize(
    ("reader", "after", "is_costly", "told"),
    [
        (ADA, timedelta(days=-1, seconds=1), True, True),
        (ADA, timedelta(days=-1), True, False),
        (ADA, timedelta(), False, False),
        ("ben@example.org", timedelta(), True, False),
    ],
)
def test_a_player_is_told_once_a_day_that_a_mail_was_too_expensive(
    scene: Scene, reader: str, after: timedelta, is_costly: bool, told: bool
) -> None:
    scene.joined("Ada", "Ben")
    mail = scene.kept_mail()
    with scene.store.transaction() as session:
        session.get_one(InboxRow, mail).is_costly = is_costly
        letter = new_letter(reader, scene.now + after)
        letter.mail_id = mail
        add_letter(session, letter)
        assert scene.queries(session).was_told_of_costly(PlayerId(1)) is told
