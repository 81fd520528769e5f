"""Is this really you, and what is the yes for? Every combination, held against the rules in words."""

from itertools import product

import pytest

from takmail.commands.result import Assurance
from takmail.pipeline.authorize import TABLE, Answers, Open, Row, Says, authorize
from takmail.pipeline.values import Deed

OPENS = [
    Open(resignation=resignation, offer=offer, question=question)
    for resignation, offer, question in product((False, True), repeat=3)
    if not (resignation and offer)
]
EVERY = list(product(Assurance, Answers, Says, OPENS))
SEATED = (Assurance.PLAYER, Assurance.FROM, Assurance.TOKEN)
DOUBTED = (Assurance.FROM, Assurance.TOKEN)
PROVEN = (Assurance.PLAYER, Assurance.ADDRESS)
BARE = (Says.YES, Says.NO)
YES = (Says.YES, Says.MORE)


def is_loose(who: Assurance, answers: Answers, says: Says, is_open: Open) -> bool:
    """Whether it is a bare answer, and not sure to what or from whom; a resignation that waits takes it as its own."""
    if who is Assurance.ADDRESS and says is Says.WORDS:
        return is_open.question
    if who not in SEATED or says not in BARE or is_open.resignation:
        return False
    match answers:
        case Answers.OPEN | Answers.RESIGNATION | Answers.CLOSED:
            return who in DOUBTED
        case Answers.LOST:
            return who in DOUBTED or is_open.question
        case Answers.NOTHING:
            return is_open.question and not is_open.offer
        case Answers.OTHER:
            return False


def must_be_asked(who: Assurance, says: Says) -> bool:
    """Whether its owner has to say first that it is theirs."""
    match who:
        case Assurance.TOKEN:
            return True
        case Assurance.FROM:
            return says not in (Says.LOOKS, Says.NOTHING)
        case Assurance.NOBODY:
            return says in (Says.YES, Says.NO, Says.MORE, Says.ACTS)
        case _:
            return False


def is_late(who: Assurance, answers: Answers, says: Says, is_open: Open) -> bool:
    """Whether it says yes to a letter whose question is open no more."""
    if who is not Assurance.PLAYER or says not in YES:
        return False
    if answers is Answers.LOST:
        return not is_open.resignation or is_open.question
    return answers is Answers.CLOSED


@pytest.mark.parametrize("who", Assurance)
def test_every_combination_is_decided_by_the_rules(who: Assurance) -> None:
    for _, answers, says, is_open in (one for one in EVERY if one[0] is who):
        if is_loose(who, answers, says, is_open):
            due = Deed.ASK_AGAIN
        elif must_be_asked(who, says):
            due = Deed.ASK
        elif says in YES and answers is Answers.OPEN and who in PROVEN:
            due = Deed.CONFIRM
        else:
            due = Deed.LATE if is_late(who, answers, says, is_open) else Deed.RUN
        assert authorize(who, answers, says, is_open) is due, (answers, says, is_open)


def test_what_is_less_than_proven_changes_nothing() -> None:
    harmless = (Says.LOOKS, Says.WORDS, Says.NOTHING)
    for who, answers, says, is_open in EVERY:
        if who not in PROVEN:
            deed = authorize(who, answers, says, is_open)
            assert deed in (Deed.ASK, Deed.ASK_AGAIN) or (deed is Deed.RUN and says in harmless)


def test_words_in_a_game_reach_nobody_from_who_is_less_than_proven() -> None:
    """In a game words count as something that is done: `WORDS` is what they are outside any game."""
    for answers, says, is_open in product(Answers, Says, OPENS):
        assert authorize(Assurance.TOKEN, answers, says, is_open) is not Deed.RUN
        if says not in (Says.LOOKS, Says.NOTHING):
            assert authorize(Assurance.FROM, answers, says, is_open) is not Deed.RUN


def test_only_a_yes_to_the_very_letter_confirms() -> None:
    for who, answers, says, is_open in EVERY:
        if authorize(who, answers, says, is_open) is Deed.CONFIRM:
            assert answers is Answers.OPEN
            assert says in YES


@pytest.mark.parametrize("row", TABLE)
def test_every_row_decides_something(row: Row) -> None:
    """A row that another one always comes before would be dead."""
    assert any(
        next(one for one in TABLE if one.matches(who, answers, says, is_open)) is row
        for who, answers, says, is_open in EVERY
    )
