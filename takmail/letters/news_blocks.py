"""Tell news: `NEWS` has a row for each kind of news that a letter tells to a player."""

from collections.abc import Callable, Mapping
from typing import Any

from takmail.blocks import (
    Blocks,
    Code,
    Message,
    Quote,
    message,
    only_html,
    only_text,
    paragraph,
)
from takmail.games.wording import Sentences
from takmail.letters.parts.ending import outcome
from takmail.letters.parts.offers import agreed, given_up, lapsed_offers
from takmail.letters.parts.terms import days_of, relay_of
from takmail.letters.parts.two_boards import two_boards
from takmail.letters.parts.verdicts import not_changed, proof, verdict
from takmail.letters.reader import Reader
from takmail.world import LIFETIME, PendingKind, Standing, news

NewsBuilder = Callable[[Any, Reader, bool], Blocks]
"""Tells news to a reader. The last parameter says whether they are the first news of the letter."""

_EXPLAINED_TURNS = 3
"""The number of turns at the beginning of a game about which a game may explain something."""


def _says(told: Message) -> NewsBuilder:
    """Return a builder for news that one sentence tells, whatever else they say."""
    return lambda _event, _reader, _is_first: paragraph(told)


# How a game begins.


def _begun(_event: news.GameBegun, reader: Reader, _is_first: bool) -> Blocks:
    begins = not reader.game.has_bids
    return paragraph(message("opponent_accepts", begins=begins), *_terms(reader, begins=begins))


def _bid(_event: news.BidMade, reader: Reader, _is_first: bool) -> Blocks:
    return paragraph(message("bids_are_in"), *reader.wording.sides(reader.game))


def _joined(event: news.SeekJoined, reader: Reader, _is_first: bool) -> Blocks:
    begins = reader.game.has_begun
    is_seeker = reader.game.you != event.seat
    told = (
        message("opponent_joins_your_seek", seek=event.seek, begins=begins)
        if is_seeker
        else message("you_join_opponent", begins=begins)
    )
    return paragraph(told, *_terms(reader, begins=begins))


def _terms(reader: Reader, *, begins: bool) -> tuple[Message | None, ...]:
    """Say which side the reader plays if the game begins now, and what else holds in it."""
    sides = reader.wording.sides(reader.game) if begins else ()
    return (*sides, relay_of(reader.game) if begins else None, days_of(reader.game))


# Turns.


def _turn(event: news.TurnPlayed, reader: Reader, _is_first: bool) -> Blocks:
    """Tell a turn. By the book, the line of the turn stands at the top of the text."""
    seen, number = reader.game, event.turn.number
    return (
        only_text((Code((event.turn.text,)),)),
        *(paragraph(*outcome(reader)) if reader.has_ended else ()),
        *paragraph(*reader.wording.effect(seen)),
        *(paragraph(*reader.wording.opening(number)) if number <= _EXPLAINED_TURNS else ()),
        *lapsed_offers(reader, event.lapsed),
    )


def _relay_turn(event: news.TurnForwarded, reader: Reader, _is_first: bool) -> Blocks:
    turn = event.turn
    told = message("opponent_sends_turn", text=turn.text, number=turn.number, written=turn.written)
    return only_text((Code((turn.text,)),)), *paragraph(told), *lapsed_offers(reader, event.lapsed)


def _dispute(event: news.DisputeOpened, reader: Reader, is_first: bool) -> Blocks:
    """Tell that the opponent thinks a turn invalid, and whether it is. By the book, `im` is the first line, or none."""
    turn, judged = event.turn, event.verdict
    line = _at_the_top((f"im {event.shown_reason}".rstrip(),), is_first=is_first)
    if judged is None:
        told = message(
            "opponent_disputes_unjudged_turn",
            number=turn.number,
            text=turn.text,
            name=turn.name,
            is_named=event.is_named,
        )
        return *line, *paragraph(told), *_reason(event.shown_reason, is_first=is_first)
    is_own = turn.seat != reader.game.you
    return (
        *line,
        *verdict(reader, judged),
        *paragraph(
            message("opponent_disputes_turn", number=judged.number, is_own=is_own), not_changed(reader)
        ),
        *_reason(event.reason, is_first=is_first),
        *proof(reader, judged),
    )


def _reason(words: str, *, is_first: bool) -> Blocks:
    """Return the reason of a dispute, which the text has in its first line if the dispute leads the letter."""
    if not words:
        return ()
    return (only_html((Quote(words),)),) if is_first else (Quote(words),)


def _taken_back_by_right(event: news.TurnTakenBackByRight, reader: Reader, _is_first: bool) -> Blocks:
    account = reader.game.account
    assert account is not None
    told = message(
        "opponent_takes_turn_back",
        number=event.turn.number,
        text=event.turn.text,
        price=account.take_back_price,
    )
    return *paragraph(told), *lapsed_offers(reader, event.lapsed)


def _ended(_event: news.GameNews, reader: Reader, _is_first: bool) -> Blocks:
    return paragraph(*outcome(reader))


# Offers.


