"""Tournaments with rounds, played at random: what each round is drawn from is computed by a checker of this file."""

import random
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from fractions import Fraction

import pytest
from sqlmodel import select

from takmail.commands.answers import RefusalError
from takmail.commands.clubs_organising import corrected
from takmail.games.interface import Seat
from takmail.store.tables import DueRow
from takmail.world.clubs.forms import form_of
from takmail.world.clubs.values import DecidedBy, DroppedOut, Outcome, Pairing, Tournament
from takmail.world.kinds import Ruling
from takmail.world.operations import TOURNAMENT
from tests.clubs.checker import WON, places
from tests.clubs.club import Club, address
from tests.support.players import said
from tests.support.width import SEED

Rank = dict[int, int]
"""The order in which a checker has seeded the players of a knock-out."""


class Course:
    """A tournament whose players do something at random. `chance` is seeded. `check` looks at each new round."""

    def __init__(
        self, form: str, size: int, seed: int, check: "Callable[[Course, Tournament], None]"
    ) -> None:
        self.chance, self.club, self.check = random.Random(f"{form} {size} {seed}"), Club(), check
        self.names = [f"P{chr(97 + number // 26)}{chr(97 + number % 26)}" for number in range(size)]
        self.rank: Rank = {}
        self.late = 0
        self.club.begin(*self.names, most=size + 3, terms=f"4x4 days=3 form={form}")
        self.club.write("Ada", "organise Autumn: start")
        self.club.work()

    def play(self) -> None:
        """Play until it is over."""
        while not self.club.tournament.is_over:
            weights = {
                self.enter: 1,
                self.resign: 50,
                self.end: 15,
                self.correct: 4,
                self.leave: 1,
                self.wait: 1,
            }
            self.chance.choices([*weights], [*weights.values()])[0]()
            rows = self.club.due()
            self.chance.shuffle(rows)
            for row in rows[: self.chance.randint(0, len(rows))]:
                self.do(*row)
        self.club.work()

    def do(self, subject: int, work: str) -> None:
        before = self.club.tournament
        self.club.do(subject, work)
        if work == TOURNAMENT and self.club.tournament.version != before.version:
            self.check(self, before)

    def enter(self) -> None:
        """Let somebody come late."""
        name = f"L{chr(97 + self.late)}a"
        if self.late < 3 and "next round" in self.club.write(name, "enter Autumn"):
            self.names.append(name)
            self.late += 1

    def resign(self) -> None:
        if number := self._running():
            self.club.lose(number, self.chance.choice([*Seat]))

    def end(self) -> None:
        if number := self._running():
            self.club.rule(number, self.chance.choice((Ruling.DRAW, Ruling.DRAW, Ruling.VOID)))

    def correct(self) -> None:
        tournament = self.club.tournament
        known = [pairing for pairing in tournament.pairings_of() if pairing.by is not DecidedBy.DEFAULT]
        pairing, outcome = self.chance.choice(known), self.chance.choice([*Outcome])
        with suppress(RefusalError):  # it has this result already
            self.club.harness.rule(
                lambda context: corrected(context, tournament, pairing.number, outcome, "so")
            )

    def leave(self) -> None:
        self.club.write(self.chance.choice(self.names), "leave now Autumn")

    def wait(self) -> None:
        """Let the date of the round come."""
        ends_at = self.club.tournament.starts_at
        if ends_at is not None:
            self.club.harness.now = max(self.club.harness.now, ends_at)

    def _running(self) -> int | None:
        games = [
            pairing.number
            for pairing in self.club.open_games
            if self.club.harness.memory.look(lambda queries, number=pairing.number: queries.game(number))
        ]
        return self.chance.choice(games) if games else None


def at_the_end(tournament: Tournament) -> list[Pairing]:
    """Return the games of a round that is over: what is open is a draw."""
    return [pairing._replace(outcome=pairing.outcome or Outcome.DRAW) for pairing in tournament.pairings_of()]


