"""Which mails wait for a corrupt game: their state decides, not their notes."""

import pytest
from sqlalchemy import text

from takmail.pipeline.process import Outcome
from takmail.store import inbox, retention
from takmail.store.tables import InboxRow
from takmail.store.write import write
from takmail.world.kinds import GameNumber, MailState
from tests.store.scene import Scene

ONE, ELEVEN = GameNumber(1), GameNumber(11)


@pytest.fixture
def game(scene: Scene) -> Scene:
    """Ada and Ben have begun a game."""
    return scene.joined("Ada", "Ben").begun()


def ended(
    game: Scene, state: MailState, about: int, turn: int | None = None, *, is_costly: bool = False
) -> int:
    """Store a mail that ended in this state. Return its number."""
    number = game.kept_mail()
    game.now = game.now.replace(second=game.now.second + 1)  # no two mails are the same
    outcome = Outcome(world=game.state, state=state, game=GameNumber(about), turn=turn, is_costly=is_costly)
    with game.store.transaction() as session:
        write(session, game.snapshot(number), outcome, claimed_by="a worker")
    return number


def shunted(game: Scene) -> list[int]:
    with game.store.transaction() as session:
        session.connection().execute(text("UPDATE inbox SET note = 'worded otherwise'"))
        return list(inbox.shunted_about(session, ONE))


def test_the_mails_that_are_kept_for_a_frozen_game_are_known(game: Scene) -> None:
    kept = [ended(game, MailState.SHUNTED, ONE) for _ in range(2)]
    ended(game, MailState.SHUNTED, ELEVEN)
    ended(game, MailState.SHUNTED, ONE, is_costly=True)
    ended(game, MailState.REJECTED, ONE)
    assert shunted(game) == kept


def test_a_mail_that_was_put_back_or_of_which_nothing_is_left_is_kept_no_more(game: Scene) -> None:
    back, gone, kept = (ended(game, MailState.SHUNTED, ONE) for _ in range(3))
    with game.store.transaction() as session:
        inbox.put_back(session.get_one(InboxRow, back), None, is_from_person=False)
        retention.reduce_these_mails(session, [gone])
    with game.store.transaction() as session:
        # It raises three times: nobody knows about which game it is.
        row = session.get_one(InboxRow, back)
        row.errors = inbox.ATTEMPTS - 1
        session.flush()
        assert inbox.record_error(session, back, "an error", "")
    assert shunted(game) == [kept]
