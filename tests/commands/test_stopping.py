"""`stop`: the sender gets no more mail."""

from dataclasses import replace

from takmail.commands import turning_away
from takmail.games.interface import Seat
from takmail.world.events import (
    InvitationDeclined,
    LettersSuspended,
    MailStopped,
    OpponentStoppedMail,
    QuestionClosed,
    SeeksClosed,
)
from takmail.world.ids import GameNumber, PlayerId, QuestionId, SeekNumber
from takmail.world.kinds import Standing
from tests.commands.build import ADA, AS_ADA, AS_BEN, after, context, first, game, kinds, player
from tests.commands.people import AS_FAY, by_new, people, question, seek_of

STOPPED = MailStopped(player=PlayerId(1), running=0)


def test_who_has_nothing_open_just_hears_nothing_more() -> None:
    before = context(stored=people())
    answer = turning_away.stop(before)
    assert answer == (STOPPED, LettersSuspended(address=ADA))
    later = after(before, answer)
    assert later.player is not None
    assert later.player.wants_no_mail


def test_all_that_waits_for_them_ends_in_this_order() -> None:
    both = player(1, "Ada", ADA, "ada@example.net")
    stored = people().put(
        both,
        game(number=1, players=(both, AS_BEN)),
        game(number=2, players=(AS_FAY, both), standing=Standing.ADJOURNED),
        game(number=3, players=(AS_BEN, both), standing=Standing.INVITED),
        game(number=4, players=(AS_FAY, both), standing=Standing.INVITED, asked_at=None),
        game(number=5, players=(both, AS_FAY), standing=Standing.INVITED),
        game(number=6, players=(both, AS_FAY), standing=Standing.OVER),
        seek_of(1, 1),
        seek_of(2, 2),
        seek_of(3, 1, "6"),
    )
    stored.questions += [question(7), question(8, address="ben@example.org")]
    answer = turning_away.stop(context(by=both, stored=stored))
    assert answer == (
        MailStopped(player=PlayerId(1), running=2),
        LettersSuspended(address=ADA),
        LettersSuspended(address="ada@example.net"),
        SeeksClosed(numbers=(SeekNumber(1), SeekNumber(3))),
        QuestionClosed(question=QuestionId(7)),
        InvitationDeclined(game=GameNumber(3), seat=Seat.SECOND, has_own_letter=True),
        OpponentStoppedMail(game=GameNumber(1), seat=Seat.FIRST),
        OpponentStoppedMail(game=GameNumber(2), seat=Seat.SECOND),
    )


def test_opponents_are_told_once() -> None:
    before = context(game(), stored=people())
    later = after(before, turning_away.stop(before))
    assert kinds(turning_away.stop(later)) == ["MailStopped", "LettersSuspended"]
    assert first(turning_away.stop(later)) == replace(STOPPED, running=1)


def test_a_question_that_this_mail_has_closed_is_not_closed_twice() -> None:
    stored = people()
    stored.questions += [question(7), question(8)]
    here = after(context(stored=stored), (QuestionClosed(question=QuestionId(7)),))
    answer = turning_away.stop(here)
    assert isinstance(answer, tuple)
    assert [one for one in answer if isinstance(one, QuestionClosed)] == [
        QuestionClosed(question=QuestionId(8))
    ]


def test_an_address_that_nobody_knows_can_stop_too() -> None:
    before = by_new(people())
    answer = turning_away.stop(before)
    assert kinds(answer) == ["MailStopped", "PlayerJoined", "PlayerNamed", "LettersSuspended"]
    later = after(before, answer)
    assert later.player is not None
    assert later.player.mailboxes[0].is_suspended
    assert later.player.id not in (AS_ADA.id, AS_BEN.id)
