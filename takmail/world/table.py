"""Define a loaded game, with its players, its turns and the state after each turn."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeGuard

from takmail.games.interface import Comparison, Game, Refused, Result, Score, Seat, State
from takmail.games.optional import Account, Bidding, Ledger
from takmail.world.kinds import (
    BEGUN,
    ON_TIME,
    GameNumber,
    PendingKind,
    PlayerId,
    Ruling,
    Standing,
    TakenBackBy,
)
from takmail.world.letters import Thread, TurnLetter, WaitingChat
from takmail.world.pace import Outage
from takmail.world.players import Player
from takmail.world.records import Dispute, GameRecord, Pending, ShownBoard, TakenBackTurn, Turn
from takmail.world.replay import CorruptGame, Corruption, Course, Run, course_of, take_backs


def title_of(rules: Game, setup: str) -> str:
    """Return a short title of a set-up, such as `5x5` or `7x7 relay, 1 capstone`. Return `?` for an invalid set-up."""
    try:
        return rules.title(setup)
    except (Refused, ValueError):
        return "?"


def asks_bid(rules: Game, setup: str) -> TypeGuard[Bidding]:
    """Return whether the players of a game with this set-up bid for the first turn. An invalid one asks for no bid."""
    try:
        return isinstance(rules, Bidding) and rules.asks_bid(setup)
    except Refused:
        return False


def is_for_coins(record: GameRecord, rules: Game) -> bool:
    """Return whether a sound game is played for coins."""
    return account_of(rules, rules.start(record.setup), (), None) is not None


def account_of(rules: Game, state: State, runs: Sequence[Run], result: Result | None) -> Account | None:
    """Return the coins of a game in a state, None if it is not played for coins. `runs` were taken back."""
    if not rules.keeps_board or not isinstance(state, Ledger):
        return None
    return state.account(take_backs(runs), result)


@dataclass(frozen=True, slots=True)
class Played:
    """A turn as letters name it. `number` counts from 1, and `name` is the name of the player in `seat`.

    * `text` is the turn in canonical form
    * `written` is what the player typed, if letters show it. This is so in a relay game, if it differs from `text`.
      Otherwise `written` is ''.
    * `is_agreed`: this turn is no move but sets a board that `seat` proposed and the opponent accepted
    """

    number: int
    seat: Seat
    name: str
    text: str
    is_agreed: bool = False
    written: str = ""


@dataclass(frozen=True, slots=True)
class Log:
    """The turns of a game, and its runs of turns that were taken back, each run with its turns, the oldest first."""

    turns: tuple[Played, ...]
    runs: tuple[tuple[Run, tuple[Played, ...]], ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A loaded game.

    * `states` is what `positions` returns, or the first contradiction in the stored rows if the game is corrupt. Then
      `turns`, `pending` and `every_dispute` are as stored, and `taken_back` is empty.
    * `pending` is what waits for a word, and the offers that have ended
    * `every_dispute` are the open disputes and those that are over, oldest first
    * `taken_back` are the runs of turns that were taken back, the oldest first
    * `waiting_chat` is the chat that waits for a letter
    * `last_chat` is the last delivered chat of each seat, None if there is none
    * `threads` are the letters to each seat
    * `shown_boards` is, for each seat, the last board that its player sent, None if there is none
    * `why` is the operator's reason if the game is adjourned or was ended by a ruling, otherwise ''. It is also '' if
      takmail adjourned the game because it was corrupt.
    * `turn_letter` is the letter that brought the current turn to the player to move, None if there is none or if it is
      not loaded
    * `outages` are those since the current turn began
    * `has_rematch`: there is a rematch of the game that was not declined
    """

    record: GameRecord
    rules: Game
    players: tuple[Player, Player]
    turns: tuple[Turn, ...]
    states: tuple[State, ...] | Corruption
    pending: tuple[Pending, ...] = ()
    taken_back: tuple[Run, ...] = ()
    every_dispute: tuple[Dispute, ...] = ()
    waiting_chat: tuple[WaitingChat, ...] = ()
    last_chat: tuple[str | None, str | None] = (None, None)
    threads: tuple[Thread, Thread] = (Thread(), Thread())
    shown_boards: tuple[ShownBoard | None, ShownBoard | None] = (None, None)
    why: str = ""
    turn_letter: TurnLetter | None = None
    outages: tuple[Outage, ...] = ()
    has_rematch: bool = False

    @property
    def number(self) -> GameNumber:
        """The game's number."""
        return self.record.number

    @property
    def every_offer(self) -> tuple[Pending, ...]:
        """The open offers and those that have ended, oldest first."""
        return tuple(offer for offer in self.pending if offer.is_offer)

    @property
    def offers(self) -> tuple[Pending, ...]:
        """The open offers, oldest first."""
        return tuple(offer for offer in self.pending if offer.is_offer and offer.is_open)

    @property
    def claims(self) -> tuple[Pending, ...]:
        """The open offers of a win, as the time of a player is over. There is at most one."""
        return tuple(offer for offer in self.offers if offer.kind is PendingKind.TIME)

    @property
    def questions(self) -> tuple[Pending, ...]:
        """The open questions to both seats, oldest first."""
        return tuple(question for question in self.pending if question.is_question and question.is_open)

    def lapsing(self, seat: Seat | None) -> tuple[Pending, ...]:
        """Return the open offers that lapse when a seat plays a turn: all about the board but its own draw offer.

        If `seat` is None, both players continue from another board, and its draw offer lapses, too.
        """
        return tuple(
            offer
            for offer in self.offers
            if offer.kind != PendingKind.PACE and (offer.seat != seat or offer.kind != PendingKind.DRAW)
        )

    @property
    def lapsing_with_undo(self) -> tuple[Pending, ...]:
        """The open offers that lapse when the last turn is taken back: those to undo it, or made after it."""
        number = len(self.turns)
        return tuple(
            offer
            for offer in self.offers
            if offer.kind == PendingKind.UNDO or (offer.turn >= number and offer.kind != PendingKind.PACE)
        )

    @property
    def disputes(self) -> tuple[Dispute, ...]:
        """The open disputes, oldest first. In a corrupt game, one of a missing turn or of no seat is none."""
        return tuple(
            dispute
            for dispute in self.every_dispute
            if dispute.ended_at is None
            and dispute.turn in range(1, len(self.turns) + 1)
            and dispute.seat in tuple(Seat)
        )

    @property
    def chat(self) -> tuple[WaitingChat, ...]:
        """The chat that waits for a letter, and that in letters that can still be withdrawn."""
        first, second = self.threads
        return (*self.waiting_chat, *first.chat, *second.chat)

    def chat_for(self, reader: Seat) -> tuple[WaitingChat, ...]:
        """Return the opponent's chat that the player in a seat has not received, and may receive now, oldest first."""
        waiting = (
            one for one in self.waiting_chat if one.seat == reader.other and not self.record.seals_words
        )
        return tuple(sorted(waiting, key=lambda one: one.version))

    @property
    def taken_back_turns(self) -> tuple[TakenBackTurn, ...]:
        """The turns that were taken back, ordered by run and number."""
        return tuple(
            TakenBackTurn(turn, run.number, run.how, run.at, run.ended_version)
            for run in self.taken_back
            for turn in run.turns
        )

    @property
    def keeps_board(self) -> bool:
        """Whether takmail keeps the board of this game. It does not for a relay game."""
        return self.rules.keeps_board

    @property
    def is_corrupt(self) -> bool:
        """Whether the stored rows contradict each other, so that `positions` raises CorruptGame."""
        return isinstance(self.states, Corruption)

    @property
    def positions(self) -> tuple[State, ...]:
        """The state before the first turn, and the one after each turn. Raises CorruptGame.

        A game that keeps no board has only the state before the first turn. Lines of mails are parsed against that
        state. Only `course` checks the turns against the rules.
        """
        if isinstance(self.states, Corruption):
            raise CorruptGame(self.states)
        return self.states

    @property
    def state(self) -> State:
        """The current state."""
        return self.positions[-1]

    @property
    def to_move(self) -> Seat:
        """Whose turn it is.

        In a game that keeps no board, it is assumed to be the opponent of who sent the last move.
        """
        if not self.keeps_board and self.turns:
            return Seat(self.turns[-1].seat).other
        return self.state.to_move

    def waits_for(self, seat: Seat) -> bool:
        """Tell whether the game waits for a player: it is their turn, or they have not bid yet."""
        if self.record.standing is Standing.BIDDING:
            return self.record.bids[seat] is None
        is_open = self.record.standing is Standing.OPEN and not self.is_corrupt
        return is_open and self.to_move == seat

    @property
    def title(self) -> str:
        """A short title of the set-up."""
        return title_of(self.rules, self.record.setup)

    def course(self, turn: int | None = None) -> Course:
        """Check the moves of a game that keeps no board against the rules.

        If `turn` is given, check only the first `turn` moves.
        """
        return course_of(self.rules.referee.start(self.record.setup), self.turns[:turn])

    @property
    def result(self) -> Result | None:
        """How the game ended, None if it goes on or is void."""
        return result_of(self.record, self.rules, self.state)

    @property
    def account(self) -> Account | None:
        """The coins of the game, None if it is not played for coins, has not begun or is void."""
        record = self.record
        if record.standing not in BEGUN or record.ruling is Ruling.VOID:
            return None
        return account_of(self.rules, self.state, self.taken_back, self.result)

    @property
    def has_bids(self) -> bool:
        """Whether the players bid for the first turn."""
        return asks_bid(self.rules, self.record.setup)

    @property
    def score(self) -> Score | None:
        """The points of the game, None if it goes on, is void, has no board or is played for coins."""
        if self.result is None or not self.keeps_board or self.account is not None:
            return None
        return self.state.score(self.result)

    @property
    def names(self) -> tuple[str, str]:
        """The players' names, first seat first."""
        first, second = self.players
        return first.name, second.name

    def shows_taken_back(self, version: int | None, turn: int | None) -> bool:
        """Tell whether a letter of this version, with this many turns, shows a board that was taken back since.

        If only a player's last turn was taken back, only letters that show this turn are out of date. If both agreed to
        go back, all older letters are out of date, because a reply to one of them may repeat a move that was taken
        back.
        """
        if version is None or turn is None:
            return False
        return any(
            version < run.ended_version and (run.first <= turn or not TakenBackBy(run.how).is_of_last_turn)
            for run in self.taken_back
        )

    def names_for(self, you: Seat) -> tuple[str, str]:
        """Return the players' names as the player in seat `you` knows them, first seat first.

        Until the guest accepts, the host sees the name that the host gave the guest.
        """
        label = guest_label(self.record, self.players[you].id)
        if label is None:
            return self.names
        return (self.names[0], label) if you == Seat.FIRST else (label, self.names[1])

    def texts(self) -> list[str]:
        """Return the turns in canonical form."""
        return [turn.text for turn in self.turns]

    def played(self, turn: Turn) -> Played:
        """Return a turn of the game as letters name it."""
        is_shown_as_written = not self.keeps_board and turn.written.lower() != turn.text
        return Played(
            turn.number,
            Seat(turn.seat),
            self.names[turn.seat],
            turn.text,
            is_agreed=turn.is_agreed,
            written=turn.written if is_shown_as_written else "",
        )

    def log(self) -> Log:
        """Return all turns of the game, also those that were taken back."""
        runs = tuple((run, tuple(map(self.played, run.turns))) for run in self.taken_back)
        return Log(tuple(map(self.played, self.turns)), runs)

    def compare(self, board: str) -> Comparison:
        """Compare a board with the game."""
        return self.rules.compare(self.record.setup, self.texts(), board)

    def runs_with(self, turn: int) -> tuple[Run, ...]:
        """Return the runs that have a turn of this number, the oldest first."""
        return tuple(run for run in self.taken_back if run.first <= turn <= run.last)

    def game_record(self, you: Seat | None = None) -> str:
        """Return the game record in the game's own format, with the names as player `you` knows them.

        If `you` is None, the record has the players' real names.
        """
        course = None if self.keeps_board else self.course()
        texts = [turn.text for turn in (self.turns if course is None else course.in_turn)]
        runs = [run.recorded() for run in self.taken_back] if course is None else course.replaced_runs
        return self.rules.record(self.record.setup, texts, self._tags(you), self.result, runs)

    def viewer_url(self, you: Seat) -> str | None:
        """Return a web address that displays the game, None if there is none.

        It contains the names as player `you` knows them.

        A relay game has none, because its moves may be illegal.
        """
        if not self.keeps_board or not self.turns:
            return None
        return self.rules.viewer_url(self.record.setup, self.texts(), self._tags(you), self.result)

    def _tags(self, you: Seat | None) -> Mapping[str, str]:
        """Return the tags of a game record."""
        first, second = self.names if you is None else self.names_for(you)
        return {"Player1": first, "Player2": second, "Date": self.record.created_at.strftime("%Y.%m.%d")}


