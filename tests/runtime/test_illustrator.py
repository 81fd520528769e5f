"""Pictures are drawn when a letter is sent, and the last ones are kept."""

import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from io import BytesIO

import pytest
from PIL import Image

from takmail.games.frames import scenes
from takmail.games.interface import Result, Seat
from takmail.games.registry import GAMES
from takmail.games.tak.picture.scene import kit_of
from takmail.letters.drawings import Animation, Drawings
from takmail.letters.pictures.painter import Painter
from takmail.mail.letter_body import LetterBody
from takmail.runtime import illustrator
from takmail.runtime.illustrator import Illustrator
from tests.support.players import parsed

ID = "<1.abc@example.test>"
CELLS = ("3-p---", "3-t---s", "side-white")
TURNS = ("ps a1", "ps c3", "ps b2", "me a1 p1 1")
ANIMATION = Animation("takmail-1.gif", "3", TURNS, 0, Result(Seat.FIRST, "1-0", "resigned"))


def letter(*, has_animation: bool = False) -> bytes:
    """Return the bytes of a letter that has room for pictures."""
    body = LetterBody("text", "<p>page</p>", has_pictures=not has_animation, has_animation=has_animation)
    return b"From: tak@example.test\r\nMIME-Version: 1.0\r\n" + body.as_bytes(ID)


def images(raw: bytes) -> dict[str, bytes]:
    """Return the images of a letter, by Content-ID or file name."""
    parts = [part for part in parsed(raw).walk() if part.get_content_maintype() == "image"]
    return {str(part["Content-ID"] or part.get_filename()): part.get_content() for part in parts}


def test_each_named_cell_becomes_a_part_of_the_letter() -> None:
    raw = Illustrator(GAMES).illustrated(letter(), ID, Drawings("tak", CELLS))
    found = images(raw)
    assert list(found) == [f"<{name}@takmail>" for name in CELLS]
    rules = GAMES.rules("tak")
    assert list(found.values()) == [Painter().png(rules.cell(name)) for name in CELLS]
    mail = parsed(raw)
    assert mail.get_content_type() == "multipart/alternative"
    assert [part.get_content_type() for part in mail.iter_parts()] == ["text/plain", "multipart/related"]
    assert not [part.defects for part in mail.walk() if part.defects]


def test_an_animation_is_a_file_and_begins_with_the_final_board() -> None:
    raw = Illustrator(GAMES).illustrated(letter(has_animation=True), ID, Drawings("tak", (), ANIMATION))
    ((name, data),) = images(raw).items()
    assert name == "takmail-1.gif"
    image = Image.open(BytesIO(data))
    assert getattr(image, "n_frames", 0) >= len(TURNS)
    states = [GAMES.rules("tak").start("3")]
    for turn in TURNS:
        states.append(states[-1].play(turn))
    final = scenes(states, TURNS, ANIMATION.ending, 0, len(TURNS))[-1]
    expected = Image.open(BytesIO(Painter().gif([final]))).convert("RGB")
    assert image.convert("RGB").tobytes() == expected.tobytes()


def test_a_letter_is_drawn_the_same_again() -> None:
    one = Illustrator(GAMES)
    named = Drawings("tak", CELLS)
    first = one.illustrated(letter(), ID, named)
    assert (
        one.illustrated(letter(), ID, named) == Illustrator(GAMES).illustrated(letter(), ID, named) == first
    )


def test_a_letter_without_drawings_is_unchanged() -> None:
    assert Illustrator(GAMES).illustrated(letter(), ID, Drawings("tak")) == letter()


def test_a_name_that_no_game_knows_is_an_error() -> None:
    with pytest.raises(ValueError, match="no game has a picture"):
        Illustrator(GAMES).illustrated(letter(), ID, Drawings("tak", ("no-name",)))


def test_only_the_last_pictures_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[object] = []
    monkeypatch.setattr(illustrator, "MAX_CELLS", 2)
    one = Illustrator(GAMES)
    png = Painter.png

    def noting(self: Painter, scene: object) -> bytes:
        drawn.append(scene)
        return png(self, scene)  # type: ignore[arg-type]

    monkeypatch.setattr(Painter, "png", noting)
    first, second, third = CELLS
    for names, count in (((first, second), 2), ((first,), 2), ((third,), 3), ((first,), 3), ((second,), 4)):
        one.illustrated(letter(), ID, Drawings("tak", names))
        assert len(drawn) == count, names


def test_threads_that_draw_the_first_pictures_of_a_size_at_once_share_its_kit() -> None:
    """Both players of a finished game get an animation, each in a thread of its own."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for _ in range(10):
            kit_of.cache_clear()
            draw = partial(Illustrator(GAMES).illustrated, letter(has_animation=True), ID)
            with ThreadPoolExecutor(2) as threads:
                both = [*threads.map(draw, [Drawings("tak", (), ANIMATION)] * 2)]
            assert both[0] == both[1]
    finally:
        sys.setswitchinterval(before)
