"""Whatever two players do about boards that have parted, in any order, late or twice, from whatever address: no turn
is lost, no board changes without both, nobody agrees to what they have not been shown, and the game can go on."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

import pytest
from sqlmodel import select

from takmail.commands.game.wish import state_after
from takmail.commands.kinds import REMEDIES, LetterState, OfferEnd, OfferKind, Standing
from takmail.games.interface import Seat
from takmail.games.tak.game import TakState
from takmail.store.tables import GameRow, Offer, OutboxRow, TakenBack, TurnRow
from tests.acceptance.steps import SIZE, Step, a_move, a_step, words
from tests.support import databases
from tests.support.harness import ADA, BEN, Harness, Received
from tests.support.rolled_back import Undone
from tests.support.rows import table

PEOPLE = (ADA, BEN)
OPENING = ("ps a1", "ps d4", "ps b2", "ps c3", "ps b3", "ps c2")
BECAME = ("a move", "what both agreed on", "a turn taken back", "a draw", "held words", "stale words")
GAMES = 18


@dataclass(frozen=True, slots=True)
class Seen:
    """The game as it is stored.

    `ever` is all that was ever played, `given_up` the branches that both have given up, `offers` all that was ever
    offered, and `promised` what each proposal that stands would lead to.
    """

    turns: tuple[str, ...]
    ever: Counter[tuple[int, int, str]]
    given_up: frozenset[int]
    standing: Standing
    offers: dict[int, Offer]
    promised: dict[int, tuple[tuple[str, ...], Seat]]
    state: TakState
    boards: tuple[tuple[str, ...], ...]

    def stands(self, seat: Seat) -> set[int]:
        """The offers of a seat that nobody has answered."""
        return {number for number, one in self.offers.items() if one.ended is None and one.seat == seat}


@dataclass(slots=True)
class Scene:
    """An office, the game as it is and as it was when each letter was written, and the words that wait for a `yes`.

    `first` is the number of the first offer that was made in the position as it is.
    """

    harness: Harness
    now: Seen
    letters: dict[str, Seen]
    asked: dict[str, tuple[str, Seen]] = field(default_factory=dict)
    first: int = 0


def seen(harness: Harness) -> Seen:
    with harness.store.transaction() as session:
        game = session.get_one(GameRow, 1)
        board = table(session, harness.services, 1, harness.now)
        gone = session.exec(select(TakenBack)).all()
        kept = [*session.exec(select(TurnRow)).all(), *gone]
        offers = {one.version: one for one in session.exec(select(Offer)).all()}
        wishes = {one.version: state_after(board, one) for one in board.offers if one.kind in REMEDIES}
        state = board.state
        assert isinstance(state, TakState)
        return Seen(
            tuple(turn.text for turn in board.turns),
            Counter((one.number, one.seat, one.text) for one in kept),
            frozenset(one.branch for one in gone if one.how != OfferKind.UNDO),
            game.standing,
            offers,
            {number: (after.board(), after.to_move) for number, after in wishes.items()},
            state,
            tuple(one.board() for one in board.states),
        )


def letter(harness: Harness, who: str, late: int) -> Received:
    """One of somebody's letters, `late` of them having come since."""
    theirs = [one for one in harness.box if one.to == who and not one.asks_who]
    return theirs[max(0, len(theirs) - 1 - late)]


def person(who: str) -> str:
    return f"{who[:3].capitalize()} <{who}>"


def deliver(scene: Scene, raw: bytes) -> list[Received]:
    """Put a mail through; of the letters that follow it is noted what they are written after."""
    new = scene.harness.deliver(raw)
    scene.now = seen(scene.harness)
    scene.letters.update((one.id, scene.now) for one in new)
    with scene.harness.store.transaction() as session:
        query = select(OutboxRow.message_id).where(OutboxRow.state == LetterState.WITHDRAWN)
        withdrawn = set(session.exec(query).all())
    scene.harness.box[:] = [one for one in scene.harness.box if one.id not in withdrawn]
    return new


def take(scene: Scene, step: Step, became: Counter[str]) -> None:
    """Write the mail of a step, again if it says so, and check what comes of each."""
    harness, who = scene.harness, PEOPLE[step.seat]
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
    """Answer a question; the words that were held are about the letter that they answered."""
    text, known = scene.asked.pop(question.id)
    raw = scene.harness.mail(person(PEOPLE[step.seat]), "yes", question).as_bytes()
    became["held words"] += write(scene, step, text, raw, known, became) != "nothing"


