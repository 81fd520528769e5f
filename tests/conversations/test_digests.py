"""Digests: which turns wait for one, when it leaves, what it says, and how one plays from it."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial

import pytest
from sqlmodel import Session

from takmail.commands.answers import Events
from takmail.commands.context import Context
from takmail.games.interface import Seat
from takmail.limits.letters import MAX_HTML_BYTES
from takmail.pipeline.due import on_digest
from takmail.pipeline.process import Conflict
from takmail.pipeline.returned import on_bounce
from takmail.store.tables import DueRow
from takmail.world.clock import clock_of
from takmail.world.kinds import LetterState, MessageId, PlayerId
from takmail.world.queries import Queries
from takmail.world.world import Cause
from tests.conversations.test_stopping import unsubscribe
from tests.support.links import links, touch
from tests.support.memory_harness import BOTH_SIDES, WITH_BOTS, MemoryHarness, turns
from tests.support.players import ADA, BEN, Received, said
from tests.support.scenes import played_once

CY = "cy@example.org"
AS_ADA, AS_BEN, AS_CY = f"Ada <{ADA}>", f"Ben <{BEN}>", f"Cy <{CY}>"
ADAS = PlayerId(1)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
EIGHT = timedelta(hours=20)
"""From NOW, which is noon, until eight o'clock."""


@dataclass
class Between:
    """The store of a club, which does something before the transaction that stores a digest."""

    club: "Club"

    def reading(self) -> AbstractContextManager[Session]:
        return self.club.store.reading()

    def transaction(self, **options: bool) -> AbstractContextManager[Session]:
        self.club.meanwhile()
        return self.club.store.transaction(**options)


class Club(MemoryHarness):
    """Ada and Ben, who plays first in all of their games."""

    def begin_games(self, *terms: str) -> None:
        self.starts = {}
        for number, words in enumerate(terms, 1):
            self.send(AS_ADA, f"new {words} vs {BEN} first=them")
            self.send(AS_BEN, "accept", self.last(BEN))
            self.starts[number] = self.last(BEN)

    def ben(self, number: int, words: str) -> list[Received]:
        """Let Ben answer the first letter of a game. Return the letters to Ada."""
        return [one for one in self.send(AS_BEN, words, self.starts[number]) if one.to == ADA]

    def digest(self, meanwhile: Callable[[], object] = lambda: None) -> list[Received]:
        """Let the digest leave as a service does, in two transactions, between which something may happen."""
        self.meanwhile = meanwhile
        cause = Cause(f"the digest at {self.now}, {len(self.box)}")
        decide = partial(on_digest, number=ADAS)
        outcome = self.causes.decide_apart(Between(self), cause, decide, lambda _: None)  # type: ignore[arg-type]
        return self._received(outcome)

    def due_in(self) -> timedelta | None:
        """Return in what time the digest is due."""
        with self.store.transaction() as session:
            row = session.get(DueRow, (ADAS, "digest"))
            return None if row is None else row.due_at - self.now


def club(*terms: str, digest: str = "daily 8:00", **options: object) -> Club:
    harness = Club(sends=True, **options)  # type: ignore[arg-type]
    gather(harness, digest, *terms)
    return harness


@played_once
def gather(harness: Club, digest: str, *terms: str) -> None:
    harness.begin_games(*terms)
    harness.send(AS_ADA, f"digest {digest}")
    harness.now += HOUR


# What waits, and what does not.


def test_turns_wait_and_come_in_one_letter_the_most_urgent_first() -> None:
    harness = club("5", "5 days=3", "6 days=2")
    for number in (1, 2, 3):
        assert harness.ben(number, f"ps a{number}\n\nGreetings from game {number}.") == []
    assert harness.due_in() == EIGHT - HOUR
    (letter,) = harness.digest()
    assert letter.subject == "Tak by Mail: your turn in 3 games"
    headings = [line for line in letter.lines if line.startswith("#")]
    assert headings == ["#3 · Ben · 6x6", "#2 · Ben · 5x5", "#1 · Ben · 5x5"]
    assert all(f"Greetings from game {number}." in said(letter) for number in (1, 2, 3))
    assert harness.digest() == []


