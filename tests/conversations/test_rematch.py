"""Rematches: who begins, what carries over, and how often one can be requested."""

import pytest

from takmail.limits.games import MAX_INVITATIONS
from takmail.world.kinds import GameNumber, Standing
from takmail.world.records import GameRecord
from tests.support.memory_harness import BOTH_SIDES, MemoryHarness
from tests.support.players import ADA, BEN, Players, Received, said

AS_ADA, AS_BEN = f"Ada <{ADA}>", f"Ben <{BEN}>"


def game(harness: MemoryHarness, number: int) -> GameRecord | None:
    found = harness.memory.tables.get(GameNumber(number))
    return None if found is None else found.record


def standing(harness: MemoryHarness, number: int = 2) -> Standing | None:
    found = game(harness, number)
    return None if found is None else found.standing


def finish(harness: Players, words: str = "5", first: str = "me") -> tuple[Received, Received]:
    """Ada invites Ben and resigns. Return the last letters to Ada and to Ben."""
    harness.begin(words, first)
    harness.send(AS_ADA, "resign", harness.last(ADA))
    harness.send(AS_ADA, "yes", harness.last(ADA))
    return harness.last(ADA), harness.last(BEN)


AGAIN = "rematch play again"


def test_a_yes_to_a_letter_from_before_the_end_is_asked_about(harness: MemoryHarness) -> None:
    harness.begin()
    old = harness.last(ADA)
    harness.send(AS_ADA, "resign", old)
    harness.send(AS_ADA, "yes", harness.last(ADA))
    last = harness.last(ADA)
    harness.send(AS_BEN, f"new 4 vs {ADA}")
    (asked,) = harness.send(AS_ADA, "yes", old)
    assert {"accept", "decline"} <= {line.strip().partition("  ")[0] for line in asked.text.splitlines()}
    assert standing(harness) is Standing.INVITED
    harness.send(AS_ADA, "yes", last)
    assert standing(harness) is Standing.OPEN


def test_the_last_letters_say_how_to_go_on(harness: MemoryHarness) -> None:
    lost, won = finish(harness)
    on = "To go on, answer with one of these lines: rematch play again, and this time"
    assert f"{on} Ben begins learn learn it in short lessons seek 5 a game with anybody" in said(lost)
    assert f"{on} you begin seek 5 a game with anybody Result" in said(won)


def test_a_rematch_is_not_offered_again_unless_it_was_declined(harness: MemoryHarness) -> None:
    last, _ = finish(harness)
    invitation, answer = harness.send(AS_ADA, "rematch", last)
    (again,) = harness.send(AS_ADA, "rs", last)
    for letter in (answer, again):
        assert AGAIN not in said(letter)
    harness.send(AS_BEN, "decline", invitation)
    (again,) = harness.send(AS_ADA, "rs", last)
    assert AGAIN in said(again)


def test_the_other_one_begins_and_all_else_stays(harness: MemoryHarness) -> None:
    _, last = finish(harness, "6 komi=2 score=tarway days=3")
    invitation, answer = harness.send(AS_BEN, "rematch", last)
    assert (invitation.to, answer.to) == (ADA, BEN)
    assert "The game would have a clock: 3 days for each turn." in said(answer)
    assert "again (6x6, komi 2, points by the Tarway Rules), and this time Ben begins" in said(invitation)
    assert "If you accept, the game has a clock: 3 days for each turn." in said(invitation)
    _, news = harness.send(AS_ADA, "accept", invitation)
    assert "You play White, and the first turn is yours" in said(news)
    assert "This game has a clock: 3 days for each turn." in said(news)
    old, new = game(harness, 1), game(harness, 2)
    assert old is not None
    assert new is not None
    assert (new.setup, new.timing.pace, new.standing) == (old.setup, "days=3", Standing.OPEN)


@pytest.mark.parametrize(
    ("words", "setup", "pace"),
    [
        ("days=5", "6 komi=2", "days=5"),
        ("time=7d+12h weekdays", "6 komi=2", "time=7d+12h weekdays"),
        ("time=none", "6 komi=2", None),
        ("komi=1", "6 komi=1", "days=3"),
        ("5", "5", "days=3"),
        ("7 caps=1 days=5", "7 caps=1", "days=5"),
    ],
)
def test_a_rematch_may_differ(harness: MemoryHarness, words: str, setup: str, pace: str | None) -> None:
    _, last = finish(harness, "6 komi=2 days=3")
    harness.send(AS_BEN, f"rematch {words}", last)
    new = game(harness, 2)
    assert new is not None
    assert (new.setup, new.timing.pace) == (setup, pace)


def test_who_asks_for_a_rematch_may_choose_who_is_first(harness: MemoryHarness) -> None:
    _, last = finish(harness)
    harness.send(AS_BEN, "rematch first=them", last)
    new = game(harness, 2)
    assert new is not None
    assert new.seat_of(new.invitation.host) == 1


