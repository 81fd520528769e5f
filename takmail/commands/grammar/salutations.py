"""Recognise polite phrases around a line: greetings and names before it, thanks and sign-offs after it."""

import re
from collections.abc import Collection
from functools import lru_cache

_CJK = "\u2e80-\u9fff\uf900-\ufaff"
_WORD = rf"[^\W{_CJK}]"  # of languages that separate words by spaces

_SORRY = """
(?:so |very )?(?:sorry|apologies) (?:for|about) (?:the|my) (?:(?:long )?(?:delay|wait)|late (?:reply|answer|move))
|(?:so |very )?sorry (?:that )?(?:(?:it|this|i) (?:took|has taken|have taken)|it's taken) (?:me )?(?:so|this|too) long
|(?:so |very )?sorry (?:i'm|i am|to be|for being) (?:so )?late|sorry (?:to keep|for keeping) you waiting
|(?:извини(?:те)?|прости(?:те)?),? (?:за (?:задержку|ожидание|опоздание)|что так долго)
"""
"""Apologies for a late answer. Like a greeting, they may be followed by something else."""
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
_EMOTICON = re.compile(r"(?<!\w)(?:[:;=]['^-]?[dop3]|x+d+)(?!\w)", re.IGNORECASE)
"""Emoticons with letters, such as `:D`. Other emoticons consist only of punctuation."""
MARKS = (",", ".", ":", ";", "!", "-")
"""Punctuation that may separate a greeting from the text after it."""
_QUESTION = "?\u061f\u203d\u2753\u2754"


def _one_of(phrases: str) -> str:
    return phrases.replace("\n", "")


_GREETING = re.compile(
    rf"\W*(?:(?:{_one_of(_SORRY)})(?!{_WORD})"
    rf"|(?:{_one_of(_GREETINGS)})(?!{_WORD}| (?:from|for|to|about|aus|de|из|за)\b)"
    rf"|(?:{_one_of(_FAREWELLS)}) ?[.,:;!-]|{_CJK_SORRY}|{_CJK_GREETINGS})",
    re.IGNORECASE,
)
_SIGN_OFF = re.compile(
    rf"(?:(?<!{_WORD})(?:{_one_of(_SORRY)}|{_one_of(_FAREWELLS)})|{_CJK_SORRY}|{_CJK_FAREWELLS})\W*$",
    re.IGNORECASE,
)


def is_question(line: str) -> bool:
    """Tell whether a line contains a question mark of any script."""
    return any(mark in line for mark in _QUESTION)


def without_manners(line: str, names: Collection[str]) -> str:
    """Return a plain line without greetings before it, sign-offs after it, and the players' names anywhere."""
    text = _EMOTICON.sub(" ", _names(tuple(names)).sub(" ", line))
    while found := _GREETING.match(text):
        text = text[found.end() :]
    while found := _SIGN_OFF.search(text):
        text = text[: found.start()]
    return text.strip()


def behind_greeting(line: str, names: Collection[str]) -> str | None:
    """Return the text after the greetings and names in a plain line.

    Return None if the line begins with no greeting or name, or if no text follows.
    """
    name, rest = _names(tuple(names)), line
    while found := _GREETING.match(rest) or name.match(rest):
        rest = rest[found.end() :].lstrip("".join((" ", *MARKS)))
    return rest if rest and rest != line else None


@lru_cache(maxsize=256)
def _names(names: tuple[str, ...]) -> re.Pattern[str]:
    """Return a pattern that matches any word of these names. Words with a digit are left out, as they may be places."""
    words = {word for name in names for word in re.findall(r"\w+", name) if word.isalpha()}
    found = "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
    return re.compile(rf"(?<!{_WORD})(?:{found or '(?!)'})(?!{_WORD})", re.IGNORECASE)
