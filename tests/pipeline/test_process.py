"""Whole conversations through `process`, with a store of dictionaries: events, letters, and the final state."""

from datetime import timedelta

import pytest

from takmail.games.interface import Seat
from takmail.pipeline import rulings
from takmail.world import events as what_happened
from takmail.world.game import Game
from takmail.world.kinds import (
    GameNumber,
    LetterState,
    MailState,
    MessageId,
    PendingEnd,
    PlayerKind,
    Ruling,
    Standing,
)
from takmail.world.operations import RememberAddress, ReturnLetter, SuspendLetters
from takmail.world.waiting import PendingKind
from tests.mail.reports import report
from tests.support.memory_harness import MemoryHarness
from tests.support.players import ADA, BEN, TAK, Received, said

AS_ADA, AS_BEN = f"Ada <{ADA}>", f"Ben <{BEN}>"
ROAD = ("ps a1", "ps c3", "ps c2", "ps a2", "ps c1")
"""A game on a board of size 3 that White wins with a road."""


def begun(words: str = "3") -> MemoryHarness:
    """A game that Ada has begun with Ben."""
    people = MemoryHarness()
    people.begin(words)
    return people


def table(people: MemoryHarness, number: int = 1) -> Game:
    return people.memory.tables[GameNumber(number)]


def readers(letters: list[Received]) -> list[str]:
    return [one.to for one in letters]


def test_a_game_from_the_invitation_to_its_end_and_once_more() -> None:
    people = MemoryHarness()

    people.send(AS_ADA, f"new 3 vs {BEN} first=me")
    assert table(people).record.standing is Standing.INVITED

    begins, first = people.send(AS_BEN, "accept", people.last(BEN))
    assert people.happened == ["GameBegun"]
    assert people.memory.mailbox(BEN).verified_at == people.now
    assert table(people).names == ("Ada", "Ben")
    assert table(people).players[Seat.SECOND].skeleton == "ben"
    assert (begins.to, first.to) == (BEN, ADA)
    assert "the first turn is yours" in said(first)

    for number, move in enumerate(ROAD[:-1], 1):
        mover, reader = ((AS_ADA, BEN), (AS_BEN, ADA))[(number - 1) % 2]
        answer, news = people.send(mover, move, people.last(mover[5:-1]))
        assert people.happened == ["TurnPlayed"]
        assert f"played as turn {number} ({move})" in said(answer)
        assert (news.to, news.lines[0]) == (reader, move)
        assert (people.outcome.state, people.outcome.turn) == (MailState.PLAYED, number)

    answer, news = people.send(AS_ADA, ROAD[-1], people.last(ADA))
    assert people.happened == ["TurnPlayed"]
    assert "You win: your road joins" in said(answer)
    assert "Ada wins with a road from" in said(news)
    over = table(people)
    assert over.texts() == list(ROAD)
    assert over.record.standing is Standing.OVER
    assert over.result is not None
    assert over.result.winner is Seat.FIRST

    invitation, asked = people.send(AS_BEN, "rematch", people.last(BEN))
    assert (
        people.done(what_happened.GameProposed).game,
        people.done(what_happened.GameProposed).new_game.record.rematch_of,
    ) == (2, 1)
    assert (invitation.to, asked.to) == (ADA, BEN)
    assert "Ben wants to play again (3x3), and this time Ben begins" in said(invitation)
    people.send(AS_ADA, "accept", invitation)
    assert table(people, 2).record.standing is Standing.OPEN
    assert table(people, 2).names == ("Ben", "Ada")


def test_an_unknown_address_is_asked_before_it_invites_anybody() -> None:
    people = MemoryHarness(confirms=False)

    (question,) = people.send(AS_ADA, f"new 5 vs {BEN}")
    assert people.happened == ["ConfirmationAsked"]
    assert [one.letter for one in people.memory.questions] == [question.id]
    assert question.asks_who
    assert "new 5 vs ben@... " in f"{said(question)} "
    assert (people.memory.players, people.memory.tables) == ({}, {})

    invitation, answer = people.send(AS_ADA, "yes", question)
    assert people.happened == ["GameProposed", "InvitationWritten"]
    (remembered,) = people.outcome.world.operations
    assert isinstance(remembered, RememberAddress)
    assert remembered.verified_at == people.now
    assert (invitation.to, answer.to) == (BEN, ADA)
    assert "Ada asks you to a game" in said(invitation)
    assert "Ben has been asked to a game with you (5x5)" in said(answer)
    assert people.memory.questions == []
    assert [one.name for one in people.memory.players.values()] == ["Ada", "Ben"]

    people.send(AS_ADA, "yes", question)
    assert len(people.memory.tables) == 1


