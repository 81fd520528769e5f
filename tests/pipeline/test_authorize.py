"""The authorization table: each rule, and every combination."""

from dataclasses import dataclass, replace
from itertools import product

from takmail.commands.answers import Assurance
from takmail.pipeline.authenticate import RepliesTo
from takmail.pipeline.authorize import TABLE, Action, AuthorityRule, Says, authorize
from takmail.pipeline.confirmation import Questions
from tests.commands.people import question
from tests.support.tables import each_row


@dataclass(frozen=True, slots=True)
class Open:
    """What the likely sender can still answer."""

    offer: bool
    question: bool


def asked(answers: RepliesTo, is_open: Open) -> Questions:
    return Questions(
        answers,
        likely=question(1) if is_open.question else None,
        is_offered=is_open.offer,
    )


def action_of(who: Assurance, answers: RepliesTo, says: Says, is_open: Open) -> Action:
    return authorize(who, says, asked(answers, is_open))


OPENS = [Open(offer=offer, question=question) for offer, question in product((False, True), repeat=2)]
EVERY = list(product(Assurance, RepliesTo, Says, OPENS))
PROVEN = (Assurance.PLAYER, Assurance.ADDRESS)
BARE = (Says.YES, Says.NO, Says.UNCLEAR)
QUESTIONS = (RepliesTo.OPEN, RepliesTo.CLOSED, RepliesTo.LOST)
"""Letters that asked a question."""

NOTHING_OPEN = Open(offer=False, question=False)
QUESTION = Open(offer=False, question=True)
OFFER = Open(offer=True, question=False)

BY_THE_RULES = (
    # A verified sender answers a question, in time or too late.
    (Assurance.PLAYER, RepliesTo.OPEN, Says.YES, QUESTION, Action.CONFIRM),
    (Assurance.PLAYER, RepliesTo.OPEN, Says.MORE, QUESTION, Action.CONFIRM),
    (Assurance.ADDRESS, RepliesTo.OPEN, Says.YES, QUESTION, Action.CONFIRM),
    (Assurance.PLAYER, RepliesTo.OPEN, Says.NO, QUESTION, Action.RUN),
    (Assurance.PLAYER, RepliesTo.CLOSED, Says.YES, NOTHING_OPEN, Action.LATE),
    (Assurance.PLAYER, RepliesTo.LOST, Says.YES, NOTHING_OPEN, Action.RUN),
    # A bare answer to no letter, while a question is open.
    (Assurance.PLAYER, RepliesTo.NOTHING, Says.YES, QUESTION, Action.ASK_AGAIN),
    (Assurance.PLAYER, RepliesTo.NOTHING, Says.NO, QUESTION, Action.ASK_AGAIN),
    (Assurance.PLAYER, RepliesTo.NOTHING, Says.YES, OFFER, Action.RUN),
    (Assurance.ADDRESS, RepliesTo.OTHER, Says.WORDS, QUESTION, Action.ASK_AGAIN),
    # Any other mail of a verified sender is carried out.
    (Assurance.PLAYER, RepliesTo.OTHER, Says.ACTS, NOTHING_OPEN, Action.RUN),
    (Assurance.PLAYER, RepliesTo.CLOSED, Says.ACTS, QUESTION, Action.RUN),
    (Assurance.PLAYER, RepliesTo.NOTHING, Says.ACTS, QUESTION, Action.RUN),
    (Assurance.ADDRESS, RepliesTo.NOTHING, Says.ACTS, NOTHING_OPEN, Action.RUN),
    (Assurance.ADDRESS, RepliesTo.OTHER, Says.LOOKS, QUESTION, Action.RUN),
    # A `yes` to a question from an uncertain sender.
    (Assurance.TOKEN, RepliesTo.OPEN, Says.YES, QUESTION, Action.ASK_AGAIN),
    (Assurance.TOKEN, RepliesTo.CLOSED, Says.NO, NOTHING_OPEN, Action.ASK_AGAIN),
    (Assurance.FROM, RepliesTo.OPEN, Says.YES, QUESTION, Action.ASK_AGAIN),
    (Assurance.FROM, RepliesTo.LOST, Says.YES, NOTHING_OPEN, Action.ASK_AGAIN),
    # A From address alone may view things. A token from another address may not.
    (Assurance.FROM, RepliesTo.OTHER, Says.LOOKS, NOTHING_OPEN, Action.RUN),
    (Assurance.FROM, RepliesTo.NOTHING, Says.LOOKS, QUESTION, Action.RUN),
    (Assurance.FROM, RepliesTo.NOTHING, Says.ACTS, NOTHING_OPEN, Action.ASK),
    # It may also change what a line undoes. A stranger's mail has no settings: `decide` calls that acting.
    (Assurance.FROM, RepliesTo.OTHER, Says.SETS, NOTHING_OPEN, Action.RUN),
    (Assurance.TOKEN, RepliesTo.OTHER, Says.SETS, NOTHING_OPEN, Action.ASK),
    (Assurance.NOBODY, RepliesTo.NOTHING, Says.SETS, NOTHING_OPEN, Action.RUN),
    (Assurance.FROM, RepliesTo.OPEN, Says.MORE, QUESTION, Action.ASK),
    (Assurance.TOKEN, RepliesTo.OTHER, Says.LOOKS, NOTHING_OPEN, Action.ASK),
    (Assurance.TOKEN, RepliesTo.OTHER, Says.ACTS, NOTHING_OPEN, Action.ASK),
    # A stranger.
    (Assurance.NOBODY, RepliesTo.NOTHING, Says.ACTS, NOTHING_OPEN, Action.ASK),
    (Assurance.NOBODY, RepliesTo.OPEN, Says.YES, QUESTION, Action.ASK),
    (Assurance.NOBODY, RepliesTo.NOTHING, Says.LOOKS, NOTHING_OPEN, Action.RUN),
    (Assurance.NOBODY, RepliesTo.NOTHING, Says.WORDS, NOTHING_OPEN, Action.RUN),
    (Assurance.NOBODY, RepliesTo.NOTHING, Says.NOTHING, NOTHING_OPEN, Action.RUN),
)


