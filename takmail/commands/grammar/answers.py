"""Read the answer in the first line of a mail: to a question, to an invitation or to an offer."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from itertools import takewhile

from takmail.commands.grammar.manners import is_question, without_manners, words_of_names
from takmail.commands.grammar.normalize import plain, split_game
from takmail.vocabulary import Table, table, words_of

_MARKS = re.compile(r"[,.;:!?()…。，、]+|\s-+\s")
"""What ends a clause."""
_SMILEY = re.compile(r"(?<!\w)(?:[:;=8][-'^]?[dopx3]+|x+d+)(?!\w)", re.IGNORECASE)
_THUMB = re.compile("\U0001f44d[\ufe0f\U0001f3fb-\U0001f3ff]*")
_PLACE = re.compile(r"[a-i][1-9]")
_FILLER, _ALONE = "filler", "alone"
_OWN = ("playing", "willing", "mine")
"""What words of the table `answers` mean that are no answer to everything."""


class Answer(Enum):
    """What an answer says. `UNCLEAR`: it may be a yes or a no, so that the sender is asked."""

    YES = auto()
    NO = auto()
    UNCLEAR = auto()


@dataclass(frozen=True, slots=True)
class Waits:
    """What waits for the sender's word, and so what a `yes` in the first line answers.

    * `yes` and `no` are the commands that the answer means
    * `may_have_words`: other words may stand beside the answer, as what it does can be taken back
    * `own` are those of `_OWN` that mean yes here
    * `is_certain`: an answer can mean nothing else. Otherwise it is asked about.
    * `asks`: what may be an answer is asked about. `again` is the command that does so, '' if the answer offers both.
    """

    yes: str = "yes"
    no: str = "no"
    may_have_words: bool = False
    own: tuple[str, ...] = ()
    is_certain: bool = True
    asks: bool = True
    again: str = ""


NOTHING = Waits("", "")
QUESTION = Waits(may_have_words=True, own=("mine",))
"""A question whose commands can be taken back."""
FINAL = Waits(own=("mine",))
"""A question whose commands can't be taken back."""
RESIGNATION = Waits(again="resign")
"""The question whether the sender gives the game up."""
PAST = Waits(asks=False)
"""Nothing any more, but the answered letter asked a question."""
INVITATION = Waits("accept", "decline", may_have_words=True, own=("playing", "willing"))
OFFER = Waits("agree", "refuse", own=("willing",))
"""The opponent's offer, which the answered letter shows."""
DOUBTFUL_OFFER = Waits("agree", "refuse", own=("willing",), is_certain=False)
"""Such an offer, but a `yes` may mean something else that the opponent has said."""
HIDDEN_OFFER = Waits("agree", "refuse", is_certain=False, asks=False)
"""An offer that the answered letter does not show, so that a `yes` may mean something else."""


@dataclass(frozen=True, slots=True)
class Expected:
    """What the first line of a mail may answer.

    `is_player`: the sender has begun a game here. From others, a line that refuses all mail is `stop`.
    """

    waits: Waits = NOTHING
    is_player: bool = True


@dataclass(frozen=True, slots=True)
class Answered:
    """The line of a mail that is an answer.

    * `at` is its index, and `line` is the command that it means, '' if that is unclear
    * `offers` are the commands that it may mean if it is unclear
    * `has_words`: it also has words for another person
    """

    at: int
    line: str
    offers: tuple[str, ...] = ()
    has_words: bool = False


def find_answer(lines: Sequence[str], expected: Expected, names: Collection[str] = ()) -> Answered | None:
    """Return the line of a mail that answers what waits, None if there is none.

    It is the first line after a greeting. `names` are the players' names.
    """
    waits = expected.waits
    at = next((at for at, line in enumerate(lines) if not _is_greeting(line, names)), None)
    if at is None or (expected.is_player and waits == NOTHING):
        return None
    line = split_game(plain(lines[at]))[1].removeprefix("/")
    if not expected.is_player and is_refusal_of_mail(line):
        return Answered(at, "stop")
    answer = None if waits == NOTHING else read_answer(line, waits, names)
    if answer and not waits.may_have_words and _is_turned_over(lines[at + 1 :], is_yes=answer is Answer.YES):
        answer = Answer.UNCLEAR
    if answer is None or (answer is Answer.UNCLEAR and not waits.asks):
        return None
    if answer is Answer.UNCLEAR or not waits.is_certain:
        return Answered(at, waits.again, (waits.yes, waits.no))
    has_words = any(clause.rest for clause in _clauses(line, waits, names))
    return Answered(at, waits.yes if answer is Answer.YES else waits.no, has_words=has_words)


