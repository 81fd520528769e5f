"""Games of very many turns: a mail costs in them what it costs early on, and no turn is refused for its number."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import chain, cycle, islice

import pytest
from sqlalchemy import delete, update
from sqlmodel import Session, col

from takmail.commands.game.match import Match, match_of
from takmail.commands.kinds import Ruling, Standing
from takmail.commands.records import PlayerId
from takmail.games.registry import GAMES
from takmail.games.tak import game as tak
from takmail.pipeline import process
from takmail.store import games
from takmail.store.replays import Replays
from takmail.store.tables import GameRow, TurnRow
from tests import rows
from tests.office import ADA, BEN, Office, Received, said, turns
from tests.service.test_statements import noted

BEGINNING = ("ps h8", "ps a1", "ps a2", "ps h7", "ms a1 p1 1", "mn h8 p1 1")
TO_AND_FRO = ("ms a2 p2 2", "mn h7 p2 2", "mn a3 p2 2", "ms h6 p2 2")
THEN = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
LONG = 1_526
"""Turns, after which it is Ada's."""


def moves(count: int) -> list[str]:
    """A legal game of so many turns, in which two stacks go to and fro."""
    return list(islice(chain(BEGINNING, cycle(TO_AND_FRO)), count))


def begin(office: Office, count: int) -> int:
    """A game after so many turns, of which both players have the board; gives its number."""
    office.begin("8")
    with office.store.transaction() as session:
        number = len(rows.games(session))
        put_turns(session, number, count)
    for who in (ADA, BEN):
        office.send(f"{who[:3].capitalize()} <{who}>", "rs", office.last(who))
    return number


def put_turns(session: Session, game: int, count: int) -> None:
    """Store turns as they are stored when they are played."""
    state = GAMES.rules("tak").start("8")
    for number, text in enumerate(moves(count), 1):
        state = state.play(text)
        rows.put_turn(session, number, text, THEN, of=game, checksum=state.checksum)


def ask(office: Office, words: str, who: str = ADA, game: int = 1) -> Received:
    """The answer to a mail that answers the newest letter to somebody about a game."""
    sender = f"{who[:3].capitalize()} <{who}>"
    letter = next(one for one in reversed(office.box) if one.to == who and f"#{game}]" in one.subject)
    office.send(sender, words, letter)
    return office.last(who)


