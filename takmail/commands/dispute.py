"""Carry out `im` and `why`, which check a turn against the rules. Both players get the verdict of `im`."""

from dataclasses import replace

from takmail.commands import chat
from takmail.commands.answers import (
    Answer,
    Refusal,
    RefusalError,
    Shows,
    Told,
    not_open,
    refuse_if,
    refused,
    refused_beyond,
    refused_by,
    told,
)
from takmail.commands.context import Context, turn_meant
from takmail.commands.grammar.arguments import Compare
from takmail.commands.grammar.normalize import clipped, without_move
from takmail.commands.grammar.proposing import Dispute, Why
from takmail.commands.propose import board_stored
from takmail.commands.redaction import without_addresses
from takmail.games.interface import NearMiss, ReadTurn, Seat
from takmail.limits.games import MAX_DISPUTES_IN_MAIL
from takmail.limits.words import MAX_REASON_CHARS
from takmail.vocabulary import words_of
from takmail.world import Game, events, verdict_of, verdict_of_attempt


def dispute(context: Context, command: Dispute) -> Answer:
    """Open a dispute about a turn. The opponent is notified of the same dispute only once.

    A dispute in a finished game does not change the result, but both players get the verdict. In a game that keeps no
    board, it is only forwarded.
    """
    number = _disputed_turn(context, command)
    game, is_heard = context.game, chat.is_heard(context)
    if not (game.keeps_board or is_heard):
        return refused("words_refused")
    # As the opponent may read it: without addresses, and truncated.
    reason = clipped(without_addresses(context, command.reason), MAX_REASON_CHARS)
    if any(
        (dispute.seat, dispute.turn, dispute.reason) == (context.you, number, reason)
        for dispute in game.disputes
    ):
        line = f"why {number}" if game.keeps_board else "show"
        return told("disputed", line=line, is_told=is_heard)
    return (
        events.DisputeOpened(
            game=game.number,
            seat=context.you,
            turn=game.played(game.turns[number - 1]),
            reason=reason,
            is_named=command.turn is not None,
            verdict=verdict_of(game, number) if game.keeps_board else None,
            opened_at=context.now,
        ),
    )


def _disputed_turn(context: Context, command: Dispute) -> int:
    """Return the number of the disputed turn. Raises RefusalError if it cannot be disputed."""
    game = context.game
    if command.turn is None and not game.turns:
        raise RefusalError(refused("nothing_to_dispute"))
    number = turn_meant(context, command.turn)
    if command.turn is None:
        number = _turn_named(game, context.you, command.reason) or number
    if game.turns[number - 1].is_agreed:
        raise RefusalError(refused("agreed_board", turn=number))
    refuse_if(refused_beyond("many_disputes", _count_opened(context), MAX_DISPUTES_IN_MAIL))
    return number


def _count_opened(context: Context) -> int:
    """Count the disputes that this mail has opened."""
    stored = context.world.stored.games.get(context.game.number)
    since = -1 if stored is None else stored.record.version
    return sum(dispute.version > since for dispute in context.game.every_dispute)


def _turn_named(game: Game, you: Seat, reason: str) -> int | None:
    """Return the number of the opponent's last turn whose move stands in a reason, None if none does."""
    words = f" {' '.join(words_of(reason))} "
    theirs = (turn for turn in reversed(game.turns) if turn.seat != you)
    return next((turn.number for turn in theirs if f" {turn.text} " in words), None)


def why(context: Context, command: Why) -> Answer:
    """Explain a turn of the game, or an attempt that could have been played instead of that turn."""
    return _explain_attempt(context, command) if command.attempt else _explain_played(context, command)


def _explain_played(context: Context, command: Why) -> Answer:
    if command.turn is None and not context.game.turns:
        return refused("why_nothing")
    number = turn_meant(context, command.turn)
    if context.game.turns[number - 1].is_agreed:
        return refused("agreed_board", turn=number)
    verdict = verdict_of(context.seen, number)
    return told("why", Shows.OTHER_BOARD, verdict=verdict, mover="", can_play=False)


def _explain_attempt(context: Context, command: Why) -> Answer:
    """Check an attempt on the board before the named turn. The line is parsed for the player to move on that board."""
    game, count = context.seen, len(context.game.turns)
    number = turn_meant(context, command.turn, is_next=True)
    state = game.positions[number - 1]
    match state.read(without_move(command.attempt)):
        case ReadTurn(turn) | NearMiss(turn=str(turn)):
            pass
        case miss:
            return unread(context, command, miss)
    is_theirs = state.to_move != context.you
    verdict = verdict_of_attempt(game, number, turn)
    return told(
        "why",
        Shows.OTHER_BOARD,
        verdict=verdict,
        mover=game.names[state.to_move] if is_theirs else "",
        can_play=verdict.is_legal and not is_theirs and number > count and not_open(game.record) is None,
    )


def unread(context: Context, command: Why, miss: NearMiss | None) -> Refusal:
    """Refuse an attempt that cannot be parsed, with the corrected commands that it may mean."""
    if miss is None:
        return refused("why_no_turn")
    head = "why" if command.turn is None else f"why {command.turn}"
    fixes = tuple(f"{head} {fix}" for fix in miss.fixes)
    return refused_by(context.game.rules, miss.reason, fixes=fixes)


def compare(context: Context, command: Compare) -> Told:
    """Show where a board differs from the game, even if the game is over. Store the board if the sender is verified."""
    game = context.game
    comparison = game.compare(command.board)
    compared = told("compared", Shows.COMPARISON, comparison=comparison)
    # A board of another size can never be proposed.
    if not context.player_verified or comparison.how == "size":
        return compared
    return replace(compared, effects=(board_stored(context, command.board),))
