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
)
from takmail.commands.command import LineFault, Order, Unclear
from takmail.commands.context import Context
from takmail.commands.grammar.arguments import Moves, Play
from takmail.commands.questions import ask, question_to_seat
from takmail.games.interface import Reason, Refused, State
from takmail.games.optional import Account, Completing, Ledger
from takmail.world import BEGUN, PendingKind, Played, Standing, game_changes, news
from takmail.world.changes import Change, in_game


def play(context: Context, command: Play) -> Answer:
    """Play a turn if it is the sender's turn, and the turn is legal and meant for the current position."""
    misplaced = _not_playable_now(context, command)
    if misplaced is not None:
        return misplaced
    table = context.table
    try:
        after = table.state.play(command.text)
    except Refused as fault:
        is_as_typed = command.text == context.line.lower() and not context.is_trial
        return refused_by(table.rules, fault.reason, "" if is_as_typed else command.text)
    text = table.state.completed(command.text) if isinstance(table.state, Completing) else command.text
    doubt = table.state.asks_before(command.text)
    if doubt is not None and context.line != context.confirmed:
        return _confirmation_asked(context, command.text, doubt)
    turn = next_turn(context, text)
    played = news.TurnPlayed(game=table.number, turn=turn, lapsed=table.lapsing(context.you))
    over = () if after.result is None else (in_game(table.number, game_changes.ended),)
    return (played, turn_stored(context, turn, after.checksum), *over)


def turn_stored(context: Context, turn: Played, checksum: str | None = None) -> Change:
    """Return the change that plays a turn of the sender."""
    return in_game(
        context.table.number,
        game_changes.with_turn,
        turn,
        context.line,
        context.now,
        checksum,
        context.mail,
        context.arrived_at,
    )


def next_turn(context: Context, text: str) -> Played:
    """Return the sender's next turn as letters name it."""
    table, you, line = context.table, context.you, context.line
    is_passed_on = not table.keeps_board and line.lower() != text
    name, number = table.players[you].name, len(table.turns) + 1
    return Played(number, you, name, text, written=line if is_passed_on else "")


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
    rivals = [
        order.arguments
        for order in orders
        if isinstance(order.arguments, Unclear) and order.arguments.excludes_turns
    ]
    if context.game is None or not turns or len(turns) + len(rivals) < 2:
        return None
    (_, first), *others = turns
    table = context.table
    # In a game that keeps no board, only the first position is known. The lines are parsed in that position.
    state = table.state if table.keeps_board else table.rules.referee.start(table.record.setup)
    if all(same_turn(state, first.text, other.text) for _, other in others) and not rivals:
        return None
    written = " / ".join(line for line, _ in turns)
    is_of_one = first.number is not None and all(other.number == first.number for _, other in others)
    if is_of_one and table.keeps_board and table.record.standing in BEGUN:
        misplaced = _not_playable_now(context, first)
        if misplaced is not None:
            return written, misplaced
    place = next((order.arguments.place for order in orders if isinstance(order.arguments, Moves)), "")
    if waits_for_opponent(context) and not place:
        return written, refused("not_your_turn")
    moves = len(turns) + len([rival for rival in rivals if rival.fault is not LineFault.TAKEN_BACK])
    return written, refused("two_turns", count=moves, place=place.upper())


def waits_for_opponent(context: Context) -> bool:
    """Tell whether it is the opponent's turn, in a game whose board is known."""
    if context.game is None:
        return False
    table = context.table
    return table.keeps_board and table.record.standing == Standing.OPEN and table.to_move != context.you


def _excludes_turns(order: Order) -> bool:
    return isinstance(order.arguments, Unclear) and order.arguments.excludes_turns


def without_list_end(orders: Sequence[Order]) -> tuple[Order, ...]:
    """Return the commands without a `moves c3` below a move.

    It is the last line that a link to a stack writes, for whoever misses a move in the lines above it.
    """
    first = next(
        (
            at
            for at, order in enumerate(orders)
            if isinstance(order.arguments, Play) or _excludes_turns(order)
        ),
        len(orders),
    )
    return (
        *orders[:first],
        *(
            order
            for order in orders[first:]
            if not (isinstance(order.arguments, Moves) and order.arguments.place)
        ),
    )


def _not_playable_now(context: Context, command: Play) -> Answer | None:
    """Return the answer to a turn that cannot be played now, None if it can."""
    table = context.table
    count = len(table.turns)
    meant = command.number
    if meant is None and context.turn is not None:
        meant = context.turn + 1
    closed = not_open(table.record) or _conflict_in_mail(context)
    repeated = _repeated_turn(context, command, count if meant is None else meant)
    if repeated or closed:
        return repeated or closed
    if context.shows_what_is_gone:
        return refused("gone")
    if meant is not None and meant != count + 1:
        return refused("too_early" if meant > count + 1 else "stale", meant=meant, turns=count)
    if table.state.to_move != context.you:
        # The sender may have sent the same turn again, in reply to the answer that reported it.
        return _repeated_turn(context, command, count) or refused("not_your_turn")
    return None


def _conflict_in_mail(context: Context) -> Refusal | None:
    """Refuse a turn if the same mail accepted or made a proposal.

    The sender cannot have seen the board on which the turn would be played.
    """
    if any(agreed.wish.kind is not PendingKind.PACE for agreed in context.done(news.OfferAgreed)):
        return refused("move_after_agreement")
    proposed: Sequence[news.News] = (*context.done(news.ProposalMade), *context.done(news.ProposalRepeated))
    return refused("move_ends_proposal") if proposed else None


def _repeated_turn(context: Context, command: Play, number: int) -> Answer | None:
    """Return the answer if the sender has already played turn `number`, otherwise None.

    Sending the same turn again is not an error. It is too late for a different one.
    """
    table = context.table
    if not 1 <= number <= len(table.turns):
        return None
    turn = table.played(table.turns[number - 1])
    if turn.seat != context.you or turn.is_agreed:
        return None
    if same_turn(table.positions[number - 1], command.text, turn.text):
        return (news.TurnRepeated(turn=turn),)
    if table.record.standing == Standing.OVER:
        return GAME_OVER
    is_named = number in (command.number, None if context.turn is None else context.turn + 1)
    return refused("played_otherwise", turn=turn) if is_named else None


def _confirmation_asked(context: Context, text: str, reason: Reason) -> Answer:
    """Ask the sender to confirm a turn. One mail gets only one question about the same turn."""
    if any(event.text == text for event in context.done(news.TurnConfirmationAsked)):
        return SHOWN_ABOVE
    question = question_to_seat(context, PendingKind.DOUBT, context.line)
    name = context.table.rules.name
    return ask(context, news.TurnConfirmationAsked(question=question, kind=name, text=text, reason=reason))
