"""Find the time zone of a player."""

from datetime import UTC, datetime, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo

_MOST_KEPT = 256
"""The maximum number of zones that are kept, as each letter asks for one."""


@lru_cache(_MOST_KEPT)
def tzinfo_of(zone: str | None) -> tzinfo:
    """Return the time zone of a player: a name such as `Europe/Berlin`, or an offset such as `+0100` or `UTC+01:00`.

    It is UTC if none is known, or if this machine knows no zone of this name.
    """
    name = (zone or "").removeprefix("UTC")
    if not name:
        return UTC
    try:
        return datetime.strptime(name, "%z").tzinfo or UTC if name[0] in "+-" else ZoneInfo(name)
    except (LookupError, OSError, ValueError):
        return UTC
