"""The match is computed from the stored games."""

from typing import Any

import pytest
from sqlalchemy import insert, update
from sqlmodel import col

from takmail.store import games
from takmail.store.tables import GameRow, SeatRow, TurnRow
from takmail.world.kinds import PlayerId, Standing
from takmail.world.match import match_of
from takmail.world.records import GameRecord
from tests.conversations.test_match import ROAD, ask, both, give_up
from tests.support.harness import ADA, BEN, Harness


def test_the_match_adds_up_all_games_whoever_began(harness: Harness) -> None:
    harness.begin_and_play(*ROAD, words="3")
    harness.begin("3", first="them")
    give_up(harness, BEN)
    harness.begin("4")
    give_up(harness, ADA)
    # 16, then 9 and 10 stones for Ada; 16 and 15 stones for Ben.
    expected = "after 3 games with Ben in all: you have 35 points and Ben has 31. You have won 2, Ben 1."
    assert expected in both(harness)[0]
    assert f"In Tak, {expected}" in ask(harness, ADA, "match Ben")
    assert "In Tak, after 3 games with Ada in all: you have 31 points and Ada has 35." in ask(
        harness, BEN, "match", of_game=True
    )


def test_an_older_set_up_counts_by_the_plain_rules(harness: Harness) -> None:
    harness.begin_and_play(*ROAD, words="3 score=tarway")
    with harness.store.transaction() as session:
        session.execute(update(GameRow).values(setup="3"))
    assert "you have 16 points" in ask(harness, ADA, "match Ben")


def test_a_broken_game_is_left_out_and_told(harness: Harness) -> None:
    harness.begin_and_play(*ROAD, words="3")
    with harness.store.transaction() as session:
        session.execute(update(TurnRow).where(TurnRow.number == 2).values(text="ps a3"))  # type: ignore[arg-type]
    answer = ask(harness, ADA, "match Ben")
    assert (
        "You have no finished game of Tak with Ben yet that counts. Not counted: 1 game with something broken"
        in answer
    )


def test_a_match_counts_games_whose_result_is_not_stored(harness: Harness) -> None:
    harness.begin("3")
    now, numbers = harness.now, range(2, 7)
    game = {"kind": "tak", "setup": "3", "subject": "", "standing": Standing.OVER, "invited_by": 1}
    turns = [{"number": at, "version": at, "text": text} for at, text in enumerate(ROAD, 1)]
    with harness.store.transaction() as session:
        session.execute(
            insert(GameRow), [{**game, "id": one, "created_at": now, "version": 5} for one in numbers]
        )
        seats = [
            {"game_id": one, "seat": seat, "player_id": 2 - seat} for one in numbers for seat in range(2)
        ]
        session.execute(insert(SeatRow), seats)
        played = [
            {**turn, "game_id": one, "seat": (turn["number"] + 1) % 2} for one in numbers for turn in turns
        ]
        session.execute(
            insert(TurnRow), [{**one, "written": one["text"], "played_at": now} for one in played]
        )
    ada, ben = PlayerId(1), PlayerId(2)
    with harness.store.transaction() as session:
        finished = harness.causes.queries(session).finished("tak", ada, ben)
    match = match_of("tak", ("Ada", "Ben"), ada, finished)
    assert (match.points, match.won, match.games) == ((0, 16 * 5), (0, 5), 5)


def test_only_the_games_between_the_two_are_loaded(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot has the games of all players, so the end of a game must not depend on how many there are."""
    for _ in range(3):
        harness.begin("3")
        give_up(harness, BEN)
    harness.send("Cid <cid@example.org>", "seek 6")
    ada, ben, cid = PlayerId(1), PlayerId(2), PlayerId(3)
    loaded: list[int] = []
    game_record = games.game_record

    def noted(row: Any) -> GameRecord:
        loaded.append(row.id)
        return game_record(row)

    with harness.store.transaction() as session:
        moved = update(SeatRow).where(col(SeatRow.game_id) > 1, col(SeatRow.player_id) == ben)
        session.execute(moved.values(player_id=cid))
    monkeypatch.setattr(games, "game_record", noted)
    with harness.store.transaction() as session:
        queries = harness.causes.queries(session)
        assert [game.number for game in queries.finished("tak", ada, ben)] == [1]
        assert [game.number for game in queries.begun_between(cid, ada)] == [2, 3]
        assert queries.finished("tak", ben, cid) == queries.begun_between(ben, cid) == []
    assert loaded == [1]