@contextmanager
def counted(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """All turns that are played by the rules meanwhile."""
    found: list[str] = []
    play = tak.play_turn

    def noting(position: tak.Position, text: str) -> tak.Position:
        found.append(text)
        return play(position, text)

    with monkeypatch.context() as patch:
        patch.setattr(tak, "play_turn", noting)
        yield found


@pytest.mark.parametrize(
    "words", ["ms a2 p2 2", "rs", "show 7", "why 7", "log", "ptn", "match", "draw", "undo"]
)
def test_a_mail_plays_and_asks_no_more_late_in_a_game_than_early(
    office: Office, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    took = []
    for game in [begin(office, count) for count in (30, 302)]:
        with counted(monkeypatch) as played, noted(office.store) as statements:
            ask(office, words, game=game)
        took.append((len(played), len(statements)))
    assert took[0] == took[1]


def test_many_turns_that_were_taken_back_are_not_played_again(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(office, 30)
    played = []
    for _ in range(12):
        ask(office, "ms a2 p2 2")
        with counted(monkeypatch) as found:
            ask(office, "rs")
        played.append(len(found))
        ask(office, "undo")
        ask(office, "agree", BEN)
    assert played == [1] * 12, "the newest turn, which is played over once it is stored"
    with office.store.transaction() as session:
        assert len(rows.taken_back(session)) == 12


def test_after_a_restart_a_game_is_played_over_once(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    begin(office, 302)
    office.__post_init__()
    with counted(monkeypatch) as played:
        ask(office, "ms a2 p2 2")
    assert 302 <= len(played) < 302 + 10
    assert len(turns(office)) == 303


@pytest.mark.parametrize("number", [1, 7, 150, 300, 302])
@pytest.mark.parametrize(
    "values", [{"text": "ps d4"}, {"text": "ps z9"}, {"seat": 7}, {"is_agreed": True}, None]
)
def test_a_row_that_is_changed_by_hand_is_noticed_before_the_next_move(
    office: Office, number: int, values: dict[str, object] | None
) -> None:
    begin(office, 302)
    with office.store.transaction() as session:
        row = col(TurnRow.number) == number
        session.execute(
            delete(TurnRow).where(row) if values is None else update(TurnRow).where(row).values(values)
        )
    office.inbound.keep_one(office.mail(f"Ada <{ADA}>", "ms a2 p2 2", office.last(ADA)).as_bytes())
    office.inbound.work()
    if values is None and number == 302:
        assert len(turns(office)) == 301  # as if it had never been played, which nobody can tell
        return
    assert len(turns(office)) == 302 - (values is None)
    with office.store.transaction() as session:
        assert session.get_one(GameRow, 1).standing == Standing.ADJOURNED


class Killed(BaseException):
    """What a mail has done so far is rolled back, and the mail waits."""


def test_what_was_rolled_back_is_not_taken_for_played(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(office, 30)
    with monkeypatch.context() as patch:

        def broken(*_: object) -> None:
            raise Killed

        patch.setattr(process, "compose", broken)
        office.inbound.keep_one(office.mail(f"Ada <{ADA}>", "ms a2 p2 2", office.last(ADA)).as_bytes())
        with pytest.raises(Killed):
            office.inbound.work()
    assert len(turns(office)) == 30
    with office.store.transaction() as session:
        session.execute(delete(TurnRow).where(col(TurnRow.number) == 30))
    office.inbound.work()
    assert len(turns(office)) == 29
    assert "only 29 turns have been played" in said(office.collect()[-1])


def test_two_processes_see_what_the_other_one_has_played(office: Office) -> None:
    begin(office, 30)
    other = Office(office.store, box=office.box)
    other._seen, other._mails = office._seen, 1_000
    for number, move in enumerate(moves(46)[30:]):
        one = (office, other)[number % 3 == 1]
        who = (ADA, BEN)[number % 2]
        one.send(f"{who[:3].capitalize()} <{who}>", move, one.last(who))
        office._seen = other._seen = max(office._seen, other._seen)
    assert turns(office) == moves(46)


def test_no_turn_is_refused_for_its_number(office: Office) -> None:
    begin(office, LONG)
    assert "turn 1527 of the game" in said(ask(office, "ms a2 p2 2 #1527"))
    assert "turn 1528 of the game" in said(ask(office, "mn h7 p2 2", BEN))
    assert len(turns(office)) == LONG + 2
    for words in ("show 1527", "show #1527", "show 1527?"):
        assert "1527" in ask(office, words).text, words
        assert "Not done" not in office.last(ADA).text, words
    assert "Turn 1527, by Ada" in said(ask(office, "why 1527"))
    assert "1527. Ada: ms a2 p2 2" in said(ask(office, "log"))
    assert "764. 2a7- 2h2+" in ask(office, "ptn").text
    offered = said(ask(office, "propose back 1520"))
    assert "1520" in offered
    assert "Not done" not in offered
    assert "1527" in said(ask(office, "im 1527 I think not", BEN))
    assert "If this is what you mean, send this: ps d4" in said(ask(office, "1529.ps d4"))
    assert len(turns(office)) == LONG + 2


def test_of_the_games_that_were_replayed_the_last_ones_are_kept(office: Office) -> None:
    numbers = [begin(office, count) for count in (10, 20, 30, 60)]
    replays = Replays(most=55)
    kept = []
    with office.store.transaction() as session:
        for number in numbers:
            record = games.get(session, number)
            assert record is not None
            replays.replay(session, record, GAMES.rules("tak"), ())
            kept.append((replays.games, replays.states))
    assert kept == [((1,), 11), ((1, 2), 32), ((2, 3), 52), ((4,), 61)]


def test_a_match_plays_no_finished_game_over(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(3):
        office.begin("3")
        office.play("ps a3", "ps a1", "ps b1", "ps b3", "ps c1")
    with counted(monkeypatch) as played:
        letter = office.send(f"Ada <{ADA}>", "match Ben")[-1]
    assert "after 3 games: you have 48 points" in said(letter)
    assert played == []


def of_ada_and_ben(office: Office) -> Match:
    ada, ben = PlayerId(1), PlayerId(2)
    with office.store.transaction() as session:
        both = office.inbound._causes.queries(session, office.now).finished("tak", ada, ben)
    return match_of("tak", ("Ada", "Ben"), ada, both)


def test_a_match_counts_anew_what_is_not_as_it_was(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    office.begin("3")
    office.play("ps a3", "ps a1", "ps b1", "ps b3", "ps c1")
    ways: list[dict[str, object]] = [
        {"counted": None},
        {"resigned": 0},
        {"ruling": Ruling.SECOND, "resigned": None},
        {"ruling": None, "setup": "3 score=tarway"},
    ]
    found = []
    for values in ways:
        with office.store.transaction() as session:
            session.execute(update(GameRow).values(values))
        match = of_ada_and_ben(office)
        found.append((match.points, match.won))
        with counted(monkeypatch) as played:
            assert of_ada_and_ben(office) == match
        assert played == []
    assert found == [((16, 0), (1, 0)), ((0, 17), (0, 1)), ((0, 17), (0, 1)), ((23, 0), (1, 0))]
