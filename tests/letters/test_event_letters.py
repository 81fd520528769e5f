"""Letters of single events: invitations, questions, other games, rulings, and mails that can't be read."""

from dataclasses import replace

import pytest

from takmail.commands.answers import Events, Shows, told
from takmail.games.interface import Seat
from takmail.letters.letter import Letter
from takmail.world import events
from takmail.world.game import Game
from takmail.world.kinds import (
    AskedAgain,
    GameNumber,
    LetterPurpose,
    LetterState,
    LetterView,
    PendingId,
    PlayerId,
    Ruling,
    SeekNumber,
    Standing,
)
from takmail.world.operations import ErasePlayer
from takmail.world.pending import Pending
from takmail.world.players import Player
from takmail.world.records import GameEnd
from takmail.world.replay import Corruption
from takmail.world.waiting import PendingKind
from tests.commands.build import ADA, AS_ADA, AS_BEN, BEN, EARLIER, NOW, SERVICES, game, gone, player
from tests.letters.build import LetterHarness, reads
from tests.support.corrupt import corrupt

GAME, OTHER = GameNumber(1), GameNumber(2)
GUS = player(3, "Gus", "gus@example.org")
NEW = player(4, "Fay", "fay@example.org", verified_at=None, is_named=False)
ADDRESS = "new@example.org"


def readers(letters: tuple[Letter, ...]) -> list[str]:
    return [one.mail_to for one in letters]


def invites(
    number: int = 2,
    guest: Player = NEW,
    host: Player = AS_ADA,
    *,
    label: str | None = NEW.name,
    rematch_of: int | None = None,
) -> Events:
    table = game(
        number=number,
        players=(host, guest),
        standing=Standing.INVITED,
        guest_label=label,
        asked_at=None,
        rematch_of=rematch_of,
    )
    return (
        events.GameProposed(game=table.number, new_game=table),
        events.InvitationWritten(game=table.number, written_at=NOW),
    )


# Invitations.


def test_an_invitation_goes_before_the_answer() -> None:
    harness = LetterHarness(SERVICES).put(AS_ADA, NEW)
    asked, answer = harness.write(("new vs fay", invites()), by=AS_ADA, game=2, seat=Seat.FIRST).letters
    assert readers((asked, answer)) == ["fay@example.org", ADA]
    assert (asked.purpose, asked.state, asked.about.seat) == (
        LetterPurpose.NOTHING,
        LetterState.QUEUED,
        Seat.SECOND,
    )
    assert "This letter is sent once, because Ada gave your address" in reads(asked)
    known = LetterHarness(SERVICES).put(AS_ADA, GUS)
    asked = known.write(
        ("new vs Gus", invites(guest=GUS, label=GUS.name)), by=AS_ADA, game=2, seat=Seat.FIRST
    ).letters[0]
    assert "This letter is sent once" not in reads(asked)


def test_an_invitation_that_had_to_wait_comes_last() -> None:
    waiting = game(
        number=2, players=(GUS, AS_BEN), standing=Standing.INVITED, guest_label=None, asked_at=None
    )
    harness = LetterHarness(SERVICES).put(game("ps a1"), waiting)
    written = (events.InvitationWritten(game=OTHER, written_at=NOW, comes_last=True),)
    letters = harness.write(("rs", told("resync", Shows.BOARD)), before=written, by=AS_BEN, game=1).letters
    assert [one.about.game for one in letters] == [GAME, OTHER]
    assert letters[1].content.text.startswith("Gus asks you to a game of Tak by mail")


def test_a_rematch_is_asked_for_in_other_words() -> None:
    over = game("ps a1", standing=Standing.OVER, resigned=Seat.FIRST)
    happened = invites(guest=AS_BEN, label=None, rematch_of=GAME)
    asked = LetterHarness(SERVICES).put(over).write(("rematch", happened), by=AS_ADA, game=1).letters[0]
    assert asked.content.text.startswith("Ada wants to play again")


