"""A game with everything that is on the table: its players, its turns and every state it has been in."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import assert_never

from takmail.commands.game.corruption import Corruption
from takmail.commands.game.relay_check import Course, course_of
from takmail.commands.game.stored_branches import StoredBranch
from takmail.commands.kinds import REMEDIES, OfferKind, Ruling, Standing
from takmail.commands.records import (
    Dispute,
    GameNumber,
    GameRecord,
    Offer,
    Player,
    PlayerId,
    Question,
    ShownBoard,
    Thread,
    Turn,
    Words,
)
from takmail.games.interface import Branch, Game, Refused, Result, Score, Seat, State


def title_of(rules: Game, setup: str) -> str:
    """A few words that name what is played, such as `5x5` or `5x5 relay`; `?` if the set-up can't be read."""
    try:
        return rules.title(setup)
    except (Refused, ValueError):
        return "?"


STANDS_FOR = timedelta(days=7)
"""How long a proposal of a board waits for its answer."""


@dataclass(frozen=True, slots=True)
class Table:
    """A game as loaded: `states[n]` is the state after turn n, so the last one is how it stands now.

    Of a game that keeps no board its one state is that before the first turn, in which lines are read for their form
    alone; `course` tells what the rules say of it, for those who ask. `offers` and `disputes` are those that stand,
    `words` those that wait for a letter, `questions` those that are open; `given_up` is all that was given up, in that
    order. `brought` are the newest words of each seat that a letter has brought. `threads` are the letters to each
    seat. `hears` tells of each player whether they take words of the other one. `shown` is the board that each has
    shown last. `ended` are the offers that this cause has ended. `why` is the operator's reason, where the game is
    adjourned or they have ended it; `is_frozen`: it was adjourned because it was corrupt.
    """

    record: GameRecord
    rules: Game
    players: tuple[Player, Player]
    turns: tuple[Turn, ...]
    states: tuple[State, ...]
    offers: tuple[Offer, ...] = ()
    given_up: tuple[StoredBranch, ...] = ()
    disputes: tuple[Dispute, ...] = ()
    words: tuple[Words, ...] = ()
    questions: tuple[Question, ...] = ()
    brought: tuple[str | None, str | None] = (None, None)
    threads: tuple[Thread, Thread] = (Thread(), Thread())
    hears: tuple[bool, bool] = (True, True)
    shown: tuple[ShownBoard | None, ShownBoard | None] = (None, None)
    ended: tuple[Offer, ...] = ()
    why: str = ""
    is_frozen: bool = False

    @property
    def number(self) -> GameNumber:
        """The game's number."""
        return self.record.number

    @property
    def keeps_board(self) -> bool:
        """Whether takmail knows the board: not in a game whose moves it only passes on."""
        return self.rules.keeps_board

    @property
    def state(self) -> State:
        """How the game stands."""
        return self.states[-1]

    @property
    def to_move(self) -> Seat:
        """Whose turn it is; without a board that of whoever has not sent the last move, as far as anybody can tell."""
        if not self.keeps_board and self.turns:
            return Seat(self.turns[-1].seat).other
        return self.state.to_move

    @property
    def title(self) -> str:
        """A few words that name what is played."""
        return title_of(self.rules, self.record.setup)

    def course(self, turn: int | None = None) -> Course:
        """What the rules say of the moves of a game that keeps no board, of all or of those up to `turn`."""
        return course_of(self.rules.referee.start(self.record.setup), self.turns[:turn])

    @property
    def result(self) -> Result | None:
        """The result by the rules or as people have ended it; None while the game goes on, or if it is void."""
        return result_of(self.record, self.rules, self.state)

    @property
    def score(self) -> Score | None:
        """The points of the finished game; None while it goes on, and where nobody knows its board."""
        return None if self.result is None or not self.keeps_board else self.state.score(self.result)

    @property
    def names(self) -> tuple[str, str]:
        """The players' names, first seat first."""
        first, second = self.players
        return first.name, second.name

    @property
    def have_left(self) -> tuple[bool, bool]:
        """Of each player whether they have left for good, so that no letter can reach them."""
        first, second = self.players
        return first.is_gone, second.is_gone

    def shows_what_is_gone(self, version: int | None, turn: int | None) -> bool:
        """Whether a letter of a version, with so many turns, shows a board that was given up since.

        A turn that its player has taken back concerns only the letters that showed it. Where both have agreed to go
        back all older letters are out of date: the very move that they have given up may come again in answer to one.
        """
        if version is None or turn is None:
            return False
        return any(
            version < one.gone and (one.number <= turn or one.how != OfferKind.UNDO)
            for branch in self.given_up
            for one in branch.turns
        )

    @staticmethod
    def is_overdue(offer: Offer, now: datetime) -> bool:
        """Whether the time of a proposal is over."""
        return offer.kind in REMEDIES and now - offer.offered_at >= STANDS_FOR

    def names_for(self, you: Seat) -> tuple[str, str]:
        """The names as one player knows them: a guest has none for the host but the host's own, until they accept."""
        label = guest_label(self.record, self.players[you].id)
        if label is None:
            return self.names
        return (self.names[0], label) if you == Seat.FIRST else (label, self.names[1])

    def texts(self) -> list[str]:
        """The turns in canonical form."""
        return [turn.text for turn in self.turns]

    def save(self, you: Seat | None = None, branches: Sequence[Branch] = ()) -> str:
        """The whole game in its field's own form, with the names as one player knows them, if it is for one."""
        course = None if self.keeps_board else self.course()
        texts = [turn.text for turn in (self.turns if course is None else course.in_turn)]
        beside = branches if course is None else course.branches
        return self.rules.record(self.record.setup, texts, self._tags(you), self.result, beside)

    def address(self, you: Seat) -> str | None:
        """Where on the web the game can be looked at, with the names as one player knows them; None: nowhere.

        Nobody knows of moves that were only passed on that they can be played there.
        """
        if not self.keeps_board or not self.turns:
            return None
        return self.rules.address(self.record.setup, self.texts(), self._tags(you), self.result)

    def _tags(self, you: Seat | None) -> Mapping[str, str]:
        """What a record says of the game beside its moves."""
        first, second = self.names if you is None else self.names_for(you)
        return {"Player1": first, "Player2": second, "Date": self.record.created_at.strftime("%Y.%m.%d")}


