"""Very long games: a mail costs as much as at the beginning, and no turn is refused because of its number."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from itertools import chain, cycle, islice

import pytest
from sqlalchemy import delete, update
from sqlmodel import col

from takmail.games.registry import GAMES
from takmail.games.tak import state as tak
from takmail.limits.letters import MAX_HTML_BYTES
from takmail.pipeline import process
from takmail.store import games
from takmail.store.games import Replays
from takmail.store.tables import GameRow, TurnRow
from takmail.world.kinds import GameNumber, LetterView, PlayerId, Ruling, Standing
from takmail.world.match import Match, match_of
from tests.service.test_statements import noted
from tests.support import rows
from tests.support.harness import ADA, BEN, Harness, Received, said, turns
from tests.support.scenes import played_once
from tests.support.width import combined, some_of

BEGINNING = ("ps h8", "ps a1", "ps a2", "ps h7", "ms a1 p1 1", "mn h8 p1 1")
TO_AND_FRO = ("ms a2 p2 2", "mn h7 p2 2", "mn a3 p2 2", "ms h6 p2 2")
LONG = 1_002
"""The number of turns, after which Ada is to move."""
TIMES = 4
"""The number of times that one turn is taken back."""


def moves(count: int) -> list[str]:
    """Return a legal game of this many turns, in which two stacks move to and fro."""
    return list(islice(chain(BEGINNING, cycle(TO_AND_FRO)), count))


@played_once
def begin(harness: Harness, *counts: int) -> None:
    """Store games with this many turns each, numbered from 1. Both players have shown the board of each."""
    for number, count in enumerate(counts, 1):
        harness.begin("8")
        with harness.store.transaction() as session:
            rows.put_turns(session, moves(count), harness.now, number)
        for who in (ADA, BEN):
            harness.send(f"{who[:3].capitalize()} <{who}>", "rs", harness.last(who))


def replay(harness: Harness, game: int = 1) -> None:
    """Load a game into the cache, as after a mail about it."""
    with harness.store.transaction() as session:
        harness.mail_worker._causes.queries(session).game(GameNumber(game))


def ask(harness: Harness, words: str, who: str = ADA, game: int = 1) -> Received:
    """Return the answer to a mail that answers the newest letter to a player about a game."""
    sender = f"{who[:3].capitalize()} <{who}>"
    letter = next(one for one in reversed(harness.box) if one.to == who and f"#{game}]" in one.subject)
    harness.send(sender, words, letter)
    return harness.last(who)


@contextmanager
def counted(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Count all turns that are replayed during the block."""
    found: list[str] = []
    play = tak.play_turn

    def noting(position: tak.Position, text: str) -> tak.Position:
        found.append(text)
        return play(position, text)

    with monkeypatch.context() as patch:
        patch.setattr(tak, "play_turn", noting)
        yield found


