"""Let external engines choose turns: programs that the operator names in config.toml.

An engine is asked in a new process each time, unless the operator wants its processes kept because they start slowly.
Then each game has a process of its own, so that what goes wrong in one can't reach another. No mail reaches the command
line: an engine is told the set-up and the turns that the rules have accepted, as lines of its protocol.
"""

import os
import resource
import signal
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from math import inf
from selectors import EVENT_READ, DefaultSelector
from subprocess import PIPE, Popen
from threading import Lock, Timer

from takmail.games.game_rules import GameRules
from takmail.games.kit.conversation import Conversation
from takmail.games.thinking import Choice, EngineFault, EngineHost, EngineTerms, Talk
from takmail.runtime.child_process import Closed, NoAnswer, stand_back

_PROCESSES = 2
"""The number of processes that are started for one turn if they fail."""

_MOST_ANSWERS = 3
"""The number of answers that a conversation waits for. The time to think about the turn is on top."""

MOST_KEPT = 4
"""The number of processes of an engine that are kept for their games. Beyond it, the one that waits longest ends."""

_FAREWELL_SECONDS = 1.0
_FAREWELL_LOOK_SECONDS = 0.01

_CHUNK_BYTES = 65_536

_ENVIRONMENT = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "LD_LIBRARY_PATH")
"""The variables that an engine gets. Others may hold takmail's secrets."""


class EngineFailed(NoAnswer):
    """Raised if an engine chooses no turn in two processes. The message, for the operator, has both reasons."""


@dataclass(slots=True, eq=False)
class _Process:
    """A process of an engine, and its turns so far. If it is kept, `timer` ends it."""

    running: Popen[bytes]
    setup: str
    turns: int = 0
    timer: Timer | None = None


@dataclass(slots=True)
class Engine:
    """An external engine. Each process of it may use `memory_bytes`. Its methods may be called in any thread.

    For `keep_seconds` after a turn, its process waits for the next turn of the same game.
    """

    name: str
    command: tuple[str, ...]
    terms: EngineTerms
    memory_bytes: int
    host: EngineHost
    keep_seconds: float = 0.0
    _running: list[_Process] = field(default_factory=list, init=False)
    _kept: dict[int, _Process] = field(default_factory=dict, init=False)
    _lock: Lock = field(default_factory=Lock, init=False)
    _is_closed: bool = field(default=False, init=False)

    @property
    def most_seconds(self) -> float:
        """The longest time that `choose` takes."""
        milliseconds = self.terms.milliseconds + _MOST_ANSWERS * self.terms.patience
        return _PROCESSES * (milliseconds / 1000 + _FAREWELL_SECONDS)

    def plays(self, game: GameRules, setup: str) -> bool:
        """Return whether it plays a game with this set-up. It does not play the relay of a game."""
        return isinstance(game, EngineHost) and game is self.host and game.hosts(self.terms, setup)

    def choose(
        self, setup: str, turns: Sequence[str], seconds: float = inf, game: int | None = None
    ) -> Choice:
        """Return the turn that the engine chooses after these turns. Blocks until then.

        It thinks for at most so many seconds. With the number of a `game`, its process may be kept for that. Raises
        EngineFailed, and Closed.
        """
        terms = replace(self.terms, milliseconds=int(min(self.terms.milliseconds, 1_000 * seconds)))
        faults: list[str] = []
        for _ in range(_PROCESSES):
            try:
                return self._choose_once(terms, setup, turns, game)
            except (EngineFault, OSError) as fault:
                faults.append(str(fault))
            if self._is_closed:
                raise Closed(f"the engine {self.name} was ended")
        position = self.host.position_text(setup, turns)
        both = "; and again: ".join(dict.fromkeys(faults))
        raise EngineFailed(f"[[engine]] {self.name}: {both} (set-up {setup}, position {position})")

    def close(self) -> None:
        """End all processes. A running `choose` then raises Closed."""
        self._is_closed = True
        for process in tuple(self._running):
            _kill(process.running)
        for game in tuple(self._kept):
            self._end_kept(game)

    def _choose_once(self, terms: EngineTerms, setup: str, turns: Sequence[str], game: int | None) -> Choice:
        process = self._taken(setup, game) or _Process(self._started(), setup)
        self._running.append(process)
        is_kept = False
        try:
            process.turns += 1
            self._limit(process)
            if self._is_closed:
                raise Closed(f"the engine {self.name} was ended")
            choice = _converse(
                process.running, self.host.talk(terms, setup, turns, is_begun=process.turns > 1)
            )
            is_kept = game is not None and self._keep(game, process)
            if not is_kept:
                _take_leave(process.running)
            return choice
        finally:
            self._running.remove(process)
            if not is_kept:
                _end(process.running)

    def _started(self) -> Popen[bytes]:
        environment = {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}
        process = Popen(
            self.command, 0, stdin=PIPE, stdout=PIPE, stderr=PIPE, env=environment, start_new_session=True
        )
        stand_back(process.pid)
        return process

    def _limit(self, process: _Process) -> None:
        """Limit the memory and processor time of a process from its beginning on, as far as the system can.

        The time limit ends an engine that hangs after takmail was killed. One that is kept gets more for each turn, so
        it has no hard limit, which only root may raise. Memory that is only reserved does not count, as programs in Go
        or WebAssembly reserve much more than they use.
        """
        seconds = int(process.turns * self.most_seconds) * (os.cpu_count() or 1)
        most = {
            resource.RLIMIT_DATA: (self.memory_bytes, self.memory_bytes),
            resource.RLIMIT_CPU: (seconds, resource.RLIM_INFINITY if self.keep_seconds else seconds),
            resource.RLIMIT_CORE: (0, 0),
        }
        for what, limits in most.items():
            with suppress(OSError, ValueError):
                resource.prlimit(process.running.pid, what, limits)

    def _taken(self, setup: str, game: int | None) -> _Process | None:
        """Return the process that is kept for a game, which is kept no longer."""
        with self._lock:
            process = self._kept.pop(game, None) if game is not None else None
        if process is not None and process.timer is not None:
            process.timer.cancel()
        if process is not None and (process.setup != setup or _has_ended(process.running)):
            _end(process.running)
            return None
        return process

    def _keep(self, game: int, process: _Process) -> bool:
        """Keep a process for a game, and return whether it is kept."""
        if not self.keep_seconds or self._is_closed:
            return False
        process.timer = Timer(self.keep_seconds, self._end_kept, [game, process])
        process.timer.daemon = True
        with self._lock:
            self._kept[game] = process
            excess = [*self._kept][:-MOST_KEPT]
        process.timer.start()  # it must not look for the process before
        for other in excess:
            self._end_kept(other)
        return True

    def _end_kept(self, game: int, only: _Process | None = None) -> None:
        """End the process that is kept for a game, unless it is another one than `only`."""
        with self._lock:
            if only is not None and self._kept.get(game) is not only:
                return
            process = self._kept.pop(game, None)
        if process is not None:
            if process.timer is not None:
                process.timer.cancel()
            _end(process.running)


