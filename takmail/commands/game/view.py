"""Define the view of a game for one of its players. The templates see nothing else of it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from takmail.commands.game.branches import game_record_text
from takmail.commands.game.offered_change import OfferedChange, offered_change
from takmail.commands.game.table import Table
from takmail.commands.game.turn_labels import Played, played
from takmail.commands.kinds import BEGUN, RUNNING, Ruling, Standing
from takmail.commands.records import GameNumber, SeekNumber
from takmail.games.interface import Reason, Result, Score, Seat, State
from takmail.games.picture import Scene


@dataclass(frozen=True, slots=True)
class ListedGame:
    """A game in a player's list. `is_corrupt`: it is corrupt, so its state is unknown."""

    number: GameNumber
    title: str
    opponent: str
    standing: Standing
    your_turn: bool
    is_guest: bool
    is_corrupt: bool
    is_relay: bool


@dataclass(frozen=True, slots=True)
class ListedSeek:
    """An open seek as anyone may see it. `game` and `facts` are for the game's own templates."""

    number: SeekNumber
    name: str
    is_yours: bool
    title: str
    game: str
    facts: object
    first: str | None
    days: int | None
    is_relay: bool


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the log of a game that keeps no board: a move, or a dispute about that move.

    `is_replaced`: the same player sent another move instead.
    """

    number: int
    name: str
    text: str
    written: str = ""
    is_dispute: bool = False
    is_replaced: bool = False


@dataclass(frozen=True, slots=True)
class Break:
    """The first move that breaks the rules. If `reason` is None, it was the opponent's turn."""

    turn: Played
    reason: Reason | None


LAST_TURNS = 4
"""The number of recent turns that a letter lists."""


@dataclass(frozen=True, slots=True)
class Disputed:
    """The turns that one player disputes, by number. There is at least one."""

    turns: tuple[int, ...]
    is_yours: bool


@dataclass(frozen=True, slots=True)
class View:
    """A game as the player in seat `you` sees it.

    * `game` is the folder of the game's own templates
    * `facts` are its own data about the state shown
    * `turn` is the turn after which the board is shown, and `turns` the number of turns played
    * `checksum` covers the state shown
    * `state` is that state, None without a board, and `last_turn_text` is the turn that led to it, None at the start
    * `result`, `score` and `record` are set when the game is over, unless it `is_void`
    * `viewer_url` is a web address that displays the game
    * `why` is the operator's reason for its standing, '' if there is none
    * `is_frozen`: it is adjourned because its stored turns contradict their replay
    * `is_guest`: the reader is the guest
    * `knows_opponent`: the names are those that the players chose
    * `days` is the time limit for a turn in days, None if there is none
    * `offered` is what the opponent offers, and `offered_by_you` what the reader offers
    * `disputed` are the turns that each player disputes, the reader's first
    * `is_relay`: moves are only forwarded, so there is no board, and whose turn it is follows from who sent the last
      move
    """

    number: int
    game: str
    title: str
    standing: Standing
    you: Seat
    names: tuple[str, str]
    knows_opponent: bool
    turn: int
    turns: int
    to_move: Seat
    checksum: str
    facts: object
    board: tuple[str, ...]
    last_turns: tuple[Played, ...]
    result: Result | None
    score: Score | None
    record: str | None
    is_guest: bool
    days: int | None
    is_void: bool = False
    why: str = ""
    is_frozen: bool = False
    offered: tuple[OfferedChange, ...] = ()
    offered_by_you: tuple[OfferedChange, ...] = ()
    is_relay: bool = False
    disputed: tuple[Disputed, ...] = ()
    state: State | None = None
    last_turn_text: str | None = None
    viewer_url: str | None = None

    @property
    def scene(self) -> Scene | None:
        """The board as a picture, with the turn that led to it. None without a board."""
        if self.state is None:
            return None
        return self.state.picture(self.last_turn_text, self.shown_result)

    @property
    def shown_result(self) -> Result | None:
        """The result, if the board shown is the final one."""
        return None if self.state is None else self.result if self.turn == self.turns else self.state.result

    def showing(self, state: State, turn: int, led: str | None) -> "View":
        """Return the view with another board: the one after turn number `turn`, whose text is `last_turn_text`."""
        return replace(
            self,
            turn=turn,
            to_move=state.to_move,
            checksum=state.checksum,
            facts=state.facts(),
            board=state.board(),
            result=state.result,
            state=state,
            last_turn_text=led,
        )

    @property
    def opponent(self) -> str:
        """The opponent's name."""
        return self.names[self.you.other]

    @property
    def proposed(self) -> tuple[OfferedChange, ...]:
        """The offers that include a board: the opponent's, then the reader's."""
        return tuple(wish for wish in self.offered + self.offered_by_you if wish.state is not None)

    @property
    def has_begun(self) -> bool:
        """Whether the game has begun, so that there is a board."""
        return self.standing in BEGUN

    @property
    def your_turn(self) -> bool:
        """Whether it is the reader's turn."""
        return self.standing == Standing.OPEN and self.to_move == self.you


def look(table: Table, you: Seat, turn: int | None = None) -> View:
    """Return the game as seen from a seat, now or after turn `turn`."""
    shown = len(table.turns) if turn is None else turn
    is_relay = not table.keeps_board
    state = table.state if is_relay else table.states[shown]
    over = table.record.standing == Standing.OVER
    names = table.names_for(you)
    return View(
        number=table.number,
        game=table.rules.name,
        title=table.title,
        standing=table.record.standing,
        you=you,
        names=names,
        knows_opponent=names == table.names,
        turn=shown,
        turns=len(table.turns),
        to_move=table.to_move if is_relay else state.to_move,
        checksum=state.checksum,
        facts=state.facts(),
        board=() if is_relay else state.board(),
        last_turns=played(table, max(1, shown + 1 - LAST_TURNS), shown),
        result=table.result if over else None,
        score=table.score if over else None,
        record=game_record_text(table, you) if over else None,
        is_guest=table.players[you].id != table.record.invited_by,
        days=table.record.days,
        is_void=table.record.ruling == Ruling.VOID,
        why=table.why,
        is_frozen=table.is_frozen,
        offered=tuple(offered_change(table, one) for one in table.offers if one.seat != you),
        offered_by_you=tuple(offered_change(table, one) for one in table.offers if one.seat == you),
        is_relay=is_relay,
        disputed=tuple(_disputed(table, you)),
        state=None if is_relay else state,
        last_turn_text=table.turns[shown - 1].text if shown and not is_relay else None,
        viewer_url=table.viewer_url(you) if over else None,
    )


def _disputed(table: Table, you: Seat) -> Iterator[Disputed]:
    if table.record.standing not in RUNNING:
        return
    for seat in (you, you.other):
        turns = tuple(sorted({one.turn for one in table.disputes if one.seat == seat}))
        if turns:
            yield Disputed(turns, seat == you)
