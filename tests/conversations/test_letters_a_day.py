"""The limits of letters to one address. Each kind is counted separately."""

from datetime import timedelta

import pytest

from takmail.letters.letter import Letter
from takmail.limits.letters import RateLimits
from takmail.world.kinds import LetterState, MessageId
from tests.support.memory_harness import MemoryHarness, turns
from tests.support.players import ADA, BEN, Received, said

AS_ADA, AS_BEN, OTHER = f"Ada <{ADA}>", f"Ben <{BEN}>", "other@example.org"
AS_OTHER = f"Other <{OTHER}>"
FEW = RateLimits(300, 30, 5, letters_per_day=4, stranger_letters_per_day=3, chat_letters_per_hour=3)
MOMENT = timedelta(seconds=1)


def letters(harness: MemoryHarness, to: str, *kinds: str) -> list[Letter]:
    """Return all letters of some kinds to somebody, in order."""
    return [one for one in harness.memory.outbox.values() if one.mail_to == to and one.purpose in kinds]


def states(harness: MemoryHarness, to: str, *kinds: str) -> list[str]:
    return [str(one.state) for one in letters(harness, to, *kinds)]


@pytest.fixture
def few(harness: MemoryHarness) -> MemoryHarness:
    """A game of Ada and Ben with low limits."""
    harness.begin()
    harness.change(rates=FEW)
    harness.now += MOMENT
    return harness


def of_game(harness: MemoryHarness, who: str, number: int) -> Received:
    tag = f"[tak #{number}]"
    return next(one for one in reversed(harness.box) if one.to == who and one.subject.startswith(tag))


def offer(harness: MemoryHarness, times: int) -> None:
    """Ada offers a draw in the first game and withdraws it, again and again, so that Ben gets this many letters."""
    for number in range(times):
        harness.send(AS_ADA, "withdraw" if number % 2 else "draw", of_game(harness, ADA, 1))


def say(harness: MemoryHarness, *words: str) -> list[str]:
    """Ada sends each text. Return the answers to her."""
    return [said(harness.send(AS_ADA, one, of_game(harness, ADA, 1))[0]) for one in words]


def test_what_happens_in_a_game_beyond_the_number_for_a_day_waits_a_day(few: MemoryHarness) -> None:
    offer(few, 6)
    assert states(few, BEN, "news") == ["queued"] * 4 + ["postponed"] * 2
    assert {one.due_at for one in letters(few, BEN, "news")[4:]} == {few.now + timedelta(days=1)}


def test_what_is_postponed_is_spread_over_the_days_that_follow(few: MemoryHarness) -> None:
    offer(few, 13)
    waits = [(one.due_at - few.now).days for one in letters(few, BEN, "news")[4:]]
    assert waits == [1] * 4 + [2] * 4 + [3]


def test_what_its_reader_asks_for_comes_at_once(few: MemoryHarness) -> None:
    offer(few, 5)
    few.send(AS_BEN, "rs", few.last(BEN))
    assert states(few, BEN, "sure")[-1] == "queued"


def test_a_mail_that_is_surely_a_player_s_frees_what_was_postponed_for_them(few: MemoryHarness) -> None:
    offer(few, 6)
    few.send(AS_BEN, "rs")
    assert states(few, BEN, "news")[4:] == ["postponed"] * 2, "anybody can write that"
    few.send(AS_BEN, "games", of_game(few, BEN, 1))
    assert states(few, BEN, "news") == ["queued"] * 6


def test_two_who_play_fast_are_never_postponed(few: MemoryHarness) -> None:
    squares = ["a1", "e5", "b2", "d4", "a3", "e3", "c5", "c1", "b4", "d2", "a5", "e1"]
    for number, square in enumerate(squares):
        few.now += MOMENT
        few.play(f"ps {square}", start=number)
    assert len(turns(few)) == len(squares)
    assert set(states(few, BEN, "news")) == set(states(few, ADA, "news")) == {"queued"}


