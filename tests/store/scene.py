"""Store outcomes and load them again. The stored state must equal the state that `evolve` returns."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlmodel import Session

from takmail.commands.command_list import COMMANDS
from takmail.commands.evolve import evolved, stamped
from takmail.games.interface import Seat
from takmail.games.registry import GAMES
from takmail.letters.letter import NewLetter
from takmail.letters.services import Services
from takmail.letters.templates import Templates, folder
from takmail.limits.letters import RateLimits
from takmail.mail.message import Message
from takmail.mail.tokens import SeatKey
from takmail.pipeline.process import Outcome
from takmail.store import inbox, people
from takmail.store.database import Store
from takmail.store.queries import SqlQueries
from takmail.store.replays import Replays
from takmail.store.snapshot import load_games, load_snapshot
from takmail.store.tables import InboxRow
from takmail.store.write import write
from takmail.world import events as ev
from takmail.world.ids import GameNumber, MessageId, PlayerId
from takmail.world.kinds import RUNNING, LetterPurpose, LetterState, MailState, Standing
from takmail.world.letters import Thread
from takmail.world.players import Mailbox, Player
from takmail.world.questions import Question
from takmail.world.records import GameRecord
from takmail.world.snapshot import Cause, Snapshot
from takmail.world.table import Corrupt, Played, Table
from takmail.world.world import World

TAK = "tak@example.test"
ADA, BEN, GUS = "ada@example.org", "ben@example.org", "gus@example.org"
NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
KEY = SeatKey(b"a key for tests only", TAK, "+")
SERVICES = Services(
    TAK, "Tak by Mail", KEY, Templates(folder()), RateLimits(300, 30, 5), commands=COMMANDS, games=GAMES
)
"""The services of all scenes. Their templates are compiled once for all tests of a process."""


@dataclass
class Scene:
    """A store and the state that it must have. Each step is a transaction, a minute after the last one."""

    store: Store
    state: World = field(default_factory=World)
    now: datetime = NOW
    replays: Replays = field(default_factory=Replays)
    letters: int = 0
    addresses: set[str] = field(default_factory=set)

    def do(
        self,
        *events: ev.Event,
        letters: Sequence[NewLetter] = (),
        mail: int | None = None,
        claimed_by: str | None = None,
    ) -> World:
        """Store events, compare the stored state with what `evolve` returns, and return it."""
        outcome, after = self.outcome(*events, letters=letters, mail=mail)
        with self.store.transaction() as session:
            write(session, self.snapshot(mail), outcome, claimed_by=claimed_by)
        with self.store.transaction() as session:
            loaded = self.load(session, after)
            players, games = _comparable(loaded)
            expected_players, expected_games = _comparable(after)
            assert players == expected_players
            assert games == expected_games
            self._compare_others(session, after)
            pending = self._pending(session, after)
        self.state = replace(loaded, pending=pending)
        self.now += timedelta(minutes=1)
        return loaded

    def outcome(
        self, *events: ev.Event, letters: Sequence[NewLetter] = (), mail: int | None = None
    ) -> tuple[Outcome, World]:
        """Return events with their versions as an outcome, and the state after them."""
        in_order = sorted(events, key=lambda one: not isinstance(one, ev.PlayerJoined | ev.PlayerNamed))
        known = stamped(self.state, in_order)
        after = evolved(SERVICES, self.now, self.state, known)
        outcome = Outcome(
            events=known,
            letters=tuple(letters),
            games=after.games,
            state=None if mail is None else MailState.ANSWERED,
        )
        return outcome, after

    def snapshot(self, mail: int | None = None) -> Snapshot:
        """Return the snapshot for the next outcome."""
        return Snapshot(Cause("a test", mail), self.now, b"seed", self.state)

    def load(self, session: Session, like: World) -> World:
        """Load the games and players of the state `like` from the database."""
        known, _ = people.with_budgets(session, people.load(session, like.players), self.now)
        found = load_games(session, SERVICES, self.replays, like.games, self.now, known)
        if self.now.minute % 5 == 0:
            fresh = load_games(session, SERVICES, Replays(), like.games, self.now, known)
            assert found.games == fresh.games
        return found

    def _compare_others(self, session: Session, after: World) -> None:
        """Compare the stored seeks, blocks and questions to addresses, which belong to no game."""
        queries = self.queries(session)
        for number, seek in after.seeks.items():
            assert queries.seek(number) == (None if number in after.closed_seeks else seek)
        asked = sorted((_of_question(one) for one in after.pending), key=repr)
        assert asked == sorted((_of_question(one) for one in self._pending(session, after)), key=repr)

    def _pending(self, session: Session, state: World) -> tuple[Question, ...]:
        """Load the questions to all addresses to which a state has questions."""
        queries = self.queries(session)
        self.addresses |= {one.address for one in state.pending if one.address is not None}
        return tuple(one for address in sorted(self.addresses) for one in queries.questions_to(address))

    def queries(self, session: Session) -> SqlQueries:
        """Return the queries that commands may run."""
        return SqlQueries(session, SERVICES, self.replays, self.now)

    def table(self, number: int = 1) -> Table:
        """Return a game as it was last loaded."""
        return self.state.table(GameNumber(number))

    # What there is to begin with.

    def joined(self, *names: str) -> "Scene":
        """Let people join, each under the address of their name."""
        for number, name in enumerate(names, len(self.state.players) + 1):
            self.do(
                ev.PlayerJoined(player=person(number, name)),
                ev.PlayerNamed(player=PlayerId(number), name=name, skeleton=name.lower()),
            )
        return self

    def begun(self, number: int = 1, seats: tuple[int, int] = (1, 2)) -> "Scene":
        """Let two people join and begin a game."""
        self.do(proposed(number, seats, self.now))
        self.do(accepted(self.table(number).record))
        return self

    def played(self, *turns: str, number: int = 1) -> "Scene":
        """Play turns in the game."""
        for text in turns:
            self.do(turn(self.table(number), text))
        return self

    def kept_mail(self, by: str = "a worker") -> int:
        """Store a mail that a worker has claimed. Return its number."""
        row = InboxRow(mailbox="", raw=b"x", size=1, fingerprint=f"raw:{self.now}", received_at=self.now)
        with self.store.transaction() as session:
            assert inbox.record(session, row) is not None
            found = inbox.claim(session, self.now, by)
        assert found is not None
        return found.id

    def reply(
        self, seat: Seat, letter: NewLetter | None = None, text: str = "ps b2", number: int = 1
    ) -> Message:
        """Return a mail of the player in a seat, in answer to a letter to it."""
        sender = self.table(number).players[seat].addresses[0]
        answered = () if letter is None else (letter.message_id,)
        recipients = (KEY.reply_address(number, seat),)
        return Message("<m@example.org>", sender, "", recipients, "Re:", answered, answered, text)

    def loaded_by(self, session: Session, mail: Message) -> Snapshot:
        """Return the snapshot of a mail."""
        cause = Cause("mail 1", 1)
        return load_snapshot(session, SERVICES, self.replays, cause, mail, now=self.now, seed=b"seed")

    def letter(self, seat: Seat, number: int = 1, **values: Any) -> NewLetter:
        """Return a letter to a seat."""
        self.letters += 1
        record = self.table(number).record
        name = MessageId(
            f"<{KEY.token(number, seat)}.{len(self.table(number).turns)}.{self.letters}@example.test>"
        )
        given = {
            "message_id": name,
            "mail_from": TAK,
            "mail_to": self.table(number).players[seat].addresses[0],
            "raw": b"bytes",
            "text": f"letter {self.letters}",
            "html_text": None,
            "purpose": LetterPurpose.NEWS,
            "state": LetterState.QUEUED,
            "due_at": self.now,
            "created_at": self.now,
            "game": record.number,
            "seat": seat,
            "version": record.version,
            "turn": len(self.table(number).turns),
        }
        return NewLetter(**{**given, **values})


def person(number: int, name: str, verified_at: datetime | None = NOW) -> Player:
    """Return a player with one address."""
    box = Mailbox(f"{name.lower()}@example.org", verified_at=verified_at)
    return Player(PlayerId(number), name, None, NOW, mailboxes=(box,))


def proposed(number: int, seats: tuple[int, int], now: datetime, **values: Any) -> ev.GameProposed:
    """Let the first of two players invite the other one."""
    first, second = map(PlayerId, seats)
    record = GameRecord(
        number=GameNumber(number),
        version=0,
        kind="tak",
        setup="5",
        subject="Ada vs Ben",
        standing=Standing.INVITED,
        invited_by=first,
        seats=(first, second),
        created_at=now,
        guest_label="ben",
    )
    record = replace(record, **values)
    return ev.GameProposed(game=record.number, record=record)


def accepted(record: GameRecord) -> ev.GameBegun:
    """Let the guest accept."""
    return ev.GameBegun(
        game=record.number, seat=record.seat_of(record.guest), setup=record.setup, seats=record.seats
    )


def turn(table: Table, text: str, **values: Any) -> ev.TurnPlayed:
    """Play the next turn of a game."""
    seat = table.to_move
    after = table.state.play(text)
    given: dict[str, Any] = {
        "game": table.number,
        "turn": Played(len(table.turns) + 1, seat, table.players[seat].name, text),
        "written": text.upper(),
        "checksum": after.checksum,
    }
    return ev.TurnPlayed(**{**given, **values})


def _comparable(state: World) -> Any:
    """Return a state without letters and budgets, which events alone do not determine."""
    players = {number: _of_player(one) for number, one in state.players.items()}
    games = {number: _of_game(one) for number, one in state.games.items()}
    return players, games


def _of_player(player: Player) -> Player:
    boxes = (replace(one, budget=Mailbox("").budget) for one in player.mailboxes)
    return replace(player, begun_games=0, mailboxes=tuple(sorted(boxes, key=lambda one: one.address)))


def _of_game(game: Table | Corrupt) -> Any:
    # What a game is worth is counted as it is stored.
    record = replace(game.record, score=None, winner=None, points=None, score_digest=None)
    pair = tuple(_of_player(one) for one in game.players)
    if isinstance(game, Corrupt):
        return replace(game, record=record, players=pair, threads=(Thread(), Thread()))
    return replace(
        game,
        record=record,
        players=pair,
        threads=(Thread(), Thread()),
        last_chat=(None, None),
        disputes=game.disputes if record.standing in RUNNING else (),
        waiting_chat=tuple(replace(one, letter=None) for one in game.waiting_chat),
        questions=tuple(_of_question(one) for one in game.questions),
    )


def _of_question(question: Question) -> Any:
    return replace(question, id=0)
