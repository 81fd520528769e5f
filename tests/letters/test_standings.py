"""The picture of a division's results: its name says all that it draws, and it fits a phone."""

from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from takmail.letters.pictures.painter import Painter
from takmail.letters.pictures.standings import CrossTable, scene, table_of
from tests.support.letters_of_all_kinds import page

_GOOD, _BAD, _INK = (0x1D, 0x6B, 0x4F), (0xB0, 0x26, 0x0F), (0x1F, 0x1D, 0x1A)


@given(
    st.integers(2, 10).flatmap(
        lambda n: st.tuples(st.just(n), st.text("wdlvo", min_size=n * (n - 1), max_size=n * (n - 1)))
    )
)
def test_a_name_says_all_that_is_drawn(drawn: tuple[int, str]) -> None:
    count, results = drawn
    table = CrossTable(tuple(range(1, count + 1)), results)
    assert table_of(table.name) == table
    assert max(table.size) <= 320, "it fits a phone"


@pytest.mark.parametrize(
    "name",
    [
        "flat",
        "standings-",
        "standings-1-",
        "standings-1.2-w",
        "standings-1.2-wx",
        f"standings-{'1.' * 10}1-{'o' * 110}",
    ],
)
def test_other_names_are_of_other_pictures(name: str) -> None:
    assert table_of(name) is None


def test_wins_losses_and_draws_differ_in_form_and_colour() -> None:
    table = CrossTable((1, 2), "wd")
    image = Image.open(BytesIO(Painter().png(scene(table)))).convert("RGB")
    assert image.size == tuple(2 * length for length in table.size)
    cell = (image.width - 36 - 56) // 2
    middles = {
        (row, half): (36 + (1 - row) * cell + cell // 4 + half * cell // 2, 36 + 44 * row + 22)
        for row in (0, 1)
        for half in (0, 1)
    }
    assert image.getpixel(middles[0, 0]) == _GOOD, "the first one has won the game with the first turn"
    assert image.getpixel(middles[0, 1]) == _INK, "and drawn the other"
    assert image.getpixel(middles[1, 0]) == _INK
    assert image.getpixel(middles[1, 1]) not in (_GOOD, _BAD), "a loss is a ring"


def test_the_end_of_a_season_shows_its_results_in_words_and_as_a_picture() -> None:
    letter = page("season-over")
    (picture,) = (name for name in letter.pictures if name.startswith("standings-1."))
    assert f'src="cid:{picture}"' in letter.html
    assert 'alt="Results, place by place"' in letter.html
    assert "a full circle is a win" in letter.html
    assert "a full circle is a win" not in letter.text
