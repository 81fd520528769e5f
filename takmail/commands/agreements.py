"""Carry out the commands about offers: draw, undo, agree, refuse and withdraw."""

from typing import assert_never

from takmail.commands import chat, offers
from takmail.commands.answers import Answer, Events, Refusal, refused
from takmail.commands.context import Context
from takmail.commands.events import (
    BoardSet,
    DrawAgreed,
    GameEnded,
    GameEvent,
    LastTurnTakenBack,
    OfferMade,
    OfferRefused,
    OfferRepeated,
    OfferWithdrawn,
    ProposalAgreed,
    ProposalMade,
    QuestionClosed,
    TurnsTakenBack,
    UndoAgreed,
)
from takmail.commands.game.offered_change import OfferedChange, offered_change, state_after
from takmail.commands.game.table import Table
from takmail.commands.game.turn_labels import Played, played
from takmail.commands.game_standing import not_open
from takmail.commands.grammar.commands import Settle, Verb
from takmail.commands.kinds import OfferEnd, OfferKind, Ruling, Standing
from takmail.commands.records import MessageId, Offer
from takmail.commands.turn_reference import is_of_this_mail, shows_what_is_gone

_UNANSWERED = (OfferEnd.REPLACED, OfferEnd.WITHDRAWN, OfferEnd.LAPSED)
"""The ways in which an offer ends without the opponent's answer."""


def draw(context: Context) -> Answer:
    """Offer a draw, or agree to the opponent's draw offer if the sender has seen the current board."""
    table = context.table
    refusal = not_open(table.record)
    if refusal:
        return refusal
    is_seen = context.turn is None or (context.turn == len(table.turns) and not shows_what_is_gone(context))
    if is_seen and offers.standing(context, context.you.other, OfferKind.DRAW):
        return _agree_on_draw(context)
    return _offer(context, OfferKind.DRAW)


def undo(context: Context) -> Answer:
    """Take back the sender's last turn, or offer to do so if the opponent may have seen it."""
    table = context.table
    if table.record.standing == Standing.OVER:
        return refused("undo_over")
    refusal = not_open(table.record)
    if refusal:
        return refusal
    if not table.turns:
        return refused("undo_nothing")
    if shows_what_is_gone(context):
        return refused("gone")
    if table.turns[-1].is_agreed:
        return refused("undo_agreed", turn=len(table.turns))
    if table.turns[-1].seat != context.you:
        return refused("undo_answered", turn=len(table.turns))
    if is_unknown_to_opponent(context):
        taken = LastTurnTakenBack(game=table.number, turn=last_played(context))
        return (taken, *take_back(context, cancelled_letter=cancellable_letter(context)))
    return _offer(context, OfferKind.UNDO)


def _offer(context: Context, kind: OfferKind) -> Events:
    """Make an offer. An offer that is already open is not made again."""
    if offers.standing(context, context.you, kind):
        return (OfferRepeated(kind=kind),)
    # An opponent who blocks the sender sees the offer in the next letter about the game.
    notifies = chat.is_heard(context)
    return (
        OfferMade(game=context.table.number, offer=offers.new(context, kind), notifies_opponent=notifies),
    )


def settle(context: Context, command: Settle) -> Answer:
    """Agree to or refuse the opponent's offer, or withdraw the sender's own."""
    table = context.table
    refusal = not_open(table.record)
    if refusal:
        return refusal
    seat = context.you if command.verb is Verb.WITHDRAW else context.you.other
    found = offers.standing(context, seat, command.kind)
    if not found:
        return _nothing_to_settle(context, command)
    if len(found) > 1:
        return refused("which_offer", verb=command.verb, kinds=[one.kind for one in found])
    offer = found[0]
    if command.target is not None and command.target != offer.target:
        return refused("other_offer", verb=command.verb, wish=offered_change(table, offer))
    match command.verb:
        case Verb.WITHDRAW:
            return _withdraw(context, offer)
        case Verb.REFUSE:
            doubt = _refuse_if_another_meant(context, command, offer) or _refuse_if_unseen(
                context, command, offer
            )
            return doubt or _refuse(context, offer)
        case Verb.AGREE:
            doubt = (
                _refuse_if_another_meant(context, command, offer)
                or _refuse_if_ambiguous(context, command, offer)
                or _refuse_if_unseen(context, command, offer)
            )
            return doubt or _agree(context, offer)
        case _ as never:
            assert_never(never)


