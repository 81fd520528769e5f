"""Parse the words of a line as actions, without knowing the board."""

from dataclasses import dataclass

from takmail.games.tzaar.notation.words import (
    BETWEEN_ACTIONS,
    CAPTURE_WORDS,
    PASS_WORDS,
    SPOT,
    STACK_WORDS,
    TO_WORDS,
)
from takmail.games.tzaar.pieces import KIND_OF_LETTER, Kind
from takmail.games.tzaar.turns import Act, Pass


@dataclass(frozen=True, slots=True)
class SaidStep:
    """An action with the names of its spots. `act` is None for `a1-b2`, which may be either."""

    act: Act | None
    start: str
    end: str


@dataclass(frozen=True, slots=True)
class SaidPlacing:
    """A placing with the name of its spot."""

    kind: Kind
    spot: str


Said = SaidStep | SaidPlacing | Pass


@dataclass(frozen=True, slots=True)
class Parsed:
    """The actions at the beginning of a line, and the words after them that belong to no action."""

    actions: tuple[Said, ...]
    foreign: tuple[str, ...]


_SIGNS = {
    **dict.fromkeys(("x", ":", "takes", "captures"), Act.CAPTURE),
    **dict.fromkeys(("+", "stacks"), Act.STACK),
    **dict.fromkeys(("-", "->", ">"), None),
}
"""What may stand between two spots in place of a word before them."""
_SEPARATORS = frozenset((".", "/"))


def parse(tokens: tuple[str, ...]) -> Parsed | None:
    """Parse tokens; None if they don't begin with an action."""
    actions: list[Said] = []
    at = 0
    while at < len(tokens):
        begin = at
        if actions:
            while at < len(tokens) and (tokens[at] in BETWEEN_ACTIONS or _is_hyphen(tokens[at:])):
                at += 1
        found = _action(tokens[at:], is_first=not actions)
        if found is None:
            at = len(tokens) if at == len(tokens) else begin
            break
        action, taken = found
        actions.append(action)
        at += taken
    foreign = tuple(one for one in tokens[at:] if one not in BETWEEN_ACTIONS | _SEPARATORS)
    return Parsed(tuple(actions), foreign) if actions else None


def _is_hyphen(tokens: tuple[str, ...]) -> bool:
    """Return whether tokens begin with a dash that is no pass, because an action follows it."""
    return tokens[0] == "-" and _action(tokens[1:], is_first=False) is not None


def _action(tokens: tuple[str, ...], *, is_first: bool) -> tuple[Said, int] | None:
    """Return the action at the beginning of tokens, and the number of its tokens."""
    match tokens:
        case (("pz" | "pr" | "pt") as word, spot, *_) if SPOT.fullmatch(spot):
            return SaidPlacing(KIND_OF_LETTER[word[1]], spot), 2
        case (("z" | "r" | "t" | "pz" | "pr" | "pt") as word, "@", spot, *_) if SPOT.fullmatch(spot):
            return SaidPlacing(KIND_OF_LETTER[word[-1]], spot), 3
        case (start, sign, end, *_) if sign in _SIGNS and SPOT.fullmatch(start) and SPOT.fullmatch(end):
            return SaidStep(_SIGNS[sign], start, end), 3
        case (word, start, end, *_) if (act := _act(word)) and SPOT.fullmatch(start) and SPOT.fullmatch(end):
            return SaidStep(act, start, end), 3
        case (word, start, to, end, *_) if (
            (act := _act(word)) and SPOT.fullmatch(start) and to in TO_WORDS and SPOT.fullmatch(end)
        ):
            return SaidStep(act, start, end), 4
        case ("pass", *_):
            return Pass.PASS, 1
        case (word, *_) if not is_first and word in PASS_WORDS:
            return Pass.PASS, 1
        case _:
            return None


def _act(word: str) -> Act | None:
    if word in CAPTURE_WORDS:
        return Act.CAPTURE
    return Act.STACK if word in STACK_WORDS else None
