"""`takmail picture`: a diagram of a position or a game."""

import re
from io import BytesIO

import pytest
from PIL import Image

from takmail.games.tak.game import TakGame
from takmail.games.tzaar.game import TzaarGame
from takmail.letters.pictures.painter import Painter
from takmail.letters.pictures.svg import svg
from takmail.store.tables import TurnRow
from tests.support.command_line import takmail
from tests.support.harness import ADA
from tests.support.read_picture import read_board
from tests.support.tables import each_row
from tests.support.tak import start, state

ROAD = '[Size "3"]\n1. a3 a1\n2. b1 b3\n3. c1 R-0\n'
TPS = "x3/x,12,x/x3 1 2"


def drawn(folder, *words, name="out.png"):
    """The bytes that are written."""
    out = folder / name
    result = takmail("picture", *words, "--out", out)
    written = out.read_bytes()
    assert (result.exit_code, result.output) == (0, f"{out}: {len(written)} bytes\n")
    return written


def fault(*words):
    result = takmail("picture", *words)
    assert result.exit_code in (1, 2)
    assert result.stdout == ""
    return result.stderr.splitlines()[-1].removeprefix("Error: ")


@pytest.fixture
def road(tmp_path):
    file = tmp_path / "road.ptn"
    file.write_text(ROAD)
    return file


def played(*turns):
    game = start(3)
    for turn in turns:
        game = game.play(turn)
    return game.picture(turns[-1] if turns else None)


ROAD_TURNS = ("ps a1", "ps a3", "ps b3", "ps b1", "ps c3")


def test_a_position_is_drawn_from_its_tps(tmp_path):
    assert drawn(tmp_path, TPS) == Painter().png(state(TPS).picture())
    assert drawn(tmp_path, *TPS.split()) == drawn(tmp_path, TPS)


@pytest.mark.parametrize("tag", [f'[TPS "{TPS}"]', f' [tps "{TPS}" ] ', f"[TPS {TPS}]"])
def test_a_position_is_drawn_from_its_tag_too(tmp_path, tag):
    assert drawn(tmp_path, tag) == drawn(tmp_path, TPS)


def test_a_picture_goes_to_standard_output_if_no_file_is_named():
    result = takmail("picture", TPS)
    assert result.exit_code == 0
    assert result.stdout_bytes == Painter().png(state(TPS).picture())


def test_the_end_of_the_name_says_what_is_drawn(tmp_path):
    assert drawn(tmp_path, TPS, name="out.SVG").decode() == svg(state(TPS).picture())
    assert Image.open(BytesIO(drawn(tmp_path, TPS, name="out.gif"))).format == "GIF"
    assert "has to end with .png, .gif or .svg" in fault(TPS, "--out", tmp_path / "out.jpeg")


def test_a_game_in_ptn_is_drawn_at_its_end_with_its_last_move(road, tmp_path):
    assert drawn(tmp_path, road) == Painter().png(played(*ROAD_TURNS))


def test_a_ply_is_drawn_with_the_move_that_led_to_it(road, tmp_path):
    assert drawn(tmp_path, road, "--ply", "2") == Painter().png(played(*ROAD_TURNS[:2]))
    assert drawn(tmp_path, road, "--ply", "0") == Painter().png(played())


def test_a_gif_is_the_whole_game_up_to_a_ply(road, tmp_path):
    scenes = [played(*ROAD_TURNS[:count]) for count in range(6)]
    assert drawn(tmp_path, road, name="out.gif") == Painter().gif(scenes)
    assert drawn(tmp_path, road, "--ply", "3", name="out.gif") == Painter().gif(scenes[:4])


def test_a_recorded_resignation_is_seen_at_the_end_alone(tmp_path):
    file = tmp_path / "given_up.ptn"
    file.write_text('[Size "3"]\n1. a3 a1\n0-1\n')
    end = read_board(drawn(tmp_path, file), 3)
    before = read_board(drawn(tmp_path, file, "--ply", "1"), 3)
    assert [bar.has_label for bar in end.bars] == [False, True]  # Black wins
    assert [bar.has_label for bar in before.bars] == [False, True]  # Black moves
    assert drawn(tmp_path, file) != Painter().png(played(*ROAD_TURNS[:2]))


