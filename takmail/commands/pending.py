"""Carry out the commands about offers: those that make one, and the answers to them."""

from dataclasses import replace

from takmail.commands import chat, clocks
from takmail.commands.answers import Answer, Events, refuse_if, refused, told
from takmail.commands.context import Context
from takmail.commands.grammar.proposing import Settle
from takmail.games.interface import Seat
from takmail.world import (
    BOARD_PROPOSALS,
    MessageId,
    NamedTurn,
    OfferedChange,
    Pending,
    PendingEnd,
    PendingKind,
    TakenBackBy,
    events,
    offered_change,
)


def offers_of(context: Context, seat: Seat, kind: PendingKind | None = None) -> tuple[Pending, ...]:
    """Return the open offers of a seat: those of one kind, or all if `kind` is None."""
    return tuple(offer for offer in context.game.offers if offer.seat == seat and kind in (None, offer.kind))


def shown_offers(context: Context, seat: Seat, version: int) -> tuple[Pending, ...]:
    """Return the offers of a seat that a letter of this version shows, including those that have ended since.

    The sender knows own offers that are newer than the letter, so these count as shown, too.
    """
    game = context.game
    known = (offer for offer in game.every_offer if offer.version <= version or seat == context.you)
    # A seat has at most one open draw offer, undo offer and proposal.
    newest = {
        PendingKind.BOARD if offer.kind in BOARD_PROPOSALS else offer.kind: offer
        for offer in known
        if offer.seat == seat
    }
    last = max((offer.asked_at for offer in newest.values()), default=context.now)
    return tuple(
        offer
        for offer in newest.values()
        # An expired offer may not be closed yet. A letter with a later offer did not show it any more.
        if (offer.end.version is None or offer.end.version > version) and not offer.is_over(last)
    )


def new_offer(context: Context, kind: PendingKind, *, target: int | None = None, board: str = "") -> Pending:
    """Return an offer that the sender would make in the current position. Nothing is stored."""
    game = context.game
    return Pending(
        context.next_pending(),
        kind,
        context.now,
        board,
        game.number,
        context.you,
        turn=len(game.turns),
        target=target,
    )


def known_to_opponent(context: Context, offer: Pending) -> OfferedChange | None:
    """Return the offer that the opponent knows about, None if there is none.

    If this mail made the offer and a letter is to tell it, it is the proposal that the offer has replaced.
    """
    if not offer.is_new or not chat.is_heard(context):
        return offered_change(context.game, offer)
    if offer.kind not in BOARD_PROPOSALS:
        return None
    stored = context.world.stored.games.get(context.game.number)
    open_before = set() if stored is None else {before.id for before in stored.offers}
    replaced = [
        before
        for before in context.game.every_offer
        if before.id in open_before
        and before.end.how is PendingEnd.REPLACED
        and before.seat == offer.seat
        and before.kind in BOARD_PROPOSALS
    ]
    return offered_change(context.game, replaced[0]) if replaced else None


def draw(context: Context) -> Answer:
    """Offer a draw, or agree to the opponent's draw offer if the sender has seen the current board."""
    game = context.game
    is_seen = context.answered.turn is None or (
        context.answered.turn == len(game.turns) and not context.shows_what_is_gone
    )
    offered = offers_of(context, context.you.other, PendingKind.DRAW)
    if is_seen and offered:
        return agree_on(context, offered[0])
    return offer_or_repeat(context, PendingKind.DRAW)


def undo(context: Context) -> Answer:
    """Take back the sender's last turn, or offer to do so if the opponent may have seen it.

    In some games taking back is a right, which needs no offer.
    """
    game = context.game
    if not game.turns:
        return refused("undo_nothing")
    if context.shows_what_is_gone:
        return refused("gone")
    if game.turns[-1].is_agreed:
        return refused("undo_agreed", turn=len(game.turns), before=len(game.turns) - 1)
    if game.turns[-1].seat != context.you:
        return _undo_both(context) or refused("undo_answered")
    unsent = _unsent_letter(context)
    if unsent is not None or context.has_played(game.turns[-1]):
        return (
            events.LastTurnTakenBack(
                game=game.number,
                turn=_last_played(context),
                last=len(game.turns) - 1,
                how=TakenBackBy.UNDO,
                taken_back_at=context.now,
                letter=unsent,
            ),
        )
    rights = None if game.account is None else game.account.may_take_back
    if rights is None:
        return offer_or_repeat(context, PendingKind.UNDO)
    if not rights[context.you]:
        before = len(game.turns) - 1
        return refused("undo_no_right", line=f"propose back {before}" if before else "propose restart")
    return (
        events.TurnTakenBackByRight(
            game=game.number,
            seat=context.you,
            turn=_last_played(context),
            last=len(game.turns) - 1,
            how=TakenBackBy.RIGHT,
            taken_back_at=context.now,
        ),
    )


