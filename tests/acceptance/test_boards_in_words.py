"""The words in place of a picture describe the whole board to a reader who does not see the picture."""

from itertools import pairwise
from types import SimpleNamespace

import pytest

from takmail.games.interface import Seat
from takmail.games.tak.game import TakGame, TakState
from takmail.games.tak.notation import mail
from takmail.games.tak.notation.komi import write_komi
from takmail.games.tak.pieces import SIZES, Color, full_reserve
from takmail.games.tak.road import road_of
from takmail.letters.templates import Templates, folder
from tests.acceptance.test_board_pictures import games
from tests.support.read_alt import BoardHeard, read_alt
from tests.support.tak import recorded, replayed, start, state

TEMPLATES = Templates(folder())
MOST_CHARACTERS = 4_000


def said(game: TakState, last: str | None = None) -> str:
    """Return the words about a game of Ada, who plays White, with Ben."""
    view = SimpleNamespace(
        facts=game.facts(),
        names=("Ada", "Ben"),
        last_turn_text=last,
        shown_result=game.result,
        turn=game.turns,
        to_move=game.to_move,
    )
    return TEMPLATES.line("tak/alt.txt", view=view)


def assert_heard(board: BoardHeard, game: TakState, last: str | None) -> None:
    position = game.position
    geometry = position.board
    assert board.size == position.size
    assert board.stacks == {
        mail.square_name(geometry, at).upper(): tuple((one.color.value, one.kind.value) for one in stack)
        for at in geometry.squares
        if (stack := position.stacks[at])
    }
    for color, name in ((Color.WHITE, "Ada"), (Color.BLACK, "Ben")):
        side, reserve = board.sides[color.value.capitalize()], position.reserve(color)
        assert side.name == name
        assert (side.flats, side.stones) == (position.flats(color), reserve.stones)
        assert side.capstones == (reserve.capstones if full_reserve(position.size).capstones else None)
    assert board.komi == write_komi(position.half_komi)
    assert board.last == last
    result = game.result
    assert board.score == (result.score if result else None)
    assert board.to_move == (None if result else ("White", "Black")[game.to_move])
    assert_roads_are_roads(board, game)


def assert_roads_are_roads(board: BoardHeard, game: TakState) -> None:
    won = game.result is not None and game.result.how == "road"
    ended = [color for color in Color if won and road_of(game.position, color)]
    assert set(board.roads) == {color.value.capitalize() for color in ended}
    for color, places in board.roads.items():
        assert all(board.stacks[place][-1][0] == color.lower() for place in places)
        assert all(board.stacks[place][-1][1] != "wall" for place in places)
        spots = [("ABCDEFGH".index(place[0]), int(place[1]) - 1) for place in places]
        assert all(abs(x - x2) + abs(y - y2) == 1 for (x, y), (x2, y2) in pairwise(spots))
        ends = {(spots[0][axis], spots[-1][axis]) for axis in (0, 1)}
        assert ends & {(0, board.size - 1), (board.size - 1, 0)}


@pytest.mark.many
@pytest.mark.parametrize("size", SIZES)
def test_any_position_can_be_set_up_from_what_is_said_of_it(size: int) -> None:
    for game, last in games(size):
        assert_heard(read_alt(said(game, last)), game, last)


def test_every_recorded_game_can_be_followed_by_ear_to_its_end() -> None:
    for number, record in recorded():
        for game, text in zip(replayed(number)[1:], record["mail"], strict=True):
            if game.turns % 10 == 0 or game.result:
                assert_heard(read_alt(said(game, text)), game, text)


def test_the_largest_board_late_in_a_game_is_told_in_few_words() -> None:
    longest = max((said(game, last) for game, last in games(8)), key=len)
    assert len(longest) < MOST_CHARACTERS
    assert longest.isascii()


def test_an_empty_board_is_told_in_one_sentence() -> None:
    assert said(start(5)) == (
        "Tak board, 5x5; A1 is the north-west corner. All squares are empty."
        " White, Ada: 0 flats on top, 21 stones and 1 capstone left."
        " Black, Ben: 0 flats on top, 21 stones and 1 capstone left. To move: White, Ada."
    )


def test_a_stack_is_told_from_the_top_and_pieces_of_a_colour_together() -> None:
    text = said(state("x5/x5/x2,121122S,x2/x5/x4,1C 2 9"), "me b3 p1 1")
    assert "C3 black wall on black, 2 white, black, white. E5 white capstone. All other squares" in text
    assert "The last move: me b3 p1 1. To move: Black, Ben." in text


def test_a_board_that_both_have_agreed_on_has_no_last_move() -> None:
    text = said(state("1,x2/x3/x2,2 1 4"), "board white s 0 0/0 0 0/0 0 S")
    assert "Both have agreed on this board." in text
    assert read_alt(text).last is None


def test_a_game_that_was_given_up_is_over_and_has_no_road() -> None:
    game = state("1,x2/x3/x2,2 1 4")
    view = SimpleNamespace(
        facts=game.facts(), names=("Ada", "Ben"), last_turn_text=None, turn=6, to_move=game.to_move,
        shown_result=TakGame().resign(Seat.FIRST),
    )  # fmt: skip
    assert read_alt(TEMPLATES.line("tak/alt.txt", view=view)).score == "0-1"
