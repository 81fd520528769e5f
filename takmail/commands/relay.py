"""Carry out commands that work differently in a relay game. Moves are forwarded unchecked.

They are checked only when a player asks.
"""

from dataclasses import replace

from takmail.commands import chat
from takmail.commands.answers import Answer, Events, Shows, Told, refused, told
from takmail.commands.context import Context, beyond
from takmail.commands.grammar.arguments import Compare, Play, Show
from takmail.commands.play import next_turn
from takmail.commands.view import Entry, look
from takmail.games.interface import Seat
from takmail.world import NamedTurn, events

MOST_BETWEEN = 2
"""The maximum number of turns between two boards that are compared: one turn by each player."""


def has_written(context: Context) -> Events:
    """Return what closes the opponent's request for a board (`rs`). Any verified mail closes it."""
    if context.game_number is None or not context.player_verified:
        return ()
    opponent = context.you.other
    is_asked = context.game.record.seats[opponent].asks_board
    return (events.BoardRequestClosed(game=context.game_number, seat=opponent),) if is_asked else ()


def forward_move(context: Context, command: Play) -> Answer:
    """Forward a move. It need not be legal, or by the player to move."""
    game = context.game
    before = _already_sent(context, command.text)
    if before:
        return told("relay_sent", turn=before.number, text=before.text)
    count = len(game.turns)
    if command.number not in (None, count + 1):
        return refused("relay_number", meant=command.number, next=count + 1)
    last = game.played(game.turns[-1]) if game.turns else None
    has_crossed = (
        context.answered.turn is not None
        and context.answered.turn < count
        and last is not None
        and last.seat != context.you
    )
    return (
        events.TurnForwarded(
            game=game.number,
            turn=next_turn(context, command.text),
            written=context.line.text,
            played_at=context.now,
            mail=context.cause.mail,
            arrived_at=context.cause.arrived_at,
            crossed=last if has_crossed else None,
        ),
    )


def _already_sent(context: Context, text: str) -> NamedTurn | None:
    """Return the turn with which the sender has already sent the same move, None if there is none.

    Only turns after the last one that the answered letter shows count. If the mail answers no letter, only the last
    turn counts.
    """
    turns = context.game.turns
    shown = len(turns) - 1 if context.answered.turn is None else context.answered.turn
    same = (turn for turn in turns[shown:] if turn.seat == context.you and turn.text == text)
    return next(map(context.game.played, same), None)


def ask_for_board(context: Context) -> Answer:
    """Forward `rs`, the request for the opponent's board. It is forwarded only once until the opponent writes.

    `rs` also works after the end of the game. In the notation of Tak by Mail, a board is the answer to it.
    """
    game, you = context.game, context.you
    if game.players[you.other].is_erased:
        return refused("opponent_left")
    if not chat.is_heard(context):
        return refused("relay_refused")
    if game.record.seats[you].asks_board:
        return told("board_already_asked")
    return (events.BoardAsked(game=game.number, seat=you),)


def forward_board(context: Context, command: Compare) -> Answer:
    """Forward a board unchanged. If both players have sent one recently, both letters show where the boards differ."""
    game, you, board = context.game, context.you, command.board
    if game.players[you.other].is_erased:
        return refused("opponent_left")
    # An opponent who blocks the sender still gets a board that they asked for.
    if not chat.is_heard(context) and not game.record.seats[you.other].asks_board:
        return refused("relay_refused")
    count = len(game.turns)
    forwarded = events.BoardForwarded(
        game=game.number, seat=you, board=board, turn=count, shown_at=context.now, comparison=None
    )
    theirs = game.correspondence.shown_boards[you.other]
    if theirs is not None and count - theirs.turn <= MOST_BETWEEN:
        course = game.course()
        turns = [turn.text for turn in course.turns]
        numbers = [turn.number for turn in course.turns]
        forwarded = replace(
            forwarded,
            comparison=game.rules.compare_two(game.record.setup, turns, board, theirs.board, numbers),
            opponents_turn=theirs.turn,
            has_replaced=bool(course.replaced),
        )
    return (forwarded,)


# Commands that show something. Of these, `show`, `log` and `ptn` check the moves against the rules.


def show(context: Context, command: Show) -> Answer:
    """Show the board after a turn. It is computed from the moves before the first illegal one."""
    game, turn = context.seen, command.turn
    if command.given_up is not None:
        return refused("relay_no_board")
    if turn is not None and turn > len(game.turns):
        return beyond(context, turn)
    course = game.course(turn)
    last, illegal = course.last, course.broken_turn
    now = look(game, context.you)
    then = now.showing(course.state, last.number if last else 0, last.text if last else None)
    broken = game.played(illegal) if illegal else None
    return told("relay_show", Shows.GAME, then=then, broken=broken, reason=course.reason)


def log(context: Context) -> Told:
    """List the moves in the order they were sent, each followed by the disputes about it."""
    game = context.seen
    replaced = {turn.number for turn in game.course().replaced}
    disputes = game.every_dispute
    entries = tuple(
        Entry(
            game.played(turn),
            is_replaced=turn.number in replaced,
            disputes=tuple(
                (game.players[Seat(dispute.seat)].name, dispute.reason)
                for dispute in disputes
                if dispute.turn == turn.number and dispute.seat in tuple(Seat)
            ),
        )
        for turn in game.turns
    )
    return told("relay_log", Shows.GAME, entries=entries)


def record(context: Context) -> Told:
    """Show the moves in the game's own format, whether or not they are legal. If the wrong player began, show none."""
    game = context.seen
    is_left_out = bool(game.turns) and not game.course().in_turn
    return told("relay_record", Shows.RECORD, record=game.game_record(), is_left_out=is_left_out)
