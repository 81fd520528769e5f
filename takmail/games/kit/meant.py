"""Find what was meant by a text: a legal turn that contains all that the text names."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from takmail.games.interface import Meant, NearMiss, Reading, Reason
from takmail.games.kit.naming import VERBS, Named

M = TypeVar("M")


@dataclass(frozen=True, slots=True)
class Possible(Generic[M]):
    """A legal turn and what it contains.

    `places` are in the order of the move, and `things` are the words of the vocabulary that are true of it. `numbers`
    are the number of pieces that move, and how many of them stay on each place; None if a turn has no numbers.
    """

    move: M
    places: Sequence[str]
    things: frozenset[str]
    numbers: tuple[int, ...] | None = None


def fitting(named: Named, turns: Iterable[Possible[M]], most: int) -> tuple[M, ...]:
    """Return the turns that contain all that is named, at most so many, in their order.

    Those that begin where the text begins exclude others. If it names more than one place, they end where it ends.
    """
    found = [turn for turn in turns if contains(turn, named)]
    anchored = [turn for turn in found if named.places and turn.places[0] == named.places[0]]
    if len(named.places) > 1:
        found = [turn for turn in anchored if turn.places[-1] == named.places[-1]]
    elif anchored:
        found = anchored
    return tuple(turn.move for turn in found[:most])


def with_lines(reading: Reading, meant: Callable[[], Meant | None]) -> Reading:
    """Return a reading; a near miss without lines with those that are meant, and why there are none."""
    if not isinstance(reading, NearMiss) or reading.fixes or (found := meant()) is None:
        return reading
    reason = found.reason if reading.reason.name == "slip" and found.reason else reading.reason
    return replace(reading, reason=reason, fixes=found.lines)


def contains(turn: Possible[M], named: Named) -> bool:
    """Return whether a turn contains all that is named."""
    return (
        _is_in_order(named.places, iter(turn.places))
        and named.half in turn.places[0]
        and not any(things.isdisjoint(turn.things) for things in named.things)
        and (turn.numbers is None or _has_numbers(named, turn.numbers))
    )


def nothing_fits(named: Named) -> Reason:
    """Return why no turn contains all that is named, if no rule is the reason."""
    if not named.places:
        return Reason("place-missing")
    things = (max(one, key=len) for one in named.things if not one <= VERBS)
    names = (*map(str.upper, named.places), *things, *map(str, named.numbers))
    return Reason("nothing-fits", {"names": names})


def _is_in_order(places: Sequence[str], way: Iterator[str]) -> bool:
    return all(place in way for place in places)


def _has_numbers(named: Named, numbers: tuple[int, ...]) -> bool:
    count, drops = numbers[:1], numbers[1:]
    if named.is_counted:
        return named.numbers in (count, numbers)
    return named.numbers in ((), count, drops, numbers)