def shares(player: int, pairings: list[Pairing]) -> list[Fraction]:
    """Return what a player got from each game that counts: 1, 1/2 or 0."""
    counted = [one for one in pairings if player in one.players and one.outcome in WON]
    return [Fraction(WON[one.outcome][one.players.index(player)]) for one in counted if one.outcome]


def ranked(tournament: Tournament) -> list[int]:
    """Return who goes on from the groups, computed anew."""
    goes_on = list[tuple[int, Fraction, int, int]]()
    for division in tournament.divisions:
        entries = {entry.player: entry for entry in tournament.entries_of(tournament.season, division)}
        counted = [one for one, entry in entries.items() if entry.out is not DroppedOut.UNCOUNTED]
        games = [one for one in at_the_end(tournament) if {*counted}.issuperset(one.players)]
        place = places(counted, games)
        in_it = [one for one in counted if entries[one].out is None]
        best = sorted(in_it, key=lambda one: (place[one], entries[one].seed))[:2]
        for number, player in enumerate(best):
            got = shares(player, games)
            share = sum(got, Fraction(0)) / len(got) if got else Fraction(0)
            goes_on.append((number, -share, entries[player].seed, player))
    return [player for *_, player in sorted(goes_on)]


def winners(course: Course, before: Tournament) -> list[int]:
    """Return who goes on from a round of a knock-out, computed anew."""
    games = [one for one in at_the_end(before) if one.round == before.round]
    left = []
    for player, entry in ((entry.player, entry) for entry in before.entries_of(before.season)):
        if player not in course.rank or entry.out is not None:
            continue
        (opponent,) = {other for one in games if player in one.players for other in one.players} - {
            player
        } or {0}
        own, others = (sum(shares(one, games), Fraction(0)) for one in (player, opponent))
        has_gone = opponent and is_out(before, opponent)
        better = (own, -course.rank[player]) > (others, -course.rank.get(opponent, 99))
        if not opponent or has_gone or better:
            left.append(player)
    return sorted(left, key=course.rank.__getitem__)


def is_out(tournament: Tournament, player: int) -> bool:
    return any(entry.out is not None for entry in tournament.entries_of(1) if entry.player == player)


def check_groups(course: Course, before: Tournament) -> None:
    """Compare a new round of a knock-out, or the winner, with what must follow from the round before."""
    after = course.club.tournament
    left = ranked(before) if before.round == 1 else winners(course, before)
    course.rank = {player: place for place, player in enumerate(left, 1)}
    if after.is_over:
        assert len(left) < 2
        assert form_of(after).winners(after) == left
        return
    games = [one for one in after.pairings_of() if one.round == after.round]
    playing = Counter(player for one in games for player in one.players)
    byes = [player for player in left if player not in playing]
    assert {*playing} | {*byes} == {*left}
    assert {*playing.values()} == {2}
    assert byes == left[: len(byes)]
    kept = len(byes) + len(playing) // 2
    assert kept & (kept - 1) == 0
    assert Counter((one.first, one.second) for one in games) == Counter(
        (one.second, one.first) for one in games
    )
    assert {entry.player: entry.seed for entry in after.entries_of(1) if entry.seed} == course.rank
    earlier = [one for one in after.pairings_of() if one.round < after.round]
    assert all(one.outcome is not None for one in earlier)


