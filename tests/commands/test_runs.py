"""Runs of turns that were taken back are replayed from the stored turns alone."""

from random import Random

import pytest

from takmail.commands.grammar.arguments import Play
from takmail.world.game import Game
from takmail.world.kinds import TakenBackBy
from takmail.world.records import TakenBackTurn
from takmail.world.replay import CorruptGame, Run, replayed_runs
from tests.commands.build import AS_ADA, AS_BEN, after, context, game
from tests.commands.offering import taken_back
from tests.support.examples import examples
from tests.support.orders import do

SPOTS = [f"{column}{row}" for column in "abcde" for row in "12345"]
LONGEST = 8
"""The maximum number of turns. So few stones make no road."""


def stored(table: Game) -> list[TakenBackTurn]:
    return [
        TakenBackTurn(turn, run.number, run.how, run.at, run.ended_version)
        for run in table.taken_back
        for turn in run.turns
    ]


def replayed(table: Game, turns: list[TakenBackTurn]) -> tuple[Run, ...]:
    return replayed_runs(table.record, table.rules, table.states, turns)


def with_turn(table: Game, text: str) -> Game:
    now = context(table, (AS_ADA, AS_BEN)[table.to_move])
    return after(now, do(now, Play(text, None), line=text)).game


def back_to(table: Game, to: int) -> Game:
    return taken_back(table, to, TakenBackBy.BACK if to else TakenBackBy.RESTART)


@pytest.mark.many
@pytest.mark.parametrize("seed", range(examples(20, 500)))
def test_runs_are_replayed_as_they_were_played(seed: int) -> None:
    chance, table = Random(seed), game()
    for _ in range(40):
        used = {text.split()[1] for text in table.texts()}
        if len(table.turns) == LONGEST or (table.turns and chance.random() < 0.3):
            table = back_to(table, chance.randrange(len(table.turns)))
        else:
            table = with_turn(table, "ps " + chance.choice([one for one in SPOTS if one not in used]))
    assert len(table.taken_back) > 2
    assert [run.number for run in table.taken_back] == [*range(1, len(table.taken_back) + 1)]
    assert replayed(table, stored(table)) == table.taken_back


def test_a_run_that_continues_nothing_is_noticed() -> None:
    table = back_to(back_to(game("ps a1", "ps e5", "ps c3", "ps c4"), 3), 1)
    assert [(run.first, run.last) for run in replayed(table, stored(table))] == [(4, 4), (2, 3)]
    with pytest.raises(CorruptGame) as found:
        replayed(table, stored(table)[:1])
    assert found.value.fault.key == {"game_id": 1, "branch": 1, "number": 4}