@pytest.mark.parametrize(
    "words", some_of(["ms a2 p2 2", "rs", "show 7", "why 7", "log", "ptn", "match", "draw", "undo"], 3)
)
def test_a_mail_plays_and_asks_no_more_late_in_a_game_than_early(
    harness: Harness, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    begin(harness, 30, 302)
    took = []
    for game in (1, 2):
        replay(harness, game)
        harness.now += timedelta(minutes=1)
        with counted(monkeypatch) as played, noted(harness.store) as statements:
            ask(harness, words, game=game)
        took.append((len(played), len(statements)))
    assert took[0] == took[1]


def test_many_turns_that_were_taken_back_are_not_played_again(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(harness, 30)
    replay(harness)
    played = []
    for _ in range(TIMES):
        ask(harness, "ms a2 p2 2")
        with counted(monkeypatch) as found:
            ask(harness, "rs")
        played.append(len(found))
        ask(harness, "undo")
        ask(harness, "agree", BEN)
    assert played == [1] * TIMES, "the newest turn, which is played over once it is stored"
    with harness.store.transaction() as session:
        assert len(rows.taken_back(session)) == TIMES


def test_a_run_that_a_later_one_had_led_to_is_not_played_again(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(harness, 30)
    replay(harness)
    for who, other in ((BEN, ADA), (ADA, BEN)):
        ask(harness, "undo", who)
        ask(harness, "agree", other)
    with harness.store.transaction() as session:
        assert [(one.branch, one.number) for one in rows.taken_back(session)] == [(1, 30), (2, 29)]
    ask(harness, "rs")
    with counted(monkeypatch) as played:
        ask(harness, "show 30")
    assert played == []


def test_after_a_restart_a_game_is_played_over_once(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(harness, 302)
    harness.__post_init__()
    with counted(monkeypatch) as played:
        ask(harness, "ms a2 p2 2")
    assert 302 <= len(played) < 302 + 10
    assert len(turns(harness)) == 303


@pytest.mark.parametrize(
    ("number", "values"),
    combined(
        [1, 7, 30, 60, 62], [{"text": "ps d4"}, {"text": "ps z9"}, {"seat": 7}, {"is_agreed": True}, None]
    ),
)
def test_a_row_that_is_changed_by_hand_is_noticed_before_the_next_move(
    harness: Harness, number: int, values: dict[str, object] | None
) -> None:
    begin(harness, 62)
    replay(harness)
    with harness.store.transaction() as session:
        row = col(TurnRow.number) == number
        session.execute(
            delete(TurnRow).where(row) if values is None else update(TurnRow).where(row).values(values)
        )
    harness.mail_worker.keep_one(harness.mail(f"Ada <{ADA}>", "ms a2 p2 2", harness.last(ADA)).as_bytes())
    harness.mail_worker.work()
    if values is None and number == 62:
        assert len(turns(harness)) == 61  # as if it had never been played, which nobody can tell
        return
    assert len(turns(harness)) == 62 - (values is None)
    with harness.store.transaction() as session:
        assert session.get_one(GameRow, 1).standing == Standing.ADJOURNED


class Killed(BaseException):
    """The mail is rolled back and waits."""


def test_what_was_rolled_back_is_not_taken_for_played(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(harness, 30)
    replay(harness)
    with monkeypatch.context() as patch:

        def broken(*_: object) -> None:
            raise Killed

        patch.setattr(process, "compose", broken)
        harness.mail_worker.keep_one(harness.mail(f"Ada <{ADA}>", "ms a2 p2 2", harness.last(ADA)).as_bytes())
        with pytest.raises(Killed):
            harness.mail_worker.work()
    assert len(turns(harness)) == 30
    with harness.store.transaction() as session:
        session.execute(delete(TurnRow).where(col(TurnRow.number) == 30))
    harness.mail_worker.work()
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
    assert "played as turn 1003" in said(ask(harness, "ms a2 p2 2 #1003"))
    assert "played as turn 1004" in said(ask(harness, "mn h7 p2 2", BEN))
    assert len(turns(harness)) == LONG + 2
    for words in ("show 1003", "show #1003", "show 1003?"):
        assert "1003" in ask(harness, words).text, words
        assert "Not done" not in harness.last(ADA).text, words
    assert "Turn 1003 by Ada" in said(ask(harness, "why 1003"))
    assert "1003. Ada: ms a2 p2 2" in said(ask(harness, "log"))
    assert "502. 2a7- 2h2+" in ask(harness, "ptn").text
    offered = said(ask(harness, "propose back 990"))
    assert "990" in offered
    assert "Not done" not in offered
    assert "1003" in said(ask(harness, "im 1003 I think not", BEN))
    unclear = said(ask(harness, "1005.ps d4"))
    assert "Do you mean this?" in unclear
    assert "ps d4" in unclear.partition("Do you mean this?")[2]
    assert len(turns(harness)) == LONG + 2


def test_what_is_held_of_a_long_game_is_a_short_letter(harness: Harness) -> None:
    begin(harness, 302)
    harness.change(letter_view=LetterView.BOTH)
    answer = ask(harness, "mydata")
    assert answer.text.count("You said yes to:") == 1
    assert len(answer.html.encode()) <= MAX_HTML_BYTES


def test_of_the_games_that_were_replayed_the_last_ones_are_kept(harness: Harness) -> None:
    begin(harness, 10, 20, 30, 60)
    replays = Replays(most=55)
    kept = []
    with harness.store.transaction() as session:
        for record in games.every(session):
            replays.replay(session, record, GAMES.rules("tak"), ())
            kept.append((tuple(replays._cache), replays.states))
    assert kept == [((1,), 11), ((1, 2), 32), ((2, 3), 52), ((4,), 61)]


@pytest.fixture
@played_once
def won(harness: Harness) -> None:
    """Ada has won two games."""
    for _ in range(2):
        harness.begin_and_play("ps a3", "ps a1", "ps b1", "ps b3", "ps c1", words="3")


def test_a_match_plays_no_finished_game_over(won: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    with counted(monkeypatch) as played:
        letter = won.send(f"Ada <{ADA}>", "match Ben")[-1]
    assert "after 2 games with Ben in all: you have 32 points" in said(letter)
    assert played == []


def of_ada_and_ben(harness: Harness) -> Match:
    ada, ben = PlayerId(1), PlayerId(2)
    with harness.store.transaction() as session:
        both = harness.mail_worker._causes.queries(session).finished("tak", ada, ben)
    return match_of("tak", ("Ada", "Ben"), ada, both)


def test_a_match_counts_anew_what_is_not_as_it_was(won: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    ways: list[dict[str, object]] = [
        {"score_digest": None},
        {"resigned": 0},
        {"ruling": Ruling.SECOND, "resigned": None},
        {"ruling": None, "setup": "3 score=tarway"},
    ]
    found = []
    for values in ways:
        with won.store.transaction() as session:
            session.execute(update(GameRow).values(values))
        match = of_ada_and_ben(won)
        found.append((match.points, match.won))
        with counted(monkeypatch) as played:
            assert of_ada_and_ben(won) == match
        assert played == []
    assert found == [((32, 0), (2, 0)), ((0, 34), (0, 2)), ((0, 34), (0, 2)), ((46, 0), (2, 0))]
