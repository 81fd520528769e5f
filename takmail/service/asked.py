"""What a mail asks to be shown: its answer shows each thing once, and no more things than somebody reads."""

from dataclasses import replace

from takmail.service.case import Report, Status, done
from takmail.service.reading.commands import LOOKING, Help, Moves, Show, Standings, Why, Word
from takmail.service.reading.understand import Ordered

MOST_SHOWN = 10
"""How many boards, lists and pages one answer shows: some take a tenth of a second, and the database waits."""


class Asked:
    """What one mail has asked for so far."""

    __slots__ = ("_left", "_shown")

    def __init__(self) -> None:
        self._shown: set[object] = set()
        self._left = MOST_SHOWN

    def spared(self, ordered: Ordered) -> Report | None:
        """What the answer says where it does not show a thing; None for what is to be carried out."""
        command = ordered.command
        if not _looks(command):
            self._shown.clear()  # what is done may have changed what there is to see
            return None
        if command in self._shown:
            return done("above")
        if self._left == 0:
            return replace(done("many_shown", most=MOST_SHOWN), status=Status.SKIPPED)
        self._shown.add(command)
        self._left -= 1
        return None


def _looks(command: object) -> bool:
    if isinstance(command, Word):
        return command.word in LOOKING
    return isinstance(command, Help | Moves | Show | Standings | Why)
