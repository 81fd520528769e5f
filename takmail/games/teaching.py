"""The optional part of a `Game` that teaches it: short lessons, and what is answered in them."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Self

from takmail.games.interface import Seat, State
from takmail.games.readonly import read_only

_LETTERS = {"b": "is_second", "h": "is_helped", "p": "is_paused", "e": "is_ended"}
"""The letters of a mark, and what they say."""
HELPED = "help"
"""The name of the answer to who asks for help in a lesson."""
UNREAD = "unread"
"""The name of the answer to words that are no turn and say nothing else. They get the same help."""
WHICH = "which"
"""The name of the answer to words that may mean several turns. `places` of its facts are where these end."""
EARLIER = "earlier"
"""The name of the answer to the solution of the lesson before."""
ASKED_TURN = "asked turn"
"""The name of the answer to who asks in a lesson whose turn it is, or who wins."""
ASKED = "asked"
"""The name of the answer to who asks or doubts something in a lesson. Nothing is played."""
EXPLAINED = "explained"
"""The name of the answer to who asks about a thing of the game, the `topic` of its facts."""
ALL_RULES = "rules"
"""The topic of who asks about no thing of the game."""
GREETED = "greeted"
"""The name of the answer to who is only polite in a lesson. `kind` of its facts is how."""
LATER, HERE = "later", "here"
"""How somebody is polite who goes away for a while, or is back."""
_AT_A_LOSS = (HELPED, UNREAD, ASKED)
"""The names of the answers to who is at a loss, if help has been given."""
_TRIED_NOTHING = (HELPED, UNREAD, WHICH, EARLIER, ASKED, ASKED_TURN, EXPLAINED, GREETED)


@dataclass(frozen=True, slots=True)
class Lesson:
    """A position in which somebody who learns the game plays one turn.

    `name` selects the texts (`Wording.lesson`). `state` is the position, and `setup` its set-up. `touches` are the
    turns that touched places of the board play, by the lower-case names of the places. The first one is an example of
    how a turn is typed.
    """

    number: int
    name: str
    setup: str
    state: State
    touches: Mapping[str, str]

    def __post_init__(self) -> None:
        read_only(self, "touches")


@dataclass(frozen=True, slots=True)
class LessonMark:
    """Which lesson a letter gives, and how far its reader is in it, as its Message-ID and its lines have it: `3bh`.

    * `is_second`: the reader has failed in the lesson once
    * `is_helped`: the letter gives help, so that who needs more is shown the answer
    * `is_paused`: the letter answers somebody who was going to be away, or is back
    * `is_ended`: the letter ends the lessons, which go on with this one; behind the last one all are done
    """

    number: int
    is_second: bool = False
    is_helped: bool = False
    is_paused: bool = False
    is_ended: bool = False

    def __str__(self) -> str:
        """Return the number, with a letter behind it for each thing that is true."""
        return f"{self.number}{''.join(letter for letter, name in _LETTERS.items() if getattr(self, name))}"

    @classmethod
    def read(cls, mark: str) -> Self:
        """Read a mark as it is written: its number, and the letters behind it."""
        told = {name: letter in mark for letter, name in _LETTERS.items()}
        return cls(int(mark.rstrip("".join(_LETTERS))), **told)

    def shows_answer(self, answer: "LessonAnswer") -> bool:
        """Tell whether whoever gets this answer is shown what solves the lesson: after two failures in it, or for
        whatever is neither a turn nor anything else that has an answer, if help has been given."""
        return (self.is_second and answer.has_failed) or (self.is_helped and answer.name in _AT_A_LOSS)

    def afresh(self) -> Self:
        """Return the mark of the letter that gives the lesson again, and nothing beside it."""
        return replace(self, is_helped=False, is_paused=False)

    def after(self, answer: "LessonAnswer") -> Self:
        """Return the mark of the letter that gives the lesson again with an answer to what was tried or said in it."""
        is_second = self.is_second or answer.has_failed
        is_paused = answer.facts.get("kind") in (LATER, HERE)
        is_helped = answer.name in (HELPED, UNREAD) or (self.is_helped and answer.name == GREETED)
        return replace(self, is_second=is_second, is_helped=is_helped, is_paused=is_paused)


@dataclass(frozen=True, slots=True)
class ShownLesson:
    """A lesson as a letter shows it.

    * `game` is the kind of game, and `count` the number of its lessons
    * `keyword` begins the lines that play in it
    * `is_answered`: a turn in an answer to the letter is played in it, without such a line
    * `mark` says how far the reader is in it
    """

    game: str
    lesson: Lesson
    count: int
    keyword: str
    is_answered: bool
    mark: LessonMark

    @property
    def you(self) -> Seat:
        """The seat of the reader."""
        return self.lesson.state.to_move

    @property
    def lines(self) -> Mapping[str, str]:
        """The lines that touched places write, by the lower-case names of the places."""
        return {place: self.line(turn) for place, turn in self.lesson.touches.items()}

    def line(self, turn: str) -> str:
        """Return the line that plays a turn."""
        return f"{self.keyword} {LessonMark(self.mark.number, self.mark.is_second)} {turn}"


@dataclass(frozen=True, slots=True)
class LessonAnswer:
    """What a turn does in a lesson, worded by `Wording.lesson_answer` from `name`.

    If `is_solved`, the lesson is done. `turn` is the turn in canonical form and `state` the position after it; both
    are None if the text is no legal turn.
    """

    name: str
    is_solved: bool
    turn: str | None = None
    state: State | None = None
    facts: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        read_only(self, "facts")

    @property
    def has_failed(self) -> bool:
        """Whether the learner has tried a turn that does not solve the lesson. Whatever is no turn is no try."""
        return not self.is_solved and self.name not in _TRIED_NOTHING


@dataclass(frozen=True, slots=True)
class ShownAnswer:
    """The position after a turn in a lesson, as a letter shows it. `game` is the kind of game."""

    game: str
    lesson: Lesson
    answer: LessonAnswer


class Teacher(ABC):
    """An optional part of a `Game`: short lessons for somebody who has never played it."""

    @property
    @abstractmethod
    def lessons(self) -> tuple[Lesson, ...]:
        """All lessons in order."""

    @abstractmethod
    def answer(self, lesson: Lesson, text: str) -> LessonAnswer:
        """Return what a line does in a lesson. Never raises."""

    @abstractmethod
    def solution(self, lesson: Lesson) -> LessonAnswer:
        """Return the answer to a turn that solves a lesson."""

    @abstractmethod
    def topic(self, text: str, *, is_asked: bool, asks_turn: bool = False) -> str:
        """Return the thing of the game that a text is about, '' if it is about none.

        If it is not `is_asked`, nothing else may stand in the text. If it seems to ask whose turn it is or who wins
        (`asks_turn`), it is about neither of these.
        """

    def after(self, lesson: Lesson, answer: LessonAnswer | None) -> Lesson | None:
        """Return the lesson to give now: the next one if an answer solves this one, None if there is none."""
        if answer is None or not answer.is_solved:
            return lesson
        return next(iter(self.lessons[lesson.number :]), None)
