"""Two mails decided at once: the second is decided again on the result of the first."""

import pytest

from takmail.limits.letters import MAX_BOUNCES
from takmail.pipeline.process import Conflict
from takmail.world import events
from takmail.world.kinds import GameNumber, LetterState, Standing
from takmail.world.operations import SuspendLetters
from tests.pipeline.test_process import AS_ADA, AS_BEN, begun, bounce_of, readers, table
from tests.support.memory import rows_of
from tests.support.memory_harness import MemoryHarness
from tests.support.players import ADA, BEN, Received, said

FAY, GUS = "fay@example.org", "gus@example.org"
AS_FAY, AS_GUS = f"Fay <{FAY}>", f"Gus <{GUS}>"


def at_once(people: MemoryHarness, first: bytes, second: bytes) -> tuple[list[Received], list[Received]]:
    """Process two mails, each decided before the other is stored. The second one conflicts and is processed again.

    Return the letters of each mail.
    """
    one, other = people.arrive(first), people.arrive(second)
    decided = people.decide(one), people.decide(other)
    letters = people.keep(decided[0])
    stored = rows_of(people.store)
    with pytest.raises(Conflict):
        people.keep(decided[1])
    assert rows_of(people.store) == stored
    return letters, people.keep(people.decide(other))


def mail(people: MemoryHarness, sender: str, text: str, answers: Received | None = None) -> bytes:
    return people.mail(sender, text, answers).as_bytes()


def test_of_two_who_join_the_second_hears_that_the_seek_is_gone() -> None:
    people = MemoryHarness()
    people.send(AS_ADA, "seek 5 first=me")
    people.confirms = False
    (fays,) = people.send(AS_FAY, "join 1")
    (guses,) = people.send(AS_GUS, "join 1")

    joined, told = at_once(people, mail(people, AS_FAY, "yes", fays), mail(people, AS_GUS, "yes", guses))

    assert sorted(readers(joined)) == [ADA, FAY]
    assert table(people).names == ("Ada", "Fay")
    assert readers(told) == [GUS]
    assert "seek #1 is not open" in said(told[0])
    assert "SeekJoined" not in people.happened
    assert len(people.memory.tables) == 1


def test_a_move_and_the_consent_to_take_the_turn_before_it_back() -> None:
    people = begun()
    people.play("ps a1")
    people.memory.send_all()
    _, offer = people.send(AS_ADA, "undo", people.last(ADA))

    move, consent = mail(people, AS_BEN, "ps c3", offer), mail(people, AS_BEN, "agree", offer)
    played, told = at_once(people, move, consent)

    assert readers(played) == [BEN, ADA]
    assert table(people).texts() == ["ps a1", "ps c3"]
    assert readers(told) == [BEN]
    assert "Not done" in said(told[0])
    assert people.happened == []
    assert table(people).offers == ()


def test_the_consent_to_take_a_turn_back_and_a_move_behind_it() -> None:
    people = begun()
    people.play("ps a1")
    people.memory.send_all()
    _, offer = people.send(AS_ADA, "undo", people.last(ADA))

    consent, move = mail(people, AS_BEN, "agree", offer), mail(people, AS_BEN, "ps c3", offer)
    agreed, told = at_once(people, consent, move)

    assert readers(agreed) == [BEN, ADA]
    assert readers(told) == [BEN]
    assert people.happened == []
    assert table(people).turns == ()


def test_two_moves_for_one_turn() -> None:
    people = begun()
    letter = people.last(ADA)

    played, told = at_once(
        people, mail(people, AS_ADA, "ps a1", letter), mail(people, AS_ADA, "ps b2", letter)
    )

    assert readers(played) == [ADA, BEN]
    assert readers(told) == [ADA]
    assert table(people).texts() == ["ps a1"]


def test_two_who_want_another_game_with_each_other_get_one() -> None:
    people = begun()
    people.play("ps a1", "ps c3", "ps c2", "ps a2", "ps c1")
    asks, accepts = (
        mail(people, AS_ADA, "rematch", people.last(ADA)),
        mail(people, AS_BEN, "rematch", people.last(BEN)),
    )

    asked, begins = at_once(people, asks, accepts)

    assert sorted(readers(asked)) == [ADA, BEN]
    assert people.done(events.GameBegun).game == 2
    assert readers(begins) == [BEN, ADA]
    assert sorted(people.memory.tables) == [GameNumber(1), GameNumber(2)]


def test_a_letter_leaves_while_the_turn_that_it_tells_of_is_taken_back() -> None:
    people = begun()
    people.play("ps a1")
    arrived = people.arrive(mail(people, AS_ADA, "undo", people.last(ADA)))
    outcome = people.decide(arrived)
    people.memory.send_all()

    with pytest.raises(Conflict):
        people.keep(outcome)
    assert all(one.state is LetterState.SENT for one in people.memory.outbox.values())

    people.keep(people.decide(arrived))
    assert people.happened == ["OfferMade"]
    assert table(people).texts() == ["ps a1"]