def test_a_forged_mail_only_asks_whose_it_is() -> None:
    people = begun()

    (question,) = people.send(f"Ada <{ADA}>", "#1 ps a1")
    assert people.happened == ["CommandsHeld"]
    assert (question.to, table(people).turns) == (ADA, ())

    people.send(AS_ADA, "yes", question)
    assert people.happened == ["TurnPlayed"]
    assert table(people).texts() == ["ps a1"]
    assert table(people).questions == ()


def test_a_turn_is_taken_back_as_long_as_nobody_can_know_of_it() -> None:
    people = begun()
    people.play("ps a1")
    unread = people.box[-1]
    assert unread.to == BEN

    (answer,) = people.send(AS_ADA, "undo", people.last(ADA))

    assert people.happened == ["LastTurnTakenBack"]
    assert "Ben knows nothing of it" in said(answer)
    assert people.memory.outbox[MessageId(unread.id)].state is LetterState.WITHDRAWN
    assert table(people).turns == ()
    assert [one.text for run in table(people).taken_back for one in run.turns] == ["ps a1"]


@pytest.mark.parametrize("text", ["yes", "ps c3"])
def test_a_move_that_closes_a_question_has_more_than_a_receipt(text: str) -> None:
    people = begun("5")
    people.play("ps a1", "ps e5")
    people.send(AS_ADA, "receipts off", people.last(ADA))
    people.confirms = False
    (asked,) = (
        people.send(AS_ADA, "#1 ps c3") if text == "yes" else people.send(AS_ADA, "resign", people.last(ADA))
    )

    letters = people.send(AS_ADA, text, asked)

    assert table(people).texts() == ["ps a1", "ps e5", "ps c3"]
    assert readers(letters) == [ADA, BEN]


def test_words_beside_a_turn_that_is_taken_back_come_with_the_next_letter() -> None:
    people = begun()
    people.send(AS_ADA, "ps a1\n\nGood luck, Ben!", people.last(ADA))
    assert table(people).correspondence.waiting_chat == ()

    people.send(AS_ADA, "undo", people.last(ADA))
    assert [one.words for one in table(people).correspondence.waiting_chat] == ["Good luck, Ben!"]

    _, news = people.send(AS_ADA, "ps a2", people.last(ADA))
    assert "Good luck, Ben!" in said(news)
    assert (table(people).correspondence.waiting_chat, table(people).correspondence.last_chat) == (
        (),
        ("Good luck, Ben!", None),
    )


def test_a_turn_that_may_have_been_read_is_taken_back_with_the_other_ones_consent() -> None:
    people = begun()
    people.play("ps a1")
    people.memory.send_all()

    _, offer = people.send(AS_ADA, "undo", people.last(ADA))
    assert people.happened == ["OfferMade"]
    assert "Ada would like to take turn 1 back" in said(offer)
    assert table(people).texts() == ["ps a1"]

    answer, news = people.send(AS_BEN, "agree", offer)
    assert people.happened == ["OfferAgreed"]
    assert "turn 1 (ps a1) is taken back" in said(answer)
    assert news.to == ADA
    assert (table(people).turns, table(people).offers) == ((), ())
    assert [(one.kind, one.end.how) for one in table(people).every_offer] == [
        (PendingKind.UNDO, PendingEnd.AGREED)
    ]


def test_two_different_moves_of_a_relay_are_not_passed_on() -> None:
    people = begun("5 relay")

    (answer,) = people.send(AS_ADA, "ps a1\nps b2", people.last(ADA))
    assert people.happened == []
    assert "these are two different moves for one turn" in said(answer)

    people.send(AS_ADA, "ps a1\nps a1", people.last(ADA))
    assert people.happened == ["TurnForwarded"]
    assert table(people).texts() == ["ps a1"]


