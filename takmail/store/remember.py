"""What a session has read and may be asked again: one session is the work on one mail, which has its game locked.

So what was found holds until that mail writes some of it itself.
"""

from collections.abc import Callable, Hashable
from typing import TypeVar, cast

from sqlmodel import Session

_Found = TypeVar("_Found")
_FOUND = "takmail.found"


def remembered(session: Session, key: Hashable, read: Callable[[], _Found]) -> _Found:
    """What was read under this key, or else is read now."""
    found: dict[Hashable, object] = session.info.setdefault(_FOUND, {})
    if key not in found:
        found[key] = read()
    return cast(_Found, found[key])


def forget(session: Session) -> None:
    """Read anew when it is asked for: some of it was written just now, or another process may have written some."""
    session.info.pop(_FOUND, None)
