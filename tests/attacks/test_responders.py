"""Mailboxes that answer every letter, without a header that says so."""

from collections import deque
from collections.abc import Callable
from datetime import timedelta
from string import ascii_lowercase

import pytest

from takmail.letters.services import Services
from takmail.limits.letters import RateLimits
from takmail.limits.words import MAX_SIMILAR_TEXTS, MAX_TEXTS_IN_A_ROW
from takmail.store.database import Store
from takmail.world.operations import ReleaseLetters
from tests.support.harness import Harness
from tests.support.memory_harness import PLAIN, WITHOUT_PLUS, MemoryHarness, turns
from tests.support.players import ADA, BEN, Received, said
from tests.support.scenes import played_once
from tests.support.width import combined, some_of, tenth_of

NORA = "nora@example.org"
AWAY = "Thank you for your mail. I read it on Monday."
MOST_LETTERS = 60
ROUNDS = 200
Responder = Callable[[int, Received], str]
"""Returns what the responder writes in its n-th mail, in answer to a letter."""


def same(text: str) -> Responder:
    return lambda _number, _letter: text


WRITTEN: dict[str, tuple[Responder, Responder]] = {
    "the same": (same(AWAY), same(AWAY)),
    "each its own": (same(AWAY), same("Ich bin bis Montag nicht da.\n\nViele Grüße\nBen")),
    "with a greeting": (same(f"Hi Ben,\n\n{AWAY}\n\nAda"), same(f"Hello Ada,\n\n{AWAY}\n\nBen")),
    "Chinese": (same("我不在办公室，星期一回来。"), same("Меня не будет до понедельника.")),
    "a time": (
        lambda number, _: f"{AWAY} Your mail came at {10 + number // 60}:{number % 60:02d}.",
        lambda number, _: f"{AWAY}\nReceived: Thu, {1 + number // 50} Nov 2026 10:{number % 60:02d}:11 +0000",
    ),
    "a counter": (lambda number, _: f"Message {number}: {AWAY}", lambda number, _: f"{AWAY} [#{number}]"),
    "a unique number": (
        lambda number, _: f"{AWAY}\n\nTicket {number * 7919 % 99991:05x}-{number}",
        lambda number, _: f"{AWAY} (ref:_00D{number * 104729:09X}._500)",
    ),
    "its Subject": (
        lambda _, letter: f"{AWAY}\n\nYour mail: {letter.subject}",
        lambda _, letter: f"Thank you for your mail “{letter.subject}”. {AWAY}",
    ),
    "its first lines": (
        lambda _, letter: f"{AWAY}\n\n" + "\n".join(letter.lines[:3]),
        lambda _, letter: f"{AWAY}\n\n-----Original Message-----\n{letter.text}",
    ),
    "alternating": (
        lambda number, _: (AWAY, "I am still away.")[number % 2],
        lambda number, _: ("Good morning,", "Good evening,")[number % 2] + f"\n{AWAY}",
    ),
    "always another": (
        lambda number, _: f"{AWAY}\n" + " ".join("abcdefghij"[int(one)] * 5 for one in str(number)),
        lambda number, _: " ".join("klmnopqrst"[int(one)] * 3 for one in str(number)) + " is my fortune",
    ),
    "a line that may be meant": (same("Back on Monday, move c3 maybe"), same("draw? I am away")),
    "an attempt at a move": (same(f"{AWAY}\n\npalce b1"), same("ps b1 b2 b3\nI am away")),
    "a word for what takmail has not": (same(f"{AWAY}\nOn vacation\nAda"), same(f"Vacation!\n{AWAY}\nBen")),
    "looks": (same(f"{AWAY}\n\nHelp"), same(f"games\n\n{AWAY}")),
    "nothing but looks": (same("log"), same("help")),
}


def letters_of(
    harness: MemoryHarness,
    ada: Responder,
    ben: Responder,
    games: int = 1,
    step: timedelta = timedelta(seconds=20),
    **how: object,
) -> list[Received]:
    """Return the letters that a move in each game leads to, while the responders of both players answer each letter."""
    waiting: deque[Received] = deque()
    for _ in range(games):
        harness.send(f"Ada <{ADA}>", f"new 5 vs {BEN} first=me")
        begun = harness.send(f"Ben <{BEN}>", "accept", harness.last(BEN))
        waiting += harness.send(f"Ada <{ADA}>", "ps a1", next(one for one in begun if one.to == ADA))
    letters = [*waiting]
    for number in range(ROUNDS):
        if not waiting:
            break
        letter = waiting.popleft()
        harness.now += step
        text = {ADA: ada, BEN: ben}[letter.to](number, letter)
        mail = harness.mail(f"<{letter.to}>", text, letter, **how)  # type: ignore[arg-type]
        answers = harness.deliver(mail.as_bytes())
        waiting += answers
        letters += answers
    return letters


