"""`ratings`, `rating`, `statistics` and `seek near`: what each shows, to whom, and what counts."""

from collections.abc import Callable

import pytest

from takmail.games.registry import GAMES
from takmail.pipeline import rulings
from takmail.pipeline.rulings import OperatorNote
from takmail.store import due, ratings
from takmail.world.kinds import GameNumber, Ruling
from tests.support.memory_harness import WITH_BOTS, MemoryHarness
from tests.support.players import ADA, BEN, said
from tests.support.proposals import ada, ben
from tests.support.scenes import played_once

SIX = ("ps a1", "ps e5", "ps c3", "ps c4", "ps b2", "ps d4")
CY = "cy@example.org"
Writes = Callable[[MemoryHarness, str], object]


def cy(harness: MemoryHarness, text: str) -> str:
    harness.send(f"Cy <{CY}>", text)
    return said(harness.last(CY))


def rate(harness: MemoryHarness) -> None:
    """Compute the ratings as a service does when they are due."""
    with harness.store.transaction() as session:
        ratings.store(session, ratings.computed(session, GAMES, harness.now))


def is_due(harness: MemoryHarness) -> bool:
    """Tell whether the ratings are to be computed, and forget that."""
    with harness.store.transaction() as session:
        was_due = due.lock(session, 0, ratings.RATINGS)
        due.done(session, 0, ratings.RATINGS)
        return was_due


def finish(harness: MemoryHarness, loser: Writes, turns: tuple[str, ...] = SIX) -> None:
    """Play the newest game, and let one of its players give it up."""
    harness.play(*turns)
    loser(harness, "resign")
    loser(harness, "yes")


def again(harness: MemoryHarness, options: str = "") -> None:
    ada(harness, f"rematch first=me {options}".strip())
    ben(harness, "accept")


def answer(harness: MemoryHarness, who: Callable[[MemoryHarness, str], list[object]], line: str) -> str:
    who(harness, line)
    return said(harness.last(ADA if who is ada else BEN))


@played_once
def five_won(harness: MemoryHarness) -> None:
    harness.begin()
    for number in range(5):
        if number:
            again(harness)
        finish(harness, ben)
    rate(harness)


@pytest.fixture
def harness() -> MemoryHarness:
    """Ada has beaten Ben five times."""
    harness = MemoryHarness(services=WITH_BOTS)
    five_won(harness)
    return harness


def test_the_list_has_both_players_the_bots_and_who_sees_it(harness: MemoryHarness) -> None:
    text = answer(harness, ada, "ratings")
    assert "Tak 5x5:" in text
    assert "you: about 17" in text
    assert "after 5 rated games, still unsure" in text
    assert "Ben: about 12" in text
    assert "the bot easy: 800, as measured" in text
    assert "Only those who have played with you see your ratings." in text
    assert text.index("the bot fair") < text.index("you: about") < text.index("Ben: about")


def test_who_has_not_played_with_them_sees_nobody_until_they_say_so(harness: MemoryHarness) -> None:
    assert "There is no rating yet that I can show you." in cy(harness, "ratings")
    ada(harness, "rating on")
    assert "Done: everybody here may see your ratings." in said(harness.last(ADA))
    text = cy(harness, "ratings")
    assert "Ada: about 17" in text
    assert "Ben" not in text
    assert ADA not in text


def test_an_invitation_makes_nobody_an_opponent(harness: MemoryHarness) -> None:
    cy(harness, f"new {ADA}")
    assert "There is no rating yet that I can show you." in cy(harness, "ratings")
    ada(harness, "accept")
    assert "Ada: about 17" in cy(harness, "ratings")


@pytest.mark.parametrize("line", ["rating off", "block Ada", "stop"])
def test_who_hides_is_blocked_or_has_stopped_is_not_listed(harness: MemoryHarness, line: str) -> None:
    assert "Ben: about" in answer(harness, ada, "ratings")
    ben(harness, line)
    ben(harness, "yes")
    assert "Ben: about" not in answer(harness, ada, "ratings")


