"""Define a game as its reader sees it. Templates get all data about a game from this view."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from takmail.games.grid import Touches
from takmail.games.interface import ReadTurn, Seat, State
from takmail.games.optional import Account, Completing, SecondNotation
from takmail.games.readonly import replace
from takmail.games.shown import Ended, Shown
from takmail.world import (
    Game,
    GameRecord,
    NamedTurn,
    OfferedChange,
    PendingKind,
    Ruling,
    Seek,
    ShownClock,
    Standing,
    Turn,
    offered_change,
)
from takmail.world.advance import in_advance


@dataclass(frozen=True, slots=True)
class ListedGame:
    """A game in a list of the games of the player in seat `you`, as they see it.

    The set-up in `record` may be invalid if the game is corrupt. `clock` is the clock of the player to move, None if
    none runs. `away_until` is until when the opponent is away (`announced_until`), None if they are not, or if the game
    does not run.
    """

    game: Game
    you: Seat
    clock: ShownClock | None = None
    away_until: date | None = None

    @property
    def record(self) -> GameRecord:
        """The record of the game."""
        return self.game.record

    @property
    def opponent(self) -> str:
        """The opponent's name."""
        return self.game.names[self.you.other]

    @property
    def your_turn(self) -> bool:
        """Whether the game waits for the player. In a corrupt game it is unknown whose turn it is."""
        return self.game.waits_for(self.you)

    @property
    def is_guest(self) -> bool:
        """Whether the player is invited to the game and has not answered."""
        return self.record.invites(self.game.players[self.you].id)

    @property
    def outcome(self) -> str:
        """How the game ended for the player: `won`, `lost`, `draw` or `void`, '' if it is not over or corrupt."""
        return self.game.outcome_for(self.you)

    @property
    def may_claim(self) -> bool:
        """Whether the player may claim the win, as the opponent's time is over."""
        return any(offer.seat is not self.you for offer in self.game.claims)

    @property
    def has_prepared(self) -> bool:
        """Whether moves of the player wait in advance."""
        return bool(in_advance(self.game, self.you).branches)

    @property
    def can_be_played(self) -> bool:
        """Whether it is the player's turn on a board."""
        return self.your_turn and self.record.is_open and not self.record.is_relay


@dataclass(frozen=True, slots=True)
class ListedSeek:
    """An open seek in a list. The words of its kind of game say what its set-up and `facts` are.

    `points` is the rating of who seeks, if the reader may see it.
    """

    seek: Seek
    name: str
    is_yours: bool
    facts: object
    points: int | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """A turn in the log of a game that keeps no board, with the disputes about it: who disputes it, and why.

    `is_replaced`: the same player later sent another move instead.
    """

    turn: NamedTurn
    is_replaced: bool
    disputes: tuple[tuple[str, str], ...]


LAST_TURNS = 4
"""The maximum number of recent turns that a letter lists."""


@dataclass(frozen=True, slots=True)
class Offers:
    """The open offers of a game, as one of its players sees them: the opponent's, and the reader's own."""

    theirs: tuple[OfferedChange, ...] = ()
    yours: tuple[OfferedChange, ...] = ()

    @property
    def every(self) -> tuple[OfferedChange, ...]:
        """All of them, the opponent's first."""
        return self.theirs + self.yours

    @property
    def proposed(self) -> tuple[OfferedChange, ...]:
        """The offers that propose a board, the opponent's first."""
        return tuple(offer for offer in self.every if offer.state is not None)

    def has(self, kind: PendingKind) -> bool:
        """Tell whether an offer of a kind waits for an answer."""
        return any(offer.kind is kind for offer in self.every)