def _nothing_to_settle(context: Context, command: Settle) -> Refusal:
    """Refuse a command about an offer, because no such offer is open. The refusal says how the last one ended."""
    is_own = command.verb is Verb.WITHDRAW
    seat = context.you if is_own else context.you.other
    last = next(
        (one for one in reversed(offers.ended(context, seat)) if command.kind in (None, one.kind)), None
    )
    is_late = last is not None and context.table.is_overdue(last, context.now)
    outcome = {"ended": last and last.ended, "is_late": is_late}
    if is_own:
        return refused("no_own_offer", **outcome)
    has_own = bool(offers.standing(context, context.you, command.kind))
    has_own_way = last is not None and _own_proposal_was_accepted(context, last)
    return refused("no_offer", **outcome, is_own=has_own, has_own_way=has_own_way)


def _own_proposal_was_accepted(context: Context, lapsed: Offer) -> bool:
    """Tell whether `lapsed` ended because the opponent accepted the sender's own proposal, and no turn followed."""
    own = next(reversed(offers.ended(context, context.you)), None)
    if own is None or own.ended != OfferEnd.AGREED or not offers.is_proposal(own) or own.turn != lapsed.turn:
        return False
    return len(context.table.turns) == (own.turn + 1 if own.target is None else own.target)


def _refuse_if_another_meant(context: Context, command: Settle, offer: Offer) -> Refusal | None:
    """Refuse if the answered letter showed another offer that has ended since. The sender may mean that offer."""
    version = context.version
    if version is None or command.kind is not None:
        return None
    if command.verb is Verb.AGREE and version < offer.version:
        return None  # `_refuse_if_unseen` handles this case
    shown = [
        one
        for one in offers.ended(context, offer.seat)
        if one.version <= version and one.ended in _UNANSWERED and not _had_ended(one, version, offer)
    ]
    ended_offer = next((one for one in reversed(shown) if one.kind != offer.kind), None)
    if ended_offer is None:
        return None
    ended_change = OfferedChange(OfferKind(ended_offer.kind), ended_offer.turn, ended_offer.target)
    wish = offered_change(context.table, offer)
    return refused("offer_meant", verb=command.verb, wish=wish, gone=ended_change, ended=ended_offer.ended)


def _had_ended(one: Offer, version: int, standing: Offer) -> bool:
    """Tell whether an offer had ended before the game reached `version`. If so, letters of this version do not show it.

    An offer that expired has no `ended_version` until retention closes it. A letter that shows the offer `standing`
    does not show offers that had expired when `standing` was made.
    """
    if one.ended_version is not None:
        return one.ended_version <= version
    return standing.version <= version and Table.is_overdue(one, standing.offered_at)


def _refuse_if_ambiguous(context: Context, command: Settle, offer: Offer) -> Refusal | None:
    """Refuse if it is unknown which letter the mail answers, and the sender may mean an offer that has ended."""
    if context.version is not None:
        return None
    others = [one for one in _unanswered_on_this_board(context, offer) if not _is_same(one, offer)]
    if not any(command.kind in (None, one.kind) for one in others):
        return None
    is_told_by_kind = all(one.kind != offer.kind for one in others)
    return refused("offer_unsure", wish=offered_change(context.table, offer), is_told_by_kind=is_told_by_kind)


def _refuse_if_unseen(context: Context, command: Settle, offer: Offer) -> Refusal | None:
    """Refuse if the sender cannot have seen the offer, because the answered letter is older."""
    if context.version is None or context.version >= offer.version:
        return None
    return refused("offer_unseen", verb=command.verb, wish=offered_change(context.table, offer))


def _unanswered_on_this_board(context: Context, offer: Offer) -> list[Offer]:
    """Return the offers of the same seat in the current position that ended without an answer.

    A draw offer stays open for one more turn, so draw offers from before the last turn are included.
    """
    table = context.table
    turn = len(table.turns)
    given_up = max((one.ended_version for branch in table.taken_back for one in branch.turns), default=0)
    return [
        one
        for one in offers.ended(context, offer.seat)
        if (one.turn == turn or (one.kind == OfferKind.DRAW and one.turn == turn - 1))
        and one.ended in _UNANSWERED
        and one.version > given_up
    ]


def _is_same(one: Offer, other: Offer) -> bool:
    """Tell whether two offers that were made in the same position have the same effect."""
    return (one.kind, one.target, one.board) == (other.kind, other.target, other.board)


