"""A player leaves while another transaction refers to them. The transaction that is stored second raises Conflict."""

from dataclasses import replace

import pytest

from takmail.games.interface import Seat
from takmail.world import events as ev
from takmail.world.ids import GameNumber, PlayerId, QuestionId, SeekNumber
from takmail.world.kinds import LetterView, QuestionKind, Standing
from takmail.world.players import Seek
from takmail.world.questions import Question
from tests.store.scene import BEN, NOW, Scene, person, proposed
from tests.store.test_write import collides, rows

ADAS, BENS, CYS = PlayerId(1), PlayerId(2), PlayerId(3)
ONE, TWO = GameNumber(1), GameNumber(2)
ASKED = Question(QuestionId(-1), QuestionKind.ADDRESS, NOW, address="b@example.org", player=BENS)
SEEK = Seek(SeekNumber(1), BENS, "tak", "5", None, None, False, NOW)
TIED = [
    proposed(2, (3, 2), NOW),
    ev.SeekOpened(seek=SEEK, is_repeated=False),
    ev.QuestionAsked(question=ASKED),
    ev.AddressAdded(player=BENS, address="b@example.org"),
    ev.PlayerBlocked(player=CYS, other=BENS, name="Ben"),
    ev.PlayersMerged(source=CYS, into=BENS, accepts_mail=True),
]
CHANGED = [
    ev.PlayerNamed(player=BENS, name="Benjamin", skeleton="benjamin"),
    ev.SettingChosen(player=BENS, keyword="view", value=LetterView.TEXT),
    ev.SettingChosen(player=BENS, keyword="receipts", value=True),
    ev.SettingChosen(player=BENS, keyword="reads", value=True),
    ev.BlockedByOperator(player=BENS, is_blocked=True),
]


@pytest.fixture
def game(scene: Scene) -> Scene:
    """Ada and Ben have begun a game, and Cy has joined."""
    return scene.joined("Ada", "Ben", "Cy").begun()


def leaves() -> list[ev.Event]:
    erased = ev.PlayerErased(
        player=BENS,
        label="a player",
        addresses=(BEN,),
        keep_days=30,
        subjects=((ONE, "Ada vs a player"),),
        games=1,
    )
    return [erased, ev.GameEnded(game=ONE, resigned=Seat.SECOND)]


def name(event: ev.Event) -> str:
    return type(event).__name__


@pytest.mark.parametrize("event", [*TIED, *CHANGED], ids=name)
def test_nothing_new_is_stored_of_who_has_left(game: Scene, event: ev.Event) -> None:
    late, _ = game.outcome(event)
    game.do(*leaves())
    collides(game, late)


def test_who_leaves_by_two_mails_leaves_once(game: Scene) -> None:
    late, _ = game.outcome(leaves()[0])
    game.do(*leaves())
    collides(game, late)


@pytest.mark.parametrize("event", [TIED[0], TIED[3]], ids=name)
def test_who_has_got_more_meanwhile_than_was_known_is_not_erased_yet(game: Scene, event: ev.Event) -> None:
    late, _ = game.outcome(*leaves())
    game.do(event)
    collides(game, late)


def test_who_has_left_joins_no_seek(game: Scene) -> None:
    game.do(ev.SeekOpened(seek=replace(SEEK, player=CYS), is_repeated=False))
    record = proposed(2, (3, 2), game.now, standing=Standing.OPEN, guest_label=None).record
    late, _ = game.outcome(
        ev.SeekJoined(
            game=TWO,
            record=record,
            seek=SEEK.number,
            seat=Seat.SECOND,
            is_in_answer=True,
        )
    )
    game.do(*leaves())
    collides(game, late)


def test_a_guest_who_comes_with_the_game_is_there(game: Scene) -> None:
    game.do(ev.PlayerJoined(player=person(4, "Dan")), proposed(2, (3, 4), game.now))
    assert rows(game, "SELECT player_id FROM seat WHERE game_id = 2 ORDER BY seat") == [(3,), (4,)]