CHANGING = ("the same", "a time", "its Subject", "always another")


@pytest.mark.parametrize("written", sorted({"always another", *some_of(CHANGING, 1), *tenth_of(WRITTEN)}))
def test_two_responders_get_few_letters(written: str) -> None:
    assert len(letters_of(MemoryHarness(), *WRITTEN[written])) <= MOST_LETTERS


@pytest.mark.parametrize("written", tenth_of(CHANGING))
def test_so_they_do_with_several_games(written: str) -> None:
    assert len(letters_of(MemoryHarness(), *WRITTEN[written], games=3)) <= MOST_LETTERS


@pytest.mark.parametrize(
    ("how", "services"),
    combined(
        some_of([{"quoting": False}, {"threaded": False}, {"subject": "Re: your mail"}], 2),
        [PLAIN, WITHOUT_PLUS],
    ),
)
def test_so_they_do_however_they_answer(services: Services, how: dict[str, object]) -> None:
    harness = MemoryHarness(services=services)
    assert len(letters_of(harness, *WRITTEN["the same"], **how)) <= MOST_LETTERS


@pytest.mark.parametrize("written", tenth_of(one for one in CHANGING if one != "always another"))
def test_so_they_do_over_days(written: str) -> None:
    assert len(letters_of(MemoryHarness(), *WRITTEN[written], step=timedelta(hours=2))) <= MOST_LETTERS


def away(harness: MemoryHarness, text: str = AWAY, *, answers: Received | None = None) -> list[Received]:
    """Let Ben's responder answer the last letter to him."""
    return harness.send(f"Ben <{BEN}>", text, answers or harness.last(BEN))


@pytest.fixture
def harness() -> MemoryHarness:
    return MemoryHarness()


@pytest.fixture
def begun(harness: MemoryHarness) -> MemoryHarness:
    """Return a game in which it is Ben's turn."""
    harness.begin_and_play("ps a1")
    return harness


def test_who_is_left_alone_is_told_once(begun: MemoryHarness) -> None:
    assert [one.to for one in away(begun)] == [BEN, ADA]
    answer, news = away(begun)
    assert "the same text gets no answer from now on" in said(answer)
    assert "Ben's mailbox has sent the same words again, as an automatic reply does" in said(news)
    assert AWAY not in said(news)
    assert [away(begun) for _ in range(5)] == [[]] * 5
    assert begun.notes[-1] == ("rejected", "the same text again and no command: probably an automatic reply")


@pytest.mark.parametrize("words", ["I am back, sorry!", "Back! Where were we?"])
def test_other_words_are_heard_at_once(begun: MemoryHarness, words: str) -> None:
    for _ in range(5):
        away(begun)
    _, news = away(begun, words)
    assert f"| {words}" in news.text
    away(begun)
    assert AWAY in begun.last(ADA).text


def test_an_order_is_heard_at_once(begun: MemoryHarness) -> None:
    for _ in range(5):
        away(begun)
    _, news = away(begun, f"ps e5\n\n{AWAY}")
    assert news.lines[0] == "ps e5"
    assert turns(begun) == ["ps a1", "ps e5"]


def test_another_opponent_gets_it_with_the_next_letter(begun: MemoryHarness) -> None:
    begun.send(f"Nora <{NORA}>", f"new 5 vs {BEN} first=me")
    begun.send(f"Ben <{BEN}>", "accept", begun.last(BEN))
    to_ben = begun.last(BEN)
    for _ in range(3):
        away(begun, answers=next(one for one in begun.box if one.to == BEN and "ps a1" in one.lines[:1]))
    assert away(begun, answers=to_ben) == []
    letter = begun.send(f"Nora <{NORA}>", "ps c3", begun.last(NORA))[0]
    assert letter.text.count(AWAY) == 1
    assert away(begun, answers=begun.last(BEN)) == []
    assert AWAY not in begun.send(f"Nora <{NORA}>", "rs", begun.last(NORA))[0].text