def test_of_two_letters_that_come_back_at_once_the_second_counts_as_the_third() -> None:
    people = begun()
    people.play("ps a1", "ps c3", "ps c2")
    people.memory.send_all()
    first, *others = (one for one in people.box[-5:] if one.to == BEN)
    people.deliver(bounce_of(first))

    second, third = at_once(people, *(bounce_of(one) for one in others))

    assert second == []
    assert readers(third) == [ADA]
    assert people.happened == ["OpponentUnreachable"]
    assert people.memory.mailbox(BEN).bounces == MAX_BOUNCES
    assert people.memory.mailbox(BEN).is_suspended
    assert SuspendLetters(address=BEN) in people.outcome.world.operations


def test_who_is_asked_to_a_game_while_they_leave_is_not_asked_any_more() -> None:
    people = begun()
    people.send(AS_FAY, "help")
    people.confirms = False
    (asked,) = people.send(AS_FAY, f"new 5 vs {BEN}")
    people.send(AS_BEN, "forget me", people.last(BEN))

    leave, invite = mail(people, AS_BEN, "yes", people.last(BEN)), mail(people, AS_FAY, "yes", asked)
    left, told = at_once(people, leave, invite)

    assert sorted(readers(left)) == [ADA, BEN]
    assert sorted(readers(told)) == [FAY]
    invited = table(people, max(people.memory.tables)).players
    assert people.memory.player_by_address(BEN) in invited
    assert not any(one.is_erased for one in invited)


def test_who_leaves_while_they_are_asked_to_a_game_declines_it() -> None:
    people = begun()
    people.send(AS_FAY, "help")
    people.confirms = False
    (asked,) = people.send(AS_FAY, f"new 5 vs {BEN}")
    people.send(AS_BEN, "forget me", people.last(BEN))

    invite, leave = mail(people, AS_FAY, "yes", asked), mail(people, AS_BEN, "yes", people.last(BEN))
    _, left = at_once(people, invite, leave)

    assert sorted(readers(left)) == [ADA, BEN, FAY]
    assert table(people, 2).record.standing is Standing.DECLINED


def test_of_two_who_choose_one_name_the_second_gets_another() -> None:
    people = begun()
    people.confirms = False
    (adas,) = people.send(AS_ADA, "name Countess", people.last(ADA))
    (bens,) = people.send(AS_BEN, "name Countess", people.last(BEN))

    named, told = at_once(people, mail(people, AS_ADA, "yes", adas), mail(people, AS_BEN, "yes", bens))

    assert (readers(named), readers(told)) == ([ADA], [BEN])
    assert [one.name for one in people.memory.players.values()] == ["Countess", "Ben"]
    assert "Countess 2" in said(told[0])


def test_of_two_players_to_whom_an_address_is_added_the_second_does_not_get_it() -> None:
    people = begun()
    other = "other@example.org"
    for who, address in ((AS_ADA, ADA), (AS_BEN, BEN)):
        people.send(who, f"address add {other}", people.last(address))
    asked = [one for one in people.box if one.to == other]

    at_once(people, *(mail(people, f"Somebody <{other}>", "yes", letter) for letter in asked))

    assert [one.addresses for one in people.memory.players.values()] == [(ADA, other), (BEN,)]


def test_a_question_is_answered_once() -> None:
    people = begun()
    people.confirms = False
    (asked,) = people.send(AS_ADA, "resign", people.last(ADA))

    ended, told = at_once(people, mail(people, AS_ADA, "yes", asked), mail(people, AS_ADA, "no", asked))

    assert sorted(readers(ended)) == [ADA, BEN]
    assert readers(told) == [ADA]
    assert table(people).record.standing is Standing.OVER


def test_what_is_not_protected_is_as_if_one_had_come_first() -> None:
    """Whoever is invited while they block the host gets the letter that they would have got a moment before."""
    people = begun()
    people.confirms = False
    block, invite = (
        people.arrive(mail(people, AS_BEN, "block Ada", people.last(BEN))),
        people.arrive(mail(people, AS_ADA, "new 6 vs Ben", people.last(ADA))),
    )
    decided = people.decide(block), people.decide(invite)
    blocked, invited = (people.keep(one) for one in decided)
    assert (readers(blocked), sorted(readers(invited))) == ([BEN], [ADA, BEN])
    again = people.send(AS_ADA, "new 4 vs Ben", people.last(ADA))
    assert BEN not in readers(again)
