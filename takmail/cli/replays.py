"""Define the command that replays recorded games by the rules."""

import json
import sys
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import assert_never

import click

from takmail.games.interface import Reason
from takmail.games.tak.notation.ptn_game import NoStart, PtnGame, read_games
from takmail.games.tak.replay import replay as play_over
from takmail.letters.layout import printable
from takmail.letters.templates import Templates, folder


@dataclass(frozen=True, slots=True)
class Replayed:
    """The result of replaying one recorded game.

    `error` is a sentence about what is wrong with it, or None. `number` is its position in a file with several games,
    otherwise None. `size`, `result` and `tps` (the final position) are None if the file has no readable game.
    """

    file: str
    error: str | None
    number: int | None = None
    size: int | None = None
    result: str | None = None
    tps: str | None = None
    plies: int = 0

    def as_json(self) -> dict[str, object]:
        """Return the game in the form of `--json`."""
        return {name: getattr(self, name) for name in ("file", "size", "result", "tps", "plies", "error")}


def replay_files(files: Iterable[Path], templates: Templates) -> Iterator[Replayed]:
    """Replay every game in every file, in order, and yield the results. A file that can't be read has one result."""
    for path in files:
        file = printable(str(path))
        try:
            found = read_games(decoded(path.read_bytes()))
        except OSError as error:
            reason = Reason("file-unreadable", {"why": error.strerror or str(error)})
            yield Replayed(file, sentence(templates, reason))
            continue
        if not found:
            yield Replayed(file, sentence(templates, Reason("no-game")))
        for number, one in enumerate(found, 1):
            yield _replayed(file, number if len(found) > 1 else None, one, templates)


def _replayed(file: str, number: int | None, one: PtnGame | NoStart, templates: Templates) -> Replayed:
    match one:
        case NoStart(reason=reason):
            return Replayed(file, sentence(templates, reason), number)
        case PtnGame():
            played = play_over(one)
            error = None
            if played.error is not None:
                error = sentence(templates, played.error, played.ply_number, played.bad_ply)
            return Replayed(file, error, number, played.size, played.result, played.final_tps, played.plies)
        case _:
            assert_never(one)


def sentence(templates: Templates, reason: Reason, number: int | None = None, ply: str | None = None) -> str:
    """Return one line about what is wrong with a recorded game. `number` and `ply` are those of the illegal ply."""
    return printable(templates.line("console/fault.txt", reason=reason, number=number, ply=ply))


def decoded(raw: bytes) -> str:
    """Decode the text of a PTN file from any machine, as UTF-16 if its byte-order mark says so, otherwise as UTF-8.

    Bytes that are not UTF-8, such as Latin-1, are replaced. They occur only in comments and names.
    """
    encoding = "utf-16" if raw.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "utf-8-sig"
    return raw.decode(encoding, errors="replace").replace("\r\n", "\n").replace("\r", "\n")


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE.ptn...")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object for each game, one per line.")
def replay(files: tuple[Path, ...], as_json: bool) -> None:
    """Replay games in PTN by the rules.

    Prints each game's result, its final position as TPS, and the first illegal ply if there is one. A game is replayed
    up to that ply. A file may contain many games. With --json the keys are file, size, result, tps, plies and error.
    The error is null for a valid game. Exits with 1 if any game has an error.

    \b
    Examples:
      takmail replay game12.ptn
      takmail replay --json *.ptn | jq 'select(.error)'
    """
    templates, faulty = Templates(folder()), False
    for one in replay_files(files, templates):
        faulty = faulty or one.error is not None
        click.echo(json.dumps(one.as_json()) if as_json else templates.page("console/replay.txt", game=one))
    sys.exit(1 if faulty else 0)