def _withdraw(context: Context, offer: Offer) -> Events:
    wish = offered_change(context.table, offer)
    match offers.unsent_offer(context, offer):
        case None:
            known: OfferedChange | None = wish
        case ProposalMade(instead_of=before):
            known = before
        case _:
            known = None
    withdrawn = OfferWithdrawn(
        game=context.table.number,
        seat=context.you,
        wish=wish,
        known_to_opponent=known if chat.is_heard(context) else None,
    )
    return (withdrawn, *offers.closed(context, [offer], OfferEnd.WITHDRAWN))


def _refuse(context: Context, offer: Offer) -> Events:
    table = context.table
    refusal = OfferRefused(game=table.number, seat=context.you, wish=offered_change(table, offer))
    return (refusal, *offers.closed(context, [offer], OfferEnd.REFUSED))


def _agree(context: Context, offer: Offer) -> Answer:
    """Carry out an offer that the sender accepts."""
    table = context.table
    if offer.kind == OfferKind.DRAW:
        return _agree_on_draw(context)
    if offers.is_proposal(offer):
        return carry_out(context, offer)
    agreed = UndoAgreed(game=table.number, seat=context.you, turn=last_played(context))
    closed = offers.closed(context, [offer], OfferEnd.AGREED)
    return (agreed, *closed, *take_back(context, offer))


def _agree_on_draw(context: Context) -> Events:
    table = context.table
    result = table.rules.decide(None, "agreed")
    return (
        DrawAgreed(game=table.number, seat=context.you),
        GameEnded(game=table.number, score=result.score, ruling=Ruling.AGREED),
    )


def last_played(context: Context) -> Played:
    """Return the last turn of the game."""
    return played(context.table, len(context.table.turns))[-1]


def is_unknown_to_opponent(context: Context) -> bool:
    """Tell whether the opponent cannot know of the last turn.

    Either this mail played the turn, or the only letter that reports it can still be cancelled.
    """
    return is_of_this_mail(context, context.table.turns[-1]) or cancellable_letter(context) is not None


def cancellable_letter(context: Context) -> MessageId | None:
    """Return the letter to the opponent that reports only the last turn, if no delivery worker has claimed it yet."""
    thread, number = context.table.threads[context.you.other], len(context.table.turns)
    return thread.last if thread.is_unclaimed and thread.reported_turn == number else None


def take_back(
    context: Context, agreed: Offer | None = None, *, cancelled_letter: MessageId | None = None
) -> Events:
    """Take back the last turn, and close the questions and the offers that were made after it.

    `agreed` is the undo offer that the sender accepted, None if none was needed. `cancelled_letter` is the unsent
    letter that reports the turn.
    """
    table = context.table
    number = len(table.turns)
    lapsing = [one for one in table.offers if one.kind == OfferKind.UNDO or one.turn >= number]
    return (
        *offers.closed(context, [one for one in lapsing if one != agreed], OfferEnd.LAPSED),
        *all_questions_closed(context),
        TurnsTakenBack(
            game=table.number,
            after=number - 1,
            how=OfferKind.UNDO,
            at=context.now,
            cancelled_letter=cancelled_letter,
        ),
    )


def all_questions_closed(context: Context) -> Events:
    """Close all questions to both players, because they were about the previous board."""
    return tuple(QuestionClosed(question=one.id) for one in context.table.questions)


def carry_out(context: Context, offer: Offer) -> Events:
    """Carry out a proposal that the sender accepts.

    All other questions and offers are closed, because they were about the previous board.
    """
    table = context.table
    others = [one for one in table.offers if one != offer]
    return (
        ProposalAgreed(game=table.number, seat=context.you, wish=offered_change(table, offer)),
        *offers.closed(context, others, OfferEnd.LAPSED),
        *offers.closed(context, [offer], OfferEnd.AGREED),
        *all_questions_closed(context),
        _board_change(context, offer),
    )


def _board_change(context: Context, offer: Offer) -> GameEvent:
    """Return the event that changes the board: it takes turns back, or it adds a turn that sets the proposed board."""
    table = context.table
    if offer.board is None:
        assert offer.target is not None
        return TurnsTakenBack(game=table.number, after=offer.target, how=offer.kind, at=context.now)
    return BoardSet(
        game=table.number,
        seat=offer.seat,
        text=offer.board,
        at=context.now,
        checksum=state_after(table, offer).checksum,
        mail=context.mail,
    )
