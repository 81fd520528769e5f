"""A game with everything that is on the table: its players, its turns and every state it has been in."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from sqlmodel import Session

from takmail.games.game import Branch, Game, Result, Score, Seat, State
from takmail.games.registry import GAMES
from takmail.service.game.course import Course, course_of
from takmail.service.game.title import title_of
from takmail.service.soundness.given_up import Bough
from takmail.service.soundness.offered import readable
from takmail.service.soundness.replay import follow
from takmail.service.soundness.replays import Replays
from takmail.store import disputes, games, log, players
from takmail.store.tables import (
    RUNNING,
    Dispute,
    GameRow,
    LogRow,
    Offer,
    Player,
    Ruling,
    Standing,
    Turn,
)


@dataclass(frozen=True, slots=True)
class Table:
    """A game as loaded: `states[n]` is the state after turn n, so the last one is how it stands now.

    Of a relay game takmail keeps no position: its one state is that before the first turn, in which lines are read
    for their form alone; `course` tells what the rules say of it, for those who ask.
    `why` is the operator's reason, where the game is adjourned or they have ended it; `is_frozen`: it stands still
    because what was stored of it did not agree; `offers` and `disputes` are those that stand; `given_up` is all that
    was given up, in that order. `have_left` tells of each player whether they are forgotten.
    """

    row: GameRow
    number: int
    rules: Game
    players: tuple[Player, Player]
    turns: tuple[Turn, ...]
    states: tuple[State, ...]
    why: str = ""
    is_frozen: bool = False
    offers: tuple[Offer, ...] = ()
    given_up: tuple[Bough, ...] = ()
    disputes: tuple[Dispute, ...] = ()
    have_left: tuple[bool, bool] = (False, False)

    @property
    def state(self) -> State:
        """How the game stands."""
        return self.states[-1]

    @property
    def to_move(self) -> Seat:
        """Whose turn it is; in a relay game that of whoever has not sent the last move, as far as anybody can tell."""
        if self.row.is_relay and self.turns:
            return Seat(self.turns[-1].seat).other
        return self.state.to_move

    @property
    def title(self) -> str:
        """A few words that name what is played."""
        return title_of(self.row)

    def course(self, turn: int | None = None) -> Course:
        """What the rules say of the moves of a relay game, of all or of those up to `turn`."""
        return course_of(self.states[0], self.turns[:turn])

    @property
    def result(self) -> Result | None:
        """The result by the rules or as people have ended it; None while the game goes on, or if it is void."""
        return result_of(self.row, self.rules, self.state)

    @property
    def score(self) -> Score | None:
        """The points of the finished game; None while it goes on, and for a relay game, whose board nobody knows."""
        return None if self.result is None or self.row.is_relay else self.state.score(self.result)

    @property
    def names(self) -> tuple[str, str]:
        """The players' names, first seat first."""
        first, second = self.players
        return first.name, second.name

    def names_for(self, you: Seat) -> tuple[str, str]:
        """The names as one player knows them: a guest has none for the host but the host's own, until they accept."""
        label = guest_label(self.row, players.number(self.players[you]))
        if label is None:
            return self.names
        return (self.names[0], label) if you == Seat.FIRST else (label, self.names[1])

    def record(self, you: Seat | None = None, branches: Sequence[Branch] = ()) -> str:
        """The whole game in its field's own form, with the names as one player knows them, if it is for one."""
        course = self.course() if self.row.is_relay else None
        texts = [turn.text for turn in (self.turns if course is None else course.in_turn)]
        beside = branches if course is None else course.branches
        return self.rules.record(self.row.setup, texts, self._tags(you), self.result, beside)

    def address(self, you: Seat) -> str | None:
        """Where on the web the game can be looked at, with the names as one player knows them; None: nowhere.

        Nobody knows of the moves of a relay game that they can be played there.
        """
        if self.row.is_relay or not self.turns:
            return None
        texts = [turn.text for turn in self.turns]
        return self.rules.address(self.row.setup, texts, self._tags(you), self.result)

    def _tags(self, you: Seat | None) -> Mapping[str, str]:
        """What a record says of the game beside its moves."""
        first, second = self.names if you is None else self.names_for(you)
        return {"Player1": first, "Player2": second, "Date": self.row.created_at.strftime("%Y.%m.%d")}


