"""The bot as an engine for other programs, by TEI (Tak Engine Interface): lines in, lines out."""

import re
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
_NUMBER = re.compile(r"[0-9]{1,12}", re.ASCII)
_LIMITS = ("movetime", "nodes", "depth", "wtime", "btime")
"""The words of a `go` with a number above 0 behind them."""
_GAINED = ("winc", "binc")
"""Those whose number may be 0."""
_HALF_KOMI = "halfkomi"
_MOST_A_SECOND = 400_000
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
        self._option_komi = self._half_komi = 0
        self._size = _USUAL_SIZE
        self._position: Position | None = empty_position(_USUAL_SIZE)
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
                case "setoption" if [part.lower() for part in rest[:3]] == ["name", _HALF_KOMI, "value"]:
                    self._option_komi = self._half_komi = _komi(rest[3])
                case "teinewgame":
                    self._begin(rest)
                case "position":
                    # Whoever goes on after an error must not get a ply for another position.
                    self._position = None
                    self._position = self._read_position(rest)
                case "go":
                    self._go(rest)
                case "quit":
                    self.goes_on = False
                case _:
                    pass
        except (NotationError, IllegalMove, ValueError, LookupError, StopIteration) as error:
            write(f"info string can't {word}: {error!r}")

    def _begin(self, words: list[str]) -> None:
        """Begin a game: `5`, or `size 5 halfkomi 4`, as some programs say it."""
        self._position = None
        parts = [word.lower() for word in words]
        named = dict(pairwise(parts))
        size = int(named.get("size") or parts[0])
        if size not in SIZES:
            raise ValueError(f"there is no board of size {size}")
        self._half_komi = _komi(named[_HALF_KOMI]) if _HALF_KOMI in named else self._option_komi
        self._size = size
        self._position = empty_position(size, self._half_komi)

    def _read_position(self, words: list[str]) -> Position:
        at = words.index("moves") if "moves" in words else len(words)
        if words[0] == "tps":
            position = tps.parse(" ".join(words[1:at]), self._half_komi)
        else:
            position = empty_position(self._size, self._half_komi)
        return _played(position, words[at + 1 :])

    def _go(self, words: list[str]) -> None:
        position = self._position
        if position is None:
            raise ValueError("there is no position")
        if position.outcome is not None:
            raise ValueError("the game is over")
        limits = _limits(words)
        begin, seconds = self._channel.now(), _seconds(limits, bool(position.ply & 1))
        nodes, depth = self._most_nodes(limits, seconds, words), limits.get("depth")
        layout, self._asked, self._is_stopped = (
            layout_of(position.size, position.half_komi),
            self._asked + 1,
            False,
        )

        def text(plies: Iterable[Ply]) -> str:
            return " ".join(ptn.write_ply(layout.board, ptn.Ply(move_of(layout, ply))) for ply in plies)

        has_reported = False

        def report(found: SearchResult) -> None:
            nonlocal has_reported
            has_reported = True
            spent = self._channel.now() - begin
            score = max(-_HIGHEST_SCORE, min(_HIGHEST_SCORE, found.score))
            self._channel.write(
                f"info depth {found.depth} time {int(spent * 1000)} nodes {found.nodes} "
                f"nps {int(found.nodes / max(spent, 0.001))} score cp {score} pv {text(found.line or [found.ply])}"
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
        if not has_reported:
            # A road in one, or one that is forced, needs no search.
            report(found)
        while "infinite" in words and not self._is_stopped:
            self._heard(self._channel.read())
        self._channel.write(f"bestmove {text([found.ply])}")

    def _most_nodes(self, limits: Mapping[str, int], seconds: float | None, words: list[str]) -> int | None:
        """Return the limit of nodes, None for that of the level. The strongest searches up to any other limit."""
        if "nodes" in limits or not self._is_strongest:
            return limits.get("nodes")
        if seconds is not None:
            return int(seconds * _MOST_A_SECOND)
        return _NO_LIMIT if "depth" in limits or "infinite" in words else None

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
    if len(value) > len(f"-{_MOST_KOMI}") or abs(half_komi := int(value)) > _MOST_KOMI:
        raise ValueError(f"it goes from -{_MOST_KOMI} to {_MOST_KOMI}")
    return half_komi


def _limits(words: list[str]) -> dict[str, int]:
    """Return the limits of a `go`. Raises ValueError for one that is no number, negative, or 0 where that is none."""
    limits = {}
    for at, name in enumerate(words):
        if name in _LIMITS or name in _GAINED:
            value = words[at + 1] if at + 1 < len(words) else ""
            if not _NUMBER.fullmatch(value) or (name in _LIMITS and not int(value)):
                raise ValueError(f"{name} needs a number above 0, of at most 12 digits")
            limits[name] = min(int(value), _NO_LIMIT)
    return limits


def _seconds(limits: Mapping[str, int], is_black: bool) -> float | None:
    """Return how many seconds to think about a turn, None if nothing in a `go` limits them."""
    if "movetime" in limits:
        return max(limits["movetime"] - _LAG, 1) / 1000
    left, gained = ("btime", "binc") if is_black else ("wtime", "winc")
    if left not in limits:
        return None
    fair_share = limits[left] / _MOVES_LEFT + limits.get(gained, 0)
    return max(min(fair_share, limits[left] / 2) - _LAG, 1) / 1000
