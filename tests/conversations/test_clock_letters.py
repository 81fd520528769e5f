"""What letters say of clocks: until when a move counts, what is offered, and what follows when time is over."""

from dataclasses import replace

import pytest

from takmail.letters.services import Services
from takmail.world.pace import DAY
from tests.commands.build import NOW
from tests.conversations.test_clocks import AS_ADA, AS_BEN, BENS, HOUR, begin, late, look
from tests.conversations.test_stopping import unsubscribe, way_to_stop
from tests.support.memory_harness import BOTH_SIDES, PLAIN, WITHOUT_PLUS, MemoryHarness
from tests.support.players import ADA, BEN, Received, said

__all__ = ["late"]
UNTIL = "until Tuesday 24 November, 12:00 UTC"
OVER = (
    "When a player's time is over, their days off are used first, at most 30 a year; after that, the other may claim"
    " the win or wait three more days."
)


def ada(harness: MemoryHarness, words: str) -> list[Received]:
    return harness.send(AS_ADA, words, harness.last(ADA))


@pytest.fixture
def harness() -> MemoryHarness:
    """A takmail whose letters are sent at once, so that clocks run."""
    return MemoryHarness(sends=True)


def ben(harness: MemoryHarness, words: str) -> list[Received]:
    return harness.send(AS_BEN, words, harness.last(BEN))


def as_word(harness: MemoryHarness) -> None:
    """Let the time of a game be a mere word, as it was before there were clocks."""
    table = harness.table()
    record = replace(table.record, timing=replace(table.record.timing, clock_from=None))
    harness.memory.put(replace(table, record=record))


# How a clock stands.


def test_each_letter_says_until_when_the_next_move_counts(harness: MemoryHarness) -> None:
    begin(harness)
    receipt, news = harness.box[-2:]
    assert f'Ben has {UNTIL}. Answer "undo" to take it back.' in said(receipt)
    assert f"Your move counts {UNTIL}." in said(news)
    (answer,) = ben(harness, "log")
    assert f"Your move counts {UNTIL}." in said(answer)
    (answer,) = ada(harness, "log")
    assert f"You will hear of Ben's move by letter. Ben has {UNTIL}." in said(answer)


def test_banks_are_told_with_what_the_turn_has_used(harness: MemoryHarness) -> None:
    begin(harness, "time=14d+1d")
    assert "Left for all turns: you have 14 days, Ada has 14 days." in said(harness.last(BEN))
    harness.now += HOUR / 400
    answer = said(ben(harness, "clock")[0])
    assert answer.count("you have 14 days, Ada has 14 days.") == 1
    harness.now = NOW + 2 * DAY
    (answer,) = ben(harness, "clock")
    assert "This game has a clock: 14 days for all turns and 1 day more for each." in said(answer)
    assert "you have 12 days, Ada has 14 days." in said(answer)
    assert "you have 14 days, Ben has 12 days." in said(ada(harness, "clock")[0])
    harness.now = NOW + 11 * DAY + HOUR
    (answer,) = ben(harness, "clock")
    assert "you have 2 days and 23 hours, Ada has 14 days." in said(answer)


def test_a_gift_moves_the_time(harness: MemoryHarness) -> None:
    begin(harness)
    answer, news = ada(harness, "gift 2d")
    assert "Ben has until Thursday 26 November, 12:00 UTC." in said(answer)
    assert "Ada gives you 2 days more for your next move." in said(news)
    assert "Your move counts until Thursday 26 November, 12:00 UTC." in said(news)


def test_games_lists_the_nearest_time_first(harness: MemoryHarness) -> None:
    harness.begin("5")
    harness.begin("5 days=9")
    harness.begin("5 days=2")
    (answer,) = harness.send(AS_ADA, "games")
    lists = said(answer)
    assert "game #3 with Ben (5x5): it is your turn (until Monday 23 November, 12:00 UTC)" in lists
    assert lists.index("#3") < lists.index("#2") < lists.index("#1")
    (answer,) = harness.send(AS_BEN, "games")
    assert "game #3 with Ada (5x5): Ada is to move (until Monday 23 November, 12:00 UTC)" in said(answer)


