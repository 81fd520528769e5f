"""No statement of a search scans a whole table. `tests/service` has the statements of a mail."""

from takmail.games.interface import Seat
from takmail.world.kinds import PlayerId
from tests.store.plans import inner, noted, scanned
from tests.store.scene import Scene
from tests.support.databases import ON_POSTGRESQL
from tests.support.rows import held_about


def with_rows(scene: Scene) -> Scene:
    """A game with two turns, a letter in it, and a handled mail."""
    scene.joined("Ada", "Ben").begun().played("ps a1", "ps e5")
    scene.do(letters=[scene.letter(Seat.FIRST)])
    scene.do(mail=scene.kept_mail(), claimed_by="a worker")
    return scene


def test_a_statement_without_an_index_would_be_seen(scene: Scene) -> None:
    with_rows(scene)
    without = ("SELECT * FROM outbox WHERE text = 'ps a1'", ())
    ((_, step),) = scanned(scene.store, [without])
    assert ("Seq Scan on outbox" if ON_POSTGRESQL else "SCAN outbox") in step


def test_all_personal_data_of_a_player_is_found_by_an_index(scene: Scene) -> None:
    with_rows(scene)
    with noted(scene.store) as found, scene.store.transaction() as session:
        held = held_about(session, PlayerId(1), 10, 10, ())
        assert held["letters"].rows
    assert scanned(scene.store, inner(found)) == []
