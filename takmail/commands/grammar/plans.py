"""Find the lines in which a player plans an answer to a move of the opponent: "after b4 I play c4".

A plan is for takmail alone until its move is played, as the opponent could act on it.
"""

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from takmail.commands.grammar.descriptions import CELLS
from takmail.commands.grammar.line_reader import LOOK_ALIKES
from takmail.vocabulary import IDEOGRAPHS, meanings_in, table, words_of

_PLACE = re.compile(r"(?:(?<![a-z0-9])|(?<=(?<![a-z0-9])[fsc1-8]))[a-i][1-9](?![a-z0-9])", re.IGNORECASE)
"""The name of a place, also behind a piece or a number, as in `Sc4` and `3c4>`."""
_LIKE_PLACE = re.compile(
    rf"[a-i{''.join(chr(like) for like, letter in LOOK_ALIKES.items() if chr(letter) in 'abcdefghi')}][1-9]",
    re.IGNORECASE,
)
"""What is a place, or would be one with a letter that it resembles."""
_SENTENCE_ENDS = re.compile(r"[.!?。！？]+")
_SPATIAL = "beside"
"""What words of the table `later` stand for that are about a place: "next to"."""
_BARE = 4
"""The maximum number of words of a line that is a move with a word such as "next"."""
_TERSE = 6
"""The maximum number of words, or Chinese characters, beside a place in a sentence that says little more."""
_CHINESE = re.compile(rf"[{IDEOGRAPHS}]+")
_PLAN_ENDS = re.compile(r"[,;.!?，；。！？]")
_COMMAS = re.compile(r"[,;:，；：]")
_CLAUSE = re.compile(r"[^,;:.!?，；：。！？]+")
_FROM_TO = re.compile(r"[a-i][1-9]-[a-i][1-9][.!]*", re.IGNORECASE)
"""A move from a place to another one, in the notation of many games."""
_ONLY_MARKS = re.compile(r"[\s,;:?!，；：？！>=→⇒–—-]*[?？:：>→⇒–—-][\s>]*")
"""What stands between two places of which the second answers the first: "b4 -> c4", "b4? c4"."""


@dataclass(frozen=True, slots=True)
class Setting:
    """Where a line stands that may be a plan.

    * `is_to_move`: its writer is to move, before the turn of the mail
    * `played` are the turns of the game, of whose places people talk
    * `written` are the turns of its mail
    * `is_place` tells whether a lower-case word names a place of the board, None if no board is known
    """

    is_to_move: bool
    played: tuple[str, ...] = ()
    written: tuple[str, ...] = ()
    is_place: Callable[[str], bool] | None = None

    @property
    def is_beside_turn(self) -> bool:
        """Whether its mail has a turn."""
        return bool(self.written)

    @property
    def known(self) -> tuple[str, ...]:
        """The turns of the game and of the mail."""
        return (*self.played, *self.written)

    @property
    def is_about_later(self) -> bool:
        """Whether the next turn of the writer comes after one of the opponent."""
        return self.is_beside_turn or not self.is_to_move


def is_plan(raw: str, setting: Setting, *, is_turn: bool) -> bool:
    """Tell whether a line is a plan: a sentence in it names a place and the word of a condition, or two as in a plan.

    Where the writer's next turn comes after the opponent's, one that comes then or next is a plan, too. `is_turn`: the
    line is one turn, or probably the turn of a writer who is to move, so that two places in it are those of one move.
    """
    text = _latin(raw)
    if not _places(text, setting):
        return False  # the usual case
    kept = _without_namesakes(raw)
    raw, text = kept, text if kept == raw else _latin(kept)
    if not _places(text, setting) or CELLS.fullmatch(raw):
        return False  # what stands on a board
    is_turn = is_turn or _FROM_TO.fullmatch(text.strip()) is not None
    sentences = zip(_SENTENCE_ENDS.split(raw), _SENTENCE_ENDS.split(text), strict=True)
    return (not is_turn and _is_answer_alone(text)) or any(
        _names_condition(typed)
        or (
            not (is_turn or _is_about_the_past(typed, setting))
            and ((setting.is_about_later and _comes_later(typed, setting)) or _names_answer(typed))
        )
        for typed, plain in sentences
        if _PLACE.search(plain)
    )


