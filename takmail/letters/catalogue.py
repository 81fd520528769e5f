"""Word messages in the language of a reader.

`templates/LANGUAGE/FAMILY.jinja` has the messages of a family as macros with named parameters. A message that a
language lacks is worded in English. docs/messages.md says what may stand in a macro.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache, lru_cache
from pathlib import Path
from sys import intern

from babel import Locale
from babel.dates import format_datetime
from babel.lists import format_list
from babel.numbers import format_decimal
from jinja2 import BaseLoader, Environment, FileSystemLoader, StrictUndefined
from jinja2.ext import Extension
from jinja2.runtime import Macro

from takmail.blocks import Block, Blocks, Columns, Indented, Items, Message, Paragraph, Text, Texts, message
from takmail.games.bots import BotName
from takmail.vocabulary.chinese import SIMPLIFIED, TRADITIONAL, in_traditional
from takmail.vocabulary.taught import in_language

ENGLISH = "en"
UNBROKEN = "\u00a0"
"""A space at which no line is broken. A usual space takes its place in the wrapped text."""
LOCALES = {"en": "en_GB", "ru": "ru_RU", "zh": "zh_Hans_CN", TRADITIONAL: "zh_Hant_TW"}
"""The locale of each language, whose rules for plurals, lists and dates hold."""
_FOLDERS = {TRADITIONAL: SIMPLIFIED}
"""The folder of a language that has none of its own: its messages are those of the other one in its characters."""
_SPACE_BETWEEN_SENTENCES = {"zh": ""}
_COMMA = {"zh": "，"}
_SEMICOLON = {"zh": "；"}
_QUOTATION_MARKS = {"ru": ("«", "»"), "zh": ("“", "”"), TRADITIONAL: ("「", "」")}
_NUMBER_MARK = {"ru": f"№{UNBROKEN}"}
_MOMENT = {"ru": "d MMMM{year} (EEEE), HH:mm", "zh": "{year}M月d日EEEEHH:mm"}
"""The pattern of a time with its weekday, which Russian has in the nominative, whatever stands before it."""
_YEAR = {"ru": " y 'года'", "zh": "y年"}
_IN_UTC = {"zh": "（UTC{}）"}
_BLANK_LINES = re.compile(r"\n(?:[ \t]*\n)+")
_COLUMNS = re.compile(r" {2,}")
_LINE_TO_TYPE = re.compile(r'["“«「][a-z][a-z0-9 .,@=#/-]{1,38}["”»」]')
"""A line to type in quotation marks, at whose spaces no line is broken."""
_NAMED_LINE = re.compile(
    r'([“«])([a-z][^“”«»{}"\
]{0,60})([”»])'
)
"""A line to type as a translation has it: in the quotation marks of its language, and by takmail's own keyword."""
_NAME = re.compile(r"{% macro (\w+)\(")
_WORDED = (Message, tuple, BotName)
"""The kinds of a parameter that each language words, or that may have such parts."""
_MAX_COUNTS = 1_000
"""The maximum number of counts of which a language remembers the form."""

Common = Mapping[str, object]
"""The parameters that each letter has for all of its messages, such as `opponent` and `service`.

`today` is when it was written, in the time zone of its reader.
"""


@dataclass(frozen=True, slots=True)
class Words:
    """The messages of one language, by name.

    `space` stands between two sentences of a paragraph.
    """

    language: str
    macros: Mapping[str, Macro]
    space: str = " "

    def text(self, text: Text, common: Common) -> str:
        """Return a message in words, on one line. Raises KeyError for an unknown one."""
        if isinstance(text, str):
            return self.name(text) if isinstance(text, BotName) else text
        # `split()` would split at an unbroken blank, too, and a regular expression takes twice the time.
        blank = self.raw(text, common).replace("\n", " ").replace("\t", " ")
        worded = " ".join(filter(None, blank.split(" ")))
        worded = worded.replace(" — ", f"{UNBROKEN}— ")  # a dash begins no line
        return _LINE_TO_TYPE.sub(lambda line: line[0].replace(" ", UNBROKEN), worded)

    def raw(self, text: Message, common: Common) -> str:
        """Return a message in words, with its line ends."""
        macro = self.macros[text.name]
        values = {
            name: self._value(value, common) if isinstance(value, _WORDED) else value
            for name, value in text.values.items()
        }
        for name in macro.arguments:
            if name not in values and name in common:
                values[name] = common[name]
        worded: str = macro(**values)
        return worded.strip("\n")

    def _value(self, value: object, common: Common) -> object:
        """Return a parameter, in words if it is a label or some of them."""
        if isinstance(value, Message):
            return self.text(value, common)
        if isinstance(value, tuple):
            return tuple(self._value(part, common) for part in value)
        return self.name(value) if isinstance(value, BotName) else value

    def name(self, name: str) -> str:
        """Return the name of a player as the language has it. Only those of bots are words."""
        return self.text(message("bot_player", bot=name.bot), {}) if isinstance(name, BotName) else name

    def sentences(self, texts: Iterable[Text], common: Common) -> str:
        """Return sentences in one paragraph."""
        return self.space.join(filter(None, [self.text(text, common) for text in texts]))


