"""Recognise attribution lines ("On …, Ada wrote:") above a quote, in many languages.

All lines must be in the form that `separators.readable` returns.
"""

import re
from collections.abc import Sequence
from itertools import islice

from takmail.limits.mails import MAX_ATTRIBUTIONS
from takmail.mail.quotes.introduction import Introduction

MAX_ATTRIBUTION_LINES = 6  # the maximum number of lines of an attribution
MAX_ATTRIBUTION_CHARS = 500  # the maximum length of an attribution, in characters
_SHORT_LINE = 20  # characters; a shorter line may be a move
_MAX_CLOSING_CHARS = 80  # the maximum length of a line that ends an address and an attribution
_DIGITS_OF_A_DAY = 6  # a day and a time have more digits than this

_COLONS = (":", "：")
_TRAILING_CHARS = " \t\r-*_|"

# The first words of attributions. A date or a weekday follows directly or after a few words.
_FIRST_WORDS = (
    r"On|At|Am|Le|El|Il(?: giorno)?|In data|Em|Op|Den|Dne|Dňa|Dnia|W dniu|På|Pada(?: tanggal)?|Vào|Dana|Noong"
    r"|În|Στις|На|Kuupäev|V|В|في|בתאריך|เมื่อ|在|于"
)
_VERB_FORMS = (
    r"wrote|writes|dit|said|says|sent|spake|schrieb|schrieben|geschrieben|écrit|escribió|envió|scritto|scrisse"
    r"|escreveu|enviou|schreef|verzond|volgende|napisał|napisała|napisał(a)|pisze|пишет|написал|написала"
    r"|написал(а)|пише|написав|написав(ла)|написа|skrev|följande|følgende|skrifaði|kirjoitti|napsal|napsala"
    r"|napsal(a)|napísal|napísala|napísal(a)|napisao|napisala|napisao/la|írta|yazdı|έγραψε|scris|menulis|rašė"
    r"|rakstīja|kirjutas|escriure|लिखा|เขียนว่า|เขียน|viết|写道|寫道|のメッセージ|のメール|작성|כתב|כתבה|كتب|كتبت|نوشت"
)
_VERB_ENDS = tuple(_VERB_FORMS.split("|"))
_ENDS = (*_COLONS, ">", *_VERB_ENDS)
_VERBS = "|".join(re.escape(word) for word in sorted(_VERB_ENDS, key=len, reverse=True))
_VERB = re.compile(
    rf"(?<![^\W\d_])(?:{_VERBS})(?![a-z])|写道|寫道|のメッセージ|のメール|작성|님이", re.IGNORECASE
)
_ADDRESS = re.compile(r"<[^<>]{0,300}>|&lt;[^<>&]{0,300}&gt;|[^\s<>@]{1,80}@[^\s<>]{1,80}")
_TIME = re.compile(r"(?<!\d)\d{1,2}[:.h]\d{2}(?!\d)|\d{1,2} ?[hH時时시点]")
_DAY = re.compile(
    r"(?<!\d)(?:19|20|[١۱][٩۹]|[٢۲][٠۰])\d\d(?!\d)|(?<!\d)\d{1,2}[./-]\d{1,2}[./-]\d{2,4}(?!\d)|\d{4}年|\d{4}년|\d{1,2}月\d{1,2}日"
)
# Some programs omit the line break before an attribution: "ps b4 On Mon, 3 Nov 2025 at 10:00, Tak <…> wrote:".
_FIRST_WORD = re.compile(rf"(?:{_FIRST_WORDS})\s?(?:(?<=\s)|(?=\d))(?=\S{{1,12}}[\s,.]|\d)")
# A date within the first words, without a word such as "On" before it.
_DATE_FIRST = re.compile(r"\W{0,3}(?:[^\W\d]{1,14}[.,]?\s{1,3}){0,2}\W{0,3}\d")
_AUTHOR_AND_VERB = re.compile(
    rf"(?:>|\)|&gt;|@[^\s<>]{{1,80}})[\s,]{{0,3}}(?:a\s|ha\s|va\s|ezt\s|님이\s?|je\s|het\s)?(?:{_VERBS})",
    re.IGNORECASE,
)
_QUOTING = re.compile(
    r"\W{0,3}(?:quoting|zitat von|citando|citazione di|citat från|thus sp[ao]ke|in (?:message|article) ?<)",
    re.IGNORECASE,
)
_BRACKETED = re.compile(r"[<(\[][^\s<>()@]{1,80}@[^\s<>()@]{1,80}[>)\]]")
_ADDRESS_ALONE = re.compile(r"<[^\s<>@]{1,200}@[^\s<>@]{1,200}> ?[:：]")
_VIA = re.compile(r"[^:]{1,60} via [^:]{1,60}:")
_DATE_AND_ADDRESS = re.compile(
    r"\W{0,3}\d{2,4}[./-]\d{1,2}[./-]\d{1,4}\s.{0,200}<\s?[^<>@\s]{1,80}@[^<>\s]{1,80}>"
)
_DATE_AND_ZONE = re.compile(r"\W{0,3}\d{4}-\d\d-\d\d \d\d?:\d\d (?:GMT|UTC)[+-]\d\d:?\d\d \S.{0,120}")
_VERB_AFTER_ADDRESS = re.compile(rf">\s{{0,3}}(?:a\s|ha\s)?(?:{_VERBS})\s?[:：]", re.IGNORECASE)


def attributions_in(lines: Sequence[str]) -> dict[int, Introduction | None]:
    """Return the unmistakable attributions by their last lines.

    An unmistakable attribution has a date, and an author shown by a verb or an address. A line at which only
    `is_attribution_above_quote` may find an attribution has None.
    """
    ends = islice((number for number, line in enumerate(lines) if _may_end(line)), MAX_ATTRIBUTIONS)
    return {last: _unmistakable_attribution(lines, last) for last in ends}


