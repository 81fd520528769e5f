"""Words that only try to be a turn: they would tell the opponent what their writer means to play, and go to nobody."""

from collections.abc import Collection
from dataclasses import replace

from takmail.commands.answers import Refusal, refused
from takmail.commands.context import Context
from takmail.commands.grammar.misspellings import with_latin
from takmail.commands.grammar.normalize import plain
from takmail.commands.grammar.salutations import is_question, without_manners
from takmail.commands.kinds import Standing
from takmail.commands.unavailable import not_open
from takmail.games.interface import NearMiss, Refused, State, Try, Turn

_LONGEST = 400
"""Characters of a line that may be no more than a turn."""
_MOST_SAID = 60
"""Characters of words that the answer repeats behind `say`."""


def tried(context: Context, words: str) -> Refusal | None:
    """What to write in place of words that try to be a turn, whoever's it is; None: they are for the other one.

    `words` are as the other one would read them: what is left off is read by nobody. The lines to send are offered to
    whoever can play now. Each line is looked at by itself, as what stands alone on one is meant alone, and then all of
    them together. Once the game is over nobody means to play.
    """
    if context.game is None or context.table.record.standing in (Standing.OVER, Standing.DECLINED):
        return None
    table = context.table
    lines = [line for line in map(plain, words.splitlines()) if line]
    whole = " ".join(lines)
    tries = ((line, _try(table.state, line, table.names)) for line in dict.fromkeys((whole, *lines)))
    line, found = next(((line, one) for line, one in tries if one is not None), ("", None))
    if found is None:
        return None
    # Where no board is kept, nobody knows whose turn it is, or what can be played.
    is_to_move = not_open(table.record) is None and (
        not table.keeps_board or table.state.to_move == context.you
    )
    return refused(
        "tried",
        game=table.rules.name,
        usual=next((one.how for one in found.meant), ""),
        tried=playable(found, table.state) if table.keeps_board else found,
        said=whole if len(whole) <= _MOST_SAID else "",
        is_to_move=is_to_move,
        is_alone=line == whole,
        is_all=True,
    )


def playable(tried: Try, state: State) -> Try:
    """The try with only those lines that can be played now; if there is none, as it is."""
    allowed = (
        replace(one, lines=tuple(line for line in one.lines if _is_playable(line, state)))
        for one in tried.meant
    )
    meant = tuple(one for one in allowed if one.lines)
    return replace(tried, meant=meant) if meant else tried


def _is_playable(line: str, state: State) -> bool:
    match state.read(line):
        case Turn(text):
            return _is_allowed(text, state)
        case NearMiss(_, fixes):
            return any(_is_allowed(text, state) for text in fixes)
        case _:
            return False


def _is_allowed(text: str, state: State) -> bool:
    try:
        state.play(text)
    except Refused:
        return False
    return True


def _try(state: State, line: str, names: Collection[str]) -> Try | None:
    """The line as a try, with or without its manners: somebody may be called as a place is."""
    if len(line) > _LONGEST or is_question(line):
        return None
    bare = without_manners(line, names)
    return next(filter(None, map(state.tries, dict.fromkeys((line, bare, with_latin(bare))))), None)
