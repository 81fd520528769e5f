"""Seeks: who can open one, who sees it, and who can join."""

from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace

import pytest

from takmail.commands import seek
from takmail.commands.answers import Refusal, told
from takmail.commands.grammar.invitation_forms import Join, SeekGame, Unseek
from takmail.games.interface import Seat
from takmail.world.events import SeekJoined, SeekOpened, SeeksClosed
from takmail.world.kinds import GameNumber, PlayerId, SeekNumber, Standing
from takmail.world.pace import NO_TIMING, Timing
from takmail.world.players import Player
from tests.commands.build import (
    ADA,
    AS_ADA,
    AS_BEN,
    EARLIER,
    NOW,
    SERVICES,
    Stored,
    after,
    context,
    facts_of,
    first,
    game,
    kinds,
    news_of,
)
from tests.commands.people import AS_FAY, NEW, by_new, people, seek_of
from tests.support.orders import do

BOUNCES = replace(AS_BEN, mailboxes=tuple(replace(one, bounces=3) for one in AS_BEN.mailboxes))
STOPPED = replace(AS_BEN, mailboxes=tuple(replace(one, stopped_at=EARLIER) for one in AS_BEN.mailboxes))


def listed(stored: Stored, by: Player | None = AS_ADA) -> SimpleNamespace:
    here = context(by=by, stored=stored) if by else by_new(stored)
    return facts_of(seek.list_seeks(here), "seeks")


def numbers(stored: Stored, by: Player | None = AS_ADA) -> list[int]:
    return [one.seek.number for one in listed(stored, by).seeks]


def test_a_seek_is_open_to_anybody_and_stands_for_sixty_days() -> None:
    before = by_new(people(), "Dora")
    answer = do(before, SeekGame(("6",), "me", Timing("days=3"), kind="tak"))
    found = first(answer)
    assert isinstance(found, SeekOpened)
    assert (found.seek.number, found.seek.player) == (1, 4)
    assert (found.seek.kind, found.seek.setup, found.seek.first, found.seek.timing.pace) == (
        "tak",
        "6",
        "me",
        "days=3",
    )
    later = after(before, answer)
    assert later.player is not None
    assert (later.player.id, later.player.addresses) == (4, (NEW,))
    assert dict(later.world.seeks) == {1: found.seek}
    assert [one.name for one in facts_of(seek.list_seeks(later), "seeks").seeks] == ["Dora"]


def test_the_same_seek_again_is_no_fault_and_no_second_one() -> None:
    own = seek_of(7, 1, "5", "me")
    before = context(stored=people().put(own))
    answer = do(before, SeekGame(("5x5",), "me", NO_TIMING, kind="tak"))
    assert facts_of(answer, "seeking_already").listed.seek == own


@pytest.mark.parametrize(("days_ago", "is_refused"), [(1, True), (61, False)])
def test_a_player_seeks_three_games_at_a_time(days_ago: int, is_refused: bool) -> None:
    stored = people().put(*(seek_of(one, 1, str(3 + one), days_ago=days_ago) for one in (1, 2, 3)))
    answer = do(context(stored=stored), SeekGame(("8",), None, NO_TIMING, kind="tak"))
    if is_refused:
        assert isinstance(answer, Refusal)
        assert answer.reason == "many_seeks"
        assert [one.seek.setup for one in answer.facts["seeks"]] == ["4", "5", "6"]  # type: ignore[attr-defined]
        assert all(one.is_yours for one in answer.facts["seeks"])  # type: ignore[attr-defined]
    else:
        assert kinds(answer) == ["SeekOpened"]


def test_what_can_not_be_played_is_not_sought() -> None:
    assert kinds(do(context(stored=people()), SeekGame(("9",), None, NO_TIMING, kind="tak"))) == ["refused"]


def test_the_newest_of_each_is_listed_and_then_all_ones_own() -> None:
    stored = people().put(
        seek_of(1, 1), seek_of(2, 2), seek_of(4, 1), seek_of(5, 2), seek_of(3, 3, days_ago=61)
    )
    assert numbers(stored) == [5, 1, 4]
    assert [one.is_yours for one in listed(stored).seeks] == [False, True, True]
    assert numbers(stored, None) == [4, 5]


@pytest.mark.parametrize("seeker", [BOUNCES, STOPPED, replace(AS_BEN, is_blocked=True)])
def test_who_gets_no_letters_or_is_blocked_is_not_listed_but_to_themselves(seeker: Player) -> None:
    stored = people().put(seeker, seek_of(2, 2))
    assert numbers(stored) == []
    assert numbers(stored, seeker) == [2]
    assert kinds(do(context(stored=stored), Join(2))) == ["seek_gone"]


