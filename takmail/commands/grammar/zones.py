"""Define the time zones of players."""

from datetime import UTC, datetime, tzinfo
from zoneinfo import ZoneInfo


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


def is_chosen(zone: str | None) -> bool:
    """Return whether a player has chosen their time zone. Otherwise it is the offset from UTC in their last mail."""
    return zone is not None and not zone.startswith(("+", "-"))
