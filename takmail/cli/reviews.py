"""Define the commands that search positions and games for what can be proven."""

import json
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from takmail.cli.replays import sentence, text_of
from takmail.games.interface import Reason, Refused, State
from takmail.games.optional import Recorded, RecordedGame
from takmail.games.registry import GAMES
from takmail.games.thinking import IsOver, Review, Reviewer
from takmail.letters.templates import Templates, folder

_seconds_option = click.option(
    "--seconds",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    metavar="N",
    help="The time for one position or game, after which the search stops.",
)


@click.command()
@click.argument("words", nargs=-1, required=True, metavar="TPS")
@click.option(
    "--plies",
    type=click.IntRange(min=1, max=99),
    default=7,
    show_default=True,
    metavar="N",
    help="The maximum number of plies up to the road, those of both players counted.",
)
@_seconds_option
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
def tinue(words: tuple[str, ...], plies: int, seconds: int, as_json: bool) -> None:
    """Find out whether the player to move can force a road (tinue).

    The position is a TPS, as one word of the shell or several, with or without brackets. With --json the keys are
    result (proven, none or unfinished), plies, moves (the first plies in PTN that force the road as fast) and by. If
    nothing is proven, no road is forced within so many plies: by any plies, or by plies that all threaten a road.

    The search tries plies that threaten a road, and up to a road in 5 any first ply, too. Where it has tried threats
    alone, there may be more first plies than it tells.

    \b
    Example:
      takmail tinue 1,1,121C,x,112/x2,2,x,2/x2,2C,x2/x5/2,x4 1 11
    """
    templates = Templates(folder())
    reviewer, state = _position(" ".join(words), templates)
    forced = reviewer.forced(state, plies, _time_limit(seconds))
    facts = {"result": forced.proof, "plies": forced.within, "moves": list(forced.turns), "by": forced.by}
    click.echo(json.dumps(facts) if as_json else templates.page("console/tinue.txt", forced=forced))


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE...")
@_seconds_option
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object for each game, one per line.")
@click.option("--ptn", "as_record", is_flag=True, help="Print the games with marks and comments.")
def review(files: tuple[Path, ...], seconds: int, as_json: bool, as_record: bool) -> None:
    """Tell what is proven about the turns of recorded games.

    There are at most five findings a game, the worst first. A road in more than 3 plies is found if each ply of its
    player threatens one.

    With --json the keys are file, number, plies (how far the search looked), complete, findings and error. A finding
    has finding, ply (its number in the game), player (1 or 2), played, better, line, plies and within. Exits with 1 if
    a game can't be played to its end.

    \b
    Examples:
      takmail review game12.ptn
      takmail review game12.ptn --ptn > game12-reviewed.ptn
    """
    templates, faulty = Templates(folder()), False
    for path in files:
        game, text = GAMES.of_file(path.name), _text(path, templates)
        if not isinstance(game, Reviewer) or not isinstance(game, Recorded):
            raise click.ClickException(_sentence(templates, Reason("no-review", {"file": str(path)})))
        reviews = []
        for number, recorded in enumerate(game.recorded(text), 1):
            found = (
                game.review_states(recorded.states, recorded.turns, _time_limit(seconds))
                if recorded.turns
                else Review()
            )
            reviews.append(found)
            error = _error(templates, recorded, game.name)
            faulty = faulty or error is not None
            facts = {
                "file": str(path),
                "number": number,
                "plies": found.within,
                "complete": found.is_complete,
                "findings": list(_findings(game, recorded, found)),
                "error": error,
            }
            if not as_record:
                click.echo(
                    json.dumps(facts) if as_json else templates.page("console/review.txt", review=facts)
                )
        if as_record:
            click.echo(game.annotated(text, reviews), nl=False)
    if faulty:
        raise SystemExit(1)


def _position(text: str, templates: Templates) -> tuple[Reviewer, State]:
    for game in GAMES.by_name.values():
        if isinstance(game, Reviewer) and isinstance(game, Recorded):
            try:
                state = game.position(text) or game.position(text.strip(" []"))
            except Refused as refused:
                fault = sentence(templates, refused.reason, game.name, None, None)
                raise click.ClickException(fault) from None
            if state is not None:
                return game, state
    raise click.ClickException(_sentence(templates, Reason("no-position", {"text": text[:80]})))


def _text(path: Path, templates: Templates) -> str:
    try:
        return text_of(path)
    except OSError as error:
        reason = Reason("file-unreadable", {"file": str(path), "why": error.strerror or str(error)})
        raise click.ClickException(_sentence(templates, reason)) from None


def _findings(game: Reviewer, recorded: RecordedGame, found: Review) -> Iterator[Mapping[str, Any]]:
    def written(turn: str) -> str:
        return game.in_record(recorded.states[0], turn)

    for finding in found.findings:
        yield {
            "finding": finding.name,
            "ply": recorded.states[finding.turn - 1].turns + 1,
            "player": finding.seat + 1,
            "played": written(finding.played),
            "better": [written(turn) for turn in finding.better],
            "line": [written(turn) for turn in finding.line],
            **finding.facts,
        }


def _error(templates: Templates, recorded: RecordedGame, kind: str) -> str | None:
    if recorded.error is None:
        return None
    return sentence(templates, recorded.error, kind, recorded.number, recorded.bad_turn)


def _sentence(templates: Templates, reason: Reason) -> str:
    return sentence(templates, reason, None, None, None)


def _time_limit(seconds: int) -> IsOver:
    end = time.monotonic() + seconds
    return lambda: time.monotonic() >= end
