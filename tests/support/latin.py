"""Find English in letters that are written in another script.

What a player types stays as it is: commands, turns, names, addresses. Anything else in Latin letters is English.
"""

import re
from collections.abc import Iterator
from html import unescape

from takmail.commands.command_list import COMMANDS

NAMES = """Ada Ben Oli Other Countess takmail Tak by Mail Femr Bot patient playful easy dreamy gentle careful alert
steady keen fair able skilled shrewd strong masterly best"""
"""The players of the tests, the service, and who has made rules."""
SAME_EVERYWHERE = "Tak TZAAR PTN Ninja UTC JSON HTML tak English"
"""Games, notations and programs, units, and the name of a language in itself."""
GLOSSED = "tinue hard cap"
"""Terms of English-speaking players, which are explained once."""
UNQUOTED = "relay strict fixed random tournament"
"""What names a set-up, and is typed. Help has it without quotation marks, as it has settings such as komi=2."""
TITLES = "University Rules Femr's Folly"
"""What names a set-up only in a Subject, which keeps the thread of a game together and is the same for both players."""
ARGUMENTS = """abc able add agree alert and auto back best board bot both bid careful chess coins days downings
dreamy en end fair femr fixed gentle given html insist it keen lets log manual me middletown move moves mx must no
nobody off on out pace pass patient play playful put quit random relay reads remove resign restart ru score shrewd
skilled steady strict strong masterly take tarway text them time tinue to tournament tz university until up void vs
wait white yes zh hant"""
"""What may be typed behind a command, or in answer to a question."""
RECORD = "Agreed Date Ended Game on Player1 Player2 Result resigned Setup Size Start"
"""The tags of game records, which other programs read."""

_WITH_SIGNS = re.compile(
    r"[!-~]*(?:@|://)[!-~]*|[a-z]+ ?=[\w.,]*|takmail-[\w-]+\.\w+|\w{3}-\w{3}|(?:\w+/){8}\w+ \w(?: place)?"
    r"|[A-Z]\w+/[A-Z]\w+",
    re.ASCII,
)
"""Addresses, settings, files, the checksum of a position, positions of TZAAR, and time zones."""
_TYPED = re.compile(
    r"[“«「]([^”»」]*)[”»」]|^(  .*|[ -~]+)$|[：:] ?([ -~]+)$|^([\[{].*[\]}])$|(  \S.*)$", re.MULTILINE
)
"""What may be typed: what stands in quotation marks, and lines that are indented, or have no other letters."""
_TOKEN = re.compile(r"[A-Za-z0-9][A-Za-z0-9'’]*")
_IS_WORD = re.compile(r"[A-Za-z]{2}")
_NOTATION = re.compile(r"[sSwWcC]+|[zrtZRT]+\d*|p[swcrzt]|m[nsew]|\d*[SC]?[a-h]\d|[a-i]\dx[a-i]\d")
"""Stacks, kinds of moves, turns of records."""


def _words(*texts: str) -> frozenset[str]:
    return frozenset(word.lower() for text in texts for word in _TOKEN.findall(text))


_IN_PROSE = _words(NAMES, SAME_EVERYWHERE, GLOSSED, UNQUOTED)
_TO_TYPE = _words(*COMMANDS.words, ARGUMENTS, RECORD) | _IN_PROSE


_OFFERED_ENGLISH = 'In English: answer with the one word "English".'
"""The line that offers letters in English, in a letter in another language."""


def english_in(text: str, typed: str = "") -> list[str]:
    """Return the English words in the text of a letter, after somebody has typed these words.

    A word that can be typed is English, too, unless it stands where something to type stands.
    """
    spans: list[str] = []

    def kept(found: re.Match[str]) -> str:
        spans.append(found[found.lastindex or 0])
        return " "

    prose = _TYPED.sub(kept, _WITH_SIGNS.sub(" ", text.replace(_OFFERED_ENGLISH, " ")))
    known = _words(typed)
    return [*_unknown(" ".join(spans), _TO_TYPE | known), *_unknown(prose, _IN_PROSE | known)]


def english_in_page(html: str, text: str, typed: str = "") -> list[str]:
    """Return the English words in the HTML part of a letter that its text part does not have."""
    body = html.partition("</head>")[2]
    shown = re.sub(r"<[^>]*?(?:\balt=\"([^\"]*)\"[^>]*)?>", lambda tag: f" {tag[1] or ''} ", body)
    known = _TO_TYPE | _words(typed, text)
    return list(_unknown(_WITH_SIGNS.sub(" ", unescape(shown)), known))


def english_in_subject(subject: str) -> list[str]:
    """Return the English words in a Subject that are no title of a game."""
    return list(_unknown(subject, _IN_PROSE | _words(TITLES)))


def _unknown(text: str, known: frozenset[str]) -> Iterator[str]:
    for token in _TOKEN.findall(text):
        is_word = _IS_WORD.search(token) and not _NOTATION.fullmatch(token)
        if is_word and token.lower() not in known:
            yield token
