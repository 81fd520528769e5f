"""`away`, `back`, `holiday` and `reminders`: what players write, and what they and their opponents read."""

from datetime import UTC, datetime

import pytest

from takmail.world.pace import TimeOff
from tests.support.links import links
from tests.support.memory_harness import BOTH_SIDES, MemoryHarness
from tests.support.players import ADA, BEN, Received
from tests.support.width import tenth_of

NOW = datetime(2026, 11, 25, 10, 0, tzinfo=UTC)
"""A Wednesday."""
AS = {ADA: f"Ada <{ADA}>", BEN: f"Ben <{BEN}>"}


@pytest.fixture
def game() -> MemoryHarness:
    harness = MemoryHarness(services=BOTH_SIDES, now=NOW)
    harness.begin_and_play("ps a1", "ps e5")
    return harness


def said(letter: Received) -> str:
    return " ".join(letter.text.split())


def answer(harness: MemoryHarness, words: str, by: str = BEN) -> str:
    return said(next(one for one in harness.send(AS[by], words, harness.last(by)) if one.to == by))


def time_off(harness: MemoryHarness) -> tuple[TimeOff, ...]:
    player = harness.memory.player_by_address(BEN)
    assert player is not None
    return player.time_off


def test_time_off_is_read_back_and_ends_with_back(game: MemoryHarness) -> None:
    assert "You are not away. 30 of your 30 days of this year are left." in answer(game, "away")
    gone = answer(game, "Away until Friday 4 December, please")
    assert "Done: you are away until Friday 4 December, inclusive; your clocks stand until then." in gone
    assert "20 of your 30 days of this year are left." in gone
    assert time_off(game) == (TimeOff(NOW, datetime(2026, 12, 5, tzinfo=UTC)),)
    assert "You are away until Friday 4 December, inclusive" in answer(game, "away")
    game.now = datetime(2026, 11, 27, 10, 0, tzinfo=UTC)
    assert "Done: you are back" in answer(game, "back")
    assert time_off(game) == (TimeOff(NOW, game.now),)
    assert "you are not away" in answer(game, "back")
    assert "You are not away. 28 of your 30 days" in answer(game, "holiday")


def test_time_off_over_new_year_counts_in_both_years(game: MemoryHarness) -> None:
    game.now = datetime(2026, 12, 28, 12, 1, tzinfo=UTC)
    gone = answer(game, "away 10 days")
    assert "away until Thursday 7 January 2027, 12:01 UTC; your clocks" in gone
    assert "26 of your 30 days of this year are left. Of the 30 days of 2027 23 are left." in gone


def test_time_off_is_planned_listed_and_taken_back(game: MemoryHarness) -> None:
    gone = answer(game, "away 5-12 December, 24 December - 2 January")
    assert "Done: you are away from Saturday 5 December until Saturday 12 December, inclusive" in gone
    assert "from Thursday 24 December until Saturday 2 January, inclusive" in gone
    assert "14 of your 30 days of this year are left. Of the 30 days of 2027 28 are left." in gone
    assert "Ben is away" not in answer(game, "ps c3", by=ADA)
    listed, *_ = game.send(AS[BEN], "away", game.last(BEN))
    assert "You are not away. 14 of your 30 days" in said(listed)
    lines = [one.words for one in links(listed) if one.words.startswith("away cancel")]
    assert lines == ["away cancel 2026-12-05", "away cancel 2026-12-24"]
    assert "Done: your time off from Saturday 5 December" in answer(game, lines[0])
    assert len(time_off(game)) == 1
    assert "you are not away" in answer(game, "back")
    game.now = datetime(2026, 12, 24, 10, 0, tzinfo=UTC)
    assert "You are away until Saturday 2 January" in answer(game, "away")
    assert "Ben is away until 2 January." in answer(game, "rs", by=ADA)


def test_a_new_one_replaces_the_one_before(game: MemoryHarness) -> None:
    answer(game, "away 10 days")
    game.now = datetime(2026, 11, 26, 10, 0, tzinfo=UTC)
    assert "until Friday 27 November" in answer(game, "away until tomorrow")
    assert time_off(game)[-1].ended_at == datetime(2026, 11, 28, tzinfo=UTC)


@pytest.mark.parametrize(
    ("words", "told", "lines"),
    [
        ("away until 31 February", "I know of no such date", ["away until 2026-12-24"]),
        ("away until 20 November", "Friday 20 November 2026 is over", ["away until 2026-12-24"]),
        ("away 40 days", "to be away until Monday 4 January 2027", ["away until 2026-12-24"]),
    ],
)
def test_what_can_not_be_is_refused_with_what_can(
    game: MemoryHarness, words: str, told: str, lines: list[str]
) -> None:
    letter, *_ = game.send(AS[BEN], words, game.last(BEN))
    assert told in said(letter)
    touched = [one.words for one in links(letter) if one.words.startswith("away")]
    assert sorted(touched) == lines
    assert all(line in letter.text for line in lines)
    assert time_off(game) == ()


@pytest.mark.parametrize("words", ["away until whenever", "/away from home", "away 10 dayz"])
def test_what_is_no_date_is_answered_with_how_it_is_written(game: MemoryHarness, words: str) -> None:
    assert 'this is not how "away" is written' in answer(game, words)