def guest_label(record: GameRecord, you: PlayerId) -> str | None:
    """Return the name by which player `you` knows the opponent, if `you` is a host whose guest has not accepted yet.

    Return None for anybody else, who knows the opponent's real name.
    """
    return record.guest_label if record.is_invitation and record.invited_by == you else None


def result_of(record: GameRecord, rules: Game, state: State) -> Result | None:
    """Return how a game ended, None if it has not ended or is void. `state` is its last state."""
    is_played_out = record.resigned is None and record.ruling is None and rules.keeps_board
    return state.result if is_played_out else decided(record, rules)


def outcome_of(result: Result | None, seat: Seat) -> str:
    """Return how a game ended for the player in a seat: `void`, `draw`, `won` or `lost`."""
    if result is None:
        return "void"
    if result.winner is None:
        return "draw"
    return "won" if result.winner == seat else "lost"


def decided(record: GameRecord, rules: Game) -> Result | None:
    """Return how the players or the operator ended a game, None if they did not end it or it is void."""
    if record.resigned is not None:
        return rules.resign(Seat(record.resigned))
    if record.ruling in (None, Ruling.VOID):
        return None
    if record.ruling in ON_TIME:
        return rules.decide(Seat(ON_TIME.index(record.ruling)), "time")
    winner = {Ruling.FIRST: Seat.FIRST, Ruling.SECOND: Seat.SECOND}.get(record.ruling)
    return rules.decide(winner, "agreed" if record.ruling == Ruling.AGREED else "ruled")