def test_a_game_here_is_drawn_by_its_number(cli_harness, tmp_path):
    cli_harness.begin()
    config = ("--config", tmp_path / "config.toml")
    picture = read_board(drawn(tmp_path, "1", *config), 5)
    assert {square.top for square in picture.squares.values()} == {None}
    assert fault("7", *config) == "there is no game 7; `takmail game list` shows them all"
    assert fault("9" * 30, *config) == f"there is no game {'9' * 30}; `takmail game list` shows them all"


def test_a_game_here_is_drawn_with_its_turns_and_how_it_was_ended(cli_harness, tmp_path):
    cli_harness.begin("3 komi=2")
    cli_harness.play("ps a1", "ps c3")
    config = ("--config", tmp_path / "config.toml")
    komi = TakGame().start("3 komi=2").play("ps a1")
    assert drawn(tmp_path, "1", "--ply", "1", *config) == Painter().png(komi.picture("ps a1"))
    cli_harness.send(ADA, "resign", cli_harness.last(ADA))
    cli_harness.send(ADA, "yes", cli_harness.last(ADA))
    end = read_board(drawn(tmp_path, "1", *config), 3)
    assert [bar.has_label for bar in end.bars] == [False, True]
    assert end.squares[2, 2].is_ringed


def test_a_relay_game_is_drawn_as_far_as_it_keeps_the_rules(cli_harness, tmp_path):
    cli_harness.begin("3 relay")
    cli_harness.play("ps a1", "ps c3", "ps c3")
    config = ("--config", tmp_path / "config.toml")
    assert drawn(tmp_path, "1", *config) == Painter().png(played("ps a1", "ps c3"))
    assert fault("1", "--ply", "3", *config) == "there is no ply 3; the last one is 2."


def test_a_game_whose_turns_break_the_rules_is_told_in_a_sentence(cli_harness, tmp_path):
    cli_harness.begin("3")
    cli_harness.play("ps a1", "ps c3")
    with cli_harness.store.transaction() as session:
        session.get_one(TurnRow, (1, 2)).text = "ps a1"
    said = fault("1", "--config", tmp_path / "config.toml")
    assert said.startswith("game 1 is corrupt;")
    assert "the stored turn 2 (ps a1) breaks the rules" in said


@each_row(
    ("words", "said"),
    [
        (("x3/x3 1 1",), "boards go from 3 to 8."),
        (
            ("nonsense",),
            '"nonsense" can\'t be drawn. Give the number of a game, a file whose name ends with .ptn or .tzaar.txt, ',
        ),
        (("x3/x3/x3 1",), '"x3/x3/x3 1" is no TPS; it has rows'),
        (("TTTTt/tRRRrt w",), '"TTTTt/tRRRrt w" is no position of TZAAR. It has the nine columns A to I'),
        (
            ("t30tx3/x6/x7/x8/x8/x8/x7/x6/x5 w",),
            "White would have 31 pieces on this board, and there are 30.",
        ),
        (
            ("zzzzz/zzx4/x7/x8/x8/x8/x7/x6/x5 w place",),
            "White would have 7 Tzaars on this board, and there are 6.",
        ),
        (("x5/x6/x7/x8/x8/x8/x7/x6/x5 x",), "is no TPS"),
        (("road/of/Tak",), '"road/of/Tak" can\'t be drawn.'),
        (("x3/x3/x3 1 1", "--ply", "1"), "there is no ply 1; a position has no plies."),
        (("none.ptn",), "none.ptn can't be read: No such file or directory."),
    ],
)
def test_what_can_not_be_drawn_is_told_in_a_sentence(words, said):
    assert said in fault(*words)


