"""Define a game as one of its players sees it. Templates get all data about a game from this view."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from takmail.games.grid import Grid, Touches
from takmail.games.interface import Effect, Result, Score, Seat, State
from takmail.games.interface import Turn as ReadTurn
from takmail.games.optional import Account, Completing, SecondNotation
from takmail.world import (
    BEGUN,
    RUNNING,
    GameRecord,
    OfferedChange,
    PendingKind,
    Played,
    Ruling,
    Seek,
    Standing,
    Table,
    Turn,
    bank_of,
    clock_of,
    offered_change,
)
from takmail.world.pace import after


@dataclass(frozen=True, slots=True)
class ListedGame:
    """A game in a list of a player's games. If `is_corrupt`, it is unknown whose turn it is.

    The set-up in `record` may be invalid if the game is corrupt. `outcome` is `won`, `lost`, `draw` or `void` if the
    game is over, otherwise ''. `clock` is the clock that waits for the player, None if none does. `away_until` is until
    when the opponent is away (`announced_until`), None if they are not, or if the game does not run. `may_claim`: the
    player may claim the win, as the opponent's time is over.
    """

    record: GameRecord
    opponent: str
    your_turn: bool
    is_guest: bool
    is_corrupt: bool
    outcome: str = ""
    clock: "ShownClock | None" = None
    away_until: date | None = None
    may_claim: bool = False


@dataclass(frozen=True, slots=True)
class ListedSeek:
    """An open seek in a list. The words of its kind of game say what its set-up and `facts` are."""

    seek: Seek
    name: str
    is_yours: bool
    facts: object


@dataclass(frozen=True, slots=True)
class Entry:
    """A turn in the log of a game that keeps no board, with the disputes about it: who disputes it, and why.

    `is_replaced`: the same player later sent another move instead.
    """

    turn: Played
    is_replaced: bool
    disputes: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class ShownClock:
    """A clock that runs, as one of the two players sees it.

    * `until` is when the time of the player to move is over, or was over (`is_over`)
    * `left` is what is left of the banks, the reader's first, None if each turn has its own time
    """

    until: datetime
    is_over: bool
    left: tuple[timedelta, timedelta] | None


LAST_TURNS = 4
"""The maximum number of recent turns that a letter lists."""


@dataclass(frozen=True, slots=True)
class View:
    """A game as the player in seat `you` sees it. That player is the reader of the letter.

    * `table` is the game itself, whose words say what its set-up and the `facts` are. Its names, bids and offers are
      told as the other fields have them.
    * `names` are the players' names as the reader knows them
    * `turn` is the number of the turn after which the board is shown, and `turns` is the number of turns played
    * `is_current`: the board shown is the current one, and not an earlier, a proposed or a tried one
    * `state`, `board`, `checksum` and `facts` belong to the position shown. `state` is None in a game without a board.
    * `last_turn_text` is the turn that led to the position shown, None at the start, and `effect` is what it did, None
      if unknown
    * `is_completed`: the player left out something of this turn, and the rules of the game have added it
    * `result`, `score` and `record` are set when the game is over. If it `is_void`, it has no result and no score.
    * `viewer_url` is a web address that displays the game
    * `account` are the coins of the game as it is now, None if it is not played for coins or has not begun. With a
      proposed board they are those that it would have.
    * `bid` is the reader's bid until the game begins, None if there is none
    * `why` is the operator's reason if the game is adjourned or was ended by a ruling, otherwise ''. It is also '' if
      takmail adjourned the game because it was corrupt.
    * `is_guest`: the reader was invited to the game
    * `is_first_game`: the reader has begun no other game
    * `clock` is how the clock of the player to move stands, None if none runs or if it is not shown
    * `reads_ptn`: the reader writes moves of Tak in PTN
    * `offered` are the opponent's offers, and `offered_by_you` the reader's
    * `disputed` are the seats of the players who dispute turns, the reader's first, with the numbers of the turns
    * `is_relay`: moves are only forwarded, so there is no board. It is the turn of the player who did not send the last
      move.
    """

    table: Table
    standing: Standing
    you: Seat
    names: tuple[str, str]
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
    clock: ShownClock | None = None
    is_void: bool = False
    why: str = ""
    offered: tuple[OfferedChange, ...] = ()
    offered_by_you: tuple[OfferedChange, ...] = ()
    is_relay: bool = False
    disputed: tuple[tuple[Seat, tuple[int, ...]], ...] = ()
    is_current: bool = True
    state: State | None = None
    last_turn_text: str | None = None
    effect: Effect | None = None
    is_completed: bool = False
    is_first_game: bool = False
    viewer_url: str | None = None
    account: Account | None = None
    bid: int | None = None
    reads_ptn: bool = False

    @property
    def grid(self) -> Grid | None:
        """The board as a table of pictures, with the turn that led to it, None if there is no board."""
        return None if self.state is None else self.state.grid(self.last_turn_text)

    @property
    def touches(self) -> Touches:
        """What the reader can touch on the board. Nothing if it is not the current board, or not the reader's turn."""
        return self.state.touches() if self.state is not None and self.is_your_turn_here else {}

    @property
    def is_your_turn_here(self) -> bool:
        """Whether the board shown is the current one, and it is the reader's turn."""
        return self.is_current and self.your_turn

    @property
    def shown_result(self) -> Result | None:
        """The result of the game if the board shown is the final one."""
        return None if self.state is None else self.result if self.is_current else self.state.result

    def showing(self, state: State, turn: int, led: str | None, account: Account | None = None) -> "View":
        """Return the view with the board after turn `turn`, without what the turn did.

        `state` is the state after it, and `led` is the text of the turn. `account` are the coins with this board, None
        if they are not to be told.
        """
        return replace(
            self,
            is_current=False,
            turn=turn,
            to_move=state.to_move,
            checksum=state.checksum,
            facts=state.facts(),
            board=state.board(),
            result=state.result,
            state=state,
            last_turn_text=led,
            effect=None,
            account=account,
        )

    @property
    def opponent(self) -> str:
        """The opponent's name."""
        return self.names[self.you.other]

    @property
    def proposed(self) -> tuple[OfferedChange, ...]:
        """The offers that propose a board, the opponent's first."""
        return tuple(wish for wish in self.offered + self.offered_by_you if wish.state is not None)

    @property
    def can_offer_draw(self) -> bool:
        """Whether the reader can offer a draw: the game goes on, and neither player has offered one."""
        offers = self.offered + self.offered_by_you
        return self.standing == Standing.OPEN and all(offer.kind != PendingKind.DRAW for offer in offers)

    @property
    def has_begun(self) -> bool:
        """Whether both players have accepted the game and bid, if they do, so that it has a board."""
        return self.standing in BEGUN

    @property
    def your_turn(self) -> bool:
        """Whether it is the reader's turn."""
        return self.standing == Standing.OPEN and self.to_move == self.you


