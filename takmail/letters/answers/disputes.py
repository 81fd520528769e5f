"""Answer `im` and `why`."""

from collections.abc import Mapping

from takmail.blocks import Blocks, message, paragraph
from takmail.letters.reader import Builder, Reader


def _disputed(reader: Reader, turn: int, *, notifies_opponent: bool) -> Blocks:
    """Answer a dispute that the sender has opened before."""
    line = "show" if reader.game.is_relay else f"why {turn}"
    return paragraph(message("already_disputed", line=line, is_told=notifies_opponent))


BUILDERS: Mapping[str, Builder] = {"disputed": _disputed}
"""The builders of answers about disputes."""
