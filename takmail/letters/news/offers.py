"""Tell offers and proposals, how they were answered, and what time does in a game.

That is reminders, holidays, the end of a player's time, and games put to rest.
"""

from collections.abc import Mapping
from datetime import timedelta

from takmail.blocks import Blocks, Button, SmallLinks, message, paragraph
from takmail.letters.news.row import Row
from takmail.letters.parts.clocks import pace_told, time_until
from takmail.letters.parts.ending import outcome
from takmail.letters.parts.offers import agreed, given_up, lapsed_offers
from takmail.letters.reader import Reader
from takmail.world import LIFETIME, PendingKind, news
from takmail.world.news.games import ClockNews
from takmail.world.pace import DAY


def _you_offer(event: news.OfferMade, _reader: Reader) -> Blocks:
    if event.offer.kind is PendingKind.PACE:
        stands = message("your_proposal_stands", days=LIFETIME.days)
        return paragraph(message("you_propose_pace", pace=pace_told(event.offer.words)), stands)
    return paragraph(message("offered", kind=event.offer.kind))


def _opponent_offers(event: news.OfferMade, _reader: Reader) -> Blocks:
    if event.offer.kind is PendingKind.DRAW:
        return paragraph(message("opponent_offers_draw"))
    if event.offer.kind is PendingKind.PACE:
        stands = message("opponents_proposal_stands", days=LIFETIME.days)
        return paragraph(message("opponent_proposes_pace", pace=pace_told(event.offer.words)), stands)
    return paragraph(message("opponent_asks_to_undo", turn=event.offer.turn))


def _proposed(event: news.ProposalMade, reader: Reader) -> Blocks:
    """Tell a proposal. The opponent is told that it replaces another one only if they know of that."""
    wish, after, is_yours = event.wish, event.shown_after, event.offer.seat == reader.game.you
    is_in_place = event.is_in_place if is_yours else event.instead_of is not None
    told = paragraph(
        message(
            "you_propose" if is_yours else "opponent_proposes",
            kind=wish.kind,
            turn=wish.target or 0,
            is_in_place=is_in_place,
        ),
        None
        if after is None
        else message(
            "you_showed_proposed_board" if is_yours else "opponent_showed_proposed_board", turn=after
        ),
        given_up(wish),
        message("your_proposal_stands" if is_yours else "opponents_proposal_stands", days=LIFETIME.days),
    )
    if event.comparison is None:
        return told
    return (*told, *reader.wording.proposed(event.comparison, is_yours=is_yours))


def _already_proposed(event: news.ProposalRepeated, _reader: Reader) -> Blocks:
    return paragraph(message("proposal_repeated", kind=event.wish.kind, turn=event.wish.target or 0))


def _refused(event: news.OfferRefused, reader: Reader) -> Blocks:
    """Tell that an offer is refused, or that a win is not claimed. If the game has ended, no time is running."""
    wish, is_yours = event.wish, event.seat == reader.game.you
    if wish.kind is PendingKind.TIME:
        until = None if reader.game.clock is None else reader.game.clock.until
        return paragraph(message("you_wait" if is_yours else "opponent_waits", until=until))
    if is_yours:
        return paragraph(message("your_refusal_told"))
    return paragraph(message("opponent_refuses", kind=wish.kind, turn=wish.target or 0))


def _you_withdraw(event: news.OfferWithdrawn, _reader: Reader) -> Blocks:
    return paragraph(message("your_offer_withdrawn", kind=event.wish.kind, turn=event.wish.target or 0))


def _opponent_withdraws(event: news.OfferWithdrawn, _reader: Reader) -> Blocks:
    offer = event.known_to_opponent
    assert offer is not None
    return paragraph(message("opponent_withdraws_offer", kind=offer.kind, turn=offer.target or 0))


