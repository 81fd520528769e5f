"""What a command knows of what its mail has done already."""

from dataclasses import replace

from takmail.commands import addresses, seek, start
from takmail.commands.events import QuestionClosed
from takmail.commands.grammar.commands import New, RemoveAddress, SeekGame
from takmail.commands.kinds import Standing
from takmail.commands.records import PlayerId, QuestionId, SeekNumber
from tests.commands.build import ADA, AS_ADA, AS_BEN, Stored, context, game, player
from tests.commands.people import AS_FAY, behind, by_new, people, question, seek_of


def test_chance_is_the_same_for_a_second_attempt_and_another_for_each_purpose_and_command() -> None:
    before = context(stored=people())
    later = behind(before, start.invite(before, New("Ben", ("5",), "me", kind="tak")))
    lots = [before.rng("seats"), before.rng("seats"), before.rng("set-up"), later.rng("seats")]
    one, again, other, behind_it = (lot.random() for lot in lots)
    assert one == again
    assert len({one, other, behind_it}) == 3


def test_an_empty_store_gives_the_first_numbers() -> None:
    here = by_new(Stored())
    assert (here.next_game(), here.next_player(), here.next_seek()) == (1, 1, 1)


def test_numbers_that_this_mail_has_given_are_given_no_more() -> None:
    before = by_new(people().put(game(number=7), seek_of(4, 2)))
    later = behind(before, start.invite(before, New("dora@example.org", ("5",), "me", kind="tak")))
    later = behind(later, seek.seek(later, SeekGame(("6",), None, None, kind="tak")))
    assert (later.next_game(), later.next_player(), later.next_seek()) == (9, 6, 6)
    assert [one.number for one in later.seeks()] == [4, 5]
    assert later.seek(SeekNumber(5)) is not None


def test_who_removes_the_address_that_they_write_from_is_still_the_sender() -> None:
    both = player(1, "Ada", ADA, "ada@example.net")
    before = context(by=both, stored=people().put(both))
    later = behind(before, addresses.remove(before, RemoveAddress(ADA)))
    assert later.player is not None
    assert later.player.addresses == ("ada@example.net",)
    assert later.player_by_address(ADA) is None


def test_an_invitation_that_this_mail_has_written_counts() -> None:
    before = context(stored=people())
    later = behind(before, start.invite(before, New("dora@example.org", ("5",), "me", kind="tak")))
    assert not later.was_asked(AS_ADA.id)
    assert later.was_asked(PlayerId(4))
    assert [one.number for one in later.games_of(AS_ADA.id, Standing.INVITED)] == [1]


def test_the_last_beginner_is_of_this_pair_and_kind() -> None:
    table = game(number=1, players=(AS_BEN, AS_ADA), standing=Standing.INVITED)
    stored = people().put(game(number=2, players=(AS_FAY, AS_ADA)))
    before = context(table, AS_ADA, stored=stored)
    later = behind(before, start.accept(before))
    assert later.last_beginner("tak", AS_ADA.id, AS_BEN.id) == AS_BEN.id
    assert later.last_beginner("tak", AS_ADA.id, AS_FAY.id) == AS_FAY.id
    assert later.last_beginner("nim", AS_ADA.id, AS_BEN.id) is None


def test_a_question_that_is_closed_is_open_no_more() -> None:
    stored = people()
    stored.questions += [question(1), question(2)]
    here = replace(context(stored=stored), events=(QuestionClosed(question=QuestionId(1)),))
    assert [one.id for one in here.questions_to(ADA)] == [2]
    assert here.questions_to("ben@example.org") == []
