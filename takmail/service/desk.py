"""What every mail needs from outside itself: who takmail is, its key, its wording, chance and the time."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from random import Random

from takmail.render.templates import Templates
from takmail.service.tokens import SeatKey


@dataclass(frozen=True, slots=True)
class Desk:
    """The surroundings of the service; `clock` gives UTC-aware datetimes."""

    address: str
    name: str
    key: SeatKey
    templates: Templates
    lot: Random
    clock: Callable[[], datetime]