def test_a_game_at_rest_says_so(harness: MemoryHarness) -> None:
    begin(harness, "")
    yours, theirs = look(harness, 30 * DAY)
    assert "You have not moved for long, so this game rests now" in said(yours)
    assert "Ben has not moved for long, so this game rests now" in said(theirs)
    rests = "at rest since Monday 21 December, 12:00 UTC"
    assert f"This game has been {rests}; the next move wakes it." in said(theirs)
    assert f"{rests}, your move wakes it" in said(harness.send(AS_BEN, "games")[0])
    assert f"{rests}, a move of Ben wakes it" in said(harness.send(AS_ADA, "games")[0])
    ben(harness, "ps b2")
    assert "rest" not in said(harness.last(BEN))


def test_a_time_that_does_not_count_is_told_as_a_word(harness: MemoryHarness) -> None:
    begin(harness)
    as_word(harness)
    (answer,) = ben(harness, "clock")
    told = "You have agreed on a time for turns (3 days for each turn); nobody is made to keep to it."
    assert f'{told} "clock on" proposes that it counts.' in said(answer)
    _, news = ben(harness, "clock on")
    assert "Ben proposes to change the clock: 3 days for each turn." in said(news)
    answer, _ = ada(harness, "agree")
    assert f"Ben has {UNTIL}." in said(answer)


def test_a_game_without_a_clock_says_nothing_of_it(harness: MemoryHarness) -> None:
    begin(harness, "")
    assert "until" not in said(harness.last(BEN))
    assert "No clock runs in this game." in said(ben(harness, "clock")[0])
    assert "Not done: no clock runs in this game." in said(ada(harness, "claim")[0])


# The terms of a game.


@pytest.mark.parametrize(
    ("option", "told"),
    [
        ("days=1", f"1 day for each turn. {OVER}"),
        ("time=14d+1d", f"14 days for all turns and 1 day more for each. {OVER}"),
        ("time=7d+12h", f"7 days for all turns and 12 hours more for each. {OVER}"),
        ("days=3 weekdays", f"3 days for each turn, Saturdays and Sundays not counted. {OVER}"),
        (
            "hours=36 strict",
            "1 day and 12 hours for each turn. When a player's time is over, their days off are used first, at most"
            " 30 a year; after that, the game is lost.",
        ),
    ],
)
def test_a_clock_is_agreed_on_with_the_game(harness: MemoryHarness, option: str, told: str) -> None:
    invitation, answer = harness.send(AS_ADA, f"new 5 vs {BEN} {option}")
    assert f"If you accept, the game has a clock: {told}" in said(invitation)
    assert f"The game would have a clock: {told}" in said(answer)
    for letter in ben(harness, "accept"):
        assert f"This game has a clock: {told}" in said(letter)


@pytest.mark.parametrize("words", ["propose days=5", "clock on"])
def test_who_is_to_agree_to_a_clock_reads_what_follows_when_time_is_over(
    harness: MemoryHarness, words: str
) -> None:
    begin(harness)
    as_word(harness)
    answer, news = ada(harness, words)
    assert OVER in said(answer)
    assert OVER in said(news)
    letters = ben(harness, "agree")
    assert all(OVER in said(letter) for letter in letters)


def test_weekends_are_those_of_the_zone_at_the_beginning(harness: MemoryHarness) -> None:
    begin(harness)
    ben(harness, "zone Asia/Shanghai")
    ada(harness, "propose days=3 weekdays")
    ben(harness, "agree")
    # It is a Saturday, and Monday begins in Shanghai at 16:00 on Sunday.
    for zone in ("Asia/Shanghai", "America/New_York"):
        ben(harness, f"zone {zone}")
        assert "Ben has until Wednesday 25 November, 16:00 UTC." in said(ada(harness, "log")[0])