@dataclass(frozen=True, slots=True)
class Corrupt:
    """A game whose stored rows break the rules or contradict each other; `fault` says where."""

    record: GameRecord
    rules: Game
    players: tuple[Player, Player]
    fault: Corruption
    last_turn: int
    threads: tuple[Thread, Thread] = (Thread(), Thread())

    @property
    def number(self) -> GameNumber:
        """The game's number."""
        return self.record.number


def guest_label(record: GameRecord, you: PlayerId) -> str | None:
    """What a host calls their guest, who has not accepted yet; None for all others, who know their opponent."""
    is_open_question = record.standing in (Standing.INVITED, Standing.DECLINED)
    return record.guest_label if is_open_question and record.invited_by == you else None


def result_of(record: GameRecord, rules: Game, state: State) -> Result | None:
    """How a game ended whose last state this is; None: it has not, or it is void."""
    is_played_out = record.resigned is None and record.ruling is None and rules.keeps_board
    return state.result if is_played_out else decided(record, rules)


def decided(record: GameRecord, rules: Game) -> Result | None:
    """How people have ended a game, whatever its board; None: they have not, or it is void."""
    if record.resigned is not None:
        return rules.resign(Seat(record.resigned))
    match record.ruling:
        case None | Ruling.VOID:
            return None
        case Ruling.AGREED:
            return rules.decide(None, "agreed")
        case Ruling.DRAW:
            return rules.decide(None, "ruled")
        case Ruling.FIRST:
            return rules.decide(Seat.FIRST, "ruled")
        case Ruling.SECOND:
            return rules.decide(Seat.SECOND, "ruled")
        case _ as never:
            assert_never(never)