def test_other_terms_do_not_accept_a_rematch(harness: MemoryHarness) -> None:
    ada, ben = finish(harness)
    invitation, _ = harness.send(AS_ADA, "rematch days=3", ada)
    for answered in (ben, invitation):
        (answer,) = harness.send(AS_BEN, "rematch days=7", answered)
        assert 'Ada has asked you to a game already. Write "#2 accept"' in said(answer)
    assert standing(harness) == Standing.INVITED


def test_a_rematch_is_an_invitation_in_a_thread_of_its_own(harness: MemoryHarness) -> None:
    last, _ = finish(harness)
    invitation, _ = harness.send(AS_ADA, "rematch", last)
    assert invitation.subject == "[tak #2] Ada asks you to a game of Tak, 5x5"
    harness.send(AS_BEN, "decline", invitation)
    assert standing(harness) == Standing.DECLINED


def test_the_letters_of_a_rematch_do_not_repeat_the_finished_game() -> None:
    harness = MemoryHarness(services=BOTH_SIDES)
    harness.begin_and_play("ps a1", "ps c3", "ps b3", "ps b1", "ps a3", words="3")
    letters = harness.send(AS_ADA, "rematch\n\nThat was fun!", harness.last(ADA))
    again = harness.send(AS_ADA, "rematch", harness.last(ADA))
    assert [one.to for one in (*letters, *again)] == [BEN, ADA, ADA]
    assert "  | That was fun!" in letters[0].text
    for letter in (*letters, *again):
        assert not letter.pictures
        for words in ("Last turns:", "[Result ", "White:", " in all: you have", "Result:"):
            assert words not in letter.text


@pytest.mark.parametrize("text", ["accept", "Gladly! You were lucky.", "rematch", "好的"])
def test_an_answer_to_the_end_of_the_game_reaches_the_invitation(harness: MemoryHarness, text: str) -> None:
    ada, ben = finish(harness)
    harness.send(AS_ADA, "rematch\n\nAnother one?", ada)
    harness.send(AS_BEN, text, ben)
    assert harness.table(2).record.standing is Standing.OPEN


@pytest.mark.parametrize("text", ["accept", "Gladly! You were lucky.", "好的"])
def test_an_answer_to_the_end_of_the_game_reaches_any_invitation_of_the_opponent(
    harness: MemoryHarness, text: str
) -> None:
    ada, ben = finish(harness)
    harness.send(AS_ADA, f"new 6 vs {BEN}", ada)
    harness.send(AS_BEN, text, ben)
    assert standing(harness) is Standing.OPEN


def test_a_no_to_the_end_of_the_game_declines_the_invitation(harness: MemoryHarness) -> None:
    ada, ben = finish(harness)
    harness.send(AS_ADA, "rematch", ada)
    answer, news = harness.send(AS_BEN, "no, thanks", ben)
    assert standing(harness) is Standing.DECLINED
    assert (answer.to, news.to) == (BEN, ADA)
    assert "Ben does not want to play this game." in said(news)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Gladly! You were lucky. Rematch?", "Gladly! You were lucky. Rematch?"),
        ("Реванш? Ты молодец!", "Ты молодец!"),
        ("再来一局？", ""),
        ("rematch\nWell played!", "Well played!"),
    ],
)
def test_a_wish_for_a_rematch_and_its_words_are_one_letter(
    harness: MemoryHarness, text: str, words: str
) -> None:
    _, ben = finish(harness)
    invitation, _ = [one for one in harness.send(AS_BEN, text, ben) if one.to in (ADA, BEN)]
    assert invitation.to == ADA
    assert standing(harness) is Standing.INVITED
    assert [line for line in invitation.lines if line.startswith("  | ")] == [f"  | {words}"] * bool(words)


@pytest.mark.parametrize("text", ["No rematch please", "Rematch? Never!"])
def test_who_wants_no_rematch_asks_for_none(harness: MemoryHarness, text: str) -> None:
    _, ben = finish(harness)
    harness.send(AS_BEN, text, ben)
    assert game(harness, 2) is None


def test_who_says_gladly_and_rematch_accepts_once(harness: MemoryHarness) -> None:
    ada, ben = finish(harness)
    harness.send(AS_ADA, "rematch", ada)
    (answer, _) = harness.send(AS_BEN, "Gladly! Revenge!\nrematch", ben)
    assert "Not done" not in said(answer)
    assert standing(harness) is Standing.OPEN


def test_a_rematch_is_asked_for_once(harness: MemoryHarness) -> None:
    ada, ben = finish(harness)
    harness.send(AS_ADA, "rematch", ada)
    (answer,) = harness.send(AS_ADA, "rematch", ada)
    assert "you have asked Ben to a game already (#2)" in said(answer)
    harness.send(AS_BEN, "rematch", ben)
    for who, last in ((AS_ADA, ada), (AS_BEN, ben)):
        (answer,) = harness.send(who, "rematch", last)
        assert "you have begun another one after this game already (#2)" in said(answer)
    assert game(harness, 3) is None


