"""The letters that a mail about a game causes: which are written, in which order, and what is stored with them."""

from dataclasses import replace
from datetime import timedelta

import pytest

from takmail.commands.answers import ChatStatus, Events, Shows, refused, told
from takmail.games.interface import Reason, Seat
from takmail.letters.letter import Letter
from takmail.world import events as what_happened
from takmail.world.consequences import OfferedChange
from takmail.world.game import NamedTurn
from takmail.world.kinds import GameNumber, LetterPurpose, LetterState, LetterView, PendingId
from takmail.world.pending import Pending
from takmail.world.players import NO_TEXT, Mailbox, Player
from takmail.world.waiting import PendingKind
from tests.commands.build import ADA, AS_ADA, AS_BEN, BEN, NOW, SERVICES, game, gone, player
from tests.letters.build import LetterHarness, Line, ids, reads
from tests.support.happening import last_taken_back, turn_played, withdrawn
from tests.support.pending import an_offer

GAME = GameNumber(1)


def harness_after(*turns: str, view: LetterView = LetterView.TEXT) -> LetterHarness:
    return LetterHarness(replace(SERVICES, letter_view=view)).put(game(*turns))


def plays(text: str, number: int, seat: Seat = Seat.FIRST) -> Line:
    name = ("Ada", "Ben")[seat]
    turn = NamedTurn(number, seat, name, text)
    return text, (turn_played(turn),)


def says(words: str, seat: Seat = Seat.FIRST) -> Events:
    return (what_happened.ChatQueued(game=GAME, seat=seat, words=words),)


def sends(words: str, seat: Seat = Seat.FIRST) -> Events:
    return *says(words, seat), what_happened.ChatSent(game=GAME, seat=seat)


def offers_draw(*more: what_happened.Event) -> Line:
    offer = an_offer(0, Seat.FIRST, PendingKind.DRAW, 0, NOW)
    return "draw", (what_happened.OfferMade(game=GAME, offer=offer), *more)


def kinds(letters: tuple[Letter, ...]) -> list[tuple[str, LetterPurpose]]:
    return [(one.mail_to, one.purpose) for one in letters]


def test_a_move_is_answered_and_then_told() -> None:
    harness = harness_after()
    answer, news = harness.write(plays("ps a1", 1), by=AS_ADA, game=1).letters
    assert kinds((answer, news)) == [(ADA, LetterPurpose.SURE), (BEN, LetterPurpose.NEWS)]
    assert reads(answer).startswith(
        "Your move is played as turn 1 (ps a1). You place a flat of Ben's (Black) on A1."
    )
    assert news.content.text.startswith("ps a1\n\nYour turn. Ada places a flat of yours (Black) on A1.\n")
    assert (
        news.about.game,
        news.about.seat,
        news.about.version,
        news.about.turn,
        news.about.reported_turn,
    ) == (1, Seat.SECOND, 4, 1, 1)
    assert (answer.about.seat, answer.about.version, answer.about.reported_turn) == (Seat.FIRST, 4, None)
    assert {one.state for one in (answer, news)} == {LetterState.QUEUED}
    assert {one.mail_from for one in (answer, news)} == {SERVICES.address}


def test_the_same_cause_writes_the_same_bytes_again() -> None:
    first, second = (harness_after().write(plays("ps a1", 1), by=AS_ADA, game=1).letters for _ in range(2))
    assert first == second
    assert len({one.message_id for one in first}) == 2


def test_each_seat_has_a_thread_of_its_own() -> None:
    harness = harness_after()
    first = harness.write(plays("ps a1", 1), by=AS_ADA, game=1).letters[1]
    second = harness.write(plays("ps b1", 2, Seat.SECOND), by=AS_BEN, game=1, message_id="<b@x>").letters[0]
    assert f"In-Reply-To: <b@x>\r\nReferences: {first.message_id}" in second.content.raw.decode().replace(
        "\r\n <", " <"
    )
    third = harness.write(plays("ps c1", 3), by=AS_ADA, game=1).letters[1]
    assert f"In-Reply-To: {second.message_id}" in third.content.raw.decode()


