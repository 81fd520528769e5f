"""Say what the reader can do next, with what can be touched for it, and what stands below the board.

A line that is offered is typed in the text, and a button in the HTML part.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from takmail.blocks import (
    Block,
    Blocks,
    Button,
    Cells,
    Columns,
    Indented,
    Message,
    Paragraph,
    Rule,
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
from takmail.games.interface import Seat
from takmail.letters.parts.ending import outcome
from takmail.letters.parts.offers import answering_line, offered
from takmail.letters.parts.terms import clock_told, opponent_is_away, title_of
from takmail.letters.parts.turns import played
from takmail.letters.reader import Reader
from takmail.world import OfferedChange, PendingKind, Standing

_MAIL_LINE_END = "\r\n"


def next_steps(reader: Reader) -> Blocks:
    """Say what the reader can do now, with what can be touched for it."""
    waits = paragraph(*offered(reader), *_disputes(reader)) if reader.game.standing is Standing.OPEN else ()
    return (*waits, *_turn(reader), *opponent_is_away(reader), *touch(reader))


def _turn(reader: Reader) -> Blocks:
    seen, clock = reader.game, clock_told(reader)
    match seen.standing:
        case Standing.OPEN if seen.is_relay:
            turn = message("your_turn_in_relay" if seen.your_turn else "opponents_turn_in_relay")
            return paragraph(turn, *clock)
        case Standing.OPEN if seen.your_turn:
            typed = paragraph(message("your_turn_answer_with_move"), *reader.wording.how(seen))
            return only_text(typed), only_html(paragraph(*reader.wording.touch(seen))), *paragraph(*clock)
        case Standing.OPEN:
            return paragraph(message("opponents_turn"), *clock)
        case Standing.INVITED:
            return paragraph(
                message("opponent_waits_for_your_answer" if seen.is_guest else "opponent_has_not_answered")
            )
        case Standing.BIDDING if seen.bid is None:
            return paragraph(*reader.wording.bid(seen))
        case Standing.BIDDING:
            return paragraph(message("bid_is_hidden", bid=seen.bid))
        case Standing.DECLINED:
            return paragraph(message("game_was_declined"))
        case Standing.ADJOURNED if not seen.why:
            return paragraph(message("game_waits_to_be_mended"))
        case Standing.ADJOURNED:
            return paragraph(message("game_is_adjourned", why=seen.why))
        case Standing.OVER:
            return paragraph(*_is_over(reader))


def _is_over(reader: Reader) -> tuple[Text, ...]:
    """Say that the game is over, and how to play another one like it."""
    seen = reader.game
    ended = () if reader.has_ended else outcome(reader)
    review = (message("review_is_possible"),) if reader.has_reviews and seen.turn else ()
    if reader.opponent_left or seen.table.has_rematch:
        return (message("game_is_over"), *ended, *review)
    begins = "lot" if seen.table.has_bids else "you" if seen.you is Seat.SECOND else "opponent"
    return (message("game_is_over"), *ended, message("rematch_is_possible", begins=begins), *review)


def _disputes(reader: Reader) -> tuple[Message, ...]:
    """Say which turns are disputed, and how the game goes on. Where no board is kept, nobody is held up by it."""
    seen = reader.game
    if not seen.disputed or seen.is_relay:
        return ()
    thought = tuple(
        message(
            "you_think_turns_invalid" if seat == seen.you else "opponent_thinks_turns_invalid",
            count=len(turns),
            turns=turns,
        )
        for seat, turns in seen.disputed
    )
    first = min(turns[0] for _, turns in seen.disputed)
    line = f"propose back {first - 1}" if first > 1 else "propose restart"
    return (*thought, message("disputed_game_goes_on", line=line), message("write_or_show_your_board"))


def below(reader: Reader, *, explains_board: bool = False, shows_step: bool = False) -> Blocks:
    """Return what stands below the line, which only a game that has begun has.

    `explains_board`: the letters or the pictures of the board are explained to whoever plays for the first time.
    `shows_step`: it says by what two people see that they have the same board.
    """
    seen = reader.game
    if not seen.has_begun:
        return ()
    explained = explains_board and seen.is_first_game and not seen.is_relay
    is_judged = seen.standing is Standing.OPEN and not seen.is_relay
    if_invalid = message("if_a_move_seems_invalid") if is_judged else None
    return (
        Rule(),
        *(in_step(reader) if shows_step else ()),
        *last_turns(reader),
        *(_explained_board(reader) if explained else ()),
        only_text(paragraph(_always(reader), _other_words(reader))),
        can_always_be_touched(reader),
        only_html(paragraph(if_invalid, _other_words(reader))),
    )


def in_step(reader: Reader) -> Blocks:
    """Say by what two people see that they have the same board."""
    seen = reader.game
    title = title_of(reader, seen.table.record)
    mover = "you" if seen.to_move == seen.you else "opponent"
    if seen.is_current:
        is_over = seen.standing is Standing.OVER
        played = message(
            "turns_played_so_far", title=title, turns=seen.turn, next="over" if is_over else mover
        )
    else:
        played = message("turns_played_then", title=title, turns=seen.turn, next=mover)
    same = message("checksum_is", checksum=seen.checksum)
    return (*paragraph(played, same), *reader.wording.position(seen))


def last_turns(reader: Reader) -> Blocks:
    """List the last turns."""
    turns = reader.game.last_turns
    if not turns:
        return ()
    return (*paragraph(message("last_turns_are")), Indented(tuple(map(played, turns))))


def _explained_board(reader: Reader) -> Blocks:
    legend = paragraph(*reader.wording.legend(reader.game.you))
    return only_text(legend), only_html(paragraph(*reader.wording.pieces))


def _always(reader: Reader) -> Message:
    seen = reader.game
    if seen.standing is not Standing.OPEN:
        return message("always_without_moves")
    if seen.is_relay:
        return message("always_in_relay")
    return message("always_in_game", can_offer_draw=seen.can_offer_draw)


def _other_words(reader: Reader) -> Message | None:
    """Say where other words go. A bot reads none: say what can be asked for instead."""
    if reader.plays_bot:
        return message("hint_tells_where") if reader.game.your_turn and reader.has_reviews else None
    return None if reader.opponent_left else message("other_words_go_to_opponent")


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
            has_lessons = reader.games.teacher(seen.table.record.kind) is not None
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
