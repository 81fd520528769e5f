"""Parse one line as a command that begins with a keyword."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import partial
from typing import Literal

from takmail.commands.grammar.bid_forms import read_terms, read_terms_loosely, with_example
from takmail.commands.grammar.commands import (
    WORDS,
    AddAddress,
    BlockPlayer,
    Command,
    ForgetMe,
    Help,
    Join,
    LineFault,
    Moves,
    Name,
    Receipts,
    RemoveAddress,
    Rules,
    Say,
    Settle,
    Show,
    Standings,
    UnblockPlayer,
    Unclear,
    Unseek,
    Verb,
    View,
    WithTerms,
    Word,
)
from takmail.commands.grammar.dispute_forms import disputing, read_dispute
from takmail.commands.grammar.invitation_forms import read_challenge, read_new, read_seek
from takmail.commands.grammar.normalize import clipped, turn_number
from takmail.commands.grammar.proposing import back_to, read_propose
from takmail.commands.kinds import LetterView, OfferKind
from takmail.games.registry import Games
from takmail.limits.words import MAX_NAME_CHARS, MAX_REFUSED_NAME_CHARS, MAX_REPEATED_WORD_CHARS
from takmail.mail.address import normal_address

_ON_OR_OFF = {"on": True, "off": False}
_TURN_SHOWN = re.compile(r"(?:(?:the )?(?:board )?(?:after |at )?(?:turn|move|ply) )?#?(\d+)", re.IGNORECASE)
_GIVEN_UP = re.compile(r"#?(\d+) given up(?: #?(\d+))?", re.IGNORECASE)


class _Where(Enum):
    """The lines on which a keyword is read. On a line that begins with a `/` it always is.

    `FIRST_OR_ALONE`: on the first line, and on any line that has no other words.
    """

    ANY = auto()
    FIRST = auto()
    FIRST_OR_ALONE = auto()


@dataclass(frozen=True, slots=True)
class _Rest:
    """The text after a keyword. `marked`: the line begins with a `/`."""

    text: str
    marked: bool
    first_line: bool
    games: Games


def read(line: str, first_line: bool, games: Games) -> Command | None:
    """Parse a line in command form as any command except a turn. Return None if it is none.

    A command with free text must be on the first line, or begin with a `/`. `games` are the games whose names and
    places are known.
    """
    marked = line.startswith("/")
    body = line.removeprefix("/").strip()
    word, _, text = body.partition(" ")
    word, text = word.lower(), text.strip()
    if body.lower() == "forget me":
        return ForgetMe()
    if not text and word in WORDS:
        return Word(word)
    if (disputed := disputing(body)) is not None:
        return read_dispute(disputed, anywhere=marked or first_line)
    form = _FORMS.get("propose" if word.rstrip(":,") == "propose" else word)
    if form is None:
        return None
    where, read_rest = form
    is_read = marked or first_line or where is _Where.ANY or (where is _Where.FIRST_OR_ALONE and not text)
    return read_rest(_Rest(text, marked, first_line, games)) if is_read else None


def _read_settle(verb: Verb, rest: _Rest) -> Command | None:
    """Parse `agree`, `agree draw` or `agree back 6`. "agree with you" is chat."""
    offer = rest.text.lower()
    if not offer or offer in tuple(OfferKind):
        return Settle(verb, OfferKind(offer) if offer else None)
    target = back_to(offer)
    if target is not None:
        return Settle(verb, OfferKind.BACK if target else OfferKind.RESTART, target)
    return Unclear(LineFault.SETTLE_WHAT, verb) if rest.marked else None


def _read_say(rest: str) -> Command:
    return Say(rest) if rest else Unclear(LineFault.SAY_WHAT)


def _read_match(rest: str) -> Command | None:
    """Parse the text after `match`, such as `Ben`. Text that is too long for a name is chat."""
    return Standings(rest) if len(rest) <= MAX_NAME_CHARS else None


def _read_name(rest: str, marked: bool) -> Command | None:
    """Parse the text after `name`, such as `Ada`.

    Text that is much too long for a name is chat, unless the line has a `/`.
    """
    name = rest.strip("\"'")
    if not name:
        return Unclear(LineFault.NAME_WHAT)
    return Name(name) if marked or len(name) <= MAX_REFUSED_NAME_CHARS else None


def _read_block(word: str, rest: _Rest) -> Command | None:
    """Parse the text after `block` or `unblock`.

    Text that is too long for a name is chat, unless the line has a `/`.
    """
    name = rest.text.strip("\"'")
    if len(name) > MAX_NAME_CHARS and not rest.marked:
        return None
    if word == "block":
        return BlockPlayer(clipped(name, MAX_REPEATED_WORD_CHARS))
    return UnblockPlayer(clipped(name, MAX_REPEATED_WORD_CHARS)) if name else Unclear(LineFault.UNBLOCK_WHAT)


def _read_view(rest: str, marked: bool, first_line: bool) -> Command | None:
    """Parse `view html`. "View from here" is chat, and so is "View online" after the first line."""
    if not rest or rest in tuple(LetterView):
        return View(LetterView(rest) if rest else None)
    is_meant = marked or (first_line and " " not in rest)
    return Unclear(LineFault.VIEW_WHAT, clipped(rest, MAX_REPEATED_WORD_CHARS)) if is_meant else None


def _read_receipts(rest: str, marked: bool, first_line: bool) -> Command | None:
    """Parse `receipts off`. "Receipts from the shop" is chat, and so is "Receipts please" after the first line."""
    if not rest or rest in _ON_OR_OFF:
        return Receipts(_ON_OR_OFF.get(rest))
    is_meant = marked or (first_line and " " not in rest)
    return Unclear(LineFault.RECEIPTS_WHAT, clipped(rest, MAX_REPEATED_WORD_CHARS)) if is_meant else None


def _read_join(rest: str, marked: bool) -> Command | None:
    first, _, behind = rest.partition(" ")
    number, terms = _number(first), read_terms_loosely(behind)
    if number is not None and terms is not None:
        return (
            replace(terms, detail=with_example(f"join {number}", behind))
            if isinstance(terms, Unclear)
            else Join(number, terms)
        )
    return Unclear(LineFault.JOIN_WHAT) if not rest or _is_nearly_a_number(rest, marked) else None


def _read_unseek(rest: str, marked: bool) -> Command | None:
    number = _number(rest)
    if number is not None or not rest:
        return Unseek(number)
    return Unclear(LineFault.UNSEEK_WHAT) if _is_nearly_a_number(rest, marked) else None


def _read_show(rest: str, marked: bool) -> Command | None:
    if not rest:
        return Show(None)
    if named := _TURN_SHOWN.fullmatch(rest):
        return Show(turn_number(named[1]))
    if gone := _GIVEN_UP.fullmatch(rest):
        return Show(turn_number(gone[1]), turn_number(gone[2] or "0"))
    return Unclear(LineFault.SHOW_WHAT) if _is_nearly_a_number(rest, marked) else None


def _read_moves(rest: str, marked: bool, games: Games) -> Command | None:
    """Parse `moves` or `moves b2`. "moves b2 b" is asked about, and "moves like jagger" is chat."""
    if not rest or _is_nearly_a_number(rest, marked=False) or games.is_place(rest.lower()):
        return Moves(clipped(rest.lower(), MAX_REPEATED_WORD_CHARS))
    place, _, more = rest.lower().partition(" ")
    is_meant = marked or (games.is_place(place) and (len(more) == 1 or games.is_place(more)))
    return Unclear(LineFault.MOVES_WHAT) if is_meant else None


def _number(rest: str) -> int | None:
    """Parse a number, with or without `#`."""
    number = rest.removeprefix("#")
    return int(number) if number.isdecimal() and len(number) < 7 else None


def _is_nearly_a_number(rest: str, marked: bool) -> bool:
    return marked or (" " not in rest and any(c.isdigit() for c in rest))


def _read_help(rest: str, marked: bool, games: Games) -> Command | None:
    """Parse `help`, `help moves`, `help tak moves` or `help hard cap`. "help me out here" is chat."""
    name, _, behind = rest.lower().partition(" ")
    kind, word = (name, behind) if name in games.by_name else ("", rest.lower())
    is_meant = marked or " " not in word or games.topic(word) is not None
    return Help(clipped(word, MAX_REPEATED_WORD_CHARS), kind) if is_meant else None


def _read_rules(rest: str, games: Games) -> Command | None:
    """Parse `rules tak` or, as help, the name of a variant behind `rules`. "rules are rules" is chat."""
    word = rest.lower()
    if word in games.by_name:
        return Rules(word)
    return None if games.topic(word) is None else Help(word)


def _read_address(rest: str, marked: bool) -> Command | None:
    """Parse `address add ada@example.org`. "address of the club: ..." is chat."""
    verb, _, what = rest.lower().partition(" ")
    # Mail programs repeat an address after itself, as <mailto:ada@example.org>.
    found = list(dict.fromkeys(filter(None, map(normal_address, what.replace("<", " <").split()))))
    if verb in ("add", "remove") and len(found) == 1:
        return AddAddress(found[0]) if verb == "add" else RemoveAddress(found[0])
    return (
        Unclear(LineFault.ADDRESS_WHAT) if marked or (verb in ("add", "remove") and " " not in what) else None
    )


def _read_with_terms(word: Literal[Word.ACCEPT, Word.REMATCH], rest: str) -> Command | None:
    """Parse `accept bid=2`. "accept my thanks" is chat."""
    terms = read_terms(rest)
    return None if terms is None else WithTerms(word, terms)


_FORMS: dict[str, tuple[_Where, Callable[[_Rest], Command | None]]] = {
    **{verb: (_Where.ANY, partial(_read_settle, verb)) for verb in Verb},
    "accept": (_Where.ANY, lambda rest: _read_with_terms(Word.ACCEPT, rest.text)),
    "rematch": (_Where.ANY, lambda rest: _read_with_terms(Word.REMATCH, rest.text)),
    "say": (_Where.FIRST, lambda rest: _read_say(rest.text)),
    "name": (_Where.FIRST, lambda rest: _read_name(rest.text, rest.marked)),
    "match": (_Where.FIRST_OR_ALONE, lambda rest: _read_match(rest.text)),
    "block": (_Where.FIRST_OR_ALONE, partial(_read_block, "block")),
    "unblock": (_Where.FIRST_OR_ALONE, partial(_read_block, "unblock")),
    "view": (_Where.ANY, lambda rest: _read_view(rest.text.lower(), rest.marked, rest.first_line)),
    "receipts": (_Where.ANY, lambda rest: _read_receipts(rest.text.lower(), rest.marked, rest.first_line)),
    "propose": (_Where.ANY, lambda rest: read_propose(rest.text, rest.marked)),
    "new": (_Where.ANY, lambda rest: read_new(rest.text, rest.marked, rest.games)),
    "challenge": (_Where.ANY, lambda rest: read_challenge(rest.text, rest.marked, rest.games)),
    "seek": (_Where.ANY, lambda rest: read_seek(rest.text, rest.marked, rest.games)),
    "moves": (_Where.ANY, lambda rest: _read_moves(rest.text, rest.marked, rest.games)),
    "help": (_Where.ANY, lambda rest: _read_help(rest.text, rest.marked, rest.games)),
    "rules": (_Where.ANY, lambda rest: _read_rules(rest.text, rest.games)),
    "address": (_Where.ANY, lambda rest: _read_address(rest.text, rest.marked)),
    "join": (_Where.ANY, lambda rest: _read_join(rest.text, rest.marked)),
    "unseek": (_Where.ANY, lambda rest: _read_unseek(rest.text, rest.marked)),
    "show": (_Where.ANY, lambda rest: _read_show(rest.text, rest.marked)),
}
"""The keywords, with the lines on which they are read, and the functions that parse the text after them."""
