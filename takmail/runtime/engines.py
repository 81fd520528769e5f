"""Let external engines choose turns: programs that the operator names in config.toml.

An engine is asked in a new process each time. In a game by mail hours pass between its turns, so a process that is kept
would only hold memory, and what goes wrong in one game can't reach another. No mail reaches the command line: an
engine is told the set-up and the turns that the rules have accepted, as lines of its protocol.
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

from takmail.games.game_rules import GameRules
from takmail.games.kit.conversation import Conversation
from takmail.games.thinking import Choice, EngineFault, EngineHost, EngineTerms, Talk
from takmail.runtime.child_process import Closed, NoAnswer, stand_back

_PROCESSES = 2
"""The number of processes that are started for one turn if they fail."""

_MOST_ANSWERS = 3
"""The number of answers that a conversation waits for. The time to think about the turn is on top."""

_FAREWELL_SECONDS = 1.0
_FAREWELL_LOOK_SECONDS = 0.01

_CHUNK_BYTES = 65_536

_ENVIRONMENT = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "LD_LIBRARY_PATH")
"""The variables that an engine gets. Others may hold takmail's secrets."""


class EngineFailed(NoAnswer):
    """Raised if an engine chooses no turn in two processes. The message, for the operator, has both reasons."""


@dataclass(slots=True)
class Engine:
    """An external engine. Each process of it may use `memory_bytes`. Its methods may be called in any thread."""

    name: str
    command: tuple[str, ...]
    terms: EngineTerms
    memory_bytes: int
    host: EngineHost
    _processes: list[Popen[bytes]] = field(default_factory=list, init=False)
    _is_closed: bool = field(default=False, init=False)

    @property
    def most_seconds(self) -> float:
        """The longest time that `choose` takes."""
        milliseconds = self.terms.milliseconds + _MOST_ANSWERS * self.terms.patience
        return _PROCESSES * (milliseconds / 1000 + _FAREWELL_SECONDS)

    def plays(self, game: GameRules, setup: str) -> bool:
        """Return whether it plays a game with this set-up. It does not play the relay of a game."""
        return isinstance(game, EngineHost) and game is self.host and game.hosts(self.terms, setup)

    def choose(self, setup: str, turns: Sequence[str], seconds: float = inf) -> Choice:
        """Return the turn that the engine chooses after these turns. Blocks until then.

        It thinks for at most so many seconds. Raises EngineFailed, and Closed.
        """
        terms = replace(self.terms, milliseconds=int(min(self.terms.milliseconds, 1_000 * seconds)))
        faults: list[str] = []
        for _ in range(_PROCESSES):
            try:
                return self._choose_once(terms, setup, turns)
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
        for process in tuple(self._processes):
            _kill(process)

    def _choose_once(self, terms: EngineTerms, setup: str, turns: Sequence[str]) -> Choice:
        environment = {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}
        with Popen(
            self.command, 0, stdin=PIPE, stdout=PIPE, stderr=PIPE, env=environment, start_new_session=True
        ) as process:
            self._processes.append(process)
            try:
                _limit(process.pid, self.memory_bytes, self.most_seconds)
                if self._is_closed:
                    raise Closed(f"the engine {self.name} was ended")
                return _converse(process, self.host.talk(terms, setup, turns))
            finally:
                self._processes.remove(process)
                _kill(process)


def _converse(process: Popen[bytes], talk: Talk) -> Choice:
    """Hold a conversation, and let the process end.

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
    with suppress(OSError):
        os.write(stdin, b"quit\n")
    deadline = time.monotonic() + _FAREWELL_SECONDS
    while not _has_ended(process) and time.monotonic() < deadline:
        time.sleep(_FAREWELL_LOOK_SECONDS)
    return conversation.choice


def _has_ended(process: Popen[bytes]) -> bool:
    """Return whether a process has ended. It is not waited for, so that its number stays that of its group."""
    return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is not None


def _kill(process: Popen[bytes]) -> None:
    """Kill a process and all that it has started in its process group, unless it was waited for."""
    if process.returncode is None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def _limit(process: int, memory_bytes: int, most_seconds: float) -> None:
    """Limit the memory and processor time of a process that has just begun, as far as the system can.

    The time limit ends an engine that hangs after takmail was killed. Memory that is only reserved does not count, as
    programs in Go or WebAssembly reserve much more than they use.
    """
    seconds = int(most_seconds) * (os.cpu_count() or 1)
    limits = {resource.RLIMIT_DATA: memory_bytes, resource.RLIMIT_CPU: seconds, resource.RLIMIT_CORE: 0}
    stand_back(process)
    for what, most in limits.items():
        with suppress(OSError, ValueError):
            resource.prlimit(process, what, (most, most))
