"""In every position, links lead to all legal moves, and the letter stays small."""

import re

import pytest

from takmail.games.tak.choices import MAX_TOUCHED_TURNS
from takmail.games.tak.game import TakGame
from takmail.games.tak.moves import Place, legal_moves
from takmail.games.tak.notation import mail, rs
from takmail.games.tak.pieces import Reserve
from takmail.games.tak.position import Position
from takmail.games.tak.state import TakState
from takmail.limits.letters import MAX_HTML_BYTES as MOST_BYTES
from takmail.limits.letters import MAX_LINK_CHARS
from tests.support.examples import examples
from tests.support.links import Link, hrefs_in, links, links_in
from tests.support.memory_harness import BOTH_SIDES, MemoryHarness
from tests.support.pages import KEEP_ONE, NUMBER, page
from tests.support.players import ADA, said
from tests.support.tak import state, vectors, wander

TAG = f" #{NUMBER}"
"""What stands behind each move of a link."""
GENERAL = {"rs", "log", "draw", "resign", "rules", "help"}


def html_of(position: Position) -> str:
    return page(TakState(position)).html


def board_links(html: str) -> dict[str, Link]:
    """Return the links of the squares of a page's board."""
    return {one.name[:2].lower(): one for one in links_in(html) if ": " in one.name}


@pytest.mark.many
@pytest.mark.parametrize("size", range(3, 9))
def test_every_first_step_is_in_the_letter_and_every_link_is_legal(size: int) -> None:
    for seed in range(examples(5, 100)):
        position = wander(size, seed, plies=seed * 6 % 25 * size)
        if position.outcome is not None:
            continue
        html = html_of(position)
        assert len(re.findall(r"<a\s", html)) == len(hrefs_in(html)) == len(links_in(html))
        assert max(map(len, hrefs_in(html))) <= MAX_LINK_CHARS
        squares = board_links(html)
        legal = {mail.write(position.board, move) for move in legal_moves(position)}
        assert squares.keys() == {text[3:5] for text in legal}
        for square, one in squares.items():
            assert one.name == f"{square.upper()}: {standing(position, square)}"
            assert_link_is_right(position, square, one.words.splitlines(), legal)
        assert len(html) < MOST_BYTES


def standing(position: Position, square: str) -> str:
    stack = position.stacks[mail.square_named(position.board, square)]
    return rs.spot(stack) if stack else "empty"


def assert_link_is_right(position: Position, square: str, lines: list[str], legal: set[str]) -> None:
    """Fail if the lines of a link are not what can be played on its square, the likeliest first."""
    played = [line.removesuffix(TAG) for line in lines if line.endswith(TAG)]
    assert set(played) <= legal
    if standing(position, square) == "empty":
        assert lines == [f"{played[0]}{TAG}"]
        assert played[0] in (f"ps {square}", f"pc {square}")
        assert (played[0][1] == "s") == (f"ps {square}" in legal)
        return
    assert (lines[0], lines[1:-1], lines[-1]) == (
        KEEP_ONE,
        [f"{one}{TAG}" for one in played],
        f"moves {square}",
    )
    moves = {text for text in legal if text[3:5] == square}
    assert len(played) == len(set(played)) == min(len(moves), MAX_TOUCHED_TURNS)
    assert [likeliness(one) for one in played] == sorted(map(likeliness, moves))[: len(played)]


def likeliness(text: str) -> tuple[int, int]:
    """Return a sort key of a move as it is typed: the fewest spaces come first, then the most pieces."""
    _, _, count, *drops = text.split()
    return len(drops), -int(count[1:])


@pytest.mark.parametrize("stones", [0, 1])
def test_an_empty_square_takes_a_capstone_where_no_flat_is_left(stones: int) -> None:
    position = state("x5/x5/x,2,1,x2/x5/x5 1 9").position._replace(white_reserve=Reserve(stones, 1))
    assert board_links(html_of(position))["a1"].words == (f"ps a1{TAG}" if stones else f"pc a1{TAG}")


@pytest.mark.many
def test_the_letters_of_recorded_games_stay_small() -> None:
    games, longest = vectors("games.json"), 0
    for game in games[:: max(1, len(games) // examples(20, 1_000))]:
        now = TakGame().start(str(game["size"]))
        for number, move in enumerate(game["mail"]):
            if number % 16 == 2 or number == len(game["mail"]) - 1:
                longest = max(longest, len(html_of(now.position)))
            now = now.play(move)
    assert 20_000 < longest < MOST_BYTES


def test_the_letter_with_the_most_links_stays_small() -> None:
    checks = "/".join(["21,x,21,x,21,x,21,x", "x,21,x,21,x,21,x,21"] * 4)
    most = "/".join(["21,1S,21,x,21,1S,21,x", "x,21,1S,21,x,21,1S,21"] * 4)
    for text in (checks, most):
        crowded = html_of(state(f"{text} 1 60").position)
        assert len(board_links(crowded)) == 64
        assert 25_000 < len(crowded) < MOST_BYTES


def test_all_moves_of_the_tallest_stack_are_told_in_a_small_letter() -> None:
    harness = MemoryHarness(services=BOTH_SIDES)
    harness.begin_and_play("ps a1", "ps h8", words="8")
    position = state("x8/x8/x8/x3,121212121212121,x4/x8/x8/x8/x8 1 30").position
    board = "\n".join(TakState(position).board())
    harness.send(ADA, f"propose board white\n{board}", harness.last(ADA))
    harness.send("ben@example.org", "agree", harness.last("ben@example.org"))
    (answer,) = harness.send(ADA, "moves d4", harness.last(ADA))
    legal = {
        mail.write(position.board, move) for move in legal_moves(position) if not isinstance(move, Place)
    }
    listed = {cell for line in answer.lines for cell in re.split(" {2,}", line.strip())}
    assert len(legal) == 508
    assert legal <= listed
    listed_links = [one for one in links(answer) if not re.match(r"[A-H][1-8]: ", one.name)]
    touched = {one.words.partition(" #")[0] for one in listed_links} - GENERAL
    assert touched < legal
    assert {text[:5] for text in touched} == {text[:5] for text in legal}
    assert "you type them" in " ".join(answer.html.split())
    assert 40_000 < len(answer.html) < MOST_BYTES
    assert "All that you can play from D4" in said(answer)
