"""The commands block and unblock."""

from dataclasses import replace

import pytest

from takmail.commands import turning_away
from takmail.commands.answers import Answer, Refusal
from takmail.commands.grammar.arguments import FreeName
from takmail.games.interface import Seat
from takmail.world.events import InvitationDeclined, PlayerBlocked, PlayerUnblocked
from takmail.world.kinds import GameNumber, Standing
from takmail.world.letters import Correspondence, WaitingChat
from takmail.world.operations import DropChat
from takmail.world.players import Player
from tests.commands.build import AS_ADA, AS_BEN, EARLIER, after, context, facts_of, game, kinds, news_of
from tests.commands.people import AS_FAY, by_new, people
from tests.support.orders import do

BLOCKED = PlayerBlocked(player=AS_ADA.id, blocked=AS_BEN.id)


def names(answer: Answer) -> tuple[str, ...]:
    found = facts_of(answer, "blocks")
    return found.names


@pytest.mark.parametrize(("name", "reason"), [("Mia", "block_nobody"), ("Ada", "block_yourself")])
def test_nobody_blocks_nobody_or_themselves(name: str, reason: str) -> None:
    assert kinds(do(context(stored=people()), "block", FreeName(name))) == [reason]


def test_who_is_blocked_is_not_heard_of_any_more() -> None:
    table = game(players=(AS_BEN, AS_ADA))
    said = WaitingChat(2, Seat.FIRST, "hello")
    before = context(
        replace(table, correspondence=Correspondence(waiting_chat=(said,))), AS_ADA, stored=people()
    )
    answer = do(before, "block", FreeName("Ben"))
    assert news_of(answer) == (BLOCKED,)
    later = after(before, answer)
    assert later.world.operations == (DropChat(player=AS_BEN.id, reader=AS_ADA.id),)
    assert AS_BEN.id in later.world.player(AS_ADA.id).blocked
    assert later.game.correspondence.waiting_chat == ()
    assert AS_ADA.id not in later.world.player(AS_BEN.id).blocked
    assert names(turning_away.list_blocked(later)) == ("Ben",)
    again = after(later, do(later, "unblock", FreeName("Ben")))
    assert AS_BEN.id not in again.world.player(AS_ADA.id).blocked
    assert names(turning_away.list_blocked(again)) == ()


@pytest.mark.parametrize(
    ("host", "asked", "is_declined"),
    [(AS_BEN, True, True), (AS_BEN, False, False), (AS_FAY, True, False)],
)
def test_what_they_ask_already_is_declined_if_it_was_shown(
    host: Player, asked: bool, is_declined: bool
) -> None:
    at = EARLIER if asked else None
    stored = people().put(game(number=4, players=(host, AS_ADA), standing=Standing.INVITED, asked_at=at))
    before = context(stored=stored)
    answer = do(before, "block", FreeName("Ben"))
    declined = InvitationDeclined(game=GameNumber(4), seat=Seat.SECOND, has_own_letter=True)
    assert (declined in news_of(answer)) is is_declined
    standing = after(before, answer).world.game(GameNumber(4)).record.standing
    assert standing is (Standing.DECLINED if is_declined else Standing.INVITED)


def test_who_is_not_known_becomes_a_player_by_blocking() -> None:
    before = by_new(people(), "Dora")
    answer = do(before, "block", FreeName("Ben"))
    assert kinds(answer) == ["PlayerBlocked"]
    joined = after(before, answer).player
    assert joined is not None
    assert (joined.id, joined.name, joined.blocked) == (4, "Dora", {AS_BEN.id})


@pytest.mark.parametrize("is_changed", [True, False])
def test_to_unblock_tells_whether_it_has_changed_anything(is_changed: bool) -> None:
    stored = people()
    if is_changed:
        stored.block(AS_ADA.id, AS_BEN.id)
    before = context(stored=stored)
    answer = do(before, "unblock", FreeName("ben"))
    unblocked = PlayerUnblocked(player=AS_ADA.id, unblocked=AS_BEN.id, is_changed=is_changed)
    assert news_of(answer) == (unblocked,)
    assert after(before, answer).world.player(AS_ADA.id).blocked == frozenset()


def test_nobody_unblocks_whom_they_can_t_have_blocked() -> None:
    assert do(by_new(people()), "unblock", FreeName("Ben")) == Refusal("block_nobody", {"name": "Ben"})
    assert kinds(do(context(stored=people()), "unblock", FreeName("Mia"))) == ["block_nobody"]


def test_a_list_of_those_who_are_blocked() -> None:
    stored = people()
    for one, other in ((AS_ADA, AS_FAY), (AS_ADA, AS_BEN), (AS_BEN, AS_ADA)):
        stored.block(one.id, other.id)
    assert names(turning_away.list_blocked(context(stored=stored))) == ("Ben", "Fay")
    assert names(turning_away.list_blocked(by_new(stored))) == ()
