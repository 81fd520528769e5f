"""The stored turns of a game played over from its start, and where they part with what was stored of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from takmail.games.game import Game, Refused, State
from takmail.store.tables import GameRow, TurnRow

_MOST_SHOWN = 80
"""Characters of a stored turn that are shown: what has been damaged may be anything."""


class Flaw(StrEnum):
    """What is wrong with the stored game: with its set-up, or with a turn."""

    SETUP = "setup"
    MISSING = "missing"
    ILLEGAL = "illegal"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Fault:
    """The first thing stored of a game that its replay does not agree with.

    `turn` is the number of that turn, 0 for the set-up; `text` and `written` are what is stored of it, one line each;
    `rule` names what it breaks. `stored` and `replayed` are the checksums after it, None where there is none.
    `before` and `after` are the boards of the replay, empty where there is none.
    """

    game: int
    flaw: Flaw
    turn: int
    text: str = ""
    written: str = ""
    rule: str = ""
    stored: str | None = None
    replayed: str | None = None
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()

    def __str__(self) -> str:
        """One line for the operator, with no words of the players' but the turn."""
        match self.flaw:
            case Flaw.SETUP:
                return "what is stored of its set-up can't be read"
            case Flaw.MISSING:
                return f"there is no stored turn {self.turn}, but later ones"
            case Flaw.ILLEGAL:
                return f"the stored turn {self.turn} ({self.text}) breaks the rules: {self.rule}"
            case Flaw.OTHER:
                sums = f"stored {self.stored}, replayed {self.replayed}"
                return f"the stored turn {self.turn} ({self.text}) leads to another board: {sums}"


class BrokenGame(RuntimeError):  # noqa: N818 - it is the game that is broken
    """What is stored of a game breaks the rules or does not agree with itself; `fault` says where, for the operator."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(f"game {fault.game}: {fault}")
        self.fault = fault


def replayed(row: GameRow, rules: Game, turns: Sequence[TurnRow]) -> tuple[State, ...]:
    """Every state of a game, the first one before any turn.

    Raises BrokenGame if a turn is missing or breaks the rules, or if the last one whose checksum is known leads to
    another position than it did when it was played. To find the checksums of all would take longer than the replay.
    """
    number = row.id or 0
    try:
        states = [rules.start(row.setup)]
    except (Refused, ValueError) as error:
        raise BrokenGame(Fault(number, Flaw.SETUP, 0)) from error
    for due, turn in enumerate(turns, 1):
        if turn.number != due:
            fault = Fault(number, Flaw.MISSING, due, before=states[-1].board())
            raise BrokenGame(_first(number, turns, states) or fault)
        try:
            states.append(states[-1].play(turn.text))
        except Refused as refused:
            fault = _fault(number, Flaw.ILLEGAL, turn, states, refused.reason.name)
            raise BrokenGame(_first(number, turns, states) or fault) from refused
    known = [pair for pair in zip(turns, states[1:], strict=True) if pair[0].checksum is not None]
    parted = _first(number, turns, states) if known and _differs(*known[-1]) else None
    if parted is not None:
        raise BrokenGame(parted)
    return tuple(states)


def _differs(turn: TurnRow, after: State) -> bool:
    return turn.checksum is not None and turn.checksum != after.checksum


def _first(number: int, turns: Sequence[TurnRow], states: Sequence[State]) -> Fault | None:
    """The first turn that leads to another position than it once did; what comes behind it follows from that."""
    for count, (turn, after) in enumerate(zip(turns, states[1:], strict=False), 1):
        if _differs(turn, after):
            return _fault(number, Flaw.OTHER, turn, states[: count + 1])
    return None


def _fault(number: int, flaw: Flaw, turn: TurnRow, states: Sequence[State], rule: str = "") -> Fault:
    """A fault of a turn; `states` end with the one after it, or with the one before it if it can't be played."""
    is_played = flaw == Flaw.OTHER
    before = states[-2] if is_played else states[-1]
    return Fault(
        game=number,
        flaw=flaw,
        turn=turn.number,
        text=_line(turn.text),
        written=_line(turn.written),
        rule=rule,
        stored=turn.checksum,
        replayed=states[-1].checksum if is_played else None,
        before=before.board(),
        after=states[-1].board() if is_played else (),
    )


def _line(text: str) -> str:
    return "".join(one if one.isprintable() else "?" for one in text[:_MOST_SHOWN])
