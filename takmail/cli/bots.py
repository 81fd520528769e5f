"""Define the command that makes the bot an engine for other programs."""

import sys
import time
from collections.abc import Iterator
from queue import Empty, Queue
from threading import Thread
from typing import BinaryIO

import click

from takmail.games.registry import GAMES
from takmail.games.thinking import Channel, EngineServer, Player

_GAME = GAMES.by_name[GAMES.default]
_MOST_LINE_BYTES = 1024 * 1024
"""The length of the longest line that is read. The moves of the longest game take a tenth of it."""
_MOST_WAITING_LINES = 1_000
"""The number of lines that are read ahead. Whoever writes more has to wait."""
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
    lines: Queue[str] = Queue(_MOST_WAITING_LINES)

    def read_all() -> None:
        # Python can't end while a thread reads from its own `sys.stdin`.
        with open(sys.stdin.fileno(), "rb", closefd=False) as stream:
            for line in _lines(stream):
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


def _lines(stream: BinaryIO) -> Iterator[str]:
    """Yield the lines of a stream. One that is too long is left out, and a line of output says so."""
    while line := stream.readline(_MOST_LINE_BYTES):
        if line.endswith(b"\n") or len(line) < _MOST_LINE_BYTES:
            yield line.decode(errors="replace")
            continue
        while line and not line.endswith(b"\n"):
            line = stream.readline(_MOST_LINE_BYTES)
        click.echo(f"info string can't read a line of more than {_MOST_LINE_BYTES} bytes")