def test_without_a_digest_nothing_waits() -> None:
    harness = club("5", digest="off")
    assert [one.to for one in harness.ben(1, "ps a1")] == [ADA]
    assert harness.due_in() is None


@pytest.mark.parametrize(
    ("terms", "words"),
    [
        ("5", "ps a1\ndraw"),
        ("5", "resign\nyes"),
        ("5", "just words"),
        ("5 days=1", "ps a1"),
        ("5 relay", "ps a1"),
    ],
)
def test_only_a_turn_waits_and_not_on_the_last_day(terms: str, words: str) -> None:
    harness = club(terms)
    letters = harness.ben(1, words)
    if words.startswith("resign"):
        letters = [one for one in harness.send(AS_BEN, "yes", harness.last(BEN)) if one.to == ADA]
    assert len(letters) == 1
    assert harness.due_in() is None


def test_a_digest_leaves_before_the_last_day_begins() -> None:
    harness = club("5 time=30h+30h")
    assert harness.ben(1, "ps a1") == []
    assert harness.due_in() == 6 * HOUR


def test_the_clock_runs_as_if_the_turn_had_come_by_itself() -> None:
    gathered, alone = club("5 days=3"), club("5 days=3", digest="off")
    for harness in (gathered, alone):
        harness.ben(1, "ps a1")
        harness.now += EIGHT
    gathered.digest()
    assert clock_of(gathered.table()).deadline == clock_of(alone.table()).deadline
    gathered.now += DAY
    assert clock_of(gathered.table()).deadline == clock_of(alone.table()).deadline


def test_a_digest_that_comes_back_holds_the_clock_as_a_letter_does() -> None:
    gathered, alone = club("5 days=3"), club("5 days=3", digest="off")
    left = gathered.now
    for harness in (gathered, alone):
        letters = harness.ben(1, "ps a1")
        harness.now += EIGHT
        (letter,) = harness.digest() if harness is gathered else letters
        comes_back(harness, letter)
    assert [clock_of(harness.table()).deadline for harness in (gathered, alone)] == [
        left + EIGHT + 10 * DAY
    ] * 2


def test_a_later_digest_that_comes_back_holds_no_clock_of_an_earlier_one() -> None:
    harness = club("5 days=9", "5 days=9")
    harness.ben(1, "ps a1")
    harness.digest()
    deadline = clock_of(harness.table()).deadline
    harness.now += DAY
    harness.ben(2, "ps a2")
    (letter,) = harness.digest()
    comes_back(harness, letter)
    assert clock_of(harness.table()).deadline == deadline == harness.now + 8 * DAY


def comes_back(harness: Club, letter: Received) -> None:
    """Let the mail server tell that a letter had no recipient."""

    def bounced(context: Context) -> Events:
        returned = context.world.ask(Queries.returned_letter, (MessageId(letter.id.lower()),))
        assert returned is not None
        return on_bounce(context, returned, "no such user")

    harness.rule(bounced)


def test_the_turn_is_not_taken_back_for_nothing() -> None:
    gathered, alone = club("5"), club("5", digest="off")
    for harness in (gathered, alone):
        harness.ben(1, "ps a1")
        harness.send(AS_BEN, "undo", harness.last(BEN))
        assert len(harness.table().turns) == 1


def test_a_letter_about_the_game_brings_the_words_and_the_digest_does_not_repeat_them() -> None:
    harness = club("5", "5")
    harness.ben(1, "ps a1\n\nGood evening!")
    harness.ben(2, "ps b2")
    (answer,) = harness.send(AS_ADA, "#1 rs", harness.last(ADA))
    assert "Good evening!" in said(answer)
    (letter,) = harness.digest()
    assert "Good evening!" not in said(letter)
    assert "#1 · Ben" in letter.text


