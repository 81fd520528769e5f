"""Define a game with its players, its turns and the state after each turn."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeGuard

from takmail.games.game_rules import GameRules
from takmail.games.interface import Comparison, Refused, Result, Score, Seat, State
from takmail.games.optional import Account, Bidding, Ledger
from takmail.world.kinds import ON_TIME, TIMED, GameNumber, PlayerId, Ruling, TakenBackBy
from takmail.world.letters import NO_CORRESPONDENCE, Correspondence, TurnLetter, WaitingChat
from takmail.world.pace import Outage
from takmail.world.pending import Pending
from takmail.world.players import Player
from takmail.world.records import Dispute, GameEnd, GameRecord, TakenBackTurn, Turn
from takmail.world.replay import CorruptGame, Corruption, Course, Run, course_of, take_backs
from takmail.world.waiting import ABOUT_BOARD, PendingKind


def title_of(rules: GameRules, setup: str) -> str:
    """Return a short title of a set-up, such as `5x5` or `7x7 relay, 1 capstone`. Return `?` for an invalid set-up."""
    try:
        return rules.title(setup)
    except (Refused, ValueError):
        return "?"


def asks_bid(rules: GameRules, setup: str) -> TypeGuard[Bidding]:
    """Return whether the players of a game with this set-up bid for the first turn. An invalid one asks for no bid."""
    try:
        return isinstance(rules, Bidding) and rules.asks_bid(setup)
    except Refused:
        return False


def is_for_coins(record: GameRecord, rules: GameRules) -> bool:
    """Return whether a sound game is played for coins."""
    return account_of(rules, rules.start(record.setup), (), None) is not None


def account_of(rules: GameRules, state: State, runs: Sequence[Run], result: Result | None) -> Account | None:
    """Return the coins of a game in a state, None if it is not played for coins. `runs` were taken back."""
    if not rules.keeps_board or not isinstance(state, Ledger):
        return None
    return state.account(take_backs(runs), result)


@dataclass(frozen=True, slots=True)
class NamedTurn:
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

    turns: tuple[NamedTurn, ...]
    runs: tuple[tuple[Run, tuple[NamedTurn, ...]], ...]


@dataclass(frozen=True, slots=True)
class Game:
    """A game, as it is read.

    * `states` is what `positions` returns, or the first contradiction in the stored rows if the game is corrupt. Then
      `turns`, `pending` and `every_dispute` are as stored, and `taken_back` is empty.
    * `pending` is what waits for a word, and the offers that have ended
    * `every_dispute` are the open disputes and those that are over, oldest first
    * `taken_back` are the runs of turns that were taken back, the oldest first
    * `why` is the operator's reason if the game is adjourned or was ended by a ruling, otherwise ''. It is also '' if
      takmail adjourned the game because it was corrupt, and after a player of it has left.
    * `turn_letter` is the letter that brought the current turn to the player to move, None if there is none or if it is
      not loaded
    * `outages` are those since the current turn began
    * `has_rematch`: there is a rematch of the game that was not declined
    """

    record: GameRecord
    rules: GameRules
    players: tuple[Player, Player]
    turns: tuple[Turn, ...]
    states: tuple[State, ...] | Corruption
    pending: tuple[Pending, ...] = ()
    taken_back: tuple[Run, ...] = ()
    every_dispute: tuple[Dispute, ...] = ()
    correspondence: Correspondence = NO_CORRESPONDENCE
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

    def is_heard(self, seat: Seat) -> bool:
        """Tell whether the opponent of a seat accepts chat from it. Before a game has begun, this reveals no block."""
        you, opponent = self.players[seat], self.players[seat.other]
        return not self.record.has_begun or you.id not in opponent.blocked

    @property
    def claims(self) -> tuple[Pending, ...]:
        """The open offers of a win, as the time of a player is over. There is at most one."""
        return tuple(offer for offer in self.offers if offer.kind is PendingKind.TIME)

    @property
    def questions(self) -> tuple[Pending, ...]:
        """The open questions to both seats, oldest first."""
        return tuple(question for question in self.pending if question.is_question and question.is_open)

    @property
    def kept_words(self) -> tuple[Pending, ...]:
        """The words that are kept until who wrote them does something in the game, oldest first."""
        return tuple(kept for kept in self.pending if kept.kind is PendingKind.WORDS and kept.is_open)

    @property
    def offers_about_board(self) -> tuple[Pending, ...]:
        """The open offers that lapse when the board changes, oldest first. One about the time for turns doesn't."""
        return tuple(offer for offer in self.offers if offer.kind in ABOUT_BOARD)

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

    def chat_for(self, reader: Seat) -> tuple[WaitingChat, ...]:
        """Return the opponent's chat that the player in a seat has not received, and may receive now, oldest first."""
        waiting = (
            one
            for one in self.correspondence.waiting_chat
            if one.seat == reader.other and not self.record.seals_words
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
    def fault(self) -> Corruption | None:
        """How the stored rows contradict each other, None if they don't."""
        return self.states if isinstance(self.states, Corruption) else None

    @property
    def is_corrupt(self) -> bool:
        """Whether the stored rows contradict each other, so that `positions` raises CorruptGame."""
        return isinstance(self.states, Corruption)

    @property
    def is_in_play(self) -> bool:
        """Whether moves count in it now: it is open, and its stored rows don't contradict each other."""
        return self.record.is_open and not self.is_corrupt

    @property
    def is_timed(self) -> bool:
        """Whether the time of a player may run."""
        return self.is_in_play and self.record.standing in TIMED

    def ensure_sound(self) -> None:
        """Raise CorruptGame if the stored rows contradict each other."""
        if isinstance(self.states, Corruption):
            raise CorruptGame(self.states)

    @property
    def positions(self) -> tuple[State, ...]:
        """The state before the first turn, and the one after each turn. Raises CorruptGame.

        A game that keeps no board has only the state before the first turn. Lines of mails are parsed against that
        state. Only `course` checks the turns against the rules.
        """
        self.ensure_sound()
        assert not isinstance(self.states, Corruption)
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
        if self.record.is_bidding:
            return self.record.seats[seat].bid is None
        return self.is_in_play and self.to_move == seat

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
        return result_of(self.record.end, self.rules, self.state)

    def outcome_for(self, seat: Seat) -> str:
        """Return how the game ended for a seat, as `outcome_of`. '' if it goes on, or if its rows are at fault."""
        return outcome_of(self.result, seat) if self.record.is_over and self.fault is None else ""

    @property
    def account(self) -> Account | None:
        """The coins of the game, None if it is not played for coins, has not begun or is void."""
        record = self.record
        if not record.has_begun or record.end.ruling is Ruling.VOID:
            return None
        return account_of(self.rules, self.state, self.taken_back, self.result)

    @property
    def has_bids(self) -> bool:
        """Whether the players bid for the first turn."""
        return asks_bid(self.rules, self.record.setup)

    @property
    def has_final_seats(self) -> bool:
        """Whether it is settled who plays which side: the game has begun, or its players don't bid for it."""
        return self.record.has_begun or not self.has_bids

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

    def texts(self) -> list[str]:
        """Return the turns in canonical form."""
        return [turn.text for turn in self.turns]

    def played(self, turn: Turn) -> NamedTurn:
        """Return a turn of the game as letters name it."""
        is_shown_as_written = not self.keeps_board and turn.written.lower() != turn.text
        return NamedTurn(
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

    def game_record(self) -> str:
        """Return the game record in the game's own format."""
        course = None if self.keeps_board else self.course()
        texts = [turn.text for turn in (self.turns if course is None else course.in_turn)]
        runs = [run.recorded() for run in self.taken_back] if course is None else course.replaced_runs
        return self.rules.record(self.record.setup, texts, self._tags(), self.result, runs)

    def viewer_url(self) -> str | None:
        """Return a web address that displays the game, None if there is none.

        A relay game has none, because its moves may be illegal.
        """
        if not self.keeps_board or not self.turns:
            return None
        return self.rules.viewer_url(self.record.setup, self.texts(), self._tags(), self.result)

    def _tags(self) -> Mapping[str, str]:
        """Return the tags of a game record."""
        first, second = self.names
        return {"Player1": first, "Player2": second, "Date": self.record.created_at.strftime("%Y.%m.%d")}


def guest_label(record: GameRecord, you: PlayerId | None) -> str | None:
    """Return the name by which player `you` knows the opponent, if `you` is a host whose guest has not accepted yet.

    Return None for anybody else, who knows the opponent's real name.
    """
    invitation = record.invitation
    return invitation.guest_label if record.is_invitation and invitation.host == you else None


def result_of(end: GameEnd, rules: GameRules, state: State) -> Result | None:
    """Return how a game ended, None if it has not ended or is void. `state` is its last state."""
    is_played_out = end.resigned is None and end.ruling is None and rules.keeps_board
    return state.result if is_played_out else result_decided(end, rules)


def outcome_of(result: Result | None, seat: Seat) -> str:
    """Return how a game ended for the player in a seat: `void`, `draw`, `won` or `lost`."""
    if result is None:
        return "void"
    if result.winner is None:
        return "draw"
    return "won" if result.winner == seat else "lost"


def result_decided(end: GameEnd, rules: GameRules) -> Result | None:
    """Return how the players or the operator ended a game, None if they did not end it or it is void."""
    if end.resigned is not None:
        return rules.resign(Seat(end.resigned))
    if end.ruling in (None, Ruling.VOID):
        return None
    if end.ruling in ON_TIME:
        return rules.decide(Seat(ON_TIME.index(end.ruling)), "time")
    winner = {Ruling.FIRST: Seat.FIRST, Ruling.SECOND: Seat.SECOND}.get(end.ruling)
    return rules.decide(winner, "agreed" if end.ruling == Ruling.AGREED else "ruled")
