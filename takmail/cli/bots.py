"""Define the command that makes the bot an engine for other programs."""

import sys
import time
from queue import Empty, SimpleQueue
from threading import Thread

import click

from takmail.games.registry import GAMES
from takmail.games.thinking import Channel, EngineServer, Player

_GAME = GAMES.by_name[GAMES.default]
_LEVELS = _GAME.levels if isinstance(_GAME, Player) else ()


@click.command()
@click.option("--tei", "is_tei", is_flag=True, required=True, help="Speak TEI, the Tak Engine Interface.")
@click.option("--level", type=click.Choice(_LEVELS), default=_LEVELS[-1], help="How strong the bot is.")
@click.option("--nodes", type=click.IntRange(min=1), help="Where a search ends for which no limit is set.")
def bot(is_tei: bool, level: str, nodes: int | None) -> None:  # noqa: ARG001 - there is no other protocol yet
    """Let other programs play against the bot.

    Reads lines from standard input and answers on standard output until `quit`. The weaker levels keep to their own
    limits even if a program gives them more time.

    \b
    Examples:
      takmail bot --tei
      takmail bot --tei --level easy
    """
    lines: SimpleQueue[str] = SimpleQueue()

    def read_all() -> None:
        for line in sys.stdin:
            lines.put(line)
        lines.put("quit")

    def waiting() -> str | None:
        try:
            return lines.get_nowait()
        except Empty:
            return None

    Thread(target=read_all, daemon=True).start()
    assert isinstance(_GAME, EngineServer)
    _GAME.serve(level, nodes, Channel(lines.get, waiting, click.echo, time.monotonic))
