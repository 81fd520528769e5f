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
from tests.service.test_statements import noted
from tests.support import rows
from tests.support.harness import ADA, BEN, Harness, Received, said, turns

BEGINNING = ("ps h8", "ps a1", "ps a2", "ps h7", "ms a1 p1 1", "mn h8 p1 1")
TO_AND_FRO = ("ms a2 p2 2", "mn h7 p2 2", "mn a3 p2 2", "ms h6 p2 2")
THEN = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
LONG = 1_526
"""Turns, after which it is Ada's."""


def moves(count: int) -> list[str]:
    """A legal game of so many turns, in which two stacks go to and fro."""
    return list(islice(chain(BEGINNING, cycle(TO_AND_FRO)), count))


def begin(harness: Harness, count: int) -> int:
    """A game after so many turns, of which both players have the board; gives its number."""
    harness.begin("8")
    with harness.store.transaction() as session:
        number = len(rows.games(session))
        put_turns(session, number, count)
    for who in (ADA, BEN):
        harness.send(f"{who[:3].capitalize()} <{who}>", "rs", harness.last(who))
    return number


def put_turns(session: Session, game: int, count: int) -> None:
    """Store turns as they are stored when they are played."""
    state = GAMES.rules("tak").start("8")
    for number, text in enumerate(moves(count), 1):
        state = state.play(text)
        rows.put_turn(session, number, text, THEN, of=game, checksum=state.checksum)


def ask(harness: Harness, words: str, who: str = ADA, game: int = 1) -> Received:
    """The answer to a mail that answers the newest letter to somebody about a game."""
    sender = f"{who[:3].capitalize()} <{who}>"
    letter = next(one for one in reversed(harness.box) if one.to == who and f"#{game}]" in one.subject)
    harness.send(sender, words, letter)
    return harness.last(who)


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
    harness: Harness, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    took = []
    for game in [begin(harness, count) for count in (30, 302)]:
        with counted(monkeypatch) as played, noted(harness.store) as statements:
            ask(harness, words, game=game)
        took.append((len(played), len(statements)))
    assert took[0] == took[1]


