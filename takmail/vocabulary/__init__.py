"""Load the words that players use, and find them in a text.

Each language is one file, such as `en.toml`; its sections are tables of words, with the same names in each file. A new
language is a new file.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from sys import intern
from tomllib import loads

from takmail.limits.words import MAX_LINE_CHARS
from takmail.vocabulary.chinese import SIMPLIFIED, TRADITIONAL, in_traditional

IDEOGRAPHS = "\u2e80-\u9fff\uf900-\ufaff"
"""The range of Chinese characters, for use in a regular expression. No spaces separate words in Chinese."""
_TOKEN = re.compile(rf"[{IDEOGRAPHS}]+|[^\W_{IDEOGRAPHS}]+(?:'[^\W_{IDEOGRAPHS}]+)*")
_IDEOGRAPHS = re.compile(f"[{IDEOGRAPHS}]+")
_LONGEST_SPLIT = 60
"""The maximum number of Chinese characters in a row that are split into words. More of them are a sentence."""
_MAX_CACHED = 256
"""The maximum number of lines whose words are kept, as several readers look at the same line."""
_APART = (
    "dates",
    "matches",
    "times",
    "zones",
    "absent",
    "each turn",
    "more days",
    "naming",
    "closings",
    "tak.topics",
    "no move",
)
"""Sections with a reader of their own. Elsewhere their Chinese words are no words into which a sentence is split."""
_OF_PREPARED = ("going", "prepared", "objections", "answering", "exceptions", "hopes", "namesakes", "past")
"""Sections of the same kind, about moves in advance."""
_OF_WISHES = ("wishing", "wishes", "to teachers", "to bots", "describing", "beside moves")
"""Sections whose Chinese words are such words only where a line is read as a wish, or as said to a bot or teacher."""
_WILDCARD = "*"
"""The end of an entry that stands for all words with this beginning. Languages with many endings need it."""


@dataclass(frozen=True, slots=True)
class Match:
    """A word or phrase of a table in a list of words: the words from `start` to `end`, and what they stand for."""

    start: int
    end: int
    meaning: str

    def is_longer(self, other: "Match") -> bool:
        """Tell whether it has all words of another one, and more."""
        holds = self.start <= other.start and other.end <= self.end
        return holds and self.end - self.start > other.end - other.start


class Table:
    """Words and phrases, each with what it stands for.

    A phrase is a sequence of words. Of two phrases that match, the one with more words is taken.
    """

    __slots__ = ("_beginnings", "_begins", "_every_word", "_lengths", "_phrases", "_written_together")

    def __init__(self, entries: Mapping[str, str]) -> None:
        """Make a table of `entries`: words or phrases, and what each stands for."""
        begins = {entry: meaning for entry, meaning in entries.items() if entry.endswith(_WILDCARD)}
        whole = {
            words_of(entry, is_wish=True) or (entry,): entries[entry]
            for entry in entries
            if entry not in begins
        }
        self._phrases = {intern(" ".join(words)): meaning for words, meaning in whole.items()}
        self._beginnings = {entry.removesuffix(_WILDCARD): meaning for entry, meaning in begins.items()}
        self._begins = re.compile("|".join(map(re.escape, self._beginnings)) or "(?!)")
        chinese = sorted(filter(_IDEOGRAPHS.fullmatch, entries), key=len, reverse=True)
        self._written_together = re.compile("|".join(chinese) or "(?!)")
        self._every_word: frozenset[str] | None = None
        lengths: dict[str, list[int]] = {}
        for words in sorted(whole, key=len, reverse=True):
            lengths.setdefault(intern(words[0]), []).append(len(words))
        # Most words begin one phrase, so that equal tuples are the same object.
        shared: dict[tuple[int, ...], tuple[int, ...]] = {}
        self._lengths = {
            word: shared.setdefault(those, those)
            for word, those in zip(lengths, map(tuple, lengths.values()), strict=True)
        }

    def meaning(self, words: str | tuple[str, ...]) -> str | None:
        """Return what a whole word or phrase stands for, None if it is not in the table."""
        phrase = words if isinstance(words, str) else " ".join(words)
        begins = None if " " in phrase else self._begins.match(phrase)
        return self._phrases.get(phrase) or (self._beginnings[begins[0]] if begins else None)

    def within(self, text: str) -> tuple[str, ...]:
        """Return what the Chinese entries in a text stand for, also those within a run of other characters."""
        return tuple(self._phrases.get(entry, "") for entry in self._written_together.findall(text))

    def begins_with(self, word: str) -> bool:
        """Return whether a phrase of the table begins with this word in lower case."""
        return word in self._lengths

    def has_word(self, word: str) -> bool:
        """Return whether a word stands anywhere in the table. A list of words with any other is none of its phrases."""
        if self._every_word is None:  # few tables are asked
            self._every_word = frozenset(word for phrase in self._phrases for word in phrase.split(" "))
        return word in self._every_word or bool(self._beginnings and self._begins.match(word))

    def matches(self, words: tuple[str, ...]) -> tuple[Match, ...]:
        """Return the words and phrases of the table in a list of words, from left to right, without overlaps."""
        return _matches(self, words)

    def scan(self, words: tuple[str, ...]) -> Iterator[Match]:
        """Yield what `matches` returns."""
        start = 0
        while start < len(words):
            lengths = self._lengths.get(words[start], ())
            if not lengths and not (self._beginnings and self._begins.match(words[start])):
                start += 1  # the usual case
                continue
            # Only what has a wildcard can be in the table and begin no phrase.
            for length in (*lengths, 1) if self._beginnings else lengths:
                phrase = words[start : start + length]
                meaning = self.meaning(phrase)
                if meaning is not None:
                    yield Match(start, start + len(phrase), meaning)
                    start += len(phrase)
                    break
            else:
                start += 1

    def places(self, words: tuple[str, ...], *meanings: str) -> set[int]:
        """Return the numbers of the words in a list that belong to words or phrases of the table.

        Of these, only those count that stand for one of `meanings`, if any are given.
        """
        matches = (match for match in self.matches(words) if not meanings or match.meaning in meanings)
        return {place for match in matches for place in range(match.start, match.end)}

    def others(self, words: tuple[str, ...]) -> tuple[str, ...]:
        """Return the words in a list that belong to no word or phrase of the table."""
        known = self.places(words)
        return tuple(word for place, word in enumerate(words) if place not in known)

    def meanings(self, words: tuple[str, ...]) -> tuple[str, ...]:
        """Return what the words and phrases of the table in a list of words stand for, without duplicates."""
        return tuple(dict.fromkeys(match.meaning for match in self.matches(words)))


@lru_cache(8 * _MAX_CACHED)
def _matches(words_of_purpose: Table, words: tuple[str, ...]) -> tuple[Match, ...]:
    return tuple(words_of_purpose.scan(words))


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a text in lower case, and where it stands in the text."""

    word: str
    start: int
    end: int