def test_a_seek_says_its_clock(harness: MemoryHarness) -> None:
    harness.send(AS_ADA, "seek 5 time=14d+1d strict")
    terms = "5x5, 14 days for all turns and 1 day more for each, out of time and days off loses"
    assert f"anybody can join you now ({terms})" in said(harness.last(ADA))


# Offers.


def test_another_time_is_proposed_and_refused(harness: MemoryHarness) -> None:
    begin(harness)
    answer, news = ada(harness, "propose days=5")
    assert "Done: you propose to change the clock: 5 days for each turn." in said(answer)
    assert "You propose to change the clock (5 days for each turn): Ben has not answered yet." in said(answer)
    assert "Ada proposes to change the clock: 5 days for each turn." in said(news)
    assert 'Ada proposes to change the clock (5 days for each turn): answer "agree" or "refuse".' in said(
        news
    )
    assert "you propose this time for turns already" in said(ada(harness, "propose days=5")[0])
    _, news = ben(harness, "refuse")
    assert "Ben does not want to change the clock, and the game goes on." in said(news)


def test_a_move_leaves_another_time_open(harness: MemoryHarness) -> None:
    begin(harness)
    ada(harness, "propose time=none")
    _, news = ben(harness, "ps b2")
    assert "lapsed" not in said(news)
    assert "You propose to change the clock (no limit of time): Ben has not answered yet." in said(news)


def test_another_time_is_agreed_on(harness: MemoryHarness) -> None:
    begin(harness)
    ada(harness, "propose time=none")
    answer, news = ben(harness, "agree")
    time = "from now on this is the time for turns: no limit of time."
    assert f"Done: you both agree, and {time}" in said(answer)
    assert f"Ben agrees, and {time}" in said(news)
    assert "until" not in said(news)


# When time is over.


def test_both_are_told_what_can_be_done(late: MemoryHarness) -> None:
    yours, theirs = late.box[-2:]
    assert "Your time for this turn is over, so Ada may claim the win or wait." in said(yours)
    assert "you may claim the win, or wait three more days." in said(theirs)
    answer = 'answer "claim" and you have won, or "wait" and Ben gets three more days.'
    assert f"The time of Ben is over: {answer}" in said(theirs)
    assert "If you move instead, the offer is gone" not in said(theirs)


def test_who_waits_and_who_is_waited_for_read_until_when(late: MemoryHarness) -> None:
    answer, news = ada(late, "wait")
    until = "three more days, until Friday 27 November, 13:00 UTC."
    assert f"Done: Ben has {until}" in said(answer)
    assert f"Ada waits: you have {until}" in said(news)
    (answer,) = ada(late, "claim")
    assert "Not done: there is nothing to claim or to wait for now." in said(answer)


def test_a_move_ends_it_without_a_word(late: MemoryHarness) -> None:
    for letter in ben(late, "ps b2"):
        assert "lapsed" not in said(letter)
        assert "over" not in said(letter)


def test_of_several_offers_each_has_its_line(late: MemoryHarness) -> None:
    answered = late.last(ADA)
    _, news = ben(late, "draw")
    assert 'answer "claim" and you have won, or "wait"' in said(news)
    assert (
        'Ben offers a draw: answer "agree draw" or "refuse draw". If you move instead, the offer is gone.'
        in said(news)
    )
    late.send(AS_BEN, "ps b2", late.last(BEN))
    (answer,) = late.send(AS_ADA, "refuse", answered)
    assert "Not done: the time of Ben was over, but the game has gone on since." in said(answer)


def test_a_late_claim_is_told_why(late: MemoryHarness) -> None:
    answered = late.last(ADA)
    late.send(AS_ADA, "wait", answered)
    (answer,) = late.send(AS_ADA, "agree", answered)
    assert "Not done: you have waited, so Ben has more time now." in said(answer)


