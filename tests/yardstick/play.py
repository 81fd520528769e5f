"""Play an episode: take its steps in order, and describe the results of each step."""

import json
import logging
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.yardstick.adapter import Letter, Refused, Service, Step
from tests.yardstick.letters import shown
from tests.yardstick.names import Names, values_put_in

ADDRESS = re.compile(r"[A-Za-z0-9_.-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}")
_IN_RAM = Path("/dev/shm")
"""A folder in memory for the databases. Without it, playing only takes longer."""


@dataclass(frozen=True)
class Episode:
    """A recorded conversation: its name, the episode after which it is played (`base`), and its steps."""

    name: str
    base: str | None
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Played:
    """The result of an episode: the text that describes it, and the numbers of letters and mails."""

    text: str
    letters: int
    mails: int


class Stage:
    """A service on which steps are taken, and everything that was observed of it so far."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.letters: list[Letter] = []
        self.addresses: dict[str, None] = {}
        self.mails = 0
        self._outbox: list[str] = []
        self._mails: list[str] = []

    def copied(self, folder: Path, name: str) -> "Stage":
        """Return the same stage on a copy of the database. The service must be closed."""
        other = Stage(self.service.copied(folder, name))
        other.letters, other.addresses, other.mails = [*self.letters], dict(self.addresses), self.mails
        other._outbox, other._mails = [*self._outbox], [*self._mails]
        return other

    def take(self, step: Step) -> list[str]:
        """Take a step, and return the lines that describe its results, with random values in them."""
        values = {name: value for value, name in self.secrets()}
        real = _real(step, values)
        if step["do"] == "mail":
            self.mails += 1
            self.note_addresses(real["raw"].decode("latin-1"))
        try:
            self.service.do(real)
            lines = []
        except Refused:
            lines = ["refused"]
        return lines + self.look()

    def look(self) -> list[str]:
        """Return the lines about everything that has changed: mails, earlier letters, and new letters."""
        lines = []
        for number, state in enumerate(mails := self.service.mails(), 1):
            if number > len(self._mails) or self._mails[number - 1] != state:
                lines.append(f"mail {number}: {state}")
        outbox = self.service.outbox()
        for number, (before, now) in enumerate(zip(self._outbox, outbox, strict=False), 1):
            if before != now:
                lines.append(f"letter {number}: {now}")
        for letter in self.service.letters(len(self.letters)):
            self.letters.append(letter)
            self.note_addresses(letter.to)
            number = len(self.letters)
            lines.append(f"--- letter {number} from {letter.sender} to {letter.to}: {outbox[number - 1]}")
            lines.append(shown(letter.raw))
        self._outbox, self._mails = outbox, mails
        return lines

    def secrets(self) -> Iterable[tuple[str, str]]:
        """Return all values that have names now, with their names."""
        return self.service.secrets(self.letters, self.addresses)

    def note_addresses(self, text: str) -> None:
        """Remember the addresses in a text, because there may be tokens for them."""
        for address in ADDRESS.findall(text[:100_000]):
            self.addresses.setdefault(address.lower())

    def end(self) -> list[str]:
        """Return the lines that describe the final state of everything."""
        return [
            "=== mails",
            *(f"mail {number}: {state}" for number, state in enumerate(self._mails, 1)),
            "=== outbox",
            *(f"letter {number}: {state}" for number, state in enumerate(self._outbox, 1)),
            "=== state",
            *_lines(self.service.state()),
        ]


class Player:
    """Plays episodes. An episode that is the base of others is played once, and its database is copied."""

    def __init__(self, episodes: Mapping[str, Episode]) -> None:
        logging.getLogger("takmail").setLevel(logging.CRITICAL)
        self._episodes = episodes
        self._folder = tempfile.TemporaryDirectory(
            prefix="yardstick-", dir=_IN_RAM if _IN_RAM.is_dir() else None
        )
        self._bases: dict[str, Stage] = {}
        self._are_bases = {one.base for one in episodes.values()}
        self._number = 0

    def play(self, name: str) -> Played:
        """Play an episode on an empty database, or on the database at the end of its base."""
        episode = self._episodes[name]
        stage = self._begun(episode.base)
        before = len(stage.letters), stage.mails
        text = self._text(episode, stage)
        if name in self._are_bases and name not in self._bases:
            stage.service.close()
            self._bases[name] = stage
        else:
            stage.service.remove()
        return Played(text, len(stage.letters) - before[0], stage.mails - before[1])

    def close(self) -> None:
        """Remove the databases of episodes that others are played after."""
        self._folder.cleanup()

    def _begun(self, base: str | None) -> Stage:
        self._number += 1
        folder, name = Path(self._folder.name), f"play_{self._number}"
        if base is None:
            return Stage(Service.empty(folder, name))
        if base not in self._bases:
            stage = self._begun(self._episodes[base].base)
            for step in self._episodes[base].steps:
                stage.take(step)
            stage.service.close()
            self._bases[base] = stage
        return self._bases[base].copied(folder, name)

    @staticmethod
    def _text(episode: Episode, stage: Stage) -> str:
        lines = [f"episode {episode.name}"]
        if episode.base:
            lines.append(f"after {episode.base}")
        for number, step in enumerate(episode.steps, 1):
            lines += [f"=== step {number}: {_said(step)}", *stage.take(step)]
        lines += stage.end()
        return Names(stage.secrets()).put_in("\n".join(lines)) + "\n"


def _real(step: Step, values: Mapping[str, str]) -> dict[str, Any]:
    """Return a step with values in place of the names, and with its mails as bytes."""

    def real(name: str, value: Any) -> Any:
        match value:
            case str():
                filled = values_put_in(value, values)
                return filled.encode("latin-1") if name == "raw" else filled
            case dict():
                return {key: real(key, one) for key, one in value.items()}
            case list():
                return [real("", one) for one in value]
        return value

    return {name: real(name, value) for name, value in step.items()}


def _lines(value: Mapping[str, Any], indent: str = "") -> Iterator[str]:
    """Yield a state as lines. A value that contains only texts and numbers is one line."""
    for name, one in value.items():
        if isinstance(one, list) and one:
            yield f"{indent}{name}:"
            for row in one:
                if _is_flat(row):
                    yield f"{indent}  {json.dumps(row, ensure_ascii=False)}"
                else:
                    yield from _lines({"-": row}, f"{indent}  ")
        elif isinstance(one, dict) and not _is_flat(one):
            yield f"{indent}{name}:"
            yield from _lines(one, f"{indent}  ")
        else:
            yield f"{indent}{name}: {json.dumps(one, ensure_ascii=False)}"


def _is_flat(value: object) -> bool:
    inner = value.values() if isinstance(value, dict) else []
    return not any(isinstance(one, dict) or (isinstance(one, list) and one) for one in inner)


def _said(step: Step) -> str:
    """Return a step in one line. For a mail, the line has its sender and its first words."""
    if step["do"] != "mail":
        told = {name: value for name, value in step.items() if name != "do"}
        return f"{step['do']} {json.dumps(told, ensure_ascii=True)[:300] if told else ''}".rstrip()
    head, _, body = step["raw"].replace("\r\n", "\n").partition("\n\n")
    sender = next((line for line in head.splitlines() if line.lower().startswith("from:")), "")
    words = next((line for line in body.splitlines() if line.strip()), "")
    return json.dumps(f"mail {sender[:100]}: {words[:100]}{' (waits)' if step.get('waits') else ''}")
