"""`resign`, `yes` and `no`: a player resigns only after confirming it."""

from dataclasses import replace
from datetime import timedelta

import pytest

from takmail.commands.answers import Refusal, Told
from takmail.commands.context import Answered, Context, CurrentLine
from takmail.commands.questions import no, resign, yes
from takmail.games.interface import Seat
from takmail.world.events import ResignationAsked, Resigned
from takmail.world.kinds import GameNumber, Standing
from takmail.world.pending import LIFETIME, Pending
from takmail.world.waiting import PendingKind
from tests.commands.build import ADA, AS_ADA, NOW, after, context, first, game, kinds, news_of
from tests.commands.people import by_new, people, question
from tests.support.orders import do

ONE = GameNumber(1)


def to_seat(number: int, kind: PendingKind = PendingKind.RESIGN, seat: Seat = Seat.FIRST) -> Pending:
    return question(number, kind, address=None, game=ONE, seat=seat)


def asked(*questions: Pending) -> Context:
    return context(replace(game("ps b4"), pending=questions), AS_ADA)


def test_who_resigns_is_asked_first() -> None:
    found = first(do(context(game()), "resign"))
    assert isinstance(found, ResignationAsked)
    of_seat = (found.question.kind, found.question.game, found.question.seat, found.question.asked_at)
    assert of_seat == (PendingKind.RESIGN, 1, Seat.FIRST, NOW)


def test_a_letter_that_asked_before_may_still_be_answered() -> None:
    here = asked(to_seat(3), to_seat(4, PendingKind.HELD), to_seat(5, seat=Seat.SECOND))
    answer = do(here, "resign")
    assert kinds(answer) == ["ResignationAsked"]
    later = after(here, answer)
    assert [one.id for one in later.game.questions] == [3, 4, 5, -1]


def test_to_say_it_twice_in_a_mail_asks_once() -> None:
    before = context(game())
    assert do(after(before, do(before, "resign")), "resign") == Told("ask_resign")


@pytest.mark.parametrize("standing", [Standing.INVITED, Standing.ADJOURNED, Standing.OVER])
def test_only_an_open_game_is_given_up(standing: Standing) -> None:
    assert isinstance(do(context(game(standing=standing)), "resign"), Refusal)


RESIGNS = CurrentLine("resign", confirmed="resign")


def test_a_yes_gives_the_game_up() -> None:
    here = replace(asked(to_seat(3)), line=RESIGNS, answered=Answered(turn=1))
    answer = resign(here)
    assert news_of(answer) == (Resigned(game=ONE, seat=Seat.FIRST),)
    later = after(here, answer).game
    assert (later.record.standing, later.record.end.resigned, later.questions) == (
        Standing.OVER,
        Seat.FIRST,
        (),
    )
    assert later.result is not None
    assert later.result.winner == Seat.SECOND


def test_a_yes_from_before_another_turn_has_it_asked_again() -> None:
    here = replace(asked(to_seat(3)), line=RESIGNS, answered=Answered(turn=0))
    assert kinds(resign(here)) == ["ResignationAsked"]


@pytest.mark.parametrize(
    "questions",
    [
        (),
        (to_seat(3, seat=Seat.SECOND),),
        (to_seat(3, PendingKind.HELD),),
        (replace(to_seat(3), asked_at=NOW - LIFETIME - timedelta(seconds=1)),),
    ],
)
def test_a_yes_to_nothing_does_nothing(questions: tuple[Pending, ...]) -> None:
    assert yes(asked(*questions)) == Refusal("nothing_asked")


def test_a_yes_to_another_letter_has_it_asked_again() -> None:
    here = asked(to_seat(3))
    answer = yes(here)
    assert kinds(answer) == ["ResignationAsked"]
    assert [question.id for question in after(here, answer).game.questions] == [3, -1]


def test_a_yes_about_no_game_does_nothing() -> None:
    assert yes(replace(context(stored=people()), game_number=None, seat=None)) == Refusal("nothing_asked")


def test_a_no_drops_what_was_asked_of_the_seat() -> None:
    here = asked(to_seat(3), to_seat(4, PendingKind.HELD), to_seat(5, seat=Seat.SECOND))
    answer = no(here)
    assert kinds(answer) == ["QuestionsDropped"]
    assert [one.id for one in after(here, answer).game.questions] == [5]


def test_a_no_about_no_game_drops_what_was_asked_of_the_address() -> None:
    stored = people()
    stored.questions += [question(7), question(8, address="ben@example.org"), question(9)]
    before = context(stored=stored)
    answer = no(before)
    assert kinds(answer) == ["QuestionsDropped"]
    assert [one.id for one in after(before, answer).world.questions_to(ADA, "ben@example.org")] == [8]
    other = by_new(stored)
    assert kinds(no(other)) == ["QuestionsDropped"]
    assert [one.id for one in after(other, no(other)).world.questions_to(ADA, "ben@example.org")] == [7, 8, 9]
