"""Say how a game stands, one entry for each standing: in a letter about it, by touch, and in a list of games."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from takmail.blocks import (
    Blocks,
    Button,
    Message,
    SmallLinks,
    buttons,
    message,
    only_html,
    only_text,
    paragraph,
)
from takmail.commands.view import ListedGame, View
from takmail.letters.passages.ending import outcome, ways_on
from takmail.letters.passages.offers import answering_line, offered
from takmail.letters.passages.times import clock_told
from takmail.letters.reader import Reader
from takmail.world import OfferedChange, PendingKind, Standing


@dataclass(frozen=True, slots=True)
class StandingTold:
    """What letters say of a game in one standing.

    * `now` says how it stands, and what the reader can do now
    * `listed` says how it stands in a list of games, behind a colon
    * `touch` makes buttons for what waits for an answer of the reader
    """

    now: Callable[[Reader], Blocks]
    listed: Callable[[ListedGame], Message]
    touch: Callable[[Reader], Blocks] = lambda _: ()


def touch(reader: Reader) -> Blocks:
    """Return buttons for what waits for an answer of the reader."""
    return STANDINGS[reader.game.standing].touch(reader)


# An invitation.


def _invited(reader: Reader) -> Blocks:
    is_guest = reader.game.is_guest
    return paragraph(message("opponent_waits_for_your_answer" if is_guest else "opponent_has_not_answered"))


def _listed_invitation(game: ListedGame) -> Message:
    return message("listed_waits_for_you" if game.is_guest else "listed_waits_for_guest")


def _answer_invitation(reader: Reader) -> Blocks:
    if not reader.game.is_guest:
        return ()
    answers = buttons((message("label_accept"), "accept"), (message("label_decline"), "decline"))
    has_lessons = reader.lobby.games.teacher(reader.game.record.kind) is not None
    learn = (Button(message("label_learn"), "learn"),) if has_lessons else ()
    return answers, SmallLinks((*learn, Button(message("label_rules"), "rules")))


# Bids.


def _bidding(reader: Reader) -> Blocks:
    seen = reader.game
    if seen.game.waits_for(seen.you):
        return paragraph(*reader.wording.bid(seen))
    return paragraph(message("bid_is_hidden", bid=seen.bid))


def _listed_bidding(game: ListedGame) -> Message:
    if game.your_turn:
        return message("listed_your_bid")
    return message("listed_bid_of_other", opponent=game.opponent)


def _touch_bid(_reader: Reader) -> Blocks:
    bids = buttons((message("label_bid"), "bid "), (message("label_decline"), "decline"))
    return only_html(paragraph(message("touch_to_bid"))), bids


# Turns, offers and disputes.


def _open(reader: Reader) -> Blocks:
    return (*paragraph(*offered(reader), *_disputes(reader)), *_turn(reader))


def _turn(reader: Reader) -> Blocks:
    seen = reader.game
    clock = () if reader.was_told("clock") else clock_told(reader)
    above, turn = _relayed_turn(seen) if seen.is_relay else _board_turn(reader)
    return (*above, *paragraph(turn, *clock))


def _relayed_turn(seen: View) -> tuple[Blocks, Message]:
    return (), message("your_turn_in_relay" if seen.your_turn else "opponents_turn_in_relay")


def _board_turn(reader: Reader) -> tuple[Blocks, Message | None]:
    """Return what is told of a turn on a board, and a sentence below it that says whose it is, if nothing else does."""
    seen = reader.game
    # Whoever asks what can be played from one place gets that, and no links for all others.
    lists_moves = reader.answering is not None and reader.answering.move_lists > 0
    has_links = reader.links is not None and seen.your_turn and not lists_moves
    also = only_html(reader.wording.touch_also(seen) if has_links else ())
    if not reader.needs_explanations:
        # The lines of the two sides say whose turn it is.
        return (also,), None
    if not seen.your_turn:
        return (), message("opponents_move_comes")
    typed = paragraph(message("your_turn_answer_with_move"), *reader.wording.how(seen))
    return (only_text(typed), only_html(paragraph(*reader.wording.touch(seen))), also), None


def _disputes(reader: Reader) -> tuple[Message, ...]:
    """Say which turns are disputed, and how the game goes on. Where no board is kept, nobody is held up by it."""
    seen = reader.game
    if not seen.disputed or seen.is_relay or not reader.hears_of_disputes:
        return ()
    first = min(turns[0] for _, turns in seen.disputed)
    line = f"propose back {first - 1}" if first > 1 else "propose restart"
    return (*_thought(seen), message("disputed_game_goes_on", line=line), message("write_or_show_your_board"))


def _thought(seen: View) -> tuple[Message, ...]:
    (_, turns), *others = seen.disputed
    if any(theirs == turns for _, theirs in others):
        return (message("both_think_turns_invalid", count=len(turns), turns=turns),)
    return tuple(
        message(
            "you_think_turns_invalid" if seat == seen.you else "opponent_thinks_turns_invalid",
            count=len(turns),
            turns=turns,
        )
        for seat, turns in seen.disputed
    )


def _listed_open(game: ListedGame) -> Message:
    if game.may_claim:
        return message("listed_may_claim", opponent=game.opponent)
    if game.record.timing.rested_at is not None:
        return message(
            "listed_at_rest",
            since=game.record.timing.rested_at,
            is_yours=game.your_turn,
            opponent=game.opponent,
        )
    if game.record.is_relay:
        if game.your_turn:
            return message("listed_you_write")
        return message("listed_other_writes", opponent=game.opponent)
    if game.your_turn:
        return message("listed_your_turn")
    return message("listed_other_moves", opponent=game.opponent)


def _answer_offers(reader: Reader) -> Blocks:
    return tuple(block for offer in reader.game.offers.theirs for block in _answers(offer))


def _answers(offer: OfferedChange) -> Blocks:
    """Return the buttons that agree to an offer and refuse it, below what is offered."""
    is_time = offer.kind is PendingKind.TIME
    answers = buttons(
        (message("label_claim" if is_time else "label_agree"), answering_line("agree", offer)),
        (message("label_wait" if is_time else "label_decline"), answering_line("refuse", offer)),
    )
    wish = message("opponent_wishes", kind=offer.kind, turn=offer.target or 0)
    return only_html(paragraph(wish)), answers


# Games that are suspended or have ended.


def _adjourned(reader: Reader) -> Blocks:
    why = reader.game.why
    return paragraph(message("game_is_adjourned", why=why) if why else message("game_waits_to_be_mended"))


def _listed_adjourned(_game: ListedGame) -> Message:
    return message("listed_adjourned")


def _declined(_reader: Reader) -> Blocks:
    return paragraph(message("game_was_declined"))


def _over(reader: Reader) -> Blocks:
    """Say that the game is over."""
    ended = () if reader.has_ended else outcome(reader)
    return paragraph(message("game_is_over"), *ended)


def _listed_end(game: ListedGame) -> Message:
    return message("listed_outcome", outcome=game.outcome, opponent=game.opponent)


STANDINGS: Mapping[Standing, StandingTold] = {
    Standing.INVITED: StandingTold(_invited, _listed_invitation, _answer_invitation),
    Standing.BIDDING: StandingTold(_bidding, _listed_bidding, _touch_bid),
    Standing.OPEN: StandingTold(_open, _listed_open, _answer_offers),
    Standing.ADJOURNED: StandingTold(_adjourned, _listed_adjourned),
    Standing.OVER: StandingTold(_over, _listed_end, ways_on),
    Standing.DECLINED: StandingTold(_declined, _listed_end),
}
"""What letters say of the games of each standing. No list has one that was declined."""
