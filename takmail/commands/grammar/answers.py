"""Read the answer in the first line of a mail: to a question, to an invitation or to an offer."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto

from takmail.commands.command import LineFault, Order, Unclear, is_certain
from takmail.commands.grammar.about_prepared import may_mean_go
from takmail.commands.grammar.clerk import read_line
from takmail.commands.grammar.invitation_forms import BOT, first_in
from takmail.commands.grammar.line_reader import LineReader
from takmail.commands.grammar.normalize import (
    clauses_of,
    command_form,
    is_question,
    plain,
    split_game,
    without_manners,
    without_polite_asides,
    words_of_names,
)
from takmail.commands.grammar.picks import names_number, names_other_place, picked
from takmail.commands.grammar.spoken import TO_BOTS
from takmail.games.kit.naming import PLACE
from takmail.vocabulary import meanings_in, table, words_of

_THUMB = re.compile("\U0001f44d[\ufe0f\U0001f3fb-\U0001f3ff]*")
_POINTING = re.compile(r"<[-=]|[←↑]|\^ ?(?=\w)")
"""What a line begins with that is about something beside or above it, and no answer: "<- this one"."""
_LONGEST_NAME = 4
"""The maximum number of characters of a Chinese name."""
_MOST_NAMES = 2
"""The maximum number of words of a name in a greeting."""
_DENIED = "denied"
_OTHER_GAMES = frozenset(("harder", "easier", "bigger", "smaller"))
"""What words to a bot stand for that wish for another game than the offered one."""
_FILLER, _ALONE = "filler", "alone"
_POLITE = ("polite", "greetings", "farewells")
_OTHER_YES = frozenset(("playing", "willing", "mine"))
"""What words of the table `answers` stand for that are a yes to something else, unless `Waits` says that it is this."""
_YES_TO_SOME = _OTHER_YES | {"glad"}
"""What words of the table `answers` stand for that mean yes only where `Waits` says so."""


class YesOrNo(Enum):
    """What an answer says. `UNCLEAR`: it may be a yes or a no, so that the sender is asked."""

    YES = auto()
    NO = auto()
    UNCLEAR = auto()


_ANSWERS = {"yes": YesOrNo.YES, "no": YesOrNo.NO}


@dataclass(frozen=True, slots=True)
class Waits:
    """What waits for the sender's word, and so what the first line of a mail may answer.

    * `yes` and `no` are the commands that the answer means
    * `offers` are the lines that an unclear answer may mean: a single one is done, several are offered, and without
      them it is words
    * `yes_words` are what words of the table `answers` stand for that mean yes here, and `no_words` those that mean no
    * `takes_words`: other words may stand beside a yes, as what it does can be taken back
    * `no_takes_words`: words may stand behind a no, as it does nothing that matters
    * `stands_alone`: no other line may stand below the answer
    * `is_certain`: a yes can mean nothing else, and `no_is_certain`: a no. Otherwise it is unclear, too.
    """

    yes: str = "yes"
    no: str = "no"
    offers: tuple[str, ...] = ("yes", "no")
    yes_words: tuple[str, ...] = ("yes", "mine")
    no_words: tuple[str, ...] = ("no",)
    takes_words: bool = False
    no_takes_words: bool = False
    stands_alone: bool = False
    is_certain: bool = True
    no_is_certain: bool = True


QUESTION = Waits(takes_words=True)
"""A question whose commands can be taken back."""
FINAL = Waits()
"""A question whose commands can't be taken back."""
RESIGNATION = Waits(offers=("resign",), yes_words=("yes",))
"""The question whether the sender gives the game up."""
PAST = Waits(offers=(), yes_words=("yes",))
"""Nothing any more, but the answered letter asked a question."""
KEPT_WORDS = Waits(yes="", offers=(), yes_words=(), stands_alone=True)
"""Nothing, but the answered letter quotes words that wait. Only a no means them."""
INVITATION = Waits(
    "accept", "decline", ("accept", "decline"), ("yes", "playing", "willing", "glad"), takes_words=True
)
NEXT_GAME = Waits("accept", "decline", ("accept",), ("yes", "playing", "willing", "glad"), takes_words=True)
"""The opponent's invitation to another game, in answer to a letter of one that is over."""
OFFER = Waits("agree", "refuse", ("agree", "refuse"), ("yes", "willing"), no_takes_words=True)
"""The opponent's offer, which the answered letter shows."""
TIME_OVER = Waits("claim", "refuse time", ("claim", "refuse time"), ("yes",), ("no", "hesitating"))
"""The question whether the sender claims the win, as the opponent's time is over. Whoever hesitates waits."""


