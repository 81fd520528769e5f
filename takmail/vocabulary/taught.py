"""Write commands in the words of a reader's language, and read these words as the commands.

The section `keywords` of a language has the words that stand for the beginning of a line, such as a keyword. The first
of them is the one that letters teach. The section `arguments` has words that stand further behind, or behind `help`.
"""

import re
from functools import lru_cache

from takmail.vocabulary import meanings_in, section, table, tokens_of, words_of

ENGLISH = "en"
_MOST_WORDS = 5
"""The maximum number of words of a keyword in the vocabulary."""
_BEFORE = re.compile(r"(?:#\d+ |/)?")
"""What may stand before a keyword: the number of a game, or the mark of a command."""
_HELP = "help "
_WITH_ARGUMENTS = ("new", "seek", "rematch", "propose", "show", "rules", "moves", "address", "if", "digest")
"""Commands without free text, behind whose keyword the vocabulary has words, too."""
_READ_THERE = ("away",)
"""Commands whose own grammar reads such words."""
_MAX_CACHED = 1_000


@lru_cache(_MAX_CACHED)
def in_language(line: str, language: str) -> str:
    """Return a line to type with the words of a language for its command, as far as the vocabulary has some.

    `in_english` returns the line again.
    """
    if language == ENGLISH or not line.isprintable():
        return line
    begin = _BEFORE.match(line)
    assert begin is not None
    return begin[0] + _taught(line[begin.end() :], language)


def _taught(line: str, language: str) -> str:
    keywords, typed = section(language, "keywords"), line.rstrip(" ")
    words = typed.split(" ")
    for count in range(len(words), 0, -1):
        keyword, behind = " ".join(words[:count]), words[count:]
        if native := keywords.get(keyword):
            if keyword == _HELP.strip() and behind:
                return f"{native[0]} {_topic(' '.join(behind), language)}"
            if words[0] in (*_WITH_ARGUMENTS, *_READ_THERE):
                behind = [_argument(word, language) for word in behind]
            return " ".join([native[0], *behind]) + line[len(typed) :]
    return line


def _topic(words: str, language: str) -> str:
    """Return the topic of a help page in a language: the word of a command, or an argument."""
    return section(language, "arguments").get(words, [_taught(words, language)])[0]


def _argument(word: str, language: str) -> str:
    return section(language, "arguments").get(word, [word])[0]


@lru_cache(_MAX_CACHED)
def in_english(body: str) -> str:
    """Return a line with its command as takmail calls it if the vocabulary has other words for it."""
    if body.isascii() and not table("keywords").begins_with(body.partition(" ")[0].lower()):
        return body  # the usual case
    tokens = tokens_of(body)
    found = next(table("keywords").scan(tuple(token.word for token in tokens[:_MOST_WORDS])), None)
    if found is None or found.start or tokens[0].start:
        return body
    behind = body[tokens[found.end - 1].end :].lstrip(" :")
    if found.meaning == _HELP.strip() and behind:
        behind = _topic_in_english(behind)
    elif found.meaning.partition(" ")[0] in _WITH_ARGUMENTS:
        behind = " ".join(_argument_in_english(word) for word in behind.split(" "))
    return f"{found.meaning} {behind}".rstrip()


def _topic_in_english(words: str) -> str:
    return table("arguments").meaning(words_of(words)) or in_english(words)


def _argument_in_english(word: str) -> str:
    return table("arguments").meaning(words_of(word)) or word


def as_typed(words: str, line: str) -> str:
    """Return words for a bot that stand for words of a line, as they are typed in this line."""
    known, typed = table("arguments", "bots"), words_of(line)
    english = {known.meaning(word): word for word in typed}
    return " ".join(word if word in typed else english.get(word, word) for word in words.split(" "))


def words_for(*keywords: str) -> tuple[str, ...]:
    """Return the words of all languages that stand for one of these keywords."""
    return tuple(word for word, keyword in meanings_in("keywords").items() if keyword in keywords)
