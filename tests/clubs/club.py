"""A club on a service in memory: its members write mails, and what is due is done as the scheduler does it."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from sqlmodel import Session, select

from takmail.commands.answers import Events
from takmail.commands.context import Access, Context
from takmail.games.interface import Seat
from takmail.pipeline.clubs import on_club
from takmail.store import clubs, due
from takmail.store.tables import DueRow, PairingRow
from takmail.world import events
from takmail.world.clubs.values import Pairing, Tournament, TournamentNumber
from takmail.world.kinds import GameNumber, PlayerId, Ruling
from takmail.world.operations import PAIRING, TOLD, TOURNAMENT
from tests.support.memory_harness import PLAIN, MemoryHarness
from tests.support.players import ADA, Received, said

ORGANISED = replace(PLAIN, access=Access(organisers=frozenset({ADA})))
"""Ada may begin tournaments."""
AUTUMN = TournamentNumber(1)


def address(name: str) -> str:
    return f"{name.lower()}@example.org"


@dataclass
class Club:
    """A service with a tournament. `harness.now` is its clock."""

    harness: MemoryHarness = field(default_factory=lambda: MemoryHarness(services=ORGANISED))

    def write(self, name: str, text: str, answers: Received | None = None) -> str:
        """Send a member's mail, and return the last letter to them in one line."""
        self.harness.send(f"{name} <{address(name)}>", text, answers)
        return said(self.harness.last(address(name)))

    def begin(self, *names: str, terms: str = "4x4 days=3", most: int | None = None) -> None:
        """Let Ada begin a tournament that these players fill, and do what is due."""
        self.write("Ada", f'tournament "Autumn" {terms} max={most or len(names)}')
        for name in names:
            self.write(name, "enter Autumn")
        self.work()

    # What is due.

    def due(self) -> list[tuple[int, str]]:
        """Return the work about tournaments that is due now."""
        with self.harness.store.transaction() as session:
            rows = session.exec(select(DueRow).order_by("due_at")).all()
            return [
                (row.subject, row.work)
                for row in rows
                if row.due_at <= self.harness.now and is_of_club(row.work)
            ]

    def work(self) -> list[Received]:
        """Do all that is due about tournaments, and return the letters."""
        before = len(self.harness.box)
        while rows := self.due():
            for subject, work in rows:
                self.do(subject, work)
        return self.harness.box[before:]

    def do(self, subject: int, work: str) -> None:
        """Do one piece of due work in a transaction."""
        with self.harness.store.transaction() as session:
            due.done(session, subject, work)
        self.harness.rule(partial(on_club, subject=subject, work=work))

    # What is played.

    def decide(self, *happening: events.Event) -> list[Received]:
        """Store events, and what follows from them."""

        def decided(_context: Context) -> Events:
            return happening

        return self.harness.rule(decided)

    def lose(self, number: int, seat: Seat = Seat.FIRST) -> list[Received]:
        """Let the player in a seat of a game give it up."""
        return self.decide(events.Resigned(game=GameNumber(number), seat=seat, has_own_letter=True))

    def rule(self, number: int, ruling: Ruling) -> list[Received]:
        """Let the operator end a game."""
        return self.decide(events.GameRuled(game=GameNumber(number), ruling=ruling, why="so"))

    @property
    def tournament(self) -> Tournament:
        """The tournament as it is stored."""
        with self.harness.store.transaction() as session:
            found = clubs.tournament(session, AUTUMN)
        assert found is not None
        return found

    @property
    def open_games(self) -> list[Pairing]:
        """The pairings of the season that are not decided."""
        return [pairing for pairing in self.tournament.pairings_of() if pairing.outcome is None]

    def games_of(self, player: int) -> list[int]:
        """Return the open games of a player."""
        return [pairing.number for pairing in self.open_games if player in pairing.players]

    def player(self, name: str) -> PlayerId:
        """Return a member's number."""

        def number(session: Session) -> PlayerId:
            found = self.harness.causes.queries(session).player_by_address(address(name))
            assert found is not None
            return found.id

        with self.harness.store.transaction() as session:
            return number(session)

    def stored_pairings(self) -> Sequence[PairingRow]:
        with self.harness.store.transaction() as session:
            return [PairingRow(**row.model_dump()) for row in session.exec(select(PairingRow)).all()]


def is_of_club(work: str) -> bool:
    """Tell whether some due work is about a tournament."""
    return work in (TOURNAMENT, PAIRING) or work.startswith(f"{TOLD} ")
