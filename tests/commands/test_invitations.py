"""Which invitations are sent now, and which wait."""

from dataclasses import replace

import pytest

from takmail.commands import invitations
from takmail.commands.context import Context
from takmail.world.events import InvitationWritten
from takmail.world.game import Game
from takmail.world.kinds import GameNumber, Standing
from takmail.world.players import Player
from tests.commands.build import (
    AS_ADA,
    AS_BEN,
    BEN,
    EARLIER,
    NOW,
    Stored,
    after,
    context,
    game,
    kinds,
    news_of,
    player,
)
from tests.commands.people import AS_FAY, people
from tests.support.corrupt import corrupt

HOSTS = [player(number, f"Host {number}", f"host{number}@example.org") for number in range(10, 20)]
STRANGER = player(2, "Ben", BEN, verified_at=None, is_named=False)
STOPPED = replace(AS_BEN, mailboxes=tuple(replace(one, stopped_at=EARLIER) for one in AS_BEN.mailboxes))


def invited(number: int, host: Player, guest: Player, *, asked: bool = True) -> Game:
    pair = (host, guest)
    return game(number=number, players=pair, standing=Standing.INVITED, asked_at=EARLIER if asked else None)


def asks(stored: Stored, guest: Player) -> bool:
    """Tell whether Ada may invite a guest now."""
    new = invited(90, AS_ADA, guest, asked=False)
    before = context(stored=stored.put(new))
    answer = invitations.ask(before, new.record, guest)
    later = after(before, answer)
    is_asked = bool(news_of(answer))
    assert news_of(answer) == ((InvitationWritten(game=new.number, written_at=NOW),) if is_asked else ())
    assert later.world.game(new.number).record.invitation.written_at == (NOW if is_asked else None)
    assert later.world.player(guest.id).invitations_wait is not is_asked
    return is_asked


def test_who_plays_here_is_asked() -> None:
    assert asks(people(), AS_BEN)


@pytest.mark.parametrize("guest", [STOPPED, replace(AS_BEN, is_blocked=True)])
def test_who_wants_no_mail_or_is_blocked_is_not(guest: Player) -> None:
    assert not asks(people().put(guest), guest)


def test_who_blocks_the_host_is_not() -> None:
    stored = people()
    stored.block(AS_BEN.id, AS_ADA.id)
    assert not asks(stored, stored.players[AS_BEN.id])


def test_one_host_asks_one_question_at_a_time() -> None:
    assert not asks(people().put(invited(1, AS_ADA, AS_BEN)), AS_BEN)
    assert asks(people().put(game(number=1, standing=Standing.DECLINED)), AS_BEN)


def test_who_has_never_written_is_asked_once_in_their_life() -> None:
    assert asks(people().put(STRANGER), STRANGER)
    for standing in (Standing.INVITED, Standing.DECLINED):
        asked = game(players=(AS_FAY, STRANGER), standing=standing)
        assert not asks(people().put(asked), STRANGER)
    unasked = game(players=(AS_FAY, STRANGER), standing=Standing.DECLINED, asked_at=None)
    assert asks(people().put(unasked), STRANGER)


@pytest.mark.parametrize(
    ("plays", "waiting", "may"),
    [(False, 0, True), (False, 1, False), (True, 4, True), (True, 5, False)],
)
def test_who_plays_may_have_five_that_wait_and_anybody_else_one(plays: bool, waiting: int, may: bool) -> None:
    stored = people()
    for number in range(waiting):
        stored.put(invited(number + 1, HOSTS[number], AS_BEN))
    if plays:
        stored.put(game(number=50, players=(AS_FAY, AS_BEN), standing=Standing.OVER))
    assert asks(stored, AS_BEN) is may


def waits(by: Player, *tables: Game) -> Context:
    flagged = replace(by, invitations_wait=True)
    return context(by=flagged, stored=people().put(flagged, *tables))


def test_nobody_is_looked_for_who_has_none_that_waits() -> None:
    assert invitations.ask_next(context(stored=people().put(invited(1, AS_BEN, AS_ADA, asked=False)))) == ()
    assert invitations.ask_next(context(by=None, stored=people())) == ()


def test_one_of_a_corrupt_game_keeps_nobody_from_the_next_one() -> None:
    host, other = HOSTS[:2]
    broken = corrupt(invited(1, host, AS_ADA, asked=False))
    answer = invitations.ask_next(waits(AS_ADA, broken, invited(2, other, AS_ADA, asked=False)))
    assert news_of(answer) == (InvitationWritten(game=GameNumber(2), written_at=NOW, comes_last=True),)


def test_the_oldest_that_waits_is_written_and_the_next_one_goes_on_waiting() -> None:
    host, other = HOSTS[:2]
    here = waits(AS_ADA, invited(1, host, AS_ADA, asked=False), invited(2, other, AS_ADA, asked=False))
    answer = invitations.ask_next(here)
    assert news_of(answer) == (InvitationWritten(game=GameNumber(1), written_at=NOW, comes_last=True),)
    later = after(here, answer)
    asked_at = [later.world.game(GameNumber(number)).record.invitation.written_at for number in (1, 2)]
    assert asked_at == [NOW, None]
    assert later.player is not None
    assert later.player.invitations_wait


def test_who_plays_sees_several_of_different_hosts_and_then_none_waits() -> None:
    host, other = HOSTS[:2]
    here = waits(
        AS_ADA,
        game(number=1),
        invited(2, host, AS_ADA, asked=False),
        invited(3, other, AS_ADA, asked=False),
    )
    answer = invitations.ask_next(here)
    assert kinds(answer) == ["InvitationWritten", "InvitationWritten"]
    later = after(here, answer)
    assert later.player is not None
    assert not later.player.invitations_wait
    assert invitations.ask_next(later) == ()


def test_a_second_one_of_the_same_host_waits() -> None:
    host = HOSTS[0]
    here = waits(
        AS_ADA,
        game(number=1),
        invited(2, host, AS_ADA, asked=False),
        invited(3, host, AS_ADA, asked=False),
    )
    answer = invitations.ask_next(here)
    assert kinds(answer) == ["InvitationWritten"]
    later = after(here, answer)
    assert later.player is not None
    assert later.player.invitations_wait


def test_waiting_for_somebody_are_those_of_others() -> None:
    stored = people().put(invited(1, AS_BEN, AS_ADA), invited(2, AS_ADA, AS_BEN), game(number=3))
    assert [one.number for one in invitations.waiting_for(context(stored=stored), AS_ADA)] == [1]
