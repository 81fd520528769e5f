"""Define the arguments of commands about a game, an account or help: what they are, how they are read and written."""

import re
from dataclasses import dataclass
from datetime import timedelta
from typing import ClassVar, Self

from takmail.commands.command import Arguments, LineFault, PlainArguments, Rest, Unclear
from takmail.commands.grammar.dates import length_of
from takmail.commands.grammar.normalize import clipped, joined, turn_number
from takmail.commands.grammar.spoken import TO_TEACHERS, said_to_teacher
from takmail.games.interface import ReadTurn
from takmail.games.registry import Games
from takmail.games.teaching import LessonMark
from takmail.limits.words import (
    MAX_NAME_CHARS,
    MAX_NAME_WORDS,
    MAX_REFUSED_NAME_CHARS,
    MAX_REPEATED_WORD_CHARS,
)
from takmail.mail.address import normal_address
from takmail.vocabulary import table, word_in, words_of
from takmail.vocabulary.taught import ENGLISH
from takmail.world import SETTINGS

_LEAST = timedelta(hours=1)
"""The shortest length of time that can be given."""
_MAX_GAME_DIGITS = 9
_TURN_SHOWN = re.compile(r"(?:(?:the )?(?:board )?(?:after |at )?(?:turn|move|ply) )?#?(\d+)", re.IGNORECASE)
_NONE_YET = "none yet"
"""What languages stand for in the vocabulary that no letters are in."""
_PRONOUNS = ("me", "us")
"""Words behind `help` that say for whom."""
_LESSON = re.compile(r"(?:lesson )?#?(\d{1,2}[bhp]*)(?:[ .:,]+(.+))?", re.IGNORECASE)
_GIVEN_UP = re.compile(r"#?(\d+) given up(?: #?(\d+))?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Play(Arguments):
    """A turn in canonical form. `number` is the number that the player gave to it, None if they gave none."""

    text: str
    number: int | None

    def written(self) -> str:
        """Return the turn, and its number."""
        return joined(self.text, None if self.number is None else f"#{self.number}")


@dataclass(frozen=True, slots=True)
class Compare(Arguments):
    """A board to compare with the game. `board` is in the game's notation."""

    board: str


@dataclass(frozen=True, slots=True)
class Show(Arguments):
    """Which board to show: the current one, or the one after turn `turn`.

    `given_up` selects a turn of this number that was taken back. It is the number of the turn's run, or 0 for the
    newest run.
    """

    turn: int | None
    given_up: int | None = None

    @classmethod
    def read(cls, rest: Rest) -> Self | None:
        """Parse `7`, `#7`, `turn 7`, `7 given up` or `7 given up 2`."""
        if not rest.text:
            return cls(None)
        if named := _TURN_SHOWN.fullmatch(rest.text):
            return cls(turn_number(named[1]))
        if gone := _GIVEN_UP.fullmatch(rest.text):
            return cls(turn_number(gone[1]), turn_number(gone[2] or "0"))
        return None

    def written(self) -> str:
        """Return the number of the turn, and which one of this number."""
        return joined(self.turn, None if self.given_up is None else "given up", self.given_up or None)


@dataclass(frozen=True, slots=True)
class OneTurn(PlainArguments):
    """The number of a turn."""

    number: int

    @classmethod
    def read(cls, rest: Rest) -> Self | None:
        """Parse `7`, `#7` or `turn 7`. "review of the year" is chat."""
        named = _TURN_SHOWN.fullmatch(rest.text)
        return None if named is None or not (number := turn_number(named[1])) else cls(number)


@dataclass(frozen=True, slots=True)
class OneGame(PlainArguments):
    """The number of a game."""

    number: int

    @classmethod
    def read(cls, rest: Rest) -> Self | None:
        """Parse `12` or `#12`."""
        number = rest.text.removeprefix("#")
        is_number = number.isascii() and number.isdigit() and len(number) <= _MAX_GAME_DIGITS
        return cls(int(number)) if is_number else None


@dataclass(frozen=True, slots=True)
class Moves(Arguments):
    """Whose turns to list: all legal ones of `place`. If `place` is '', the likely ones of all places."""

    place: str

    @classmethod
    def read(cls, rest: Rest) -> Self | None:
        """Parse a place such as `b2`, or a word that is almost one; several mean all. "moves like jagger" is chat."""
        words = rest.text.lower().split()
        if not all(word.isalnum() and not word.isalpha() for word in words):
            return None
        return cls(clipped(words[0], MAX_REPEATED_WORD_CHARS) if len(words) == 1 else "")

    def write(self, games: Games) -> str | None:
        """Return the place if it is one of a game."""
        return self.place if not self.place or games.is_place(self.place) else None


@dataclass(frozen=True, slots=True)
class FreeName(Arguments):
    """The name of a player.

    Without a `/`, more than `most_chars` characters are chat, and more than `most_words` words may be a sentence.
    """

    name: str
    is_free_text: ClassVar[bool] = True
    most_chars: ClassVar[int] = MAX_NAME_CHARS
    most_words: ClassVar[int] = MAX_NAME_CHARS

    @classmethod
    def read(cls, rest: Rest) -> Self | Unclear | None:
        """Parse a name."""
        name = rest.text.strip("\"'")
        if not rest.is_marked and name.count(" ") >= cls.most_words:
            return Unclear(LineFault.SENTENCE, rest.keyword)
        is_name = name and (rest.is_marked or len(name) <= cls.most_chars)
        return cls(clipped(name, MAX_REPEATED_WORD_CHARS)) if is_name else None

    def write_free(self) -> str:
        """Return the name."""
        return self.name


@dataclass(frozen=True, slots=True)
class Say(Arguments):
    """Words for the opponent."""

    words: str
    is_free_text: ClassVar[bool] = True

    @classmethod
    def read(cls, rest: Rest) -> Self | None:
        """Parse any words."""
        return cls(rest.text) if rest.text else None


@dataclass(frozen=True, slots=True)
class Length(Arguments):
    """A length of time, at least an hour."""

    time: timedelta

    @classmethod
    def read(cls, rest: Rest) -> Self | Unclear | None:
        """Parse `2d` or `two days`. "gift of gab" is chat. For whom they are need not be said: "gift ben 2d"."""
        text = rest.text.lower()
        time = length_of(text)
        given = None if time else length_of(text.partition(" ")[2])
        if given is not None and given >= _LEAST:
            return Unclear(LineFault.MEANT, offers=(f"{rest.keyword} {cls(given).written()}",))
        return None if time is None or time < _LEAST else cls(time)

    def written(self) -> str:
        """Return whole days and hours."""
        hours = self.time // timedelta(hours=1)
        return joined(f"{hours // 24}d" if hours >= 24 else None, f"{hours % 24}h" if hours % 24 else None)


@dataclass(frozen=True, slots=True)
class Help(Arguments):
    """What the help is about: `word`, or everything if it is ''.

    `kind` is the game that the help is about, '' for the mail's game. `is_known`: a command or a game has this topic.
    """

    word: str
    kind: str = ""
    is_known: bool = True

    @classmethod
    def read(cls, rest: Rest) -> Self | None:
        """Parse `moves`, `tak moves` or `hard cap`. "help me out here" is chat."""
        text, games = rest.text.lower(), rest.games
        text = "" if text in _PRONOUNS else text
        name, _, behind = text.partition(" ")
        kind, word = (name, behind) if name in games.by_name else ("", text)
        is_known = word in ("", "all") or word in rest.topics or games.topic(word) is not None
        is_meant = is_known or rest.is_marked or " " not in word
        return cls(clipped(word, MAX_REPEATED_WORD_CHARS), kind, is_known) if is_meant else None

    def written(self) -> str | None:
        """Return the topic if it is known."""
        return joined(self.kind, self.word) if self.is_known else None


@dataclass(frozen=True, slots=True)
class Rules(PlainArguments):
    """Whose rules to show in short: those of a game, or of a variant. If `name` is '', those of the mail's game."""

    name: str

    @classmethod
    def read(cls, rest: Rest) -> Self | None:
        """Parse the name of a game or a variant. "rules are rules" is chat."""
        name = rest.text.lower()
        is_known = not name or name in rest.games.by_name or rest.games.topic(name) is not None
        return cls(name) if is_known else None


@dataclass(frozen=True, slots=True)
class Learn(Arguments):
    """Which lesson to give, and what the sender plays in it. If `text` is '', they play nothing yet.

    * `mark` names the lesson, and says how far they are in it
    * `said` is what they say to the teacher in place of a turn, a key of the section `to teachers` of the vocabulary
    * `answer` is the name of the answer to other words (`games/teaching`), which are the `text`
    """

    mark: LessonMark
    text: str
    said: str = ""
    answer: str = ""

    @classmethod
    def read(cls, rest: Rest) -> Self | None:
        """Parse nothing, `3`, `3 answer`, or `3 ps b4` with anything that names a place or a piece.

        `3b` is lesson 3 after a failure in it. "learn 3 openings" is chat.
        """
        lesson, games = _LESSON.fullmatch(rest.text or "1"), rest.games
        text = clipped((lesson and lesson[2]) or "", MAX_NAME_CHARS).lower()
        if lesson and (said := said_to_teacher(text)):
            return cls(LessonMark.read(lesson[1].lower()), "", said=said)
        is_meant = not text or games.is_place(text) or games.read_anywhere(text) or games.meant_anywhere(text)
        if not (lesson and is_meant):
            return None
        return cls(LessonMark.read(lesson[1].lower()), text)

    def write(self, games: Games) -> str | None:
        """Return the lesson, and the turn or the place, or what is said to the teacher; None for other words."""
        is_ours = isinstance(games.read_anywhere(self.text), ReadTurn) or games.is_place(self.text)
        if self.said and not self.text:
            return joined(str(self.mark), word_in(ENGLISH, TO_TEACHERS, self.said))
        return joined(str(self.mark), self.text) if is_ours or not self.text else None


@dataclass(frozen=True, slots=True)
class Name(FreeName):
    """A name for the sender."""

    most_chars = MAX_REFUSED_NAME_CHARS
    most_words = MAX_NAME_WORDS


@dataclass(frozen=True, slots=True)
class Choice(Arguments):
    """A word that the sender chooses behind the keyword of a setting."""

    keyword: str
    word: str

    @classmethod
    def read(cls, rest: Rest) -> Self | Unclear | None:
        """Parse `html` behind `view`, or another word for it in the vocabulary. "Reads well" is chat."""
        setting, word = SETTINGS[rest.keyword], rest.text.lower()
        if setting.names:
            word = table(setting.names).meaning(words_of(word)) or word
        if word == _NONE_YET:
            return none_yet(rest.keyword)
        return cls(rest.keyword, word) if word in setting.choices else None

    def written(self) -> str:
        """Return the word."""
        return self.word


def none_yet(keyword: str) -> Unclear:
    """Return the doubt about a language that there is not, which offers those that there are."""
    return Unclear(
        LineFault.NO_LANGUAGE, offers=tuple(f"{keyword} {choice}" for choice in SETTINGS[keyword].choices)
    )


@dataclass(frozen=True, slots=True)
class OneAddress(Arguments):
    """An address to add to the sender, or to remove."""

    address: str

    @classmethod
    def read(cls, rest: Rest) -> Self | None:
        """Parse an address. Mail programs repeat an address after itself, as <mailto:ada@example.org>."""
        words = rest.text.lower().replace("<", " <").split()
        addresses = set(filter(None, map(normal_address, words)))
        return cls(addresses.pop()) if len(addresses) == 1 else None

    def write_free(self) -> str:
        """Return the address."""
        return self.address


@dataclass(frozen=True, slots=True)
class AddressIsMine(Arguments):
    """The player to whom the sender's address is added, because its owner answered `yes`."""

    player_id: int