def test_a_game_that_does_not_wait_any_more_is_left_out_and_an_empty_digest_does_not_come() -> None:
    harness = club("5", "5")
    harness.ben(1, "ps a1")
    harness.send(AS_ADA, "#1\nps b2", harness.last(ADA))
    assert harness.table(1).to_move is Seat.FIRST
    assert harness.digest() == []


def test_a_turn_with_which_an_offer_lapses_is_told_at_once() -> None:
    harness = club("5")
    harness.send(AS_ADA, "draw", harness.last(ADA))
    (letter,) = harness.ben(1, "ps a1")
    assert "that has lapsed" in said(letter)


def test_words_after_a_turn_that_waits_wait_with_it() -> None:
    harness = club("5")
    assert harness.ben(1, "ps a1") == []
    assert harness.ben(1, "I hope you like it.") == []
    (letter,) = harness.digest()
    assert "I hope you like it." in said(letter)


def test_words_that_wait_as_there_were_many_come_with_the_digest() -> None:
    harness = club("5", "5")
    harness.change(rates=replace(harness.services.rates, chat_letters_per_hour=1))
    for words in ("One.", "Two.", "Three."):
        harness.ben(2, words)
    harness.ben(1, "ps a1")
    harness.ben(2, "ps b2")
    (letter,) = harness.digest()
    assert "Three." in said(letter)


# When it leaves.


def test_quiet_sends_the_first_turn_at_once_and_the_rest_as_soon_as_the_reader_writes() -> None:
    harness = club("5", "5", "5", digest="quiet")
    (first,) = harness.ben(1, "ps a1")
    harness.now += HOUR
    assert [harness.ben(2, "ps b2"), harness.ben(3, "ps c3")] == [[], []]
    assert harness.due_in() == timedelta(days=30)
    harness.now += 2 * DAY
    harness.send(AS_ADA, "ps e5", first)
    assert harness.due_in() == timedelta(0)
    harness.now += HOUR
    (letter,) = harness.digest()
    assert letter.subject == "Tak by Mail: your turn in 2 games"


def test_quiet_counts_only_turns_of_people_that_have_left() -> None:
    harness = club("5", digest="quiet", services=WITH_BOTS)
    harness.send(AS_ADA, "new 5 vs bot first=me", harness.last(ADA))
    harness.send(AS_ADA, "ps a1", harness.last(ADA))
    harness.now += HOUR
    harness.bot_plays("ps e5", 2)
    harness.now += HOUR
    assert len(harness.ben(1, "ps b1")) == 1


def test_quiet_counts_a_turn_of_a_person_though_bots_play_in_other_games() -> None:
    harness = club("5", "5", digest="quiet", services=WITH_BOTS)
    harness.send(AS_ADA, "new 5 vs bot first=me", harness.last(ADA))
    harness.now += HOUR
    assert len(harness.ben(1, "ps b1")) == 1
    harness.now += HOUR
    assert harness.ben(2, "ps b2") == []


def test_quiet_sends_the_next_turn_at_once_after_its_reader_has_written() -> None:
    harness = club("5", digest="quiet")
    (letter,) = harness.ben(1, "ps a1")
    harness.now += HOUR
    harness.send(AS_ADA, "ps e5", letter)
    harness.now += HOUR
    assert [one.to for one in harness.send(AS_BEN, "ps b1", harness.last(BEN))] == [BEN, ADA]


def test_quiet_counts_no_turn_that_came_to_somebody_else() -> None:
    harness = club("5", digest="quiet")
    harness.send(AS_CY, f"new 5 vs {BEN} first=them")
    harness.send(AS_BEN, "accept", harness.last(BEN))
    (letter,) = (one for one in harness.send(AS_BEN, "ps a1", harness.last(BEN)) if one.to == CY)
    assert letter
    harness.now += HOUR
    assert len(harness.ben(1, "ps a1")) == 1