def test_a_machine_s_mail_frees_no_letters(begun: MemoryHarness) -> None:
    away(begun), away(begun), away(begun)
    assert begun.outcome.world.operations == ()
    away(begun, "I am back.")
    (released,) = begun.outcome.world.operations
    assert isinstance(released, ReleaseLetters)


@played_once
def talked(harness: MemoryHarness) -> None:
    """Let Ben write thirteen different texts in a row, the last of which wait."""
    harness.begin_and_play("ps a1")
    got = [away(harness, f"Another thought, {word * 3}.") for word in "abcdefghijklm"]
    assert [len(one) for one in got] == [2] * 10 + [1, 0, 0]
    assert "Words wait for the next letter to Ada" in said(got[10][0])


def test_many_texts_in_a_row_wait_for_the_next_letter(harness: MemoryHarness) -> None:
    talked(harness)
    letter = harness.send(f"Ada <{ADA}>", "rs", harness.last(ADA))[0]
    assert [f"{word * 3}." in letter.text for word in "jkm"] == [False, True, True]
    _, news = away(harness, "ps e5\n\nAt last!")
    assert "At last!" in news.text


def test_an_hour_later_they_are_passed_on_again(harness: MemoryHarness) -> None:
    talked(harness)
    harness.now += timedelta(hours=1)
    _, news = away(harness, "Where were we?")
    assert [f"{word * 3}." in news.text for word in "jkm"] == [False, True, True]
    assert "Where were we?" in news.text


@pytest.mark.parametrize(("over", "both"), combined([False, True], [False, True]))
def test_friends_who_talk_day_after_day_are_heard(begun: MemoryHarness, over: bool, both: bool) -> None:
    if over:
        begun.send(f"Ben <{BEN}>", "resign", begun.last(BEN))
        begun.send(f"Ben <{BEN}>", "yes", begun.last(BEN))
    for word in ascii_lowercase[: MAX_TEXTS_IN_A_ROW + 2]:
        begun.now += timedelta(days=1)
        assert word * 5 in away(begun, f"A thought about {word * 5}, my friend.")[-1].text
        if both:
            mail = f"And mine about {word * 4}."
            assert word * 4 in begun.send(f"Ada <{ADA}>", mail, begun.last(ADA))[-1].text


ATTEMPTS = {
    "palce b1": "gets your words",
    "ps b1 b2 b3": "ps b1 b2 b3",
    "mn b1": "mn b1",
    "ps а1": "а1",
}


@pytest.mark.parametrize("attempt", some_of(ATTEMPTS, 2))
def test_an_attempt_at_an_order_is_answered_after_many_texts(harness: MemoryHarness, attempt: str) -> None:
    talked(harness)
    for words in (attempt, f"{attempt}\n\nWhat is wrong with it?"):
        (answer, *_) = away(harness, words)
        assert answer.to == BEN
        assert ATTEMPTS[attempt] in answer.text
    assert turns(harness) == ["ps a1"]


def test_every_attempt_is_answered_unless_the_text_is_the_same(begun: MemoryHarness) -> None:
    attempts = [f"palce {file}{rank}" for file in "abc" for rank in "12345"][: MAX_TEXTS_IN_A_ROW + 2]
    assert all(away(begun, one) for one in attempts)
    assert [bool(away(begun, "palce b1")) for _ in range(5)] == [True, True, True, False, False]
    assert away(begun, "ps e5")
    assert turns(begun) == ["ps a1", "ps e5"]


LOOKS = ("help", "games", "log", "seeks", "rules", "help\n\nI am away until Monday.")


@pytest.mark.parametrize("look", some_of(LOOKS, 2))
def test_a_look_word_for_word_is_a_machine_s_after_five_times(begun: MemoryHarness, look: str) -> None:
    got = []
    for _ in range(9):
        begun.now += timedelta(minutes=1)
        got.append([one.to for one in away(begun, look)].count(BEN))
    assert got == [1] * 6 + [0] * 3
    assert "came within an hour" in said(begun.last(BEN))
    assert away(begun, "I am back.")
    begun.now += timedelta(hours=1)
    assert away(begun, look)


