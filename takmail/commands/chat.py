"""Forward chat to the opponent in a letter of its own, or store it for the next letter."""

from collections.abc import Sequence

from takmail.commands import invitations
from takmail.commands.answers import (
    NO_CHAT,
    Answer,
    ChatResult,
    ChatStatus,
    Events,
    Refusal,
    Said,
    refused,
    told,
)
from takmail.commands.context import Context, events_for
from takmail.commands.grammar.arguments import Say
from takmail.commands.grammar.normalize import clipped, without_numbers
from takmail.commands.grammar.signatures import unsigned
from takmail.commands.grammar.spoken import courtesy_of
from takmail.commands.grammar.understood import Understood
from takmail.commands.questions import closing, question_to_seat
from takmail.commands.redaction import names_address, without_addresses
from takmail.limits.words import MAX_CHAT_CHARS, MAX_WAITING_CHAT_CHARS
from takmail.world import Pending, PendingKind, events

_NOT_SAID = {
    ChatStatus.LEFT: refused("not_heard"),
    ChatStatus.TO_BOT: refused("say_to_bot"),
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
    if obstacle is not None:
        return _NOT_SAID[obstacle]
    text, waiting = fit(context, words), queued(context, words)
    if waiting is None:
        return refused("said_too_much")
    if invitations.is_own(context):
        return waiting or told("said_later", words=text)
    is_cut = len(words) > MAX_CHAT_CHARS
    return (events.ChatSent(game=context.game.number, seat=context.you, words=text, is_cut=is_cut), *waiting)


def chat(context: Context, understood: Understood) -> ChatResult:
    """Store the words of a mail for the next letter to the opponent, send them in a letter of their own, or keep them.

    They get their own letter if the mail has no commands, or if the game is over and no other letter will follow.
    Before the game begins, they wait: those of a guest come with the answer to the invitation. Kept words go with those
    of a mail that does something.
    """
    obstacle = _obstacle(context)
    if obstacle is ChatStatus.TO_BOT:
        if understood.orders:
            return NO_CHAT  # A greeting above a move needs no answer.
        courtesy = courtesy_of(unsigned(understood.beside, context.game.names[context.you]))
        return ChatResult(ChatStatus.KIND if courtesy else obstacle, courtesy=courtesy)
    if obstacle is not None:
        return ChatResult(obstacle)
    typed = understood.beside
    if names_address(context, typed):
        return ChatResult(ChatStatus.ADDRESS, fit(context, typed))
    if _is_repeated_mail(context, typed):
        return ChatResult(ChatStatus.HEARD)
    is_notified = _is_opponent_notified(context)
    if not is_notified and _must_wait(context, understood):
        # What somebody else wrote in a player's name must not go out with what this player does next.
        return _keeping(context, typed) if context.player_verified else ChatResult(ChatStatus.HELD)
    released = kept_words(context) if is_notified else ()
    texts = [*(kept.words for kept in released), *filter(None, [typed])]
    words = "\n\n".join(fit(context, text) for text in texts)
    game, waiting = context.game, queued(context, *texts)
    is_due = not understood.orders or game.record.is_over
    is_sent = is_due and not game.record.is_unanswered
    # The letter is sent even if it contains only chat from earlier mails.
    sent = (events.ChatSent(game=game.number, seat=context.you),) if is_sent else ()
    if waiting is None:
        return ChatResult(ChatStatus.FULL, words, sent)
    status = ChatStatus.SENT if sent or is_notified else _how_it_waits(context, words)
    is_cut = any(len(text) > MAX_CHAT_CHARS for text in texts)
    return ChatResult(status, words, (*waiting, *sent, *closing(released)), is_cut)


def send(context: Context) -> Answer:
    """Send the words that are kept for the opponent in a letter of its own."""
    released = kept_words(context)
    if not released:
        return refused("nothing_kept")
    answer = say(context, Say(_together(released, "")))
    return answer if isinstance(answer, Said) else (*answer, *closing(released))


def kept_words(context: Context) -> tuple[Pending, ...]:
    """Return the words of the sender that are kept until the sender does something in the game of the mail."""
    if context.game_number is None or not context.player_verified:
        return ()
    return tuple(kept for kept in context.game.kept_words if kept.seat == context.you)


def quoted_words(context: Context) -> tuple[Pending, ...]:
    """Return the kept words of the sender that the answered letter quotes."""
    return tuple(
        kept
        for kept in kept_words(context)
        if context.answered.letter and kept.letter == context.answered.letter
    )


def dropped(context: Context, understood: Understood) -> ChatResult | None:
    """Return kept words as dropped if the mail is a `no` to the letter that quotes them, and nothing else."""
    quoted = quoted_words(context)
    is_only_no = [order.command.keyword for order in understood.orders] == ["no"] and not understood.beside
    return (
        ChatResult(ChatStatus.DROPPED, _together(quoted, ""), closing(quoted))
        if quoted and is_only_no
        else None
    )


def releases_words(context: Context) -> bool:
    """Tell whether words are kept, and the mail has done something with which they go."""
    is_kept = bool(kept_words(context)) and _obstacle(context) is None
    return is_kept and _is_opponent_notified(context)


def _must_wait(context: Context, understood: Understood) -> bool:
    """Tell whether words wait, as what they stand by was refused or is asked about."""
    is_refused = any(isinstance(report.answer, Refusal) for report in context.so_far.reports)
    is_asked = understood.holds_words or bool(context.asked())
    return context.game.record.has_begun and (is_refused or is_asked)


def _keeping(context: Context, words: str) -> ChatResult:
    """Return the words as kept, together with those that were kept before, whose time begins anew."""
    older = kept_words(context)
    text = _together(older, fit(context, words))
    if len(text) > MAX_CHAT_CHARS:
        return ChatResult(ChatStatus.FULL, words)
    kept = question_to_seat(context, PendingKind.WORDS, text)
    return ChatResult(ChatStatus.KEPT, text, (events.WordsKept(kept=kept, replaces=older),), kept=kept.id)


def _together(kept: Sequence[Pending], words: str) -> str:
    """Return words below those that were kept before. The same words are not repeated."""
    paragraphs = [paragraph for older in kept for paragraph in older.words.split("\n\n")]
    return "\n\n".join(dict.fromkeys(filter(None, (*paragraphs, words))))


def _how_it_waits(context: Context, words: str) -> ChatStatus:
    """Return whether chat goes with an invitation of this mail, or waits for a later letter."""
    if context.game not in context.proposed_games:
        return ChatStatus.WAIT
    brought = invitations.words_to_bring(context.services, (*_own_waiting_chat(context), words))
    return ChatStatus.INVITES if words in brought else ChatStatus.UNFIT


def kept(context: Context, words: str) -> Events:
    """Return what stores chat for the next letter, or nothing if the opponent has got similar chat before."""
    known = (*_own_waiting_chat(context), context.game.correspondence.last_chat[context.you] or "")
    is_known = without_numbers(fit(context, words)) in map(without_numbers, known)
    return () if is_known else queued(context, words) or ()


def queued(context: Context, *typed: str) -> Events | None:
    """Return what stores chat for the next letter, nothing if it waits already, or None if there is no room.

    It goes into the letter together with the chat that already waits.
    """
    waiting = _own_waiting_chat(context)
    texts = {
        text: len(words) > MAX_CHAT_CHARS for words in typed if (text := fit(context, words)) not in waiting
    }
    if sum(map(len, texts)) > MAX_WAITING_CHAT_CHARS - sum(map(len, waiting)):
        return None
    return tuple(
        events.ChatQueued(game=context.game.number, seat=context.you, words=text, is_cut=is_cut)
        for text, is_cut in texts.items()
    )


def reaches_opponent(context: Context, words: str) -> bool:
    """Tell whether the mail proves its seat, and the opponent there may get its chat in a letter now."""
    is_free = context.player_verified and _obstacle(context) is None
    return is_free and not invitations.is_own(context) and not names_address(context, words)


def _obstacle(context: Context) -> ChatStatus | None:
    """Return why no chat of the mail can be passed on, None if it can."""
    if context.game_number is None:
        return context.outside.words
    if context.game.players[context.you.other].is_bot:
        return ChatStatus.TO_BOT
    if not _can_chat(context):
        return ChatStatus.LEFT
    if _is_sealed(context):
        return ChatStatus.SEALED
    return None if is_heard(context) else ChatStatus.REFUSED


def is_heard(context: Context) -> bool:
    """Tell whether the opponent accepts chat from the sender. Before a game has begun, this does not reveal a block."""
    return context.game.is_heard(context.you)


def fit(context: Context, words: str) -> str:
    """Return the chat as the opponent would read it: without addresses, and truncated."""
    return clipped(without_addresses(context, words), MAX_CHAT_CHARS)


def _is_sealed(context: Context) -> bool:
    """Tell whether no words pass in the game of the mail, in its rematch or in a game that the mail has changed.

    In such a game, not both players have bid yet.
    """
    game = context.game
    follows = context.world.rematch_of(game) if game.has_bids else None
    others = (other.record for other in context.world.games.values())
    return any(record.seals_words for record in (game.record, *others, *filter(None, [follows])))


def _own_waiting_chat(context: Context) -> tuple[str, ...]:
    return tuple(
        waiting.words for waiting in context.game.correspondence.waiting_chat if waiting.seat == context.you
    )


def _is_repeated_mail(context: Context, typed: str) -> bool:
    """Tell whether a mail repeats an earlier one: its turns are played already, and its chat was delivered last."""
    answers = [report.answer for report in context.so_far.reports]
    reasons = {isinstance(answer, Said) and answer.reason for answer in answers}
    return reasons == {"already_played"} and context.game.correspondence.last_chat[context.you] == fit(
        context, typed
    )


def _is_opponent_notified(context: Context) -> bool:
    """Tell whether the opponent will get a letter about what the mail has done so far."""
    return bool(events_for(context.opponent, context.so_far.happened, context.game))


def _can_chat(context: Context) -> bool:
    """Tell whether the opponent can get chat.

    Who has no address cannot, such as an erased player. In a declined game, only the chat in the mail that declines it
    can be sent.
    """
    game = context.game
    if not game.players[context.you.other].mailboxes:
        return False
    return not game.record.is_declined or _is_opponent_notified(context)