def test_a_turn_that_comes_while_a_digest_is_made_waits_for_the_next_one() -> None:
    harness = club("5", "5")
    harness.ben(1, "ps a1")
    (letter,) = harness.digest(meanwhile=lambda: harness.ben(2, "ps b2"))
    assert [line for line in letter.lines if line.startswith("#")] == ["#1 · Ben · 5x5"]
    assert harness.due_in() is not None
    (letter,) = harness.digest()
    assert "#2 · Ben · 5x5" in letter.text


def test_what_waits_for_the_other_player_of_a_game_stays_for_their_digest() -> None:
    harness = club("5", "5")
    harness.send(AS_BEN, "digest daily 9:00", harness.starts[1])
    harness.ben(1, "ps a1")
    (letter,) = harness.digest()
    harness.send(AS_ADA, "#1\nps e5", letter)
    harness.ben(2, "ps b2")
    (letter,) = harness.digest()
    assert [line for line in letter.lines if line.startswith("#")] == ["#2 · Ben · 5x5"]
    (held,) = (one for one in harness.memory.outbox.values() if one.state is LetterState.HELD)
    assert held.mail_to == BEN


def test_a_digest_of_a_game_that_changes_meanwhile_is_made_anew() -> None:
    harness = club("5")
    harness.ben(1, "ps a1")
    with pytest.raises(Conflict):
        harness.digest(meanwhile=lambda: harness.send(AS_ADA, "#1\nps e5", harness.last(ADA)))


def test_another_time_is_another_time_also_for_what_is_held() -> None:
    harness = club("5")
    harness.ben(1, "ps a1")
    harness.send(AS_ADA, "digest daily 9:00", harness.last(ADA))
    assert harness.due_in() == EIGHT
    harness.send(AS_ADA, "zone Berlin", harness.last(ADA))
    assert harness.due_in() == EIGHT - HOUR


def test_the_button_of_a_mail_program_ends_digests_alone() -> None:
    harness = club("5")
    harness.ben(1, "ps a1")
    (letter,) = harness.digest()
    unsubscribe(harness, letter, AS_ADA)
    assert harness.memory.players[ADAS].preferences.digest is None
    harness.send(AS_ADA, "#1\nps e5", letter)
    assert [one.to for one in harness.send(AS_BEN, "ps b2", harness.last(BEN))] == [BEN, ADA]


def test_who_gets_no_mail_gets_the_digest_later() -> None:
    harness = club("5")
    harness.ben(1, "ps a1")
    harness.send(AS_ADA, "stop", harness.last(ADA))
    assert harness.digest() == []
    assert [one.state for one in harness.memory.outbox.values()].count(LetterState.HELD) == 1


def test_who_ends_digests_gets_at_once_what_is_gathered() -> None:
    harness = club("5")
    harness.ben(1, "ps a1")
    (answer,) = harness.send(AS_ADA, "digest off", harness.last(ADA))
    assert "each turn comes in a letter of its own again" in said(answer)
    assert harness.due_in() == timedelta(0)
    assert len(harness.digest()) == 1


def test_the_choice_is_told_with_its_zone_and_undone_by_a_line() -> None:
    harness = club("5", digest="weekdays 7:30")
    harness.send(AS_ADA, "zone Berlin", harness.last(ADA))
    (answer,) = harness.send(AS_ADA, "digest daily 8:00", harness.last(ADA))
    assert "in one letter, daily at 8:00 (Europe/Berlin)" in said(answer)
    assert '"digest weekdays 7:30"' in said(answer)
    (answer,) = harness.send(AS_ADA, "digest", harness.last(ADA))
    assert "Turns come together in one letter, daily at 8:00 (Europe/Berlin)." in said(answer)