def clock_shown(table: Table, you: Seat, now: datetime) -> ShownClock | None:
    """Return how the clock of the player to move stands, None if none runs.

    If the letter about the turn has not left yet, it is assumed to leave now. Raises CorruptGame.
    """
    clock = clock_of(table)
    if table.record.standing is not Standing.OPEN or clock.allowance is None:
        return None
    until = clock.deadline or after(now, clock.allowance, clock.stops)
    left = clock.left(now)
    banks = [
        bank if bank is None or left is None or seat is not clock.seat else min(bank, left)
        for seat in (you, you.other)
        for bank in [bank_of(table, seat)]
    ]
    yours, theirs = banks
    return ShownClock(until, until <= now, None if yours is None or theirs is None else (yours, theirs))


def look(table: Table, you: Seat, turn: int | None = None, now: datetime | None = None) -> View:
    """Return the game as the player in seat `you` sees it, with the current board or the one after turn `turn`.

    `now` is the time at which its clock is shown. Without it, none is shown.
    """
    shown = len(table.turns) if turn is None else turn
    is_relay = not table.keeps_board
    state = table.state if is_relay else table.positions[shown]
    over = table.record.standing == Standing.OVER
    led = table.turns[shown - 1].text if shown and not is_relay else None
    return View(
        table=table,
        standing=table.record.standing,
        you=you,
        names=table.names_for(you),
        turn=shown,
        turns=len(table.turns),
        to_move=table.to_move if is_relay else state.to_move,
        checksum=state.checksum,
        facts=state.facts(),
        board=() if is_relay else state.board(),
        last_turns=tuple(map(table.played, table.turns[:shown][-LAST_TURNS:])),
        result=table.result if over else None,
        score=table.score if over else None,
        record=table.game_record(you) if over else None,
        is_guest=table.players[you].id != table.record.invited_by,
        clock=None if now is None else clock_shown(table, you, now),
        is_void=table.record.ruling == Ruling.VOID,
        why=table.why,
        offered=tuple(offered_change(table, offer) for offer in table.offers if offer.seat != you),
        offered_by_you=tuple(offered_change(table, offer) for offer in table.offers if offer.seat == you),
        is_relay=is_relay,
        disputed=tuple(_disputed(table, you)),
        is_current=shown == len(table.turns),
        state=None if is_relay else state,
        last_turn_text=led,
        effect=None if led is None else table.positions[shown - 1].effect(led),
        is_completed=led is not None and is_completed(table.positions[shown - 1], table.turns[shown - 1]),
        is_first_game=table.players[you].begun_games <= 1,
        viewer_url=table.viewer_url(you) if over else None,
        account=table.account,
        bid=table.record.bids[you],
        reads_ptn=table.players[you].reads_ptn,
    )


def is_completed(before: State, turn: Turn) -> bool:
    """Return whether the rules have added something to a turn that its player wrote."""
    if turn.written == turn.text:
        return False
    read = before.read(turn.written) if isinstance(before, Completing) else None
    if read is None and isinstance(before, SecondNotation):
        read = before.read_ptn(turn.written)
    return isinstance(read, ReadTurn) and read.text != turn.text


def _disputed(table: Table, you: Seat) -> Iterator[tuple[Seat, tuple[int, ...]]]:
    if table.record.standing not in RUNNING:
        return
    for seat in (you, you.other):
        turns = tuple(sorted({dispute.turn for dispute in table.disputes if dispute.seat == seat}))
        if turns:
            yield seat, turns