def test_an_invitation_that_its_own_mail_takes_back_does_not_leave() -> None:
    harness = LetterHarness(SERVICES).put(AS_ADA, NEW)
    gone = (events.InvitationWithdrawn(game=OTHER, seat=Seat.SECOND),)
    letters = harness.write(
        ("new vs fay", invites()), ("decline", gone), by=AS_ADA, game=2, seat=Seat.FIRST
    ).letters
    assert [one.state for one in letters] == [LetterState.WITHDRAWN, LetterState.QUEUED]


# Other games.


def test_whoever_stops_is_told_of_in_each_game_before_the_answer() -> None:
    harness = LetterHarness(SERVICES).put(game("ps a1"), game("ps a1", number=2, players=(AS_ADA, GUS)))
    stopped = (
        events.MailStopped(player=AS_ADA.id, stopped_at=NOW, running=2),
        events.OpponentStoppedMail(game=GAME, seat=Seat.FIRST),
        events.OpponentStoppedMail(game=OTHER, seat=Seat.FIRST),
    )
    letters = harness.write(("stop", stopped), by=AS_ADA, game=1).letters
    assert readers(letters) == [BEN, "gus@example.org", ADA]
    assert all(one.content.text.startswith("Ada wants no more mail from here.") for one in letters[:2])
    assert [one.state for one in letters] == [LetterState.QUEUED] * 3


def test_what_is_said_behind_a_stop_comes_with_the_news_of_the_mail() -> None:
    harness = LetterHarness(SERVICES).put(game("ps a1"))

    def says(words: str) -> Events:
        said = events.ChatQueued(game=GAME, seat=Seat.FIRST, words=words)
        return (said,)

    stopped = (
        events.MailStopped(player=AS_ADA.id, stopped_at=NOW, running=1),
        events.OpponentStoppedMail(game=GAME, seat=Seat.FIRST),
    )
    first, answer, second = harness.write(
        ("say Wait!", says("Wait!")),
        ("stop", stopped),
        ("say So long!", (events.ChatSent(game=GAME, seat=Seat.FIRST), *says("So long!"))),
        by=AS_ADA,
        game=1,
    ).letters
    assert readers((first, answer, second)) == [BEN, ADA, BEN]
    assert ("Wait!" in first.content.text, "So long!" in first.content.text) == (True, False)
    assert ("Wait!" in second.content.text, "So long!" in second.content.text) == (False, True)


@pytest.mark.parametrize("is_stop", [True, False])
def test_an_invitation_is_declined_by_itself_or_with_others(*, is_stop: bool) -> None:
    asked = game(standing=Standing.INVITED, players=(AS_ADA, AS_BEN))
    harness = LetterHarness(SERVICES).put(asked)
    declined = events.InvitationDeclined(game=GAME, seat=Seat.SECOND, has_own_letter=is_stop)
    stopped = events.MailStopped(player=AS_BEN.id, stopped_at=NOW, running=0)
    happened = (*([stopped] if is_stop else []), declined)
    letters = harness.write(("x", happened), by=AS_BEN, game=1).letters
    assert readers(letters) == ([ADA, BEN] if is_stop else [BEN, ADA])
    assert letters[not is_stop].content.text.startswith("Ben does not want to play this game.")


@pytest.mark.parametrize("is_here", [True, False])
def test_a_seek_that_is_joined_begins_with_letters_to_both(*, is_here: bool) -> None:
    table = game(number=2, players=(GUS, AS_BEN))
    joined = events.SeekJoined(
        game=OTHER,
        new_game=table,
        seek=SeekNumber(7),
        seat=Seat.SECOND,
        has_own_letter=not is_here,
    )
    harness = LetterHarness(SERVICES).put(game("ps a1"), GUS)
    where = {"game": 2, "seat": Seat.SECOND} if is_here else {"game": 1}
    letters = harness.write(("join 7", (joined,)), by=AS_BEN, **where).letters  # type: ignore[arg-type]
    of = [(one.mail_to, one.about.game) for one in letters]
    gus, bens = ("gus@example.org", 2), (BEN, 2)
    assert of == ([bens, gus] if is_here else [bens, gus, (BEN, 1)])
    told = next(one for one in letters if one.mail_to == "gus@example.org")
    assert told.content.text.startswith("Ben has joined you in the game that you seek (#7)")