@each_row(("who", "answers", "says", "is_open", "action"), BY_THE_RULES)
def test_a_request_is_decided(
    who: Assurance, answers: RepliesTo, says: Says, is_open: Open, action: Action
) -> None:
    assert action_of(who, answers, says, is_open) is action


EVERYTHING = """
         -         offer     quest.    both
PLAYER
open     CRC?RRRRR CRC?RRRRR CRC?RRRRR CRC?RRRRR
closed   LRLRRRRRR LRLRRRRRR LRLRRRRRR LRLRRRRRR
lost     RRRRRRRRR RRRRRRRRR ??RRRRRRR ??RRRRRRR
other    RRRRRRRRR RRRRRRRRR RRRRRRRRR RRRRRRRRR
nothing  RRRRRRRRR RRRRRRRRR ??RRRRRRR RRRRRRRRR
FROM
open     ??A?ARRAR ??A?ARRAR ??A?ARRAR ??A?ARRAR
closed   ??A?ARRAR ??A?ARRAR ??A?ARRAR ??A?ARRAR
lost     ??A?ARRAR ??A?ARRAR ??A?ARRAR ??A?ARRAR
other    AAAAARRAR AAAAARRAR AAAAARRAR AAAAARRAR
nothing  AAAAARRAR AAAAARRAR ??AAARRAR AAAAARRAR
TOKEN
open     ??A?AAAAA ??A?AAAAA ??A?AAAAA ??A?AAAAA
closed   ??A?AAAAA ??A?AAAAA ??A?AAAAA ??A?AAAAA
lost     ??A?AAAAA ??A?AAAAA ??A?AAAAA ??A?AAAAA
other    AAAAAAAAA AAAAAAAAA AAAAAAAAA AAAAAAAAA
nothing  AAAAAAAAA AAAAAAAAA ??AAAAAAA AAAAAAAAA
ADDRESS
open     CRC?RRRRR CRC?RRRRR CRC?RRR?R CRC?RRR?R
closed   RRRRRRRRR RRRRRRRRR RRRRRRR?R RRRRRRR?R
lost     RRRRRRRRR RRRRRRRRR RRRRRRR?R RRRRRRR?R
other    RRRRRRRRR RRRRRRRRR RRRRRRR?R RRRRRRR?R
nothing  RRRRRRRRR RRRRRRRRR RRRRRRR?R RRRRRRR?R
NOBODY
open     AAARARRRR AAARARRRR AAARARRRR AAARARRRR
closed   AAARARRRR AAARARRRR AAARARRRR AAARARRRR
lost     AAARARRRR AAARARRRR AAARARRRR AAARARRRR
other    AAARARRRR AAARARRRR AAARARRRR AAARARRRR
nothing  AAARARRRR AAARARRRR AAARARRRR AAARARRRR
"""
"""Every combination, by sender, answered letter and open questions.

The columns are yes, no, more, unclear, acts, sets, looks, words and nothing. The letters are (R)un, (C)onfirm,
(L)ate, (A)sk, and ask again (?).
"""
LETTERS = dict(zip("RCLA?", Action, strict=True))