@dataclass(frozen=True, slots=True)
class Expected:
    """What the first line of a mail may answer.

    * `waits` is what waits for the answer, None if nothing does
    * `is_player`: the sender has begun a game here. From others, a line that refuses all mail is `stop`.
    * `sender` is the name with which the sender may sign
    * `choices` are the lines that the answered letter offers
    * `may_go`: an answer that the sender has prepared waits for `go`, so that "go ahead" may be that word
    """

    waits: Waits | None = None
    is_player: bool = True
    sender: str = ""
    choices: tuple[str, ...] = ()
    may_go: bool = False


@dataclass(frozen=True, slots=True)
class Answered:
    """The line of a mail that is an answer, by its index, and the order or doubt that it is.

    * `is_unclear`: what the sender says is not passed on, as the order only asks again
    * `has_words`: the line also has words for another person
    """

    index: int
    order: Order
    is_unclear: bool = False
    has_words: bool = False


def find_answer(
    lines: Sequence[str], reader: LineReader, expected: Expected, names: Collection[str] = ()
) -> Answered | None:
    """Return the line of a mail that answers what waits, or None.

    It is the first line after a greeting. `names` are the players' names. Who names another turn than those that are
    offered, or another game, means none of these.
    """
    if expected.waits is None and expected.is_player and not expected.may_go:
        return None
    names = (*names, expected.sender)
    index = next((index for index, line in enumerate(lines) if not _is_greeting(line, names)), None)
    if index is None:
        return None
    if not expected.is_player and is_refusal_of_mail(_text(lines[index])):
        return Answered(index, Order(_line(lines[index]), reader.commands["stop"]))
    if expected.choices and (order := _picked(lines[index], reader, expected.choices, names)):
        return Answered(index, order)
    if _names_other_turn(lines[index], reader, expected.choices, names):
        return None
    if _wishes_other_game(lines[index], expected.choices):
        return None
    if expected.may_go and (order := _may_go(lines[index], reader, expected.waits)):
        return Answered(index, order, is_unclear=True)
    answered = expected.waits and _answered(lines, index, reader, expected.waits, names)
    if not answered and expected.choices and names_number(_text(lines[index]), reader, names):
        # It picks no line that is offered, so that it is asked about again.
        doubt = Unclear(LineFault.MEANT, offers=QUESTION.offers)
        return Answered(index, reader.commands.order(_line(lines[index]), doubt), is_unclear=True)
    return answered or None


def _answered(
    lines: Sequence[str], index: int, reader: LineReader, waits: Waits, names: Collection[str]
) -> Answered | None:
    """Return the line with this index if it answers what waits, otherwise None.

    A whole command, as `agree draw`, is that command. But `accept` agrees to an offer, as `agree` does.
    """
    line, text = _line(lines[index]), _text(lines[index])
    answer = read_answer(text, waits, names)
    if answer is None or "=" in line:
        return None  # Words with a "=" may be meant as terms of the game.
    meant = {YesOrNo.YES: waits.yes, YesOrNo.NO: waits.no}.get(answer, "")
    is_certain = waits.is_certain if answer is YesOrNo.YES else waits.no_is_certain
    is_clear = meant and is_certain and not _is_taken_back(answer, lines[index + 1 :], waits, names)
    # Some words for a command are answers, too: 同意 is `agree`, and a yes to a question.
    is_word = is_clear and not line.isascii() and table("answers").meaning(words_of(line)) is not None
    order = None if is_word else reader.parse(line, is_first=True)
    if order is not None and not order.is_doubt:
        is_named = not is_clear and order.command.keyword == meant
        if is_named or meant in ("", "yes", "no"):
            return None
    has_words = any(clause.rest for clause in _clauses(text, waits, names))
    if not is_clear and not waits.offers:
        return None
    offers = (*waits.offers, *reader.turns_in(line))
    *others, meant = (meant,) if is_clear else offers
    doubt = reader.commands.order(line, Unclear(LineFault.MEANT, offers=offers))
    order = doubt if others else reader.parse(meant, is_first=True) or Order(meant, reader.commands[meant])
    return Answered(index, replace(order, line=line), not is_clear, has_words)


