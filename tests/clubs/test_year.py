"""A year of a club: results of every kind, drop-outs, entries, rulings and corrections, compared with a checker."""

import random
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta

import pytest
from sqlmodel import select

from takmail.commands.answers import RefusalError
from takmail.commands.clubs_organising import corrected
from takmail.games.interface import Seat
from takmail.pipeline import rulings
from takmail.pipeline.rulings import OperatorNote
from takmail.store.tables import DueRow, GameRow
from takmail.world.clubs.forms import division_table
from takmail.world.clubs.league import MOST_IN_DIVISION
from takmail.world.clubs.values import DecidedBy, DroppedOut, Outcome, Tournament
from takmail.world.kinds import RUNNING, GameNumber, Ruling, Standing
from tests.clubs.checker import places
from tests.clubs.club import Club, address
from tests.support.width import SEED

BY = OperatorNote("Olga", "so")
ENDS = (Ruling.DRAW, Ruling.VOID, Ruling.FIRST_ON_TIME, Ruling.SECOND_ON_TIME)


class Year:
    """A club whose members do something at random. `chance` is seeded."""

    def __init__(self, size: int, seed: int) -> None:
        self.chance, self.club = random.Random(seed), Club()
        self.names = [f"P{chr(97 + number // 26)}{chr(97 + number % 26)}" for number in range(size)]
        self.club.write("Ada", f'tournament "Autumn" 4x4 days=3 max={size + 4}')
        for name in self.names:
            self.club.write(name, "enter Autumn")
        self.club.write("Ada", "organise Autumn: start")
        self.expected: dict[int, Outcome] = {}

    def step(self) -> None:
        """Let one thing happen, and then do a part of what is due, as a service that is killed would."""
        weights: dict[Callable[[], None], int] = {
            self.resign: 60,
            self.end: 25,
            self.correct: 4,
            self.ruling: 2,
            self.leave: 1,
            self.leave_now: 1,
            self.enter: 2,
        }
        self.chance.choices([*weights], [*weights.values()])[0]()
        rows = self.club.due()
        self.chance.shuffle(rows)
        for row in rows[: self.chance.randint(0, len(rows))]:
            self.club.do(*row)
        if self.chance.random() < 0.1:
            self.club.work()
        self.club.harness.now += timedelta(hours=self.chance.randint(0, 12))

    def resign(self) -> None:
        if pairing := self._running():
            seat = self.chance.choice([*Seat])
            self.club.lose(pairing, seat)
            self.expected[pairing] = Outcome.SECOND if seat is Seat.FIRST else Outcome.FIRST

    def end(self) -> None:
        if pairing := self._running():
            ruling = self.chance.choice(ENDS)
            self.club.rule(pairing, ruling)
            outcomes = {
                Ruling.DRAW: Outcome.DRAW,
                Ruling.VOID: Outcome.VOID,
                Ruling.FIRST_ON_TIME: Outcome.FIRST,
            }
            self.expected[pairing] = outcomes.get(ruling, Outcome.SECOND)

    def correct(self) -> None:
        """Let the operator correct the result of a game that was played."""
        tournament = self.club.tournament
        played = [pairing.number for pairing in tournament.pairings_of() if pairing.by is DecidedBy.PLAY]
        if played:
            number = self.chance.choice(played)
            score = self.club.harness.table(number).record.end.score
            ruling = Ruling.SECOND if score == "1-0" else Ruling.FIRST
            self.club.harness.rule(lambda context: rulings.end(context, GameNumber(number), ruling, BY))
            self.expected[number] = Outcome.SECOND if ruling is Ruling.SECOND else Outcome.FIRST

    def ruling(self) -> None:
        tournament = self.club.tournament
        known = [pairing for pairing in tournament.pairings_of() if pairing.by is not DecidedBy.DEFAULT]
        if known:
            number, outcome = self.chance.choice(known).number, self.chance.choice([*Outcome])
            with suppress(RefusalError):  # it has this result already
                self.club.harness.rule(lambda context: corrected(context, tournament, number, outcome, "so"))
                self.expected[number] = outcome

    def leave(self) -> None:
        self.club.write(self.chance.choice(self.names), "leave Autumn")

    def leave_now(self) -> None:
        self.club.write(self.chance.choice(self.names), "leave now Autumn")

    def enter(self) -> None:
        name = self.chance.choice(self.names)
        self.club.write(name, "enter Autumn")

    def _running(self) -> int | None:
        begun = self._standings()
        open_games = [pairing.number for pairing in self.club.open_games if pairing.number in begun]
        return self.chance.choice(open_games) if open_games else None

    def _standings(self) -> dict[int, Standing]:
        """Return the standing of each game that has begun. Games are not loaded, as there are hundreds."""
        with self.club.harness.store.transaction() as session:
            return {row[0]: row[1] for row in session.exec(select(GameRow.id, GameRow.standing)).all()}

    def check(self) -> None:
        """Compare all tables, and what is due, with what must be so."""
        tournament, due, begun = self.club.tournament, self._due(), self._standings()
        for division in tournament.divisions:
            self._check_division(tournament, division)
        for pairing in tournament.pairings_of():
            if pairing.by in (DecidedBy.PLAY, DecidedBy.RULING):
                assert pairing.outcome is self.expected[pairing.number]
            standing, is_due = begun.get(pairing.number), (pairing.number, "pairing") in due
            assert is_due or standing is not None or pairing.outcome is not None
            assert is_due or standing is None or (standing in RUNNING) == (pairing.outcome is None)
        if tournament.is_running and tournament.is_decided:
            assert (tournament.number, "tournament") in due, "nobody would end the season"
        if not tournament.is_running and not tournament.is_over:
            assert (tournament.number, "tournament") in due, "nobody would begin the season"
        assert len(tournament.coming) <= tournament.most

    def _check_division(self, tournament: Tournament, division: int) -> None:
        entries = tournament.entries_of(tournament.season, division)
        assert len(entries) <= MOST_IN_DIVISION
        players = [entry.player for entry in entries if entry.out is not DroppedOut.UNCOUNTED]
        pairings = tournament.pairings_of(division)
        out = [entry.player for entry in entries if entry.out is not None]
        assert {line.player: line.place for line in division_table(tournament, division)} == places(
            players, pairings, out
        )
        for entry in entries:
            own = [pairing for pairing in pairings if entry.player in pairing.players]
            assert len(own) == 2 * (len(entries) - 1)
            assert entry.out is None or all(pairing.outcome is not None for pairing in own)

    def _due(self) -> set[tuple[int, str]]:
        with self.club.harness.store.transaction() as session:
            return {(row.subject, row.work) for row in session.exec(select(DueRow)).all()}


def play(size: int, steps: int, seed: int) -> Year:
    print(f"a club of {size} with the seed {seed}")
    year = Year(size, seed)
    for number in range(steps):
        year.step()
        if number % 10 == 0:
            year.check()
    year.club.work()
    year.check()
    return year


def test_two_seasons_of_a_small_club() -> None:
    play(4, 50, SEED)


@pytest.mark.wide
@pytest.mark.parametrize("size", [5, 11, 24, 40])
def test_a_year_of_a_club(size: int) -> None:
    """Play until several seasons are over, and no letter shows a stranger's address."""
    year = play(size, 60 * size, SEED)
    assert year.club.tournament.season >= 2
    addresses = {address(name) for name in year.names}
    for letter in year.club.harness.box[::7]:
        assert not [other for other in addresses - {letter.to} if other in letter.text]
