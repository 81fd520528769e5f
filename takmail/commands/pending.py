"""Carry out the commands about offers: those that make one, and the answers to them."""

from collections.abc import Sequence
from dataclasses import replace

from takmail.commands import chat, clocks
from takmail.commands.answers import Answer, NewsAndChanges, refuse_if, refused, told
from takmail.commands.context import Context
from takmail.commands.grammar.proposing import ProposePace, Settle
from takmail.games.interface import Seat
from takmail.world import (
    BOARD_PROPOSALS,
    ON_TIME,
    MessageId,
    OfferedChange,
    Pending,
    PendingEnd,
    PendingKind,
    Played,
    Ruling,
    TakenBackBy,
    game_changes,
    news,
    offered_change,
    state_after,
)
from takmail.world.changes import Change, in_game, taking_back


def offers_of(context: Context, seat: Seat, kind: PendingKind | None = None) -> tuple[Pending, ...]:
    """Return the open offers of a seat: those of one kind, or all if `kind` is None."""
    return tuple(offer for offer in context.table.offers if offer.seat == seat and kind in (None, offer.kind))


def shown_offers(context: Context, seat: Seat, version: int) -> tuple[Pending, ...]:
    """Return the offers of a seat that a letter of this version shows, including those that have ended since.

    The sender knows own offers that are newer than the letter, so these count as shown, too.
    """
    table = context.table
    known = (offer for offer in table.every_offer if offer.version <= version or seat == context.you)
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
        if (offer.ended_version is None or offer.ended_version > version) and not offer.is_over(last)
    )


def new_offer(context: Context, kind: PendingKind, *, target: int | None = None, board: str = "") -> Pending:
    """Return an offer that the sender would make in the current position. Nothing is stored."""
    table = context.table
    return Pending(
        context.next_pending(),
        kind,
        context.now,
        board,
        table.number,
        context.you,
        turn=len(table.turns),
        target=target,
    )


def ending(context: Context, offers: Sequence[Pending], how: PendingEnd) -> tuple[Change, ...]:
    """Return the change that closes these offers, if there are any."""
    ended = tuple(offer.id for offer in offers)
    change = in_game(context.table.number, game_changes.without_offers, ended, how)
    return (change,) if ended else ()


def _unsent_offer(context: Context, offer: Pending) -> news.OfferMade | None:
    """Return the news of an offer that this mail made and that a letter will report to the opponent.

    Return None for any other offer.
    """
    made = (event for event in context.done(news.OfferMade) if event.game == context.game)
    as_made = replace(offer, version=0)
    return next((event for event in made if event.offer == as_made and event.notifies_opponent), None)


def known_to_opponent(context: Context, offer: Pending) -> OfferedChange | None:
    """Return the offer that the opponent knows about, None if there is none.

    If this mail made the offer, it is the proposal that the offer has replaced.
    """
    match _unsent_offer(context, offer):
        case None:
            return offered_change(context.table, offer)
        case news.ProposalMade(instead_of=before):
            return before
        case _:
            return None


def draw(context: Context) -> Answer:
    """Offer a draw, or agree to the opponent's draw offer if the sender has seen the current board."""
    table = context.table
    is_seen = context.turn is None or (context.turn == len(table.turns) and not context.shows_what_is_gone)
    offered = offers_of(context, context.you.other, PendingKind.DRAW)
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
        return refused("undo_agreed", turn=len(table.turns), before=len(table.turns) - 1)
    if table.turns[-1].seat != context.you:
        return _undo_both(context) or refused("undo_answered")
    unsent = _unsent_letter(context)
    if unsent is not None or context.has_played(table.turns[-1]):
        taken = news.LastTurnTakenBack(game=table.number, turn=_last_played(context))
        return taken, taking_back(table.number, len(table.turns) - 1, TakenBackBy.UNDO, context.now, unsent)
    rights = None if table.account is None else table.account.may_take_back
    if rights is None:
        return _offer(context, PendingKind.UNDO)
    if not rights[context.you]:
        before = len(table.turns) - 1
        return refused("undo_no_right", line=f"propose back {before}" if before else "propose restart")
    taken_back = news.TurnTakenBackByRight(
        game=table.number, seat=context.you, turn=_last_played(context), lapsed=table.lapsing_with_undo
    )
    return taken_back, taking_back(table.number, len(table.turns) - 1, TakenBackBy.RIGHT, context.now)


def _undo_both(context: Context) -> NewsAndChanges:
    """Take back the sender's last turn and the bot's answer to it. Return nothing if that is not how the game went."""
    table = context.table
    before = [turn.number for turn in table.turns[-2:-1] if turn.seat == context.you and not turn.is_agreed]
    if not (before and table.players[context.you.other].is_bot):
        return ()
    target = before[0] - 1
    offer = new_offer(context, PendingKind.BACK if target else PendingKind.RESTART, target=target)
    return offering(context, news.OfferMade(game=table.number, offer=offer))


def _offer(context: Context, kind: PendingKind, words: str = "") -> Answer:
    """Make an offer, in place of the sender's earlier one of the same kind. One that is open is not made again."""
    own = offers_of(context, context.you, kind)
    if any(offer.words == words for offer in own):
        return told("already_offered", kind=kind)
    # An opponent who blocks the sender sees the offer in the next letter about the game.
    notifies = chat.is_heard(context)
    offer = new_offer(context, kind, board=words)
    return offering(
        context, news.OfferMade(game=context.table.number, offer=offer, notifies_opponent=notifies), own
    )