def test_a_player_who_leaves_is_answered_by_a_letter_that_is_not_kept() -> None:
    harness = LetterHarness(SERVICES).put(game("ps a1", "ps e5"))
    operation = ErasePlayer(player=AS_ADA.id, label="A player", addresses=(ADA,), subjects=())
    happened = (
        events.PlayerErased(erasure=operation, marks=(), left_at=NOW, games=1, keep_days=30),
        events.OpponentLeft(game=GAME, seat=Seat.FIRST),
    )
    letters = harness.write(("forget me", happened), by=AS_ADA, name="Ada").letters
    told, answer = letters
    assert (answer.purge_after_send, answer.mail_from, answer.mail_to) == (True, "", ADA)
    assert (told.purge_after_send, told.mail_from, told.mail_to) == (False, SERVICES.address, BEN)
    assert told.content.text.startswith("Your opponent has left takmail for good")
    assert "In Tak, after 1 game with A player in all" in reads(told)


def broken(**how: object) -> Game:
    table = game("ps a1", "ps e5")
    return corrupt(replace(table, record=replace(table.record, **how)))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("event", "told"),
    [
        (events.OpponentLeft(game=GAME, seat=Seat.FIRST), ["won"]),
        (events.OpponentStoppedMail(game=GAME, seat=Seat.FIRST), []),
        (
            events.GameRuled(game=GAME, ruling=Ruling.SECOND, why="They agreed by phone."),
            ["lost", "won"],
        ),
        (events.ResultCorrected(game=GAME, ruling=Ruling.FIRST, why="A slip."), ["won", "lost"]),
    ],
)
def test_of_a_corrupt_game_its_end_is_all_that_is_told(event: events.GameEvent, told: list[str]) -> None:
    harness = LetterHarness(SERVICES).put(broken(standing=Standing.OVER, end=GameEnd(Seat.FIRST)))
    letters = harness.write(before=(event,)).letters
    assert len(letters) == len(told)
    assert all(f"You have {one}." in reads(letter) for one, letter in zip(told, letters, strict=True))


@pytest.mark.parametrize(
    "event",
    [
        events.GameRuled(game=GAME, ruling=Ruling.DRAW, why="A check."),
        events.GameAdjourned(game=GAME, why=""),
    ],
)
def test_of_a_corrupt_game_a_player_who_has_left_is_told_nothing(event: events.GameEvent) -> None:
    left = replace(broken(standing=Standing.OVER, end=GameEnd(Seat.FIRST)), players=(AS_ADA, gone(2, "Ben")))
    assert readers(LetterHarness(SERVICES).put(left).write(before=(event,)).letters) == [ADA]


# Rulings of the operator, and bounced letters.


@pytest.mark.parametrize(
    ("event", "to", "words"),
    [
        (events.GameAdjourned(game=GAME, why="A check."), [ADA, BEN], "has adjourned this game"),
        (events.GameAdjourned(game=GAME, why="A check.", seat=Seat.FIRST), [BEN], "has adjourned this game"),
        (
            events.GameResumed(game=GAME, why="All is well.", resumed_at=NOW),
            [ADA, BEN],
            'lets this game go on: "All is well."',
        ),
        (events.OpponentUnreachable(game=GAME, seat=Seat.FIRST), [BEN], "My letters to Ada come back"),
    ],
)
def test_what_happens_to_a_game_is_told_to_whom_it_concerns(
    event: events.GameEvent, to: list[str], words: str
) -> None:
    letters = LetterHarness(SERVICES).put(game("ps a1")).write(before=(event,)).letters
    assert readers(letters) == to
    assert all(words in reads(one) for one in letters)
    assert all(one.purpose is LetterPurpose.NEWS for one in letters)


