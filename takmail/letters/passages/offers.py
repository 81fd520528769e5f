"""Say what the players offer each other, what both agree on, and show the boards that are proposed."""

from collections.abc import Iterable, Iterator

from takmail.blocks import Block, Blocks, Message, Paragraph, message, paragraph
from takmail.games.wording import Sentences
from takmail.letters.passages.ending import coins
from takmail.letters.passages.times import pace_told
from takmail.letters.passages.turns import board
from takmail.letters.reader import Reader
from takmail.world import OfferedChange, Pending, PendingKind


def offered(reader: Reader) -> Sentences:
    """Say what is offered and not answered yet, with the lines that answer it."""
    view = reader.game
    of_opponent = tuple(_opponent_offers(offer, len(view.offers.theirs)) for offer in view.offers.theirs)
    # A move drops no offer of another time, and whose opponent's time is over is not to move.
    lapsing = sum(offer.kind not in (PendingKind.TIME, PendingKind.PACE) for offer in view.offers.theirs)
    drops = (message("next_move_drops_offers", count=lapsing),) if lapsing else ()
    yours = tuple(
        message("you_offer", kind=offer.kind, turn=offer.target or 0, pace=pace_told(offer.pace))
        for offer in view.offers.yours
    )
    return (*of_opponent, *drops, *yours)


def _opponent_offers(offer: OfferedChange, offers: int) -> Message:
    """Say what the opponent offers. If there are several offers, each answer names the one that it is for."""
    which = "" if offers == 1 else f" {offer.kind}"
    agree, refuse = f"agree{which}", f"refuse{which}"
    if offer.kind is PendingKind.TIME:
        agree, refuse = "claim", "wait"
    return message(
        "opponent_offers",
        kind=offer.kind,
        turn=offer.target or 0,
        pace=pace_told(offer.pace),
        agree=agree,
        refuse=refuse,
    )


def answering_line(verb: str, offer: OfferedChange | Pending) -> str:
    """Return the line that agrees to an offer, refuses it or withdraws it, as `verb` says, whatever else is offered."""
    match offer.kind:
        case PendingKind.BACK:
            return f"{verb} {offer.kind} {offer.target}"
        case PendingKind.TIME:
            return "claim" if verb == "agree" else "wait"
        case kind:
            return f"{verb} {kind}"


def lapsed_offers(reader: Reader, offers: Iterable[Pending]) -> Blocks:
    """Say which offers something else has ended, each in a paragraph. That there is time again goes without saying."""
    ended = (offer for offer in offers if offer.kind is not PendingKind.TIME)
    return tuple(Paragraph((_lapsed(reader, offer),)) for offer in ended)


def _lapsed(reader: Reader, offer: Pending) -> Message:
    if offer.seat == reader.game.you:
        return message("your_offer_lapsed", kind=offer.kind, turn=offer.target or 0)
    return message("opponents_offer_lapsed", kind=offer.kind, turn=offer.target or 0)


def agreed(reader: Reader, proposal: OfferedChange, *, opponent_agrees: bool) -> Sentences:
    """Say that both have agreed on another board, what is given up for it, and whose turn it is there."""
    assert proposal.state is not None
    is_yours = proposal.state.to_move == reader.game.you
    return (
        *_goes_on(reader, proposal, opponent_agrees=opponent_agrees),
        message("turn_after_agreement", is_yours=is_yours),
    )


def _goes_on(reader: Reader, proposal: OfferedChange, *, opponent_agrees: bool) -> Sentences:
    match proposal.kind:
        case PendingKind.BACK:
            assert proposal.target is not None
            return (
                message("game_goes_back", turn=proposal.target, opponent_agrees=opponent_agrees),
                message("turns_given_up", first=proposal.target + 1, last=proposal.turn),
            )
        case PendingKind.RESTART:
            return (
                message("restart_agreed", opponent_agrees=opponent_agrees),
                reader.wording.begins_anew,
                message("all_turns_given_up"),
            )
        case _:
            turn = proposal.turn + 1
            return (message("game_goes_on_from_proposed_board", turn=turn, opponent_agrees=opponent_agrees),)


def given_up(proposal: OfferedChange) -> Message | None:
    """Say which turns would be given up if a proposal was accepted, None if it gives none up."""
    if proposal.target is None:
        return None
    return message("turns_would_be_given_up", first=proposal.target + 1, last=proposal.turn)


def proposed_boards(reader: Reader) -> Blocks:
    """Show the boards that either player proposes, the opponent's first."""
    return tuple(
        block
        for index, proposal in enumerate(reader.game.offers.proposed)
        for block in _board(reader, proposal, is_first=index == 0)
    )


def _board(reader: Reader, proposal: OfferedChange, *, is_first: bool) -> Iterator[Block]:
    view, after = reader.game, proposal.state
    assert after is not None
    is_yours = proposal in view.offers.yours
    yield from paragraph(
        message("proposed_board", is_yours=is_yours, turn_is_yours=after.to_move == view.you),
        message("board_above_holds") if is_first else None,
    )
    yield Paragraph((message("proposed_board_below", is_yours=is_yours),))
    turn = proposal.turn + 1 if proposal.target is None else proposal.target
    proposed = view.showing(after, turn, None, proposal.account)
    yield from board(reader.seeing(proposed))
    yield from coins(reader.seeing(proposed))