@dataclass(frozen=True, slots=True)
class Speaker:
    """The words of one letter: those of its language, and the parameters that all of its messages have."""

    words: Words
    common: Common

    def text(self, text: Texts) -> str:
        """Return a message, or some sentences, in words on one line."""
        if isinstance(text, tuple):
            return self.words.sentences(text, self.common)
        return self.words.text(text, self.common)

    def about(self, opponent: str) -> "Speaker":
        """Return the words of a part of the letter that is about a game with an opponent."""
        return replace(
            self,
            common={
                **self.common,
                "opponent": self.words.name(opponent),
                "has_game": True,
                "is_guest": False,
            },
        )

    def typed(self, line: Texts) -> str:
        """Return what may be a line to type in words: a plain text is one, with its command in the language."""
        return in_language(line, self.words.language) if isinstance(line, str) else self.text(line)

    def is_heading(self, block: Paragraph) -> bool:
        """Return whether a paragraph is the heading of what follows: one sentence that ends with a colon."""
        return len(block.sentences) == 1 and self.text(block.sentences).endswith((":", "："))


class NamedLines(Extension):
    """Lets a translation name a line to type by its keyword: “accept” stands for “{{ "accept"|typed|unbroken }}”."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """Return the source of a family with such lines written out."""
        del name, filename
        return _NAMED_LINE.sub(r'\1{{ "\2"|typed|unbroken }}\3', source)


class TraditionalCharacters(Extension):
    """Writes messages in simplified Chinese in traditional characters. Words that they are given stay."""

    priority = NamedLines.priority + 1

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """Return the source of a family in traditional characters."""
        del name, filename
        return in_traditional(source)


class Macros(Mapping[str, Macro]):
    """The macros of a language by name. A family is compiled when one of its messages is worded for the first time.

    What the language lacks is taken from `fallback`.
    """

    def __init__(
        self, language: str, roots: Sequence[Path], fallback: Mapping[str, Macro] | None = None
    ) -> None:
        self._loader = FileSystemLoader([root / folder_of(language) for root in roots])
        self._environment = environment(language, self._loader)
        self._fallback = fallback or {}
        self._compiled: dict[str, Macro] = {}
        self._families: dict[str, str] = {}
        for family in self._environment.list_templates(extensions=("jinja",)):
            source = self._loader.get_source(self._environment, family)[0]
            for name in map(intern, _NAME.findall(source)):
                assert name not in self._families, f"two messages are called {name}"
                self._families[name] = family

    def __getitem__(self, name: str) -> Macro:
        if name not in self._families:
            return self._fallback[name]
        if name not in self._compiled:
            module = self._environment.get_template(self._families[name]).module
            self._compiled |= {key: value for key, value in vars(module).items() if isinstance(value, Macro)}
        return self._compiled[name]

    def __iter__(self) -> Iterator[str]:
        return iter({**self._families, **dict.fromkeys(self._fallback)})

    def __len__(self) -> int:
        return len({**self._families, **dict.fromkeys(self._fallback)})

    def __contains__(self, name: object) -> bool:
        return name in self._families or name in self._fallback


class Catalogue:
    """The messages of all languages in some folders. An earlier folder's family hides a later one of the same name.

    `languages` are the codes of all languages that have messages.
    """

    def __init__(self, *roots: Path) -> None:
        found = {path.parent.name for root in roots for path in root.glob("*/*.jinja")}
        self.languages = tuple(language for language in LOCALES if folder_of(language) in found)
        self._roots = roots
        self._words: dict[str, Words] = {}

    def words(self, language: str) -> Words:
        """Return the messages of a language, or those of English if there are none.

        They are looked for when somebody reads the language for the first time, as many services write in one only.
        """
        if language not in self._words:
            self._words[language] = (
                self._found(language) if language in self.languages else self.words(ENGLISH)
            )
        return self._words[language]

    def _found(self, language: str) -> Words:
        english = None if language == ENGLISH else self.words(ENGLISH).macros
        space = _SPACE_BETWEEN_SENTENCES.get(folder_of(language), " ")
        return Words(language, Macros(language, self._roots, english), space)


def folder_of(language: str) -> str:
    """Return the name of the folder that has the messages of a language."""
    return _FOLDERS.get(language, language)


def environment(language: str, loader: BaseLoader | None = None) -> Environment:
    """Return the environment of the macros of one language, with the filters that may stand in them."""
    made = Environment(
        loader=loader,
        auto_reload=False,  # otherwise each use would check the file
        undefined=StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=[NamedLines, TraditionalCharacters] if language == TRADITIONAL else [NamedLines],
    )
    made.filters |= filters(language)
    return made


Filters = dict[str, Callable[..., str | tuple[str, ...]]]
"""Filters of the templates by their names."""


def filters(language: str) -> Filters:
    """Return the filters that may stand in a macro of a language.

    * `count|plural(one="turn", other="turns")` chooses a form by the number, by the rules of the language
    * `items|listed` joins texts as a list with "and", `items|listed_or` with "or", `items|commas` only with commas, and
      `clauses|semicolons` with semicolons
    * `games|numbered` puts `#` or № before each number of a game or a seek: `games|numbered|listed`
    * `line|typed` is a line to type, with its command in the language
    * `lines|quoted` puts each such line, unbroken, between the quotation marks of the language: `lines|quoted|listed`
    * `at|date("d MMMM, HH:mm")` writes a time, and `size|decimal` a number with one digit behind the point, if not 0
    * `at|moment(today)` writes a time by the reader's clock, to the minute, such as "Friday 27 November, 18:00"; with
      the year if it is another one, with "UTC" if no time zone of the reader is known, and with the offset from UTC in
      an hour that the end of summer time repeats
    * `line|unbroken` keeps a text on one line, such as one to type
    """
    return {**_of_numbers(language), **_of_lists(language), **_of_times(language), **_of_lines(language)}


@cache
def _locale(language: str) -> Locale:
    """Return the locale of a language. Its data take 1 MiB, so they are loaded when a filter needs them."""
    return Locale.parse(LOCALES[language])


def _of_numbers(language: str) -> Filters:
    """Return the filters of counts, of numbers and of the numbers of games."""

    @lru_cache(_MAX_COUNTS)
    def plural_form(count: int) -> str:
        return _locale(language).plural_form(count)

    def plural(count: int, *, other: str, **forms: str) -> str:
        return forms.get(plural_form(count), other)

    def numbered(games_or_seeks: Iterable[int]) -> tuple[str, ...]:
        mark = _NUMBER_MARK.get(folder_of(language), "#")
        return tuple(f"{mark}{number}" for number in games_or_seeks)

    def decimal(number: float) -> str:
        return format_decimal(number, "0.#", locale=_locale(language))

    return {"plural": plural, "numbered": numbered, "decimal": decimal}


def _of_lists(language: str) -> Filters:
    """Return the filters that join texts."""
    folder = folder_of(language)

    def listed(items: Iterable[object]) -> str:
        return format_list([str(item) for item in items], locale=_locale(language))

    def listed_or(items: Iterable[object]) -> str:
        return format_list([str(item) for item in items], style="or", locale=_locale(language))

    def commas(items: Iterable[object]) -> str:
        return _COMMA.get(folder, ", ").join(map(str, items))

    def semicolons(items: Iterable[object]) -> str:
        return _SEMICOLON.get(folder, "; ").join(map(str, items))

    return {"listed": listed, "listed_or": listed_or, "commas": commas, "semicolons": semicolons}


def _of_times(language: str) -> Filters:
    """Return the filters of times."""
    folder = folder_of(language)

    def date(at: datetime, pattern: str) -> str:
        return format_datetime(at, pattern, locale=_locale(language))

    def moment(at: datetime, today: datetime) -> str:
        there = at.astimezone(today.tzinfo)
        year = "" if there.year == today.year else _YEAR.get(folder, " y")
        worded = date(there, _MOMENT.get(folder, "EEEE d MMMM{year}, HH:mm").format(year=year))
        is_in_utc = today.tzinfo == UTC
        is_repeated = there.replace(fold=1 - there.fold).utcoffset() != there.utcoffset()
        if not (is_in_utc or is_repeated):
            return worded
        return worded + _IN_UTC.get(folder, " UTC{}").format("" if is_in_utc else date(there, "xxx"))

    return {"date": date, "moment": moment}


def _of_lines(language: str) -> Filters:
    """Return the filters of lines to type."""

    def quoted(lines: Iterable[str]) -> tuple[str, ...]:
        first, last = _QUOTATION_MARKS.get(language, ('"', '"'))
        return tuple(f"{first}{unbroken(typed(line))}{last}" for line in lines)

    def unbroken(text: object) -> str:
        return str(text).replace(" ", UNBROKEN)

    def typed(line: object) -> str:
        return in_language(str(line), language)

    return {"quoted": quoted, "unbroken": unbroken, "typed": typed}


def page_blocks(words: Words, page: Message, common: Common) -> Blocks:
    """Return the blocks of a message that has several paragraphs (`Page` tells its markup)."""
    return tuple(_page_block(group.split("\n")) for group in _BLANK_LINES.split(words.raw(page, common)))


def _page_block(lines: list[str]) -> Block:
    """Return the block that some lines without a blank one among them are."""
    if lines[0].startswith("- "):
        entries: list[str] = []
        for line in lines:
            if line.startswith("- "):
                entries.append(line[2:])
            else:
                entries[-1] += " " + line.strip()
        return Items(tuple((entry,) for entry in entries))
    if not lines[0].startswith(" "):
        return Paragraph((" ".join(line.strip() for line in lines),))
    rows = [_COLUMNS.split(line.strip(), maxsplit=1) for line in lines]
    if all(len(row) == 2 for row in rows):
        return Columns(tuple((left, right) for left, right in rows))
    return Indented(tuple(line.strip() for line in lines))
