"""`rematch`, for every standing of the previous game."""

from dataclasses import replace

import pytest

from takmail.commands.answers import Refusal
from takmail.commands.context import Progress
from takmail.games.interface import Seat
from takmail.world.events import ChatQueued, ChatSent, Event, GameProposed
from takmail.world.kinds import GameNumber, Standing
from takmail.world.players import Player
from tests.commands.build import AS_ADA, AS_BEN, after, context, first, game, gone, kinds
from tests.commands.people import AS_FAY, people
from tests.support.orders import do

OVER = game("ps b4", standing=Standing.OVER, setup="6 komi=2", pace="days=3", is_relay=True)


@pytest.mark.parametrize(
    ("standing", "reason"),
    [
        (Standing.OPEN, "rematch_too_soon"),
        (Standing.INVITED, "not_begun"),
        (Standing.ADJOURNED, "adjourned"),
    ],
)
def test_only_a_game_that_is_over_has_one(standing: Standing, reason: str) -> None:
    assert kinds(do(context(game(standing=standing)), "rematch")) == [reason]


@pytest.mark.parametrize(
    ("line", "pace"),
    [("rematch days=5", "days=5"), ("rematch time = 14d + 1d", "time=14d+1d"), ("rematch time=none", None)],
)
def test_a_rematch_may_have_another_time_for_turns(line: str, pace: str | None) -> None:
    answer = first(do(context(OVER, AS_ADA, stored=people()), line))
    assert isinstance(answer, GameProposed)
    assert answer.new_game.record.timing.pace == pace


def test_the_opponent_is_asked_to_the_same_game_with_the_seats_changed() -> None:
    before = context(OVER, AS_ADA, stored=people())
    answer = do(before, "rematch")
    assert kinds(answer) == ["GameProposed", "InvitationWritten"]
    found = first(answer)
    assert isinstance(found, GameProposed)
    record = found.new_game.record
    assert (found.game, record.invitation.guest_label, record.rematch_of) == (2, None, 1)
    assert (record.setup, record.timing.pace, record.is_relay, record.players) == (
        "6 komi=2",
        "days=3",
        True,
        (2, 1),
    )
    later = after(before, answer)
    twice = do(later, "rematch")
    assert twice == Refusal("already_asked", {"other": "Ben", "number": 2, "was_host": True})


def test_the_seats_change_whoever_asks() -> None:
    found = first(do(context(OVER, AS_BEN, stored=people()), "rematch"))
    assert (found.new_game.record.invitation.host, found.new_game.record.players) == (2, (2, 1))  # type: ignore[attr-defined]


def test_who_has_left_is_asked_to_nothing() -> None:
    table = game(standing=Standing.OVER, players=(AS_ADA, gone(2, "a player")))
    assert kinds(do(context(table), "rematch")) == ["opponent_left"]


def test_an_open_invitation_to_the_same_player_is_enough() -> None:
    stored = people().put(game(number=5, standing=Standing.INVITED))
    answer = do(context(game(standing=Standing.OVER), stored=stored), "rematch")
    assert answer == Refusal("already_asked", {"other": "Ben", "number": 5, "was_host": True})


@pytest.mark.parametrize(
    ("host", "standing", "comes_to"),
    [
        (AS_BEN, Standing.INVITED, "GameBegun"),
        (AS_ADA, Standing.INVITED, "already_asked"),
        (AS_BEN, Standing.OPEN, "rematch_begun"),
        (AS_ADA, Standing.OVER, "rematch_begun"),
        (AS_BEN, Standing.DECLINED, "GameProposed"),
    ],
)
def test_a_game_that_follows_already(host: Player, standing: Standing, comes_to: str) -> None:
    pair = (AS_ADA, AS_BEN) if host is AS_ADA else (AS_BEN, AS_ADA)
    stored = people().put(game(number=2, players=pair, standing=standing, rematch_of=1))
    assert kinds(do(context(OVER, AS_ADA, stored=stored), "rematch"))[0] == comes_to


def test_rematch_in_the_invitation_itself_accepts_it() -> None:
    table = game(number=2, standing=Standing.INVITED, rematch_of=1)
    assert kinds(do(context(table, AS_BEN), "rematch")) == ["GameBegun"]
    assert kinds(do(context(table, AS_ADA), "rematch")) == ["not_begun"]


@pytest.mark.parametrize(
    ("event", "comes_to"),
    [
        (ChatSent(game=GameNumber(1), seat=Seat.FIRST, readers=(AS_BEN.id,)), "already_asked"),
        (ChatSent(game=GameNumber(3), seat=Seat.FIRST, readers=(AS_BEN.id,)), "GameBegun"),
        (ChatQueued(game=GameNumber(1), seat=Seat.FIRST, words="hello"), "GameBegun"),
    ],
)
def test_news_of_the_old_game_are_told_in_the_old_game(event: Event, comes_to: str) -> None:
    stored = people().put(
        game(number=2, players=(AS_BEN, AS_ADA), standing=Standing.INVITED, rematch_of=1),
        game(number=3, players=(AS_FAY, AS_ADA)),
    )
    here = replace(context(OVER, AS_ADA, stored=stored), so_far=Progress((event,)))
    assert kinds(do(here, "rematch")) == [comes_to]
