"""Draw random mails of two players: who writes what, from which address, and in reply to which letter."""

from dataclasses import dataclass
from random import Random

from takmail.games.interface import Seat
from takmail.games.tak.moves import legal_moves
from takmail.games.tak.notation import mail as mail_notation
from takmail.games.tak.state import TakState

SIZE = 4
ANSWERS = (
    *("agree",) * 8,
    *("agree back", "agree board", "agree restart", "agree undo", "agree draw", "draw", "undo"),
    *("refuse", "withdraw", "move", "move and im", "back and agree"),
    *("back", "board", "restart"),
)
"""Texts that settle an open offer, or almost do so. Another offer replaces the open one."""
OTHERS = (
    *("move",) * 8,
    *("back", "board", "restart") * 4,
    *("undo", "undo", "draw", "draw", "agree", "withdraw", "yes", "yes", "letters leave"),
    *("im", "im before", "pasted", "changed", "rs pasted", "why", "log", "ptn", "show"),
    *("move and im", "back and agree", "back and move", "undo and move", "withdraw and restart"),
)
RELAYED = (
    *("ps a1", "pw a1", "pc b2 t", "mn a1 p9 4 5", "ms b2 g3 21", "ps z9", "ps c3 #2"),
    *(
        "im no",
        "/im #1 not that one",
        "rs",
        "0 0 0\n0 s 0\n0 0 0",
        "rs\n0 0 0\n0 SS 0\n0 0 0",
        "ws 0 0\n0 0\n0 0 x0",
    ),
    *("show", "show 2", "log\nptn", "why", "why 2", "why ps b1", "games\nmatch", "Hello there", "resign"),
    *(
        "undo",
        "propose back 1",
        "propose restart",
        "propose board\n0 0 0\n0 s 0\n0 0 0",
        "withdraw",
        "refuse",
    ),
)
"""Texts in a relay game, including commands that have no effect there."""
WAYS = (*("threaded",) * 6, *("no thread",) * 3, "unknown address", "unknown address")


@dataclass(frozen=True, slots=True)
class Step:
    """A mail of a player, and how it arrives.

    The mail answers one of the player's letters, counted from the newest (0), and may arrive twice. `chance` chooses
    what the words leave open: the move, the turn or the board. A mail from an unknown address waits for the player's
    `yes`, which is sent at once or in a later step.
    """

    seat: Seat
    what: str
    chance: int
    late: int
    way: str
    twice: bool


def a_step(chance: Random, to_move: Seat, offering: Seat | None) -> Step:
    """Draw a mail, usually of the player whose words can have an effect. `offering` is the seat with an open offer."""
    is_answer = offering is not None and chance.random() < 0.7
    what = chance.choice(ANSWERS if is_answer else OTHERS)
    if what.startswith("undo"):
        seat = to_move.other
    elif what.startswith("move"):
        seat = to_move
    elif offering is not None and is_answer:
        seat = offering if what in ("withdraw", "back", "board", "restart") else offering.other
    else:
        seat = chance.choice(list(Seat))
    return Step(
        seat=seat.other if chance.random() < 0.1 else seat,
        what=what,
        chance=chance.randrange(10**6),
        late=chance.choice((0, 0, 0, 0, 0, 1, 2, 5)),
        way=chance.choice(WAYS),
        twice=chance.random() < 0.15,
    )


def a_relayed_step(chance: Random) -> Step:
    """Draw a mail in a relay game, in which the game's state does not restrict the words."""
    way = chance.choice(("threaded", "threaded", "threaded", "threaded", "no thread"))
    return Step(chance.choice(list(Seat)), chance.choice(RELAYED), 0, chance.randrange(3), way, twice=False)


def words(step: Step, state: TakState, boards: tuple[tuple[str, ...], ...]) -> str:
    """Return the text of the mail in a game with this state and these boards."""
    turn = step.chance % (len(boards) + 1)
    board = boards[step.chance % len(boards)]
    plain = {
        "move": a_move(state, step.chance),
        "back": f"propose back {turn}",
        "restart": "propose restart",
        "im before": f"im #{turn} that can't be",
        "pasted": "\n".join(board),
        "rs pasted": "rs\n" + "\n".join(board),
        "changed": "\n".join(changed(board, step.chance)),
        "why": f"why {turn}",
        "show": f"show {turn}",
    }
    if step.what == "board":
        side = ("white", "black", "me", "them")[step.chance % 4]
        return f"propose board {side}\n" + "\n".join(changed(board, step.chance))
    return "\n".join(plain.get(one, one) for one in step.what.split(" and "))


def a_move(state: TakState, chance: int) -> str:
    """Return a legal move of the player to move."""
    moves = legal_moves(state.position)
    board = state.position.board
    return mail_notation.write(board, moves[chance % len(moves)]) if moves else "ps a1"


def changed(board: tuple[str, ...], chance: int) -> list[str]:
    """Return the board with one spot changed."""
    rows = [row.split() for row in board]
    row, column = chance % SIZE, chance // SIZE % SIZE
    rows[row][column] = ("0", "s", "S", "w", "Ss", "sS", "Ws")[chance % 7]
    return [" ".join(one) for one in rows]
