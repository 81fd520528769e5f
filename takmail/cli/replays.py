"""Define the command that replays recorded games by the rules."""

import errno
import json
import os
import sys
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

import click

from takmail.games.interface import Reason
from takmail.games.optional import Recorded
from takmail.games.registry import GAMES, Games
from takmail.letters.templates import Templates, folder, printable
from takmail.limits.games import MAX_RECORD_CHARS

_MAX_FILE_BYTES = 4 * MAX_RECORD_CHARS
"""The length of the longest file that is read. A character takes at most four bytes."""
_BEGIN = 16
"""The number of bytes that show in which encoding a record is, as it begins with a tag or a turn."""


def replay_files(
    files: Iterable[Path], templates: Templates, games: Games = GAMES
) -> Iterator[Mapping[str, Any]]:
    """Replay every game in every file, in order, and yield the results. A file that can't be read has one result.

    The ending of its name tells which game a file is of. Each result has these keys:

    * `kind` is the name of its game
    * `data` are the game's own, such as its result and its final position; they are None if no game can be read
    * `error` is a sentence about what is wrong with it, or None
    * `number` is its position in a file with several games, otherwise None
    """
    for path in files:
        file, game = printable(str(path)), games.of_file(path.name)
        assert isinstance(game, Recorded)
        try:
            found = game.recorded(text_of(path))
        except OSError as error:
            reason = Reason("file-unreadable", {"why": error.strerror or str(error)})
            found = (replace(one, error=reason) for one in game.recorded(""))
        first, second = next(found), next(found, None)
        for at, one in enumerate((first,) if second is None else chain((first, second), found), 1):
            fault = one.error
            text = None if fault is None else sentence(templates, fault, game.name, one.number, one.bad_turn)
            number = None if second is None else at
            yield {"file": file, "kind": game.name, "data": one.data, "error": text, "number": number}


def sentence(
    templates: Templates, reason: Reason, kind: str | None, number: int | None, ply: str | None
) -> str:
    """Return one line about what is wrong with a recorded game. `number` and `ply` are those of the illegal turn.

    `kind` is the name of its game, None if the wording of the reason is the same for all games.
    """
    return printable(templates.line("console/fault.txt", reason=reason, number=number, ply=ply, kind=kind))


def text_of(path: Path) -> str:
    """Return the text of a file with games. Raises OSError, also if the file is too long, or never ends."""
    with path.open("rb") as file:
        raw = file.read(_MAX_FILE_BYTES + 1)
    if len(raw) > _MAX_FILE_BYTES:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
    return _decoded(raw)


def _decoded(raw: bytes) -> str:
    """Decode the text of a PTN file from any machine.

    Bytes that are not UTF-8, such as Latin-1, are replaced. They occur only in comments and names.
    """
    return raw.decode(_encoding(raw), errors="replace").replace("\r\n", "\n").replace("\r", "\n")


def _encoding(raw: bytes) -> str:
    """Return UTF-16 if the byte-order mark or each other byte of the beginning says so, otherwise UTF-8."""
    if raw.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return "utf-16"
    begin = raw[:_BEGIN]
    if len(begin) < 2 or all(begin):
        return "utf-8-sig"
    return "utf-16-le" if not any(begin[1::2]) else "utf-16-be" if not any(begin[::2]) else "utf-8-sig"


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE...")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object for each game, one per line.")
def replay(files: tuple[Path, ...], as_json: bool) -> None:
    """Replay recorded games by the rules.

    A file whose name ends with .tzaar.txt has games of TZAAR, any other file has games of Tak in PTN. Prints each
    game's result, its final position, and the first illegal turn if there is one. A game is replayed up to that turn. A
    file may contain many games. With --json the keys are file, size, result, tps, plies and error for Tak, and file,
    game, result, position, turns and error for TZAAR. The error is null for a valid game. Exits with 1 if any game has
    an error.

    \b
    Examples:
      takmail replay game12.ptn
      takmail replay game13.tzaar.txt
      takmail replay --json *.ptn | jq 'select(.error)'
    """
    templates, faulty = Templates(folder()), False
    for one in replay_files(files, templates):
        faulty = faulty or one["error"] is not None
        facts = {"file": one["file"], **one["data"], "error": one["error"]}
        click.echo(json.dumps(facts) if as_json else templates.page("console/replay.txt", game=one))
    sys.exit(1 if faulty else 0)