@pytest.mark.parametrize(
    ("language", "line", "subject"),
    [("ru", "сводка ежедневно 8:00", "ваш ход в 1 партии"), ("zh", "汇总 每天 8:00", "有1局轮到你走")],
)
def test_it_is_in_the_language_of_its_reader(language: str, line: str, subject: str) -> None:
    harness = club("5", digest="off")
    harness.send(AS_ADA, f"language {language}", harness.last(ADA))
    harness.send(AS_ADA, line, harness.last(ADA))
    harness.ben(1, "ps a1")
    (letter,) = harness.digest()
    assert subject in letter.subject


# What one sees, and how one plays from it.


def test_a_touched_square_plays_in_its_game() -> None:
    harness = club("5", "6", services=BOTH_SIDES)
    harness.ben(1, "ps a1")
    harness.ben(2, "ps a1")
    (letter,) = harness.digest()
    square = next(one for one in links(letter) if one.words.startswith("ps f6"))
    touch(harness, AS_ADA, square)
    assert [turns(harness, number) for number in (1, 2)] == [["ps a1"], ["ps a1", "ps f6"]]


def test_twelve_games_fit_and_the_first_eight_can_be_touched() -> None:
    harness = club(*["5"] * 12, services=BOTH_SIDES)
    for number in range(1, 13):
        harness.ben(number, f"ps {'abcde'[number % 5]}{1 + number % 4}")
    (letter,) = harness.digest()
    assert len(letter.html) <= MAX_HTML_BYTES
    assert letter.html.count('<table class="t-board"') == 12
    touched = {link.subject for link in links(letter) if link.body.startswith("ps ")}
    assert len(touched) == 8


@pytest.mark.parametrize(
    "words", ["She sells <sea> shells & more. ", pytest.param("她在海边卖贝壳。", marks=pytest.mark.wide)]
)
def test_long_words_leave_room_for_twelve_boards_and_come_with_the_next_letter(words: str) -> None:
    harness = club(*["5"] * 12, services=BOTH_SIDES)
    said_in = (words * (3_500 // len(words))).strip()
    for number in range(1, 13):
        harness.ben(
            number, f"ps {'abcde'[number % 5]}{1 + number % 4}\n\n{said_in if number < 12 else 'Hello!'}"
        )
    (letter,) = harness.digest()
    assert len(letter.html) <= MAX_HTML_BYTES
    assert letter.html.count('<table class="t-board"') == 12
    assert "Hello!" in letter.html
    assert letter.says("words_go_on", number=3, opponent="Ben")
    assert not letter.says("words_go_on", number=12, opponent="Ben")
    (whole,) = harness.send(AS_ADA, "#3 rs", letter)
    assert said(whole).replace("| ", "").replace(" ", "").count(said_in.replace(" ", "")) == 1
    assert harness.digest() == []


def test_boards_of_two_games_have_their_pictures() -> None:
    harness = club("5", "tzaar fixed", services=BOTH_SIDES)
    harness.ben(1, "ps a1")
    harness.ben(2, harness.table(2).state.choices()[0].turns[0].typed)
    (letter,) = harness.digest()
    assert {name.partition("-")[0] for name in letter.pictures} >= {"5", "side", "spot", "tzaar"}


def test_the_list_of_games_can_be_played_from() -> None:
    harness = club("5 days=3", "5 days=5", services=BOTH_SIDES)
    harness.ben(1, "ps a1")
    (letter,) = harness.send(AS_ADA, "games", harness.last(ADA))
    assert said(letter).count("(until ") == 2
    assert [line for line in letter.lines if line.startswith("#")] == ["#1 · Ben · 5x5"]
    assert any(link.body.startswith("ps e5") for link in links(letter))


def test_held_letters_have_no_content_and_are_gathered_once() -> None:
    harness = club("5")
    harness.ben(1, "ps a1")
    (held,) = (one for one in harness.memory.outbox.values() if one.state is LetterState.HELD)
    assert (held.content.raw, held.content.text) == (b"", "")
    harness.digest()
    assert harness.memory.outbox[held.message_id].state is LetterState.GATHERED
