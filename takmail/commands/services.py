"""Services for every cause: the name of takmail, its key, wording, limits and games; no clock."""

from dataclasses import dataclass, field

from takmail.commands.kinds import LetterView
from takmail.games.registry import Games
from takmail.mail.limits import USUAL, Limits
from takmail.mail.tokens import SeatKey
from takmail.render.gallery import Gallery
from takmail.render.templates import Templates


@dataclass(frozen=True, slots=True)
class RateLimits:
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
class Services:
    """The surroundings of a takmail; nothing in them changes but what `gallery` has drawn already.

    `authserv_id` names the mail server whose Authentication-Results are believed, None: no server's. `operator` is the
    address of whoever runs takmail, where they want letters; `letter_view` is what those get who have not said how they
    want to see letters. `games` are those that can be played.
    """

    address: str
    name: str
    key: SeatKey
    templates: Templates
    rates: RateLimits
    limits: Limits = USUAL
    authserv_id: str | None = None
    operator: str | None = None
    letter_view: LetterView = LetterView.BOTH
    games: Games = field(kw_only=True)
    gallery: Gallery = field(default_factory=Gallery)
