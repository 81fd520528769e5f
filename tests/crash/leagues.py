"""Leagues of four, one of whom drops out: the season begins and ends by itself, once."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from email.message import EmailMessage
from random import Random

from sqlmodel import Session, col, select

from takmail.cli.demo.habits import text_of
from takmail.store.database import Store
from takmail.store.tables import AddressRow, EntryRow, GameRow, PairingRow, TournamentRow
from takmail.world.clubs.values import DroppedOut, Outcome, Pairing, TournamentStanding
from takmail.world.kinds import GameNumber, PlayerId, Standing
from tests.clubs.checker import places
from tests.crash.play import Leave
from tests.crash.post import Post
from tests.crash.time_machine import TimeMachine

Seats = tuple[str, str]


@dataclass(frozen=True, slots=True)
class LeagueScript:
    """A league. The first player organises it, and the last one drops out as it begins.

    `winners` are the seats that win, for each of the games that are played, in the order of their numbers.
    """

    name: str
    players: tuple[str, ...]
    winners: tuple[int, ...]

    @property
    def mails(self) -> int:
        """The number of mails."""
        return 2 + 2 * len(self.players) + 2 + sum(2 + (winner == 0) for winner in self.winners)


def league_script(random: Random, name: str, players: Sequence[str]) -> LeagueScript:
    """Return a league with results that are drawn."""
    played = (len(players) - 1) * (len(players) - 2)
    return LeagueScript(name, tuple(players), tuple(random.choice((0, 1)) for _ in range(played)))


class LeaguePlay:
    """A league in progress. `outcomes` are those of the games that are played, by number."""

    def __init__(self, script: LeagueScript, post: Post, leave: Leave, time: TimeMachine) -> None:
        self.script = script
        self.outcomes: dict[int, Outcome] = {}
        self._post = post
        self._leave = leave
        self._time = time

    async def run(self) -> None:
        """Play the league from its opening to the end of its season."""
        organiser, *_, leaver = self.script.players
        # A stranger's words are not repeated, so that the organiser writes the line again.
        begins = f'tournament "{self.script.name}" 3 max={len(self.script.players)}'
        await self._confirmed(organiser, begins, yes=begins)
        for player in self.script.players:
            await self._confirmed(player, f"enter {self.script.name}")
        begun = [await self._post.told(player, "season 1 begins") for player in self.script.players]
        await self._confirmed(leaver, f"leave now {self.script.name}", begun[-1])
        played = self._time.done(lambda session: self._games(session, without=leaver))
        for (number, seats), winner in zip(played.items(), self.script.winners, strict=True):
            await self._play(number, seats, winner)
            self.outcomes[number] = (Outcome.FIRST, Outcome.SECOND)[winner]
        for player in self.script.players[:-1]:
            await self._post.told(player, "season 1 is over")

    async def _confirmed(
        self, who: str, words: str, letter: EmailMessage | None = None, *, yes: str = "yes"
    ) -> None:
        """Write a line, and say yes to the question about it."""
        await self._leave()
        question = await self._post.answer_to(await self._post.write(who, words, letter))
        await self._leave()
        await self._post.answer_to(await self._post.write(who, yes, question))

    async def _play(self, number: int, seats: Seats, winner: int) -> None:
        """Let a player give a game up: the first one at once, or the other one after the first turn."""
        first, second = seats
        letter, loser = await self._post.newest(first, number), first
        if winner == 0:
            await self._write(first, "ps a1", letter)
            letter, loser = await self._post.newest(second, number), second
        question = await self._write(loser, "resign", letter)
        await self._write(loser, "yes", question)

    async def _write(self, who: str, words: str, letter: EmailMessage) -> EmailMessage:
        await self._leave()
        return await self._post.answer_to(await self._post.write(who, words, letter))

    def _games(self, session: Session, without: str) -> dict[int, Seats]:
        """Return the addresses of the players of each game, but of those of one player."""
        owners = {row.player_id: row.address for row in session.exec(select(AddressRow)).all()}
        rows = session.exec(
            select(PairingRow)
            .join(TournamentRow, col(TournamentRow.id) == PairingRow.tournament_id)
            .where(TournamentRow.name == self.script.name)
            .order_by(col(PairingRow.game_id))
        ).all()
        games = {row.game_id: (owners[row.first_id], owners[row.second_id]) for row in rows}
        return {number: seats for number, seats in games.items() if without not in seats}

    def check(self, store: Store) -> None:
        """Check that the season began and ended once, that its results are right, and that all heard of it once."""
        script, leaver = self.script, self.script.players[-1]
        with store.transaction() as session:
            tournament = session.exec(select(TournamentRow).where(TournamentRow.name == script.name)).one()
            assert (tournament.standing, tournament.season) == (TournamentStanding.ENTERING, 1)
            pairings = session.exec(select(PairingRow).where(PairingRow.tournament_id == tournament.id)).all()
            assert len(pairings) == len(script.players) * (len(script.players) - 1)
            played = {row.game_id: row for row in pairings if row.game_id in self.outcomes}
            assert {number: row.outcome for number, row in played.items()} == self.outcomes
            assert {row.outcome for row in pairings if row.game_id not in played} == {Outcome.VOID}
            games = session.exec(select(GameRow).where(col(GameRow.id).in_(list(played)))).all()
            assert {game.id: game.standing for game in games} == dict.fromkeys(played, Standing.OVER)
            owners = {row.address: row.player_id for row in session.exec(select(AddressRow)).all()}
            gone = session.get_one(EntryRow, (tournament.id, 1, owners[leaver]))
            assert gone.out is DroppedOut.UNCOUNTED
        stay = {owners[one]: one for one in script.players[:-1]}
        results = [_pairing(row) for row in played.values()]
        first = {stay[one] for one, place in places([*stay], results).items() if place == 1}
        for player in script.players:
            told = Counter(
                str(letter["Subject"]).partition(f"{script.name}, ")[2]
                for letter in self._post.letters(player)
            )
            assert told["season 1 begins"] == 1
            assert told["a player less"] == told["season 1 is over"] == (player != leaver)
        for player in stay.values():
            (over,) = (one for one in self._post.letters(player) if "season 1 is over" in str(one["Subject"]))
            words = " ".join(text_of(over).split())
            assert ("You have won season 1" in words) == ({player} == first), words
            assert {player} == first or re.search("The winners?: ", words), words


def _pairing(row: PairingRow) -> Pairing:
    return Pairing(
        GameNumber(row.game_id),
        row.season,
        row.division,
        PlayerId(row.first_id),
        PlayerId(row.second_id),
        row.outcome,
        row.decided_by,
    )


def check_leagues(store: Store, leagues: Sequence[LeaguePlay]) -> str:
    """Check all leagues."""
    for league in leagues:
        league.check(store)
    return f"{len(leagues)} leagues of {sum(len(league.outcomes) for league in leagues)} games"
