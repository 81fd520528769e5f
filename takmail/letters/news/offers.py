"""Tell offers and disputes, words and boards that the players send each other, and what time does in a game.

That is reminders, holidays, the end of a player's time, and games put to rest.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta

from takmail.blocks import Blocks, Button, Code, Quote, SmallLinks, message, only_html, only_text, paragraph
from takmail.commands.answers import Shows
from takmail.games.wording import Boards, Sentences
from takmail.letters.news.row import Row, says
from takmail.letters.parts.ending import outcome
from takmail.letters.parts.offers import agreed, given_up, lapsed_offers
from takmail.letters.parts.terms import pace_told, time_until
from takmail.letters.parts.turns import not_changed, proof, verdict
from takmail.letters.parts.words import gets_words, said_later
from takmail.letters.reader import Reader
from takmail.world import DAY, LIFETIME, PendingKind, Standing, Verdict, news


def _is_yours(event: news.SeatNews, reader: Reader) -> bool:
    return event.seat == reader.game.you


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


def _you_propose(event: news.ProposalMade, reader: Reader) -> Blocks:
    wish, after = event.wish, event.shown_after
    told = paragraph(
        message("you_propose", kind=wish.kind, turn=wish.target or 0, is_in_place=event.is_in_place),
        None if after is None else message("you_showed_proposed_board", turn=after),
        given_up(wish),
        message("your_proposal_stands", days=LIFETIME.days),
    )
    return (*told, *_compared(event, reader, is_yours=True))


def _opponent_proposes(event: news.ProposalMade, reader: Reader) -> Blocks:
    """Tell a proposal of the opponent, and that it replaces another one if the reader knows of that."""
    wish, after, replaces = event.wish, event.shown_after, event.instead_of is not None
    told = paragraph(
        message("opponent_proposes", kind=wish.kind, turn=wish.target or 0, is_in_place=replaces),
        None if after is None else message("opponent_showed_proposed_board", turn=after),
        given_up(wish),
        message("opponents_proposal_stands", days=LIFETIME.days),
    )
    return (*told, *_compared(event, reader, is_yours=False))


def _compared(event: news.ProposalMade, reader: Reader, *, is_yours: bool) -> Blocks:
    return () if event.comparison is None else reader.wording.proposed(event.comparison, is_yours=is_yours)


def _already_proposed(event: news.ProposalRepeated, _reader: Reader) -> Blocks:
    return paragraph(message("proposal_repeated", kind=event.wish.kind, turn=event.wish.target or 0))


def _you_refuse(event: news.OfferRefused, reader: Reader) -> Blocks:
    if event.wish.kind is PendingKind.TIME:
        return paragraph(message("you_wait", until=_time_until(reader)))
    return paragraph(message("your_refusal_told"))


def _opponent_refuses(event: news.OfferRefused, reader: Reader) -> Blocks:
    if event.wish.kind is PendingKind.TIME:
        return paragraph(message("opponent_waits", until=_time_until(reader)))
    return paragraph(message("opponent_refuses", kind=event.wish.kind, turn=event.wish.target or 0))


def _time_until(reader: Reader) -> datetime | None:
    """Return when the time of the player to move is over, None if the game has ended."""
    return None if reader.game.clock is None else reader.game.clock.until


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
    is_yours = _is_yours(event, reader)
    return paragraph(message("time_given" if is_yours else "opponent_gives_time", days=days, hours=hours))


def _days_or_hours(time: timedelta) -> tuple[int, int]:
    """Return a time as whole days and 0, or else as 0 and hours."""
    days, rest = divmod(time, DAY)
    return (0, time // timedelta(hours=1)) if rest else (days, 0)


def _you_dispute(event: news.DisputeOpened, reader: Reader) -> Blocks:
    """Give the verdict on a disputed turn. Where moves are only passed on, there is none."""
    judged = event.verdict
    if judged is None:
        return paragraph(message("dispute_passed_on"))
    told = message("opponent_told_of_dispute", turn=judged.number, is_told=event.notifies_opponent)
    slip = _slip(reader, judged) if event.turn.seat == reader.game.you else ()
    return (
        *verdict(reader, judged),
        *paragraph(told, not_changed(reader), *slip),
        *proof(reader, judged),
    )


def _slip(reader: Reader, judged: Verdict) -> Sentences:
    """Say that the disputed turn is the reader's own, and how it can be taken back."""
    view, own = reader.game, message("disputed_turn_is_yours")
    if view.standing is not Standing.OPEN:
        return (own,)
    rights = None if view.account is None else view.account.may_take_back
    if judged.number != view.turns or (rights is not None and not rights[view.you]):
        return own, message("go_back_after_slip")
    if view.account is None or rights is None:
        return own, message("undo_slip_if_permitted")
    return own, message("undo_slip_for_coins", price=view.account.take_back_price)