def _picked(raw: str, reader: LineReader, choices: Sequence[str], names: Collection[str]) -> Order | None:
    """Return the order of the offered line that a line picks, None if it picks none or is an order itself."""
    typed = read_line(_line(raw), reader, is_first=True, is_careful=False).order
    line = picked(_text(raw), choices, reader, names) if typed is None else ""
    order = read_line(line, reader, is_first=True).order if line else None
    return None if order is None else replace(order, line=line)


def _names_other_turn(raw: str, reader: LineReader, choices: Sequence[str], names: Collection[str]) -> bool:
    """Tell whether a line is an order or a doubt of its own, about another place than the offered turns have."""
    if not names_other_place(_text(raw), choices, reader):
        return False
    return read_line(_line(raw), reader, is_first=True, names=names).order is not None


def _wishes_other_game(raw: str, choices: Sequence[str]) -> bool:
    """Tell whether a line wishes for another game than the offered one: "yes, but on a bigger board"."""
    if not any(choice.startswith("new ") for choice in choices):
        return False
    words = words_of(_text(raw))
    is_other = not _OTHER_GAMES.isdisjoint(table(TO_BOTS).meanings(words)) or first_in(words) is not None
    return is_other or any(name != BOT for name in table("bots").meanings(words))


def _may_go(raw: str, reader: LineReader, waits: Waits | None) -> Order | None:
    """Return the doubt about a line that may mean `go`, None if it does not, or is an order itself."""
    doubt = may_mean_go(_text(raw), () if waits is None else waits.offers)
    if doubt is None or is_certain(read_line(_line(raw), reader, is_first=True).order):
        return None
    return reader.commands.order(_line(raw), doubt)


def _line(raw: str) -> str:
    """Return a line in command form, without the number of a game before it."""
    return split_game(command_form(raw))[1]


def _text(raw: str) -> str:
    """Return a line in plain form, without the marks of a command before it."""
    return split_game(plain(raw))[1].removeprefix("/")


def read_answer(line: str, waits: Waits = PAST, names: Collection[str] = ()) -> YesOrNo | None:
    """Return the answer in a line in plain form, None if it is none.

    Polite words, names and smileys do not count. Other words make a yes unclear if it can't be taken back. Otherwise
    only such words do that as "but" or "what", a question mark, or a place of a board. A line that has only words of
    the table `answers` is an answer, but unclear if it is no plain one.
    """
    if _THUMB.fullmatch(line):
        return YesOrNo.UNCLEAR
    if _POINTING.match(line):
        return None
    clauses = _clauses(line, waits, names)
    kinds = frozenset().union(*(clause.kinds for clause in clauses))
    rest = [word for clause in clauses for word in clause.rest]
    first = next((clause for clause in clauses if clause.rest or clause.kinds - _YES_TO_SOME), None)
    has_more = "yes" in kinds or is_question(line) or any(map(PLACE.fullmatch, rest))
    if waits == RESIGNATION and first and _plays_on(first, has_more=has_more):
        return YesOrNo.NO
    if first is None or first.answer is None:
        return YesOrNo.UNCLEAR if clauses and not rest else None
    is_yes, names_place = first.answer is YesOrNo.YES, any(map(PLACE.fullmatch, rest))
    if waits == RESIGNATION and is_yes and names_place:
        return None  # "OK, I play c3" is about a move, and gives nothing up.
    # A no to a question does nothing, so that it may be wordy. But "no worries" is none.
    is_safe = not is_yes and waits.no == "no" and bool(waits.offers)
    may_be_wordy = is_safe or waits.takes_words or (not is_yes and waits.no_takes_words)
    is_vague = not is_yes and bool(first.rest) if may_be_wordy else bool(rest)
    if is_yes:
        turning = {"no", "denying", "hesitating"} | (set() if waits.takes_words else _OTHER_YES)
    else:
        turning = {"yes"} if is_safe else {"yes", "hesitating"}
    asks = is_question(line) or "about" in table("asking").meanings(first.rest)
    if is_vague or kinds & turning or asks or names_place:
        return YesOrNo.UNCLEAR
    return first.answer


def _plays_on(first: "_Clause", *, has_more: bool) -> bool:
    """Tell whether a line that begins with this clause gives no game up, as it hesitates or denies that.

    "No, I don't give up" names what is not done. `has_more`: the line may say something else, too.
    """
    if first.answer is None:
        return not first.kinds.isdisjoint(("no", "hesitating", "denying"))
    return first.answer is YesOrNo.NO and not has_more


