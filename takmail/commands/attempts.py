"""Recognise chat that is an attempt at a turn. If it were forwarded, the opponent would see the intended move."""

from collections.abc import Collection
from dataclasses import replace

from takmail.commands.answers import Refusal, refused
from takmail.commands.context import Context
from takmail.commands.events import TurnPlayed
from takmail.commands.game_standing import not_open
from takmail.commands.grammar.misspellings import with_latin
from takmail.commands.grammar.normalize import plain
from takmail.commands.grammar.salutations import is_question, without_manners
from takmail.commands.kinds import Standing
from takmail.games.interface import Attempt, NearMiss, Refused, State, Turn
from takmail.limits.words import MAX_MOVE_CHARS, MAX_REPEATED_WORD_CHARS


def tried(context: Context, words: str) -> Refusal | None:
    """Suggest what to write in place of chat that looks like an attempt at a turn, otherwise return None.

    `words` is the chat as the opponent would read it. It is checked as a whole and line by line, because one line alone
    may be the attempt. One letter below a turn or other words is a signature. If the attempt may be the sender's turn,
    the answer shows the lines that would play the turn. In a game that is over or declined, nothing counts as an
    attempt.
    """
    if context.game is None or context.table.record.standing in (Standing.OVER, Standing.DECLINED):
        return None
    table = context.table
    lines = [line for line in map(plain, words.splitlines()) if line]
    whole = " ".join(lines)
    is_signed = len(lines) > 1 or bool(context.done(TurnPlayed))
    spoken = (line for line in dict.fromkeys((whole, *lines)) if len(line) > 1 or not is_signed)
    tries = ((line, _try(table.state, line, table.names)) for line in spoken)
    line, found = next(((line, one) for line, one in tries if one is not None), ("", None))
    if found is None:
        return None
    # Without a board it is unknown whose turn it is and what can be played.
    is_to_move = not_open(table.record) is None and (
        not table.keeps_board or table.state.to_move == context.you
    )
    return refused(
        "tried",
        game=table.rules.name,
        usual=next((one.how for one in found.meant), ""),
        tried=playable(found, table.state) if table.keeps_board else found,
        said=whole if len(whole) <= MAX_REPEATED_WORD_CHARS else "",
        is_to_move=is_to_move,
        is_alone=line == whole,
        is_all=True,
    )


def playable(tried: Attempt, state: State) -> Attempt:
    """Return the attempt with only those of its turns that are legal now. If none is legal, return it unchanged."""
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


def _try(state: State, line: str, names: Collection[str]) -> Attempt | None:
    """Parse a line as an attempt, with and without polite forms and the players' names.

    Both are tried, because a player's name may equal the name of a place.
    """
    if len(line) > MAX_MOVE_CHARS or is_question(line):
        return None
    bare = without_manners(line, names)
    return next(filter(None, map(state.attempt, dict.fromkeys((line, bare, with_latin(bare))))), None)
