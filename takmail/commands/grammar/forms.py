"""Parse one line as a command that begins with a keyword."""

import re
from collections.abc import Callable

from takmail.commands.grammar.commands import (
    SETTLING,
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

_GIVEN_UP = re.compile(r"#?(\d+) given up(?: #?(\d+))?", re.IGNORECASE)


def read(line: str, first_line: bool, games: Games) -> Command | None:
    """Parse a line in command form as any command except a turn. Return None if it is none.

    A command with free text must be on the first line, or begin with a `/`. `games` are the games whose names and
    places are known.
    """
    marked = line.startswith("/")
    body = line.removeprefix("/").strip()
    word, _, rest = body.partition(" ")
    word, rest = word.lower(), rest.strip()
    if body.lower() == "forget me":
        return ForgetMe()
    if not rest and word in WORDS:
        return Word(word)
    if word in SETTLING:
        return _read_settle(Verb(word), rest.lower(), marked)
    if (disputed := disputing(body)) is not None:
        return read_dispute(disputed, anywhere=marked or first_line)
    if word == "say":
        return _read_say(rest) if marked or first_line else None
    if word == "match":
        return _read_match(rest) if marked or first_line or not rest else None
    if word == "name":
        return _read_name(rest, marked) if marked or first_line else None
    if word in ("block", "unblock"):
        return _read_block(word, rest, marked) if marked or first_line or not rest else None
    if word == "view":
        return _read_view(rest.lower(), marked, first_line)
    if word.rstrip(":,") == "propose":
        return read_propose(rest, marked)
    if reader := _OF_GAMES.get(word):
        return reader(rest, marked, games)
    reader_of_words = _WITH_WORDS.get(word)
    return reader_of_words(rest, marked) if reader_of_words else None


def _read_settle(verb: Verb, rest: str, marked: bool) -> Command | None:
    """Parse `agree`, `agree draw` or `agree back 6`. "agree with you" is chat."""
    if not rest or rest in tuple(OfferKind):
        return Settle(verb, OfferKind(rest) if rest else None)
    target = back_to(rest)
    if target is not None:
        return Settle(verb, OfferKind.BACK if target else OfferKind.RESTART, target)
    return Unclear(LineFault.SETTLE_WHAT, verb) if marked else None


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


def _read_block(word: str, rest: str, marked: bool) -> Command | None:
    """Parse the text after `block` or `unblock`.

    Text that is too long for a name is chat, unless the line has a `/`.
    """
    name = rest.strip("\"'")
    if len(name) > MAX_NAME_CHARS and not marked:
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


def _read_join(rest: str, marked: bool) -> Command | None:
    number = _number(rest)
    if number is not None:
        return Join(number)
    return Unclear(LineFault.JOIN_WHAT) if not rest or _is_nearly_a_number(rest, marked) else None


def _read_unseek(rest: str, marked: bool) -> Command | None:
    number = _number(rest)
    if number is not None or not rest:
        return Unseek(number)
    return Unclear(LineFault.UNSEEK_WHAT) if _is_nearly_a_number(rest, marked) else None


def _read_show(rest: str, marked: bool) -> Command | None:
    if not rest:
        return Show(None)
    number = rest.removeprefix("#")
    if number.isdecimal():
        return Show(turn_number(number))
    if gone := _GIVEN_UP.fullmatch(rest):
        return Show(turn_number(gone[1]), turn_number(gone[2] or "0"))
    return Unclear(LineFault.SHOW_WHAT) if _is_nearly_a_number(rest, marked) else None


def _read_moves(rest: str, marked: bool, games: Games) -> Command | None:
    """Parse `moves` or `moves b2`. "moves like jagger" is chat."""
    if not rest or _is_nearly_a_number(rest, marked=False) or games.is_place(rest.lower()):
        return Moves(clipped(rest.lower(), MAX_REPEATED_WORD_CHARS))
    return Unclear(LineFault.MOVES_WHAT) if marked else None


def _number(rest: str) -> int | None:
    """Parse a number, with or without `#`."""
    number = rest.removeprefix("#")
    return int(number) if number.isdecimal() and len(number) < 7 else None


def _is_nearly_a_number(rest: str, marked: bool) -> bool:
    return marked or (" " not in rest and any(c.isdigit() for c in rest))


def _read_help(rest: str, marked: bool, games: Games) -> Command | None:
    """Parse `help`, `help moves` or `help tak moves`. "help me out here" is chat."""
    name, _, behind = rest.lower().partition(" ")
    kind, word = (name, behind) if name in games.by_name else ("", rest.lower())
    return Help(clipped(word, MAX_REPEATED_WORD_CHARS), kind) if " " not in word or marked else None


def _read_rules(rest: str, marked: bool, games: Games) -> Command | None:  # noqa: ARG001 - signature of `_OF_GAMES`
    """Parse `rules tak`. "rules are rules" is chat."""
    return Rules(rest.lower()) if rest.lower() in games.by_name else None


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


_WITH_WORDS: dict[str, Callable[[str, bool], Command | None]] = {
    "address": _read_address,
    "join": _read_join,
    "unseek": _read_unseek,
    "show": _read_show,
}
_OF_GAMES: dict[str, Callable[[str, bool, Games], Command | None]] = {
    "new": read_new,
    "challenge": read_challenge,
    "seek": read_seek,
    "moves": _read_moves,
    "help": _read_help,
    "rules": _read_rules,
}