def test_a_ruling_ends_a_game_for_both() -> None:
    why = "They agreed by phone."
    happened = (events.GameRuled(game=GAME, ruling=Ruling.DRAW, why=why),)
    letters = LetterHarness(SERVICES).put(game("ps a1")).write(before=happened).letters
    assert readers(letters) == [ADA, BEN]
    assert all(why in reads(one) for one in letters)
    assert all(b"[Result" in one.content.raw for one in letters)


@pytest.mark.parametrize(
    ("standing", "to"),
    [
        (Standing.OPEN, [ADA, BEN, "op@example.org"]),
        (Standing.BIDDING, [ADA, BEN, "op@example.org"]),
        (Standing.OVER, [ADA, BEN, "op@example.org"]),
        (Standing.INVITED, ["op@example.org"]),
    ],
)
def test_a_frozen_game_is_told_to_both_and_to_the_operator(standing: Standing, to: list[str]) -> None:
    harness = LetterHarness(replace(SERVICES, operator="op@example.org"))
    game_ = broken(standing=standing)
    assert isinstance(game_.states, Corruption)
    happened = (events.GameAdjourned(game=GAME, why=""), events.OperatorNotified(fault=game_.states, mail=8))
    letters = harness.put(game_).write(before=happened).letters
    assert readers(letters) == to
    alarm = letters[-1]
    assert (alarm.purge_after_send, alarm.state, alarm.about.game) == (True, LetterState.QUEUED, None)
    assert "Subject: Game 1 is broken" in alarm.content.raw.decode()
    is_over = standing is Standing.OVER
    assert all(("its result stays as it is" in reads(one)) == is_over for one in letters[:-1])


# Questions.


def held(**how: object) -> events.CommandsHeld:
    question = Pending(
        PendingId(-1), PendingKind.HELD, NOW, words="ps c3", game=GAME, seat=Seat.SECOND, version=4, turn=1
    )
    return events.CommandsHeld(question=question, lines_text="ps c3", **how)  # type: ignore[arg-type]


def test_held_words_are_asked_about_at_the_players_own_address() -> None:
    harness = LetterHarness(SERVICES).put(game("ps a1"))
    asked = held(last_for="day")
    found = harness.write(
        before=(asked,),
        by=AS_BEN,
        address="other@example.net",
        game=1,
        verified=(False, False),
        is_silent=True,
    )
    (letter,) = found.letters
    assert (letter.mail_to, letter.purpose, letter.state) == (BEN, LetterPurpose.UNSURE, LetterState.QUEUED)
    assert found.asked_by == {asked.question.id: letter.message_id}
    assert SERVICES.key.asks(letter.message_id)
    assert "Tomorrow I answer again." in reads(letter)
    assert "| ps c3" in letter.content.text


def confirmation(again: AskedAgain = AskedAgain.NO, **how: object) -> events.ConfirmationAsked:
    question = Pending(PendingId(-1), PendingKind.COMMANDS, NOW, words="seek 5", address=ADDRESS)
    return events.ConfirmationAsked(question=question, again=again, **how)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("again", "words", "header"),
    [
        (AskedAgain.NO, "It asks for this:", "auto-replied"),
        (AskedAgain.UNCLEAR, 'I found neither a "yes" nor a command', "auto-replied"),
        (AskedAgain.LOOSE, "or what it answers", "auto-generated"),
    ],
)
def test_commands_are_asked_about_at_the_address_in_the_from(
    again: AskedAgain, words: str, header: str
) -> None:
    asked = confirmation(again)
    found = LetterHarness(SERVICES).write(
        before=(asked,), address=ADDRESS, verified=(False, False), is_silent=True
    )
    (letter,) = found.letters
    assert words in reads(letter)
    assert f"Auto-Submitted: {header}" in letter.content.raw.decode()
    assert found.asked_by == {asked.question.id: letter.message_id}


