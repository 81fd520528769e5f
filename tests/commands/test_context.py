"""A command sees the effects of the commands before it in the same mail."""

from dataclasses import replace

import pytest

from takmail.commands import addresses, new_game, seek
from takmail.commands.context import Context
from takmail.commands.evolve import evolved
from takmail.commands.grammar.arguments import OneAddress
from takmail.commands.grammar.invitation_forms import New, SeekGame
from takmail.games.interface import Seat
from takmail.world import events as ev
from takmail.world.events import QuestionClosed
from takmail.world.ids import GameNumber, MessageId, PlayerId, QuestionId, SeekNumber
from takmail.world.kinds import Standing
from takmail.world.letters import WaitingChat
from takmail.world.players import Mailbox
from tests.commands.build import ADA, AS_ADA, AS_BEN, BEN, NOW, Stored, context, game, player
from tests.commands.people import AS_FAY, behind, by_new, people, question, seek_of
from tests.support.orders import do


def test_chance_is_the_same_for_a_second_attempt_and_another_for_each_purpose_and_command() -> None:
    before = context(stored=people())
    later = behind(before, new_game.invite(before, New(("5",), "me", opponent="Ben", kind="tak")))
    rngs = [before.rng("seats"), before.rng("seats"), before.rng("set-up"), later.rng("seats")]
    one, again, other, behind_it = (rng.random() for rng in rngs)
    assert one == again
    assert len({one, other, behind_it}) == 3


def test_an_empty_store_gives_the_first_numbers() -> None:
    here = by_new(Stored())
    assert (here.next_game(), here.next_player(), here.next_seek()) == (1, 1, 1)


def test_numbers_that_this_mail_has_given_are_given_no_more() -> None:
    before = by_new(people().put(game(number=7), seek_of(4, 2)))
    later = behind(
        before, new_game.invite(before, New(("5",), "me", opponent="dora@example.org", kind="tak"))
    )
    later = behind(later, seek.seek(later, SeekGame(("6",), None, None, kind="tak")))
    assert (later.next_game(), later.next_player(), later.next_seek()) == (9, 6, 6)
    assert [one.number for one in later.seeks()] == [4, 5]
    assert later.seek(SeekNumber(5)) is not None


def test_who_removes_the_address_that_they_write_from_is_still_the_sender() -> None:
    both = player(1, "Ada", "ada@example.net").with_mailbox(Mailbox(ADA, verified_at=NOW, added_at=NOW))
    before = context(by=both, stored=people().put(both))
    later = behind(before, addresses.remove(before, OneAddress(ADA)))
    assert later.player is not None
    assert later.player.addresses == ("ada@example.net",)
    assert later.player_by_address(ADA) is None


def test_an_invitation_that_this_mail_has_written_counts() -> None:
    before = context(stored=people())
    later = behind(
        before, new_game.invite(before, New(("5",), "me", opponent="dora@example.org", kind="tak"))
    )
    assert not later.was_asked(AS_ADA.id)
    assert later.was_asked(PlayerId(4))
    assert [one.number for one in later.games_of(AS_ADA.id, Standing.INVITED)] == [1]


def test_the_last_beginner_is_of_this_pair_and_kind() -> None:
    table = game(number=1, players=(AS_BEN, AS_ADA), standing=Standing.INVITED)
    stored = people().put(game(number=2, players=(AS_FAY, AS_ADA)))
    before = context(table, AS_ADA, stored=stored)
    later = behind(before, do(before, "accept"))
    assert later.last_beginner("tak", AS_ADA.id, AS_BEN.id) == AS_BEN.id
    assert later.last_beginner("tak", AS_ADA.id, AS_FAY.id) == AS_FAY.id
    assert later.last_beginner("nim", AS_ADA.id, AS_BEN.id) is None


def test_a_question_that_is_closed_is_open_no_more() -> None:
    stored = people()
    stored.questions += [question(1), question(2)]
    here = replace(context(stored=stored), events=(QuestionClosed(question=QuestionId(1)),))
    assert [one.id for one in here.questions_to(ADA)] == [2]
    assert here.questions_to("ben@example.org") == []


LATE = GameNumber(7)
ADAS, BENS = PlayerId(1), PlayerId(2)


def with_words() -> Stored:
    """Return a game in which chat of both players waits. Ada's is in a postponed letter."""
    put_off = MessageId("<put.off@example.test>")
    words = (WaitingChat(3, Seat.FIRST, "Hello", put_off), WaitingChat(4, Seat.SECOND, "Hi"))
    table = replace(game(number=LATE), waiting_chat=words)
    seeking = replace(AS_BEN, mailboxes=tuple(replace(one, bounces=1) for one in AS_BEN.mailboxes))
    return people().put(replace(table, players=(AS_ADA, seeking)))


def done_before(before: Context, *events: ev.Event) -> Context:
    return before.after(evolved(before.services, before.now, before.world, events), events)


@pytest.mark.parametrize(
    "event",
    [
        ev.LettersReleased(address=BEN, player=BENS, max_postponed=5),
        ev.ChatDropped(player=BENS),
        ev.ChatDropped(player=ADAS, reader=BENS),
        ev.PlayerBlocked(player=BENS, other=ADAS, name="Ada"),
        ev.PlayerUnblocked(player=BENS, other=ADAS, name="Ada", is_changed=True),
        ev.PlayerNamed(player=BENS, name="Benjamin", skeleton="benjamin"),
        ev.MailStopped(player=BENS, running=1),
        ev.BlockedByOperator(player=ADAS, is_blocked=True),
        ev.MailboxBounced(address=BEN, bounces_before=1),
        ev.QuestionClosed(question=QuestionId(4)),
        ev.QuestionAsked(question=replace(question(-1), game=GameNumber(1))),
        ev.InvitationDeclined(game=GameNumber(1), seat=Seat.SECOND),
    ],
    ids=lambda event: type(event).__name__,
)
@pytest.mark.parametrize("knows_writer", [True, False])
def test_a_game_is_loaded_late_as_if_it_had_been_there_from_the_beginning(
    event: ev.Event, *, knows_writer: bool
) -> None:
    stored = with_words()
    writer = stored.players[BENS] if knows_writer else AS_ADA
    before = context(game(number=1, players=(AS_ADA, stored.players[BENS])), writer, stored=stored)
    late = done_before(before, event).with_games(LATE)
    early = done_before(replace(before, world=before.with_games(LATE)), event).world
    assert late == early


def test_what_two_events_make_of_a_player_is_not_done_twice() -> None:
    stored = with_words()
    before = context(None, stored.players[BENS], stored=stored)
    here = done_before(before, *(ev.MailboxBounced(address=BEN, bounces_before=count) for count in (1, 2)))
    late = here.with_games(LATE)
    assert late.players[BENS].mailboxes[0].bounces == 3
    assert late.games[LATE].players == (late.players[ADAS], late.players[BENS])


def test_a_game_that_is_only_looked_at_is_as_this_mail_has_left_it() -> None:
    here = done_before(context(stored=with_words()), ev.ChatDropped(player=BENS))
    found = here.find_table(LATE)
    assert [one.seat for one in found.waiting_chat] == [Seat.FIRST]  # type: ignore[union-attr]
    assert here.find_table(GameNumber(8)) is None
