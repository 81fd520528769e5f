"""`stop`: the sender gets no more mail."""

from dataclasses import replace

from takmail.commands import turning_away
from takmail.games.interface import Seat
from takmail.world.events import InvitationDeclined, MailStopped, OpponentStoppedMail
from takmail.world.kinds import GameNumber, Standing
from takmail.world.operations import SuspendLetters, WithdrawToSeat
from tests.commands.build import ADA, AS_ADA, AS_BEN, NOW, after, context, game, kinds, news_of, player
from tests.commands.people import AS_FAY, NEW, by_new, people, question, seek_of

STOPPED = MailStopped(player=AS_ADA.id, stopped_at=NOW, running=0)


def test_who_has_nothing_open_just_hears_nothing_more() -> None:
    before = context(stored=people())
    answer = turning_away.stop(before)
    assert news_of(answer) == (STOPPED,)
    later = after(before, answer)
    assert later.world.operations == (SuspendLetters(address=ADA),)
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
    before = context(by=both, stored=stored)
    answer = turning_away.stop(before)
    assert news_of(answer) == (
        replace(STOPPED, running=2),
        InvitationDeclined(game=GameNumber(3), seat=Seat.SECOND, has_own_letter=True),
        OpponentStoppedMail(game=GameNumber(1), seat=Seat.FIRST),
        OpponentStoppedMail(game=GameNumber(2), seat=Seat.SECOND),
    )
    later = after(before, answer).world
    assert later.operations == (
        SuspendLetters(address=ADA),
        SuspendLetters(address="ada@example.net"),
        WithdrawToSeat(game=GameNumber(3), seat=Seat.SECOND),
    )
    assert all(one.stopped_at == NOW for one in later.player(both.id).mailboxes)
    assert [one.number for one in later.every_seek()] == [2]
    assert [one.id for one in later.questions_to(ADA, "ben@example.org")] == [8]
    assert {number: later.game(number).record.standing for number in map(GameNumber, range(1, 7))} == {
        1: Standing.OPEN,
        2: Standing.ADJOURNED,
        3: Standing.DECLINED,
        4: Standing.INVITED,
        5: Standing.INVITED,
        6: Standing.OVER,
    }


def test_an_address_that_nobody_knows_can_stop_too() -> None:
    before = by_new(people())
    answer = turning_away.stop(before)
    assert kinds(answer) == ["MailStopped"]
    later = after(before, answer)
    assert later.world.operations == (SuspendLetters(address=NEW),)
    assert later.player is not None
    assert later.player.mailboxes[0].is_suspended
    assert (later.player.id, later.player.addresses) == (4, (NEW,))
