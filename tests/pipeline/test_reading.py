"""A cause reads stored data through: each question once, with what the cause has changed over it."""

from typing import Any

import pytest

from takmail.world.events import PlayerErased
from takmail.world.game_changes import with_chat
from takmail.world.kinds import GameNumber, PendingId, PlayerId, SeekNumber, Standing
from takmail.world.operations import DropChat, ErasePlayer
from takmail.world.queries import Queries
from takmail.world.reading import NoNumbers, Reading, ReadingEndedError
from takmail.world.world import World
from tests.commands.build import ADA, AS_ADA, AS_BEN, BEN, NOW, Following, Stored, game
from tests.commands.people import question, seek_of

ONE = GameNumber(1)


class Counting(Stored):
    """Stored data that notes which queries were asked."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    def __getattribute__(self, name: str) -> Any:
        if name in vars(Queries):
            self.asked.append(name)
        return super().__getattribute__(name)


def world_of(store: Stored) -> World:
    return World(Reading(store), Following(store))


def test_each_question_is_asked_once_also_if_nothing_is_found() -> None:
    store = Counting()
    store.put(game("ps a1"))
    world = world_of(store)
    store.asked.clear()
    for _ in range(2):
        assert world.find_game(GameNumber(9)) is None
        assert world.owner("nobody@example.org") is None
        assert world.ask(Queries.games_of, AS_ADA.id, (Standing.INVITED,)) == []
    assert store.asked == ["game", "player_by_address", "games_of"]


def test_whichever_question_has_led_to_a_player_it_is_the_same_one() -> None:
    store = Stored()
    store.put(game())
    world = world_of(store)
    ben = world.owner(BEN)
    assert ben is world.player(AS_BEN.id)
    assert ben is world.game(ONE).players[1]


def test_what_is_read_is_kept_when_the_transaction_is_over_and_nothing_else_is_read() -> None:
    store = Stored()
    store.put(game())
    world = world_of(store)
    table = world.game(ONE)
    world.stored.end()
    assert world.game(ONE) is table
    with pytest.raises(ReadingEndedError):
        world.find_game(GameNumber(2))


def test_what_was_changed_is_found_by_what_it_is_now() -> None:
    store = Stored()
    store.put(game())
    world = world_of(store).with_player(AS_ADA.named("Countess", "countess"))
    assert (world.named("ada"), world.owner(ADA)) == (None, world.named("countess"))
    assert world.game(ONE).names == ("Countess", "Ben")
    moved = world.with_player(AS_ADA.without_mailbox(ADA))
    assert moved.owner(ADA) is None


def test_a_sweep_reaches_what_is_read_after_it() -> None:
    store = Stored()
    store.put(game("ps a1"), game(number=2, players=(AS_BEN, AS_ADA)), seek_of(1, AS_ADA.id), seek_of(2, 2))
    store.questions += [question(1), question(2, address=BEN)]
    store.block(AS_BEN.id, AS_ADA.id)
    subjects = ((ONE, "one"), (GameNumber(2), "two"))
    operation = ErasePlayer(player=AS_ADA.id, label="A player", addresses=(ADA,), subjects=subjects)
    erased = PlayerErased(erasure=operation, marks=(), left_at=NOW, games=0, keep_days=30)
    world = erased.apply(world_of(store))
    assert [world.game(number).record.subject for number, _ in subjects] == ["one", "two"]
    assert world.player(AS_BEN.id).blocked == frozenset()
    assert [seek.number for seek in world.every_seek()] == [2]
    assert [asked.id for asked in world.questions_to(ADA, BEN)] == [2]
    assert world.game(ONE).players[0].is_erased


@pytest.mark.parametrize("is_read_before", [True, False])
def test_words_that_were_dropped_wait_no_more(is_read_before: bool) -> None:
    store = Stored()
    store.put(in_game_with_words(store))
    world = world_of(store)
    assert not is_read_before or world.game(ONE).correspondence.waiting_chat
    assert world.with_operation(DropChat(player=AS_ADA.id)).game(ONE).correspondence.waiting_chat == ()
    assert world.with_operation(DropChat(player=AS_BEN.id)).game(ONE).correspondence.waiting_chat != ()


def in_game_with_words(store: Stored) -> Any:
    store.put(game())
    table = world_of(store).game(ONE)
    return with_chat(table, table.record.seat_of(AS_ADA.id), "hello")


def test_what_is_closed_is_gone_and_known_as_closed() -> None:
    store = Stored()
    store.put(AS_ADA, seek_of(1, AS_ADA.id))
    store.questions += [question(1), question(2)]
    world = world_of(store)
    first, _ = world.questions_to(ADA)
    world = world.without_pending(first).without_seeks([SeekNumber(1)]).with_pending(question(-1))
    assert world.closed_questions == {1}
    assert [asked.id for asked in world.questions_to(ADA)] == [2]
    assert world.questions[PendingId(-1)] is not None
    assert world.every_seek() == []


def test_what_is_only_supposed_takes_no_numbers() -> None:
    store = Stored()
    store.put(game())
    world = world_of(store)
    assert [world.supposed().numbers.following("game") for _ in range(2)] == [-1, -1]
    assert [world.numbers.following("game") for _ in range(2)] == [2, 3]
    supposed = NoNumbers()
    assert [supposed.following("player") for _ in range(2)] == [-1, -2]
    new = AS_BEN.named("Cid", "cid")
    assert world.with_player(new).player(PlayerId(2)) is new
