"""Carry out the commands about offers: draw, undo, agree, refuse and withdraw."""

from takmail.commands import chat, offers
from takmail.commands.answers import Answer, Events, refused, told
from takmail.commands.context import Context
from takmail.commands.grammar.proposing import Settle
from takmail.world import (
    MessageId,
    Pending,
    PendingEnd,
    PendingKind,
    Played,
    Ruling,
    TakenBackBy,
    offered_change,
    state_after,
)
from takmail.world.changes import Change, in_game, taking_back
from takmail.world.game_changes import ended, with_offer, with_turn
from takmail.world.news import (
    GameEnded,
    LastTurnTakenBack,
    OfferAgreed,
    OfferMade,
    OfferRefused,
    OfferWithdrawn,
    TurnTakenBackByRight,
)


def draw(context: Context) -> Answer:
    """Pending a draw, or agree to the opponent's draw offer if the sender has seen the current board."""
    table = context.table
    is_seen = context.turn is None or (context.turn == len(table.turns) and not context.shows_what_is_gone)
    offered = offers.standing(context, context.you.other, PendingKind.DRAW)
    if is_seen and offered:
        return agree_on(context, offered[0])
    return _offer(context, PendingKind.DRAW)


def undo(context: Context) -> Answer:
    """Take back the sender's last turn, or offer to do so if the opponent may have seen it.

    In some games taking back is a right, which needs no offer.
    """
    table = context.table
    if not table.turns:
        return refused("undo_nothing")
    if context.shows_what_is_gone:
        return refused("gone")
    if table.turns[-1].is_agreed:
        return refused("undo_agreed", turn=len(table.turns))
    if table.turns[-1].seat != context.you:
        return refused("undo_answered", turn=len(table.turns))
    unsent = _unsent_letter(context)
    if unsent is not None or context.has_played(table.turns[-1]):
        taken = LastTurnTakenBack(game=table.number, turn=_last_played(context))
        return taken, taking_back(table.number, len(table.turns) - 1, TakenBackBy.UNDO, context.now, unsent)
    rights = None if table.account is None else table.account.may_take_back
    if rights is None:
        return _offer(context, PendingKind.UNDO)
    if not rights[context.you]:
        return refused("undo_no_right", turn=len(table.turns))
    taken_back = TurnTakenBackByRight(
        game=table.number, seat=context.you, turn=_last_played(context), lapsed=table.lapsing_with_undo
    )
    return taken_back, taking_back(table.number, len(table.turns) - 1, TakenBackBy.RIGHT, context.now)


def _offer(context: Context, kind: PendingKind) -> Answer:
    """Make an offer. An offer that is already open is not made again."""
    if offers.standing(context, context.you, kind):
        return told("already_offered", kind=kind)
    # An opponent who blocks the sender sees the offer in the next letter about the game.
    notifies = chat.is_heard(context)
    number, offer = context.table.number, offers.new(context, kind)
    made = OfferMade(game=number, offer=offer, notifies_opponent=notifies)
    return made, in_game(number, with_offer, offer)


def settle(keyword: str, context: Context, command: Settle) -> Answer:
    """Agree to the opponent's offer, refuse it, or withdraw the sender's own, as the keyword says.

    The command counts for the only offer that it can mean among those that the answered letter shows. If the mail
    answers no letter, it counts for the only one among the open offers.
    """
    is_own = keyword == "withdraw"
    seat = context.you if is_own else context.you.other
    standing = offers.standing(context, seat)
    shown = standing if context.version is None else offers.shown(context, seat, context.version)
    meant = [
        offer
        for offer in shown
        if command.kind in (None, offer.kind) and command.target in (None, offer.target)
    ]
    if len(meant) > 1 and not is_own:
        # An offer that the sender has refused is not meant again. The opponent's refusal may not be known to them.
        meant = [offer for offer in meant if offer.ended != PendingEnd.REFUSED] or meant
    if len(meant) != 1 or meant[0] not in standing:
        return refused("which_offer", verb=keyword, meant=meant, standing=standing)
    settled = {"agree": agree_on, "refuse": _refuse, "withdraw": _withdraw}
    return settled[keyword](context, meant[0])


def _withdraw(context: Context, offer: Pending) -> Events:
    known = offers.known_to_opponent(context, offer)
    withdrawn = OfferWithdrawn(
        game=context.table.number,
        seat=context.you,
        wish=offered_change(context.table, offer),
        known_to_opponent=known,
        notifies_opponent=known is not None and chat.is_heard(context),
    )
    return (withdrawn, *offers.closed(context, [offer], PendingEnd.WITHDRAWN))


def _refuse(context: Context, offer: Pending) -> Events:
    table = context.table
    refusal = OfferRefused(game=table.number, seat=context.you, wish=offered_change(table, offer))
    return (refusal, *offers.closed(context, [offer], PendingEnd.REFUSED))


def agree_on(context: Context, offer: Pending) -> Events:
    """Carry out an offer that the sender accepts."""
    table = context.table
    lapsing = table.offers if offers.is_proposal(offer) else table.lapsing_with_undo
    agreed = OfferAgreed(
        game=table.number,
        seat=context.you,
        wish=offered_change(table, offer),
        turn=_last_played(context) if table.turns else None,
        lapsed=() if offer.kind == PendingKind.DRAW else tuple(other for other in lapsing if other != offer),
    )
    if offer.kind == PendingKind.DRAW:
        return (
            agreed,
            GameEnded(game=table.number),
            in_game(table.number, ended, None, Ruling.AGREED),
        )
    return (
        agreed,
        *offers.closed(context, [offer], PendingEnd.AGREED),
        _board_change(context, offer),
    )


def _last_played(context: Context) -> Played:
    """Return the last turn of the game."""
    return context.table.played(context.table.turns[-1])


def _unsent_letter(context: Context) -> MessageId | None:
    """Return the letter to the opponent that reports only the last turn, if no delivery worker has claimed it yet."""
    thread, number = context.table.threads[context.you.other], len(context.table.turns)
    return thread.last if thread.is_unclaimed and thread.reported_turn == number else None


def _board_change(context: Context, offer: Pending) -> Change:
    """Return the change of the board: it takes turns back, or it adds a turn that sets the proposed board."""
    table = context.table
    if offer.kind is not PendingKind.BOARD:
        after = len(table.turns) - 1 if offer.target is None else offer.target
        return taking_back(table.number, after, TakenBackBy(offer.kind), context.now)
    assert offer.seat is not None
    number, name = len(table.turns) + 1, table.players[offer.seat].name
    turn = Played(number, offer.seat, name, offer.words, is_agreed=True)
    checksum = state_after(table, offer).checksum
    return in_game(table.number, with_turn, turn, offer.words, context.now, checksum, context.mail)