def test_words_wait_for_the_next_letter_to_their_reader() -> None:
    harness = harness_after()
    (answer,) = harness.write(before=says("Hello, Ben."), by=AS_ADA, game=1, words=ChatStatus.WAIT).letters
    assert "Ben gets your words with the next letter" in reads(answer)
    (looked,) = harness.write(("rs", told("resync", Shows.BOARD)), by=AS_BEN, game=1).letters
    assert "| Hello, Ben." in looked.content.text
    assert looked.about.chat_versions == (4,)
    (again,) = harness.write(("rs", told("resync", Shows.BOARD)), by=AS_BEN, game=1).letters
    assert "Hello" not in again.content.text


def test_words_alone_have_a_letter_of_their_own() -> None:
    answer, news = (
        harness_after().write(after=sends("Hello."), by=AS_ADA, game=1, words=ChatStatus.SENT).letters
    )
    assert "Ben gets your words:" in reads(answer)
    assert (news.purpose, news.about.reported_turn, news.postpones_chat) == (LetterPurpose.CHAT, None, False)
    assert news.content.text.startswith("Ada has something to say; no move has been made.")


def test_words_with_a_move_are_no_news_beside_it() -> None:
    _, news = (
        harness_after()
        .write(plays("ps a1", 1), after=sends("Hello."), by=AS_ADA, game=1, words=ChatStatus.SENT)
        .letters
    )
    assert news.purpose is LetterPurpose.NEWS
    assert news.about.reported_turn == 1
    assert "has something to say" not in news.content.text
    assert "| Hello." in news.content.text


def test_too_many_letters_of_words_are_postponed_and_the_next_letter_takes_theirs_along() -> None:
    harness = harness_after()
    for number in range(SERVICES.rates.chat_letters_per_hour):
        harness.write(after=sends(f"Word {number}."), by=AS_ADA, game=1, words=ChatStatus.SENT)
    answer, late = harness.write(after=sends("One more."), by=AS_ADA, game=1, words=ChatStatus.SENT).letters
    assert (late.state, late.due_at, late.postpones_chat) == (
        LetterState.POSTPONED,
        NOW + timedelta(hours=1),
        True,
    )
    assert "gets your words" not in reads(answer)
    before = harness.letters[-3]
    news = harness.write(plays("ps a1", 1), by=AS_ADA, game=1).letters[1]
    assert news.replaces == (late.message_id,)
    assert "| One more." in news.content.text
    assert news.about.chat_versions == late.about.chat_versions
    assert (news.state, before.mail_to) == (LetterState.QUEUED, BEN)
    assert f"In-Reply-To: {before.message_id}" in news.content.raw.decode()
    assert late.message_id not in news.content.raw.decode()


def test_words_to_a_player_who_has_left_wait_for_nothing() -> None:
    harness = LetterHarness(SERVICES).put(game("ps a1", players=(AS_ADA, gone(2, "Ben"))))
    letters = harness.write(after=sends("Goodbye."), by=AS_ADA, game=1, words=ChatStatus.SENT).letters
    assert [one.mail_to for one in letters] == [ADA]
    assert "wait" not in reads(letters[0])


def test_the_answer_to_its_reader_takes_postponed_chat_along() -> None:
    harness = harness_after()
    for number in range(SERVICES.rates.chat_letters_per_hour + 1):
        harness.write(after=sends(f"Word {number}."), by=AS_ADA, game=1, words=ChatStatus.SENT)
    woken = (
        what_happened.SenderHeard(player=AS_BEN.id, address=BEN, heard_at=NOW, text=NO_TEXT),
        what_happened.LettersReleased(player=AS_BEN.id, address=BEN, max_postponed=200),
    )
    late = harness.last(BEN)
    (answer,) = harness.write(("rs", told("resync", Shows.BOARD)), before=woken, by=AS_BEN, game=1).letters
    assert answer.replaces == (late.message_id,)
    assert answer.about.chat_versions == late.about.chat_versions


