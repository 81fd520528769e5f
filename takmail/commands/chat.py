"""Words from one player to the other: what waits, what is passed on, and what there is nobody to hear."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from takmail.commands import attempts, offers, show
from takmail.commands.answers import Answer, Events, Refusal, refused, unchanged
from takmail.commands.context import Context
from takmail.commands.events import TurnRepeated, WordsSaid, WordsSent
from takmail.commands.grammar.normalize import clipped
from takmail.commands.grammar.understand import Understood
from takmail.commands.kinds import BEGUN, Standing
from takmail.commands.notified import events_told
from takmail.commands.redaction import without_addresses
from takmail.commands.result import Reported, WordsFate

MOST_WORDS = 4_000
"""Characters of chat in one mail that are passed on."""
LONG_WORDS = 60
"""Characters of chat from which on nobody says the same twice in a row."""
MOST_WAITING = 8_000
"""Characters that wait for one reader; what is said beyond them is not kept."""


@dataclass(frozen=True, slots=True)
class ChatResult:
    """The result of the chat of a mail: whether it is passed on, the events, and refusals that hint at a command.

    `is_cut`: it was too long.
    """

    words: WordsFate = WordsFate.NONE
    events: Events = ()
    hints: tuple[Refusal, ...] = ()
    is_cut: bool = False


def say(context: Context, words: str) -> Answer:
    """Send words on at once; to somebody who is only invited they wait until they write."""
    if not _may_write(context):
        return refused("not_heard")
    if not is_heard(context):
        return refused("words_refused")
    kept = fit(context, words)
    if not _has_room(context, kept):
        return refused("said_too_much")
    said = _said(context, kept, is_cut=len(words) > MOST_WORDS)
    if _opponent_is_only_invited(context):
        return said or unchanged("said_later")
    is_cut = len(words) > MOST_WORDS
    return (WordsSent(game=context.table.number, seat=context.you, is_cut=is_cut), *said)


def chat(context: Context, understood: Understood, reports: Sequence[Reported]) -> ChatResult:
    """Return the result of the chat of a mail; `reports` are those of its commands."""
    hints = _hints(context, understood)
    found = tuple(one.refusal for one in hints)
    if any(one.is_all for one in hints):
        return ChatResult(hints=found)
    return replace(_passed_on(context, understood, reports), hints=found)


def _hints(context: Context, understood: Understood) -> list[offers.Hint]:
    """What to write in place of words that may be meant for takmail."""
    words = understood.chat
    tried = attempts.tried(context, fit(context, words))
    settles = None if understood.orders else offers.hint(context, words)
    names = None if understood.orders or settles else show.hint(context, words)
    # A label of a link that is a try besides is told once, with the lines that it may be meant for.
    found = [one for one in (settles, names) if one is not None]
    if tried is None:
        return found
    everything = [offers.Hint(_telling_all(one.refusal), is_all=True) for one in found]
    return everything if names else [*everything, offers.Hint(tried, is_all=True)]


def _telling_all(refusal: Refusal) -> Refusal:
    """The same hint where the words go to nobody."""
    return replace(refusal, facts={**refusal.facts, "is_all": True})


def _passed_on(context: Context, understood: Understood, reports: Sequence[Reported]) -> ChatResult:
    """Keep the chat for the next letter to the opponent.

    A mail that is nothing but chat gets a letter of its own, and so do words after the end, when no other will come.
    """
    if context.is_corrupt:
        return ChatResult(WordsFate.BROKEN)
    if context.game is None or not _may_write(context):
        return ChatResult(WordsFate.LEFT)
    if not is_heard(context):
        return ChatResult(WordsFate.REFUSED)
    words = fit(context, understood.chat)
    if _was_heard(context, words, understood, reports):
        return ChatResult(WordsFate.HEARD)
    table, you = context.table, context.you
    has_room = _has_room(context, words)
    is_cut = has_room and len(understood.chat) > MOST_WORDS
    said = _said(context, words, is_cut=is_cut) if has_room else ()
    is_due = not understood.orders or table.record.standing == Standing.OVER
    is_sent = is_due and not _opponent_is_only_invited(context)
    # And if it is only for what waits.
    sent = (WordsSent(game=table.number, seat=you, is_cut=is_cut),) if is_sent else ()
    fate = WordsFate.SENT if sent or _tells(context) else WordsFate.WAIT
    return ChatResult(fate if has_room else WordsFate.FULL, (*said, *sent), is_cut=is_cut)


def is_heard(context: Context) -> bool:
    """Whether the opponent takes words from the sender; who is only invited lets nobody know that they don't."""
    table = context.table
    return table.record.standing not in BEGUN or table.hears[context.you.other]


def is_long_and_bare(understood: Understood) -> bool:
    """Whether a mail holds many words and no command, as the notes that robots write."""
    return not understood.orders and len(understood.chat) >= LONG_WORDS


def fit(context: Context, words: str) -> str:
    """The words as the opponent would read them."""
    return clipped(without_addresses(context, words), MOST_WORDS)


def _waiting(context: Context) -> tuple[str, ...]:
    return tuple(one.words for one in context.table.words if one.seat == context.you)


def _has_room(context: Context, words: str) -> bool:
    """Whether words can wait for the next letter, beside what waits already."""
    waiting = _waiting(context)
    return words in waiting or len(words) <= MOST_WAITING - sum(map(len, waiting))


def _said(context: Context, words: str, *, is_cut: bool) -> tuple[WordsSaid, ...]:
    """The words wait for the next letter; those that wait already are not doubled."""
    if words in _waiting(context):
        return ()
    said = WordsSaid(game=context.table.number, seat=context.you, words=words, at=context.now, is_cut=is_cut)
    return (said,)


def _was_heard(context: Context, words: str, understood: Understood, reports: Sequence[Reported]) -> bool:
    """Whether the mail is one that came before: its words are the last that a letter brought, its move is played.

    Short words without a command are said again by people, too; long ones only by robots.
    """
    has_come_before = bool(reports) and all(_tells_of_repeated_turn(one) for one in reports)
    if not has_come_before and not is_long_and_bare(understood):
        return False
    return context.table.brought[context.you] == words


def _tells_of_repeated_turn(report: Reported) -> bool:
    return isinstance(report.answer, tuple) and isinstance(report.answer[0], TurnRepeated)


def _tells(context: Context) -> bool:
    """Whether the opponent gets a letter about what the mail has done so far."""
    table = context.table
    return bool(events_told(context.events, table.number, table.players[context.you.other].id))


def _may_write(context: Context) -> bool:
    """A declined game is closed to words as well, but for those that come with the refusal itself."""
    table = context.table
    if table.players[context.you.other].is_gone:
        return False
    return table.record.standing != Standing.DECLINED or _tells(context)


def _opponent_is_only_invited(context: Context) -> bool:
    """No stranger gets words through takmail before they have written themselves."""
    record, player = context.table.record, context.player
    return record.standing == Standing.INVITED and player is not None and record.invited_by == player.id
