"""Count letters with and without digests: `python -m bench.digests [--players 10] [--games 30] [--days 30]`.

Players look at their games one to three times a day and move in three of four that wait for them, at the same times in
each run, whatever letters they get. For no digest, a daily one and `quiet` it prints how many letters a player gets a
day, without the answers to their own mails and with them, and whether the clocks have counted the same seconds.
`--seed` makes other players.
"""

from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from random import Random

from sqlmodel import col, select

from takmail.pipeline.due import on_digest
from takmail.store.tables import DueRow
from takmail.world.kinds import LetterPurpose, PlayerId
from tests.support.memory_harness import MemoryHarness
from tests.support.players import Received

SIZE = 6
CHOICES = ("off", "daily 8:00", "quiet")
_SQUARES = [f"{column}{row}" for column in "abcdef"[:SIZE] for row in range(1, SIZE + 1)]


@dataclass(frozen=True)
class Plan:
    """What players do, whatever letters they get: the pairs of the games, and who looks when."""

    pairs: tuple[tuple[int, int], ...]
    looks: tuple[tuple[timedelta, int], ...]
    seed: int


def plan_of(players: int, games: int, days: int, seed: int) -> Plan:
    """Return a plan for a club."""
    chance = Random(seed)
    every = [(one, other) for one in range(players) for other in range(players) if one != other]
    pairs = tuple(chance.sample(every, games))
    looks = sorted(
        (timedelta(days=day, minutes=chance.randrange(7 * 60, 23 * 60)), player)
        for day in range(days)
        for player in range(players)
        for _ in range(chance.randrange(1, 4))
    )
    return Plan(pairs, tuple(looks), seed)


@dataclass
class Month:
    """A run of a plan. `news` counts the letters that answer nothing, and `answers` the others."""

    news: int = 0
    answers: int = 0
    moves: int = 0
    spent: tuple[int | None, ...] = ()


def lived(plan: Plan, choice: str) -> Month:
    """Let a club play by a plan, in which all players have made the same choice."""
    harness, month, chance = MemoryHarness(sends=True), Month(), Random(plan.seed)
    seats: dict[tuple[int, int], Received] = {}
    for number, (one, other) in enumerate(plan.pairs, 1):
        harness.send(_who(one), f"new {SIZE} days=14 vs {_address(other)} first=them")
        harness.send(_who(other), "accept", harness.last(_address(other)))
        for player in (one, other):
            seats[number, player] = harness.last(_address(player))
    for player in {player for pair in plan.pairs for player in pair}:
        harness.send(_who(player), f"digest {choice}")
    begun, free = harness.now, {number: [*_SQUARES] for number in range(1, len(plan.pairs) + 1)}
    for after, player in plan.looks:
        for letters in _digests_until(harness, begun + after):
            month.news += len(letters)
        for number, pair in enumerate(plan.pairs, 1):
            if player not in pair or not _waits(harness, number, player, pair) or chance.random() < 1 / 4:
                continue
            place = free[number].pop(chance.randrange(len(free[number])))
            mail = harness.mail(_who(player), f"ps {place}", to=str(seats[number, player].mail["Reply-To"]))
            harness.deliver(mail.as_bytes())
            written = Counter(
                letter.purpose is LetterPurpose.NEWS
                for letter in harness.outcome.letters
                if letter.content.raw
            )
            month.moves += 1
            month.news += written[True]
            month.answers += written[False]
    month.spent = tuple(
        turn.spent for number in range(1, len(plan.pairs) + 1) for turn in harness.table(number).turns
    )
    return month


def _who(player: int) -> str:
    return f"Player {player} <{_address(player)}>"


def _address(player: int) -> str:
    return f"player{player}@example.org"


def _waits(harness: MemoryHarness, number: int, player: int, pair: tuple[int, int]) -> bool:
    """Tell whether it is a player's turn. The second one of a pair plays first."""
    game = harness.table(number)
    return game.record.is_open and pair[1 - game.to_move] == player


def _digests_until(harness: MemoryHarness, until: datetime) -> Iterator[list[Received]]:
    """Let time pass, and yield the digests that leave meanwhile."""
    while True:
        with harness.store.transaction() as session:
            row = session.exec(
                select(DueRow)
                .where(DueRow.work == "digest", DueRow.due_at <= until)
                .order_by(col(DueRow.due_at), col(DueRow.subject))
            ).first()
            if row is None:
                break
            player, harness.now = PlayerId(row.subject), max(harness.now, row.due_at)
            session.delete(row)
        yield harness.rule(partial(on_digest, number=player))
    harness.now = until


def main() -> None:
    """Print the figures."""
    parser = ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("--players", type=int, default=10)
    parser.add_argument("--games", type=int, default=30)
    parser.add_argument("--days", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    plan = plan_of(asked.players, asked.games, asked.days, asked.seed)
    months = {choice: lived(plan, choice) for choice in CHOICES}
    print(f"seed {asked.seed}: {months['off'].moves} moves")
    for choice, month in months.items():
        a_day = asked.players * asked.days
        is_same = month.spent == months["off"].spent
        print(
            f"{choice}: {month.news / a_day:.2f} letters a player a day, with answers"
            f" {(month.news + month.answers) / a_day:.2f}; clocks {'equal' if is_same else 'DIFFER'}"
        )


if __name__ == "__main__":
    main()