def write(scene: Scene, step: Step, text: str, raw: bytes, known: Seen | None, became: Counter[str]) -> str:
    """Put a mail through, and maybe once more as servers do; `known` is the game as its writer can have known it."""
    before = scene.now
    deliver(scene, raw)
    after = scene.now
    what = check(step.seat, text, before, after, known)
    if what != "nothing" and known is None and text == "agree":
        meant = could_be_meant(before, step.seat.other, scene.first)
        assert len(meant) == 1, "nobody knows what was agreed to"
    if after.turns != before.turns:
        scene.first = 1 + max(after.offers, default=0)
    became[what] += 1
    became["stale words"] += what == "nothing" and known is not None and known.turns != before.turns
    if step.twice:
        deliver(scene, raw)
        assert scene.now == after
    return what


def could_be_meant(before: Seen, maker: Seat, first: int) -> set[tuple[OfferKind, int | None, str | None]]:
    """What a mere `agree` can be about: what its maker offers, and has offered from offer `first` on."""
    made = [one for number, one in before.offers.items() if number >= first and one.seat == maker]
    made += [before.offers[number] for number in before.stands(maker)]
    return {(one.kind, one.target, one.board) for one in made if one.ended != OfferEnd.REFUSED}


def check(seat: Seat, text: str, before: Seen, after: Seen, known: Seen | None) -> str:
    """Hold what a mail has done against what one player may do alone; gives what it was."""
    assert before.ever <= after.ever, "a turn is lost"
    # A game that is over keeps no offers.
    standing = [one for one in before.offers if before.offers[one].ended is None and one in after.offers]
    agreed = [one for one in standing if after.offers[one].ended == OfferEnd.AGREED]
    is_over = before.standing != Standing.OVER == after.standing
    if after.turns == before.turns and not is_over and not agreed:
        return "nothing"
    if known is not None:
        is_known = (known.turns, known.given_up) == (before.turns, before.given_up)
        assert is_known or "undo" in text, "words about another board have changed the game"
    if agreed:
        return agreement(seat, text, before, after, known, agreed)
    if after.turns == before.turns:
        draws = [one for one in before.stands(seat.other) if before.offers[one].kind == OfferKind.DRAW]
        assert draws
        assert "draw" in text or (known is None or draws[0] in known.stands(seat.other))
        return "a draw"
    if "undo" in text:
        common = before.turns[:-1]
        assert before.state.to_move != seat
        assert after.turns[: len(common)] == common
        assert len(after.turns) <= len(before.turns)
        return "a turn taken back"
    assert after.turns[:-1] == before.turns
    assert not after.turns[-1].startswith("board ")
    assert before.state.to_move == seat
    return "a move"


def agreement(seat: Seat, text: str, before: Seen, after: Seen, known: Seen | None, agreed: list[int]) -> str:
    """What both have agreed on is what the one has offered and the other has been shown, or proposes as well."""
    (number,) = agreed
    offer = before.offers[number]
    assert offer.seat != seat, "agreed with oneself"
    assert known is None or number in known.stands(seat.other) or "propose" in text, (
        "agreed to what was unseen"
    )
    if offer.kind == OfferKind.UNDO:
        assert after.turns == before.turns[:-1]
        return "a turn taken back"
    assert offer.turn == len(before.turns), "agreed about another position"
    assert (after.state.board(), after.state.to_move) == before.promised[number], "another board than offered"
    return "what both agreed on"


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Undone, Scene]]:
    """A game of six turns, White to move."""
    plain = databases.passing(tmp_path_factory.mktemp("begun"))
    harness = Harness(plain)
    harness.begin(str(SIZE))
    known = {one.id: seen(harness) for one in harness.box}
    for number, move in enumerate(OPENING):
        harness.play(move, start=number)
        now = seen(harness)
        known.update((one.id, now) for one in harness.box if one.id not in known)
    yield Undone(plain.engine), Scene(harness, now, known)
    plain.close()


def test_no_order_of_words_loses_a_turn_or_changes_a_board_alone(begun: tuple[Undone, Scene]) -> None:
    store, first = begun
    became: Counter[str] = Counter()

    for seed in range(GAMES):
        with store.undone():
            begun = first.harness
            harness = Harness(
                store, now=begun.now, box=list(begun.box), _mails=begun._mails, _seen=begun._seen
            )
            play_on(Scene(harness, first.now, dict(first.letters)), Random(seed), became)
            goes_on(harness)
    assert all(became[one] for one in BECAME), became


def play_on(scene: Scene, chance: Random, became: Counter[str]) -> None:
    """Write some mails, or as many as there are before the game is over and one more; a failure shows them."""
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


def goes_on(harness: Harness) -> None:
    """Whoever is to move can play the game on, in answer to their newest letter."""
    now = seen(harness)
    if now.standing == Standing.OVER:
        return
    assert now.standing == Standing.OPEN
    move = a_move(now.state, 0)
    who = PEOPLE[now.state.to_move]
    harness.send(person(who), move, letter(harness, who, 0))
    assert seen(harness).turns == (*now.turns, move)