def test_a_turn_that_is_taken_back_before_its_letter_leaves_was_never_told() -> None:
    harness = harness_after("ps a1", "ps e5")
    harness.write(plays("ps c3", 3), after=says("Take that!"), by=AS_ADA, game=1, words=ChatStatus.SENT)
    told = harness.last(BEN)
    assert told.about.chat_versions == (7,)
    turn = NamedTurn(3, Seat.FIRST, "Ada", "ps c3")
    undone = (last_taken_back(turn, letter=told.message_id),)
    (answer,) = harness.write(("undo", undone), by=AS_ADA, game=1).letters
    assert "Ben knows nothing of it" in reads(answer)
    news = harness.write(plays("ps d4", 3), by=AS_ADA, game=1).letters[1]
    assert "| Take that!" in news.content.text
    assert news.about.chat_versions == (7,)
    assert told.message_id not in news.content.raw.decode()


def test_what_one_mail_does_and_undoes_is_told_to_nobody() -> None:
    turn = NamedTurn(1, Seat.FIRST, "Ada", "ps a1")
    undone = (last_taken_back(turn),)
    letters = harness_after().write(plays("ps a1", 1), ("undo", undone), by=AS_ADA, game=1).letters
    assert kinds(letters) == [(ADA, LetterPurpose.SURE)]


def test_an_offer_that_one_mail_makes_and_closes_is_told_to_nobody() -> None:
    offer = an_offer(0, Seat.FIRST, PendingKind.DRAW, 0, NOW)
    closing = withdrawn(OfferedChange(PendingKind.DRAW, 0, None), offer=offer, known_to_opponent=None)
    assert len(harness_after().write(offers_draw(), by=AS_ADA, game=1).letters) == 2
    assert len(harness_after().write(offers_draw(closing), by=AS_ADA, game=1).letters) == 1


def test_a_move_comes_first_in_a_letter_whatever_was_said_before_it() -> None:
    news = harness_after().write(offers_draw(), plays("ps a1", 1), by=AS_ADA, game=1).letters[1]
    assert news.content.text.startswith("ps a1\n")
    assert "offers a draw" in news.content.text
    assert news.about.reported_turn is None


@pytest.mark.parametrize(
    ("lines", "is_bare"),
    [
        ([("rs", told("resync", Shows.BOARD))], True),
        ([("rs", told("resync", Shows.BOARD)), ("rules", told("rules", kind=""))], False),
        ([("rs", told("resync", Shows.BOARD)), ("x", refused("not_your_turn"))], False),
    ],
)
def test_the_board_alone_is_shown_without_a_word(lines: list[Line], *, is_bare: bool) -> None:
    (answer,) = harness_after().write(*lines, by=AS_ADA, game=1).letters
    assert answer.content.text.startswith("You wrote: rs") != is_bare


def test_an_answer_that_asks_is_named_in_the_question() -> None:
    question = Pending(PendingId(-1), PendingKind.RESIGN, NOW, game=GAME, seat=Seat.FIRST)
    found = harness_after().write(
        ("resign", (what_happened.ResignationAsked(question=question),)), by=AS_ADA, game=1
    )
    (answer,) = found.letters
    assert found.asked_by == {question.id: answer.message_id}
    assert SERVICES.key.asks(answer.message_id)


def test_nobody_writes_to_who_has_left() -> None:
    harness = LetterHarness(SERVICES).put(game(players=(AS_ADA, gone(2, "A player"))))
    assert kinds(harness.write(plays("ps a1", 1), by=AS_ADA, game=1).letters) == [(ADA, LetterPurpose.SURE)]


def test_words_to_who_has_left_keep_none_waiting() -> None:
    harness = LetterHarness(SERVICES).put(game(players=(AS_ADA, gone(2, "A player"))))
    found = harness.write(after=sends("Hello."), by=AS_ADA, game=1, words=ChatStatus.SENT)
    assert kinds(found.letters) == [(ADA, LetterPurpose.SURE)]


def resting(**how: object) -> Player:
    return replace(AS_BEN, mailboxes=(replace(Mailbox(BEN, verified_at=NOW), **how),))  # type: ignore[arg-type]


@pytest.mark.parametrize("ben", [resting(bounces=3), resting(stopped_at=NOW)])
def test_news_for_an_address_that_rests_wait_and_its_answers_do_not(ben: Player) -> None:
    harness = LetterHarness(SERVICES).put(game(players=(AS_ADA, ben)))
    assert harness.write(plays("ps a1", 1), by=AS_ADA, game=1).letters[1].state is LetterState.RESTING
    assert (
        harness.write(("rs", told("resync", Shows.BOARD)), by=ben, game=1).letters[0].state
        is LetterState.QUEUED
    )


