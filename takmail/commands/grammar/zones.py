"""Define the time zones of players."""

from datetime import UTC, datetime, tzinfo
from zoneinfo import ZoneInfo


def tzinfo_of(zone: str | None) -> tzinfo:
    """Return the time zone of a player: a name such as `Europe/Berlin`, or an offset from UTC such as `+0100`.

    It is UTC if none is known, or if this machine knows no zone of this name.
    """
    if not zone:
        return UTC
    try:
        return datetime.strptime(zone, "%z").tzinfo or UTC if zone[0] in "+-" else ZoneInfo(zone)
    except (LookupError, OSError, ValueError):
        return UTC