def test_many_turns_that_were_taken_back_are_not_played_again(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(harness, 30)
    played = []
    for _ in range(12):
        ask(harness, "ms a2 p2 2")
        with counted(monkeypatch) as found:
            ask(harness, "rs")
        played.append(len(found))
        ask(harness, "undo")
        ask(harness, "agree", BEN)
    assert played == [1] * 12, "the newest turn, which is played over once it is stored"
    with harness.store.transaction() as session:
        assert len(rows.taken_back(session)) == 12


def test_after_a_restart_a_game_is_played_over_once(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(harness, 302)
    harness.__post_init__()
    with counted(monkeypatch) as played:
        ask(harness, "ms a2 p2 2")
    assert 302 <= len(played) < 302 + 10
    assert len(turns(harness)) == 303


@pytest.mark.parametrize("number", [1, 7, 150, 300, 302])
@pytest.mark.parametrize(
    "values", [{"text": "ps d4"}, {"text": "ps z9"}, {"seat": 7}, {"is_agreed": True}, None]
)
def test_a_row_that_is_changed_by_hand_is_noticed_before_the_next_move(
    harness: Harness, number: int, values: dict[str, object] | None
) -> None:
    begin(harness, 302)
    with harness.store.transaction() as session:
        row = col(TurnRow.number) == number
        session.execute(
            delete(TurnRow).where(row) if values is None else update(TurnRow).where(row).values(values)
        )
    harness.inbound.keep_one(harness.mail(f"Ada <{ADA}>", "ms a2 p2 2", harness.last(ADA)).as_bytes())
    harness.inbound.work()
    if values is None and number == 302:
        assert len(turns(harness)) == 301  # as if it had never been played, which nobody can tell
        return
    assert len(turns(harness)) == 302 - (values is None)
    with harness.store.transaction() as session:
        assert session.get_one(GameRow, 1).standing == Standing.ADJOURNED


class Killed(BaseException):
    """What a mail has done so far is rolled back, and the mail waits."""


def test_what_was_rolled_back_is_not_taken_for_played(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(harness, 30)
    with monkeypatch.context() as patch:

        def broken(*_: object) -> None:
            raise Killed

        patch.setattr(process, "compose", broken)
        harness.inbound.keep_one(harness.mail(f"Ada <{ADA}>", "ms a2 p2 2", harness.last(ADA)).as_bytes())
        with pytest.raises(Killed):
            harness.inbound.work()
    assert len(turns(harness)) == 30
    with harness.store.transaction() as session:
        session.execute(delete(TurnRow).where(col(TurnRow.number) == 30))
    harness.inbound.work()
    assert len(turns(harness)) == 29
    assert "only 29 turns have been played" in said(harness.collect()[-1])


def test_two_processes_see_what_the_other_one_has_played(harness: Harness) -> None:
    begin(harness, 30)
    other = Harness(harness.store, box=harness.box)
    other._seen, other._mails = harness._seen, 1_000
    for number, move in enumerate(moves(46)[30:]):
        one = (harness, other)[number % 3 == 1]
        who = (ADA, BEN)[number % 2]
        one.send(f"{who[:3].capitalize()} <{who}>", move, one.last(who))
        harness._seen = other._seen = max(harness._seen, other._seen)
    assert turns(harness) == moves(46)


def test_no_turn_is_refused_for_its_number(harness: Harness) -> None:
    begin(harness, LONG)
    assert "turn 1527 of the game" in said(ask(harness, "ms a2 p2 2 #1527"))
    assert "turn 1528 of the game" in said(ask(harness, "mn h7 p2 2", BEN))
    assert len(turns(harness)) == LONG + 2
    for words in ("show 1527", "show #1527", "show 1527?"):
        assert "1527" in ask(harness, words).text, words
        assert "Not done" not in harness.last(ADA).text, words
    assert "Turn 1527, by Ada" in said(ask(harness, "why 1527"))
    assert "1527. Ada: ms a2 p2 2" in said(ask(harness, "log"))
    assert "764. 2a7- 2h2+" in ask(harness, "ptn").text
    offered = said(ask(harness, "propose back 1520"))
    assert "1520" in offered
    assert "Not done" not in offered
    assert "1527" in said(ask(harness, "im 1527 I think not", BEN))
    assert "If this is what you mean, send this: ps d4" in said(ask(harness, "1529.ps d4"))
    assert len(turns(harness)) == LONG + 2


def test_of_the_games_that_were_replayed_the_last_ones_are_kept(harness: Harness) -> None:
    numbers = [begin(harness, count) for count in (10, 20, 30, 60)]
    replays = Replays(most=55)
    kept = []
    with harness.store.transaction() as session:
        for number in numbers:
            record = games.get(session, number)
            assert record is not None
            replays.replay(session, record, GAMES.rules("tak"), ())
            kept.append((replays.games, replays.states))
    assert kept == [((1,), 11), ((1, 2), 32), ((2, 3), 52), ((4,), 61)]


def test_a_match_plays_no_finished_game_over(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(3):
        harness.begin("3")
        harness.play("ps a3", "ps a1", "ps b1", "ps b3", "ps c1")
    with counted(monkeypatch) as played:
        letter = harness.send(f"Ada <{ADA}>", "match Ben")[-1]
    assert "after 3 games: you have 48 points" in said(letter)
    assert played == []


def of_ada_and_ben(harness: Harness) -> Match:
    ada, ben = PlayerId(1), PlayerId(2)
    with harness.store.transaction() as session:
        both = harness.inbound._causes.queries(session, harness.now).finished("tak", ada, ben)
    return match_of("tak", ("Ada", "Ben"), ada, both)


def test_a_match_counts_anew_what_is_not_as_it_was(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    harness.begin("3")
    harness.play("ps a3", "ps a1", "ps b1", "ps b3", "ps c1")
    ways: list[dict[str, object]] = [
        {"counted": None},
        {"resigned": 0},
        {"ruling": Ruling.SECOND, "resigned": None},
        {"ruling": None, "setup": "3 score=tarway"},
    ]
    found = []
    for values in ways:
        with harness.store.transaction() as session:
            session.execute(update(GameRow).values(values))
        match = of_ada_and_ben(harness)
        found.append((match.points, match.won))
        with counted(monkeypatch) as played:
            assert of_ada_and_ben(harness) == match
        assert played == []
    assert found == [((16, 0), (1, 0)), ((0, 17), (0, 1)), ((0, 17), (0, 1)), ((23, 0), (1, 0))]
