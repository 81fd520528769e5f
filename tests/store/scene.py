"""A store with a world that tests change by a few values at a time."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session

from takmail.games.interface import Seat
from takmail.games.registry import GAMES
from takmail.letters.letter import About, Letter, Rendered
from takmail.mail.message import Mail, MailBody, ThreadHeaders
from takmail.pipeline.process import Outcome
from takmail.store import inbox
from takmail.store.database import Store
from takmail.store.games import Replays
from takmail.store.load import load_snapshot
from takmail.store.queries import SqlQueries
from takmail.store.write import write
from takmail.world.game import Game
from takmail.world.kinds import (
    GameNumber,
    LetterPurpose,
    LetterState,
    MailState,
    MessageId,
    PlayerId,
    PlayerKind,
    SeekNumber,
    Standing,
)
from takmail.world.letters import WaitingChat
from takmail.world.match import with_result
from takmail.world.operations import ErasePlayer, Operation
from takmail.world.pending import Pending
from takmail.world.players import Mailbox, Player, Seek
from takmail.world.reading import Reading
from takmail.world.records import GameEnd, GameRecord, Invitation, Turn, seated
from takmail.world.world import Cause, Snapshot, World
from tests.commands.build import ADA as ADA
from tests.commands.build import BEN as BEN
from tests.commands.build import NOW, SERVICES, TAK
from tests.store.correspondence import everything

KEY = SERVICES.key

Change = Callable[[World], World]
Decided = tuple[Snapshot, Outcome]


@dataclass
class Scene:
    """A store and all that is in it. Each step is a transaction, a minute after the last one."""

    store: Store
    state: World = field(default_factory=World)
    now: datetime = NOW
    replays: Replays = field(default_factory=Replays)
    letters: int = 0

    def do(
        self,
        *changes: Change,
        letters: Sequence[Letter] = (),
        mail: int | None = None,
        claimed_by: str = "a worker",
    ) -> None:
        """Store changes of the world, and load it anew."""
        with self.store.transaction() as session:
            write(session, *self.decided(*changes, letters=letters, mail=mail), claimed_by=claimed_by)
        self.now += timedelta(minutes=1)
        self.reload()

    def decided(self, *changes: Change, letters: Sequence[Letter] = (), mail: int | None = None) -> Decided:
        """Return what `do` stores: the world as it was last loaded, and as it is after some changes."""
        world = self.state
        for change in changes:
            world = change(world)
        state = None if mail is None else MailState.ANSWERED
        return self.snapshot(mail), Outcome(world=world, letters=tuple(letters), state=state)

    def snapshot(self, mail: int | None = None) -> Snapshot:
        """Return the snapshot for the next outcome."""
        return Snapshot(Cause("a test", mail), self.now, b"seed", self.state)

    def reload(self) -> None:
        """Load the world anew."""
        with self.store.transaction() as session:
            self.state = everything(SERVICES, session, self.now)

    def queries(self, session: Session) -> SqlQueries:
        """Return the queries that commands may run."""
        return SqlQueries(session, SERVICES, self.replays, self.now)

    def table(self, number: int = 1) -> Game:
        """Return a game as it was last loaded."""
        return self.state.game(GameNumber(number))

    # What there is to begin with.

    def joined(self, *names: str) -> "Scene":
        """Let people join, each under the address of their name."""
        for number, name in enumerate(names, len(self.state.stored.players) + 1):
            self.do(put(replace(person(number, name), skeleton=name.lower())))
        return self

    def begun(self, number: int = 1, seats: tuple[int, int] = (1, 2)) -> "Scene":
        """Let two people begin a game."""
        self.do(game(number, seats))
        return self

    def played(self, *turns: str, number: int = 1) -> "Scene":
        """Play turns in the game."""
        for text in turns:
            self.do(turn(text, number))
        return self

    def kept_mail(self, by: str = "a worker") -> int:
        """Store a mail that a worker has claimed. Return its number."""
        mail = inbox.NewMail(f"raw:{self.now}", self.now, raw=b"x", size=1)
        with self.store.transaction() as session:
            assert inbox.record(session, mail) is not None
            found = inbox.claim(session, self.now, by)
        assert found is not None
        return found.id

    def reply(self, seat: Seat, letter: Letter | None = None, text: str = "ps b2", number: int = 1) -> Mail:
        """Return a mail of the player in a seat, in answer to a letter to it."""
        sender = self.table(number).players[seat].addresses[0]
        answered = () if letter is None else (letter.message_id,)
        thread, recipients = ThreadHeaders(answered, answered), (KEY.reply_address(number, seat),)
        return Mail("<m@example.org>", sender, "", recipients, "Re:", thread, MailBody(text))

    def loaded_by(self, session: Session, mail: Mail) -> Snapshot:
        """Return the snapshot of a mail."""
        cause = Cause("mail 1", 1)
        queries = self.queries(session)
        return load_snapshot(queries, World(Reading(queries)), cause, mail)

    def letter(
        self, seat: Seat, number: int = 1, html: str | None = None, drawings: str = "", **values: Any
    ) -> Letter:
        """Return a letter to a seat."""
        self.letters += 1
        table = self.table(number)
        name = MessageId(f"<{KEY.token(number, seat)}.{len(table.turns)}.{self.letters}@example.test>")
        given = {
            "message_id": name,
            "mail_from": TAK,
            "mail_to": table.players[seat].addresses[0],
            "content": Rendered(b"bytes", f"letter {self.letters}", html, drawings),
            "purpose": LetterPurpose.NEWS,
            "state": LetterState.QUEUED,
            "due_at": self.now,
            "created_at": self.now,
            "about": self.about(seat, number),
        }
        if "chat" in values:
            about = values.get("about", given["about"])
            values["about"] = replace(about, chat=values.pop("chat"))
        return Letter(**{**given, **values})

    def about(self, seat: Seat, number: int = 1, reported_turn: int | None = None) -> About:
        """Return what a letter to a seat shows of the game as it is."""
        table = self.table(number)
        return About(table.number, seat, table.record.version, len(table.turns), reported_turn)


# Changes of a world.


def put(*things: Player | Seek | Pending | Operation) -> Change:
    """Add these values. A player with a known number replaces that player."""

    def change(world: World) -> World:
        for one in things:
            match one:
                case Player():
                    world = replace(world, players={**world.players, one.id: one})
                case Seek():
                    world = replace(world, seeks={**world.seeks, one.number: one})
                case Pending():
                    world = world.with_pending(one)
                case _:
                    world = replace(world, operations=(*world.operations, one))
        return world

    return change


def game(number: int, seats: tuple[int, int] = (1, 2), **values: Any) -> Change:
    """Begin a game between two players. `values` are those of its record that are unusual."""

    def change(world: World) -> World:
        first, second = map(PlayerId, seats)
        record = GameRecord(
            number=GameNumber(number),
            version=1,
            kind="tak",
            setup="5",
            subject="Ada vs Ben",
            standing=Standing.OPEN,
            invitation=Invitation(first, "ben"),
            seats=seated(first, second),
            created_at=NOW,
        )
        rules, record = GAMES.rules("tak"), replace(record, **values)
        pair = (world.player(first), world.player(second))
        table = Game(record, rules, pair, (), (rules.start(record.setup),))
        return replace(world, games={**world.games, record.number: table})

    return change


def of_player(number: int, **values: Any) -> Change:
    """Change the values of a player."""
    return lambda world: put(replace(world.player(PlayerId(number)), **values))(world)


def of_game(number: int = 1, **values: Any) -> Change:
    """Change the values of a game and of its record, which gets its next version."""

    def change(world: World) -> World:
        of_record = {name: one for name, one in values.items() if name in GameRecord.__slots__}
        of_table = {name: one for name, one in values.items() if name not in of_record}
        table = world.game(GameNumber(number))
        record = replace(table.record, version=table.record.version + 1, **of_record)
        return replace(world, games={**world.games, table.number: replace(table, record=record, **of_table)})

    return change


def turn(text: str, number: int = 1) -> Change:
    """Play the next turn of a game."""

    def change(world: World) -> World:
        table = world.game(GameNumber(number))
        after = table.state.play(text)
        version = table.record.version + 1
        played = Turn(
            len(table.turns) + 1,
            table.to_move,
            text,
            text.upper(),
            version,
            NOW,
            checksum=after.checksum,
        )
        return of_game(number, turns=(*table.turns, played), states=(*table.states, after))(world)

    return change


def said(words: str, seat: Seat = Seat.FIRST, number: int = 1) -> Change:
    """Let chat text of a seat wait for a letter."""

    def change(world: World) -> World:
        table = world.game(GameNumber(number))
        waits = WaitingChat(table.record.version + 1, seat, words)
        waiting = (*table.correspondence.waiting_chat, waits)
        return of_game(number, correspondence=replace(table.correspondence, waiting_chat=waiting))(world)

    return change


def ended(number: int = 1, resigned: Seat = Seat.FIRST) -> Change:
    """Let a player resign a game."""

    def change(world: World) -> World:
        world = of_game(number, standing=Standing.OVER, end=GameEnd(resigned), pending=())(world)
        table = with_result(world.game(GameNumber(number)))
        return replace(world, games={**world.games, table.number: table})

    return change


def erased(number: int, subjects: tuple[tuple[GameNumber, str], ...]) -> Change:
    """Erase a player, whose games get these subjects."""

    def change(world: World) -> World:
        player = world.player(PlayerId(number))
        gone = Player(player.id, "a player", None, player.created_at, kind=PlayerKind.ERASED)
        erasing = ErasePlayer(
            player=player.id, label=gone.name, addresses=player.addresses, subjects=subjects
        )
        return put(gone, erasing)(world)

    return change


def without_seek(number: int) -> Change:
    """Close a seek."""
    return lambda world: world.without_seeks([SeekNumber(number)])


def without_questions(number: int = 1) -> Change:
    """Close the questions of a game, without a new version of it."""

    def change(world: World) -> World:
        table = world.game(GameNumber(number))
        table = replace(table, pending=table.every_offer)
        return replace(world, games={**world.games, table.number: table})

    return change


def person(number: int, name: str) -> Player:
    """Return a player with one address."""
    box = Mailbox(f"{name.lower()}@example.org", verified_at=NOW)
    return Player(PlayerId(number), name, None, NOW, mailboxes=(box,))