def _opponent_disputes(event: news.DisputeOpened, reader: Reader) -> Blocks:
    """Tell that the opponent thinks a turn invalid, and whether it is. By the book, `im` is the first line, or none."""
    turn, judged = event.turn, event.verdict
    line = _at_the_top(reader, f"im {event.shown_reason}".rstrip())
    if judged is None:
        told = message(
            "opponent_disputes_unjudged_turn",
            number=turn.number,
            text=turn.text,
            name=turn.name,
            is_named=event.is_named,
        )
        return *line, *paragraph(told), *_reason(reader, event.shown_reason)
    is_own = turn.seat != reader.game.you
    return (
        *line,
        *verdict(reader, judged),
        *paragraph(
            message("opponent_disputes_turn", number=judged.number, is_own=is_own), not_changed(reader)
        ),
        *_reason(reader, event.reason),
        *proof(reader, judged),
    )


def _reason(reader: Reader, words: str) -> Blocks:
    """Return the reason of a dispute, which the text has in its first line if the dispute leads the letter."""
    if not words:
        return ()
    return (only_html((Quote(words),)),) if reader.is_at_top else (Quote(words),)


def _opponent_asks_for_board(_event: news.BoardAsked, reader: Reader) -> Blocks:
    """Tell that the opponent asks for the board. By the book, `rs` is the first line of the text, or none."""
    asked = paragraph(message("opponent_asks_for_board"), *reader.wording.shape)
    return (*_at_the_top(reader, "rs"), *asked)


def _at_the_top(reader: Reader, line: str) -> Blocks:
    """Return a line by the book, which nobody would read as a message further down in the text."""
    return (only_text((Code((line,)),)),) if reader.is_at_top else ()


def _you_send_board(event: news.BoardForwarded, reader: Reader) -> Blocks:
    told = paragraph(message("relay_board_passed_on", turn=event.turn))
    return (*told, *_two_boards(reader, event, is_received=False))


def _opponent_sends_board(event: news.BoardForwarded, reader: Reader) -> Blocks:
    """Tell which board the opponent sends. By the book, it is in the first lines, or none."""
    told = paragraph(message("opponent_sends_board", turn=event.turn, is_above=reader.is_at_top))
    sent = (Code(event.rows), *told) if reader.is_at_top else (*told, Quote("\n".join(event.rows)))
    return (*sent, *_two_boards(reader, event, is_received=True))


def _two_boards(reader: Reader, event: news.BoardForwarded, *, is_received: bool) -> Blocks:
    """Say how a board compares with the one that the other player has sent before, if they have sent one.

    `is_received`: the opponent sends the board, and not the reader.
    """
    if event.comparison is None:
        return paragraph(message("send_your_board" if is_received else "boards_compared_later"))
    turn = event.opponents_turn
    assert turn is not None
    sent = message("older_board_sent", turn=turn, is_yours=is_received)
    return (
        *paragraph(sent if turn != event.turn else None),
        *reader.wording.compared(event.comparison, Boards.RECEIVED if is_received else Boards.SENT),
        *paragraph(
            message("replaced_turns_left_out") if event.has_replaced else None,
            message("two_boards_change_nothing"),
        ),
    )


def _said(event: news.ChatSent, reader: Reader) -> Blocks:
    return (*paragraph(gets_words(reader)), Quote(event.words))


ROWS: Mapping[type[news.News], Row] = {
    news.OfferMade: Row("offered", _you_offer, _opponent_offers),
    news.ProposalMade: Row("proposed", _you_propose, _opponent_proposes),
    news.ProposalRepeated: Row("already_proposed", _already_proposed),
    news.OfferRefused: Row("offer_refused", _you_refuse, _opponent_refuses),
    news.OfferWithdrawn: Row("offer_withdrawn", _you_withdraw, _opponent_withdraws),
    news.OfferAgreed: Row("offer_agreed", _you_agree, _opponent_agrees),
    news.ReminderDue: Row(tells=_reminder),
    news.HolidayTaken: Row(tells=_holiday),
    news.TimeOver: Row(tells=_time_over),
    news.LostOnTime: Row(tells=lambda _, reader: paragraph(*outcome(reader))),
    news.GameRested: Row(tells=_rested),
    news.TimeGiven: Row("gave_time", _time_given, _time_given),
    news.DisputeOpened: Row(
        "dispute",
        _you_dispute,
        _opponent_disputes,
        shows=lambda event: Shows.OTHER_BOARD if event.verdict else Shows.NOTHING,
    ),
    news.ChatQueued: Row("said_later", lambda event, reader: said_later(reader, event.words)),
    news.ChatSent: Row("said", _said, says(message("opponent_has_something_to_say"))),
    news.TextRepeated: Row(tells=says(message("opponents_words_repeat"))),
    news.BoardAsked: Row("relay_rs", says(message("board_asked")), _opponent_asks_for_board),
    news.BoardForwarded: Row("relay_board", _you_send_board, _opponent_sends_board),
}
"""Rows of news about offers, clocks, and what the players say and show to each other."""
