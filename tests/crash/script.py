"""Random scripts of games, by a seed: legal moves, and the other commands and chat that players write."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

from takmail.games.registry import GAMES
from takmail.games.tak.moves import legal_moves
from takmail.games.tak.notation import mail
from takmail.games.tak.state import TakState
from tests.crash.clocked import COURSES, Course, Due, Wait

SIZES = (3, 4, 4, 5)
CLOCKED_SIZE = 5
"""The size of the games in which time passes. None of them is over before the last turn of its script."""
CLOCKED_TURNS = 6


@dataclass(frozen=True, slots=True)
class Scene:
    """One mail: its author, its text, and whether the opponent gets a letter because of it.

    If `is_undone` is true, the move is taken back at once and played again.
    """

    seat: int
    words: str
    has_news: bool = True
    is_undone: bool = False


@dataclass(frozen=True, slots=True)
class Script:
    """One game: its players by seat, its scenes, and the expected turns, board and score.

    `options` are what the invitation says about time.
    """

    size: int
    players: tuple[str, str]
    host: int
    scenes: tuple[Scene | Wait, ...]
    turns: tuple[str, ...]
    board: tuple[str, ...]
    score: str
    options: str = ""

    @property
    def mails(self) -> int:
        """Return the minimum number of mails, including the three that begin the game."""
        mails = [one for one in self.scenes if isinstance(one, Scene)]
        return len(mails) + 3 + sum(2 for one in mails if one.is_undone)

    @property
    def waits(self) -> Sequence[Wait]:
        """Return what becomes due in the game by itself, in order."""
        return [one for one in self.scenes if isinstance(one, Wait)]


@dataclass(slots=True)
class _Writing:
    """A script that is being generated."""

    random: Random
    scenes: list[Scene | Wait] = field(default_factory=list)
    turns: list[str] = field(default_factory=list)


def scripts(random: Random, people: Sequence[str], count: int, most_turns: int) -> list[Script]:
    """Return `count` games between these people. The players end a game that has `most_turns` turns."""
    return [_script(random, pair, most_turns) for pair in _pairs(random, people, count)]


def clocked_scripts(random: Random, pairs: Sequence[tuple[str, str]]) -> list[Script]:
    """Return a game in which time passes for each pair. Nobody may play in two, as a holiday is one in all games."""
    return [
        _script(random, pair, CLOCKED_TURNS, COURSES[number % len(COURSES)])
        for number, pair in enumerate(pairs)
    ]


def _pairs(random: Random, people: Sequence[str], count: int) -> Iterator[tuple[str, str]]:
    """Yield different pairs, as there can be only one pending invitation between two people."""
    met: set[frozenset[str]] = set()
    while len(met) < count:
        order = list(people)
        random.shuffle(order)
        for one, other in zip(order[::2], order[1::2], strict=False):
            if len(met) < count and frozenset((one, other)) not in met:
                met.add(frozenset((one, other)))
                yield one, other


def _script(random: Random, pair: tuple[str, str], most_turns: int, course: Course | None = None) -> Script:
    size = random.choice(SIZES) if course is None else CLOCKED_SIZE
    state = GAMES.rules(GAMES.default).start(str(size))
    assert isinstance(state, TakState)
    writing = _Writing(random)
    while state.result is None and len(writing.turns) < most_turns:
        _say_something(writing, state)
        if course is not None:
            _wait(writing, course.before_turns)
        text = mail.write(state.position.board, random.choice(legal_moves(state.position)))
        state = state.play(text)
        _play(writing, text, state)
    if state.result is not None:
        score = state.result.score
    elif course is not None and course.at_end:
        _wait(writing, course.at_end)
        score = GAMES.rules(GAMES.default).decide(state.to_move.other, "time").score
    else:
        score = _end_by_hand(writing, state)
    return Script(
        size,
        pair,
        random.randrange(2),
        tuple(writing.scenes),
        tuple(writing.turns),
        tuple(state.board()),
        score,
        "" if course is None else course.options,
    )


def _play(writing: _Writing, text: str, state: TakState) -> None:
    random, number = writing.random, len(writing.turns)
    seat = number % 2
    words = f"{text}\n\nHere is my turn, {random.randrange(1_000_000)}." if random.random() < 0.3 else text
    is_undone = words == text and state.result is None and random.random() < 0.06
    writing.scenes.append(Scene(seat, words, is_undone=is_undone))
    writing.turns.append(text)


def _wait(writing: _Writing, happens: Sequence[Due | str]) -> None:
    """Add what becomes due for the player to move, and the mails of the other one about it."""
    you = len(writing.turns) % 2
    writing.scenes += [Wait(you, one) if isinstance(one, Due) else Scene(1 - you, one) for one in happens]


def _say_something(writing: _Writing, state: TakState) -> None:
    """Sometimes add a mail before the next move that does not change the board."""
    number = len(writing.turns)
    you, other = number % 2, (number + 1) % 2
    asides: tuple[tuple[Scene, ...], ...] = (
        (Scene(you, "rs", False),),
        (Scene(other, "log", False),),
        (Scene(you, "ps z9", False),),
        (Scene(other, "ps a1", False),),
        (Scene(you, f"I hope you are well. I am in my {number}th year here."),),
        (Scene(you, f"im too many pieces, {number}"),),
        (Scene(you, "draw"), Scene(other, "refuse")),
    )
    most = len(asides) if number else 3
    if state.result is None and writing.random.random() < 0.2:
        writing.scenes += writing.random.choice(asides[:most])


def _end_by_hand(writing: _Writing, state: TakState) -> str:
    """End the game by an agreed draw, or by the resignation of the player to move. Return the score."""
    you, other = len(writing.turns) % 2, (len(writing.turns) + 1) % 2
    if writing.random.random() < 0.5:
        writing.scenes += (Scene(you, "draw"), Scene(other, "agree"))
        return "1/2-1/2"
    writing.scenes += (Scene(you, "resign", False), Scene(you, "yes"))
    return GAMES.rules(GAMES.default).resign(state.to_move).score