class NoGame(Exception):  # noqa: N818 - somebody asks for what there is not
    """There is no game with this number."""


def find(session: Session, number: int, *, lock: bool = False) -> GameRow:
    """The game with this number; with `lock` no other process changes it meanwhile. Raises NoGame."""
    row = games.get(session, number, lock=lock)
    if row is None:
        raise NoGame(number)
    return row


def guest_label(row: GameRow, you: int) -> str | None:
    """What a host calls their guest, who has not accepted yet; None for all others, who know their opponent."""
    is_open_question = row.standing in (Standing.INVITED, Standing.DECLINED)
    return row.guest_label if is_open_question and row.invited_by == you else None


def result_of(row: GameRow, rules: Game, state: State) -> Result | None:
    """How a game ended whose last state this is; None: it has not, or it is void."""
    is_played_out = row.resigned is None and row.ruling is None and not row.is_relay
    return state.result if is_played_out else decided(row, rules)


def decided(row: GameRow, rules: Game) -> Result | None:
    """How people have ended a game, whatever its board; None: they have not, or it is void."""
    if row.resigned is not None:
        return rules.resign(Seat(row.resigned))
    match row.ruling:
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


def load(session: Session, row: GameRow, replays: Replays | None = None) -> Table:
    """Load a game and replay it, with what was given up in it; a relay game is not replayed.

    What is in `replays` is not played over again; without them it is replayed from the empty board.

    Raises BrokenGame if what is stored breaks the rules or does not agree with itself: a mail about that game is
    kept for the operator, and the game is frozen. A dispute about no turn of the game is left out.
    """
    assert row.id is not None
    rules = GAMES[row.kind]
    (first, first_left), (second, second_left) = games.people(session, row.id)
    replay = (replays or Replays()).replay(session, row, rules)
    turns, states = replay.turns, replay.states
    deed = _deed(session, row)
    is_frozen = deed is not None and deed.what == log.Deed.FROZEN
    return Table(
        row,
        row.id,
        rules,
        (first, second),
        turns,
        states,
        why=deed.why if deed and not is_frozen else "",
        is_frozen=is_frozen,
        offers=readable(row, rules, states, len(turns), games.offers(session, row.id)),
        given_up=replay.boughs,
        disputes=_disputes(session, row.id, len(turns)) if row.standing in RUNNING else (),
        have_left=(first_left, second_left),
    )


def followed(table: Table, turn: Turn, replays: Replays) -> Table:
    """The same table after one more turn, which ends all disputes; of the offers those are left that have not ended.

    Raises BrokenGame if the turn does not keep the rules or does not lead to where its checksum says.
    """
    row, rules, turns = table.row, table.rules, (*table.turns, turn)
    states = (
        table.states if row.is_relay else (*table.states, follow(row, rules, table.state, turn, len(turns)))
    )
    replays.add(row, table.turns, turn, states)
    standing = [one for one in table.offers if one.ended is None]
    offers = readable(row, rules, states, len(turns), standing)
    return replace(table, turns=turns, states=states, offers=offers, disputes=())


def _disputes(session: Session, number: int, turns: int) -> tuple[Dispute, ...]:
    """The disputes that stand, about turns that there are."""
    return tuple(
        one
        for one in disputes.standing(session, number)
        if one.turn in range(1, turns + 1) and one.seat in tuple(Seat)
    )


def _deed(session: Session, row: GameRow) -> LogRow | None:
    """By what a game stands as it does, if that is not the players' doing."""
    assert row.id is not None
    if row.standing == Standing.ADJOURNED:
        return log.last_of_game(session, row.id, log.Deed.ADJOURNED, log.Deed.FROZEN)
    if row.ruling not in (None, Ruling.AGREED):
        return log.last_of_game(session, row.id, log.Deed.ENDED)
    return None