def is_attribution_above_quote(line: str) -> bool:
    """Return whether a line with a quote below it is an attribution. It has a date, a verb or an address."""
    plain = line[: MAX_ATTRIBUTION_CHARS + 1].strip()
    if len(plain) > MAX_ATTRIBUTION_CHARS or not plain.rstrip(_TRAILING_CHARS).endswith(_COLONS):
        return False
    return bool((_DATE_FIRST.match(plain) and _DAY.search(plain)) or _VERB.search(plain) or "@" in plain)


def closes_address(lines: Sequence[str], number: int) -> bool:
    """Return whether a line begins with `>` only because a program broke `<address> wrote:` before the `>`."""
    line = lines[number]
    if not number or len(line) > _MAX_CLOSING_CHARS or not line.rstrip().endswith(_COLONS):
        return False
    above = lines[number - 1]
    if above.rfind("<") > above.rfind(">"):
        return "@" in above
    return "@" in above and bool(_VERB_AFTER_ADDRESS.fullmatch(line.strip()))


def _unmistakable_attribution(lines: Sequence[str], last: int) -> Introduction | None:
    """Return the unmistakable attribution that ends in line `last`, or None."""
    joined, found, dated = "", None, False
    for first in range(last, max(-1, last - MAX_ATTRIBUTION_LINES), -1):
        line = lines[first][: MAX_ATTRIBUTION_CHARS + 1].strip()
        if not line and joined.startswith("<"):
            continue
        if not line or (first < last and not _may_be_wrapped(line, joined)):
            break
        joined = f"{line} {joined}".strip()
        if len(joined) > MAX_ATTRIBUTION_CHARS:
            break
        if found is None and not _unmistakable(joined, alone=first == last):
            continue
        start = _FIRST_WORD.match(joined) if dated else _FIRST_WORD.search(joined)
        if start and "@" not in joined[: start.start()] and _dated_from(joined, start):
            return Introduction(first, last + 1, joined[: start.start()].rstrip(" \t-"))
        first_half = _DATE_FIRST.match(joined) or _dates_address_below(lines, first, last)
        if found is None or (first_half and _dated(joined) and not dated):
            found = first
        dated = _dated(joined)
    return Introduction(found, last + 1) if found is not None else None


def _may_end(line: str) -> bool:
    if len(line) < 3:
        return False
    plain = line[-MAX_ATTRIBUTION_CHARS:].rstrip(_TRAILING_CHARS)
    if plain.endswith(_ENDS):
        return plain[-1:] != ">" or "@" in plain
    return "GMT" in line and bool(_DATE_AND_ZONE.fullmatch(plain))


def _may_be_wrapped(line: str, below: str) -> bool:
    """Return whether a program may have wrapped an attribution after this line.

    A short line may be a move. It is accepted above an address, because an address can't be wrapped, and if it looks
    like part of an attribution.
    """
    if line.startswith(">"):
        return False
    if len(line) >= _SHORT_LINE or line.startswith("<") or below.startswith("<") or "@" in line:
        return True
    return bool(_FIRST_WORD.match(line) or _DAY.search(line) or _TIME.search(line) or _VERB.match(line))


def _unmistakable(joined: str, alone: bool) -> bool:
    """Return whether a program surely wrote this text as an attribution; `alone` is true for a single line."""
    addressed = "@" in joined
    if not addressed and " via " not in joined and not _has_digit(joined):
        return False
    outside = _outside_addresses(joined)
    bare = joined.rstrip(_TRAILING_CHARS)
    day, time = bool(_DAY.search(outside)), bool(_TIME.search(outside))
    if not bare.endswith(_COLONS):
        if bare.endswith(_VERB_ENDS):
            return (day or time) and (
                addressed or (alone and day and time and bool(_FIRST_WORD.match(joined)))
            )
        return bool(_DATE_AND_ADDRESS.fullmatch(bare) or _DATE_AND_ZONE.fullmatch(bare))
    if _ADDRESS_ALONE.fullmatch(bare):
        return True
    said_last = bare.rstrip(": ：").endswith(_VERB_ENDS)
    if said_last and (_BRACKETED.search(joined) or _VIA.match(joined)):
        return True
    if addressed and (day or _QUOTING.match(joined) or _AUTHOR_AND_VERB.search(joined)):
        return True
    if not _VERB.search(outside):
        return False
    begins = _FIRST_WORD.search(outside)
    return (
        (day and time)
        or bool(begins and (day or time or (addressed and _has_digit(outside))))
        or (day and bool(_DATE_FIRST.match(outside)))
    )


def _dated_from(joined: str, start: re.Match[str]) -> bool:
    """Return whether a date follows the first word of an attribution.

    A day of the month directly after it is enough.
    """
    return _has_digit(joined[start.end() : start.end() + 16]) or _dated(joined[start.start() :])


def _dated(text: str) -> bool:
    outside = _outside_addresses(text)
    return bool(_DAY.search(outside) or _TIME.search(outside))


def _dates_address_below(lines: Sequence[str], number: int, last: int) -> bool:
    """Return whether a line has a day and a time, in any language, above a line that begins with an address."""
    if number >= last or not lines[number + 1].lstrip().startswith("<"):
        return False
    line = lines[number]
    return _dated(line) and sum(char.isdecimal() for char in line) > _DIGITS_OF_A_DAY


def _outside_addresses(text: str) -> str:
    return _ADDRESS.sub(" ", text) if "@" in text or "<" in text or "&lt;" in text else text


def _has_digit(text: str) -> bool:
    return any(char.isdecimal() for char in text)
