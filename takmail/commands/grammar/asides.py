"""Find what may be a turn among the small words, commas and other parts of a sentence that stand around it."""

import re
from collections.abc import Iterator

from takmail.commands.grammar.line_reader import LineReader
from takmail.commands.grammar.normalize import bare
from takmail.games.kit.naming import WAYS, may_name_place, named_in, without_excluded
from takmail.vocabulary import IDEOGRAPHS, Token, meanings_in, table, tokens_of, words_of

NOTHING = "nothing"
"""What the words of the table `recanting` stand for that take nothing back."""
_MOVING = "moving"
_LEADING = ("leading", _MOVING)
"""What those words of the table `asides` stand for that only lead to a turn. Some say that it is one."""
_OR = "or"
_JOINS_NOTHING = ("after", _OR)
"""What those words of the table `joining` stand for that begin no other part of a sentence."""
_RUN_BEFORE_PLACE = re.compile(rf"[{IDEOGRAPHS}]{{3,20}}(?= ?[a-i][1-9])", re.IGNORECASE)
_LONGEST_WORD = 3
_NO_DEED = WAYS | {"call", "upon"}
_MAX_NUMBER_CHARS = 3
_MARK = re.compile(r" ?[.,;:!)…。！，、-]")


def without_asides(text: str) -> tuple[str, str]:
    """Return a line in plain form without the asides at its ends, and those of them that somebody may want to read.

    Polite words and the number of a turn at its beginning count as asides: "8. ps b3", "My move: ps b3".
    """
    tokens = tokens_of(text)
    start, is_said = _asides(text, tokens)
    if start == len(tokens):
        return text, ""
    words = tuple(token.word for token in tokens[start:])
    end, tail = len(words), []
    for match in reversed(table("asides", "polite", "farewells").matches(words)):
        if match.end != end or match.start == 0:
            break
        end = match.start
        tail.append(match.meaning)
    start_of_tail = tokens[start + end].start if tail else len(text)
    first, behind = text[: tokens[start].start], text[start_of_tail:]
    telling = (first if is_said else "", behind if any(map(_is_said, tail)) else "")
    return bare(text[tokens[start].start : start_of_tail]), " ".join(filter(None, map(str.strip, telling)))


def _asides(text: str, tokens: tuple[Token, ...]) -> tuple[int, bool]:
    """Return the number of tokens that are asides at the beginning, and whether they say anything."""
    words = tuple(token.word for token in tokens)
    matches = {match.start: match for match in table("asides", "polite", "praise").matches(words)}
    place, is_said = 0, False
    while place < len(tokens):
        token, match = tokens[place], matches.get(place)
        if match is not None:
            if _is_praise(words[match.start : match.end]) and not _has_mark(text, tokens[match.end - 1]):
                break
            place, is_said = match.end, is_said or _is_said(match.meaning)
        elif _is_number(token, text):
            place += 1
        else:
            break
    return place, is_said


def _is_said(meaning: str) -> bool:
    return meaning not in _LEADING and table("polite").meaning(meaning) is None


def _is_number(token: Token, text: str) -> bool:
    """Tell whether a word is the number of a turn or of an item of a list, with a mark behind it."""
    return token.word.isdecimal() and len(token.word) <= _MAX_NUMBER_CHARS and _has_mark(text, token)


def _is_praise(words: tuple[str, ...]) -> bool:
    return table("praise").meaning(words) is not None


def _has_mark(text: str, token: Token) -> bool:
    return _MARK.match(text, token.end) is not None


def parts_of(clause: str) -> Iterator[str]:
    """Yield the parts of a clause between words such as "and"."""
    tokens, start = tokens_of(clause), 0
    for match in table("joining").matches(tuple(token.word for token in tokens)):
        if match.meaning not in _JOINS_NOTHING:
            yield clause[start : tokens[match.start].start].strip()
            start = tokens[match.end - 1].end
    yield clause[start:].strip()


def alternatives_in(text: str) -> list[str]:
    """Return the parts of a text between words such as "or", none if it has no such word."""
    tokens, start, parts = tokens_of(text), 0, []
    for match in table("joining").matches(tuple(token.word for token in tokens)):
        if match.meaning == _OR:
            parts.append(text[start : tokens[match.start].start].strip())
            start = tokens[match.end - 1].end
    return [*parts, text[start:].strip()] if parts else []


def corrected_in(text: str) -> list[str]:
    """Return what stands behind and before words that take something back, as in "c4, no wait, d4".

    The list is empty if they do not stand between two places, exclude one, as in "c4, not d4", or leave a choice.
    """
    if without_excluded(text) != text or alternatives_in(text):
        return []
    tokens = tokens_of(text)
    for match in table("recanting").matches(tuple(token.word for token in tokens)):
        before, behind = text[: tokens[match.start].start], text[tokens[match.end - 1].end :]
        if match.meaning != NOTHING and may_name_place(before) and may_name_place(behind):
            return [behind.strip(" ,.;:!"), before.strip(" ,.;:!")]
    return []


def known_ends(text: str) -> Iterator[str]:
    """Yield a text without the first characters of the Chinese ones before its place, so that the rest is known words.

    No spaces separate words there: what stands before a turn may be anything but what is about the other player, or
    excludes a turn.
    """
    run = _RUN_BEFORE_PLACE.search(text)
    others = (*meanings_in("opponent"), *meanings_in("excluding"))
    if run is None or any(word in run[0] for word in others):
        return
    for start in range(run.start() + 1, run.end()):
        end = text[start : run.end()]
        if len(end) <= _LONGEST_WORD or words_of(end) != (end,):
            yield text[start:]


def begun_turn(text: str, reader: LineReader) -> str:
    """Return the beginning of a text up to its last place, '' if it has no word that makes it a turn.

    Such words are those for pieces, for what is done with them, and "I play".
    """
    tokens = tokens_of(text)
    words = tuple(token.word for token in tokens)
    last = max((at for at, word in enumerate(words) if reader.games.is_place(word)), default=-1)
    behind = words[last + 1 : last + 2]
    if last == -1 or (behind and table("predicates", "turning").meaning(behind) is not None):
        return ""
    head = text[: tokens[last].end]
    spoken = (thing for names in reader.words for thing in named_in(head, names).things)
    says_deed = any(not thing <= _NO_DEED for thing in spoken)
    return head if says_deed or table("asides").places(words[:last], _MOVING) else ""
