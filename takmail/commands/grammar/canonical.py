"""Write commands in a canonical form that contains no freely chosen text.

A question shows commands in this form to somebody who may not have written them. Parsing the canonical line gives the
same command again.

Commands with free text, such as a name or chat, have no canonical form. Neither have commands with an address, except
an invitation to an ordinary address.
"""

import re
from random import Random

from takmail.commands.grammar.commands import (
    SETTLING,
    WORDS,
    AddAddress,
    BlockPlayer,
    Command,
    Dispute,
    ForgetMe,
    Help,
    Join,
    Moves,
    Name,
    New,
    Play,
    Propose,
    Receipts,
    RemoveAddress,
    Rules,
    SeekGame,
    Settle,
    Show,
    Standings,
    UnblockPlayer,
    Unseek,
    View,
    Why,
    WithTerms,
    Word,
)
from takmail.commands.grammar.invitation_forms import RELAY
from takmail.commands.kinds import First, OfferKind
from takmail.games.interface import NearMiss, Refused
from takmail.games.registry import Games
from takmail.mail.address import normal_address

_HELP_TOPICS = (
    *WORDS,
    *SETTLING,
    "new",
    "seek",
    "join",
    "unseek",
    "move",
    "moves",
    "board",
    "im",
    "why",
    "show",
)
"""The words after `help` that a question shows."""
_MOST_LOCAL = 24
"""The maximum number of characters before the @ of an ordinary address. It is too small for an advertisement."""
_LOCAL = re.compile(r"[a-z0-9]+(?:[._+-][a-z0-9]+){0,2}")
_BID = re.compile(r"bid=[0-9]{1,6}")
_LOOKS_LIKE_HOST = re.compile(
    r"www|http|\..*\.|\.(?:[a-z]{2}|com|net|org|edu|gov|int|biz|pro|xyz|top|app|dev|fun|vip|win|bid|icu|info|mobi|name"
    r"|asia|shop|site|link|live|life|club|tech|news|blog|store|click|space|world|today|cloud|email|games|casino|online"
    r"|website|example|invalid|test|onion)(?![a-z])"
)
"""Text that a mail program or a reader may take for a host name."""


def canonical(command: Command | NearMiss, games: Games) -> str | None:
    """Return a command as a canonical line, None if it has no canonical form."""
    match command:
        case Word():
            return command.value
        case New(opponent, setup, first, days, is_relay, kind=kind):
            terms = _terms(games, kind, setup, is_relay) if _is_ordinary_address(opponent) else None
            return None if terms is None else _joined("new", terms, f"vs {opponent}", *_options(first, days))
        case SeekGame(setup, first, days, is_relay, kind=kind):
            terms = _terms(games, kind, setup, is_relay)
            return None if terms is None else _joined("seek", terms, *_options(first, days))
        case Join(number, terms):
            return _joined("join", number, *terms) if _has_no_message(terms) else None
        case WithTerms(word, terms):
            return _joined(word.value, *terms) if _has_no_message(terms) else None
        case Unseek(number):
            return _joined("unseek", number)
        case View(wanted):
            return _joined("view", wanted)
        case Receipts(are_wanted):
            return _joined("receipts", None if are_wanted is None else "on" if are_wanted else "off")
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
            return _joined("moves", place) if not place or games.is_place(place) else None
        case Standings(""):
            return "match"
        case Help(word, kind):
            is_known = word in ("", *_HELP_TOPICS) or games.topic(word) is not None
            return _joined("help", kind, word) if is_known else None
        case Rules(kind):
            return f"rules {kind}"
        case Settle(verb, kind, target):
            return _joined(verb, *_settle_words(kind, target))
        case Propose(OfferKind.BACK, target):
            return _joined("propose back", target)
        case Propose(OfferKind.RESTART):
            return "propose restart"
        case _:
            return None


def account_line(command: Command | NearMiss, games: Games) -> str:
    """Return a command about an account as a line, free text included. Parsing the line gives the command again."""
    match command:
        case Name(name):
            return f"/name {name}"
        case BlockPlayer(name) if name:
            return f"/block {name}"
        case UnblockPlayer(name):
            return f"/unblock {name}"
        case AddAddress(address):
            return f"address add {address}"
        case RemoveAddress(address):
            return f"address remove {address}"
        case _:
            return canonical(command, games) or ""


def _has_no_message(terms: tuple[str, ...]) -> bool:
    """Tell whether terms are too few and too short for a message."""
    return len(terms) <= 1 and all(_BID.fullmatch(term) for term in terms)


def _is_ordinary_address(opponent: str) -> bool:
    """Tell whether an address has no room for a message before its @."""
    local = opponent.partition("@")[0]
    is_short = len(local) <= _MOST_LOCAL and _LOCAL.fullmatch(local) is not None
    return is_short and normal_address(opponent) == opponent and not _LOOKS_LIKE_HOST.search(local)


def _terms(games: Games, kind: str, setup: tuple[str, ...], is_relay: bool) -> str | None:
    """Return the terms of a game in the game's own spelling, None if they are invalid."""
    name = None if kind == games.default else kind
    try:
        return _joined(name, games.rules(kind).set_up(setup, Random()), RELAY if is_relay else None)
    except Refused:
        return None


def _options(first: First | None, days: int | None) -> tuple[str | None, ...]:
    return None if first is None else f"first={first}", None if days is None else f"days={days}"


def _settle_words(kind: OfferKind | None, target: int | None) -> tuple[str | int | None, ...]:
    """Return the words that name the offer in `agree` or `refuse`.

    A restart is written as `back 0` if it has a target.
    """
    return (kind,) if target is None else ("back", target)


def _joined(*words: str | int | None) -> str:
    return " ".join(str(one) for one in words if one not in (None, ""))