def test_what_waits_can_be_touched() -> None:
    harness = MemoryHarness(services=BOTH_SIDES, sends=True)
    begin(harness)
    players = harness.memory.players.values()
    harness.memory.put(*(player.choosing("announces_holidays", True) for player in players))
    look(harness, 3 * DAY + HOUR)
    page = harness.last(ADA).html
    assert "claim the win" in page
    assert "body=claim%0D%0A" in page
    assert "give three more days" in page
    assert "body=wait%0D%0A" in page


# Reminders.


def test_a_reminder_has_the_last_move_and_the_time(harness: MemoryHarness) -> None:
    begin(harness)
    (letter,) = look(harness, 2 * DAY)
    words = f"A reminder: it is your turn, and Ada waits for your move. Your move counts {UNTIL}."
    assert said(letter).startswith(f"{words} Ada places a flat of yours (Black) on A1.")
    assert '"reminders off" ends such letters.' in said(letter)
    assert "S 0 0 0 0" in letter.text


def test_the_letter_of_a_game_before_its_first_move_reminds_as_well(harness: MemoryHarness) -> None:
    harness.begin("5 relay days=3")
    (letter,) = look(harness, 2 * DAY)
    assert (letter.to, letter.subject) == (ADA, "[tak #1] Ada – Ben, 5x5 relay")
    assert f"Your move counts {UNTIL}." in said(letter)


@pytest.mark.parametrize("services", [PLAIN, WITHOUT_PLUS])
def test_the_button_of_a_reminder_ends_reminders_alone(services: Services) -> None:
    harness = MemoryHarness(services=services, sends=True)
    begin(harness, "days=9")
    (letter,) = look(harness, 6 * DAY)
    unsubscribe(harness, letter, AS_ADA)
    assert not any(player.preferences.wants_no_reminders for player in harness.memory.players.values())
    assert unsubscribe(harness, letter) == []
    player = harness.memory.players[BENS]
    assert (player.preferences.wants_no_reminders, player.wants_no_mail) == (True, False)
    assert harness.note_of(len(harness.notes)) == ("rejected", "the sender asked for no more reminders")
    assert look(harness, 8 * DAY) == []
    assert look(harness, 9 * DAY + HOUR) != []


def test_other_letters_about_time_end_all_mail(late: MemoryHarness) -> None:
    assert way_to_stop(late.last(BEN))[1] == "stop"


def test_a_reminder_can_be_touched_to_be_the_last() -> None:
    harness = MemoryHarness(services=BOTH_SIDES, sends=True)
    begin(harness)
    (letter,) = look(harness, 2 * DAY)
    assert "body=reminders%20off" in letter.html


# Words that are nearly a command.


@pytest.mark.parametrize("option", ["days=0", "days=1000", "time=3", "days=3 strict"])
def test_a_time_that_does_not_exist_is_answered_with_what_does(harness: MemoryHarness, option: str) -> None:
    begin(harness)
    (answer,) = ben(harness, f"propose {option}")
    forms = "For a clock write days=3, hours=36 or time=7d+12h, from an hour to 365 days, and"
    assert f'Not done: I can\'t read "{option}". {forms}' in said(answer)


@pytest.mark.parametrize("word", ["time", "days", "strict"])
def test_words_of_time_lead_to_the_help_about_clocks(harness: MemoryHarness, word: str) -> None:
    begin(harness)
    (answer,) = ben(harness, f"help {word}")
    assert '"clock" tells how much time each of you has' in said(answer)


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("clock off", "propose time=none"),
        ("I claim the win", "claim"),
        ("забираю победу", "claim"),
        ("我要求判胜", "claim"),
        ("подождать", "wait"),
        ("вернулся", "back"),
        ("回来了", "back"),
    ],
)
def test_what_is_nearly_a_command_is_offered(harness: MemoryHarness, words: str, line: str) -> None:
    begin(harness)
    (answer,) = ben(harness, words)
    assert f" {line} " in said(answer)
    assert answer.to == BEN
