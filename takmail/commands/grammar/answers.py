"""Read the answer in the first line of a mail: to a question, to an invitation or to an offer."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import Enum, StrEnum, auto

from takmail.commands.grammar.manners import is_question, without_manners
from takmail.commands.grammar.normalize import plain
from takmail.vocabulary import Match, table, words_of

_MARKS = re.compile(r"[,.;:!?()…。，、]+|\s-+\s")
"""What ends a clause."""
_SMILEY = re.compile(r"(?<!\w)(?:[:;=8][-'^]?[dopx3]+|x+d+)(?!\w)", re.IGNORECASE)
_THUMB = re.compile("\U0001f44d[\ufe0f\U0001f3fb-\U0001f3ff]*")
_PLACE = re.compile(r"[a-i][1-9]")
_GAME = re.compile(r"^#\d{1,9} ")


class Answer(Enum):
    """What an answer says. `UNCLEAR`: it may be a yes or a no, so that the sender is asked."""

    YES = auto()
    NO = auto()
    UNCLEAR = auto()


class Waits(StrEnum):
    """What waits for the sender's word, and so what a `yes` in the first line answers.

    * `question`: a question whose commands can be taken back
    * `final`: a question whose commands can't be taken back
    * `resignation`: the question whether the sender gives the game up
    * `past`: nothing any more, but the answered letter asked a question
    * `invitation`: an invitation to the sender
    * `offer`: the opponent's offer, which the answered letter shows
    * `hidden_offer`: the opponent's offer, which the answered letter does not show
    """

    NOTHING = auto()
    QUESTION = auto()
    FINAL = auto()
    RESIGNATION = auto()
    PAST = auto()
    INVITATION = auto()
    OFFER = auto()
    HIDDEN_OFFER = auto()

    @property
    def may_have_words(self) -> bool:
        """Whether words may follow the answer, as what it does can be taken back."""
        return self in (Waits.QUESTION, Waits.INVITATION)

    def meaning(self, words: str) -> str:
        """Return what words of the table `answers` stand for here, such as "yes", or '' if they stand for nothing.

        "Let's play" answers only an invitation, and "it was me" only a question. An entry for words that are an answer
        only if their clause has no others, as "fine" in "Fine weather!", ends in "alone".
        """
        kind = words.partition(" ")[0]
        match kind:
            case "playing":
                return "yes" if self is Waits.INVITATION else ""
            case "mine":
                return "yes" if self in (Waits.QUESTION, Waits.FINAL) else ""
            case _:
                return kind

    @property
    def lines(self) -> tuple[str, str]:
        """The commands for `yes` and `no`."""
        match self:
            case Waits.INVITATION:
                return "accept", "decline"
            case Waits.OFFER | Waits.HIDDEN_OFFER:
                return "agree", "refuse"
            case _:
                return "yes", "no"


@dataclass(frozen=True, slots=True)
class Expected:
    """What the first line of a mail may answer.

    `is_player`: the sender has begun a game here. From others, a line that refuses all mail is `stop`.
    """

    waits: Waits = Waits.NOTHING
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
    if expected.is_player and waits is Waits.NOTHING:
        return None
    at = next((at for at, line in enumerate(lines) if not _is_greeting(line, names)), None)
    if at is None:
        return None
    line = _GAME.sub("", plain(lines[at])).removeprefix("/")
    if not expected.is_player and is_refusal_of_mail(line):
        return Answered(at, "stop")
    if waits is Waits.NOTHING:
        return None
    answer = read_answer(line, waits, names)
    if (
        answer in (Answer.YES, Answer.NO)
        and not waits.may_have_words
        and _is_turned_over(lines[at + 1 :], answer)
    ):
        answer = Answer.UNCLEAR
    return _answered(at, line, answer, waits, names)


def _answered(
    at: int, line: str, answer: Answer | None, waits: Waits, names: Collection[str]
) -> Answered | None:
    """Return what the line `at` does if it reads as `answer`."""
    yes, no = waits.lines
    match answer, waits:
        case (None, _) | (Answer.UNCLEAR, Waits.PAST | Waits.HIDDEN_OFFER):
            return None
        case Answer.UNCLEAR, Waits.RESIGNATION:
            # It is asked again.
            return Answered(at, "resign")
        case (Answer.UNCLEAR, _) | (_, Waits.HIDDEN_OFFER):
            return Answered(at, "", (yes, no))
    has_words = waits.may_have_words and read_answer(line, waits, names, is_alone=True) is Answer.UNCLEAR
    return Answered(at, yes if answer is Answer.YES else no, has_words=has_words)


def read_answer(
    line: str, waits: Waits = Waits.PAST, names: Collection[str] = (), *, is_alone: bool = False
) -> Answer | None:
    """Return the answer in a line in plain form, None if it is none.

    Polite words, names and smileys do not count. Other words make the answer unclear if what `waits` can't be taken
    back, or if `is_alone`. Otherwise only such words do that as "but", a question mark, or a place of a board.
    """
    if _THUMB.fullmatch(line):
        return Answer.UNCLEAR
    parts = (_clause(part, waits, names) for part in _MARKS.split(_SMILEY.sub(" ", line)))
    clauses = [clause for clause in parts if clause.meanings or clause.rest]
    meanings = frozenset().union(*(clause.meanings for clause in clauses))
    rest = [word for clause in clauses for word in clause.rest]
    first = next(iter(clauses), None)
    if first is None or first.answer is None:
        return Answer.UNCLEAR if not rest and meanings & {"yes", "no"} else None
    is_yes = first.answer is Answer.YES
    takes_back = {"hesitating", "no", "denying"} if is_yes else {"hesitating", "yes"}
    if meanings & takes_back or is_question(line) or any(map(_PLACE.fullmatch, rest)):
        return Answer.UNCLEAR
    # "No worries" and "no time" are different things.
    is_vague = bool(first.rest) and not is_yes
    if rest and (is_alone or is_vague or not waits.may_have_words):
        return Answer.UNCLEAR
    return first.answer


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


_FILLER, _ALONE = "filler", "alone"
_BEGINNING = {"yes": Answer.YES, "no": Answer.NO}


def _clause(text: str, waits: Waits, names: Collection[str]) -> _Clause:
    words = words_of(text)
    answers = [one for one in table("answers").matches(words) if waits.meaning(one.meaning)]
    polite = [one for one in table("polite").matches(words) if not _overlaps(one, answers)]
    known = {word for name in names for word in words_of(name) if word.isalpha()}
    known_at = {at for one in (*answers, *polite) for at in range(one.start, one.end)}
    rest_at = [at for at, word in enumerate(words) if at not in known_at and word not in known]
    rest = tuple(words[at] for at in rest_at)
    said = [one for one in answers if one.meaning != _FILLER]
    meanings = frozenset(waits.meaning(one.meaning) for one in said)
    first = next(iter(said), None)
    if first is None or (rest and (rest_at[0] < first.start or first.meaning.endswith(_ALONE))):
        return _Clause(None, meanings, rest)
    return _Clause(_BEGINNING.get(waits.meaning(first.meaning)), meanings, rest)


def _overlaps(one: Match, others: Sequence[Match]) -> bool:
    return any(one.start < other.end and other.start < one.end for other in others)


def _is_turned_over(below: Sequence[str], answer: Answer) -> bool:
    """Tell whether the lines below an answer take it back. Those of its paragraph may also ask or deny something."""
    end = next((at for at, line in enumerate(below) if not line.strip()), len(below))
    opposite = "no" if answer is Answer.YES else "yes"
    for at, line in enumerate(below):
        meanings = set(table("answers").meanings(words_of(plain(line))))
        if "hesitating" in meanings:
            return True
        if at < end and (is_question(line) or meanings & {"denying", opposite}):
            return True
    return False


def is_refusal_of_mail(line: str) -> bool:
    """Tell whether a line in plain form says that its writer wants no mail, and nothing else."""
    words = words_of(_SMILEY.sub(" ", line))
    leaving = list(table("leaving").matches(words))
    answers = (one for one in table("answers").matches(words) if one.meaning in ("no", _FILLER))
    known = {
        at
        for one in (*leaving, *table("polite").matches(words), *answers)
        for at in range(one.start, one.end)
    }
    return bool(leaving) and len(known) == len(words)


def _is_greeting(line: str, names: Collection[str]) -> bool:
    """Tell whether a line is blank, or has only greetings and names. Some greetings are answers, too."""
    text = plain(line)
    return not any(map(str.isalnum, without_manners(text, names))) and read_answer(text, names=names) is None
