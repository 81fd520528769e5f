"""The bot as an engine for other programs, by TEI (Tak Engine Interface): lines in, lines out."""

from collections import deque
from collections.abc import Iterable, Mapping
from itertools import pairwise
from random import Random

from takmail.games.tak.bot.bits import Ply, bits_of, layout_of, move_of
from takmail.games.tak.bot.levels import LEVELS, choice
from takmail.games.tak.bot.search import SearchResult
from takmail.games.tak.notation import ptn, tps
from takmail.games.tak.notation.errors import NotationError
from takmail.games.tak.pieces import SIZES
from takmail.games.tak.position import Position, empty_position
from takmail.games.tak.rules import IllegalMove, play
from takmail.games.thinking import Channel, EngineServer

_USUAL_SIZE = 5
_NO_LIMIT = 1_000_000_000
_MOST_A_SECOND = 200_000
"""More nodes than can be searched in a second, so that the time is what ends the search."""
_MOST_LATER = 1_000
"""The number of lines, the newest, that wait until a search ends. A program that plays sends a few."""
_MOST_KOMI = 20
_HIGHEST_SCORE = 10_000
_LAG = 10
"""How many milliseconds earlier than allowed the bot answers."""
_MOVES_LEFT = 25
"""The number of turns for which the time on a clock should last."""


class TeiServer(EngineServer):
    """The part of the game of Tak that answers TEI."""

    def serve(self, level: str, nodes: int | None, channel: Channel) -> None:
        """Answer the lines of a program until it says `quit`. `nodes` are for a `go` without a limit of its own."""
        conversation = _Conversation(level, nodes, channel)
        while conversation.goes_on:
            conversation.answer(conversation.next_line())


class _Conversation:
    def __init__(self, level: str, nodes: int | None, channel: Channel) -> None:
        self._level = LEVELS[level]
        self._is_strongest = level == tuple(LEVELS)[-1]
        self._nodes = nodes
        self._channel = channel
        self._half_komi = 0
        self._size = _USUAL_SIZE
        self._position = empty_position(_USUAL_SIZE)
        self._asked = 0
        self._later: deque[str] = deque(maxlen=_MOST_LATER)
        self._is_stopped = False
        self.goes_on = True

    def next_line(self) -> str:
        """Return the next line, first of those that came while the bot thought."""
        return self._later.popleft() if self._later else self._channel.read()

    def answer(self, line: str) -> None:
        """Answer a line. An unknown one is passed over."""
        word, *rest = line.split() or [""]
        write = self._channel.write
        try:
            match word:
                case "tei":
                    write("id name takmail")
                    write("id author takmail")
                    write(f"option name HalfKomi type spin default 0 min -{_MOST_KOMI} max {_MOST_KOMI}")
                    write("teiok")
                case "isready":
                    write("readyok")
                case "setoption" if rest[:3] == ["name", "HalfKomi", "value"]:
                    self._half_komi = _komi(rest[3])
                case "teinewgame":
                    self._size = next(int(size) for size in rest if size.isdigit() and int(size) in SIZES)
                case "position":
                    self._position = self._read_position(rest)
                case "go":
                    self._go(rest)
                case "quit":
                    self.goes_on = False
                case _:
                    pass
        except (NotationError, IllegalMove, ValueError, LookupError, StopIteration) as error:
            write(f"info string can't {word}: {error!r}")

    def _read_position(self, words: list[str]) -> Position:
        at = words.index("moves") if "moves" in words else len(words)
        if words[0] == "tps":
            position = tps.parse(" ".join(words[1:at]), self._half_komi)
        else:
            position = empty_position(self._size, self._half_komi)
        return _played(position, words[at + 1 :])

    def _go(self, words: list[str]) -> None:
        position = self._position
        if position.outcome is not None:
            raise ValueError("the game is over")
        limits = {name: min(int(value), _NO_LIMIT) for name, value in pairwise(words) if value.isdigit()}
        begin, seconds = self._channel.now(), _seconds(limits, bool(position.ply & 1))
        nodes, depth = limits.get("nodes"), limits.get("depth")
        if nodes is None and self._is_strongest and seconds is not None:
            nodes = int(seconds * _MOST_A_SECOND)
        elif nodes is None and self._is_strongest and (depth is not None or "infinite" in words):
            nodes = _NO_LIMIT
        layout, self._asked, self._is_stopped = (
            layout_of(position.size, position.half_komi),
            self._asked + 1,
            False,
        )

        def text(plies: Iterable[Ply]) -> str:
            return " ".join(ptn.write_ply(layout.board, ptn.Ply(move_of(layout, ply))) for ply in plies)

        def report(found: SearchResult) -> None:
            spent = self._channel.now() - begin
            score = max(-_HIGHEST_SCORE, min(_HIGHEST_SCORE, found.score))
            self._channel.write(
                f"info depth {found.depth} time {int(spent * 1000)} nodes {found.nodes} "
                f"nps {int(found.nodes / max(spent, 0.001))} score cp {score} pv {text(found.line)}"
            )

        def is_over() -> bool:
            self._listen()
            return self._is_stopped or (seconds is not None and self._channel.now() - begin >= seconds)

        found = choice(
            layout,
            bits_of(position),
            self._level,
            Random(self._asked),
            is_over,
            nodes=nodes or self._nodes,
            depth=depth,
            report=report,
        )
        while "infinite" in words and not self._is_stopped:
            self._heard(self._channel.read())
        self._channel.write(f"bestmove {text([found.ply])}")

    def _listen(self) -> None:
        """Answer the lines that have come while the bot thinks."""
        while (line := self._channel.waiting()) is not None:
            self._heard(line)

    def _heard(self, line: str) -> None:
        """Answer a line that comes while the bot thinks."""
        match line.strip():
            case "isready":
                self._channel.write("readyok")
            case "stop":
                self._is_stopped = True
            case other:
                self._is_stopped = self._is_stopped or other == "quit"
                self._later.append(other)


def _played(position: Position, plies: Iterable[str]) -> Position:
    for text in plies:
        position = play(position, ptn.parse_ply(position.board, text).move)
    return position


def _komi(value: str) -> int:
    """Return a komi in halves of a flat. Raises ValueError if it is none that the option has."""
    if abs(half_komi := int(value)) > _MOST_KOMI:
        raise ValueError(f"it goes from -{_MOST_KOMI} to {_MOST_KOMI}")
    return half_komi


def _seconds(limits: Mapping[str, int], is_black: bool) -> float | None:
    """Return how many seconds to think about a turn, None if nothing in a `go` limits them."""
    if "movetime" in limits:
        return max(limits["movetime"] - _LAG, 1) / 1000
    left, gained = ("btime", "binc") if is_black else ("wtime", "winc")
    if left not in limits:
        return None
    fair_share = limits[left] / _MOVES_LEFT + limits.get(gained, 0)
    return max(min(fair_share, limits[left] / 2) - _LAG, 1) / 1000