def test_who_is_blocked_is_heard_no_more_but_plays_on() -> None:
    people = begun()

    (answer,) = people.send(AS_BEN, "block Ada", people.last(BEN))
    assert people.done(what_happened.PlayerBlocked).blocked == 1
    assert "what Ada says does not reach you" in said(answer)

    (answer,) = people.send(AS_ADA, "Are you there?", people.last(ADA))
    assert people.happened == []
    assert "Your words were not passed on" in said(answer)

    _, news = people.send(AS_ADA, "ps a1\n\nHello?", people.last(ADA))
    assert people.happened == ["TurnPlayed"]
    assert (news.to, news.lines[0]) == (BEN, "ps a1")
    assert "Hello?" not in said(news)

    (answer,) = people.send(AS_ADA, f"new 4 vs {BEN}", people.last(ADA))
    # A blocked player is not notified of the block. The invitation is simply never sent.
    assert "Ben has been asked" in said(answer)
    assert "InvitationWritten" not in people.happened
    assert table(people, 2).record.invitation.written_at is None


def test_a_player_who_leaves_is_erased_and_their_games_end() -> None:
    people = begun()
    people.play("ps a1", "ps c3")
    people.send(AS_ADA, "Sorry, I have to go.", people.last(ADA))

    people.confirms = False
    (question,) = people.send(AS_ADA, "forget me", people.last(ADA))
    assert people.happened == ["ConfirmationAsked"]
    assert '"forget me" is for good' in said(question)

    told, goodbye = people.send(AS_ADA, "yes", question)
    assert people.happened == ["PlayerErased", "OpponentLeft"]
    assert people.memory.mailbox(ADA).has_left
    assert (told.to, goodbye.to) == (BEN, ADA)
    assert "Your opponent has left takmail for good" in said(told)
    assert (people.outcome.letters[1].mail_from, people.outcome.letters[1].purge_after_send) == ("", True)
    gone, ben = people.memory.players.values()
    assert (gone.kind, gone.addresses, gone.skeleton) == (PlayerKind.ERASED, (), None)
    assert ben.addresses == (BEN,)
    game = table(people)
    assert (game.record.standing, game.record.end.resigned) == (Standing.OVER, Seat.FIRST)
    assert (game.correspondence.waiting_chat, game.questions, game.correspondence.last_chat) == (
        (),
        (),
        (None, None),
    )
    assert "Ada" not in f"{game.record.subject} {gone.name}"

    people.send(AS_ADA, "yes", question)
    assert ADA not in [one for player in people.memory.players.values() for one in player.addresses]


def bounce_of(letter: Received) -> bytes:
    """Return a bounce: the reader of a letter is unknown to a server."""
    about = f"Final-Recipient: rfc822; {letter.to}\nAction: failed\nStatus: 5.1.1"
    return report(about, letter=f"Message-ID: {letter.id}\n").encode()


def come_back(people: MemoryHarness, letter: Received) -> list[Received]:
    """Let a letter bounce, and return the letters that this causes."""
    return people.deliver(bounce_of(letter))


def test_the_third_letter_that_comes_back_is_told_to_the_other_player() -> None:
    people = begun()
    people.play("ps a1", "ps c3", "ps c2")
    people.memory.send_all()
    first, second, third = (one for one in people.box[-5:] if one.to == BEN)

    assert come_back(people, first) == []
    assert people.happened == []
    (returned,) = people.outcome.world.operations
    assert isinstance(returned, ReturnLetter)
    assert (returned.letter, returned.retry_at) == (first.id, people.now + timedelta(days=1))
    assert people.memory.mailbox(BEN).bounces == 1
    assert (people.outcome.state, people.outcome.note.partition(":")[0]) == (MailState.MACHINE, "report")
    assert come_back(people, first) == []
    assert (people.happened, people.outcome.world.operations) == ([], ())
    assert people.memory.mailbox(BEN).bounces == 1
    come_back(people, second)

    (told,) = come_back(people, third)
    assert people.happened == ["OpponentUnreachable"]
    assert [type(one) for one in people.outcome.world.operations] == [ReturnLetter, SuspendLetters]
    assert told.to == ADA
    assert "My letters to Ben come back" in said(told)
    ben = people.memory.player_by_address(BEN)
    assert ben is not None
    assert ben.main_mailbox.is_suspended

    people.play("ps a2", start=3)
    assert not people.memory.mailbox(BEN).is_suspended
    states = {one.state for one in people.memory.outbox.values() if one.mail_to == BEN}
    assert states == {LetterState.SENT, LetterState.QUEUED}


