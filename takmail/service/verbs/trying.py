"""Words that only try to be a turn: they would tell the opponent what their writer means to play, and go to nobody."""

from collections.abc import Collection

from takmail.games.game import State, Try
from takmail.service.case import Case, Report, failed
from takmail.service.reading.lookalikes import with_latin
from takmail.service.reading.manners import is_question, without_manners
from takmail.service.reading.plain import plain
from takmail.service.verbs import talk
from takmail.store.tables import Standing

_LONGEST = 400
"""Characters of a line that may be no more than a turn."""
_MOST_SAID = 60
"""Characters of words that the answer repeats behind `say`."""


def tried(case: Case, words: str) -> Report | None:
    """What to write in place of words that try to be a turn, whoever's it is; None: they are for the other one.

    Each line is looked at by itself, as what stands alone on one is meant alone, and then all of them together. Once
    the game is over nobody means to play.
    """
    if case.chair is None or case.table.row.standing in (Standing.OVER, Standing.DECLINED):
        return None
    # What is left off is read by nobody.
    lines = [line for line in map(plain, talk.fit(case, words).splitlines()) if line]
    whole = " ".join(lines)
    names = case.table.names
    tries = ((line, _try(case.table.state, line, names)) for line in dict.fromkeys((whole, *lines)))
    line, found = next(((line, one) for line, one in tries if one is not None), ("", None))
    if found is None:
        return None
    said = whole if len(whole) <= _MOST_SAID else ""
    return failed(
        "tried", game=case.table.rules.name, tried=found, said=said, is_alone=line == whole, is_all=True
    )


def _try(state: State, line: str, names: Collection[str]) -> Try | None:
    """The line as a try, with or without its manners: somebody may be called as a place is."""
    if len(line) > _LONGEST or is_question(line):
        return None
    bare = without_manners(line, names)
    return next(filter(None, map(state.tries, dict.fromkeys((line, bare, with_latin(bare))))), None)
