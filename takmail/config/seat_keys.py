"""The keys that seat tokens are made with: where they are kept, and how a new one takes the place of the old one.

A key file holds the newest key on its first line and, below, each old key with the day (UTC) on which it was put
aside: 64 or more hexadecimal digits, a space, a date as 2026-11-21.
"""

import contextlib
import fcntl
import os
import re
import secrets
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

_KEY = r"(?:[0-9a-f]{2}){32,}"
_OLD_KEY = re.compile(rf"({_KEY}) +(\d{{4}}-\d\d-\d\d)")


@dataclass(frozen=True, slots=True)
class OldKey:
    """A key that is no longer used for new letters, since the day on which it was put aside."""

    key: bytes = field(repr=False)
    since: date


@dataclass(frozen=True, slots=True)
class Keys:
    """The key for new letters, and the old ones, the latest first."""

    newest: bytes = field(repr=False)
    old: tuple[OldKey, ...] = ()

    def still_accepted(self, now: datetime, days: int) -> tuple[bytes, ...]:
        """The old keys that are accepted for so many days from the one on which they were put aside."""
        today = now.astimezone(UTC).date()
        return tuple(one.key for one in self.old if today < accepted_until(one.since, days))


def accepted_until(since: date, days: int) -> date:
    """The first day on which a key that was put aside is not accepted any more."""
    return since + timedelta(days=days)


def load_keys(path: Path) -> Keys:
    """The service's keys; at the first start one is made, readable by its owner alone.

    Raises OSError where the file can't be read or made, ValueError where it holds no keys.
    """
    if not path.exists():
        make(path)
    return keys_in(path.read_text(encoding="ascii", errors="replace"), str(path))


def keys_in(text: str, source: str) -> Keys:
    """The keys in a key file's text, or in a variable of the same form, where commas may stand for line ends.

    Raises ValueError, which names the `source` and never shows a key.
    """
    newest, *lines = (line.strip() for line in re.split(r"[\n,]", text.strip()))
    if not re.fullmatch(_KEY, newest):
        raise ValueError(f"{source} holds no key of takmail's")
    old = [_old(line, f"{source}, line {number}") for number, line in enumerate(lines, 2) if line]
    return Keys(bytes.fromhex(newest), tuple(old))


def _old(line: str, place: str) -> OldKey:
    found = _OLD_KEY.fullmatch(line)
    if found is None:
        raise ValueError(f"{place}: is no old key with its date")
    try:
        return OldKey(bytes.fromhex(found[1]), date.fromisoformat(found[2]))
    except ValueError:
        raise ValueError(f"{place}: {found[2]} is no date") from None


def make(path: Path) -> bool:
    """Write a new key, whole or not at all, unless there is one; whether it was written. Raises OSError."""
    with _drafted(path, [secrets.token_hex(32)]) as draft:
        folder, mine = path.parent.stat(), draft.stat()
        # As in `rotate`: the service has to be able to read what root has made.
        if os.geteuid() == 0 and (folder.st_uid, folder.st_gid) != (mine.st_uid, mine.st_gid):
            os.chown(draft, folder.st_uid, folder.st_gid)
        try:
            os.link(draft, path)  # never over one that another process has just made
        except FileExistsError:
            return False
        _fsync(path.parent)
    return True


def rotate(path: Path, now: datetime, days: int) -> None:
    """Put a new key first and keep the one before with today's date; old ones whose time is over are dropped.

    The file is always there and whole, whenever this is cut short. Raises as `load_keys`, and FileNotFoundError
    where there is no key yet.
    """
    path = path.resolve(strict=True)  # a link stays one
    with _folder_locked(path.parent):
        keys = load_keys(path)
        today = now.astimezone(UTC).date()
        old = [
            OldKey(keys.newest, today),
            *(one for one in keys.old if today < accepted_until(one.since, days)),
        ]
        lines = [secrets.token_hex(32), *(f"{one.key.hex()} {one.since.isoformat()}" for one in old)]
        with _drafted(path, lines) as draft:
            # The operator may be root, the service is not: it has to read the file still.
            owner, mine = path.stat(), draft.stat()
            if (owner.st_uid, owner.st_gid) != (mine.st_uid, mine.st_gid):
                os.chown(draft, owner.st_uid, owner.st_gid)
            draft.replace(path)
            _fsync(path.parent)


@contextlib.contextmanager
def _drafted(path: Path, lines: list[str]) -> Iterator[Path]:
    """The lines in a file beside `path`, on the disk and readable by its owner alone; it is gone afterwards."""
    draft = path.with_name(f"{path.name}.{os.getpid()}.new")
    draft.unlink(missing_ok=True)
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write("".join(f"{line}\n" for line in lines))
            file.flush()
            os.fsync(file.fileno())
        yield draft
    finally:
        draft.unlink(missing_ok=True)


@contextlib.contextmanager
def _folder_locked(folder: Path) -> Iterator[None]:
    """Two rotations at once would lose the key of one."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _fsync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
