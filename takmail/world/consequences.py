"""Say what an offer or a turn would lead to in a game, and check what waits in a game against it."""

from collections.abc import Sequence
from dataclasses import dataclass

from takmail.games.game_rules import GameRules
from takmail.games.interface import Check, Result, Seat, State, Touched
from takmail.games.optional import Account, Ledger
from takmail.world.game import Game
from takmail.world.kinds import TakenBackBy
from takmail.world.pace import Pace
from takmail.world.pending import Pending
from takmail.world.records import GameRecord
from takmail.world.replay import after_if_legal, fault_in, take_backs
from takmail.world.waiting import BOARD_PROPOSALS, PendingKind


@dataclass(frozen=True, slots=True)
class OfferedChange:
    """An offer as letters show it.

    * `turn` is the last turn that was played before the offer
    * `target` is the turn to go back to, None if the offer is to do something else
    * `state` is the state of the game after a proposal is accepted, None for a draw or an undo
    * `pace` is the time for turns that is offered, None for none or for another offer
    * `account` are the coins of the game then, None if it is not played for coins
    """

    kind: PendingKind
    turn: int
    target: int | None
    state: State | None = None
    account: Account | None = None
    pace: str | None = None


def offered_change(game: Game, offer: Pending) -> OfferedChange:
    """Return what an offer would change."""
    if offer.kind not in BOARD_PROPOSALS:
        return OfferedChange(offer.kind, offer.turn, offer.target, pace=offer.words or None)
    return OfferedChange(
        offer.kind, offer.turn, offer.target, state_after(game, offer), _account_after(game, offer)
    )


def state_after(game: Game, offer: Pending) -> State:
    """Return the state of the game if a proposal is accepted."""
    if offer.kind is PendingKind.BOARD:
        return game.state.play(offer.words)
    assert offer.target is not None
    return game.positions[offer.target]


def _account_after(game: Game, offer: Pending) -> Account | None:
    """Return the coins of the game if a proposal is accepted, None if it is not played for coins."""
    state = state_after(game, offer)
    if not isinstance(state, Ledger):
        return None
    agreed = None if offer.target is None else (TakenBackBy(offer.kind), offer.target)
    return state.account(take_backs(game.taken_back, agreed), None)


def is_same(game: Game, one: Pending, other: Pending) -> bool:
    """Tell whether two proposals that were made in the same position have the same effect."""
    if one.kind != other.kind or one.target != other.target:
        return False
    first, second = state_after(game, one), state_after(game, other)
    return first.board() == second.board() and first.to_move == second.to_move


def check_pending(
    record: GameRecord, rules: GameRules, states: Sequence[State], turns: int, pending: Sequence[Pending]
) -> None:
    """Raise CorruptGame if an open offer or question is impossible in the game.

    `turns` is the number of turns that the game has.
    """
    for item in pending:
        column = _invalid_column(record, rules, states, turns, item) if item.is_open else None
        if column is not None:
            raise fault_in(record, "pending", {"id": int(item.id)}, column, str(getattr(item, column)))


def _is_pace(offer: Pending) -> bool:
    return offer.kind is PendingKind.PACE and Pace.read(offer.words) is not None


def _invalid_column(
    record: GameRecord, rules: GameRules, states: Sequence[State], turns: int, item: Pending
) -> str | None:
    """Return the first column that has an impossible value, or None. It may even have the wrong type."""
    is_possible = {
        "kind": item.kind in tuple(PendingKind),
        "seat": item.seat in tuple(Seat) or (item.is_kept and item.player is not None),
    }
    if item.is_offer:
        board = item.words
        is_playable = rules.is_agreement(board) and after_if_legal(states[-1], board) is not None
        targets: dict[str, Sequence[int]] = {
            PendingKind.BACK: range(1, len(states) - 1),
            PendingKind.RESTART: [0] if turns else [],
        }
        is_possible |= {
            "version": item.version in range(record.version + 1),
            "turn": item.turn in range(turns + 1),
            "target": item.kind not in targets or item.target in targets[item.kind],
            "words": is_playable if item.kind == PendingKind.BOARD else not board or _is_pace(item),
        }
    return next((column for column, is_so in is_possible.items() if not is_so), None)


@dataclass(frozen=True, slots=True)
class Verdict:
    """A turn checked against all rules, in a replay of the game from its beginning.

    * `game` is the name of the game
    * `number` is the number of the turn, or the number that an attempt would have
    * `name` is the name of the player who played the turn, and `written` is what they typed. Both are None for an
      attempt.
    * `text` is the turn in canonical form
    * `before` and `after` are the states before and after the turn. `after` is None if the turn is illegal.
    * `touched` are the places that the turn involves, and `checks` are the relevant rules
    * `result` is the result of the game if the turn ends it, otherwise None
    """

    game: str
    number: int
    name: str | None
    written: str | None
    text: str
    before: State
    after: State | None
    touched: tuple[Touched, ...]
    checks: tuple[Check, ...]
    result: Result | None

    @property
    def deciding(self) -> Check | None:
        """The first rule that the turn breaks, None if it is legal."""
        return next((check for check in self.checks if check.reason is not None), None)

    @property
    def is_legal(self) -> bool:
        """Whether the turn is legal."""
        return self.deciding is None


def verdict_of(game: Game, number: int) -> Verdict:
    """Return the verdict on turn `number`, counted from 1.

    Raises `Refused` for a turn that no rule applies to, such as an agreed board.
    """
    turn = game.turns[number - 1]
    return verdict_of_attempt(game, number, turn.text, game.names[turn.seat], turn.written)


def verdict_of_attempt(
    game: Game, number: int, text: str, name: str | None = None, written: str | None = None
) -> Verdict:
    """Return the verdict on a turn in canonical form, played as turn `number`, counted from 1.

    Raises `Refused` if `text` is not in canonical form.
    """
    state = game.positions[number - 1]
    after = after_if_legal(state, text)
    return Verdict(
        game=game.rules.name,
        number=number,
        name=name,
        written=written,
        text=text,
        before=state,
        after=after,
        touched=state.touched(text),
        checks=state.verdict(text),
        result=None if after is None else after.result,
    )