def offering(context: Context, made: news.OfferMade, replaced: Sequence[Pending] = ()) -> NewsAndChanges:
    """Return what makes an offer, in place of those that it replaces. A bot agrees to each at once."""
    table, offer = context.table, made.offer
    if table.players[context.you.other].is_bot:
        return agree_on(replace(context, seat=context.you.other), offer)
    stored = in_game(table.number, game_changes.with_offer, offer)
    return (made, stored, *ending(context, replaced, PendingEnd.REPLACED))


def propose_pace(context: Context, command: ProposePace) -> Answer:
    """Offer to play with another time for turns, or agree if the opponent has offered the same."""
    table, record, pace = context.table, context.table.record, command.pace
    if table.players[context.you.other].is_bot:
        return refused("no_clock_against_bots")
    if pace == record.pace and (pace is None or record.clock_from is not None):
        return refused("pace_is_so")
    offered = offers_of(context, context.you.other, PendingKind.PACE)
    if offered and offered[0].words == (pace or ""):
        return agree_on(context, offered[0])
    return _offer(context, PendingKind.PACE, pace or "")


def start_clock(context: Context) -> Answer:
    """Offer to play with a clock, with the time that was agreed on when the game began."""
    pace = context.table.record.pace
    return refused("no_pace_agreed") if pace is None else propose_pace(context, ProposePace(pace))


def settle(keyword: str, context: Context, command: Settle) -> Answer:
    """Agree to the opponent's offer, refuse it, or withdraw the sender's own, as the keyword says.

    The command counts for the only offer that it can mean among those that the answered letter shows. If the mail
    answers no letter, it counts for the only one among the open offers.
    """
    is_own = keyword == "withdraw"
    seat = context.you if is_own else context.you.other
    standing = offers_of(context, seat)
    # The end of the opponent's time is a fact, whichever letter the mail answers.
    version = None if command.kind is PendingKind.TIME else context.version
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
        meant = [offer for offer in meant if offer.ended != PendingEnd.REFUSED] or meant
    if command.kind is PendingKind.TIME and not meant:
        return refused("nothing_to_claim" if context.table.record.has_clock else "no_clock")
    if len(meant) != 1 or meant[0] not in standing:
        return refused("which_offer", verb=keyword, meant=meant, standing=standing)
    settled = {"agree": agree_on, "refuse": _refuse, "withdraw": _withdraw}
    return settled[keyword](context, meant[0])


def _without_time(offers: tuple[Pending, ...]) -> tuple[Pending, ...]:
    return tuple(offer for offer in offers if offer.kind is not PendingKind.TIME)


def claim(context: Context) -> Answer:
    """Claim the win, as the opponent's time is over."""
    return settle("agree", context, Settle(PendingKind.TIME))


def _withdraw(context: Context, offer: Pending) -> NewsAndChanges:
    known = known_to_opponent(context, offer)
    withdrawn = news.OfferWithdrawn(
        game=context.table.number,
        seat=context.you,
        wish=offered_change(context.table, offer),
        known_to_opponent=known,
        notifies_opponent=known is not None and chat.is_heard(context),
    )
    return (withdrawn, *ending(context, [offer], PendingEnd.WITHDRAWN))


def _refuse(context: Context, offer: Pending) -> NewsAndChanges:
    table = context.table
    refusal = news.OfferRefused(game=table.number, seat=context.you, wish=offered_change(table, offer))
    waits = (clocks.waiting(context),) if offer.kind is PendingKind.TIME else ()
    return (refusal, *ending(context, [offer], PendingEnd.REFUSED), *waits)


def agree_on(context: Context, offer: Pending) -> NewsAndChanges:
    """Carry out an offer that the sender accepts."""
    table = context.table
    if offer.kind is PendingKind.TIME:
        refuse_if(clocks.cannot_claim(context))
    lapsing = table.offers if offer.kind in BOARD_PROPOSALS else table.lapsing_with_undo
    ends_nothing = offer.kind in (PendingKind.DRAW, PendingKind.TIME, PendingKind.PACE)
    agreed = news.OfferAgreed(
        game=table.number,
        seat=context.you,
        wish=offered_change(table, offer),
        turn=_last_played(context) if table.turns else None,
        lapsed=() if ends_nothing else tuple(other for other in lapsing if other != offer),
    )
    if offer.kind == PendingKind.DRAW:
        return agreed, in_game(table.number, game_changes.ended, None, Ruling.AGREED)
    if offer.kind is PendingKind.TIME:
        return agreed, in_game(table.number, game_changes.ended, None, ON_TIME[context.you])
    if offer.kind is PendingKind.PACE:
        change = in_game(table.number, game_changes.with_pace, offer.words or None, context.now)
    else:
        change = _board_change(context, offer)
    return (agreed, *ending(context, [offer], PendingEnd.AGREED), change)


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
        return taking_back(table.number, after, TakenBackBy(offer.kind), context.now, is_agreed=True)
    assert offer.seat is not None
    number, name = len(table.turns) + 1, table.players[offer.seat].name
    turn = Played(number, offer.seat, name, offer.words, is_agreed=True)
    checksum = state_after(table, offer).checksum
    return in_game(
        table.number, game_changes.with_turn, turn, offer.words, context.now, checksum, context.mail
    )