def test_the_operator_adjourns_a_game_resumes_it_and_ends_it() -> None:
    people = begun()
    people.play("ps a1")
    by = rulings.OperatorNote("Other", "both have asked me to")
    number = GameNumber(1)

    letters = people.rule(lambda context: rulings.adjourn(context, number, by))
    assert people.happened == ["GameAdjourned"]
    assert readers(letters) == [ADA, BEN]
    assert all(by.why in said(one) for one in letters)
    assert (table(people).record.standing, table(people).why) == (Standing.ADJOURNED, by.why)
    (answer,) = people.send(AS_BEN, "ps c3", letters[1])
    assert people.happened == []
    assert by.why in said(answer)

    letters = people.rule(lambda context: rulings.resume(context, number, by))
    assert people.happened == ["GameResumed"]
    assert readers(letters) == [ADA, BEN]
    people.send(AS_BEN, "ps c3", letters[1])
    assert table(people).texts() == ["ps a1", "ps c3"]

    letters = people.rule(lambda context: rulings.end(context, number, Ruling.SECOND, by))
    assert people.happened == ["GameRuled"]
    assert readers(letters) == [ADA, BEN]
    over = table(people)
    assert (over.record.standing, over.why) == (Standing.OVER, by.why)
    assert over.result is not None
    assert over.result.winner is Seat.SECOND
    assert [one.what for one in people.memory.log] == ["adjourned", "resumed", "ended"]


def test_nothing_of_a_barred_player_is_carried_out_until_they_are_readmitted() -> None:
    people = begun()
    ada, _ = table(people).players
    by = rulings.OperatorNote("Other", "too many forged mails")

    letters = people.rule(lambda context: rulings.block(context, ada, by))
    assert (table(people).record.standing, readers(letters)) == (Standing.ADJOURNED, [BEN])
    (why,) = people.send(AS_ADA, "ps a1", people.last(ADA))
    assert people.outcome.state is MailState.REJECTED
    assert (why.to, people.happened[0]) == (ADA, "BlockedPlayerNotified")
    assert by.why in said(why)
    assert people.send(AS_ADA, "ps a1", people.last(ADA)) == []
    assert table(people).turns == ()

    barred, _ = table(people).players
    letters = people.rule(lambda context: rulings.unblock(context, barred, by, frozenset((GameNumber(1),))))
    assert sorted(readers(letters)) == [ADA, BEN]
    people.send(AS_ADA, "ps a1", letters[0])
    assert table(people).texts() == ["ps a1"]


def test_a_game_in_which_a_barred_player_bids_does_not_begin() -> None:
    people = MemoryHarness()
    people.send(AS_ADA, f"new 5 vs {BEN} rules=university bid=4")
    people.send(AS_BEN, "accept", people.last(BEN))
    by = rulings.OperatorNote("Other", "too many forged mails")
    ada = next(one for one in table(people).players if one.name == "Ada")
    letters = people.rule(lambda context: rulings.block(context, ada, by))
    assert readers(letters) == [BEN]
    assert "Ada does not want to play this game." in said(letters[0])
    assert (table(people).record.standing, table(people).record.bids) == (Standing.DECLINED, (None, None))
    for ruling in (lambda context: rulings.adjourn(context, GameNumber(1), by),):
        with pytest.raises(rulings.CannotRule):
            people.rule(ruling)


def test_what_comes_with_a_yes_that_is_too_late_is_told_as_not_tried() -> None:
    people = begun("5")
    (asked,) = people.send(AS_ADA, "ps a1", to=TAK, subject="Re: [tak #1] Tak")
    people.send(AS_ADA, "yes", asked)
    people.play("ps e5", start=1)

    (answer,) = people.send(AS_ADA, "yes\nps b4\nps b5\nlog\n\nHello", asked)

    assert people.happened == []
    assert table(people).texts() == ["ps a1", "ps e5"]
    assert "nothing is waiting for a" in said(answer)
    assert said(answer).count("Not tried") == 3
    assert "Ben does not have your words yet" in said(answer)


def test_forget_me_below_a_yes_to_something_else_is_asked_about() -> None:
    people = begun()
    people.confirms = False
    people.send(AS_ADA, "seek 5")
    asked = people.last(ADA)
    question, _ = people.send(AS_ADA, "yes\nforget me", asked)
    assert "ConfirmationAsked" in people.happened
    people.send(AS_ADA, "yes", question)
    assert "PlayerErased" in people.happened
