"""The one form in which a command is shown to somebody who may not have written it: nothing in it is free to choose.

Read again, that line is the same command. What has free text in it, such as a name or words, has no such form; nor has
any address but that of somebody who is invited.
"""

from random import Random

from takmail.games.game import NearMiss, Refused
from takmail.games.registry import DEFAULT, GAMES
from takmail.service.reading.commands import (
    SETTLING,
    WORDS,
    BlockPlayer,
    Command,
    Dispute,
    ForgetMe,
    Help,
    Join,
    Moves,
    New,
    Play,
    Propose,
    SeekGame,
    Settle,
    Show,
    Standings,
    Unseek,
    View,
    Why,
    Word,
)
from takmail.service.reading.invitation import RELAY
from takmail.store.tables import OfferKind

_HELPED = (*WORDS, *SETTLING, "new", "seek", "join", "unseek", "move", "moves", "board", "im", "why", "show")
_LONGEST_PLACE = 3


def canonical(command: Command | NearMiss) -> str | None:
    """The command as a line in which nothing is free to choose; None: it has no such form."""
    match command:
        case Word(word):
            return word
        case New(opponent, setup, first, days, is_relay):
            terms = _terms(setup, is_relay) if "@" in opponent else None
            return None if terms is None else _joined(f"new {terms} vs {opponent}", *_options(first, days))
        case SeekGame(setup, first, days, is_relay):
            terms = _terms(setup, is_relay)
            return None if terms is None else _joined(f"seek {terms}", *_options(first, days))
        case Join(number):
            return f"join {number}"
        case Unseek(number):
            return _joined("unseek", number)
        case View(wanted):
            return _joined("view", wanted)
        case BlockPlayer(""):
            return "block"
        case ForgetMe():
            return "forget me"
        case Play(text, number):
            return _joined(text, None if number is None else f"#{number}")
        case Dispute("", turn):
            return _joined("im", None if turn is None else f"#{turn}")
        case Why(turn, ""):
            return _joined("why", turn)
        case Show(turn, given_up):
            return _joined("show", turn, None if given_up is None else "given up", given_up or None)
        case Moves(place):
            return _joined("moves", place) if len(place) <= _LONGEST_PLACE else None
        case Standings(""):
            return "match"
        case Help(word):
            return _joined("help", word) if word in ("", *_HELPED) else None
        case Settle(verb, kind, target):
            return _joined(verb, *_settled(kind, target))
        case Propose(OfferKind.BACK, target):
            return _joined("propose back", target)
        case Propose(OfferKind.RESTART):
            return "propose restart"
        case _:
            return None


def _terms(setup: tuple[str, ...], is_relay: bool) -> str | None:
    """What is to be played, as the game itself writes it; None: there is no such game."""
    try:
        return _joined(GAMES[DEFAULT].set_up(setup, Random()), RELAY if is_relay else None)
    except Refused:
        return None


def _options(first: str | None, days: int | None) -> tuple[str | None, ...]:
    return None if first is None else f"first={first}", None if days is None else f"days={days}"


def _settled(kind: OfferKind | None, target: int | None) -> tuple[str | int | None, ...]:
    """What is agreed to or refused; to begin anew is also said as `back 0`."""
    return (kind,) if target is None else ("back", target)


def _joined(*words: str | int | None) -> str:
    return " ".join(str(one) for one in words if one not in (None, ""))
