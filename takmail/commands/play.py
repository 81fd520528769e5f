"""Play a turn, or refuse it with the reason."""

from collections.abc import Sequence

from takmail.commands.answers import (
    GAME_OVER,
    SHOWN_ABOVE,
    Answer,
    Refusal,
    not_open,
    refused,
    refused_by,
    told,
)
from takmail.commands.command import Order, Unclear
from takmail.commands.context import Context
from takmail.commands.grammar.arguments import Moves, Play
from takmail.commands.questions import ask, question_to_seat
from takmail.games.interface import Reason, Refused, State
from takmail.games.optional import Account, Completing, Ledger
from takmail.world import BOARD_PROPOSALS, NamedTurn, PendingKind, events


def play(context: Context, command: Play) -> Answer:
    """Play a turn if it is the sender's turn, and the turn is legal and meant for the current position."""
    misplaced = _not_playable_now(context, command)
    if misplaced is not None:
        return misplaced
    game = context.game
    try:
        after = game.state.play(command.text)
    except Refused as fault:
        is_as_typed = command.text == context.line.text.lower() and not context.line.is_supposed
        return refused_by(game.rules, fault.reason, "" if is_as_typed else command.text)
    text = game.state.completed(command.text) if isinstance(game.state, Completing) else command.text
    if text != command.text:
        after = game.state.play(text)
    doubt = game.state.asks_before(command.text)
    if doubt is not None and not context.line.is_confirmed:
        return _confirmation_asked(context, command.text, doubt)
    return (
        events.TurnPlayed(
            game=game.number,
            turn=next_turn(context, text),
            written=context.line.text,
            played_at=context.now,
            after=after,
            mail=context.cause.mail,
            arrived_at=context.cause.arrived_at,
        ),
    )


def next_turn(context: Context, text: str) -> NamedTurn:
    """Return the sender's next turn as letters name it."""
    game, you, line = context.game, context.you, context.line.text
    is_passed_on = not game.keeps_board and line.lower() != text
    name, number = game.players[you].name, len(game.turns) + 1
    return NamedTurn(number, you, name, text, written=line if is_passed_on else "")


def same_turn(state: State, text: str, other_text: str) -> bool:
    """Tell whether two turns lead to the same board and coins. Other annotations on them do not matter."""
    if text == other_text:
        return True
    try:
        first, second = state.play(text), state.play(other_text)
    except Refused:
        return False
    return first.board() == second.board() and _account(first) == _account(second)


def _account(state: State) -> Account | None:
    """Return the account of a running game, None if it is not for coins."""
    return state.account((), None) if isinstance(state, Ledger) else None


def two_turns(context: Context, orders: Sequence[Order]) -> tuple[str, Answer] | None:
    """Return the one answer to several different moves for the same turn, otherwise None. None of them is played.

    The answer comes with the lines of all these moves. If they name the same turn and it can't be played now, the
    answer is that of the first one. Whoever is not to move hears only that, unless a link wrote the lines: a link
    to a stack writes several of its moves, and the mail may come late.
    """
    turns = [(order.line, order.arguments) for order in orders if isinstance(order.arguments, Play)]
    if context.game_number is None or len(turns) < 2:
        return None
    (_, first), *others = turns
    game = context.game
    # In a game that keeps no board, only the first position is known. The lines are parsed in that position.
    state = game.state if game.keeps_board else game.rules.referee.start(game.record.setup)
    if all(same_turn(state, first.text, other.text) for _, other in others):
        return None
    written = " / ".join(line for line, _ in turns)
    is_of_one = first.number is not None and all(other.number == first.number for _, other in others)
    if is_of_one and game.keeps_board and game.record.has_begun:
        misplaced = _not_playable_now(context, first)
        if misplaced is not None:
            return written, misplaced
    place = next((order.arguments.place for order in orders if isinstance(order.arguments, Moves)), "")
    if waits_for_opponent(context) and not place:
        return written, refused("not_your_turn")
    return written, refused("two_turns", count=len(turns), place=place.upper())


def waits_for_opponent(context: Context) -> bool:
    """Tell whether it is the opponent's turn, in a game whose board is known."""
    if context.game_number is None:
        return False
    game = context.game
    return game.keeps_board and game.record.is_open and game.to_move != context.you


def without_list_end(orders: Sequence[Order]) -> tuple[Order, ...]:
    """Return the commands without a `moves c3` below a move.

    It is the last line that a link to a stack writes, for whoever misses a move in the lines above it.
    """
    turns = (place for place, order in enumerate(orders) if _is_about_turn(order))
    first = next(turns, len(orders))
    return (
        *orders[:first],
        *(
            order
            for order in orders[first:]
            if not (isinstance(order.arguments, Moves) and order.arguments.place)
        ),
    )


def _is_about_turn(order: Order) -> bool:
    """Tell whether an order is a turn, or a doubt about one."""
    arguments = order.arguments
    return isinstance(arguments, Play) or (isinstance(arguments, Unclear) and arguments.is_turn)


def _not_playable_now(context: Context, command: Play) -> Answer | None:
    """Return the answer to a turn that cannot be played now, None if it can."""
    game = context.game
    count = len(game.turns)
    meant = command.number
    if meant is None and context.answered.turn is not None:
        meant = context.answered.turn + 1
    closed = not_open(game.record) or _conflict_in_mail(context)
    repeated = _repeated_turn(context, command, count if meant is None else meant)
    if repeated or closed:
        return repeated or closed
    if context.shows_what_is_gone:
        return refused("gone")
    if meant is not None and meant != count + 1:
        return refused("too_early" if meant > count + 1 else "stale", meant=meant, turns=count)
    if game.state.to_move != context.you:
        # The sender may have sent the same turn again, in reply to the answer that reported it.
        return _repeated_turn(context, command, count) or refused("not_your_turn")
    return None


def _conflict_in_mail(context: Context) -> Refusal | None:
    """Refuse a turn if the same mail accepted or made a proposal.

    The sender cannot have seen the board on which the turn would be played.
    """
    if events.has_agreed_on_board(context.so_far.happened):
        return refused("move_after_agreement")
    has_proposed = any(
        offer.is_new and offer.kind in BOARD_PROPOSALS and offer.seat == context.you
        for offer in context.game.every_offer
    )
    return refused("move_ends_proposal") if has_proposed or context.has_answered("already_proposed") else None


def _repeated_turn(context: Context, command: Play, number: int) -> Answer | None:
    """Return the answer if the sender has already played turn `number`, otherwise None.

    Sending the same turn again is not an error. It is too late for a different one.
    """
    game = context.game
    if not 1 <= number <= len(game.turns):
        return None
    turn = game.played(game.turns[number - 1])
    if turn.seat != context.you or turn.is_agreed:
        return None
    if same_turn(game.positions[number - 1], command.text, turn.text):
        return told("already_played", turn=turn.number, text=turn.text)
    if game.record.is_over:
        return GAME_OVER
    is_named = number in (
        command.number,
        None if context.answered.turn is None else context.answered.turn + 1,
    )
    return refused("played_otherwise", turn=turn) if is_named else None


def _confirmation_asked(context: Context, text: str, reason: Reason) -> Answer:
    """Ask the sender to confirm a turn. One mail gets only one question about the same turn."""
    state = context.game.state
    if any(same_turn(state, asked.words, text) for asked in context.asked(PendingKind.DOUBT)):
        return SHOWN_ABOVE
    question = question_to_seat(context, PendingKind.DOUBT, context.line.text)
    name = context.game.rules.name
    return ask(context, events.TurnConfirmationAsked(question=question, kind=name, text=text, reason=reason))
