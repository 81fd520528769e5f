"""How many statements a mail takes, and that none of them reads a table from end to end."""

from dataclasses import replace

from takmail.commands import events as ev
from takmail.commands.kinds import MailState
from takmail.commands.records import PlayerId
from takmail.commands.snapshot import Cause
from takmail.games.interface import Seat
from takmail.store import forgettings, holdings, mails
from takmail.store.tables import Forgetting
from takmail.store.write import write
from tests.databases import ON_POSTGRESQL
from tests.store.plans import Statement, inner, noted, scanned
from tests.store.scene import ADA, Scene, turn

MOST = 12


def of_a_move(scene: Scene, text: str = "ps b2") -> list[Statement]:
    """The statements of the transaction that loads, decides and stores a move in answer to a letter."""
    letter = scene.letter(Seat.FIRST)
    scene.do(letters=[letter])
    number = scene.kept_mail()
    mail = scene.reply(Seat.FIRST, letter)
    with noted(scene.store) as found, scene.store.transaction() as session:
        snapshot = replace(scene.loaded_by(session, mail), cause=Cause("mail", number))
        table = snapshot.state.table(scene.table().number)
        assert snapshot.answered is not None
        assert snapshot.answered.message_id == letter.message_id
        outcome, _ = scene.outcome(
            ev.PlayerHeard(address=ADA, at=scene.now),
            ev.LettersWoken(address=ADA, player=PlayerId(1), most=200, at=scene.now),
            turn(table, text, scene.now, mail=number),
            letters=[scene.letter(Seat.FIRST), scene.letter(Seat.SECOND, told=len(table.turns) + 1)],
        )
        write(session, snapshot, replace(outcome, state=MailState.PLAYED), claimed_by="a worker")
    return inner(found)


def test_a_move_by_reply_takes_few_statements(scene: Scene) -> None:
    found = of_a_move(scene.joined("Ada", "Ben").begun().played("ps a1", "ps e5"))
    print("\n".join(statement for statement, _ in found))
    assert len(found) <= MOST


def test_a_long_game_takes_no_more_statements_than_a_short_one(scene: Scene) -> None:
    scene.joined("Ada", "Ben").begun()
    first = len(of_a_move(scene, "ps a1"))
    scene.state = replace(scene.state)
    with scene.store.transaction() as session:
        scene.state = scene.load(session, scene.state)
    scene.played("ps e5", "ps a2", "ps e4", "ps a3", "ps e3")
    assert len(of_a_move(scene)) == first


def test_a_move_finds_everything_by_an_index(scene: Scene) -> None:
    found = of_a_move(scene.joined("Ada", "Ben").begun().played("ps a1", "ps e5"))
    assert scanned(scene.store, found) == []


def test_a_statement_without_an_index_would_be_seen(scene: Scene) -> None:
    scene.joined("Ada", "Ben").begun()
    without = ("SELECT * FROM outbox WHERE text = 'ps a1'", ())
    ((_, step),) = scanned(scene.store, [without])
    assert ("Seq Scan on outbox" if ON_POSTGRESQL else "SCAN outbox") in step


def test_all_that_is_held_about_a_player_is_found_by_an_index(scene: Scene) -> None:
    scene.joined("Ada", "Ben").begun()
    scene.do(letters=[scene.letter(Seat.FIRST)])
    with noted(scene.store) as found, scene.store.transaction() as session:
        assert holdings.personal_data(session, PlayerId(1), 10, 10).letters.rows
    assert [one for one in scanned(scene.store, inner(found)) if " outbox" in one[1]] == []


def test_one_step_of_forgetting_walks_through_numbers_alone(scene: Scene) -> None:
    scene.joined("Ada", "Ben").begun()
    scene.do(letters=[scene.letter(Seat.FIRST)])
    scene.kept_mail()
    one = Forgetting(addresses="someone@example.net", names="", label="", mails=9, letters=9)
    with noted(scene.store) as found, scene.store.transaction() as session:
        assert list(mails.kept(session, 0, 5_000, 20)) == []
        forgettings.look_at_letters(session, one, 20)
        mails.newest_waiting(session, 5_000)
    assert scanned(scene.store, inner(found)) == []
