"""Carry out `propose`: offer to continue from one board if the players' boards differ.

The game continues from that board only if the opponent agrees.
"""

from dataclasses import replace

from takmail.commands import pending
from takmail.commands.answers import (
    Answer,
    Events,
    Refusal,
    RefusalError,
    Told,
    refuse_if,
    refused,
    refused_by,
)
from takmail.commands.context import Context, beyond
from takmail.commands.grammar.normalize import clipped
from takmail.commands.grammar.proposing import OTHER_ONE, SENDER, Propose
from takmail.commands.grammar.skeletons import skeleton
from takmail.games.interface import Refused, Seat
from takmail.limits.words import MAX_REPEATED_WORD_CHARS
from takmail.world import (
    BOARD_PROPOSALS,
    Pending,
    PendingKind,
    ShownBoard,
    events,
    is_same,
    offered_change,
    state_after,
)


def propose(context: Context, command: Propose) -> Answer:
    """Make a proposal. If the opponent has made the same one, agree to it instead."""
    game = context.game
    refuse_if(_why_stale(context))
    offer, shown = _read_proposal(context, command)
    # A board that an earlier mail showed is stored already.
    kept = () if shown is None or command.board is None else (board_stored(context, shown.board),)
    opponents_offers = pending.offers_of(context, context.you.other, offer.kind)
    if any(is_same(game, theirs, offer) for theirs in opponents_offers):
        return (*pending.agree_on(context, opponents_offers[0]), *kept)
    own = tuple(own for own in pending.offers_of(context, context.you) if own.kind in BOARD_PROPOSALS)
    if any(is_same(game, other, offer) for other in own):
        facts = {"kind": offer.kind, "turn": offer.target or 0}
        return Told("already_proposed", facts, effects=kept)
    return (*_make_proposal(context, offer, own, shown, is_shown_again=not kept), *kept)


def board_stored(context: Context, board: str) -> events.BoardShown:
    """Return that the sender shows a board, which is stored."""
    game = context.game
    return events.BoardShown(
        game=game.number, seat=context.you, board=board, turn=len(game.turns), shown_at=context.now
    )


def _why_stale(context: Context) -> Refusal | None:
    """Return a refusal if the sender wrote the proposal before seeing the current board, otherwise None."""
    if context.shows_what_is_gone:
        return refused("gone")
    turns = context.game.turns
    if context.answered.turn is None:
        return None
    # The sender knows their own turns, also those that no letter has shown.
    is_known = all(turn.seat == context.you and not turn.is_agreed for turn in turns[context.answered.turn :])
    if context.answered.turn > len(turns) or not is_known:
        return refused("propose_stale", shown=context.answered.turn, turns=len(turns))
    return None


def _read_proposal(context: Context, command: Propose) -> tuple[Pending, ShownBoard | None]:
    """Return the proposal that a command describes, and its board as written, None if the proposal is to go back.

    Raises RefusalError if it cannot be made.
    """
    count, target = len(context.game.turns), command.target or 0
    if count == 0:
        raise RefusalError(refused("propose_nothing"))
    if command.kind == PendingKind.BOARD:
        return _board_proposal(context, command)
    if target == count:
        raise RefusalError(refused("propose_no_turn", turns=count))
    if target > count:
        raise RefusalError(beyond(context, target))
    # Going back to before the first turn is a restart, whatever the player calls it.
    kind = PendingKind.BACK if target else PendingKind.RESTART
    return pending.new_offer(context, kind, target=target), None


def _board_proposal(context: Context, command: Propose) -> tuple[Pending, ShownBoard]:
    """Return a proposal of the board in the command, or else of the last board that the sender showed."""
    game = context.game
    if command.is_unread:
        raise RefusalError(refused("propose_unread"))
    is_new = command.board is not None
    shown = (
        game.correspondence.shown_boards[context.you]
        if command.board is None
        else ShownBoard(context.you, command.board, len(game.turns), context.now)
    )
    if shown is None:
        raise RefusalError(refused("propose_no_board"))
    to_move = _seat_to_move(context, command.whose)
    try:
        adopted = game.state.adopt(shown.board, Seat.FIRST if to_move is None else to_move)
    except Refused as fault:
        raise RefusalError(_refuse_board(context, fault, None if is_new else shown)) from fault
    # The board is stored, so that the player need not send it again together with the missing detail.
    kept = (board_stored(context, shown.board),) if is_new else ()
    if to_move is None:
        whose = clipped(command.whose, MAX_REPEATED_WORD_CHARS)
        raise RefusalError(replace(refused("propose_whose", whose=whose), effects=kept))
    wanted = pending.new_offer(context, PendingKind.BOARD, board=adopted)
    after = state_after(game, wanted)
    if after.board() == game.state.board() and after.to_move == game.state.to_move:
        raise RefusalError(replace(refused("propose_same_board"), effects=kept))
    return wanted, shown


def _refuse_board(context: Context, fault: Refused, shown: ShownBoard | None) -> Refusal:
    """Refuse a board that cannot be played on. If an earlier mail showed the board, the answer shows it again."""
    rules = context.game.rules
    if shown is None:
        return refused_by(rules, fault.reason)
    rows = rules.rows(shown.board)
    return refused("propose_shown", rows=rows, turn=shown.turn, game=rules.name, reason=fault.reason)


def _seat_to_move(context: Context, words: str) -> Seat | None:
    """Return the seat that these words name as the player to move, None if they name nobody, or both.

    The words may be a word of the game, such as a colour, a player's name, or a pronoun in the sender's mail.
    """
    word = words.lower()
    seat = context.game.rules.seat_named(word)
    if seat is not None or not word:
        return seat
    if word in SENDER:
        return context.you
    if word in OTHER_ONE:
        return context.you.other
    named = [seat for seat in Seat if skeleton(context.game.names[seat]) == skeleton(words)]
    return named[0] if len(named) == 1 else None


def _make_proposal(
    context: Context,
    offer: Pending,
    own: tuple[Pending, ...],
    shown: ShownBoard | None,
    *,
    is_shown_again: bool,
) -> Events:
    """Make a proposal in place of the open ones of the sender, `own`.

    `shown` is its board as written, and `is_shown_again`: an earlier mail has shown it.
    """
    game = context.game
    made = events.ProposalMade(
        game=game.number,
        offer=offer,
        wish=offered_change(game, offer),
        instead_of=pending.known_to_opponent(context, own[0]) if own else None,
        is_in_place=bool(own),
        comparison=None if shown is None else game.compare(shown.board),
        shown_after=shown.turn if shown is not None and is_shown_again else None,
        replaces=own,
    )
    return pending.offering(context, made)
