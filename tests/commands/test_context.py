"""A command sees the effects of the commands before it in the same mail."""

from dataclasses import replace

from takmail.commands import addresses, new_game, seek
from takmail.commands.beginnings import choose_seat
from takmail.commands.grammar.arguments import OneAddress
from takmail.commands.grammar.invitation_forms import New, SeekGame
from takmail.commands.questions import closing
from takmail.games.interface import Seat
from takmail.pipeline.results import carried_out
from takmail.world.kinds import PlayerId, Standing
from takmail.world.pace import NO_TIMING
from takmail.world.players import Mailbox
from tests.commands.build import ADA, AS_ADA, AS_BEN, NOW, Stored, after, context, game, player
from tests.commands.people import AS_FAY, by_new, people, question, seek_of
from tests.support.orders import do


def test_chance_is_the_same_for_a_second_attempt_and_another_for_each_purpose_and_command() -> None:
    before = context(stored=people())
    later = carried_out(before, "new", new_game.invite(before, New(("5",), "me", opponent="Ben", kind="tak")))
    rngs = [before.rng("seats"), before.rng("seats"), before.rng("set-up"), later.rng("seats")]
    one, again, other, behind_it = (rng.random() for rng in rngs)
    assert one == again
    assert len({one, other, behind_it}) == 3


def test_an_empty_store_gives_the_first_numbers() -> None:
    here = by_new(Stored())
    assert (here.next_game(), here.next_player(), here.next_seek()) == (1, 1, 1)


def test_numbers_that_this_mail_has_given_are_given_no_more() -> None:
    before = by_new(people().put(game(number=7), seek_of(4, 2)))
    later = after(before, new_game.invite(before, New(("5",), "me", opponent="dora@example.org", kind="tak")))
    later = after(later, seek.seek(later, SeekGame(("6",), None, NO_TIMING, kind="tak")))
    assert (later.next_game(), later.next_player(), later.next_seek()) == (9, 6, 6)
    assert [one.number for one in later.world.every_seek()] == [4, 5]


def test_who_removes_the_address_that_they_write_from_is_still_the_sender() -> None:
    both = player(1, "Ada", "ada@example.net").with_mailbox(Mailbox(ADA, verified_at=NOW, added_at=NOW))
    before = context(by=both, stored=people().put(both))
    later = after(before, addresses.remove(before, OneAddress(ADA)))
    assert later.player is not None
    assert later.player.addresses == ("ada@example.net",)
    assert later.world.owner(ADA) is None


def test_an_invitation_that_this_mail_has_written_counts() -> None:
    before = context(stored=people())
    later = after(before, new_game.invite(before, New(("5",), "me", opponent="dora@example.org", kind="tak")))
    assert [one.guest for one in later.world.games_of(PlayerId(4), *Standing)] == [4]
    assert [one.number for one in later.world.games_of(AS_ADA.id, Standing.INVITED)] == [1]


def test_the_seats_alternate_with_the_last_game_of_this_pair_and_kind() -> None:
    table = game(number=1, players=(AS_BEN, AS_ADA), standing=Standing.INVITED)
    stored = people().put(game(number=2, players=(AS_ADA, AS_FAY)))
    before = context(table, AS_ADA, stored=stored)
    later = after(before, do(before, "accept"))
    assert choose_seat(later, "tak", AS_ADA, AS_BEN, None) is Seat.FIRST
    assert choose_seat(later, "tak", AS_ADA, AS_FAY, None) is Seat.SECOND
    of_another_kind = (
        choose_seat(replace(later, seed=bytes([at])), "nim", AS_ADA, AS_BEN, None) for at in range(30)
    )
    assert {*of_another_kind} == {*Seat}


def test_a_question_that_is_closed_is_open_no_more() -> None:
    stored = people()
    stored.questions += [question(1), question(2)]
    before = context(stored=stored)
    here = after(before, closing(before.world.questions_to(ADA)[:1]))
    assert here.world.closed_questions == {1}
    assert [one.id for one in here.world.questions_to(ADA)] == [2]
    assert here.world.questions_to("ben@example.org") == []
