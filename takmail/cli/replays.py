"""The verb that plays recorded games by the rules."""

import json
import sys
from pathlib import Path

import click

from takmail.cli import recorded_games as console
from takmail.letters.templates import Templates, folder


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE.ptn...")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a game and line.")
def replay(files: tuple[Path, ...], as_json: bool) -> None:
    """Play games given in PTN by the rules.

    Prints each game's result, its final position as TPS and the first illegal ply, if there is one; a game is
    played up to there. A file may hold many games. With --json the keys are file, size, result, tps, plies and
    error, which is null when all is fine. Exits with 1 if any game has a fault.

    \b
    Examples:
      takmail replay game12.ptn
      takmail replay --json *.ptn | jq 'select(.error)'
    """
    templates, faulty = Templates(folder()), False
    for one in console.replay(files, templates):
        faulty = faulty or one.error is not None
        click.echo(json.dumps(one.as_json()) if as_json else templates.page("console/replay.txt", game=one))
    sys.exit(1 if faulty else 0)
