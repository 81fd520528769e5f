"""Forward chat to the opponent in a letter of its own, or store it for the next letter."""

from collections.abc import Sequence

from takmail.commands import invitations
from takmail.commands.answers import (
    NO_CHAT,
    Answer,
    ChatResult,
    ChatStatus,
    NewsAndChanges,
    Reported,
    refused,
    told,
)
from takmail.commands.context import Context, events_for_opponent
from takmail.commands.grammar.arguments import Say
from takmail.commands.grammar.normalize import clipped, without_numbers
from takmail.commands.grammar.understand import Understood
from takmail.commands.redaction import names_address, without_addresses
from takmail.limits.words import MAX_CHAT_CHARS, MAX_WAITING_CHAT_CHARS
from takmail.world import BEGUN, Standing, game_changes, news
from takmail.world.changes import in_game

_NOT_SAID = {
    ChatStatus.LEFT: refused("not_heard"),
    ChatStatus.SEALED: refused("sealed_words"),
    ChatStatus.REFUSED: refused("words_refused"),
}
"""The answers to words that can't be passed on. In a corrupt game, no command gets so far."""


def say(context: Context, command: Say) -> Answer:
    """Forward chat at once in a letter of its own.

    If the guest has not accepted yet, chat to them waits until they write.
    """
    words = command.words
    obstacle = _obstacle(context)
    if obstacle is ChatStatus.LEFT and _hears_nothing(context):
        return refused("say_to_bot")
    if obstacle is not None:
        return _NOT_SAID[obstacle]
    text, waiting = fit(context, words), queued(context, words)
    if waiting is None:
        return refused("said_too_much")
    if invitations.is_own(context):
        return waiting or told("said_later", words=text)
    is_cut = len(words) > MAX_CHAT_CHARS
    return (news.ChatSent(game=context.table.number, seat=context.you, words=text, is_cut=is_cut), *waiting)


def chat(context: Context, understood: Understood, reports: Sequence[Reported]) -> ChatResult:
    """Store the chat of a mail for the next letter to the opponent, or send it in a letter of its own.

    It gets its own letter if the mail has no commands, or if the game is over and no other letter will follow. Before
    the game begins, it waits: that of a guest comes with the answer to the invitation.
    """
    obstacle = _obstacle(context)
    if understood.orders and _hears_nothing(context):
        return NO_CHAT  # A greeting above a move needs no answer.
    if obstacle is not None:
        return ChatResult(obstacle)
    words = fit(context, understood.chat)
    if names_address(context, understood.chat):
        return ChatResult(ChatStatus.ADDRESS, words)
    if _is_repeated_mail(context, words, reports):
        return ChatResult(ChatStatus.HEARD)
    table, waiting = context.table, queued(context, understood.chat)
    is_due = not understood.orders or table.record.standing == Standing.OVER
    is_sent = is_due and table.record.standing != Standing.INVITED
    # The letter is sent even if it contains only chat from earlier mails.
    sent = (news.ChatSent(game=table.number, seat=context.you),) if is_sent else ()
    if waiting is None:
        return ChatResult(ChatStatus.FULL, words, sent)
    status = ChatStatus.SENT if sent or _is_opponent_notified(context) else _how_it_waits(context, words)
    return ChatResult(status, words, (*waiting, *sent))


def _how_it_waits(context: Context, words: str) -> ChatStatus:
    """Return whether chat goes with an invitation of this mail, or waits for a later letter."""
    if all(event.game != context.table.number for event in context.done(news.GameProposed)):
        return ChatStatus.WAIT
    brought = invitations.words_to_bring(context.services, (*_own_waiting_chat(context), words))
    return ChatStatus.INVITES if words in brought else ChatStatus.UNFIT


def kept(context: Context, words: str) -> NewsAndChanges:
    """Return what stores chat for the next letter, or nothing if the opponent has got similar chat before."""
    known = (*_own_waiting_chat(context), context.table.last_chat[context.you] or "")
    is_known = without_numbers(fit(context, words)) in map(without_numbers, known)
    return () if is_known else queued(context, words) or ()


def queued(context: Context, words: str) -> NewsAndChanges | None:
    """Return what stores chat for the next letter, nothing if it waits already, or None if there is no room.

    It goes into the letter together with the chat that already waits.
    """
    waiting, text = _own_waiting_chat(context), fit(context, words)
    if text in waiting:
        return ()
    if len(text) > MAX_WAITING_CHAT_CHARS - sum(map(len, waiting)):
        return None
    is_cut = len(words) > MAX_CHAT_CHARS
    number, you = context.table.number, context.you
    stored = news.ChatQueued(game=number, seat=you, words=text, is_cut=is_cut)
    return stored, in_game(number, game_changes.with_chat, you, text)


def reaches_opponent(context: Context, words: str) -> bool:
    """Tell whether the mail proves its seat, and the opponent there may get its chat in a letter now."""
    is_free = context.player_verified and _obstacle(context) is None
    return is_free and not invitations.is_own(context) and not names_address(context, words)


def _obstacle(context: Context) -> ChatStatus | None:
    """Return why no chat of the mail can be passed on, None if it can."""
    if context.is_corrupt:
        return ChatStatus.BROKEN
    if context.game is None or not _can_chat(context):
        return ChatStatus.LEFT
    if _is_sealed(context):
        return ChatStatus.SEALED
    return None if is_heard(context) else ChatStatus.REFUSED


def _hears_nothing(context: Context) -> bool:
    """Tell whether the opponent is a bot."""
    return context.game is not None and context.table.players[context.you.other].is_bot


def is_heard(context: Context) -> bool:
    """Tell whether the opponent accepts chat from the sender. Before a game has begun, this does not reveal a block."""
    you, opponent = context.table.players[context.you], context.table.players[context.you.other]
    return context.table.record.standing not in BEGUN or you.id not in opponent.blocked


def fit(context: Context, words: str) -> str:
    """Return the chat as the opponent would read it: without addresses, and truncated."""
    return clipped(without_addresses(context, words), MAX_CHAT_CHARS)


def _is_sealed(context: Context) -> bool:
    """Tell whether no words pass in the game of the mail, in its rematch or in a game of which the mail has news.

    In such a game, not both players have bid yet.
    """
    table = context.table
    follows = context.rematch() if table.has_bids else None
    others = (context.world.games[event.game].record for event in context.done(news.GameNews))
    return any(game.seals_words for game in (table.record, *others, *filter(None, [follows])))


def _own_waiting_chat(context: Context) -> tuple[str, ...]:
    return tuple(waiting.words for waiting in context.table.waiting_chat if waiting.seat == context.you)


def _is_repeated_mail(context: Context, words: str, reports: Sequence[Reported]) -> bool:
    """Tell whether a mail repeats an earlier one: its turns are played already, and its chat was delivered last."""
    has_come_before = bool(reports) and all(
        isinstance(report.answer, news.TurnRepeated) for report in reports
    )
    return has_come_before and context.table.last_chat[context.you] == words


def _is_opponent_notified(context: Context) -> bool:
    """Tell whether the opponent will get a letter about what the mail has done so far."""
    return bool(events_for_opponent(context.events, context.table))


def _can_chat(context: Context) -> bool:
    """Tell whether the opponent can get chat.

    Who has no address cannot, such as an erased player. In a declined game, only the chat in the mail that declines it
    can be sent.
    """
    table = context.table
    if not table.players[context.you.other].mailboxes:
        return False
    return table.record.standing != Standing.DECLINED or _is_opponent_notified(context)
