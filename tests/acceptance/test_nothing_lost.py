"""Whatever two players do about boards that have parted, in any order, late or twice: no turn is lost, no board
changes without both, and the game can go on."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlmodel import select

from takmail.games.game import Seat
from takmail.games.tak.game import TakState
from takmail.games.tak.moves import legal_moves
from takmail.games.tak.notation import mail as mail_notation
from takmail.service.table import load
from takmail.store import games
from takmail.store.database import Store
from takmail.store.tables import GameRow, Offer, OfferKind, Standing, TakenBack, TurnRow
from tests.office import ADA, BEN, Office, Received
from tests.undone import Undone

PEOPLE = (ADA, BEN)
SIZE = 4
OPENING = ("ps a1", "ps d4", "ps b2", "ps c3", "ps b3", "ps c2")
REMEDIES = (OfferKind.BACK, OfferKind.BOARD, OfferKind.RESTART)


@dataclass(frozen=True, slots=True)
class Step:
    """A mail: who writes what, in answer to which of their letters (0: the newest), and whether it comes twice.

    `chance` chooses what the words leave open: the move, the turn, the board.
    """

    seat: Seat
    what: str
    chance: int
    late: int
    twice: bool


WHAT = (
    *("move",) * 4,
    *("back", "board", "restart") * 2,
    *("agree",) * 4,
    *("agree back", "agree board", "agree restart", "refuse", "withdraw"),
    *("im", "im before", "pasted", "changed", "rs pasted", "why", "log", "ptn", "show"),
    "move and im",
    "back and agree",
)

steps = st.builds(
    Step,
    seat=st.sampled_from(Seat),
    what=st.sampled_from(WHAT),
    chance=st.integers(0, 10**6),
    late=st.sampled_from((0, 0, 0, 0, 1, 2, 5)),
    twice=st.sampled_from((False, False, False, True)),
)


@dataclass(frozen=True, slots=True)
class Seen:
    """The game as it is stored: its turns, all that was ever played, how it stands, and what is offered."""

    turns: tuple[str, ...]
    ever: Counter[tuple[int, int, str]]
    standing: Standing
    offers: tuple[Offer, ...]
    state: TakState
    boards: tuple[tuple[str, ...], ...]


def seen(office: Office) -> Seen:
    with office.store.transaction() as session:
        game = session.get_one(GameRow, 1)
        table = load(session, game)
        kept = [*session.exec(select(TurnRow)).all(), *session.exec(select(TakenBack)).all()]
        state = table.state
        assert isinstance(state, TakState)
        return Seen(
            tuple(turn.text for turn in table.turns),
            Counter((one.number, one.seat, one.text) for one in kept),
            game.standing,
            tuple(games.offers(session, 1)),
            state,
            tuple(one.board() for one in table.states),
        )


def words(step: Step, now: Seen) -> str:
    """What the mail says."""
    last = len(now.turns)
    turn = step.chance % (last + 2)
    board = now.boards[step.chance % len(now.boards)]
    match step.what:
        case "move":
            return a_move(now.state, step.chance)
        case "back":
            return f"propose back {turn}"
        case "board":
            side = ("white", "black", "me", "them")[step.chance % 4]
            return f"propose board {side}\n" + "\n".join(changed(board, step.chance))
        case "restart":
            return "propose restart"
        case "im before":
            return f"im #{turn} that can't be"
        case "pasted":
            return "\n".join(board)
        case "rs pasted":
            return "rs\n" + "\n".join(board)
        case "changed":
            return "\n".join(changed(board, step.chance))
        case "why":
            return f"why {turn}"
        case "show":
            return f"show {turn}"
        case "move and im":
            return a_move(now.state, step.chance) + "\nim"
        case "back and agree":
            return f"propose back {turn}\nagree"
        case plain:
            return plain


def a_move(state: TakState, chance: int) -> str:
    moves = legal_moves(state.position)
    board = state.position.board
    return mail_notation.write(board, moves[chance % len(moves)]) if moves else "ps a1"


def changed(board: tuple[str, ...], chance: int) -> list[str]:
    """The board with one spot written otherwise."""
    rows = [row.split() for row in board]
    row, column = chance % SIZE, chance // SIZE % SIZE
    rows[row][column] = ("0", "s", "S", "w", "Ss", "sS", "Ws")[chance % 7]
    return [" ".join(one) for one in rows]


def letter(office: Office, who: str, late: int) -> Received:
    """One of somebody's letters, `late` of them having come since."""
    theirs = [one for one in office.box if one.to == who and not one.asks_who]
    return theirs[max(0, len(theirs) - 1 - late)]


def send(office: Office, step: Step, text: str) -> None:
    who = PEOPLE[step.seat]
    sender = f"{who[:3].capitalize()} <{who}>"
    raw = office.mail(sender, text, letter(office, who, step.late)).as_bytes()
    office.deliver(raw)
    if step.twice:
        office.deliver(raw)
        # Sent again by its writer's hand it is another mail.
        office.deliver(office.mail(sender, text, letter(office, who, step.late)).as_bytes())


def check(step: Step, text: str, before: Seen, after: Seen) -> str:
    """Hold what a mail has done against what one player may do alone; gives what it was."""
    assert before.ever <= after.ever, "a turn is lost"
    if after.turns == before.turns:
        return "nothing"
    added = after.turns[len(before.turns) :]
    is_move = after.turns[: len(before.turns)] == before.turns and not any(
        one.startswith("board ") for one in added
    )
    if is_move:
        # By two mails of the same words at the most, each only when it was the writer's turn.
        assert len(added) == 1
        assert before.state.to_move == step.seat
        return "a move"
    offered = [one for one in before.offers if one.seat != step.seat and one.kind in REMEDIES]
    assert offered, "the board has changed without both"
    assert all(one.turn == len(before.turns) for one in offered), "agreed about another position"
    assert "agree" in text or "propose" in text
    return "what both agreed on"


@pytest.fixture(scope="module")
def begun() -> Iterator[tuple[Undone, Office]]:
    """A game of six turns, White to move."""
    plain = Store.open("sqlite://")
    office = Office(plain)
    office.begin(str(SIZE))
    office.play(*OPENING)
    yield Undone(plain.engine), office
    plain.close()


def test_no_order_of_words_loses_a_turn_or_changes_a_board_alone(begun: tuple[Undone, Office]) -> None:
    store, first = begun
    became: Counter[str] = Counter()

    @settings(
        max_examples=60,
        deadline=None,
        derandomize=True,
        print_blob=True,
        suppress_health_check=[HealthCheck.too_slow],
    )
    @given(st.lists(steps, min_size=4, max_size=14))
    def nothing_is_lost(sequence: list[Step]) -> None:
        with store.undone():
            office = Office(store, now=first.now, box=list(first.box), _mails=first._mails, _seen=first._seen)
            for step in sequence:
                before = seen(office)
                text = words(step, before)
                send(office, step, text)
                became[check(step, text, before, seen(office))] += 1
            goes_on(office)

    nothing_is_lost()
    assert set(became) == {"nothing", "a move", "what both agreed on"}, became


def goes_on(office: Office) -> None:
    """Whoever is to move can play the game on, in answer to their newest letter."""
    now = seen(office)
    if now.standing == Standing.OVER:
        assert now.state.result is not None
        return
    assert now.standing == Standing.OPEN
    move = a_move(now.state, 0)
    who = PEOPLE[now.state.to_move]
    office.send(f"{who[:3].capitalize()} <{who}>", move, letter(office, who, 0))
    assert seen(office).turns == (*now.turns, move)