def test_the_end_of_a_game_brings_all_of_it_to_both() -> None:
    turns = ("ps a1", "ps c3", "ps c1", "ps b3", "ps c2")
    table = game(*turns[:-1], setup="3")
    harness = LetterHarness(replace(SERVICES, letter_view=LetterView.BOTH)).put(table)
    played = plays("ps c2", 5)
    assert isinstance(played[1], tuple)
    ends = (*played[1], what_happened.GameEnded(game=GAME))
    found = harness.write(("ps c2", ends), by=AS_ADA, game=1)
    answer, news = found.letters
    assert "In Tak, after 1 game with Ben in all: you have 16 points and Ben has 0." in reads(answer)
    assert "In Tak, after 1 game with Ada in all: you have 0 points and Ada has 16." in reads(news)
    assert all("takmail-1.ptn" in one.content.raw.decode() for one in found.letters)
    assert all("takmail-1.gif" in one.content.drawings for one in found.letters)


def test_whoever_wants_text_alone_gets_text_alone() -> None:
    (letter,) = (
        harness_after(view=LetterView.TEXT)
        .write(("rs", told("resync", Shows.BOARD)), by=AS_ADA, game=1)
        .letters
    )
    assert letter.content.html_text is None
    assert b"multipart" not in letter.content.raw
    (letter,) = (
        harness_after(view=LetterView.HTML)
        .write(("rs", told("resync", Shows.BOARD)), by=AS_ADA, game=1)
        .letters
    )
    assert letter.content.html_text
    assert b"text/plain" not in letter.content.raw


def test_a_view_that_is_chosen_holds_for_the_answer_at_once() -> None:
    chosen = (what_happened.SettingChosen(player=AS_ADA.id, keyword="view", value=LetterView.BOTH),)
    (letter,) = harness_after().write(("view both", chosen), by=AS_ADA, game=1).letters
    assert letter.content.html_text


def test_one_outcome_numbers_its_letters() -> None:
    harness = harness_after()
    first, second = harness.write(plays("ps a1", 1), by=AS_ADA, game=1).letters
    third, fourth = harness.write(plays("ps b1", 2, Seat.SECOND), by=AS_BEN, game=1).letters
    assert len(set(ids((first, second, third, fourth)))) == 4


def test_a_silent_mail_has_no_answer() -> None:
    assert harness_after().write(by=AS_ADA, game=1, is_silent=True).letters == ()


def test_the_last_answer_says_so() -> None:
    budget = {LetterPurpose.UNSURE: 4}
    box = replace(Mailbox("gus@example.org"), budget=replace(Mailbox("").budget, hour=budget, day=budget))
    harness = LetterHarness(SERVICES, strangers={box.address: box})
    (letter,) = harness.write(
        ("help", told("help_all", kind="")), address=box.address, verified=(False, False)
    ).letters
    assert "this is the last answer to them for now" in reads(letter)


def test_a_player_by_another_name_reads_their_own_letters() -> None:
    gus = player(3, "Gus", "gus@example.org")
    harness = LetterHarness(SERVICES).put(game(players=(gus, AS_BEN)))
    letter = harness.write(("rs", told("resync", Shows.BOARD)), by=gus, game=1).letters[0]
    assert "To: Gus <gus@example.org>" in letter.content.raw.decode()


def test_a_doubtful_turn_is_asked_about_in_the_answer() -> None:
    question = Pending(PendingId(-1), PendingKind.HELD, NOW, words="ps c3", game=GAME, seat=Seat.FIRST)
    reason = Reason("no-capstones-on-this-board", {"size": 3})
    doubted = what_happened.TurnConfirmationAsked(question=question, kind="tak", text="ps c3", reason=reason)
    found = harness_after().write(("PS c3", (doubted,)), by=AS_ADA, game=1)
    (answer,) = found.letters
    assert "Not done yet: there are no capstones on a 3x3 board." in reads(answer)
    assert found.asked_by == {question.id: answer.message_id}