def test_every_combination_is_decided_as_it_is_written_down() -> None:
    _, *lines = EVERYTHING.strip("\n").splitlines()
    fields = [line.split()[1:] for line in lines if line not in Assurance.__members__]
    written = [LETTERS[one] for field in fields for column in field for one in column]
    opens = [replace(one, question=question) for question in (False, True) for one in (NOTHING_OPEN, OFFER)]
    every = product(Assurance, RepliesTo, opens, Says)
    for (who, answers, is_open, says), action in zip(every, written, strict=True):
        assert action_of(who, answers, says, is_open) is action, (who, answers, says, is_open)


def test_who_is_less_than_proven_only_looks_or_sets_or_is_asked() -> None:
    for who, answers, says, is_open in EVERY:
        if who not in PROVEN:
            match action_of(who, answers, says, is_open):
                case Action.RUN:
                    assert says in (Says.UNCLEAR, Says.SETS, Says.LOOKS, Says.WORDS, Says.NOTHING)
                case action:
                    assert action in (Action.ASK, Action.ASK_AGAIN)


def test_who_is_less_than_proven_has_nothing_asked_again_but_by_a_bare_answer() -> None:
    """Asking again sends a letter to the seat's owner and opens a question. A stranger never causes that."""
    for who, answers, says, is_open in EVERY:
        if who not in PROVEN and action_of(who, answers, says, is_open) is Action.ASK_AGAIN:
            assert who is not Assurance.NOBODY
            assert says in BARE
            assert answers in QUESTIONS or (answers is RepliesTo.NOTHING and is_open.question)


def test_words_in_a_game_reach_nobody_from_who_is_less_than_proven() -> None:
    """In a game chat counts as an action. `WORDS` is chat outside any game."""
    for answers, says, is_open in product(RepliesTo, Says, OPENS):
        assert action_of(Assurance.TOKEN, answers, says, is_open) is not Action.RUN
        if says not in (Says.SETS, Says.LOOKS, Says.NOTHING):
            assert action_of(Assurance.FROM, answers, says, is_open) is not Action.RUN


def test_only_a_yes_to_the_very_letter_confirms() -> None:
    for who, answers, says, is_open in EVERY:
        if action_of(who, answers, says, is_open) is Action.CONFIRM:
            assert answers is RepliesTo.OPEN
            assert says in (Says.YES, Says.MORE)


@each_row("row", TABLE)
def test_every_row_decides_something(row: AuthorityRule) -> None:
    """A row that never matches first would be useless."""
    assert any(
        next(one for one in TABLE if one.matches(who, says, asked(answers, is_open))) is row
        for who, answers, says, is_open in EVERY
    )