def test_what_one_opponent_does_keeps_no_letter_of_another_game_waiting(few: MemoryHarness) -> None:
    few.send(AS_OTHER, f"new 5 vs {BEN} first=me")
    few.send(AS_BEN, "accept", few.last(BEN))
    few.now += MOMENT
    offer(few, 8)
    say(few, *"abcdef")
    few.send(AS_OTHER, "ps a1", few.last(OTHER))
    letter = few.memory.outbox[MessageId(few.last(BEN).id)]
    assert (letter.about.game, letter.about.turn, letter.state) == (2, 1, LetterState.QUEUED)


def test_in_a_stranger_s_name_only_few_letters_can_be_had(few: MemoryHarness) -> None:
    few.confirms = False
    letters = [
        letter
        for number in range(8)
        for letter in few.send("Someone <someone@example.net>", f"show {number}\nrs")
    ]
    assert len(letters) == FEW.stranger_letters_per_day
    assert few.note_of(11) == ("rejected", "over the limit: [limits] stranger_letters_per_day = 3")


class TestChat:
    """Letters that contain only chat."""

    def test_beyond_the_number_for_an_hour_words_wait_and_their_writer_hears_so(
        self, few: MemoryHarness
    ) -> None:
        answers = say(few, "first", "second", "third", "fourth")
        assert ["so yours wait" in one for one in answers] == [False, False, False, True]
        assert "they come with the next letter to Ben, or within an hour" in answers[3]
        assert states(few, BEN, "chat") == ["queued"] * 3 + ["postponed"]

    def test_so_do_words_that_are_said_with_say(self, few: MemoryHarness) -> None:
        say(few, "first", "second", "third")
        assert "so yours wait" in say(few, "say ps b4")[0]

    def test_those_that_wait_go_in_one_letter(self, few: MemoryHarness) -> None:
        say(few, "first", "second", "third", "fourth", "fifth", "sixth")
        assert states(few, BEN, "chat") == ["queued"] * 3 + ["withdrawn"] * 2 + ["postponed"]
        assert [word in few.last(BEN).text for word in ("third", "fourth", "fifth", "sixth")] == [
            False,
            True,
            True,
            True,
        ]

    def test_the_next_letter_takes_them_along(self, few: MemoryHarness) -> None:
        say(few, "first", "second", "third", "fourth", "fifth")
        assert "so yours wait" not in say(few, "ps a1\n\nsixth")[0]
        letter = few.last(BEN)
        assert letter.lines[0] == "ps a1"
        assert all(word in letter.text for word in ("fourth", "fifth", "sixth"))
        assert states(few, BEN, "chat") == ["queued"] * 3 + ["withdrawn"] * 2
        few.now += timedelta(hours=1)
        say(few, "seventh")
        assert "sixth" not in few.last(BEN).text

    def test_the_answer_to_their_reader_takes_them_along(self, few: MemoryHarness) -> None:
        say(few, "first", "second", "third", "fourth")
        (answer,) = few.send(AS_BEN, "games", of_game(few, BEN, 1))
        assert states(few, BEN, "chat") == ["queued"] * 3 + ["withdrawn"]
        assert "fourth" in answer.text

    def test_the_limit_of_the_hour_holds_whatever_their_reader_writes(self, few: MemoryHarness) -> None:
        say(few, "first", "second", "third", "fourth")
        few.send(AS_BEN, "help", quoting=False)
        say(few, "fifth")
        assert states(few, BEN, "chat").count("queued") == 3

    def test_what_waits_is_bounded(self, few: MemoryHarness) -> None:
        answers = say(few, "a", "b", "c", *(f"{letter}" * 3_000 for letter in "defgh"))
        assert ["as too many wait" in one for one in answers] == [False] * 5 + [True] * 3
        assert len(few.last(BEN).text) < 12_000
