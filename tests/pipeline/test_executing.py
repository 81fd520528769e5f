"""How a context takes up a command's events: which players and games it loads, and where the answer goes."""

from dataclasses import replace

from takmail.commands import new_game, seek, turning_away
from takmail.commands.answers import Assurance, SeatClaim
from takmail.commands.bidding import Bid
from takmail.commands.context import Context
from takmail.commands.grammar.arguments import AddressIsMine, FreeName
from takmail.commands.grammar.invitation_forms import Join, New
from takmail.games.interface import Seat
from takmail.pipeline.results import carried_out
from takmail.world.events import GameBegun, PlayerErased
from takmail.world.game_changes import with_bid
from takmail.world.kinds import PlayerId, Standing
from tests.commands.build import ADA, AS_ADA, AS_BEN, context, done, game
from tests.commands.people import AS_FAY, NEW, by_new, people, seek_of
from tests.support.orders import do


def in_game(before: Context) -> Context:
    """Return the context of a mail that was provably written by its seat's player."""
    return replace(before, claim=SeatClaim(before.game.number, before.you, Assurance.PLAYER))


def placed(work: Context) -> tuple[int, Seat] | None:
    """Return the seat in whose thread the answer goes, which is also the seat of the next command."""
    assert (work.claim is None) == (work.game_number is None)
    if work.claim is None:
        return None
    assert (work.claim.game, work.claim.seat) == (work.game_number, work.seat)
    return work.claim.game, work.claim.seat


def test_an_invitation_is_answered_in_its_own_thread() -> None:
    work = by_new(people(), "Dora")
    work = carried_out(
        work, "", new_game.invite(work, New(("5",), "them", opponent="kim@example.org", kind="tak"))
    )
    assert placed(work) == (1, Seat.SECOND)
    assert work.game.names == ("Kim", "Dora")
    work = carried_out(work, "", new_game.invite(work, New(("5",), "me", opponent="Ben", kind="tak")))
    assert placed(work) == (1, Seat.SECOND)
    assert sorted(work.world.games) == [1, 2]


def test_who_joins_from_a_mail_about_no_game_is_answered_in_the_new_one() -> None:
    stored = people().put(seek_of(1, 2, first="me"))
    work = context(stored=stored)
    assert placed(carried_out(work, "", seek.join(work, Join(1)))) == (1, Seat.SECOND)
    work = in_game(context(game(players=(AS_ADA, AS_FAY)), stored=people().put(seek_of(1, 2, first="me"))))
    assert placed(carried_out(work, "", seek.join(work, Join(1)))) == (1, Seat.FIRST)


def test_a_rematch_that_begins_is_answered_in_the_new_game() -> None:
    invited = game(number=2, players=(AS_BEN, AS_ADA), standing=Standing.INVITED, rematch_of=1)
    work = in_game(context(game(standing=Standing.OVER), stored=people().put(invited)))
    work = carried_out(work, "", do(work, "rematch"))
    assert isinstance(work.so_far.happened[0], GameBegun)
    assert placed(work) == (2, Seat.SECOND)
    assert work.game.record.standing == Standing.OPEN


def test_who_makes_the_second_bid_sits_where_the_bids_have_put_them() -> None:
    table = game(setup="5 rules=university", standing=Standing.BIDDING)
    work = in_game(context(with_bid(table, Seat.FIRST, 3), AS_BEN))
    assert placed(work) == (1, Seat.SECOND)
    work = carried_out(work, "", do(work, Bid("4")))
    assert placed(work) == (1, Seat.FIRST)
    assert work.game.names == ("Ben", "Ada")


def test_the_owner_of_an_added_address_is_the_sender_from_then_on() -> None:
    work = by_new(people())
    work = carried_out(work, "", do(work, AddressIsMine(1)))
    assert work.player is not None
    assert work.player.addresses == (ADA, NEW)
    work = carried_out(work, "", new_game.invite(work, New(("5",), "me", opponent="Ben", kind="tak")))
    assert work.game.names == ("Ada", "Ben")


def test_games_that_a_command_names_are_loaded_with_their_players() -> None:
    stored = people().put(
        game(number=2, players=(AS_FAY, AS_ADA)),
        game(number=3, players=(AS_BEN, AS_ADA), standing=Standing.INVITED),
    )
    before = context(stored=stored)
    blocked = carried_out(before, "", do(before, "block", FreeName("Ben"))).world
    assert {number: one.record.standing for number, one in blocked.games.items()} == {3: Standing.DECLINED}
    stopped = carried_out(before, "", turning_away.stop(before)).world
    assert stopped.game(game(number=2).number).players[1].wants_no_mail


def test_who_has_left_is_nobody_and_gone_at_every_table() -> None:
    other = game(number=2, players=(AS_FAY, AS_ADA))
    work = in_game(context(game(), stored=people().put(other)))
    work = carried_out(work, "", turning_away.forget_me(work))
    assert (placed(work), work.player, bool(done(work, PlayerErased))) == (None, None, True)
    state = work.world
    tables = [state.game(game(number=one).number) for one in (1, 2)]
    assert [tuple(one.is_erased for one in table.players) for table in tables] == [
        (True, False),
        (False, True),
    ]
    assert {one.record.standing for one in state.games.values()} == {Standing.OVER}
    assert state.player(PlayerId(1)).is_erased
