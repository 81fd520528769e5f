"""What can be touched in a letter about a game. Only the HTML part has it."""

from takmail.blocks import Blocks, Button, Buttons, SmallLinks, buttons, message, only_html, paragraph
from takmail.letters.reader import Reader
from takmail.world import OfferedChange, PendingKind, Standing


def touch(reader: Reader) -> Blocks:
    """Return buttons for what waits for an answer of the reader."""
    seen = reader.game
    match seen.standing:
        case Standing.INVITED if seen.is_guest:
            answers = buttons((message("label_accept"), "accept"), (message("label_decline"), "decline"))
            return answers, SmallLinks((Button(message("label_rules"), "rules"),))
        case Standing.BIDDING:
            bids = buttons((message("label_bid"), "bid "), (message("label_decline"), "decline"))
            return only_html(paragraph(message("touch_to_bid"))), bids
        case Standing.OPEN:
            return tuple(block for offer in seen.offered for block in _answers(offer))
        case _:
            return ()


def _answers(offer: OfferedChange) -> Blocks:
    """Return the buttons that agree to an offer and refuse it, below what is offered."""
    agree = f"agree {offer.kind} {offer.target}" if offer.kind is PendingKind.BACK else f"agree {offer.kind}"
    answers = buttons((message("label_agree"), agree), (message("label_decline"), f"refuse {offer.kind}"))
    wish = message("opponent_wishes", kind=offer.kind, turn=offer.target or 0)
    return only_html(paragraph(wish)), answers


def can_always_be_touched(reader: Reader) -> SmallLinks:
    """Return links for what can always be written."""
    seen = reader.game
    links = [Button(message("label_board"), "rs")]
    if seen.is_relay:
        links = [
            Button(message("label_board_by_rules"), "show"),
            Button(message("label_opponents_board"), "rs"),
        ]
    links.append(Button(message("label_log"), "log"))
    if seen.can_offer_draw:
        links.append(Button(message("label_draw"), "draw"))
    if seen.standing is Standing.OPEN:
        links.append(Button(message("label_resign"), "resign"))
    if seen.is_first_game:
        links.append(Button(message("label_rules"), "rules"))
    return SmallLinks((*links, Button(message("label_help"), "help")))


def yes_or_no() -> Buttons:
    """Return the buttons that answer whether a mail was the reader's."""
    return buttons((message("label_from_me"), "yes"), (message("label_not_from_me"), "no"))
