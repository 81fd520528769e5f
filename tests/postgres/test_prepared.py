"""Two services at the same moment: a prepared answer, and what is written about it. One of both is decided again."""

import pytest
from sqlalchemy import update
from sqlmodel import Session

from takmail.pipeline import process
from takmail.pipeline.due import on_due
from takmail.pipeline.process import Conflict, Outcome
from takmail.store.load import load_cause
from takmail.store.tables import OutboxRow
from takmail.store.write import write
from takmail.world.kinds import GameNumber, LetterState
from takmail.world.world import Cause, Snapshot
from tests.postgres.test_overlap import decided, handle, in_game
from tests.support.harness import ADA, BEN, Harness, turns

GAME = GameNumber(1)
MET = ["ps c3", "ps b4"]
MEANWHILE = (
    (ADA, "go", [*MET, "pw c4"]),
    (ADA, "ps d1", [*MET, "ps d1"]),
    (ADA, "ifs off", MET),
    (BEN, "draw", MET),
    (BEN, "can I undo?", MET),
    (BEN, "It rains here.", [*MET, "pw c4"]),
)


def waiting(harness: Harness, *lines: str) -> None:
    """Play until Ada waits for Ben, with prepared answers. All letters have left."""
    harness.begin_and_play("ps a1", "ps e5")
    harness.send(f"Ada <{ADA}>", "\n".join(("ps c3", *lines)), harness.last(ADA))
    leave(harness)


def leave(harness: Harness) -> None:
    with harness.store.transaction() as session:
        session.execute(update(OutboxRow).values(state=LetterState.SENT))


def answer(harness: Harness, session: Session) -> tuple[Snapshot, Outcome]:
    """Decide on what is due in the game."""
    causes = harness.causes
    queries = causes.queries(session)
    queries.with_turn_times = True
    snapshot = load_cause(queries, causes.world(queries), Cause("the game is due"), [GAME])
    return snapshot, process.outcome_of_cause(
        causes.services, snapshot, lambda context: on_due(context, GAME)
    )


def let_answer(harness: Harness) -> None:
    with harness.store.transaction() as session:
        write(session, *answer(harness, session))


@pytest.mark.parametrize(("who", "words", "expected"), MEANWHILE)
def test_an_answer_that_was_decided_before_a_mail_was_stored_is_decided_again(
    harness: Harness, who: str, words: str, expected: list[str]
) -> None:
    waiting(harness, "if ps b4 then pw c4")
    harness.send(f"Ben <{BEN}>", "ps b4", harness.last(BEN))
    leave(harness)
    mail = in_game(harness, who, words)
    with pytest.raises(Conflict), harness.store.transaction() as two:  # noqa: PT012 - the mail is in between
        decision = answer(harness, two)
        with harness.store.transaction() as one:
            handle(harness, one, mail)
        write(two, *decision)
    leave(harness)
    let_answer(harness)
    assert turns(harness)[2:] == expected


@pytest.mark.parametrize(("who", "words"), [(who, words) for who, words, _ in MEANWHILE])
def test_a_mail_that_was_decided_before_an_answer_was_stored_is_decided_again(
    harness: Harness, who: str, words: str
) -> None:
    waiting(harness, "if ps b4 then pw c4")
    harness.send(f"Ben <{BEN}>", "ps b4", harness.last(BEN))
    leave(harness)
    mail = in_game(harness, who, words)
    with pytest.raises(Conflict), harness.store.transaction() as two:  # noqa: PT012 - the answer is in between
        decision = decided(harness, two, mail)
        let_answer(harness)
        write(two, *decision, claimed_by="")
    with harness.store.transaction() as one:
        handle(harness, one, mail)
    assert turns(harness)[2:] == [*MET, "pw c4"]


@pytest.mark.parametrize("first", ["line", "turn"])
def test_no_turn_misses_a_line_that_is_stored_at_the_same_moment(harness: Harness, first: str) -> None:
    waiting(harness)
    line, turn = in_game(harness, ADA, "if ps b4 then pw c4"), in_game(harness, BEN, "ps b4")
    before, after = (line, turn) if first == "line" else (turn, line)
    with pytest.raises(Conflict), harness.store.transaction() as two:  # noqa: PT012 - the first one is in between
        decision = decided(harness, two, after)
        with harness.store.transaction() as one:
            handle(harness, one, before)
        write(two, *decision, claimed_by="")
    with harness.store.transaction() as one:
        handle(harness, one, after)
    leave(harness)
    let_answer(harness)
    # A line that comes behind the turn is refused, as it is its writer's turn.
    assert turns(harness)[2:] == [*MET, "pw c4"][: 3 if first == "line" else 2]
