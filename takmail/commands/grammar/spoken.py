"""Tell what is said to a teacher or to a bot. Nobody else reads it, so people write it as to somebody who listens.

A section of the vocabulary has the phrases for each. A text is understood if it has phrases of one meaning, and beside
them only small words.
"""

import re
from collections.abc import Iterator
from functools import cache

from takmail.commands.grammar.normalize import QUESTION_MARKS, is_question, with_apostrophe
from takmail.vocabulary import IDEOGRAPHS, meanings_in, table, tokens_of, words_of

TO_TEACHERS = "to teachers"
TO_BOTS = "to bots"
_NO_MOVE = "no move"
_BEGINS_QUESTION, _MAY_BEGIN, _ASKED_ANYWHERE, _DOUBTED = "begins", "may begin", "anywhere", "doubted"
_SPACE = re.compile(f"(?<=[{IDEOGRAPHS}]) +")
"""A space behind a Chinese sentence."""
_SENTENCE = re.compile(rf"[^.!,;:。！，；：{QUESTION_MARKS}]+[{QUESTION_MARKS}]*")
_LESSON, _HOW, _WHY, _AGAIN, _STOPS = "lesson", "how", "why", "again", "stop"
_LEADING = frozenset((_LESSON, "next", "back"))
"""What the words stand for that lead to the lesson of a number: "skip to 5"."""
_MAILS = "mails"
"""What the words of the section `remarks` stand for that name mails. Who wants "no more mails" wants none at all."""
STOPS = "alone"
"""What the words of the table `leaving` stand for that stop other things, too."""
_ADDRESSED, _ASIDE = "bot", "beside"
"""What the words of the section `to bots` stand for by which a bot is addressed, and those that say nothing."""
_OF_OTHER_GAME = frozenset(
    ("harder", "easier", "bigger", "smaller", "size", "first", "starts", "others", "watched")
)
"""What its words stand for that wish for a game unlike this one, or to see this one again.

"Again" beside them wishes for no more.
"""
_REPEATED = "repeated"
"""What its words for "again" stand for that name no game. They wish for one by themselves only."""
_WHO, _WON, _BYE, _THANKS = "who", "won", "bye", "thanks"
_COURTESIES = (_WHO, _WON, _BYE, "kind")
"""What its words stand for that are polite, those first which are answered rather than others. A wish may stand beside
them: "haha, too hard"."""
_NO_WISHES = (_ADDRESSED, _LESSON, _ASIDE, *_COURTESIES)
"""What words stand for that may stand beside what is said."""
_NOTHING = "nothing"
"""What the words of the table `excluding` stand for that exclude nothing: "why not"."""
_UNWILLING, _TIRED = "unwilling", "tired"
"""What words stand for that deny the wish behind them, and what is said by them: "i don't want to play a game"."""
_MEANT = {_UNWILLING: _TIRED, _REPEATED: _AGAIN}
"""What is said by words that have a meaning of their own only for the words beside them."""
_FEELINGS = ("stop", "later", "here", "resume", _TIRED, "help")
"""What is said to a teacher by who has enough, is away for a while, back, bored or at a loss. A wish beside it is
meant: "too hard, show me". Of several of these the first one counts."""
_CLAUSE_END = re.compile(r"[\n.,;:!?…。，；：！？]+")
_BEGINS = " begins"
"""The end of a key of the vocabulary whose phrases mean the same with any words behind them."""
_SMALL = ("greetings", "polite", "farewells", "small", "fillers")
_BESIDE = (*_SMALL, "praise", "remarks")
"""The tables of words that may stand beside what is said."""


def meaning_of(text: str, section: str) -> str:
    """Return what a text to a teacher or a bot means by a section of the vocabulary, '' if it says anything else."""
    text = with_apostrophe(text)
    words = words_of(text, is_wish=True)
    spoken = table(section)
    if section == TO_BOTS and (begun := _begun(text.lower(), " ".join(words))):
        return begun
    in_vain = _repeated_in_vain(text) if section == TO_BOTS else ()
    no_wishes = (*_NO_WISHES, *_denied(text, section), *in_vain)
    meanings = (_MEANT.get(meaning, meaning) for meaning in spoken.meanings(words))
    named = [
        meaning for meaning in dict.fromkeys(meanings) if not (meaning in no_wishes or meaning.isdecimal())
    ]
    feelings = _FEELINGS if section == TO_TEACHERS else ()
    said = [meaning for meaning in named if meaning not in feelings] or sorted(named, key=feelings.index)[:1]
    if not _OF_OTHER_GAME.isdisjoint(said):
        said = [meaning for meaning in said if meaning != _AGAIN]  # "again, but harder"
    others = spoken.others(words)
    if section == TO_TEACHERS:
        kind = table(TO_BOTS).places(others, *_COURTESIES)
        others = tuple(word for place, word in enumerate(others) if place not in kind)
    # Who asks how to play asks for no game, and who asks why something of their own is so asks about no turn of a bot.
    is_how = bool(table("wishing").places(others, _HOW))
    is_own = said == [_WHY] and bool(table("persons").places(others, "me"))
    is_about_mails = bool(table("remarks").places(others, _MAILS))
    is_else = is_how or is_own or is_about_mails or bool(table(*_BESIDE).others(others))
    is_else = is_else or (said == [_AGAIN] and _tells_of_again(text))
    is_else = is_else or (said == [_STOPS] and any(map(_is_question, _SENTENCE.findall(text))))
    return said[0] if len(said) == 1 and not is_else else ""


