"""The verb that draws positions and games."""

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from takmail.cli import game_pictures as console
from takmail.cli.common import config_option, opened
from takmail.cli.game_pictures import Film, NoPicture
from takmail.cli.recorded_games import sentence
from takmail.commands.game.corruption import BrokenGame
from takmail.games.picture import Scene
from takmail.letters.pictures.painter import Painter
from takmail.letters.pictures.svg import svg
from takmail.letters.templates import Templates, folder
from takmail.pipeline.rulings import NoGame

_MOST_DIGITS = 1_000  # of the number of a game; Python refuses to read some thousands
_KINDS = (".png", ".gif", ".svg")


@click.command()
@click.argument("words", nargs=-1, required=True, metavar="TPS|GAME|FILE.ptn")
@click.option("--ply", type=click.IntRange(min=0), metavar="N", help="After so many plies; 0 is the start.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="F",
    help="Where to write it; the name's end says what: .png, .gif or .svg. By default PNG on standard output.",
)
@config_option
def picture(words: tuple[str, ...], ply: int | None, out: Path | None, config_file: Path) -> None:
    """Draw a position, or a game.

    The position is given as TPS, or as the number of a game here, or as a file that holds one game in PTN; of a game it
    is the last one, or the one after N plies. A .gif shows the whole game up to there, ply by ply. The config file is
    read only for the number of a game.

    \b
    Examples:
      takmail picture "x5/x5/x2,12C,x2/x5/2,x3,1 2 4" --out position.png
      takmail picture 12 --ply 17 --out position.svg
      takmail picture game12.ptn --out game12.gif
    """
    kind = ".png" if out is None else out.suffix.lower()
    if kind not in _KINDS:
        raise click.BadParameter("the name has to end with .png, .gif or .svg", param_hint="'--out'")
    if out is None and sys.stdout.isatty():
        raise click.UsageError("a picture is nothing for a terminal: say with --out where to write it")
    try:
        film = _film(" ".join(words), config_file)
        found = console.scenes(film, ply, is_whole=kind == ".gif")
    except NoPicture as missing:
        text = sentence(Templates(folder()), missing.reason, missing.number, missing.ply)
        raise click.ClickException(text) from None
    _write(_drawn(found, kind), out)


def _film(what: str, config_file: Path) -> Film:
    if what.isascii() and what.isdigit() and len(what) <= _MOST_DIGITS:
        return _game(int(what), config_file)
    path = Path(what)
    return console.film_of_file(path) if path.suffix.lower() == ".ptn" else console.film_of_tps(what)


def _game(number: int, config_file: Path) -> Film:
    with opened(config_file) as app:
        try:
            return console.film_of_game(app.store, app.causes, number)
        except NoGame:
            raise click.ClickException(
                f"there is no game {number}; `takmail game list` shows them all"
            ) from None
        except BrokenGame as broken:
            wrong = app.services.templates.line("console/stored.txt", fault=broken.fault)
            raise click.ClickException(f"game {number}: {wrong}") from None


def _drawn(found: Sequence[Scene], kind: str) -> bytes:
    match kind:
        case ".svg":
            return svg(found[-1]).encode("ascii")
        case ".gif":
            return Painter().gif(found)
        case _:
            return Painter().png(found[-1])


def _write(picture: bytes, out: Path | None) -> None:
    if out is None:
        click.echo(picture, nl=False)
        return
    try:
        out.write_bytes(picture)
    except OSError as error:
        raise click.ClickException(f"{out} can't be written: {error.strerror or error}") from None
