"""Random correspondence: mails of three players, and what else happens to their games, decided and stored."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from hypothesis import strategies as st
from sqlmodel import Session, col, select

from takmail.commands.context import Context
from takmail.games.interface import Refused
from takmail.games.tak.state import TakState
from takmail.games.thinking import Choice
from takmail.letters.services import Services
from takmail.mail.message import Mail as ReadMail
from takmail.pipeline import process, rulings
from takmail.pipeline.clubs import on_club
from takmail.pipeline.due import close_overdue, on_due
from takmail.pipeline.process import Outcome
from takmail.pipeline.rulings import OperatorNote
from takmail.pipeline.tasks import on_task
from takmail.store import clubs, dispatch, due, games, inbox, people
from takmail.store.database import Store
from takmail.store.games import Replays
from takmail.store.load import load_cause, load_games
from takmail.store.queries import SqlQueries
from takmail.store.records import PENDING
from takmail.store.statements import run
from takmail.store.tables import DueRow, OutboxRow, TournamentRow
from takmail.store.write import write
from takmail.world.clubs.values import TournamentNumber
from takmail.world.kinds import GameNumber, PlayerId, Ruling
from takmail.world.reading import Reading
from takmail.world.tasks import Task, TaskKind
from takmail.world.world import Cause, Snapshot, World
from tests.clubs.club import ORGANISED, is_of_club
from tests.conversations.steps import a_move
from tests.mail.reports import report
from tests.support.harness import ADA, BEN, Harness
from tests.support.memory_harness import WITH_BOTS
from tests.support.players import Received
from tests.support.rolled_back import Undone

CY, DOT, MORE = "cy@example.org", "dot@example.net", "more@example.org"
PEOPLE = (ADA, BEN, CY)
BY = OperatorNote("Olga", "enough")
READER = "the reader of the newest letter"
MOVE = "MOVE"
"""A legal move in the game that the mail is about."""
BRANCHES = "BRANCHES"
"""Prepared answers to many moves of the opponent, on the board after the `MOVE` of the mail."""

MOVES = (MOVE,)
PLAYING = (
    MOVE,
    f"{MOVE}\nsay take that",
    f"{MOVE}\ndraw",
    f"{MOVE}\nundo",
    *(f"{MOVE}\n{BRANCHES}",) * 3,
    BRANCHES,
    "ifs off",
    "ifs off 1",
    "go",
    "can I undo?",
    "ps z9",
    "ps a1",
    "ms a1 b1",
    "undo",
    "draw",
    "agree",
    "agree draw",
    "agree undo",
    "refuse",
    "withdraw",
    "propose restart",
    "propose back 1",
    f"propose back 1\n{MOVE}",
    "propose board\n0 0 0 0\n0 s 0 0\n0 0 S 0\n0 0 0 0",
    "im you can't",
    "/im #1 not that one",
    "resign",
    "resign\nyes",
    "resign match\nyes",
    "rematch games=3",
    "rematch",
    "rs",
    "S 0 0 0\n0 0 0 0\n0 0 0 0\n0 0 0 s",
    "rs\n0 0 0\n0 s 0\n0 0 0",
    "log\nptn",
    "show",
    "why",
    "moves",
    "match",
)
ANSWERING = (*("yes", "no", "accept", "decline") * 2, "ok, let me think", "👍")
WRITING = (
    "Hello there",
    "say hello",
    "say one\nsay two",
    "A nice game!\n\nIs it not?",
    "I will not play today",
    "flat b2",
)
ASKING = (
    *(f"new 4 vs {one}" for one in (*PEOPLE, DOT)),
    f"new 3 relay vs {BEN} first=them",
    f"new 3 vs {BEN} games=3",
    f"new 3 vs {ADA} points=40",
    "new 4 vs bot",
    "new 3 vs bot strong first=them",
    f"new 4 rules=university bid=4 vs {ADA}",
    "accept bid=2",
    "bid 7",
    "new 4 vs Ben first=me days=3",
    "seek 4",
    "seek 3 relay",
    "seek 4 first=me",
    "join 1",
    "join 2",
    "unseek",
    "unseek 1",
    "seeks",
    "games",
)
BEING = (
    "name Adelaide",
    "name Ben",
    "language ru",
    "language zh",
    "view text",
    "view both",
    "receipts off",
    "away 10 days",
    "back",
    "reads ptn",
    "stop",
    "block Ben",
    "block Ada",
    "block Cy",
    "unblock Ben",
    "unblock Ada",
    "block",
    "forget me",
    "mydata",
    f"address add {DOT}",
    f"address add {BEN}",
    f"address add {MORE}",
    f"address remove {DOT}",
    f"address remove {ADA}",
    "help",
)
ORGANISING = (
    "enter Autumn",
    "leave Autumn",
    "table Autumn",
    'tournament "Winter" 3 days=2 max=3',
    "enter Winter",
    "organise Autumn: start",
    "organise Autumn: put off 7 days, a holiday",
    "organise Autumn: take out Ben, no answer",
    *(f"organise Autumn: game {number} {result}, so" for number in (4, 5) for result in ("1-0", "void")),
    "organise Winter: end, enough",
)


@dataclass(frozen=True, slots=True)
class Mail:
    """A mail. It answers a letter to its author, counted from the newest (0), or none.

    `chance` chooses what the words leave open, and where a mail goes that answers none.
    """

    who: str
    words: str
    late: int | None
    chance: int


@dataclass(frozen=True, slots=True)
class Pass:
    """Some time passes."""

    time: timedelta


@dataclass(frozen=True, slots=True)
class Bounce:
    """A letter comes back, counted from the newest."""

    late: int


@dataclass(frozen=True, slots=True)
class Leave:
    """All letters leave that may."""


@dataclass(frozen=True, slots=True)
class CloseOverdue:
    """Retention closes what is overdue."""


@dataclass(frozen=True, slots=True)
class Due:
    """What is due in a game happens."""

    number: int


@dataclass(frozen=True, slots=True)
class Organise:
    """What is due about tournaments happens, counted from the oldest."""

    place: int


@dataclass(frozen=True, slots=True)
class Rule:
    """The operator rules on a game, or on a player."""

    what: str
    number: int


@dataclass(frozen=True, slots=True)
class Think:
    """A process has thought about a game, counted from the newest one, in which a bot may be to move."""

    late: int
    chance: int


Step = Mail | Pass | Bounce | Leave | CloseOverdue | Due | Organise | Rule | Think
TIMES = (timedelta(minutes=1), timedelta(hours=2), timedelta(days=1), timedelta(days=8), timedelta(days=40))
RULINGS = ("adjourn", "resume", "end", "void", "block", "unblock")

# The more often words stand here, the more often they are drawn.
WORDS = (MOVES, PLAYING, PLAYING, ANSWERING, ANSWERING, WRITING, ASKING, BEING, ORGANISING)
MAILS = st.builds(
    Mail,
    st.sampled_from((*(READER,) * 9, *PEOPLE * 2, DOT)),
    st.one_of(*map(st.sampled_from, WORDS)),
    st.sampled_from((0, 0, 0, 0, 0, 0, 1, 2, None)),
    st.integers(0, 60),
)
OTHER_STEPS = st.one_of(
    st.builds(Pass, st.sampled_from(TIMES)),
    st.builds(Bounce, st.integers(0, 2)),
    st.just(Leave()),
    st.just(CloseOverdue()),
    st.builds(Due, st.integers(1, 3)),
    st.builds(Organise, st.integers(0, 2)),
    st.builds(Organise, st.integers(0, 2)),
    st.builds(Think, st.integers(0, 3), st.integers(0, 60)),
    st.builds(Rule, st.sampled_from(RULINGS), st.integers(1, 7)),
)
STEPS = st.integers(0, 7).flatmap(lambda which: MAILS if which else OTHER_STEPS)

Decide = Callable[[Session], tuple[Snapshot, Outcome]]


@dataclass
class Correspondence:
    """A takmail, and the letters that it has written so far."""

    harness: Harness
    box: list[Received]
    steps: int = 0

    def everything(self, session: Session) -> World:
        """Load all that is stored anew."""
        return everything(self.harness.services, session, self.harness.now)

    def decision(self, step: Step) -> Decide | None:
        """Return the function that decides on a step, None if the step is impossible or nothing to decide on."""
        self.steps += 1
        match step:
            case Pass(time):
                self.harness.now += time
            case Leave():
                with self.harness.store.transaction() as session:
                    while claimed := dispatch.claim(session, self.harness.now, most=50):
                        dispatch.sent(session, [one.id for one in claimed])
            case CloseOverdue():
                return self._cause(lambda context: close_overdue(context, 100))
            case Due(number):
                return self._due(GameNumber(number))
            case Organise(place):
                return self._organised(place)
            case Rule(what, number):
                return self._ruling(what, number)
            case Think(late, chance):
                return self._thought(late, chance)
            case Bounce(late):
                letter = self._letter("", late)
                about = f"Final-Recipient: rfc822; {letter.to}\nAction: failed\nStatus: 5.1.1"
                head, told = f"Message-ID: {letter.id}\n", f"Report {self.steps}"
                return self.mail(report(about, letter=head, told=told).encode())
            case Mail():
                return self.mail(self.written(step))
        return None

    def written(self, mail: Mail) -> bytes:
        """Return the bytes of a mail."""
        services = self.harness.services
        who = self.box[-1].to if mail.who == READER else mail.who
        letter = None if mail.late is None else self._letter(who, mail.late)
        words = mail.words
        if BRANCHES in words:
            words = words.replace(BRANCHES, self._branches(letter, mail.chance, has_moved=MOVE in words))
        if MOVE in words:
            words = words.replace(MOVE, self._move(letter, mail.chance))
        to = services.key.personal_address(who) if letter is None and mail.chance % 3 else None
        author = f"{who.partition('@')[0].capitalize()} <{who}>"
        return self.harness.mail(author, words, letter, to=to).as_bytes()

    def mail(self, raw: bytes) -> Decide:
        """Put a mail into the queue, and return the function that decides on it."""
        number = self.harness.mail_worker.keep_one(raw)

        def decided(session: Session) -> tuple[Snapshot, Outcome]:
            message, snapshot = mail_read(self.harness, session, number)
            outcome = process.process(self.harness.services, snapshot, message)
            assert outcome is not None
            return snapshot, outcome

        return decided

    def take(self, step: Step) -> None:
        """Decide on a step, and store what is decided."""
        if decide := self.decision(step):
            with suppress(rulings.CannotRule), self.harness.store.transaction() as session:
                self.store(session, *decide(session))

    def store(self, session: Session, snapshot: Snapshot, outcome: Outcome) -> None:
        """Store what was decided."""
        write(session, snapshot, outcome, claimed_by="")
        self.box += [Received(one.mail_to, one.content.raw) for one in outcome.letters]

    def _letter(self, who: str, late: int) -> Any:
        theirs = [one for one in self.box if who in ("", one.to)]
        return theirs[max(0, len(theirs) - 1 - late)] if theirs else None

    def _move(self, letter: Received | None, chance: int) -> str:
        state = self._state(letter)
        return "ps b2" if state is None else a_move(state, chance)

    def _branches(self, letter: Received | None, chance: int, *, has_moved: bool) -> str:
        """Return answers to twelve moves, of which some go on."""
        state = self._state(letter)
        if state is None:
            return "if ps b2 then ps a1"
        lines = []
        for met in range(chance % 5, 60, 5):
            turns, now = [], state.play(a_move(state, chance)) if has_moved else state
            for place in (met, chance, met + 5, chance)[: 2 + chance % 2 * 2]:
                turns.append(a_move(now, place))
                try:
                    now = now.play(turns[-1])
                except Refused:
                    break
            lines.append("if " + " then ".join(turns))
        return "\n".join(lines)

    def _state(self, letter: Received | None) -> TakState | None:
        with self.harness.store.transaction() as session:
            about = (
                None if letter is None else select(OutboxRow.game_id).where(OutboxRow.message_id == letter.id)
            )
            number = None if about is None else session.exec(about).first()
            found = self.harness.causes.queries(session).game(GameNumber(number or 1))
        state = found.state if found is not None and found.keeps_board else None
        return state if isinstance(state, TakState) else None

    def _due(self, number: GameNumber) -> Decide | None:
        with self.harness.store.transaction() as session:
            if self.harness.causes.queries(session).game(number) is None:
                return None
        return self._cause(lambda context: on_due(context, number), games=[number])

    def _organised(self, place: int) -> Decide | None:
        """Return the function that decides on what is due about tournaments, and is due no more."""
        with self.harness.store.transaction() as session:
            rows = session.exec(select(DueRow).order_by(col(DueRow.due_at), col(DueRow.subject)))
            of_clubs = [
                (row.subject, row.work)
                for row in rows
                if is_of_club(row.work) and row.due_at <= self.harness.now
            ]
            if not of_clubs:
                return None
            subject, work = of_clubs[min(place, len(of_clubs) - 1)]
            due.done(session, subject, work)
        return self._cause(partial(on_club, subject=subject, work=work))

    def _cause(
        self,
        decide: Callable[[Context], Any],
        games: Sequence[GameNumber] = (),
        players: Sequence[PlayerId] = (),
    ) -> Decide:
        causes = self.harness.causes
        cause = Cause(f"step {self.steps}")

        def decided(session: Session) -> tuple[Snapshot, Outcome]:
            queries = causes.queries(session)
            snapshot = load_cause(queries, causes.world(queries), cause, games, players)
            return snapshot, process.outcome_of_cause(causes.services, snapshot, decide)

        return decided

    def _thought(self, late: int, chance: int) -> Decide | None:
        with self.harness.store.transaction() as session:
            newest = max(self.everything(session).stored.games)
            number = GameNumber(max(1, newest - late))
            found = self.harness.causes.queries(session).game(number)
        if found is None or not isinstance(found.states, tuple) or not isinstance(found.state, TakState):
            return None
        thought = Choice(a_move(found.state, chance))
        task, turns = Task(number, TaskKind.MOVE), [turn.text for turn in found.turns]
        return self._cause(lambda context: on_task(context, task, turns, thought), games=[number])

    def _ruling(self, what: str, number: int) -> Decide | None:
        game, player = GameNumber(number), PlayerId(number)
        with self.harness.store.transaction() as session:
            known = people.load(session, [player]).players
        if what in ("block", "unblock"):
            if player not in known:
                return None
            rule = {
                "block": lambda context: rulings.block(context, context.world.player(player), BY),
                "unblock": lambda context: rulings.unblock(
                    context, context.world.player(player), BY, frozenset({GameNumber(1)})
                ),
            }[what]
            return self._cause(rule, players=[player])
        ruled: dict[str, Any] = {
            "adjourn": rulings.adjourn,
            "resume": rulings.resume,
            "end": partial(rulings.end, ruling=Ruling.FIRST),
            "void": partial(rulings.end, ruling=Ruling.VOID),
        }
        return self._cause(partial(ruled[what], number=game, by=BY), games=[game])


def begun(store: Store) -> Correspondence:
    """Return a correspondence that is rolled back (`Undone`): two games have begun, somebody seeks a third.

    All have entered a tournament that begins with the next that is due about it.
    """
    harness = Harness(store)
    harness.begin("4")
    harness.play("ps a1", "ps d4", "ps b2", "ps c3")
    harness.send(f"Cy <{CY}>", f"new 3 relay vs {BEN}")
    harness.send(f"Ben <{BEN}>", "accept", harness.last(BEN))
    harness.send(f"Cy <{CY}>", "seek 4")
    has = {"bots": WITH_BOTS.bots, "access": ORGANISED.access}
    harness.change(**has)
    harness.send(f"Ada <{ADA}>", "new 4 vs bot first=them")
    harness.send(f"Ada <{ADA}>", 'tournament "Autumn" 3 days=3 max=3')
    for who in PEOPLE:
        harness.send(f"{who.partition('@')[0].capitalize()} <{who}>", "enter Autumn")
    undone = replace(harness, store=Undone(store.engine))
    undone.change(**has)
    return Correspondence(undone, harness.box)


@contextmanager
def undone(begins: Correspondence) -> Iterator[Correspondence]:
    """Yield a copy of a correspondence. What happens to it is rolled back at the end."""
    store = begins.harness.store
    assert isinstance(store, Undone)
    with store.undone():
        yield Correspondence(replace(begins.harness), [*begins.box])


def mail_read(harness: Harness, session: Session, number: int) -> tuple[ReadMail, Snapshot]:
    """Return a mail of the queue, with its snapshot."""
    causes, row = harness.causes, inbox.claimed(session, number)
    queries = causes.queries(session)
    snapshot, message = causes.snapshot(queries, row, causes.to_read(row.raw, row.size).read())
    return message, snapshot


def everything(services: Services, session: Session, now: datetime) -> World:
    """Return a world in which all players, games, seeks and questions are read."""
    known = people.People({one.id: one for one in people.every(session)}, frozenset())
    known = people.with_budgets(session, known, now)
    numbers = [one.number for one in games.every(session)]
    queries = SqlQueries(session, services, Replays(), now)
    tables = load_games(queries, numbers, known)
    asked = PENDING.values_of(run(session, PENDING.query))
    questions = [one.at(now) for one in asked if one.game is None]
    reading = Reading(None, known.players.values(), tables.values(), queries.seeks(), questions)
    for number in session.exec(select(TournamentRow.id)):
        reading.tournaments[TournamentNumber(number or 0)] = clubs.tournament(session, number)
    return World(reading)