def test_what_cannot_be_shown_is_asked_for_once_more() -> None:
    (letter,) = (
        LetterHarness(SERVICES)
        .write(before=(events.CommandsNotShown(),), address=ADDRESS, verified=(False, False), is_silent=True)
        .letters
    )
    assert "write the same again in an answer to this letter" in reads(letter)
    assert SERVICES.key.asks(letter.message_id)


@pytest.mark.parametrize("is_written", [True, False])
def test_a_new_address_is_asked_unless_it_is_asked_too_much(*, is_written: bool) -> None:
    question = Pending(PendingId(-1), PendingKind.ADDRESS, NOW, address=ADDRESS, player=PlayerId(1))
    asked = events.AddressAsked(question=question, sends_letter=is_written, letter_view=LetterView.TEXT)
    found = LetterHarness(SERVICES).put(AS_ADA).write(("address add", (asked,)), by=AS_ADA)
    assert readers(found.letters) == ([ADDRESS, ADA] if is_written else [ADA])
    assert found.asked_by == ({question.id: found.letters[0].message_id} if is_written else {})


def test_both_addresses_are_told_what_becomes_one_players() -> None:
    harness = LetterHarness(SERVICES).put(AS_ADA)
    added = (events.AddressAdded(player=AS_ADA.id, address=ADDRESS, added_at=NOW),)
    told, answer = harness.write(("yes", added), address=ADDRESS).letters
    assert (told.mail_to, answer.mail_to) == (ADA, ADDRESS)
    removed = (events.AddressRemoved(player=AS_ADA.id, address=ADA),)
    told, answer = harness.write(("address remove", removed), by=AS_ADA, address=ADDRESS).letters
    assert (told.mail_to, answer.mail_to) == (ADA, ADDRESS)


# Mails that are not read, or have no content.


def test_a_stranger_is_told_once_a_day_how_to_begin() -> None:
    harness = LetterHarness(SERVICES)
    found = harness.write(address="gus@example.org", name="Gus", verified=(False, False))
    (letter,) = found.letters
    assert (letter.purpose, letter.mail_from) == (LetterPurpose.NONSENSE, "")
    assert "To: gus@example.org" in letter.content.raw.decode()
    again = harness.write(address="gus@example.org", verified=(False, False))
    assert again.letters == ()
    assert again.note.startswith("a stranger's mail without a command")


def test_a_blocked_player_hears_why() -> None:
    harness = LetterHarness(SERVICES).put(AS_ADA)
    (letter,) = harness.write(
        before=(events.BlockedPlayerNotified(why="Rude words."),), by=AS_ADA, is_silent=True
    ).letters
    assert (letter.purpose, letter.mail_from, letter.mail_to) == (LetterPurpose.NONSENSE, "", ADA)
    assert '"Rude words."' in letter.content.text


def test_nobodys_own_name_stands_beside_an_address_that_is_not_sure() -> None:
    for verified, to in (((True, False), "To: Gus <c@x.example>"), ((False, False), "To: c@x.example")):
        (letter,) = (
            LetterHarness(SERVICES).write(address="c@x.example", name="Gus", verified=verified).letters
        )
        assert f"{to}\r\n" in letter.content.raw.decode()


def test_a_player_who_has_long_been_here_is_welcomed_by_no_letter() -> None:
    harness = LetterHarness(SERVICES).put(replace(AS_ADA, created_at=EARLIER))
    (letter,) = harness.write(by=AS_ADA).letters
    assert "I found no words of yours" in reads(letter)


def test_an_address_that_rested_gets_no_letter_about_its_own_end() -> None:
    boxes = (replace(AS_ADA.main_mailbox, stopped_at=NOW), *player(1, "Ada", ADDRESS).mailboxes)
    ada = replace(AS_ADA, mailboxes=boxes)
    removed = (events.AddressRemoved(player=ada.id, address=ADA),)
    harness = LetterHarness(SERVICES).put(ada)
    told, answer = harness.write(("address remove", removed), by=ada, address=ADDRESS).letters
    assert (told.mail_to, told.state) == (ADA, LetterState.RESTING)
    assert answer.state is LetterState.QUEUED