def _you_agree(event: news.OfferAgreed, reader: Reader) -> Blocks:
    if event.wish.kind is PendingKind.DRAW:
        told = paragraph(message("draw_agreed"))
    elif event.wish.kind is PendingKind.TIME:
        told = paragraph(message("win_claimed"))
    elif event.wish.kind is PendingKind.PACE:
        told = paragraph(message("pace_agreed", pace=pace_told(event.wish.pace)))
    elif event.seat is not reader.game.you:
        return _opponent_agrees(event, reader)  # a bot, to what the reader has just offered
    elif event.wish.kind is PendingKind.UNDO:
        assert event.turn is not None
        told = paragraph(message("undo_granted", turn=event.turn.number, text=event.turn.text))
    else:
        told = paragraph(*agreed(reader, event.wish, opponent_agrees=False))
    return (*told, *lapsed_offers(reader, event.lapsed))


def _opponent_agrees(event: news.OfferAgreed, reader: Reader) -> Blocks:
    if event.wish.kind in (PendingKind.DRAW, PendingKind.TIME):
        return paragraph(*outcome(reader))
    if event.wish.kind is PendingKind.PACE:
        return paragraph(message("opponent_agrees_to_pace", pace=pace_told(event.wish.pace)))
    if event.wish.kind is PendingKind.UNDO:
        assert event.turn is not None
        told = paragraph(message("opponent_lets_you_undo", number=event.turn.number, text=event.turn.text))
    else:
        told = paragraph(*agreed(reader, event.wish, opponent_agrees=True))
    return (*told, *lapsed_offers(reader, event.lapsed))


def _is_yours(event: ClockNews, reader: Reader) -> bool:
    return event.seat == reader.game.you


def _reminder(_event: news.ReminderDue, reader: Reader) -> Blocks:
    """Remind of a turn, with what the opponent has played, if takmail knows what that did."""
    effect = () if reader.game.effect is None else reader.wording.effect(reader.game)
    return (
        *paragraph(message("reminder_of_turn"), time_until(reader)),
        *paragraph(*effect),
        *paragraph(message("reminders_can_be_ended")),
        SmallLinks((Button(message("label_no_reminders"), "reminders off"),)),
    )


def _holiday(event: news.HolidayTaken, reader: Reader) -> Blocks:
    if _is_yours(event, reader):
        left, is_strict = event.left // DAY, reader.game.table.record.is_strict
        return paragraph(message("holiday_taken_for_you", until=event.until, left=left, is_strict=is_strict))
    return paragraph(message("holiday_taken_for_opponent", until=event.until))


def _time_over(event: news.TimeOver, reader: Reader) -> Blocks:
    return paragraph(message("your_time_is_over" if _is_yours(event, reader) else "opponents_time_is_over"))


def _rested(event: news.GameRested, reader: Reader) -> Blocks:
    return paragraph(message("game_rests_for_you" if _is_yours(event, reader) else "game_rests_for_opponent"))


def _time_given(event: news.TimeGiven, reader: Reader) -> Blocks:
    days, hours = _days_or_hours(event.time)
    is_yours = event.seat == reader.game.you
    return paragraph(message("time_given" if is_yours else "opponent_gives_time", days=days, hours=hours))


def _days_or_hours(time: timedelta) -> tuple[int, int]:
    """Return a time as whole days and 0, or else as 0 and hours."""
    days, rest = divmod(time, DAY)
    return (0, time // timedelta(hours=1)) if rest else (days, 0)


ROWS: Mapping[type[news.News], Row] = {
    news.OfferMade: Row("offered", _you_offer, _opponent_offers),
    news.ProposalMade: Row("proposed", _proposed, _proposed),
    news.ProposalRepeated: Row("already_proposed", _already_proposed),
    news.OfferRefused: Row("offer_refused", _refused, _refused),
    news.OfferWithdrawn: Row("offer_withdrawn", _you_withdraw, _opponent_withdraws),
    news.OfferAgreed: Row("offer_agreed", _you_agree, _opponent_agrees),
    news.ReminderDue: Row(tells=_reminder),
    news.HolidayTaken: Row(tells=_holiday),
    news.TimeOver: Row(tells=_time_over),
    news.LostOnTime: Row(tells=lambda _, reader: paragraph(*outcome(reader))),
    news.GameRested: Row(tells=_rested),
    news.TimeGiven: Row("gave_time", _time_given, _time_given),
}
"""Rows of news about offers and clocks."""