@lru_cache(_MAX_CACHED)
def words_of(text: str, *, is_wish: bool = False) -> tuple[str, ...]:
    """Return the words and numbers of a text in lower case, without punctuation. `is_wish` is as in `tokens_of`."""
    plain = unicodedata.normalize("NFKC", text[:MAX_LINE_CHARS])
    return tuple([word.casefold() for word, _ in _words_in(plain, is_wish=is_wish)])


@lru_cache(_MAX_CACHED)
def tokens_of(text: str, *, is_wish: bool = False) -> tuple[Token, ...]:
    """Return the words and numbers of a text in plain form. `is_wish`: the words of wishes are known, too.

    A run of Chinese characters is split into words of the vocabulary if these are all of it. Otherwise it is one word,
    so that no word is recognised inside another one.
    """
    words = _words_in(text, is_wish=is_wish)
    return tuple([Token(word.casefold(), start, start + len(word)) for word, start in words])


def _words_in(text: str, *, is_wish: bool) -> Iterator[tuple[str, int]]:
    """Yield the words and numbers of a text, and where each begins."""
    for match in _TOKEN.finditer(text):
        word, start = match[0], match.start()
        if not _IDEOGRAPHS.match(word):
            yield word, start
            continue
        for part in _split(word, is_wish=is_wish):
            yield part, start
            start += len(part)


