"""Write files with secrets: completely or not at all, readable by their owner alone."""

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path


def replace_privately(path: Path, text: str) -> None:
    """Write a file of mode 600, whatever mode it had before. Raises OSError.

    The file is complete at every moment, even after an interruption. A symbolic link is kept.
    """
    path = path.resolve()
    with temporary_file(path, text) as temporary:
        if path.exists():
            _give_to_owner_of(path, temporary)
        temporary.replace(path)
        fsync(path.parent)


@contextlib.contextmanager
def temporary_file(path: Path, text: str) -> Iterator[Path]:
    """Write the text to a temporary file in the folder of `path`, which only its owner can read.

    The file is flushed to the disk. It is deleted at the end if it was not renamed. If root writes it, it belongs to
    the owner of the folder, as the service, which is not root, must be able to read it.
    """
    temporary = path.with_name(f"{path.name}.{os.getpid()}.new")
    temporary.unlink(missing_ok=True)
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if os.geteuid() == 0:
            _give_to_owner_of(path.parent, temporary)
        yield temporary
    finally:
        temporary.unlink(missing_ok=True)


@contextlib.contextmanager
def locked_folder(folder: Path) -> Iterator[None]:
    """Wait until no other thread or process has locked the folder, and lock it for the block."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def fsync(folder: Path) -> None:
    """Flush the names of a folder's files to the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _give_to_owner_of(model: Path, file: Path) -> None:
    owner, mine = model.stat(), file.stat()
    if (owner.st_uid, owner.st_gid) != (mine.st_uid, mine.st_gid):
        os.chown(file, owner.st_uid, owner.st_gid)