def read_answer(line: str, waits: Waits = PAST, names: Collection[str] = ()) -> Answer | None:
    """Return the answer in a line in plain form, None if it is none.

    Polite words, names and smileys do not count. Other words make the answer unclear if what `waits` can't be taken
    back. Otherwise only such words do that as "but", a question mark, or a place of a board.
    """
    if _THUMB.fullmatch(line):
        return Answer.UNCLEAR
    clauses = _clauses(line, waits, names)
    meanings = frozenset().union(*(clause.meanings for clause in clauses))
    rest = [word for clause in clauses for word in clause.rest]
    first = clauses[0] if clauses else None
    if first is None or first.answer is None:
        return Answer.UNCLEAR if not rest and meanings & {"yes", "no"} else None
    is_yes = first.answer is Answer.YES
    # "No worries" and "no time" are different things.
    is_vague = bool(first.rest) and not is_yes
    if (
        meanings & _taken_back_by(is_yes=is_yes)
        or is_question(line)
        or any(map(_PLACE.fullmatch, rest))
        or (rest and (is_vague or not waits.may_have_words))
    ):
        return Answer.UNCLEAR
    return first.answer


def _taken_back_by(*, is_yes: bool) -> frozenset[str]:
    """Return the kinds of words that make an answer unclear."""
    return frozenset(("hesitating", "no", "denying") if is_yes else ("hesitating", "yes"))


@dataclass(frozen=True, slots=True)
class _Clause:
    """A part of a line between marks.

    * `answer` is the answer with which it begins, None if there is none
    * `meanings` are what its words of the table `answers` stand for
    * `rest` are the words that are neither polite nor of the table
    """

    answer: Answer | None
    meanings: frozenset[str]
    rest: tuple[str, ...]


def _polite() -> Table:
    return table("polite", "greetings", "farewells")


def _clauses(line: str, waits: Waits, names: Collection[str]) -> list[_Clause]:
    """Return the clauses of a line that have words which are not only polite."""
    known = words_of_names(names)
    parts = (_clause(words_of(part), waits, known) for part in _MARKS.split(_SMILEY.sub(" ", line)))
    return [clause for clause in parts if clause.meanings or clause.rest]


def _clause(words: tuple[str, ...], waits: Waits, known: frozenset[str]) -> _Clause:
    """Return a clause. `known` are words of names.

    Words that the table calls "alone" are an answer only if their clause has no others, as "fine" in "Fine weather!".
    """
    own = dict.fromkeys(_OWN, "") | dict.fromkeys(waits.own, "yes")
    answers = [
        (match, meaning)
        for match in table("answers").matches(words)
        if (meaning := own.get(kind := match.meaning.partition(" ")[0], kind))
    ]
    answers_at = {at for match, _ in answers for at in range(match.start, match.end)}
    polite_at = _polite().places(words)
    rest_at = [at for at, word in enumerate(words) if at not in answers_at | polite_at and word not in known]
    said = [(match, meaning) for match, meaning in answers if meaning != _FILLER]
    first, begins = said[0] if said else (None, "")
    if first is not None and rest_at and (rest_at[0] < first.start or first.meaning.endswith(_ALONE)):
        begins = ""
    answer = {"yes": Answer.YES, "no": Answer.NO}.get(begins)
    return _Clause(answer, frozenset(meaning for _, meaning in said), tuple(words[at] for at in rest_at))


def _is_turned_over(below: Sequence[str], *, is_yes: bool) -> bool:
    """Tell whether the lines below an answer take it back. Those of its paragraph may also ask or deny something."""
    paragraph = list(takewhile(str.strip, below))
    said = [frozenset(table("answers").meanings(words_of(plain(line)))) for line in below]
    return (
        any("hesitating" in one for one in said)
        or any(one & _taken_back_by(is_yes=is_yes) for one in said[: len(paragraph)])
        or any(map(is_question, paragraph))
    )


def is_refusal_of_mail(line: str) -> bool:
    """Tell whether a line in plain form says that its writer wants no mail, and nothing else."""
    words = words_of(_SMILEY.sub(" ", line))
    leaving = list(table("leaving").matches(words))
    answers = (match for match in table("answers").matches(words) if match.meaning in ("no", _FILLER))
    around = (*leaving, *answers, *_polite().matches(words))
    return bool(leaving) and len({at for match in around for at in range(match.start, match.end)}) == len(
        words
    )


def _is_greeting(line: str, names: Collection[str]) -> bool:
    """Tell whether a line is blank, or has only greetings and names. Some greetings are answers, too."""
    text = plain(line)
    return not any(map(str.isalnum, without_manners(text, names))) and read_answer(text, names=names) is None