@dataclass(frozen=True, slots=True)
class _Clause:
    """A part of a line between marks.

    * `answer` is the answer with which it begins, None if there is none
    * `kinds` are what its words of the table `answers` stand for
    * `rest` are the words that are neither polite nor of the table
    """

    answer: YesOrNo | None
    kinds: frozenset[str]
    rest: tuple[str, ...]


def _clauses(line: str, waits: Waits, names: Collection[str]) -> list[_Clause]:
    """Return the clauses of a line that have words which are not only polite."""
    people = words_of_names(names)
    clauses = (_clause(words_of(part), waits, people) for part in clauses_of(line))
    return [clause for clause in clauses if clause.kinds or clause.rest]


def _clause(words: tuple[str, ...], waits: Waits, people: frozenset[str]) -> _Clause:
    """Return a clause. `people` are words of names.

    Words that the table calls "alone" are an answer only if their clause has no others, as "fine" in "Fine weather!".
    """
    matches = [match for match in table("answers").matches(words) if match.meaning != _FILLER]
    known = table("answers").places(words) | table(*_POLITE).places(words)
    rest = [place for place, word in enumerate(words) if place not in known and word not in people]
    kinds = [match.meaning.partition(" ")[0] for match in matches]
    if rest:  # "I changed my mind" is no "It was me".
        kinds = [kind for kind in kinds if kind != "mine"]
    kinds = ["yes" if kind in waits.yes_words else "no" if kind in waits.no_words else kind for kind in kinds]
    is_begun = not rest or (
        matches and rest[0] > matches[0].start and not matches[0].meaning.endswith(_ALONE)
    )
    answer = _ANSWERS.get(kinds[0]) if kinds and is_begun else None
    return _Clause(answer, frozenset(kinds), tuple(words[place] for place in rest))


def _is_taken_back(answer: YesOrNo, below: Sequence[str], waits: Waits, names: Collection[str]) -> bool:
    """Tell whether the lines below an answer turn it over: a no by a yes, a yes by all but polite words."""
    if waits.takes_words or not (waits.offers or waits.stands_alone):
        return False
    texts = (text for line in below if _clauses(text := plain(line), waits, names))
    others = {read_answer(text, waits, names) for text in texts} - {answer}
    return bool(others) if answer is YesOrNo.YES or waits.stands_alone else YesOrNo.YES in others


def is_refusal_of_mail(line: str) -> bool:
    """Tell whether a line in plain form says that its writer wants no mail.

    Behind a phrase of several words that says so, there may be a reason: "Remove me, I never signed up".
    """
    clauses = [words for clause in clauses_of(without_polite_asides(line)) if (words := words_of(clause))]
    if any(map(_denies_refusal, clauses)):
        return False
    whole = tuple(word for words in clauses for word in words)
    return _only_refuses(whole) or any(_only_refuses(words, least=2) for words in clauses[:1])


def _only_refuses(words: tuple[str, ...], least: int = 1) -> bool:
    leaving = table("leaving").places(words)
    beside = table("answers").places(words, "no", _FILLER) | table(*_POLITE).places(words)
    return len(leaving) >= least and len(leaving | beside) == len(words)


def _denies_refusal(words: tuple[str, ...]) -> bool:
    """Tell whether a clause denies what refuses mail, as 不要停 does: nothing stands between."""
    leaving = table("leaving").places(words)
    denials = table("denials").places(words, _DENIED) - leaving
    return any(place + 1 in leaving for place in denials)


def _is_greeting(line: str, names: Collection[str]) -> bool:
    """Tell whether a line is blank, or only greets somebody. Some greetings are answers, too."""
    text = plain(line)
    others = without_manners(text, names)
    is_addressed = not any(map(str.isalnum, others)) or _calls_by_name(text, others)
    return is_addressed and read_answer(text, names=names) is None


def _calls_by_name(text: str, others: str) -> bool:
    """Tell whether a line greets somebody by a name that takmail does not know, as "Здравствуйте, Ада!" greets Ada."""
    if not others.replace(" ", "").isalpha() or is_question(text):
        return False
    if others[0].upper() == others[0]:  # There are no capitals.
        greetings = (
            word for word in meanings_in("greetings") if others.startswith(word) or others.endswith(word)
        )
        return any(len(others) - len(word) <= _LONGEST_NAME for word in greetings)
    words = others.split()
    is_name = len(words) <= _MOST_NAMES and all(word.capitalize() in text for word in words)
    return is_name and 0 in table("greetings").places(words_of(text))
