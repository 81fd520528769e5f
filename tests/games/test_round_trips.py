"""Every text that is written parses to the same value."""

from hypothesis import given
from hypothesis import strategies as st

from takmail.games.interface import ReadTurn
from takmail.games.tak.board import Direction, board_of
from takmail.games.tak.game import TakGame
from takmail.games.tak.moves import Place, Spread, legal_moves
from takmail.games.tak.notation import mail, ptn, rs, tps
from takmail.games.tak.notation.komi import parse_komi, write_komi
from takmail.games.tak.notation.ptn import Ply
from takmail.games.tak.notation.ptn_game import Comment, PtnGame, parse_games, write_game
from takmail.games.tak.notation.reading import read
from takmail.games.tak.pieces import Kind
from takmail.games.tak.position import empty_position
from takmail.games.tak.setup import TakSetup
from tests.support.tak import wander

positions = st.builds(
    wander, st.integers(3, 8), st.integers(0, 10**6), st.integers(0, 150), half_komi=st.integers(0, 20)
)


@st.composite
def moves(draw, size=None):
    board = board_of(size or draw(st.integers(3, 8)))
    square = draw(st.sampled_from(board.squares))
    if draw(st.booleans()):
        return board, Place(draw(st.sampled_from(Kind)), square)
    drops = []
    for _ in range(draw(st.integers(1, board.size - 1))):
        room = board.size - sum(drops)
        if room:
            drops.append(draw(st.integers(1, room)))
    return board, Spread(square, draw(st.sampled_from(Direction)), tuple(drops))


@given(positions)
def test_a_position_survives_tps(position):
    assert tps.parse(tps.write(position), position.half_komi) == position


@given(positions, st.booleans())
def test_a_position_survives_rs(position, aligned):
    lines = rs.write(position, aligned)
    assert rs.parse(lines, position.ply, position.half_komi) == position
    assert len(lines) == position.size
    assert all(len(line.split()) == position.size for line in lines)


@given(moves(), st.booleans())
def test_a_move_survives_the_mail(board_and_move, tak):
    board, move = board_and_move
    assert mail.parse(board, mail.write(board, move, tak)) == mail.MailMove(move, tak)


@given(moves(), st.booleans())
def test_a_canonical_move_is_read_as_it_stands(board_and_move, tak):
    board, move = board_and_move
    text = mail.write(board, move, tak)
    assert read(text, empty_position(board.size)) == ReadTurn(text)
    assert read(text.upper(), empty_position(board.size)) == ReadTurn(text)


@given(moves(), st.sampled_from(["", "'", "''", '"', "!", "?", "*", "*'!?"]))
def test_a_move_survives_ptn(board_and_move, marks):
    board, move = board_and_move
    ply = Ply(move, marks)
    assert ptn.parse_ply(board, ptn.write_ply(board, ply)) == ply


@given(moves())
def test_mail_and_ptn_mean_the_same_move(board_and_move):
    board, move = board_and_move
    in_ptn = f"ptn {ptn.write_ply(board, Ply(move))}"
    assert read(in_ptn, empty_position(board.size)) == ReadTurn(mail.write(board, move))


@given(positions)
def test_every_legal_move_can_be_written_read_and_played(position):
    state = TakGame().start(str(position.size))
    for move in legal_moves(position)[:50]:
        text = mail.write(position.board, move)
        assert type(state)(position).play(text).turns == position.ply + 1


comments = st.builds(Comment, st.text(st.characters(blacklist_characters="{}", codec="utf-8"), max_size=20))
plies = moves(5).map(lambda board_and_move: Ply(board_and_move[1]))
values = st.text(st.characters(codec="utf-8"), max_size=20)


@given(
    st.lists(
        st.tuples(st.sampled_from(["Player1", "Player2", "Date", "Event", "Opening"]), values), max_size=4
    ),
    st.lists(plies | comments, max_size=12),
    st.sampled_from([None, "R-0", "0-R", "F-0", "0-F", "1-0", "0-1", "1/2-1/2"]),
    st.integers(0, 9),
)
def test_a_game_survives_ptn_with_tags_comments_and_result(tags, items, result, half_komi):
    own = (("Size", "5"), ("Komi", write_komi(half_komi)))
    game = PtnGame((*tags, *own), empty_position(5, half_komi), tuple(items), result)
    assert parse_games(write_game(game)) == (game,)


@given(st.integers(0, 128))
def test_komi_survives_its_text(half_komi):
    assert parse_komi(write_komi(half_komi)) == half_komi


@given(st.integers(3, 8), st.integers(0, 128))
def test_a_set_up_survives_its_text(size, half_komi):
    assert TakSetup.of(str(TakSetup(size, half_komi)).split()) == TakSetup(size, half_komi)
