"""A game as a letter shows it to one of its players; all that the templates may know about it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from takmail.commands.game.branches import record_of
from takmail.commands.game.offered_change import OfferedChange, offered_change
from takmail.commands.game.table import Table
from takmail.commands.game.turn_labels import Played, played
from takmail.commands.kinds import BEGUN, RUNNING, Ruling, Standing
from takmail.commands.records import GameNumber, SeekNumber
from takmail.games.interface import Reason, Result, Score, Seat, State
from takmail.games.picture import Scene


@dataclass(frozen=True, slots=True)
class ListedGame:
    """A game in a player's list; `broken`: what is stored of it breaks the rules, so nobody knows how it stands."""

    number: GameNumber
    title: str
    opponent: str
    standing: Standing
    your_turn: bool
    invited_you: bool
    broken: bool
    is_relay: bool


@dataclass(frozen=True, slots=True)
class ListedSeek:
    """A game that somebody seeks, as everybody may see it; `game` and `facts` are for the game's own templates."""

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
    """A line of the log of a game that keeps no board: a move, or what one has said against that move.

    `is_replaced`: the same player has sent another one in its place.
    """

    number: int
    name: str
    text: str
    written: str = ""
    is_dispute: bool = False
    is_replaced: bool = False


@dataclass(frozen=True, slots=True)
class Break:
    """Where moves no longer keep the rules; `reason` None: it was the other one's turn."""

    turn: Played
    reason: Reason | None


LAST_TURNS = 4
"""How many of the last turns a letter lists."""


@dataclass(frozen=True, slots=True)
class Disputed:
    """The turns that one of the players holds to be invalid, by number; there is at least one."""

    turns: tuple[int, ...]
    is_yours: bool


@dataclass(frozen=True, slots=True)
class View:
    """A game as the player in the seat `you` sees it.

    `game` is the folder of the game's own templates; `facts` are its own data about the state shown; `turn` is
    the turn after which the board is shown, `turns` how many have been played; `checksum` is that of the state
    shown; `result`, `score` and `record` are there once it is over, unless it `is_void`, and `address` is where it can
    be looked at on the web, if anywhere; `why` is the operator's
    reason for how it stands, '' if it stands so without their word; `is_frozen`: it stands still as its turns did
    not agree with their replay; `asked` tells that the reader is the one who is invited, `knows_opponent` that
    the names are those that the players have given themselves; `days` are those that each has for a turn, None if
    nothing was said; `offered` is what the opponent offers, `offering` what the reader does, and `disputed` are
    the turns that each of them holds to be invalid, the reader's first. `is_relay`: takmail only passes on what
    the two write, so there is no board, and whose turn it is follows from who has sent the last move. `state` is the
    one shown, None where there is none, and `led` the turn that led to it, None at the start.
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
    last: tuple[Played, ...]
    result: Result | None
    score: Score | None
    record: str | None
    asked: bool
    days: int | None
    is_void: bool = False
    why: str = ""
    is_frozen: bool = False
    offered: tuple[OfferedChange, ...] = ()
    offering: tuple[OfferedChange, ...] = ()
    is_relay: bool = False
    disputed: tuple[Disputed, ...] = ()
    state: State | None = None
    led: str | None = None
    address: str | None = None

    @property
    def scene(self) -> Scene | None:
        """The board from above, with the turn that led to it; None where there is no board."""
        if self.state is None:
            return None
        return self.state.picture(self.led, self.shown_result)

    @property
    def shown_result(self) -> Result | None:
        """The result, if the board shown is the one that has it."""
        return None if self.state is None else self.result if self.turn == self.turns else self.state.result

    def showing(self, state: State, turn: int, led: str | None) -> "View":
        """The same game with another board: the one after `turn`, the number of the turn `led`."""
        return replace(
            self,
            turn=turn,
            to_move=state.to_move,
            checksum=state.checksum,
            facts=state.facts(),
            board=state.board(),
            result=state.result,
            state=state,
            led=led,
        )

    @property
    def opponent(self) -> str:
        """The other player's name."""
        return self.names[self.you.other]

    @property
    def proposed(self) -> tuple[OfferedChange, ...]:
        """The wishes that come with a board of their own: the opponent's, then the reader's."""
        return tuple(wish for wish in self.offered + self.offering if wish.state is not None)

    @property
    def has_begun(self) -> bool:
        """Whether there is a game to show."""
        return self.standing in BEGUN

    @property
    def your_turn(self) -> bool:
        """Whether the game waits for the reader."""
        return self.standing == Standing.OPEN and self.to_move == self.you


def look(table: Table, you: Seat, turn: int | None = None) -> View:
    """The game as seen from a seat, now or as it was after `turn`."""
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
        last=played(table, max(1, shown + 1 - LAST_TURNS), shown),
        result=table.result if over else None,
        score=table.score if over else None,
        record=record_of(table, you) if over else None,
        asked=table.players[you].id != table.record.invited_by,
        days=table.record.days,
        is_void=table.record.ruling == Ruling.VOID,
        why=table.why,
        is_frozen=table.is_frozen,
        offered=tuple(offered_change(table, one) for one in table.offers if one.seat != you),
        offering=tuple(offered_change(table, one) for one in table.offers if one.seat == you),
        is_relay=is_relay,
        disputed=tuple(_disputed(table, you)),
        state=None if is_relay else state,
        led=table.turns[shown - 1].text if shown and not is_relay else None,
        address=table.address(you) if over else None,
    )


def _disputed(table: Table, you: Seat) -> Iterator[Disputed]:
    if table.record.standing not in RUNNING:
        return
    for seat in (you, you.other):
        turns = tuple(sorted({one.turn for one in table.disputes if one.seat == seat}))
        if turns:
            yield Disputed(turns, seat == you)