def test_a_game_that_goes_on_has_no_rematch(harness: MemoryHarness) -> None:
    harness.begin()
    (answer,) = harness.send(AS_ADA, "rematch", harness.last(ADA))
    assert "this game is still going on" in said(answer)
    assert game(harness, 2) is None


def test_an_invitation_to_a_first_game_is_not_accepted_with_rematch(harness: MemoryHarness) -> None:
    harness.send(AS_ADA, f"new 5 vs {BEN}")
    harness.send(AS_BEN, "rematch", harness.last(BEN))
    assert standing(harness, 1) == Standing.INVITED


def test_the_limits_on_invitations_hold_for_a_rematch(harness: MemoryHarness) -> None:
    last, _ = finish(harness)
    for number in range(MAX_INVITATIONS):
        harness.send(AS_ADA, f"new 5 vs somebody{number}@example.net")
    (answer,) = harness.send(AS_ADA, "rematch", last)
    assert f"{MAX_INVITATIONS}" in said(answer)
    assert game(harness, 2 + MAX_INVITATIONS) is None


def test_an_invitation_that_waits_between_the_two_comes_first(harness: MemoryHarness) -> None:
    ada, ben = finish(harness)
    harness.send(AS_BEN, f"new 6 vs {ADA}", ben)
    (answer,) = harness.send(AS_ADA, "rematch", ada)
    assert 'Write "#2 accept" to begin it' in said(answer)
    assert standing(harness) == Standing.INVITED


@pytest.mark.parametrize("days", ["0", "366", "three", "", "-1", "3.5", "1000000000"])
def test_days_are_a_number_of_days(harness: MemoryHarness, days: str) -> None:
    (answer,) = harness.send(AS_ADA, f"new 5 vs {BEN} days={days}")
    assert "For a clock write days=3, hours=36 or time=7d+12h, from an hour to 365 days, and" in said(answer)
    assert game(harness, 1) is None


def test_days_are_said_once(harness: MemoryHarness) -> None:
    (answer,) = harness.send(AS_ADA, f"new 5 vs {BEN} days=3 days=4")
    assert 'I can\'t read "..."' in said(answer)


@pytest.mark.parametrize(("days", "words"), [("1", "1 day for each turn"), ("365", "365 days for each turn")])
def test_the_invitation_says_how_much_time_there_is(harness: MemoryHarness, days: str, words: str) -> None:
    invitation, answer = harness.send(AS_ADA, f"new 5 vs {BEN} days={days}")
    assert f"If you accept, the game has a clock: {words}." in said(invitation)
    assert words in said(answer)
    found = game(harness, 1)
    assert found is not None
    assert found.timing.pace == f"days={days}"


@pytest.mark.parametrize("line", [f"new 6 vs {BEN}", "rematch"])
def test_a_declined_game_can_be_asked_for_again_in_answer_to_the_letter(
    harness: MemoryHarness, line: str
) -> None:
    harness.send(AS_ADA, f"new 6 vs {BEN} first=me days=3")
    harness.send(AS_BEN, "decline", harness.last(BEN))
    declined = harness.last(ADA)
    assert "This game was declined." in said(declined)
    invitation, answer = harness.send(AS_ADA, line, declined)
    assert "Ben has been asked to a game with you (6x6)" in said(answer)
    assert "declined" not in said(answer)
    assert "Ada asks you to a game of Tak by mail (6x6)." in said(invitation)
    assert f"Ada's address is {ADA}." in said(invitation)
    harness.send(AS_BEN, "accept", invitation)
    assert standing(harness) is Standing.OPEN
    if line == "rematch":
        assert harness.table(2).record.players == harness.table().record.players
        assert harness.table(2).record.timing.pace == "days=3"


def test_who_has_declined_may_ask_in_turn_and_is_told_no_address(harness: MemoryHarness) -> None:
    harness.send(AS_ADA, f"new 6 vs {BEN} first=me")
    harness.send(AS_BEN, "decline", harness.last(BEN))
    invitation, _ = harness.send(AS_BEN, "rematch", harness.last(BEN))
    assert invitation.to == ADA
    assert BEN not in invitation.text
    harness.send(AS_ADA, "accept", invitation)
    assert standing(harness) is Standing.OPEN


def test_a_declined_game_is_asked_for_once(harness: MemoryHarness) -> None:
    harness.send(AS_ADA, f"new 6 vs {BEN}")
    harness.send(AS_BEN, "decline", harness.last(BEN))
    declined = harness.last(ADA)
    harness.send(AS_ADA, "rematch", declined)
    (answer,) = harness.send(AS_ADA, "rematch", declined)
    assert "you have asked Ben to a game already (#2)" in said(answer)


def test_a_declined_rematch_is_asked_for_again_as_a_rematch(harness: MemoryHarness) -> None:
    last, _ = finish(harness)
    harness.send(AS_ADA, "rematch", last)
    harness.send(AS_BEN, "decline", harness.last(BEN))
    invitation, _ = harness.send(AS_ADA, "rematch", harness.last(ADA))
    assert "Ada wants to play again" in said(invitation)
    assert harness.table(3).record.rematch_of == 1
