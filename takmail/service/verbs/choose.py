"""The verb `moves`, which tells what there is to play."""

from collections.abc import Iterator
from itertools import islice

from takmail.games.choice import Choice
from takmail.games.game import Refused, State
from takmail.service.case import Case, Report, done, failed
from takmail.service.reading.commands import Moves
from takmail.service.reading.plain import command_form
from takmail.service.verbs.closed import not_open

_LONGEST_NAME = 40
_MOST_MEANT = 12
"""Turns that are offered for what may be the name of any of them."""


def choose(case: Case, command: Moves) -> Report:
    """All turns of one place, or the likely ones of all, for whoever is to move."""
    table = case.table
    closed = not_open(table.row)
    if closed:
        return closed
    state = table.state
    if state.to_move != case.seat:
        return failed("not_your_turn")
    try:
        found = state.choices_at(command.place) if command.place else state.choices()
    except Refused as refused:
        return failed("refused", game=table.rules.name, reason=refused.reason, turn="", fixes=())
    if not found:
        return failed("moves_none", place=command.place)
    return done("moves", place=command.place, groups=found, number=len(table.turns) + 1)


def hint(case: Case, words: str) -> Report | None:
    """What to write in place of what the link to a turn is called; None: the words begin with no such name.

    A link may be read where it can't be touched. `is_all` tells that there is no more than the name.
    """
    # A second line tells that there is more than a name, and more of them tell no more.
    lines = [*islice(filter(None, map(command_form, words.splitlines())), 2)]
    if case.chair is None or not lines or len(lines[0]) > _LONGEST_NAME:
        return None
    table = case.table
    if table.row.is_relay or not_open(table.row) or table.state.to_move != case.seat:
        return None
    meant = tuple(dict.fromkeys(_named(table.state, lines[0].lower().rstrip(".!"))))
    if not meant:
        return None
    return failed("choice_meant", meant=meant[:_MOST_MEANT], is_all=len(lines) == 1)


def _named(state: State, name: str) -> Iterator[str]:
    """What is typed for the turns that letters call so, with or without their place before it."""
    groups = state.choices()
    yield from (one.typed for group in groups for one in group.turns if one.name == name)
    for place in (group.place for group in groups if group.place):
        every = tuple(one for group in state.choices_at(place) for one in group.turns)
        yield from (one.typed for one in every if _is_called(one, place, name))


def _is_called(one: Choice, place: str, name: str) -> bool:
    whole = f"{place} {one.name}"
    return name in (one.name, whole) or (name.startswith(f"{place} ") and whole.startswith(f"{name} "))
