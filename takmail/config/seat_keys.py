"""Load, make and replace the keys that sign seat tokens.

A key file has the newest key on its first line: 64 or more hexadecimal digits. Each further line has an old key, a
space, and the day (UTC) on which the key was replaced, such as 2026-11-21.
"""

import logging
import os
import re
import secrets
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from takmail.config.private_files import fsync, locked_folder, replace_privately, temporary_file

log = logging.getLogger(__name__)

_KEY = r"(?:[0-9a-f]{2}){32,}"
_OLD_KEY = re.compile(rf"({_KEY}) +(\d{{4}}-\d\d-\d\d)")


@dataclass(frozen=True, slots=True)
class OldKey:
    """A key that new letters no longer use, and the day (UTC) on which it was replaced."""

    key: bytes = field(repr=False)
    since: date


@dataclass(frozen=True, slots=True)
class Keys:
    """The key for new letters, and the old keys. The most recent old key is first."""

    newest: bytes = field(repr=False)
    old: tuple[OldKey, ...] = ()

    def still_accepted(self, now: datetime, days: int) -> tuple[bytes, ...]:
        """Return the old keys that were replaced less than `days` ago."""
        today = now.astimezone(UTC).date()
        return tuple(one.key for one in self.old if today < accepted_until(one.since, days))


class KeyFile:
    """The keys of a file, which are loaded again when the file changes."""

    def __init__(self, path: Path, keys: Keys) -> None:
        """Begin with the `keys` that were loaded from the file."""
        self.keys = keys
        self._path = path
        self._loaded = _version(path)

    def reload(self) -> Keys:
        """Load the file if it has changed, and return the keys. While it is no key file, they stay as they were."""
        version = _version(self._path)
        if version not in (None, self._loaded):
            self._loaded = version
            try:
                self.keys = load_keys(self._path)
                log.info("the key file has changed; its keys are used from now on")
            except (OSError, ValueError) as error:
                log.error("the key file has changed, and the old keys are still used: %s", error)
        return self.keys


def _version(path: Path) -> tuple[int, int, int] | None:
    """Return what differs after a file was replaced or written, or None if it is missing."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns


def accepted_until(since: date, days: int) -> date:
    """Return the first day on which a replaced key is no longer accepted."""
    return since + timedelta(days=days)


def load_keys(path: Path) -> Keys:
    """Load the keys in a file. If the file is missing, make it with a new key. Only its owner can read it.

    Raises OSError if the file can't be read or written, and ValueError if it is no key file.
    """
    if not path.exists():
        make(path)
    return keys_in(path.read_text(encoding="ascii", errors="replace"), str(path))


def keys_in(text: str, source: str) -> Keys:
    """Parse the text of a key file or of a variable. Commas may separate the lines.

    Raises ValueError. The error names the `source` and never contains a key.
    """
    newest, *lines = (line.strip() for line in re.split(r"[\n,]", text.strip()))
    if not re.fullmatch(_KEY, newest):
        raise ValueError(f"{source} contains no takmail key")
    old = [_old(line, f"{source}, line {number}") for number, line in enumerate(lines, 2) if line]
    return Keys(bytes.fromhex(newest), tuple(old))


def _old(line: str, place: str) -> OldKey:
    found = _OLD_KEY.fullmatch(line)
    if found is None:
        raise ValueError(f"{place}: this is not an old key with its date")
    try:
        return OldKey(bytes.fromhex(found[1]), date.fromisoformat(found[2]))
    except ValueError:
        raise ValueError(f"{place}: {found[2]} is not a date") from None


def make(path: Path) -> bool:
    """Write a new key file unless the file exists. Return whether it was written. Raises OSError.

    The file is written completely or not at all.
    """
    with temporary_file(path, f"{secrets.token_hex(32)}\n") as temporary:
        try:
            os.link(temporary, path)  # never replaces a key that another process has just made
        except FileExistsError:
            return False
        fsync(path.parent)
    return True


def rotate(path: Path, now: datetime, days: int) -> None:
    """Replace the newest key, and keep it as an old key with today's date. Drop old keys after `days`.

    The file is complete at every moment, even after an interruption. Raises the errors of `load_keys`, and
    FileNotFoundError if there is no key yet.
    """
    path = path.resolve(strict=True)  # keep a symbolic link
    with locked_folder(path.parent):  # two concurrent rotations would lose a key
        keys = load_keys(path)
        today = now.astimezone(UTC).date()
        old = [
            OldKey(keys.newest, today),
            *(one for one in keys.old if today < accepted_until(one.since, days)),
        ]
        lines = [secrets.token_hex(32), *(f"{one.key.hex()} {one.since.isoformat()}" for one in old)]
        replace_privately(path, "".join(f"{line}\n" for line in lines))