def is_intention(raw: str, setting: Setting) -> bool:
    """Tell whether a line says where its writer means to move: a clause names a place to which nobody has moved yet.

    It has a word for what its writer will do or wishes, or says little more than the place. What was is no intention.
    """
    if setting.is_place is None or not setting.is_about_later or not _places(_latin(raw), setting):
        return False  # the usual case
    if CELLS.fullmatch(raw):
        return False
    return any(
        _free_places(clause, setting) and _tells_intention(clause, sentence, setting)
        for sentence in _SENTENCE_ENDS.split(_without_namesakes(raw))
        for clause in _COMMAS.split(sentence)
    )


def _tells_intention(clause: str, sentence: str, setting: Setting) -> bool:
    """Tell whether a clause of a sentence, which names a place, tells where its writer means to move."""
    if _has(clause, "past") and not _has(clause, "hopes", meanings=("would",)):
        return False
    if _has(clause, "intentions", "hopes") or _is_terse(sentence, setting):
        return True
    # "One more stone on c4, and then I win"
    return _is_terse(clause, setting) and _has(sentence, "intentions", "hopes") and not _has(sentence, "past")


def names_place(raw: str) -> bool:
    """Tell whether a line names a place."""
    return _PLACE.search(_latin(raw)) is not None


def _without_namesakes(raw: str) -> str:
    """Return a line without the clauses about things that are called as places are: "platform a5"."""
    if not _has(raw, "namesakes"):
        return raw  # the usual case
    return _CLAUSE.sub(lambda clause: "" if _has(clause[0], "namesakes") else clause[0], raw)


def _latin(raw: str) -> str:
    """Return a text with its places in Latin letters."""
    return raw.translate(LOOK_ALIKES) if not raw.isascii() and _LIKE_PLACE.search(raw) else raw


def _names_condition(typed: str) -> bool:
    """Tell whether a sentence has an "if", or says what its writer will do on an occasion: "When you …, I'll …"."""
    words = words_of(typed)
    is_to_come = table("occasions").matches(words) and table("intentions").matches(words)
    return bool(table("conditions").matches(words) or is_to_come)


def _comes_later(typed: str, setting: Setting) -> bool:
    """Tell whether a sentence is about a turn that comes later, or about two places to which nobody has moved yet.

    Without a turn in the mail, it has to say that the turn is its writer's, or hardly more than the turn.
    """
    free = _free_places(typed, setting, setting.played)
    if len(free) > 1:
        return True
    is_own = _has(typed, "consequences", "intentions")
    if is_own and _has(typed, "answering", meanings=("announcing",)):
        return True
    words = words_of(typed)
    meanings = {match.meaning for match in table("later").matches(words)}
    if free:  # Other Chinese words may stand before the word.
        meanings.update(_chinese_in(typed, "later"))
    is_later = not meanings <= {_SPATIAL}
    return is_later and (setting.is_beside_turn or is_own or len(words) <= _BARE)


def _is_terse(sentence: str, setting: Setting) -> bool:
    """Tell whether a sentence says little more than a place, and nothing of the opponent or of what was."""
    length = sum(len(word) if _CHINESE.match(word) else 1 for word in words_of(sentence))
    is_of_others = _has(sentence, "past") or _has(sentence, "persons", meanings=("others",))
    return length <= _TERSE + len(_places(_latin(sentence), setting)) and not is_of_others


def _is_about_the_past(typed: str, setting: Setting) -> bool:
    """Tell whether a sentence says what was, and names only places of turns that have been played."""
    return not _free_places(typed, setting) and _has(typed, "past")


def _places(text: str, setting: Setting) -> tuple[str, ...]:
    """Return the places of the board that a text names."""
    named = (place[0].lower() for place in _PLACE.finditer(text))
    return tuple(place for place in named if setting.is_place is None or setting.is_place(place))


def _free_places(typed: str, setting: Setting, turns: Collection[str] | None = None) -> set[str]:
    """Return the places in a sentence that no turn of the game and of the mail names, or none of `turns`."""
    known = " ".join(setting.known if turns is None else turns)
    return {place for place in _places(_latin(typed), setting) if place not in known}


def _names_answer(typed: str) -> bool:
    """Tell whether a sentence names two places, of which one answers the other, or one comes after the other.

    Such a word stands anywhere, or one for its writer stands between the places. "From c3 to c4" is one move.
    """
    places = list(_PLACE.finditer(_latin(typed)))
    if len(places) < 2:
        return False
    is_linked = _is_linked(typed) or _has(typed, "answering", meanings=("replying", "announcing"))
    return is_linked or any(
        _has(typed[first.end() : second.start()], "consequences", "intentions")
        for first, second in pairwise(places)
    )