def test_the_opponent_reads_it_once_and_in_the_list_of_games(game: MemoryHarness) -> None:
    answer(game, "away until 4 December")
    assert "Ben is away until 4 December." in answer(game, "ps c3", by=ADA)
    assert "away" not in answer(game, "rs", by=ADA)
    game.send(AS[BEN], "ps d4\n\nI wait for my plane.", game.last(BEN))
    assert "away" not in said(game.last(ADA))
    assert "Ben is to move (Ben is away until 4 December)" not in answer(game, "games", by=ADA)
    assert "it is your turn (Ben is away until 4 December)" in answer(game, "games", by=ADA)
    assert "away until" not in answer(game, "games")


def test_a_move_beside_it_brings_it_to_the_opponent(game: MemoryHarness) -> None:
    game.change(authserv_id="mx.example.test")
    game.play("ps c3")
    raw = game.mail(AS[BEN], "ps d4\naway until 4 December", game.last(BEN)).as_bytes()
    vouched = b"Authentication-Results: mx.example.test; dmarc=pass header.from=example.org\n"
    own, others = game.deliver(vouched + raw)
    assert "Done: you are away until" in said(own)
    assert said(others).count("Ben is away until 4 December.") == 1


def test_the_opponent_learns_no_time_zone(game: MemoryHarness) -> None:
    player = game.memory.player_by_address(BEN)
    assert player is not None
    game.memory.put(player.choosing("zone", "Asia/Tokyo"))
    assert "until Friday 4 December" in answer(game, "away until 4 December")
    told = answer(game, "games", by=ADA)
    assert "(Ben is away until 4 December)" in told
    assert "15:00" not in told


def test_settings_are_chosen_and_told(game: MemoryHarness) -> None:
    assert "Letters remind you" in answer(game, "reminders")
    assert "Done: no letter reminds you" in answer(game, "reminders off")
    assert '"reminders on" changes that' in answer(game, "reminders")
    assert '"holiday manual" changes that' in answer(game, "holiday")
    assert "no days off are taken for you" in answer(game, "holiday manual")
    assert '"holiday auto" changes that' in answer(game, "holiday")


@pytest.mark.parametrize("words", ["back", "away 1 day", "reminders off", "holiday manual", "zone Honolulu"])
def test_what_may_cost_game_needs_a_token(game: MemoryHarness, words: str) -> None:
    letter, game.confirms = game.last(BEN), False
    game.send(AS[BEN], "away 10 days", letter)
    (gone,) = time_off(game)
    (asked,) = game.send(AS[BEN], words)
    assert asked.asks_who
    assert time_off(game) == (gone,)
    (done, *_) = game.send(AS[BEN], words, letter)
    assert "Done" in said(done)


@pytest.mark.parametrize(
    "words",
    tenth_of(
        [
            "I was away",
            "Back! Sorry for the delay.",
            "I'm back",
            "Back?",
            "Away with you!",
            "Away soon",
            "On vacation",
            "Happy holiday!",
            "Holiday plans?",
            "我在度假，信号不好。",
        ]
    ),
)
def test_ordinary_sentences_are_passed_on(game: MemoryHarness, words: str) -> None:
    own, others = game.send(AS[BEN], words, game.last(BEN))
    assert f"| {words}" in said(others)
    assert "send this:" not in said(own)


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("Good move!\nI am away until Friday", "away until friday"),
        ("Hi Ada,\nI'm on holiday for two weeks.", "away for two weeks"),
        ("Привет!\nЯ в отпуске до пятницы", "away до пятницы"),
        ("你好！\n我要离开10天", "away 10天"),
    ],
)
def test_who_says_it_to_the_opponent_can_let_the_clocks_stand(
    game: MemoryHarness, words: str, line: str
) -> None:
    letters = game.send(AS[BEN], words, game.last(BEN))
    assert words.splitlines()[-1].rstrip(".") in said(game.last(ADA))
    own = next(one for one in letters if one.to == BEN)
    assert line in own.text
    assert line in [one.words for one in links(own)]
    assert "Done: you are away until" in answer(game, line)


@pytest.mark.parametrize(
    "words",
    [
        "I'll be away until Friday",
        "Back on Monday",
        "Away for a while, back on the 5th",
        "I am on holiday until the 14th, so my moves will be slow.",
        "уезжаю завтра, вернусь в пятницу",
        "我下周休假，周五回来",
    ],
)
def test_who_says_nothing_else_is_asked(game: MemoryHarness, words: str) -> None:
    (asked,) = game.send(AS[BEN], words, game.last(BEN))
    assert "Do you mean this?" in said(asked)
    assert f"say {words}" in said(asked)
    assert "Done: you are away " in said(game.send(AS[BEN], "yes", asked)[0])


def test_who_names_no_day_is_asked_too(game: MemoryHarness) -> None:
    words = "I'll be away next week, sorry"
    (asked,) = game.send(AS[BEN], words, game.last(BEN))
    assert "help away" in asked.text
    assert f"say {words}" in asked.text
