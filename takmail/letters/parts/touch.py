"""Return what can be touched or typed: the turns of a place, the answers to a question, and offered lines."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from takmail.blocks import (
    Block,
    Blocks,
    Button,
    Buttons,
    Cells,
    Columns,
    Message,
    Paragraph,
    SmallButtons,
    SmallLinks,
    Text,
    buttons,
    message,
    only_html,
    only_text,
    paragraph,
)
from takmail.commands.answers import OfferedLine
from takmail.games.choice import Choices
from takmail.letters.parts.offers import answering_line
from takmail.letters.reader import Reader
from takmail.world import OfferedChange, PendingKind, Standing


def choices(reader: Reader, groups: tuple[Choices, ...], number: int) -> Blocks:
    """List the turns of one place in groups. `number` is the number of the next turn.

    As links are long, the HTML part has as many of the turns as there is room for, and says how the others are typed.
    """
    touched = groups if reader.links is None else reader.links.whole(groups, reader.move_lists)
    blocks: list[Block] = []
    for group, with_links in zip(groups, touched, strict=True):
        blocks.append(Paragraph((reader.wording.choices(group),)))
        blocks.append(only_text((Cells(tuple(choice.typed for choice in group.turns)),)))
        blocks.append(only_html(_buttons(reader, with_links, number)))
    return tuple(blocks)


def _buttons(reader: Reader, group: Choices, number: int) -> Iterator[Block]:
    """Yield the buttons of a group. A turn names its number, so that it is refused if it comes too late."""
    if group.turns:
        turns = ((choice.name, f"{choice.typed} #{number}") for choice in group.turns)
        yield SmallButtons(tuple(Button(name, line) for name, line in turns))
        yield Paragraph((reader.wording.spelt(group),))
    if group.missing:
        yield Paragraph((reader.wording.untouched(group),))


def touch(reader: Reader) -> Blocks:
    """Return buttons for what waits for an answer of the reader."""
    seen = reader.game
    match seen.standing:
        case Standing.INVITED if seen.is_guest:
            answers = buttons((message("label_accept"), "accept"), (message("label_decline"), "decline"))
            has_lessons = reader.games.teacher(seen.game) is not None
            learn = (Button(message("label_learn"), "learn"),) if has_lessons else ()
            return answers, SmallLinks((*learn, Button(message("label_rules"), "rules")))
        case Standing.BIDDING:
            bids = buttons((message("label_bid"), "bid "), (message("label_decline"), "decline"))
            return only_html(paragraph(message("touch_to_bid"))), bids
        case Standing.OPEN:
            return tuple(block for offer in seen.offered for block in _answers(offer))
        case _:
            return ()


def _answers(offer: OfferedChange) -> Blocks:
    """Return the buttons that agree to an offer and refuse it, below what is offered."""
    is_time = offer.kind is PendingKind.TIME
    answers = buttons(
        (message("label_claim" if is_time else "label_agree"), answering_line("agree", offer)),
        (message("label_wait" if is_time else "label_decline"), answering_line("refuse", offer)),
    )
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
        # A bot agrees at once.
        links.append(Button(message("label_draw_with_bot" if reader.plays_bot else "label_draw"), "draw"))
    if seen.standing is Standing.OPEN:
        links.append(Button(message("label_resign"), "resign"))
    if seen.is_first_game:
        links.append(Button(message("label_rules"), "rules"))
    return SmallLinks((*links, Button(message("label_help"), "help")))


def yes_or_no() -> Buttons:
    """Return the buttons that answer whether a mail was the reader's."""
    return buttons((message("label_from_me"), "yes"), (message("label_not_from_me"), "no"))


_MAIL_LINE_END = "\r\n"


def offered_lines(
    reader: Reader, offers: Sequence[OfferedLine], *, asks: bool = False, beside: str = ""
) -> Blocks:
    """Offer lines, in the HTML part as buttons.

    `asks`: the letter asks whether the only line is meant. `beside` are the words that are sent together with a line.
    """
    if not offers:
        return ()
    many = len(offers) > 1
    typed = message("mean_one_of_these" if many else "mean_this_asked" if asks else "mean_this")
    touched = message("touch_one_of_these" if many else "touch_this_asked" if asks else "touch_this")
    rows = tuple((offer.line, what_it_does(reader, offer)) for offer in offers)
    return (
        only_text((Paragraph((typed,)), Columns(rows))),
        only_html((Paragraph((touched,)),)),
        *(
            buttons(((*meaning, f"({line})") if meaning else line, _mail(reader, offer, beside)))
            for offer, (line, meaning) in zip(offers, rows, strict=True)
        ),
    )


def _mail(reader: Reader, offer: OfferedLine, beside: str) -> str:
    """Return the text of the mail that sends a line. A turn names its number, so that it is refused if it is late."""
    line = f"{offer.line} #{reader.game.turns + 1}" if offer.effect else offer.line
    if not beside:
        return line
    return line + 2 * _MAIL_LINE_END + beside.replace("\n", _MAIL_LINE_END)


def what_it_does(reader: Reader, offer: OfferedLine) -> tuple[Text, ...]:
    """Say what a line would do now."""
    if offer.effect is not None:
        seen = replace(reader.game, effect=offer.effect, is_completed=False, result=None)
        in_ptn = (message("as_other_programs_write"),) if offer.in_ptn else ()
        return (*in_ptn, *reader.wording.effect(seen))
    if offer.line.startswith("help "):
        return (message("explains_word", word=offer.line.partition(" ")[2]),)
    if offer.line == "reads ptn":
        return (message("lines_read_as_other_programs_write"),)
    return (Message(f"summary_{offer.keyword}"),) if offer.keyword else ()