def _is_answer_alone(text: str) -> bool:
    """Tell whether a line is two places with a mark between them that shows one as the answer to the other."""
    places = list(_PLACE.finditer(text))
    return len({place[0].lower() for place in places}) == 2 == len(places) and bool(
        _ONLY_MARKS.fullmatch(text[places[0].end() : places[1].start()])
    )


def _has(text: str, *sections: str, meanings: tuple[str, ...] = ()) -> bool:
    """Tell whether a text has a word of a section, which stands for one of `meanings` if any are given.

    Chinese words may stand anywhere, as no spaces separate them.
    """
    matches = table(*sections).matches(words_of(text))
    found = {match.meaning for match in matches} | set(_chinese_in(text, *sections))
    return not found.isdisjoint(meanings) if meanings else bool(found)


def _chinese_in(text: str, *sections: str) -> Iterator[str]:
    """Yield what the Chinese words of sections in a text stand for."""
    if not text.isascii():
        yield from (meaning for word, meaning in _chinese(*sections) if word in text)


@cache
def _chinese(*sections: str) -> tuple[tuple[str, str], ...]:
    named = (item for section in sections for item in meanings_in(section).items())
    return tuple((word.removesuffix("*"), meaning) for word, meaning in named if _CHINESE.match(word))


def has_no_line(line: str) -> bool:
    """Tell whether no line stands for a plan: it is for all moves but one, or does not say which move comes first."""
    return _has(line, "exceptions") or _has(line, "answering", meanings=("announcing",))


def plans_in(line: str) -> tuple[str, ...]:
    """Return the plans of a line, each of two places: "On b4 I go c4, on b5 I go c5"."""
    places = list(_PLACE.finditer(_latin(line)))
    marks = [
        _PLAN_ENDS.search(line, second.end(), third.start())
        for second, third in zip(places[1::2], places[2::2], strict=False)
    ]
    ends = [mark.end() for mark in marks if mark is not None]
    if len(places) % 2 or len(ends) < len(marks):
        return (line,)
    plans = tuple(line[start:end] for start, end in pairwise((0, *ends, len(line))))
    # "If b4 then c4, then if d4 then d5" is one plan, for which no line is offered.
    goes_on = any(table("later").matches(words_of(plan)[:2]) for plan in plans[1:])
    return (line,) if goes_on else plans


def halves(line: str) -> Iterator[tuple[str, str]]:
    """Yield the ways to cut a plan into the opponent's turn and the answer, the likeliest first.

    It is cut between two places: before a word for its writer, at a comma, and behind the first place.
    """
    places = list(_PLACE.finditer(_latin(line)))
    for first, second in pairwise(places):
        between = line[first.end() : second.start()]
        is_behind = _condition_is_behind(line[: first.start()], between)
        for end in dict.fromkeys((*_cuts(between), 0)):
            before, behind = line[: first.end() + end], line[first.end() + end :]
            yield (behind, before) if is_behind else (before, behind)


def _condition_is_behind(before: str, between: str) -> bool:
    """Tell whether the second of two places is the opponent's turn: "wall c4 after b4", "I reply c4 to b4"."""
    if _has(before, "conditions", "occasions"):
        return False
    if _is_linked(_CHINESE.sub(" ", between)):  # In Chinese, such a word stands behind the place.
        return True
    if any(_chinese_in(between, "conditions")):
        return True
    if before and _CHINESE.search(between) and _ends_with(between, "replying"):
        return True  # "我用c4应b4"
    is_answered = [_ends_with(text, "to") for text in (before, between)]
    return is_answered == [False, True] and _has(before + between, "answering", meanings=("replying",))


def _is_linked(text: str) -> bool:
    """Tell whether a text has a word that says when something is done."""
    return _has(text, "conditions", "occasions") or _has(text, "answering", meanings=("linking",))


def _ends_with(text: str, meaning: str) -> bool:
    last = words_of(text)[-1:]
    return bool(last) and table("answering").meaning(last[0]) == meaning


def _cuts(between: str) -> Iterator[int]:
    """Yield where the words between two places are cut."""
    own = table("consequences", "intentions")
    for word in re.finditer(r"\w+(?:'\w+)?", between):
        if own.matches(words_of(between[word.start() :])[:1]):
            yield word.start()
    yield from (mark.start() for mark in _COMMAS.finditer(between))