@pytest.mark.parametrize("pair", [(1, 2), (2, 1)])
def test_two_of_whom_one_blocks_the_other_don_t_see_each_other(pair: tuple[int, int]) -> None:
    stored = people().put(seek_of(2, 2))
    stored.block(*map(PlayerId, pair))
    assert numbers(stored) == []
    assert numbers(stored, AS_FAY) == [2]
    assert kinds(do(context(stored=stored), Join(2))) == ["seek_gone"]


def test_a_list_shows_thirty() -> None:
    many = [PlayerId(number) for number in range(11, 43)]
    stored = people().put(*(replace(AS_BEN, id=one) for one in many), *(seek_of(one, one) for one in many))
    found = listed(stored)
    assert ([one.seek.number for one in found.seeks], found.more) == (many[:30], True)


# join


def test_who_joins_begins_the_game_at_once() -> None:
    before = context(stored=people().put(seek_of(5, 2, "6", "me")))
    answer = do(before, Join(5))
    assert kinds(answer) == ["SeekJoined"]
    found = first(answer)
    assert isinstance(found, SeekJoined)
    assert (found.game, found.seek) == (1, 5)
    assert (found.seat, found.has_own_letter) == (Seat.SECOND, False)
    record = found.new_game.record
    assert (record.standing, record.invitation.host, record.players) == (Standing.OPEN, 2, (2, 1))
    assert (record.invitation.written_at, record.created_at, record.subject) == (
        NOW,
        NOW,
        "Ben \u2013 Ada, 6x6",
    )
    later = after(before, answer)
    assert later.world.game(GameNumber(1)).record.standing == Standing.OPEN
    assert kinds(do(later, Join(5))) == ["seek_gone"]
    assert seek.list_seeks(later) == told("seeks", seeks=(), more=False)


def test_a_mail_about_another_game_joins_in_a_letter_of_its_own() -> None:
    found = first(do(context(game(), stored=people().put(seek_of(5, 3, first="them"))), Join(5)))
    assert isinstance(found, SeekJoined)
    assert (found.game, found.has_own_letter, found.seat) == (2, True, Seat.FIRST)


def test_who_joins_for_the_first_time_is_a_player_by_it() -> None:
    before = by_new(people().put(seek_of(5, 2)), "Dora")
    answer = do(before, Join(5))
    assert kinds(answer) == ["SeekJoined"]
    assert first(answer).new_game.record.players in ((2, 4), (4, 2))  # type: ignore[attr-defined]
    later = after(before, answer)
    assert later.player is not None
    assert (later.player.id, later.player.name, later.player.begun_games) == (4, "Dora", 1)
    assert later.player in later.world.game(GameNumber(1)).players


@pytest.mark.parametrize(("number", "reason"), [(1, "seek_own"), (3, "seek_gone"), (9, "seek_gone")])
def test_what_nobody_can_join(number: int, reason: str) -> None:
    stored = people().put(seek_of(1, 1), seek_of(3, 2, days_ago=61))
    answer = do(context(stored=stored), Join(number))
    assert answer == Refusal(reason, {"number": number})


def test_two_joined_games_of_one_mail_begin_in_turn() -> None:
    before = context(stored=people().put(seek_of(1, 2), seek_of(2, 2)))
    answer = do(before, Join(1))
    one = first(answer)
    later = after(before, answer)
    other = first(do(later, Join(2)))
    assert isinstance(one, SeekJoined)
    assert isinstance(other, SeekJoined)
    assert (one.game, other.game) == (1, 2)
    assert other.new_game.record.players == one.new_game.record.players[::-1]


# unseek


@pytest.mark.parametrize(("number", "gone"), [(None, (1, 3)), (3, (3,)), (2, None), (9, None), (4, None)])
def test_a_player_takes_back_their_own_seeks(number: int | None, gone: tuple[int, ...] | None) -> None:
    stored = people().put(seek_of(1, 1), seek_of(2, 2), seek_of(3, 1, "6"), seek_of(4, 1, days_ago=61))
    before = context(stored=stored)
    answer = seek.unseek(before, Unseek(number))
    if gone is None:
        assert answer == Refusal("not_seeking", {"number": number})
    else:
        assert news_of(answer) == (SeeksClosed(numbers=tuple(map(SeekNumber, gone))),)
        assert {one.number for one in after(before, answer).world.every_seek()} == {1, 2, 3, 4} - {*gone}


def test_who_is_not_known_seeks_nothing() -> None:
    assert kinds(seek.unseek(by_new(people().put(seek_of(1, 1))), Unseek(None))) == ["not_seeking"]


def test_a_seek_as_it_is_shown() -> None:
    found = seek.sought(SERVICES.games, seek_of(1, 1, "6 komi=2"), AS_ADA, is_yours=True)
    assert (found.seek.number, found.name, found.seek.setup) == (1, "Ada", "6 komi=2")
    assert ADA not in str(found)
    assert NOW - seek_of(1, 1).sought_at == timedelta(days=1)