def test_a_player_always_sees_their_own_and_what_they_have_chosen(harness: MemoryHarness) -> None:
    assert '"rating opponents" brings back what was before.' in answer(harness, ben, "rating off")
    text = answer(harness, ben, "ratings")
    assert "you: about 12" in text
    assert "Nobody but you sees your ratings." in text


def test_with_fewer_games_only_their_number_is_told() -> None:
    harness = MemoryHarness()
    harness.begin()
    finish(harness, ben)
    rate(harness)
    assert "you: 1 rated game; with 5 you get a rating" in answer(harness, ben, "my rating")
    assert "Ada: about" not in said(harness.last(BEN))


def test_who_leaves_for_good_has_no_rating_and_the_opponent_keeps_theirs(harness: MemoryHarness) -> None:
    before = answer(harness, ada, "ratings")
    ben(harness, "forget me")
    ben(harness, "yes")
    assert "Ben: about" not in answer(harness, ada, "ratings")
    assert is_due(harness)
    rate(harness)
    after = answer(harness, ada, "ratings")
    assert before.partition("you: ")[2][:40] == after.partition("you: ")[2][:40]


def test_both_hear_that_a_game_is_not_rated(harness: MemoryHarness) -> None:
    assert "does not count for ratings" in answer(harness, ada, "rematch first=me rated=no")
    assert "does not count for ratings" in said(harness.last(BEN))
    ben(harness, "accept")
    assert "does not count for ratings" in said(harness.last(ADA))
    assert "does not count for ratings" in said(harness.last(BEN))
    is_due(harness)
    finish(harness, ada)
    assert not is_due(harness)
    again(harness)
    assert "does not count for ratings" in said(harness.last(BEN))
    finish(harness, ada)
    again(harness, "rated=yes")
    assert "does not count" not in said(harness.last(BEN))


def test_a_seek_says_that_its_game_is_not_rated(harness: MemoryHarness) -> None:
    assert "does not count for ratings" in answer(harness, ada, "seek 4 rated=no")
    ben(harness, "join 1")
    letters = [said(letter) for letter in harness.box[-3:]]
    assert sum("does not count for ratings" in letter for letter in letters) == 2, letters


def test_ratings_are_due_after_a_game_that_counts_and_after_what_changes_one(harness: MemoryHarness) -> None:
    assert is_due(harness)
    harness.rule(
        lambda context: rulings.end(context, GameNumber(1), Ruling.VOID, OperatorNote("Cy", "so it is"))
    )
    assert is_due(harness)
    again(harness)
    finish(harness, ada, SIX[:4])
    assert not is_due(harness), "it ended too early"


def test_seeks_of_players_about_as_strong_come_first(harness: MemoryHarness) -> None:
    cy(harness, "seek 5 komi=1")
    ben(harness, "rating on")
    ben(harness, "seek 5")
    text = answer(harness, ada, "seek near")
    assert "those of players about as strong as you first" in text
    assert text.index("join 2 with Ben: 5x5, their rating is about 12") < text.index(
        "join 1 with Cy: 5x5, komi 1"
    )
    assert "play with Ben" in harness.last(ADA).html
    ben(harness, "rating off")
    assert "their rating" not in answer(harness, ada, "seek near")


def test_without_a_rating_nobody_is_near() -> None:
    harness = MemoryHarness()
    harness.begin()
    assert "Nobody seeks a game at the moment" in answer(harness, ada, "seek near")
    ben(harness, "seek 5")
    assert "You have no rating yet" in answer(harness, ada, "seek near")
    assert "join 1 with Ben: 5x5" in said(harness.last(ADA))


def test_statistics_tell_of_others_and_of_oneself_but_of_no_four_people(harness: MemoryHarness) -> None:
    text = answer(harness, ben, "statistics")
    assert "Too few people have played rated games here" in text
    assert "Tak 5x5: 65.6 % (NohatCoder, playtak.com, 1600+); 66 % (Bill Leighton)" in text
    assert "with the second you won 0 of 5" in text
