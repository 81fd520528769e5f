"""Games against bots in the database: the player of a bot, its tasks, and letters that are held."""

from collections.abc import Sequence
from datetime import timedelta

import pytest
from sqlmodel import Session, col, select

from takmail.games.tak.game import TakGame
from takmail.games.thinking import Choice, Hint
from takmail.limits.letters import WAIT_FOR_THOUGHT
from takmail.pipeline.process import Outcome
from takmail.pipeline.tasks import Thought, on_task
from takmail.store import dispatch, due, people
from takmail.store.causes import new_cause, with_retries
from takmail.store.due import WaitingTask
from takmail.store.tables import OutboxRow
from takmail.world import LetterState, PlayerKind
from takmail.world.tasks import TaskKind
from tests.support.harness import ADA, BEN, Harness, turns
from tests.support.memory_harness import WITH_BOTS
from tests.support.players import Received, said

WORKER = "a worker that thinks"


@pytest.fixture
def against_bot(harness: Harness) -> Harness:
    """Ada plays against a bot, and it is her turn."""
    harness.change(bots=WITH_BOTS.bots)
    harness.send(f"Ada <{ADA}>", "new 5 vs bot")
    return harness


def ada(harness: Harness, text: str) -> list[Received]:
    return harness.send(f"Ada <{ADA}>", text, harness.last(ADA))


def waiting(harness: Harness) -> list[WaitingTask]:
    """Return the tasks that are due."""
    with harness.store.transaction() as session:
        return [*due.tasks(session, harness.now)]


def bot_plays(harness: Harness, text: str, after: Sequence[str]) -> list[Received]:
    """Let the bot play a turn that it has thought about after these turns, and return the letters."""
    return think(harness, Choice(text), after)


def think(harness: Harness, thought: Thought | None, after: Sequence[str]) -> list[Received]:
    """Do the only task with what was thought about the game after these turns, and return the letters."""
    (one,) = waiting(harness)

    def decide(session: Session) -> Outcome:
        assert due.claim_task(session, one.work, WORKER, harness.now)
        outcome = harness.causes.decide(
            session,
            new_cause("a task", harness.now),
            lambda context: on_task(context, one.task, after, thought),
            games=(one.task.game,),
        )
        due.finish(session, one.work, None, WORKER)
        return outcome

    with_retries(harness.store, decide)
    return harness.collect()


def states(harness: Harness) -> list[LetterState]:
    with harness.store.transaction() as session:
        return [*session.exec(select(OutboxRow.state).order_by(OutboxRow.id))]  # type: ignore[arg-type]


def test_a_turn_is_a_task_and_its_letter_takes_the_place_of_the_receipt(against_bot: Harness) -> None:
    harness = against_bot
    (receipt,) = ada(harness, "ps a1")
    assert "Bot easy is thinking" in said(receipt)
    assert [one.task.kind for one in waiting(harness)] == [TaskKind.MOVE]
    (both,) = bot_plays(harness, "ps e5", after=["ps a1"])
    assert "Your move is played as turn 1 (ps a1)." in said(both)
    assert turns(harness) == ["ps a1", "ps e5"]
    assert states(harness)[-2:] == [LetterState.WITHDRAWN, LetterState.QUEUED]
    assert waiting(harness) == []


def test_the_receipt_waits_while_an_answer_leaves_that_does_not_tell_the_turn(
    against_bot: Harness,
) -> None:
    harness = against_bot
    (receipt,) = ada(harness, "ps a1")
    harness.now += timedelta(seconds=20)
    (answer,) = ada(harness, "bots")
    with harness.store.transaction() as session:
        held, newer = session.exec(
            select(OutboxRow).where(col(OutboxRow.message_id).in_([receipt.id, answer.id]))
        )
        assert (held.state, newer.state) == (LetterState.QUEUED, LetterState.QUEUED)
        assert held.due_at == held.created_at + WAIT_FOR_THOUGHT


def test_the_receipt_leaves_if_the_bot_cannot_answer_soon(against_bot: Harness) -> None:
    harness = against_bot
    ada(harness, "ps a1")
    with harness.store.transaction() as session:
        while letters := dispatch.claim(session, harness.now):
            dispatch.sent(session, [letter.id for letter in letters])
        assert dispatch.claim(session, harness.now + WAIT_FOR_THOUGHT - timedelta(seconds=1)) == []
        (receipt,) = dispatch.claim(session, harness.now + WAIT_FOR_THOUGHT)
        dispatch.sent(session, [receipt.id])
    (letter,) = bot_plays(harness, "ps e5", after=["ps a1"])
    assert "Your move is played" not in said(letter)


def test_a_bot_is_one_player_whoever_plays_it(against_bot: Harness) -> None:
    harness = against_bot
    harness.send(f"Ben <{BEN}>", "new 6 vs bot")
    with harness.store.transaction() as session:
        players = people.every(session)
    bots = [player for player in players if player.kind is PlayerKind.ENGINE]
    assert [(bot.name, bot.skeleton, bot.mailboxes) for bot in bots] == [("Bot easy", "#bot easy", ())]
    assert {player.name for player in players} == {"Ada", "Ben", "Bot easy"}


def test_who_has_played_a_bot_is_forgotten(against_bot: Harness) -> None:
    harness = against_bot
    ada(harness, "ps a1")
    ada(harness, "forget me")
    harness.send(f"Ada <{ADA}>", "yes", harness.last(ADA))
    first, second = harness.table().players
    assert first.is_erased
    assert second.name == "Bot easy"


def test_the_person_sees_the_bot_in_their_data(against_bot: Harness) -> None:
    harness = against_bot
    ada(harness, "ps a1")
    harness.send(f"Ada <{ADA}>", "mydata", harness.last(ADA))
    answer = harness.send(f"Ada <{ADA}>", "yes", harness.last(ADA))
    assert "Bot easy" in said(answer[-1])


def test_the_letter_of_the_end_waits_for_a_review_and_then_one_comes_that_was_asked_for(
    harness: Harness,
) -> None:
    harness.change(bots=WITH_BOTS.bots)
    harness.send(f"Ada <{ADA}>", "new 3 vs bot")
    game = ("ps a1", "ps c3", "ps b3", "ps a2", "ps b2", "ps b1", "ps a3")
    for number, (mine, its) in enumerate(zip(game[::2], (*game[1::2], None), strict=True)):
        ada(harness, mine)
        if its is not None:
            bot_plays(harness, its, after=game[: 2 * number + 1])
    assert [one.task.kind for one in waiting(harness)] == [TaskKind.LAST]
    assert states(harness)[-1:] == [LetterState.QUEUED]
    review = TakGame().review("3", game, lambda: False)
    (letter,) = think(harness, review, after=game)
    assert "The most important turn was 5. You could have made a road at once, and won." in said(letter)
    assert states(harness)[-2:] == [LetterState.WITHDRAWN, LetterState.QUEUED]
    ada(harness, "review")
    (letter,) = think(harness, review, after=game)
    assert "Turn 5: You could have made a road at once, and won." in said(letter)
    assert waiting(harness) == []


def test_in_which_positions_there_were_hints_is_stored(against_bot: Harness) -> None:
    harness, hint = against_bot, Hint("good", "ps c3", {"area": "middle", "is_move": False})
    ada(harness, "hint")
    think(harness, hint, after=())
    assert harness.table().record.hints == harness.table().state.checksum
    ada(harness, "hint")
    (letter,) = think(harness, hint, after=())
    assert 'Play "ps c3".' in said(letter)
    assert harness.table().record.hints == harness.table().state.checksum
