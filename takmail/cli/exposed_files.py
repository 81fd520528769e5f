"""Files with a secret in them that everybody on the machine can read, for `check-config`."""

import stat
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import make_url

from takmail.config import Settings


def problems(config_file: Path, settings: Settings) -> list[str]:
    """A sentence for each secret that others can read, with what to do. A group of the operator's may read it."""
    return [
        f"{key}: others can read it in {file}; keep it to yourself by `chmod 600 {file}`"
        for key, file in _secrets(config_file, settings)
        if _is_readable_by_all(file)
    ]


def _secrets(config_file: Path, settings: Settings) -> Iterator[tuple[str, Path]]:
    """The keys that hold a secret, each with the file in which it stands; none for what the environment holds."""
    for name, server in (("imap", settings.imap), ("smtp", settings.smtp)):
        if server is not None and server.password is not None:
            yield f"[{name}] password", config_file
        if server is not None and server.password_file is not None:
            yield f"[{name}] password_file", server.password_file
    if make_url(settings.store.url).password:
        yield "[store] url", config_file
    if settings.service.key_env is None:
        yield "[service] key_file", settings.service.key_file


def _is_readable_by_all(file: Path) -> bool:
    try:
        return bool(file.stat().st_mode & stat.S_IROTH)
    except OSError:
        return False  # it isn't there, or can't be looked at, which is told elsewhere