def _converse(process: Popen[bytes], talk: Talk) -> Choice:
    """Hold a conversation.

    Raises EngineFault, and OSError if the process reads no more lines.
    """
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    stdin = process.stdin.fileno()
    # All lines of a conversation have room in the pipe, unless the process reads none.
    os.set_blocking(stdin, False)
    conversation = Conversation(talk)
    asked, deadline = None, 0.0
    with DefaultSelector() as selector:
        selector.register(process.stdout, EVENT_READ, conversation.take_output)
        selector.register(process.stderr, EVENT_READ, conversation.take_errors)
        while conversation.choice is None:
            if conversation.asked is not asked:
                asked = conversation.asked
                deadline = time.monotonic() + asked.milliseconds / 1000
                # If the process has ended, its output tells more.
                with suppress(BrokenPipeError):
                    os.write(stdin, "".join(f"{line}\n" for line in asked.lines).encode())
            left = deadline - time.monotonic()
            ready = selector.select(left) if left > 0 else []
            if not ready:
                raise conversation.fault("it gave no answer in time")
            for key, _ in ready:
                if not key.data(os.read(key.fd, _CHUNK_BYTES)):
                    selector.unregister(key.fileobj)
            if process.stdout not in selector.get_map():
                # Without output there is no answer. What is left of the errors may say why.
                _kill(process)
                if process.stderr not in selector.get_map():
                    raise conversation.fault("it ended without an answer")
    return conversation.choice


def _take_leave(process: Popen[bytes]) -> None:
    """Let a process end by itself, for a moment."""
    assert process.stdin is not None
    with suppress(OSError):
        os.write(process.stdin.fileno(), b"quit\n")
    deadline = time.monotonic() + _FAREWELL_SECONDS
    while not _has_ended(process) and time.monotonic() < deadline:
        time.sleep(_FAREWELL_LOOK_SECONDS)


def _end(process: Popen[bytes]) -> None:
    """End a process with all that it has started, and close its pipes."""
    _kill(process)
    with process:
        pass


def _has_ended(process: Popen[bytes]) -> bool:
    """Return whether a process has ended. It is not waited for, so that its number stays that of its group."""
    return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is not None


def _kill(process: Popen[bytes]) -> None:
    """Kill a process and all that it has started in its process group, unless it was waited for."""
    if process.returncode is None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
