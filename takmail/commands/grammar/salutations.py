"""What manners put around a line: greetings and names before it, thanks and sign-offs behind it."""

import re
from collections.abc import Collection
from functools import lru_cache

_CJK = "\u2e80-\u9fff\uf900-\ufaff"
_WORD = rf"[^\W{_CJK}]"  # of languages that put spaces between their words

_SORRY = """
(?:so |very )?(?:sorry|apologies) (?:for|about) (?:the|my) (?:(?:long )?(?:delay|wait)|late (?:reply|answer|move))
|(?:so |very )?sorry (?:that )?(?:(?:it|this|i) (?:took|has taken|have taken)|it's taken) (?:me )?(?:so|this|too) long
|(?:so |very )?sorry (?:i'm|i am|to be|for being) (?:so )?late|sorry (?:to keep|for keeping) you waiting
|(?:извини(?:те)?|прости(?:те)?),? (?:за (?:задержку|ожидание|опоздание)|что так долго)
"""
"""What excuses the time that an answer took; it begins as a greeting does, and says more."""
_GREETINGS = """
hi|hi there|hello|hello there|hey|hey there|dear|howdy|greetings|good (?:morning|day|afternoon|evening)|thanks
|thank you|many thanks|thx|cheers|sorry|oops|hallo|moin|servus|guten (?:morgen|tag|abend)|lieber?|danke|bonjour|bonsoir
|salut|merci|hola|buen[oa]s (?:d[ií]as|tardes|noches)|gracias
|ciao|buongiorno|buonasera|grazie|ol[áa]|hej|hei|cze[śs][ćc]|ahoj
|привет(?:ик)?|приветствую|здравствуй(?:те)?|здорово|доброе утро|добрый (?:день|вечер)|дорог(?:ой|ая)|уважаем(?:ый|ая)
|спасибо|извини(?:те)?|прости(?:те)?
"""
_FAREWELLS = """
thanks(?: a lot| again| so much| very much)?|thank you(?: very much| so much)?|many thanks|thx|cheers|bye|bye bye
|goodbye|see you(?: soon| later| tomorrow)?|cu|good luck|have fun|good night
|have a (?:nice|good|great) (?:day|evening|weekend|one)|(?:(?:with|kind|best|warm) ){0,2}(?:regards|wishes|greetings)
|all the best|best|yours(?: sincerely| truly)?|sincerely
|take care|danke|(?:(?:viele|liebe|beste|sch[öo]ne) )?gr(?:ü|ue)(?:ß|ss)e|gru(?:ß|ss)|lg|mfg|vg|tsch(?:ü|ue)ss?
|merci|salut|gracias|saludos|grazie|saluti|ciao
|спасибо|пока|удачи|до (?:свидания|встречи|завтра)|с уважением|всего (?:доброго|хорошего)|хорошего (?:дня|вечера)
"""
_CJK_SORRY = "(?:抱歉|对不起|不好意思)[，, ]*(?:[让讓]你)?(?:久等|(?:回复|回覆|回|来)晚|拖?这么久)了?"
_CJK_GREETINGS = (
    "好的|好(?=\\W)|你好|您好|嗨|哈罗|早上好|早安|下午好|晚上好|早|亲爱的|谢谢|謝謝|多谢|抱歉|对不起|不好意思"
)
_CJK_FAREWELLS = "谢谢你|谢谢|謝謝|多谢|再见|再見|拜拜|祝好|此致|敬礼|晚安|加油"
_FACE = re.compile(r"(?<!\w)(?:[:;=]['^-]?[dop3]|x+d+)(?!\w)", re.IGNORECASE)
"""A face of letters, such as `:D`; others are nothing but punctuation."""
MARKS = (",", ".", ":", ";", "!", "-")
"""What parts a greeting from what follows."""
_QUESTION = "?\u061f\u203d\u2753\u2754"


def _one_of(phrases: str) -> str:
    return phrases.replace("\n", "")


_BEFORE = re.compile(
    rf"\W*(?:(?:{_one_of(_SORRY)})(?!{_WORD})"
    rf"|(?:{_one_of(_GREETINGS)})(?!{_WORD}| (?:from|for|to|about|aus|de|из|за)\b)"
    rf"|(?:{_one_of(_FAREWELLS)}) ?[.,:;!-]|{_CJK_SORRY}|{_CJK_GREETINGS})",
    re.IGNORECASE,
)
_BEHIND = re.compile(
    rf"(?:(?<!{_WORD})(?:{_one_of(_SORRY)}|{_one_of(_FAREWELLS)})|{_CJK_SORRY}|{_CJK_FAREWELLS})\W*$",
    re.IGNORECASE,
)


def is_question(line: str) -> bool:
    """Whether a question mark of any alphabet stands on a line."""
    return any(mark in line for mark in _QUESTION)


def without_manners(line: str, names: Collection[str]) -> str:
    """A line in plain form without greetings before it, sign-offs behind it, and the players' names anywhere."""
    text = _FACE.sub(" ", _names(tuple(names)).sub(" ", line))
    while found := _BEFORE.match(text):
        text = text[found.end() :]
    while found := _BEHIND.search(text):
        text = text[: found.start()]
    return text.strip()


def behind_greeting(line: str, names: Collection[str]) -> str | None:
    """What stands on a line in plain form behind greetings and names; None: it begins with none, or that is all."""
    name, rest = _names(tuple(names)), line
    while found := _BEFORE.match(rest) or name.match(rest):
        rest = rest[found.end() :].lstrip("".join((" ", *MARKS)))
    return rest if rest and rest != line else None


@lru_cache(maxsize=256)
def _names(names: tuple[str, ...]) -> re.Pattern[str]:
    """A pattern of any word of the names; one with a number in it may be a place of a board as well."""
    words = {word for name in names for word in re.findall(r"\w+", name) if word.isalpha()}
    found = "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
    return re.compile(rf"(?<!{_WORD})(?:{found or '(?!)'})(?!{_WORD})", re.IGNORECASE)
