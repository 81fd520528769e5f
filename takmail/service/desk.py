"""What every mail needs from outside itself: who takmail is, its key, its wording, its limits, chance and the time."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from random import Random

from takmail.mail.limits import USUAL, Limits
from takmail.render.gallery import Gallery
from takmail.render.templates import Templates
from takmail.service.soundness.replays import Replays
from takmail.service.trust.tokens import SeatKey
from takmail.store.tables import LetterView


@dataclass(frozen=True, slots=True)
class Pace:
    """How many letters go to one address; each kind is counted by itself, so that none uses up what is another's.

    Answers within an hour: to mails that are surely a player's; to those that may be forged in the name of somebody who
    plays; to all others. Letters within a day, of each kind that may be too many: to who has ever written, and to who
    has not. Letters within an hour that bring words and nothing else.
    """

    answers_per_hour: int
    unproven_answers_per_hour: int
    stranger_answers_per_hour: int
    letters_per_day: int = 200
    stranger_letters_per_day: int = 10
    chat_letters_per_hour: int = 30


@dataclass(frozen=True, slots=True)
class Desk:
    """The surroundings of the service; `clock` gives UTC-aware datetimes.

    `authserv_id` names the mail server whose Authentication-Results are believed, None: no server's.
    `operator` is the address of whoever runs takmail, where they want letters; `letter_view` is what those get who
    have not said how they want to see letters.
    """

    address: str
    name: str
    key: SeatKey
    templates: Templates
    lot: Random
    clock: Callable[[], datetime]
    pace: Pace
    limits: Limits = USUAL
    authserv_id: str | None = None
    operator: str | None = None
    letter_view: LetterView = LetterView.BOTH
    gallery: Gallery = field(default_factory=Gallery)
    replays: Replays = field(default_factory=Replays)