def _denied(text: str, section: str) -> Iterator[str]:
    """Yield what a text says that its writer does not want: what stands in a clause behind such words."""
    for clause in _CLAUSE_END.split(text):
        meanings = table(section).meanings(words_of(clause, is_wish=True))
        if _UNWILLING in meanings:
            yield from meanings[meanings.index(_UNWILLING) + 1 :]


def _repeated_in_vain(text: str) -> tuple[str, ...]:
    """Return the meaning "again" if a text has it in clauses only that wish for no game, as in "see you again".

    They have words of leaving or of excluding, or thank and name no game.
    """
    spoken, clauses = table(TO_BOTS), [words_of(clause, is_wish=True) for clause in _CLAUSE_END.split(text)]
    wishing = [words for words in clauses if spoken.places(words, _AGAIN, _REPEATED)]
    is_vain = bool(wishing) and all(
        spoken.places(words, _BYE)
        or any(match.meaning != _NOTHING for match in table("excluding").matches(words))
        or (table("polite").places(words, _THANKS) and not spoken.places(words, _AGAIN))
        for words in wishing
    )
    return (_AGAIN,) if is_vain else ()


def _tells_of_again(text: str) -> bool:
    """Tell whether a clause says what has come about again: "you won again" is no wish."""
    clauses = [words_of(clause, is_wish=True) for clause in _CLAUSE_END.split(text)]
    wishing = (clause for clause in clauses if table(TO_BOTS).places(clause, _AGAIN, _REPEATED))
    return any(table("remarks").matches(clause) or table(TO_BOTS).places(clause, _WON) for clause in wishing)


def _begun(*texts: str) -> str:
    """Return what a text means whose beginning alone tells that, whatever stands behind: "why did you put it there"."""
    begins = ((phrase, key) for phrase, key in meanings_in(TO_BOTS).items() if key.endswith(_BEGINS))
    meant = (key.removesuffix(_BEGINS) for phrase, key in begins if any(map(_beginning(phrase).match, texts)))
    return next(meant, "")


@cache
def _beginning(phrase: str) -> re.Pattern[str]:
    return re.compile(rf"{re.escape(phrase)}(?:$|(?=[ {IDEOGRAPHS}]))")


def lesson_named(text: str) -> str:
    """Return the number of the lesson that a text asks for, as "go to lesson 5" does, '' if it asks for none."""
    words = words_of(text, is_wish=True)
    typed = [word for word in words if word.isdecimal()]
    others = tuple(word for word in words if word not in typed)
    meanings = table(TO_TEACHERS).meanings(others)
    numbers = [*typed, *filter(str.isdecimal, meanings)]
    names_lesson = not _LEADING.isdisjoint(meanings) and {*_FEELINGS}.isdisjoint(meanings)
    is_all = not table(*_SMALL, TO_TEACHERS).others(others)
    return numbers[0] if names_lesson and len(numbers) == 1 and is_all else ""


def courtesy_of(text: str) -> str:
    """Return in what way a text is polite and nothing else, '' if it is not.

    It is `hello`, `thanks`, `won` of who is glad, `who` of who asks whether a program writes, `bye`, or `kind`. Who
    takes something back needs help: "oops, wrong square".
    """
    words = words_of(text, is_wish=True)
    if "alone" in table("recanting").meanings(words):
        return ""
    polite = table("greetings", "polite", "farewells", "remarks", "praise", TO_BOTS)
    said = [_MEANT.get(meaning, meaning) for meaning in table(TO_BOTS).meanings(words)]
    beside = {_ADDRESSED, _ASIDE, *_COURTESIES, *_repeated_in_vain(text)}
    tells_more = not beside.issuperset(said) or (_WON in said and _is_question(text))
    only_addresses = all(match.meaning in (_ADDRESSED, _ASIDE) for match in polite.matches(words))
    if only_addresses or tells_more or not only_small(polite.others(words)):
        return ""
    if kind := next((kind for kind in _COURTESIES if kind in said), ""):
        return kind
    if table("polite").matches(words):
        return _THANKS
    return "kind" if table("farewells", "remarks", "praise").matches(words) else "hello"


