"""Define the command that draws positions and games."""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from takmail.cli.common import config_option, opened
from takmail.cli.games import load
from takmail.cli.replays import sentence, text_of
from takmail.games.frames import scenes as pictures
from takmail.games.game_rules import GameRules
from takmail.games.interface import Reason, Refused, Result, Seat, State
from takmail.games.optional import Recorded, RecordedGame
from takmail.games.picture import Scene
from takmail.games.registry import GAMES, Games
from takmail.letters.pictures.painter import Painter
from takmail.letters.pictures.svg import svg
from takmail.letters.templates import Templates, folder
from takmail.store.causes import Causes
from takmail.store.database import Store


@dataclass(frozen=True, slots=True)
class DrawnGame:
    """A game to draw.

    * `states` are its positions, and `turns` the turns between them in canonical form
    * `result` is its result if a player ended it, not the rules, otherwise None
    * `broken` is the error that a later turn can't be played, or None
    """

    states: tuple[State, ...]
    turns: tuple[str, ...]
    result: Result | None = None
    broken: click.ClickException | None = None


def _cannot_draw(
    reason: Reason, kind: str | None = None, ply: str | None = None, number: int | None = None
) -> click.ClickException:
    """Return the error that there is nothing to draw. The template console/fault.txt words the `reason`.

    `kind` is the name of the game that words the reason, None if it is the same for all games. `ply` and `number` are
    the text and the number of the illegal ply, or None.
    """
    return click.ClickException(sentence(Templates(folder()), reason, kind, number, ply))


def scenes(game: DrawnGame, ply: int | None, is_whole: bool) -> tuple[Scene, ...]:
    """Return the picture after `ply` turns, or after all turns if `ply` is None.

    With `is_whole`, return the pictures of all turns up to that one. If the game has fewer turns, or if
    `ply` is None and the game is `broken`, print that and exit with 1.
    """
    if game.broken is not None and (ply is None or ply > len(game.turns)):
        raise game.broken
    last = len(game.turns) if ply is None else ply
    if last > len(game.turns):
        raise _cannot_draw(Reason("no-such-ply", {"ply": last, "last": len(game.turns)}))
    return pictures(game.states, game.turns, game.result, 0 if is_whole else last, last)


def game_of_position(text: str, games: Games = GAMES) -> DrawnGame:
    """Parse a single position: one of TZAAR on one line, or a TPS with or without its PTN tag."""
    faults = []
    for game in games.by_name.values():
        try:
            if isinstance(game, Recorded) and (state := game.position(text)) is not None:
                return DrawnGame((state,), ())
        except Refused as refused:
            faults.append(_cannot_draw(refused.reason, game.name))
    raise next(
        iter(faults), _cannot_draw(Reason("nothing-to-draw", {"text": text[:80], "endings": _ENDINGS}))
    )


def game_of_file(path: Path, games: Games = GAMES) -> DrawnGame:
    """Read the game in a record file, which has to have exactly one."""
    try:
        text = text_of(path)
    except OSError as error:
        raise _cannot_draw(
            Reason("file-unreadable", {"file": str(path), "why": error.strerror or str(error)})
        ) from None
    game = games.of_file(path.name)
    assert isinstance(game, Recorded)
    found = game.recorded(text)
    one, others = next(found), sum(1 for _ in found)
    if others:
        raise _cannot_draw(Reason("many-games", {"count": 1 + others}))
    broken = None if one.error is None else _cannot_draw(one.error, game.name, one.bad_turn, one.number)
    if broken is not None and not one.states:
        raise broken
    # An error without a number is about the result, and all turns can be drawn.
    return DrawnGame(one.states, one.turns, _result_of(one, game), None if one.number is None else broken)


def game_of_number(store: Store, causes: Causes, number: int) -> DrawnGame:
    """Load a stored game by its number. Raises CannotRule and CorruptGame.

    A relay game has no stored positions, so it is drawn as far as its turns follow the rules.
    """
    with store.transaction() as session:
        one = load(session, causes, number)
        if one.keeps_board:
            return DrawnGame(one.positions, tuple(one.texts()), one.result)
        course = one.course()
        turns = tuple(turn.text for turn in course.turns[: len(course.states) - 1])
        return DrawnGame(course.states, turns, None if course.broken_turn else one.result)


def _result_of(one: RecordedGame, game: GameRules) -> Result | None:
    """Return the result of a game that a player ended, or None if the rules ended it or it is not over."""
    winners: dict[str, Seat | None] = {"1-0": Seat.FIRST, "0-1": Seat.SECOND, "1/2-1/2": None}
    if one.score not in winners or one.states[-1].result is not None:
        return None
    return game.decide(winners[one.score], "recorded")


_MOST_DIGITS = 1_000  # Python refuses to parse integers with several thousand digits
_FORMATS: Mapping[str, Callable[[Sequence[Scene]], bytes]] = {
    ".png": lambda found: Painter().png(found[-1]),
    ".gif": lambda found: Painter().gif(found),
    ".svg": lambda found: svg(found[-1]).encode("ascii"),
}
"""How pictures are written, by the suffix of the file."""
_ENDINGS = tuple(f".{game.file_ending}" for game in GAMES.by_name.values() if isinstance(game, Recorded))


@click.command()
@click.argument("words", nargs=-1, required=True, metavar="POSITION|GAME|FILE")
@click.option(
    "--ply", type=click.IntRange(min=0), metavar="N", help="The position after N plies; 0 is the start."
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="F",
    help="The file to write; its suffix is the format: .png, .gif or .svg. Default: PNG on standard output.",
)
@config_option
def picture(words: tuple[str, ...], ply: int | None, out: Path | None, config_file: Path) -> None:
    """Draw a position, or a game.

    The argument is a position (of Tak as TPS, of TZAAR on one line), the number of a stored game, or a file with one
    game (of Tak in PTN, of TZAAR as .tzaar.txt). For a game, the picture shows the last position, or the position after
    N plies. A .gif shows all positions up to that one. The config file is read only if the argument is a number.

    \b
    Examples:
      takmail picture "x5/x5/x2,12C,x2/x5/2,x3,1 2 4" --out position.png
      takmail picture 12 --ply 17 --out position.svg
      takmail picture game12.ptn --out game12.gif
    """
    kind = ".png" if out is None else out.suffix.lower()
    if kind not in _FORMATS:
        raise click.BadParameter("the name has to end with .png, .gif or .svg", param_hint="'--out'")
    if out is None and sys.stdout.isatty():
        raise click.UsageError("a terminal can't show a picture; name a file with --out")
    game = _game_of(" ".join(words), config_file)
    _write(_FORMATS[kind](scenes(game, ply, is_whole=kind == ".gif")), out)


def _game_of(what: str, config_file: Path) -> DrawnGame:
    if what.isascii() and what.isdigit() and len(what) <= _MOST_DIGITS:
        with opened(config_file) as app:
            return game_of_number(app.store, app.causes, int(what))
    path = Path(what)
    return game_of_file(path) if path.name.lower().endswith(_ENDINGS) else game_of_position(what)


def _write(picture: bytes, out: Path | None) -> None:
    if out is None:
        click.echo(picture, nl=False)
        return
    try:
        out.write_bytes(picture)
    except OSError as error:
        raise click.ClickException(f"{out} can't be written: {error.strerror or error}") from None
    click.echo(f"{out}: {len(picture)} bytes")
