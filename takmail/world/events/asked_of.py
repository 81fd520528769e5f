"""Answer what is asked of the events of a mail so far: what it has done, agreed to, asked, ended and written."""

from collections.abc import Collection, Iterable, Iterator
from datetime import datetime

from takmail.games.interface import Seat
from takmail.world.events.base import Event, SeatEvent
from takmail.world.events.beginnings import GameBegun, InvitationWritten
from takmail.world.events.offers import OfferAgreed
from takmail.world.events.players import SettingChanged
from takmail.world.events.questions import AddressAsked, QuestionAsked
from takmail.world.events.turns import GameEnded
from takmail.world.kinds import GameNumber
from takmail.world.pending import Pending
from takmail.world.waiting import ABOUT_BOARD, PendingKind


def has_done(happened: Iterable[Event], what: type[SeatEvent], game: GameNumber, seat: Seat) -> bool:
    """Tell whether the player in a seat did something in a game."""
    return any(isinstance(event, what) and (event.game, event.seat) == (game, seat) for event in happened)


def has_accepted(happened: Iterable[Event], game: GameNumber) -> bool:
    """Tell whether the invitation to a game was accepted."""
    return any(isinstance(event, GameBegun) and event.game == game for event in happened)


def has_agreed_on_board(happened: Iterable[Event]) -> bool:
    """Tell whether an offer was accepted that is about the board."""
    return any(isinstance(event, OfferAgreed) and event.offer.kind in ABOUT_BOARD for event in happened)


def questions_asked(happened: Iterable[Event], kinds: Collection[PendingKind]) -> Iterator[Pending]:
    """Yield the questions of these kinds that were asked, or of all kinds if none is given, also those closed since."""
    asked = (event.question for event in happened if isinstance(event, QuestionAsked))
    return (question for question in asked if not kinds or question.kind in kinds)


def ended_games(happened: Iterable[Event]) -> frozenset[GameNumber]:
    """Return the games that have ended."""
    return frozenset(event.game for event in happened if isinstance(event, GameEnded))


def settings_changed(happened: Iterable[Event]) -> frozenset[str]:
    """Return the keywords of the settings that have changed."""
    return frozenset(event.keyword for event in happened if isinstance(event, SettingChanged))


def typed_letters(happened: Iterable[Event]) -> Iterator[datetime | None]:
    """Yield of each letter to an address that a player typed until when it waits, None if it may leave now."""
    return (event.waits_until for event in happened if isinstance(event, InvitationWritten | AddressAsked))
