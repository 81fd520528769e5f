"""Random conversations keep the invariants of a game.

Two players write in any order, late or twice, and from any address. Nevertheless no turn is lost, and no board changes
without the consent of both players. Nobody accepts an offer that no letter showed, and the game can always continue.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import pytest
from sqlmodel import select

from takmail.games.interface import Seat, State
from takmail.games.tak.state import TakState
from takmail.store import dispatch
from takmail.store.tables import OutboxRow
from takmail.world.consequences import state_after
from takmail.world.kinds import GameNumber, LetterState, PendingEnd, Standing
from takmail.world.pending import Pending
from takmail.world.waiting import BOARD_PROPOSALS, PendingKind
from tests.conversations.steps import SIZE, Step, a_move, a_relayed_step, a_step, words
from tests.support import databases
from tests.support.examples import SECONDS, examples
from tests.support.harness import ADA, BEN, Harness, Received
from tests.support.memory_harness import MemoryHarness
from tests.support.scenes import played_once
from tests.support.width import IS_WIDE

PEOPLE = (ADA, BEN)
OPENING = ("ps a1", "ps d4", "ps b2", "ps c3", "ps b3", "ps c2")
BECAME = ("a move", "what both agreed on", "a turn taken back", "a draw", "held words", "stale words")
GAMES = {"memory": (14, 400), "database": (2, 100)}
"""The number of random games in `make test-all`, and in `make fuzz`."""
FEW = {"memory": (5, 12), "database": (0,)}
"""The seeds of the random games in `make test`."""
NUMBER = GameNumber(1)


class InMemory(MemoryHarness):
    """A harness on a database in memory, without workers."""

    def offers(self) -> Sequence[Pending]:
        return self.table(NUMBER).every_offer

    def letters(self) -> Mapping[str, tuple[LetterState, int | None]]:
        """Return the state of each letter and the number of turns that it shows, oldest first."""
        return {one.message_id: (one.state, one.about.turn) for one in self.memory.outbox.values()}

    def leave(self) -> None:
        """Send all letters that may be sent."""
        self.memory.send_all()


class Stored(Harness):
    """A harness with a worker."""

    def offers(self) -> Sequence[Pending]:
        return self.table(NUMBER).every_offer

    def letters(self) -> Mapping[str, tuple[LetterState, int | None]]:
        columns = select(OutboxRow.message_id, OutboxRow.state, OutboxRow.reported_turn)
        with self.store.transaction() as session:
            rows = session.exec(columns.order_by(OutboxRow.id)).all()  # type: ignore[arg-type]
            return {name: (LetterState(state), turn) for name, state, turn in rows}

    def leave(self) -> None:
        with self.store.transaction() as session:
            while claimed := dispatch.claim(session, self.now):
                dispatch.sent(session, [one.id for one in claimed])


@played_once
def begun(harness: InMemory | Stored, is_relay: bool) -> None:
    """Begin a relay game before its first turn, or a game of six turns with White to move."""
    harness.begin("3 relay" if is_relay else str(SIZE))
    if not is_relay:
        harness.play(*OPENING)


@dataclass(frozen=True, slots=True)
class Seen:
    """The data of a stored game that the checks use.

    * `ever` are all turns that were ever played
    * `given_up` are the numbers of the runs that were taken back by agreement
    * `offers` are all offers that were ever made, and `promised` is the result of each open proposal
    * `is_told`: the letter that reports the newest turn was sent
    """

    turns: tuple[str, ...]
    ever: Counter[tuple[int, int, str]]
    given_up: frozenset[int]
    standing: Standing
    offers: dict[int, Pending]
    promised: dict[int, tuple[tuple[str, ...], Seat]]
    states: tuple[State, ...]
    is_told: bool = field(compare=False)

    @property
    def state(self) -> TakState:
        state = self.states[-1]
        assert isinstance(state, TakState)
        return state

    @property
    def boards(self) -> tuple[tuple[str, ...], ...]:
        return tuple(one.board() for one in self.states)

    def stands(self, seat: Seat) -> set[int]:
        """Return the unanswered offers of a seat."""
        return {number for number, one in self.offers.items() if one.end.how is None and one.seat == seat}


@dataclass(slots=True)
class Scene:
    """A harness, the game now and at the time of each letter, and the commands that wait for a `yes`."""

    harness: InMemory | Stored
    now: Seen
    letters: dict[str, Seen]
    asked: dict[str, tuple[str, Seen]] = field(default_factory=dict)


def seen(harness: InMemory | Stored) -> Seen:
    table = harness.table()
    gone = [one for run in table.taken_back for one in run.turns]
    told = [state for state, turn in harness.letters().values() if turn == len(table.turns)]
    wishes = {one.version: state_after(table, one) for one in table.offers if one.kind in BOARD_PROPOSALS}
    return Seen(
        tuple(table.texts()),
        Counter((one.number, one.seat, one.text) for one in (*table.turns, *gone)),
        frozenset(run.number for run in table.taken_back if run.how != PendingKind.UNDO),
        table.record.standing,
        {one.version: one for one in harness.offers()},
        {number: (after.board(), after.to_move) for number, after in wishes.items()},
        table.states,
        bool(told) and told[-1] is LetterState.SENT,
    )


def letter(harness: InMemory | Stored, who: str, late: int) -> Received:
    """Return a letter to somebody. `late` is the number of newer letters that have arrived since."""
    theirs = [one for one in harness.box if one.to == who and not one.asks_who]
    return theirs[max(0, len(theirs) - 1 - late)]


def person(who: str) -> str:
    return f"{who[:3].capitalize()} <{who}>"


def deliver(scene: Scene, raw: bytes) -> list[Received]:
    """Process a mail, and record the state of the game after it for each letter that it causes."""
    new = scene.harness.deliver(raw)
    scene.now = seen(scene.harness)
    scene.letters.update((one.id, scene.now) for one in new)
    where = scene.harness.letters()
    scene.harness.box[:] = [one for one in scene.harness.box if where[one.id][0] != LetterState.WITHDRAWN]
    return new


def take(scene: Scene, step: Step, became: Counter[str]) -> None:
    """Write the mail of a step once or twice, and check each result."""
    harness, who = scene.harness, PEOPLE[step.seat]
    if step.what == "letters leave":
        harness.leave()
        scene.now = seen(harness)
        return
    for _ in range(1 + step.twice):
        before = scene.now
        text = words(step, before.state, before.boards)
        answers = letter(harness, who, step.late)
        waiting = [one for one in harness.box if one.to == who and one.id in scene.asked]
        if step.what == "yes" and waiting:
            say_yes(scene, step, waiting[-1 - step.chance % len(waiting)], became)
        elif step.way == "unknown address":
            sender = "Other <other@example.org>"
            new = deliver(scene, harness.mail(sender, text, answers).as_bytes())
            assert scene.now == before, "somebody unknown has changed the game"
            assert all(one.to == who for one in new)
            for one in new:
                scene.asked[one.id] = (text, scene.letters[answers.id])
            if new and step.chance % 2:
                say_yes(scene, step, new[-1], became)
        else:
            is_threaded = step.way == "threaded"
            raw = harness.mail(person(who), text, answers, threaded=is_threaded).as_bytes()
            write(scene, step, text, raw, scene.letters[answers.id] if is_threaded else None, became)


def say_yes(scene: Scene, step: Step, question: Received, became: Counter[str]) -> None:
    """Answer a question. The held commands refer to the letter that they answered."""
    text, known = scene.asked.pop(question.id)
    raw = scene.harness.mail(person(PEOPLE[step.seat]), "yes", question).as_bytes()
    became["held words"] += write(scene, step, text, raw, known, became) != "nothing"


def write(scene: Scene, step: Step, text: str, raw: bytes, known: Seen | None, became: Counter[str]) -> str:
    """Process a mail once or twice. `known` is the state of the game that its author can have known."""
    before = scene.now
    deliver(scene, raw)
    after = scene.now
    what = check(step.seat, text, before, after, known)
    if what != "nothing" and text == "agree":
        assert len((known or before).stands(step.seat.other)) == 1, "nobody knows what was agreed to"
    became[what] += 1
    became["stale words"] += what == "nothing" and known is not None and known.turns != before.turns
    if step.twice and isinstance(scene.harness, Stored):  # the database identifies a duplicate by its row
        deliver(scene, raw)
        assert scene.now == after
    return what


def check(seat: Seat, text: str, before: Seen, after: Seen, known: Seen | None) -> str:
    """Check that a mail did only what its author may do without the opponent. Return what it did."""
    assert before.ever <= after.ever, "a turn is lost"
    # A game that is over has no offers.
    standing = [one for one in before.offers if before.offers[one].end.how is None and one in after.offers]
    agreed = [one for one in standing if after.offers[one].end.how == PendingEnd.AGREED]
    is_over = before.standing != Standing.OVER == after.standing
    if after.turns == before.turns and not is_over and not agreed:
        return "nothing"
    # A draw offer refers to no particular board, so a letter from before its maker's next turn reports it, too.
    if known is not None and after.turns != before.turns:
        is_known = (known.turns, known.given_up) == (before.turns, before.given_up)
        assert is_known or "undo" in text, "words about another board have changed the game"
    if agreed:
        return agreement(seat, text, before, after, known, agreed)
    if after.turns == before.turns:
        draws = [one for one in before.stands(seat.other) if before.offers[one].kind == PendingKind.DRAW]
        assert draws
        assert "draw" in text or (known is None or draws[0] in known.stands(seat.other))
        return "a draw"
    if "undo" in text:
        common = before.turns[:-1]
        assert before.state.to_move != seat
        assert not before.is_told, "what the other one may have read is taken back alone"
        assert after.turns[: len(common)] == common
        assert len(after.turns) <= len(before.turns)
        return "a turn taken back"
    assert after.turns[:-1] == before.turns
    assert not after.turns[-1].startswith("board ")
    assert before.state.to_move == seat
    return "a move"


def agreement(seat: Seat, text: str, before: Seen, after: Seen, known: Seen | None, agreed: list[int]) -> str:
    """Check that an agreement is on an offer that a letter showed to the other player, or that both have made."""
    (number,) = agreed
    offer = before.offers[number]
    assert offer.seat != seat, "agreed with oneself"
    assert known is None or number in known.stands(seat.other) or "propose" in text, (
        "agreed to what was unseen"
    )
    if offer.kind == PendingKind.UNDO:
        assert after.turns == before.turns[:-1]
        return "a turn taken back"
    assert offer.turn == len(before.turns), "agreed about another position"
    assert (after.state.board(), after.state.to_move) == before.promised[number], "another board than offered"
    return "what both agreed on"


def play_on(scene: Scene, chance: Random, became: Counter[str]) -> None:
    """Write some mails, the last of them after the end of the game. A failure shows all mails."""
    written: list[Step] = []
    for _ in range(chance.randrange(6, 14)):
        is_over = scene.now.standing == Standing.OVER
        offering = next((one for one in Seat if scene.now.stands(one)), None)
        written.append(a_step(chance, scene.now.state.to_move, offering))
        try:
            take(scene, written[-1], became)
        except Exception as error:
            error.add_note("\n".join(map(str, written)))
            raise
        if is_over:
            break


def goes_on(harness: InMemory | Stored) -> None:
    """Check that the player to move can play a turn in reply to the newest letter."""
    now = seen(harness)
    if now.standing == Standing.OVER:
        return
    assert now.standing == Standing.OPEN
    move = a_move(now.state, 0)
    who = PEOPLE[now.state.to_move]
    harness.send(person(who), move, letter(harness, who, 0))
    assert seen(harness).turns == (*now.turns, move)


def write_anything(harness: InMemory | Stored, chance: Random) -> None:
    """Write some mails in a relay game. Then check that both players can still send a move."""
    sent: list[str] = []
    for _ in range(20):
        step = a_relayed_step(chance)
        who = PEOPLE[step.seat]
        answers = letter(harness, who, step.late)
        harness.send(person(who), step.what, answers, threaded=step.way == "threaded")
        now = harness.table().texts()
        assert now[: len(sent)] == sent
        sent = now
    for who in PEOPLE:
        letters = harness.send(person(who), "ps b3\n\nlog", harness.last(who))
        assert {one.to for one in letters} == {ADA, BEN}
    assert harness.table().texts()[len(sent) :] == ["ps b3", "ps b3"]


def seeds(where: str) -> Sequence[int]:
    return range(examples(*GAMES[where])) if IS_WIDE or SECONDS else FEW[where]


@contextmanager
def game(where: str, folder: Path, seed: int, *, is_relay: bool) -> Iterator[InMemory | Stored]:
    """Yield a game that has begun, with or without a worker."""
    print(f"seed {seed}")
    if where == "memory":
        yield begun(InMemory(), is_relay)
    else:
        store = databases.opened(folder, f"game{seed}")
        yield begun(Stored(store), is_relay)
        store.close()


@pytest.mark.many
@pytest.mark.parametrize("where", GAMES)
def test_no_order_of_words_loses_a_turn_or_changes_a_board_alone(where: str, tmp_path: Path) -> None:
    became: Counter[str] = Counter()
    for seed in seeds(where):
        with game(where, tmp_path, seed, is_relay=False) as harness:
            now = seen(harness)
            play_on(Scene(harness, now, {one.id: now for one in harness.box}), Random(seed), became)
            goes_on(harness)
    assert where == "database" or not IS_WIDE or all(became[one] for one in BECAME), became


@pytest.mark.many
@pytest.mark.parametrize("where", ["memory", pytest.param("database", marks=pytest.mark.wide)])
def test_no_order_of_words_stops_a_relay_game_or_loses_a_move_of_it(where: str, tmp_path: Path) -> None:
    for seed in seeds(where) if SECONDS else seeds(where)[: 2 if IS_WIDE else 1]:
        with game(where, tmp_path, seed, is_relay=True) as harness:
            write_anything(harness, Random(seed))