def _offered(event: news.OfferMade, _reader: Reader, _is_first: bool) -> Blocks:
    if event.offer.kind is PendingKind.DRAW:
        return paragraph(message("opponent_offers_draw"))
    return paragraph(message("opponent_asks_to_undo", turn=event.offer.turn))


def _proposed(event: news.ProposalMade, reader: Reader, _is_first: bool) -> Blocks:
    wish, shown_after = event.wish, event.shown_after
    told = message(
        "opponent_proposes",
        kind=wish.kind,
        turn=wish.target or 0,
        is_in_place=event.instead_of is not None,
    )
    shown = None if shown_after is None else message("opponent_showed_proposed_board", turn=shown_after)
    stands = message("opponents_proposal_stands", days=LIFETIME.days)
    blocks = paragraph(told, shown, given_up(wish), stands)
    if event.comparison is None:
        return blocks
    return *blocks, *reader.wording.proposed(event.comparison, is_yours=False)


def _agreed(event: news.OfferAgreed, reader: Reader, _is_first: bool) -> Blocks:
    if event.wish.kind is PendingKind.DRAW:
        return paragraph(*outcome(reader))
    return *paragraph(*_what_is_agreed(event, reader)), *lapsed_offers(reader, event.lapsed)


def _what_is_agreed(event: news.OfferAgreed, reader: Reader) -> Sentences:
    if event.wish.kind is not PendingKind.UNDO:
        return agreed(reader, event.wish, opponent_agrees=True)
    assert event.turn is not None
    return (message("opponent_lets_you_undo", number=event.turn.number, text=event.turn.text),)


def _refused(event: news.OfferRefused, _reader: Reader, _is_first: bool) -> Blocks:
    return paragraph(message("opponent_refuses", kind=event.wish.kind, turn=event.wish.target or 0))


def _withdrawn(event: news.OfferWithdrawn, _reader: Reader, _is_first: bool) -> Blocks:
    offer = event.known_to_opponent
    assert offer is not None
    return paragraph(message("opponent_withdraws_offer", kind=offer.kind, turn=offer.target or 0))


# Boards that are passed on, and players who are gone.


def _board_asked(_event: news.BoardAsked, reader: Reader, is_first: bool) -> Blocks:
    """Tell that the opponent asks for the board. By the book, `rs` is the first line of the text, or none."""
    asked = paragraph(message("opponent_asks_for_board"), *reader.wording.shape)
    return (*_at_the_top(("rs",), is_first=is_first), *asked)


def _board_passed_on(event: news.BoardForwarded, reader: Reader, is_first: bool) -> Blocks:
    """Tell which board the opponent sends. By the book, it is in the first lines, or none."""
    told = paragraph(message("opponent_sends_board", turn=event.turn, is_above=is_first))
    return (
        *((Code(event.rows), *told) if is_first else (*told, Quote("\n".join(event.rows)))),
        *two_boards(
            reader,
            event.comparison,
            event.turn,
            event.opponents_turn,
            has_replaced=event.has_replaced,
            is_received=True,
        ),
    )


def _at_the_top(lines: tuple[str, ...], *, is_first: bool) -> Blocks:
    """Return lines by the book, which nobody would read as a message further down in the text."""
    return (only_text((Code(lines),)),) if is_first else ()


def _left(_event: news.OpponentLeft, reader: Reader, _is_first: bool) -> Blocks:
    ended = paragraph(*outcome(reader)) if reader.has_ended else ()
    return *paragraph(message("opponent_has_left")), *ended


def _unreachable(_event: news.OpponentUnreachable, reader: Reader, _is_first: bool) -> Blocks:
    is_invited = reader.game.standing is Standing.INVITED
    return paragraph(message("invitation_came_back" if is_invited else "letters_to_opponent_come_back"))


def _resumed(event: news.GameResumed, _reader: Reader, _is_first: bool) -> Blocks:
    return paragraph(message("game_was_resumed", why=event.why))


NEWS: Mapping[type[news.GameNews], NewsBuilder] = {
    news.GameBegun: _begun,
    news.BidMade: _bid,
    news.InvitationDeclined: _says(message("opponent_declines")),
    news.SeekJoined: _joined,
    news.TurnPlayed: _turn,
    news.TurnForwarded: _relay_turn,
    news.Resigned: _ended,
    news.OfferMade: _offered,
    news.ProposalMade: _proposed,
    news.OfferRefused: _refused,
    news.OfferWithdrawn: _withdrawn,
    news.OfferAgreed: _agreed,
    news.TurnTakenBackByRight: _taken_back_by_right,
    news.DisputeOpened: _dispute,
    news.ChatSent: _says(message("opponent_has_something_to_say")),
    news.TextRepeated: _says(message("opponents_words_repeat")),
    news.BoardAsked: _board_asked,
    news.BoardForwarded: _board_passed_on,
    news.OpponentStoppedMail: _says(message("opponent_wants_no_mail")),
    news.OpponentLeft: _left,
    news.OpponentUnreachable: _unreachable,
    news.GameAdjourned: _says(message("game_was_adjourned")),
    news.GameResumed: _resumed,
    news.GameRuled: _ended,
}
"""The builder of each kind of news for the player who is told."""
