"""What a test has done to one database, as the steps of an episode."""

import sqlite3
import tempfile
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from takmail.mail.limits import USUAL
from takmail.service.desk import Desk, Pace
from tests.yardstick.adapter import BEGINNING, DEFAULTS, Letter, Service, secrets
from tests.yardstick.names import Names
from tests.yardstick.play import ADDRESS, Stage


@dataclass
class Journal:
    """What was done to one database; `tests` are all that have used it, `test` the first of them."""

    name: str
    test: str
    file: Path
    base: "Journal | None" = None
    steps: list[dict[str, Any]] = field(default_factory=list)
    letters: list[Letter] = field(default_factory=list)
    addresses: dict[str, None] = field(default_factory=dict)
    settings: dict[str, Any] = field(default_factory=lambda: dict(DEFAULTS))
    now: datetime = BEGINNING
    tests: set[str] = field(default_factory=set)
    problem: str = ""
    digest: str = ""
    is_copied: bool = False

    def say(self, problem: str) -> None:
        """Note why this can't be played; the first reason counts."""
        self.problem = self.problem or problem

    def add(self, step: dict[str, Any], desk: Desk | None = None) -> None:
        """Write a step down, behind what has become of the clock and the settings."""
        self.digest = ""
        if self.is_copied:
            self.say("goes on after it was copied")
        if desk is not None:
            if (settings := _settings(desk)) != self.settings:
                changed = {key: one for key, one in settings.items() if self.settings[key] != one}
                self.steps.append({"do": "settings", "to": changed})
                self.settings = settings
            if (now := desk.clock()) != self.now:
                self.steps.append({"do": "now", "at": now.isoformat()})
                self.now = now
        self.steps.append(step)

    def look(self) -> None:
        """Take the letters in that have been written."""
        query = "SELECT mail_from, mail_to, raw, message_id FROM outbox ORDER BY id LIMIT -1 OFFSET ?"
        connection = sqlite3.connect(self.file)
        try:
            for row in connection.execute(query, (len(self.letters),)):
                self.letters.append(Letter(*row))
                self.addresses.setdefault(row[1])
        finally:
            connection.close()

    def named(self, raw: bytes) -> str:
        """A mail with names for what is drawn."""
        plain = raw.decode("latin-1")
        for address in ADDRESS.findall(plain[:100_000]):
            self.addresses.setdefault(address.lower())
        return Names(secrets(self.settings, self.letters, self.addresses)).put_in(plain)

    def end(self) -> None:
        """Note how all stands."""
        if self.digest or self.problem:
            return
        self.look()
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "end.sqlite"
            here, there = sqlite3.connect(self.file), sqlite3.connect(file)
            here.backup(there)
            here.close()
            there.close()
            stage = Stage(Service(file, self.settings, self.now))
            stage.letters, stage.addresses = self.letters, self.addresses
            stage.look()
            self.digest = stage.digest()
            stage.service.close()


def _settings(desk: Desk) -> dict[str, Any]:
    """The settings of a service by its desk, as `adapter.DEFAULTS` has them."""
    usual = asdict(Pace(*DEFAULTS["pace"].values()))
    pace = {
        key: one for key, one in asdict(desk.pace).items() if key in DEFAULTS["pace"] or usual[key] != one
    }
    limits = {key: one for key, one in asdict(desk.limits).items() if getattr(USUAL, key) != one}
    return {
        "address": desk.address,
        "name": desk.name,
        "key": desk.key._key.hex(),
        "old_keys": [one.hex() for one in desk.key._old()],
        "delimiter": desk.key._delimiter,
        "pace": pace,
        "limits": limits,
        "authserv_id": desk.authserv_id,
        "operator": desk.operator,
        "letter_view": str(desk.letter_view),
    }
