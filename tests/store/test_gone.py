"""A player leaves while another transaction refers to them. The transaction that is stored second raises Conflict."""

import pytest

from takmail.games.interface import Seat
from takmail.world.kinds import GameNumber, LetterView, PendingId, PlayerId, SeekNumber
from takmail.world.operations import MergePlayers
from takmail.world.pace import NO_TIMING
from takmail.world.pending import Pending
from takmail.world.players import Mailbox, Preferences, Seek
from takmail.world.waiting import PendingKind
from takmail.world.world import World
from tests.store.scene import NOW, Change, Scene, ended, erased, of_player, person, put, without_seek
from tests.store.scene import game as a_game
from tests.store.test_write import collides, rows

BENS, CYS = PlayerId(2), PlayerId(3)
ASKED = Pending(PendingId(-1), PendingKind.ADDRESS, NOW, address="b@example.org", player=BENS)
SEEK = Seek(SeekNumber(1), BENS, "tak", "5", None, NO_TIMING, False, NOW)


def with_address(world: World) -> World:
    """Give Ben another address."""
    more = Mailbox("b@example.org", verified_at=NOW, added_at=NOW)
    return put(world.player(BENS).with_mailbox(more))(world)


NEW = {
    "a game": a_game(2, (3, 2)),
    "a seek": put(SEEK),
    "a question": put(ASKED),
    "an address": with_address,
    "a block": of_player(CYS, blocked=frozenset({BENS})),
    "a merge": put(MergePlayers(source=CYS, into=BENS, accepts_mail=True)),
}
CHANGED = {
    "name": of_player(BENS, name="Benjamin", skeleton="benjamin"),
    "language": of_player(BENS, preferences=Preferences(language="zh")),
    "view": of_player(BENS, preferences=Preferences(letter_view=LetterView.TEXT)),
    "block": of_player(BENS, is_blocked=True),
}
LEAVES = (erased(2, ((GameNumber(1), "Ada vs a player"),)), ended(resigned=Seat.SECOND))


@pytest.fixture
def game(scene: Scene) -> Scene:
    """Ada and Ben have begun a game, and Cy has joined."""
    return scene.joined("Ada", "Ben", "Cy").begun()


@pytest.mark.parametrize("what", [*NEW, *CHANGED])
def test_nothing_new_is_stored_of_who_has_left(game: Scene, what: str) -> None:
    late = game.decided({**NEW, **CHANGED}[what])
    game.do(*LEAVES)
    collides(game, late)


def test_who_leaves_by_two_mails_leaves_once(game: Scene) -> None:
    late = game.decided(LEAVES[0])
    game.do(*LEAVES)
    collides(game, late)


@pytest.mark.parametrize("what", ["a game", "an address"])
def test_who_has_got_more_meanwhile_than_was_known_is_not_erased_yet(game: Scene, what: str) -> None:
    late = game.decided(*LEAVES)
    game.do(NEW[what])
    collides(game, late)


def test_who_has_left_joins_no_seek(game: Scene) -> None:
    game.do(put(Seek(SeekNumber(1), CYS, "tak", "5", None, NO_TIMING, False, NOW)))
    joined: tuple[Change, ...] = (without_seek(1), a_game(2, (3, 2)))
    late = game.decided(*joined)
    game.do(*LEAVES)
    collides(game, late)


def test_a_guest_who_comes_with_the_game_is_there(game: Scene) -> None:
    game.do(put(person(4, "Dan")), a_game(2, (3, 4)))
    assert rows(game, "SELECT player_id FROM seat WHERE game_id = 2 ORDER BY seat") == [(3,), (4,)]