def _undo_both(context: Context) -> Events:
    """Take back the sender's last turn and the bot's answer to it. Return nothing if that is not how the game went."""
    game = context.game
    before = [turn.number for turn in game.turns[-2:-1] if turn.seat == context.you and not turn.is_agreed]
    if not (before and game.players[context.you.other].is_bot):
        return ()
    target = before[0] - 1
    offer = new_offer(context, PendingKind.BACK if target else PendingKind.RESTART, target=target)
    return offering(context, events.OfferMade(game=game.number, offer=offer))


def offer_or_repeat(context: Context, kind: PendingKind, words: str = "") -> Answer:
    """Make an offer, in place of the sender's earlier one of the same kind. One that is open is not made again."""
    own = offers_of(context, context.you, kind)
    if any(offer.words == words for offer in own):
        return told("already_offered", kind=kind)
    offer = new_offer(context, kind, board=words)
    return offering(
        context,
        events.OfferMade(game=context.game.number, offer=offer, replaces=own),
    )


def offering(context: Context, made: events.OfferMade) -> Events:
    """Return what makes an offer. A bot agrees to each at once."""
    if context.game.players[context.you.other].is_bot:
        return agree_on(replace(context, seat=context.you.other), made.offer)
    return (made,)


def settle(keyword: str, context: Context, command: Settle) -> Answer:
    """Agree to the opponent's offer, refuse it, or withdraw the sender's own, as the keyword says.

    The command counts for the only offer that it can mean among those that the answered letter shows. If the mail
    answers no letter, it counts for the only one among the open offers.
    """
    is_own = keyword == "withdraw"
    seat = context.you if is_own else context.you.other
    standing = offers_of(context, seat)
    # The end of the opponent's time is a fact, whichever letter the mail answers.
    version = None if command.kind is PendingKind.TIME else context.answered.version
    shown = standing if version is None else shown_offers(context, seat, version)
    if is_own:
        # The end of one's own time can't be withdrawn.
        standing, shown = _without_time(standing), _without_time(shown)
    meant = [
        offer
        for offer in shown
        if command.kind in (None, offer.kind) and command.target in (None, offer.target)
    ]
    if len(meant) > 1 and not is_own:
        # An offer that the sender has refused is not meant again. The opponent's refusal may not be known to them.
        meant = [offer for offer in meant if offer.end.how != PendingEnd.REFUSED] or meant
    if command.kind is PendingKind.TIME and not meant:
        return refused("nothing_to_claim" if context.game.record.timing.has_clock else "no_clock")
    if len(meant) != 1 or meant[0] not in standing:
        return refused("which_offer", verb=keyword, meant=meant, standing=standing)
    settled = {"agree": agree_on, "refuse": _refuse, "withdraw": _withdraw}
    return settled[keyword](context, meant[0])


def _without_time(offers: tuple[Pending, ...]) -> tuple[Pending, ...]:
    return tuple(offer for offer in offers if offer.kind is not PendingKind.TIME)


def claim(context: Context) -> Answer:
    """Claim the win, as the opponent's time is over."""
    return settle("agree", context, Settle(PendingKind.TIME))


def _withdraw(context: Context, offer: Pending) -> Events:
    return (
        events.OfferWithdrawn(
            game=context.game.number,
            seat=context.you,
            offer=offer,
            wish=offered_change(context.game, offer),
            known_to_opponent=known_to_opponent(context, offer),
        ),
    )


def _refuse(context: Context, offer: Pending) -> Events:
    game = context.game
    wish = offered_change(game, offer)
    refusal = events.OfferRefused(game=game.number, seat=context.you, offer=offer, wish=wish)
    return (refusal, clocks.waiting(context)) if offer.kind is PendingKind.TIME else (refusal,)


def agree_on(context: Context, offer: Pending) -> Events:
    """Carry out an offer that the sender accepts."""
    game = context.game
    if offer.kind is PendingKind.TIME:
        refuse_if(clocks.cannot_claim(context))
    return (
        events.OfferAgreed(
            game=game.number,
            seat=context.you,
            offer=offer,
            wish=offered_change(game, offer),
            agreed_at=context.now,
            mail=context.cause.mail,
            turn=_last_played(context) if game.turns else None,
        ),
    )


def _last_played(context: Context) -> NamedTurn:
    """Return the last turn of the game."""
    return context.game.played(context.game.turns[-1])


def _unsent_letter(context: Context) -> MessageId | None:
    """Return the letter to the opponent that reports only the last turn, if no delivery worker has claimed it yet.

    The letter about a turn that no mail brought may also be the receipt for the turn that it answers, and stays.
    """
    thread, number = context.game.correspondence.threads[context.you.other], len(context.game.turns)
    is_of_mail = context.game.turns[-1].mail is not None
    return thread.last if is_of_mail and thread.is_unclaimed and thread.reported_turn == number else None