def is_addressed(text: str) -> bool:
    """Tell whether a text has a word that is said to a bot and to no person."""
    return not {_ADDRESSED, _WHO, _WON, _BYE}.isdisjoint(
        table(TO_BOTS).meanings(words_of(text, is_wish=True))
    )


def in_full(text: str) -> str:
    """Return a text with its words in full that people shorten: "can u" is "can you"."""
    full, end = [], 0
    for token in tokens_of(text):
        if word := table("shortened").meaning(token.word):
            full += [text[end : token.start], word]
            end = token.end
    return "".join((*full, text[end:]))


def without_mood(text: str) -> str:
    """Return a text without what is only said for joy behind the rest: "c2 flat i win" is "c2 flat"."""
    tokens = tokens_of(text, is_wish=True)
    matches = table(TO_BOTS).matches(tuple(token.word for token in tokens))
    start = next((match.start for match in matches if match.meaning == _WON), 0)
    return text[: tokens[start].start].rstrip(" ,.!") if start else text


def as_question(text: str) -> str:
    """Return a text with a question mark if it begins as a question without one: "did i win"."""
    return text if is_question(text) or not _begins_with(text) else f"{text.rstrip(' .!')}?"


def greets_bot(text: str) -> bool:
    """Tell whether a text greets a bot, and says nothing else."""
    words = words_of(text, is_wish=True)
    others = table("greetings").others(words)
    return 0 < len(others) < len(words) and len(table(TO_BOTS).places(others, _ADDRESSED)) == len(others)


def asks_what(text: str) -> bool:
    """Tell whether a text may ask something: it has a question mark or a word with which people ask."""
    asking = table("asking").matches(words_of(text))
    return is_question(text) or bool(asking) or asks(text)


def is_small_talk(line: str) -> bool:
    """Tell whether a line says nothing to a teacher, as a greeting above a turn does."""
    words = words_of(line, is_wish=True)
    is_telling = bool(meaning_of(line, TO_TEACHERS)) or any(map(str.isdecimal, line))
    return not is_telling and (only_small(words) or bool(courtesy_of(line)))


def only_small(words: tuple[str, ...]) -> bool:
    """Tell whether words are only small and polite ones."""
    return not table(*_SMALL).others(words)


def without_questions(text: str) -> str:
    """Return a text said in a lesson without what asks or doubts something in it, which is no turn.

    It is unchanged if nothing does: "wall on c2. Is that right?" is "wall on c2".
    """
    return told_and_asked(text)[0]


def told_and_asked(text: str) -> tuple[str, str]:
    """Return what a text in a lesson tells, and what it asks or doubts. If nothing does, all of it is as typed.

    In Chinese a space ends a sentence, too.
    """
    sentences = [sentence.strip() for sentence in _SENTENCE.findall(_SPACE.sub("。", text))]
    asked = [sentence for sentence in sentences if _is_no_turn(sentence)]
    told = [sentence for sentence in sentences if sentence and sentence not in asked]
    return (", ".join(told), ", ".join(asked)) if asked else (text, "")


def said_to_teacher(text: str) -> str:
    """Return what a text to a teacher means, also beside a question: "next one. what was that again?"."""
    return meaning_of(text, TO_TEACHERS) or meaning_of(without_questions(text), TO_TEACHERS)


def asks(text: str) -> bool:
    """Tell whether a text in a lesson that is no turn asks or doubts something."""
    return _begins_with(text) == _MAY_BEGIN or without_questions(text) != text


def _is_no_turn(sentence: str) -> bool:
    return _is_question(sentence) or _DOUBTED in _named_in(sentence)


def _is_question(sentence: str) -> bool:
    is_begun = _begins_with(sentence) == _BEGINS_QUESTION
    return is_begun or is_question(sentence) or _ASKED_ANYWHERE in _named_in(sentence)


def _named_in(sentence: str) -> tuple[str, ...]:
    spoken = table(_NO_MOVE)
    return (*spoken.meanings(words_of(sentence)), *spoken.within(sentence))


def _begins_with(text: str) -> str:
    """Return the key of the phrase of a question with which a text begins behind greetings, '' if with none."""
    start = 0
    for match in table("greetings", "polite", _NO_MOVE).matches(words_of(text)):
        if match.start > start:
            break
        if match.meaning in (_BEGINS_QUESTION, _MAY_BEGIN):
            return match.meaning
        start = match.end
    return ""


def refuses_all_mail(text: str) -> bool:
    """Tell whether a text has words that refuse mail and nothing else: "can we stop?" has none."""
    return not {STOPS}.issuperset(table("leaving").meanings(words_of(text)))