@lru_cache(_MAX_CACHED)
def _split(run: str, *, is_wish: bool = False) -> tuple[str, ...]:
    """Return the fewest words of the vocabulary that a run of Chinese characters consists of, or the run itself."""
    if len(run) > _LONGEST_SPLIT:
        return (run,)
    known, lengths = _ideographic_words(is_wish=is_wish)
    best: list[tuple[str, ...] | None] = [(), *[None] * len(run)]
    for start in range(len(run)):
        before = best[start]
        for length in () if before is None else lengths.get(run[start], ()):
            word, end = run[start : start + length], min(start + length, len(run))
            after = best[end] if word in known else ()
            if before is not None and (after is None or len(before) + 1 < len(after)):
                best[end] = (*before, word)
    return best[-1] or (run,)


@cache
def _ideographic_words(*, is_wish: bool) -> tuple[frozenset[str], Mapping[str, tuple[int, ...]]]:
    """Return the Chinese words of all tables, and their lengths by their first character."""
    named = (item for language in _sections().values() for item in language.items())
    apart = (*_APART, *_OF_PREPARED, *(() if is_wish else _OF_WISHES))
    sections = (section for name, section in named if name not in apart)
    entries = (entry for section in sections for words in section.values() for entry in words)
    known = frozenset(run for entry in entries for run in _IDEOGRAPHS.findall(entry))
    lengths: dict[str, set[int]] = {}
    for word in known:
        lengths.setdefault(word[0], set()).add(len(word))
    return known, {first: tuple(sorted(those)) for first, those in lengths.items()}


@cache
def table(*names: str, without: str = "") -> Table:
    """Return the table of this name, such as `tak.pieces`, with the words of all languages. Several names are joined.

    The keys of its sections are what the words stand for. The words of the key `words` stand for themselves. Words of
    the table `without` are left out of its phrases.
    """
    fillers = table(without) if without else Table({})
    entries: dict[str, str] = {}
    for language in _sections().values():
        for meaning, words in (item for name in names for item in language.get(name, {}).items()):
            for word in words:
                kept = [part for part in words_of(word, is_wish=True) if fillers.meaning(part) is None]
                is_whole = not (without and kept) or word.endswith(_WILDCARD)
                entry = word if is_whole else " ".join(kept)
                entries[entry] = word if meaning == "words" else meaning
    return Table(entries)


@cache
def meanings_in(section: str) -> dict[str, str]:
    """Return what each word or phrase of a section stands for, in all languages. Words are not split."""
    keys = (item for language in _sections().values() for item in language.get(section, {}).items())
    return {word: meaning for meaning, words in keys for word in words}


def word_in(language: str, name: str, meaning: str) -> str:
    """Return the first word of a language for a meaning in the table of a name, the meaning itself if there is none."""
    return next(iter(section(language, name).get(meaning, ())), meaning)


@cache
def section(language: str, name: str) -> Mapping[str, list[str]]:
    """Return a section of one language: its words by what they stand for.

    Traditional Chinese has those of Chinese in its characters, which `table` reads as words of Chinese.
    """
    if language == TRADITIONAL:
        words = section(SIMPLIFIED, name).items()
        return {meaning: [*map(in_traditional, those)] for meaning, those in words}
    return _sections().get(language, {}).get(name, {})


@cache
def _sections() -> dict[str, dict[str, dict[str, list[str]]]]:
    """Return the sections of each language, by the code of the language and their names.

    Words are interned, so that all tables that have a word have the same object. This saves 1 MiB.
    """
    folder = files(__package__)
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".toml"))
    languages = {
        name.removesuffix(".toml"): loads(folder.joinpath(name).read_text(encoding="utf-8")) for name in names
    }
    for sections in languages.values():
        for section_words in sections.values():
            section_words |= {meaning: [*map(intern, words)] for meaning, words in section_words.items()}
    return languages