def check_rounds(course: Course, before: Tournament) -> None:
    """Compare a new round with those who are to play in it, and the table with one that is computed anew."""
    after = course.club.tournament
    entries = {entry.player: entry for entry in after.entries_of(1)}
    here = [player for player, entry in entries.items() if entry.out is None]
    by_round = [Counter[int](), Counter[int](), Counter[int]()]
    for one in after.pairings_of():
        by_round[one.round - 1].update(one.players)
    began = {player: min(n for n, games in enumerate(by_round) if player in games) for player in here}
    missed = {
        player: sum(player not in games for games in by_round[began[player] : after.round]) for player in here
    }
    counted = [player for player, entry in entries.items() if entry.out is not DroppedOut.UNCOUNTED]
    out = {player for player in counted if player not in here}
    byes = {player: 2 * count for player, count in missed.items()}
    place = places(counted, after.pairings_of(), out, byes)
    assert {line.player: line.place for line in form_of(after).table(after, 1)} == place
    if after.round == before.round:
        assert after.is_over
        assert after.round == 3 or len(here) < 2
        assert {*form_of(after).winners(after)} == {player for player in here if place[player] == 1}
        return
    games, matches = by_round[after.round - 1], min((4, 2, 1)[after.round - 1], len(here) - 1)
    assert {*games} <= {*here} >= {entry.player for entry in before.coming}
    assert {*games.values()} == {2 * matches}
    assert len(here) - len(games) == len(here) * matches % 2
    assert max(missed.values()) <= 1
    pairs = Counter((one.first, one.second, one.round) for one in after.pairings_of())
    assert {*pairs.values()} == {1}
    assert all((second, first, number) in pairs for first, second, number in pairs)
    if len(here) > 13:
        met = Counter((first, second) for first, second, _ in pairs)
        assert max(met.values()) == 1, "rematches that can be avoided"


def course(form: str, size: int, check: Callable[[Course, Tournament], None]) -> Course:
    print(f"{form} of {size} with the seed {SEED}")
    played = Course(form, size, SEED, check)
    played.play()
    with played.club.harness.store.transaction() as session:
        assert not [row for row in session.exec(select(DueRow)).all() if row.work == TOURNAMENT]
    for pairing in played.club.tournament.pairings_of():
        game = played.club.harness.memory.look(lambda queries, number=pairing.number: queries.game(number))
        assert pairing.outcome is not None
        assert game is None or not game.record.is_running
    addresses = {address(name) for name in played.names}
    for letter in played.club.harness.box[::5]:
        assert not [other for other in addresses - {letter.to} if other in letter.text]
    return played


def test_groups_and_a_knock_out() -> None:
    played = course("groups", 6, check_groups)
    won = form_of(played.club.tournament).winners(played.club.tournament)
    told = [letter.to for letter in played.club.harness.box if "You have won Autumn." in letter.text]
    assert len(told) == len(won)


def test_a_tournament_that_is_played_once_is_left_at_once_and_entered_no_more() -> None:
    club = Club()
    club.begin("Ben", "Cy", "Dot", "Eva", terms="4x4 days=3 form=groups")
    assert "no season after this one to leave" in club.write("Ben", "leave Autumn")
    assert "has begun and takes no more players" in club.write("Fay", "enter Autumn")
    ends_at = club.tournament.starts_at
    assert ends_at is not None
    club.write("Ada", "organise Autumn: put off 7 days, a holiday")
    assert any("Round 1 of Autumn lasts longer. The reason: a holiday." in said(one) for one in club.work())
    club.harness.now = ends_at
    club.work()
    assert club.tournament.round == 1
    club.harness.now += timedelta(days=7)
    letters = [said(letter) for letter in club.work()]
    assert any("The final of Autumn begins. You are not in it any more." in letter for letter in letters)
    drawn = [one for one in club.tournament.pairings_of() if one.round == 1]
    assert {(one.outcome, one.by) for one in drawn} == {(Outcome.DRAW, DecidedBy.DATE)}
    last = next(letter for letter in letters if "The time of this round of Autumn is over" in letter)
    assert "counts as a draw there" in last


@pytest.mark.wide
@pytest.mark.parametrize("size", [4, 5, 9, 13, 24])
def test_groups_and_a_knock_out_of_many_sizes(size: int) -> None:
    course("groups", size, check_groups)


def test_rounds() -> None:
    course("rounds", 9, check_rounds)


@pytest.mark.wide
@pytest.mark.parametrize("size", [8, 11, 16, 21])
def test_rounds_of_many_sizes(size: int) -> None:
    course("rounds", size, check_rounds)
