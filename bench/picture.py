"""Measure the processor time to draw a board: `bench/picture.py [ROUNDS]`.

Draws positions of the recorded 6x6 games in tests/data/games.json, ROUNDS times each (5 by default). Compares boards
that are composed of cached sprites with boards that are drawn from scratch. Also draws long games as animations, with a
new painter and with cached sprites. The times include the description of the positions, and are in milliseconds.
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
from takmail.games.tak.game import TakGame
from takmail.games.tak.state import TakState
from takmail.letters.pictures.painter import Painter
from takmail.letters.pictures.raster import Palette, sketch

GAMES = Path(__file__).parent.parent / "tests" / "data" / "games.json"
SIZE, PLIES, APART = 6, 80, 9
TWICE = 2  # the scale of drawings from scratch before they are reduced, for smooth edges

Moment = tuple[TakState, str | None]


def film(game: dict[str, object]) -> list[Moment]:
    """Return the first states of a recorded game, up to `PLIES` plies, each with the turn that led to it."""
    state, turns = TakGame().start(f"{game['size']} komi={game['komi']}"), game["mail"]
    assert isinstance(turns, list)
    moments: list[Moment] = [(state, None)]
    for turn in turns[:PLIES]:
        state = state.play(turn)
        moments.append((state, turn))
    return moments


def scenes(moments: list[Moment]) -> list[Scene]:
    """Return the scenes of a game's states."""
    return [state.picture(turn) for state, turn in moments]


def anew(scene: Scene) -> bytes:
    """Draw a scene without cached sprites, at twice the size, and return it as a PNG by Pillow."""
    kit = scene.kit
    palette = Palette(kit.colors, kit.junction_colors)
    size = (kit.width * TWICE, kit.height * TWICE)
    large = Image.new("RGB", size, palette.values[kit.ground])
    for one in (*kit.scenery, *scene.placed):
        large.paste(sketch(kit.sprites[one.sprite], palette, TWICE), (one.x * TWICE, one.y * TWICE))
    file = BytesIO()
    palette.indexed(large.reduce(TWICE), set(kit.colors)).save(file, "PNG")
    return file.getvalue()


def measured(draw: Callable[[Scene], bytes], moments: list[Moment]) -> tuple[list[float], list[int]]:
    """Return the milliseconds and the bytes of each picture."""
    times, sizes = [], []
    for state, turn in moments:
        begin = process_time()
        picture = draw(state.picture(turn))
        times.append(1000 * (process_time() - begin))
        sizes.append(len(picture))
    return times, sizes


def animated(painter: Painter, moments: list[Moment]) -> tuple[float, int]:
    """Return the milliseconds and the bytes of a game's animation."""
    begin = process_time()
    picture = painter.gif(scenes(moments))
    return 1000 * (process_time() - begin), len(picture)


def report(name: str, times: list[float], sizes: list[int]) -> float:
    """Print one line of results, and return the median time."""
    middle = median(times)
    print(
        f"  {name:22} {len(times):5}: median {middle:6.2f} ms, worst {max(times):6.2f} ms,"
        f" median {median(sizes) / 1000:5.1f} KB, largest {max(sizes) / 1000:5.1f} KB"
    )
    return middle


def main(rounds: int) -> None:
    """Measure, and print the results."""
    films = [film(one) for one in json.loads(GAMES.read_text()) if one["size"] == SIZE]
    boards = [moment for one in films for moment in one[::APART]]
    painter = Painter()
    measured(painter.png, boards)  # draws all sprites
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