def test_the_position_that_an_error_gives_as_an_example_can_be_drawn(tmp_path):
    example = re.search(r'such as "(.+)"', fault("nonsense"))[1]
    assert drawn(tmp_path, example)


def test_a_game_is_drawn_no_further_than_it_goes(road):
    assert fault(road, "--ply", "6") == "there is no ply 6; the last one is 5."


def test_a_game_that_breaks_off_is_drawn_up_to_there_if_that_is_asked_for(tmp_path):
    file = tmp_path / "broken.ptn"
    file.write_text('[Size "3"]\n1. a3 a1\n2. a1\n')
    assert fault(file) == (
        "ply 3 (a1): A1 is not empty: a white flat stands there. "
        "A piece can only be placed on an empty space."
    )
    assert fault(file, "--ply", "3").startswith("ply 3 (a1)")
    assert drawn(tmp_path, file, "--ply", "2") == Painter().png(played(*ROAD_TURNS[:2]))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            ROAD + ROAD,
            "there are 2 games in this file, but a picture can show only one; put that game into a separate file.",
        ),
        ("", "there is no game in this file."),
        ('[Size "9"]\n1. a1', 'there is no board of size "9"; sizes go from 3 to 8.'),
    ],
)
def test_a_file_holds_just_one_game(tmp_path, text, said):
    file = tmp_path / "game.ptn"
    file.write_text(text)
    assert fault(file) == said


def test_a_picture_that_can_not_be_written_is_told(tmp_path):
    said = fault(TPS, "--out", tmp_path / "none" / "out.png")
    assert said == f"{tmp_path / 'none' / 'out.png'} can't be written: No such file or directory"


def test_thousands_of_digits_are_no_game(tmp_path):
    assert "can't be drawn" in fault("9" * 5000, "--config", tmp_path / "config.toml")


TZAAR = "TTTTt/tRRRrt/trZZzrt/trzTtzrt/trztTZRT/TRZTtZRT/TRZzzRT/TRrrrT/Ttttt w"


def test_a_position_of_tzaar_is_drawn_from_its_line(tmp_path):
    assert drawn(tmp_path, TZAAR) == Painter().png(TzaarGame().start("fixed").picture())


def test_a_position_before_the_first_placing_is_one_of_tzaar(tmp_path):
    empty = "x5/x6/x7/x8/x8/x8/x7/x6/x5 w place"
    assert drawn(tmp_path, empty) == Painter().png(TzaarGame().start("tournament").picture())


@pytest.mark.parametrize("text", [TZAAR, "nonsense", "no/such/board", "TTTTt/tRRRrt w", ""])
def test_what_is_no_tps_is_no_position_of_tak(text):
    assert TakGame().position(text) is None


@pytest.mark.parametrize("text", [TPS, f'[TPS "{TPS}"]', "x3/x3 1 1", "nonsense", ""])
def test_a_tps_is_no_position_of_tzaar(text):
    assert TzaarGame().position(text) is None


def test_a_record_of_tzaar_is_drawn_with_its_last_turn(tmp_path):
    file = tmp_path / "game.tzaar.txt"
    file.write_text(TzaarGame().record("fixed", ["c e1 f1", "c g1 f1 pass"], {}, None))
    after = TzaarGame().start("fixed").play("c e1 f1")
    assert drawn(tmp_path, file, "--ply", "1") == Painter().png(after.picture("c e1 f1"))
    last = after.play("c g1 f1 pass")
    assert drawn(tmp_path, file) == Painter().png(last.picture("c g1 f1 pass"))


def test_a_faulty_record_of_tzaar_is_drawn_up_to_its_fault(tmp_path):
    file = tmp_path / "game.tzaar.txt"
    file.write_text('[Setup "fixed"]\n1. e1xf1 a1xa2')
    assert fault(file).startswith("turn 2 (a1xa2): ")
    assert drawn(tmp_path, file, "--ply", "1")
    file.write_text("")
    assert fault(file) == "there is no game in this file."
