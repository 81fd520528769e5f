"""The numbers of turns, as they are written."""

_MOST = 999_999_999


def turn_number(digits: str) -> int:
    """The number that digits stand for; what is larger than any turn's could be is cut short."""
    return int(digits.lstrip("0")[: len(str(_MOST))] or "0")
