"""Milliseconds of processor time to draw a board: `bench/picture.py [ROUNDS]`.

Draws positions of the recorded 6x6 games in tests/data/games.json, ROUNDS times each (5 by default): put together
from sprites that are drawn once, as `Painter` does it, and everything anew with Pillow. Then the first 80 plies of each
long game as an animation, the first time and once its sprites are drawn. Whatever it takes to say how a position
looks counts, too.
"""

import json
import sys
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from statistics import median
from time import process_time

from PIL import Image

from takmail.games.picture import Scene
from takmail.games.tak.game import TakGame, TakState
from takmail.letters.pictures.painter import Painter
from takmail.letters.pictures.palette import Palette
from takmail.letters.pictures.raster import sketch

GAMES = Path(__file__).parent.parent / "tests" / "data" / "games.json"
SIZE, PLIES, APART = 6, 80, 9
TWICE = 2  # as large is everything drawn anew, to have smooth edges

Moment = tuple[TakState, str | None]


def film(game: dict[str, object]) -> list[Moment]:
    """Every state of a recorded game with the turn that led to it, up to 80 plies."""
    state, turns = TakGame().start(f"{game['size']} komi={game['komi']}"), game["mail"]
    assert isinstance(turns, list)
    moments: list[Moment] = [(state, None)]
    for turn in turns[:PLIES]:
        state = state.play(turn)
        moments.append((state, turn))
    return moments


def scenes(moments: list[Moment]) -> list[Scene]:
    """The pictures of a game."""
    return [state.picture(turn) for state, turn in moments]


def anew(scene: Scene) -> bytes:
    """A scene with each sprite drawn where it stands, on a canvas twice as large, and Pillow's own PNG."""
    kit = scene.kit
    palette = Palette(kit.colors, kit.meeting)
    size = (kit.width * TWICE, kit.height * TWICE)
    large = Image.new("RGB", size, palette.values[kit.ground])
    for one in (*kit.scenery, *scene.placed):
        large.paste(sketch(kit.sprites[one.sprite], palette, TWICE), (one.x * TWICE, one.y * TWICE))
    file = BytesIO()
    palette.indexed(large.reduce(TWICE), set(kit.colors)).save(file, "PNG")
    return file.getvalue()


def measured(draw: Callable[[Scene], bytes], moments: list[Moment]) -> tuple[list[float], list[int]]:
    """How many milliseconds each picture took, and how many bytes it has."""
    times, sizes = [], []
    for state, turn in moments:
        begin = process_time()
        picture = draw(state.picture(turn))
        times.append(1000 * (process_time() - begin))
        sizes.append(len(picture))
    return times, sizes


def animated(painter: Painter, moments: list[Moment]) -> tuple[float, int]:
    """How many milliseconds the animation of a game took, and how many bytes it has."""
    begin = process_time()
    picture = painter.gif(scenes(moments))
    return 1000 * (process_time() - begin), len(picture)


def report(name: str, times: list[float], sizes: list[int]) -> float:
    """Print a line, and give the median."""
    middle = median(times)
    print(
        f"  {name:22} {len(times):5}: median {middle:6.2f} ms, worst {max(times):6.2f} ms,"
        f" median {median(sizes) / 1000:5.1f} KB, largest {max(sizes) / 1000:5.1f} KB"
    )
    return middle


def main(rounds: int) -> None:
    """Measure and print."""
    films = [film(one) for one in json.loads(GAMES.read_text()) if one["size"] == SIZE]
    boards = [moment for one in films for moment in one[::APART]]
    painter = Painter()
    measured(painter.png, boards)  # so that all sprites are drawn
    print(f"{SIZE}x{SIZE}, a board")
    fast = report("put together", *measured(painter.png, boards * rounds))
    slow = report("everything drawn anew", *measured(anew, boards[::10]))
    print(f"  {slow / fast:.1f} times as fast")
    print(f"{SIZE}x{SIZE}, an animation of {PLIES} plies")
    long = [one for one in films if len(one) > PLIES]
    report("first", *map(list, zip(*(animated(Painter(), one) for one in long[:rounds]), strict=True)))
    report("once warm", *map(list, zip(*(animated(painter, one) for one in long), strict=True)))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
