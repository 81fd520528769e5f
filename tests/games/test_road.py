"""The squares of a road that has ended a game."""

from itertools import pairwise

from takmail.games.tak.board import Direction
from takmail.games.tak.notation import mail, tps
from takmail.games.tak.outcome import EndedBy
from takmail.games.tak.pieces import Color
from takmail.games.tak.road import road_of
from tests.support.tables import each_row
from tests.support.tak import recorded, replayed


def road(text, color=Color.WHITE):
    position = tps.parse(text)
    found = road_of(position, color)
    if found is None:
        return None
    names = [mail.square_name(position.board, square) for square in found.squares]
    return " ".join(names), found.start.value, found.end.value


def test_a_road_is_told_from_edge_to_edge():
    assert road("1,x2/1,2,x/1,2,x 2 4") == ("a1 a2 a3", "north", "south")
    assert road("2,2,2/1,x2/1,x2 1 4", Color.BLACK) == ("a1 b1 c1", "west", "east")


def test_it_turns_where_it_has_to_and_takes_no_square_that_it_does_not_need():
    assert road("1,1,x,x/x,1,1,x/1,1,2,2/x,1,1,2 2 9") == ("b1 b2 b3 b4", "north", "south")
    assert road("1,1,x,x/x,1,1,x/x,2,1,2/x,2,1,1 2 9") == ("b1 b2 c2 c3 c4", "north", "south")


def test_walls_corners_and_the_other_ones_pieces_make_none():
    assert road("1,1S,1/x3/x3 2 4") is None
    assert road("1,x2/x,1,x/x2,1 2 4") is None
    assert road("1,12,1/x3/x3 2 9") is None
    assert road("x3/x3/x3 1 1") is None


def test_a_capstone_and_what_it_covers_count_as_its_owner():
    assert road("1,22221C,1,1,1/x5/x5/x5/x5 2 9") == ("a1 b1 c1 d1 e1", "west", "east")


@each_row("number", [number for number, game in recorded() if game["ended_by"] == "road"])
def test_every_game_that_a_road_has_ended_has_one_of_its_winner(number):
    position = replayed(number)[-1].position
    outcome = position.outcome
    assert outcome.ended_by is EndedBy.ROAD
    found = road_of(position, outcome.winner)
    board = position.board
    assert {found.start, found.end} in ({Direction.NORTH, Direction.SOUTH}, {Direction.WEST, Direction.EAST})
    for square in found.squares:
        assert position.stacks[square][-1].color is outcome.winner
    for one, other in pairwise(found.squares):
        assert abs(other - one) in (1, board.stride)
