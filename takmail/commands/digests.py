"""Choose when the turns of all games come together, in a digest."""

import re
from dataclasses import dataclass
from datetime import time
from typing import Self

from takmail.commands.answers import Answer, Told, told
from takmail.commands.command import PlainArguments, Rest
from takmail.commands.context import Context
from takmail.commands.profile import chooser
from takmail.vocabulary import meanings_in
from takmail.world import Digest, events, tzinfo_of

KEYWORD = "digest"
OFF = "off"
_USUAL_TIME = time(8)
_HOURS_OF_HALF_DAY = 12
_DAYS = {"daily": True, "weekdays": False, "": True}
"""Words for the days of a digest, and whether Saturdays and Sundays are among them."""
_CHOICE = re.compile(
    rf"(?P<days>{'|'.join(_DAYS)}) ?(?:at )?"
    r"(?P<time>(?P<hour>\d\d?)(?:[:.h](?P<minute>\d\d))? ?(?:(?P<half>[ap])\.?m\.?|h|o'clock)?)?"
)


@dataclass(frozen=True, slots=True)
class DigestChoice(PlainArguments):
    """When the sender wants a digest, as `Digest.written` has it, or `OFF`."""

    choice: str

    @classmethod
    def read(cls, rest: Rest) -> Self | None:
        """Parse `daily 8:00`, `каждый день в 8`, `每天8点`, `8pm`, `quiet` or `off`. "Digest of the week" is chat."""
        text = _in_plain_words(rest.text.lower())
        if text in (OFF, Digest().written):
            return cls(text)
        parts = _CHOICE.fullmatch(text)
        if parts is None or not text:
            return None
        at = _USUAL_TIME if parts["time"] is None else _time(parts)
        return None if at is None else cls(Digest(at, _DAYS[parts["days"]]).written)


def _in_plain_words(text: str) -> str:
    """Return a choice with the words of all languages replaced with those of the pattern."""
    for words, meaning in sorted(meanings_in("digests").items(), key=lambda pair: -len(pair[0])):
        text = re.sub(rf"(?<![a-zа-яё]){re.escape(words)}(?![a-zа-яё])", meaning.replace(":", ""), text)
    return " ".join(text.split())


def _time(parts: re.Match[str]) -> time | None:
    """Return the time of day that a line names, None if there is no such time."""
    hour, minute = int(parts["hour"]), int(parts["minute"] or 0)
    if parts["half"]:
        if not 1 <= hour <= _HOURS_OF_HALF_DAY:
            return None
        hour = hour % _HOURS_OF_HALF_DAY + (_HOURS_OF_HALF_DAY if parts["half"] == "p" else 0)
    return time(hour, minute) if hour < 24 and minute < 60 else None


def choose(context: Context, command: DigestChoice) -> Answer:
    """Choose when the sender gets a digest. What is gathered already comes at once."""
    player, joined = chooser(context)
    value, before = None if command.choice == OFF else command.choice, player.preferences.digest
    undone_by = "" if joined or value == before else f"{KEYWORD} {before or OFF}"
    return (
        *joined,
        events.SettingChosen(player=player.id, keyword=KEYWORD, value=value, undone_by=undone_by),
    )


def tell(context: Context) -> Told:
    """Tell when the sender gets a digest."""
    player = context.player
    zone = None if player is None else player.preferences.zone
    return told(
        "digest_told", choice=player.preferences.digest if player else None, zone=str(tzinfo_of(zone))
    )