def test_who_looks_at_one_thing_for_hours_is_answered(begun: MemoryHarness) -> None:
    for number in range(24):
        begun.now += timedelta(minutes=20)
        look = ("games", "log", "games", f"show {number % 2}")[number % 4]
        assert [one.to for one in away(begun, look)] == [BEN]


@pytest.mark.parametrize(
    ("look", "step"),
    combined([*some_of(LOOKS, 3), "hello", "Thank you for your mail.\n\nplace a1\n\nMoves"], [20, 300]),
)
def test_a_responder_of_nobody(harness: MemoryHarness, look: str, step: int) -> None:
    harness.confirms = False
    waiting = deque(harness.send("Bot <bot@shop.example>", "hello"))
    letters = len(waiting)
    for _ in range(ROUNDS):
        if waiting:
            harness.now += timedelta(seconds=step)
            answers = harness.send("Bot <bot@shop.example>", look, waiting.popleft())
            waiting += answers
            letters += len(answers)
    assert not waiting
    assert letters <= 10


def test_a_responder_of_nobody_that_counts_gets_so_many_an_hour(harness: MemoryHarness) -> None:
    harness.confirms = False
    harness.change(rates=RateLimits(unproven_answers_per_hour=8))
    letter = harness.send("Bot <bot@shop.example>", "hello")[0]
    got = 0
    for number in range(25):
        harness.now += timedelta(seconds=20)
        got += len(harness.send("Bot <bot@shop.example>", f"Ticket {number} is open.\nHelp", letter))
    assert got <= 10


def test_a_question_to_a_responder_is_not_asked_again_and_again(begun: MemoryHarness) -> None:
    begun.confirms = False
    (question,) = begun.send(f"Ben <{BEN}>", "new 6 vs nora@example.org")
    waiting, letters = [question], 0
    while waiting and letters < 50:
        waiting += away(begun, answers=waiting.pop())
        letters += 1
    assert letters <= 4


def test_a_guest_s_responder(harness: MemoryHarness) -> None:
    harness.send(f"Ada <{ADA}>", f"new 5 vs {BEN}")
    got = [len(away(harness)) for _ in range(6)]
    assert got[2:] == [0] * 4
    (answer, _) = harness.send(f"Ben <{BEN}>", "accept", harness.last(BEN))
    assert "the game with Ada begins" in said(answer)


def test_an_empty_mail_again_and_again(begun: MemoryHarness) -> None:
    assert [len(away(begun, "")) for _ in range(6)] == [1, 1, 2, 0, 0, 0]


def test_it_is_so_with_a_database(store: Store) -> None:
    harness = Harness(store)
    harness.begin()
    harness.send(f"Ada <{ADA}>", "ps a1", harness.last(ADA))
    to_ben = harness.last(BEN)
    got = [len(harness.send(f"Ben <{BEN}>", AWAY, to_ben)) for _ in range(4)]
    assert got == [2, 2, 0, 0]
    assert len(harness.send(f"Ben <{BEN}>", "I am back.", to_ben)) == 2
    assert len(harness.send(f"Ben <{BEN}>", "ps e5", to_ben)) == 2
    assert turns(harness) == ["ps a1", "ps e5"]


def test_a_responder_of_nobody_with_a_database(store: Store) -> None:
    harness = Harness(store)
    harness.confirms = False
    letter = harness.send("Bot <bot@shop.example>", "hello")[0]
    got = [len(harness.send("Bot <bot@shop.example>", f"{AWAY}\nHelp", letter)) for _ in range(9)]
    assert got == [1] * 6 + [0] * 3
    got = [len(harness.send("Bot <bot@shop.example>", AWAY, letter)) for _ in range(4)]
    assert got == [1, 1, 0, 0]
    assert len(harness.send("Bot <bot@shop.example>", "seeks", letter)) == 1


@pytest.mark.parametrize(
    "text", [f"{AWAY}\nOn vacation\nAda", f"Vacation\n{AWAY}\nAda", f"{AWAY}\nundo?\nAda"]
)
def test_nobody_is_told_of_repeated_words_that_never_came(text: str) -> None:
    harness = MemoryHarness()
    harness.begin()
    for _ in range(MAX_SIMILAR_TEXTS + 3):
        harness.send(f"Ada <{ADA}>", text, harness.last(ADA))
    told = [said(one) for one in harness.box if one.to == BEN]
    assert any(AWAY in one for one in told) or not any("the same words again" in one for one in told)
