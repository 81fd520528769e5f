"""What follows from events: nothing leads back to its own cause."""

from collections.abc import Callable
from typing import get_args, get_type_hints

from takmail.pipeline.reactions import REACTIONS, OfCause, reactions_of_cause, reactions_to
from takmail.world import events
from takmail.world.events import Event
from tests.support.tables import each_row

KINDS = [one for one in vars(events).values() if isinstance(one, type) and issubclass(one, Event)]


def yielded(reaction: Callable[..., object]) -> set[type[Event]]:
    """Return the classes of events that a reaction may yield, by its annotation, which mypy holds against its body."""
    (union,) = get_args(get_type_hints(reaction)["return"])
    return {kind for kind in KINDS if issubclass(kind, get_args(union) or union)}


def following(kind: type[Event]) -> set[type[Event]]:
    """Return the classes of events that may follow from one of a class, at once or later."""
    found: set[type[Event]] = set()
    waiting = {kind}
    while waiting:
        next_ones = set().union(
            *(yielded(one) for of in waiting for one in (*reactions_to(of), *reactions_of_cause(of)))
        )
        waiting = next_ones - found
        found |= next_ones
    return found


@each_row("kind", sorted(KINDS, key=lambda kind: kind.__name__))
def test_nothing_follows_from_itself(kind: type[Event]) -> None:
    assert kind not in following(kind)


def test_each_reaction_is_to_the_event_that_it_takes() -> None:
    for kind, reactions in REACTIONS.items():
        for reaction in reactions:
            function = reaction.reaction if isinstance(reaction, OfCause) else reaction
            taken = get_type_hints(function)["event"]
            assert any(issubclass(kind, one) for one in (get_args(taken) or (taken,)))