@dataclass(frozen=True, slots=True)
class View:
    """A game as the reader of a letter sees it.

    * `seat` is the reader's own seat, None for a reader who has none, and sees less
    * `game` is the game without what the reader may not see, whose words say what its set-up is
    * `shown` is the position that the letter shows. A game that keeps no board has none in it. It is the turn of the
      player who did not send the last move.
    * `last_turns` are the turns that led to it
    * `offers` are those that wait for an answer
    * `disputed` are the seats of the players who dispute turns, the reader's first, with the numbers of the turns
    * `ended` is what is told of a game that is over, otherwise None
    * `names_turn`: the line of the reader's side says that it is the reader's turn, as nothing above it does
    """

    game: Game
    seat: Seat | None
    shown: Shown
    last_turns: tuple[NamedTurn, ...] = ()
    offers: Offers = Offers()
    disputed: tuple[tuple[Seat, tuple[int, ...]], ...] = ()
    ended: Ended | None = None
    names_turn: bool = True

    # What the words of a game need of it (`games/wording.Seen`).

    @property
    def you(self) -> Seat:
        """The reader's own seat. Fails for a reader who has none."""
        assert self.seat is not None
        return self.seat

    @property
    def near(self) -> Seat:
        """The seat from which the reader looks at the board: their own, if they have one."""
        return Seat.FIRST if self.seat is None else self.seat

    @property
    def names(self) -> tuple[str, str]:
        """The players' names as the reader knows them."""
        return self.game.names

    @property
    def turns(self) -> int:
        """The number of turns played."""
        return len(self.game.turns)

    @property
    def why(self) -> str:
        """The operator's reason (`Game.why`)."""
        return self.game.why

    @property
    def is_void(self) -> bool:
        """Whether the game has ended without a result and a score."""
        return self.record.end.ruling is Ruling.VOID

    @property
    def is_your_turn_here(self) -> bool:
        """Whether the board shown is the current one, and it is the reader's turn."""
        return self.shown.is_current and self.your_turn

    # What letters ask besides.

    @property
    def record(self) -> GameRecord:
        """The game without its turns."""
        return self.game.record

    @property
    def standing(self) -> Standing:
        """The stage of the game."""
        return self.record.standing

    @property
    def opponent(self) -> str:
        """The opponent's name."""
        return self.names[self.you.other]

    @property
    def is_guest(self) -> bool:
        """Whether the reader was invited to the game."""
        return self.seat is not None and self.game.players[self.seat].id != self.record.invitation.host

    @property
    def is_first_game(self) -> bool:
        """Whether the reader has begun no other game."""
        return self.game.players[self.you].begun_games <= 1

    @property
    def bid(self) -> int | None:
        """The reader's bid until the game begins, None if there is none."""
        return self.record.seats[self.you].bid

    @property
    def is_relay(self) -> bool:
        """Whether moves are only forwarded, so that there is no board."""
        return not self.game.keeps_board

    @property
    def has_begun(self) -> bool:
        """Whether both players have accepted the game and bid, if they do, so that it has a board."""
        return self.record.has_begun

    @property
    def is_open(self) -> bool:
        """Whether turns are played in the game, and offers are made and answered."""
        return self.record.is_open

    @property
    def is_over(self) -> bool:
        """Whether the game had begun, and has ended."""
        return self.record.is_over

    @property
    def is_invited(self) -> bool:
        """Whether the reader is invited to the game and has not answered."""
        return self.seat is not None and self.record.invites(self.game.players[self.seat].id)

    @property
    def your_turn(self) -> bool:
        """Whether it is the reader's turn."""
        return self.is_open and self.shown.to_move == self.seat

    @property
    def can_offer_draw(self) -> bool:
        """Whether the reader can offer a draw: the game goes on, and neither player has offered one."""
        return self.is_open and not self.offers.has(PendingKind.DRAW)

    def who_begins(self, seat: Seat) -> str:
        """Return who begins such a game if the reader has a seat: `you`, `opponent`, or `lot` if both bid for it."""
        return "lot" if self.game.has_bids else "you" if seat is Seat.FIRST else "opponent"

    @property
    def touches(self) -> Touches:
        """What the reader can touch on the board. Nothing if it is not the current board, or not the reader's turn."""
        state = self.shown.state
        return state.touches() if state is not None and self.is_your_turn_here else {}

    def showing(self, state: State, turn: int, led_by: str | None, account: Account | None = None) -> "View":
        """Return the view with the board after turn `turn` (`Shown.board_of`)."""
        return replace(self, shown=Shown.board_of(state, turn, led_by, account))


def look(game: Game, seat: Seat | None, turn: int | None = None) -> View:
    """Return the game as its reader sees it, with the current board or the one after turn `turn`.

    `game` is the game without what the reader may not see (`takmail.world.views`). `seat` is the reader's own, None for
    a reader who has none.
    """
    number = len(game.turns) if turn is None else turn
    is_over = game.record.is_over
    return View(
        game,
        seat,
        _shown(game, number),
        tuple(map(game.played, game.turns[:number][-LAST_TURNS:])),
        Offers(
            tuple(offered_change(game, offer) for offer in game.offers if offer.seat != seat),
            tuple(offered_change(game, offer) for offer in game.offers if offer.seat == seat),
        ),
        tuple(_disputed(game, seat)),
        Ended(game.game_record(), game.score, game.viewer_url()) if is_over else None,
    )


def _shown(game: Game, number: int) -> Shown:
    """Return the position after a turn of a game, or how a game stands that keeps no board."""
    is_current = number == len(game.turns)
    result = game.result if game.record.is_over else None
    if not game.keeps_board:
        start = game.state
        return Shown(
            number, game.to_move, start.facts(), start.checksum, is_current=is_current, result=result
        )
    turn = game.turns[number - 1] if number else None
    shown = Shown.board_of(game.positions[number], number, None if turn is None else turn.text)
    if is_current:
        shown = replace(shown, is_current=True, result=result, account=game.account)
    if turn is None:
        return shown
    before = game.positions[number - 1]
    return replace(shown, effect=before.effect(turn.text), is_completed=is_completed(before, turn))


def is_completed(before: State, turn: Turn) -> bool:
    """Return whether the rules have added something to a turn that its player wrote."""
    if turn.written == turn.text:
        return False
    read = before.read(turn.written) if isinstance(before, Completing) else None
    if read is None and isinstance(before, SecondNotation):
        read = before.read_ptn(turn.written)
    return isinstance(read, ReadTurn) and read.text != turn.text


def _disputed(game: Game, you: Seat | None) -> Iterator[tuple[Seat, tuple[int, ...]]]:
    if you is None or not game.record.is_running:
        return
    for seat in (you, you.other):
        turns = tuple(sorted({dispute.turn for dispute in game.disputes if dispute.seat == seat}))
        if turns:
            yield seat, turns
