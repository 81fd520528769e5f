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
from takmail.games.bots import BotName
from takmail.games.choice import Choices
from takmail.letters.passages.standings import STANDINGS
from takmail.letters.passages.terms import against_bot, title_of
from takmail.letters.passages.times import opponent_is_away
from takmail.letters.passages.turns import played
from takmail.letters.reader import Reader

_SAYS = {
    "resign match": message("line_gives_match_up"),
    "rematch games=": message("line_asks_for_match"),
    "rematch points=": message("line_asks_for_match"),
    "ifs off": message("line_drops_prepared"),
    "propose restart": message("line_restarts_game"),
}
"""What lines do, by their beginnings, that do something else than the help about their first word tells."""


def next_steps(reader: Reader) -> Blocks:
    """Say what the reader can do now, with what can be touched for it."""
    told = STANDINGS[reader.game.standing]
    return (*told.now(reader), *opponent_is_away(reader), *told.touch(reader))


def below(reader: Reader, *, shows_step: bool = False) -> Blocks:
    """Return what stands below the line, which only a game that has begun has.

    `shows_step`: it says by what two people see that they have the same board.
    """
    if not reader.game.has_begun:
        return ()
    return (
        Rule(),
        *(in_step(reader) if shows_step else ()),
        *(() if reader.was_told("log", "relay_log") else last_turns(reader)),
        *(_explained(reader) if reader.needs_explanations else _reminded(reader)),
    )


def _reminded(reader: Reader) -> Blocks:
    """Return what stands in place of the explanations for a reader who knows them."""
    seen = reader.game
    can_move = seen.your_turn and seen.is_open and not seen.is_relay
    example = reader.wording.turn_example(seen) if can_move else ""
    how = message("answer_with_move_such_as", line=example) if example else message("help_tells_more")
    is_known = reader.was_told("help", "help_all")
    return only_text(paragraph(None if is_known else how)), can_always_be_touched(reader)


def _explained(reader: Reader) -> Blocks:
    """Explain the letters or the pictures of the board, and say what can always be written."""
    seen = reader.game
    is_judged = seen.is_open and not seen.is_relay
    if_invalid = message("if_a_move_seems_invalid") if is_judged and not reader.opponent.is_bot else None
    return (
        *(() if seen.is_relay else _explained_board(reader)),
        only_text(paragraph(_always(reader), _other_words(reader))),
        can_always_be_touched(reader),
        only_html(paragraph(if_invalid, _other_words(reader))),
    )


def in_step(reader: Reader) -> Blocks:
    """Say by what two people see that they have the same board."""
    seen = reader.game
    title = title_of(reader, seen.game.record)
    mover = "you" if seen.shown.to_move == seen.you else "opponent"
    if seen.shown.is_current:
        is_over = seen.is_over
        played = message(
            "turns_played_so_far", title=title, turns=seen.shown.turn, next="over" if is_over else mover
        )
    else:
        played = message("turns_played_then", title=title, turns=seen.shown.turn, next=mover)
    same = message("checksum_is", checksum=seen.shown.checksum)
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
    if not seen.is_open:
        return message("always_without_moves")
    if seen.is_relay:
        return message("always_in_relay")
    if reader.opponent.is_bot:
        return message("always_against_bot")
    return message("always_in_game", can_offer_draw=seen.can_offer_draw)


def _other_words(reader: Reader) -> Message | None:
    """Say where other words go. A bot reads none: say what can be asked for instead."""
    if reader.opponent.is_bot:
        return message("hint_tells_where") if reader.game.your_turn and reader.has_reviews else None
    return None if reader.opponent.has_left else message("other_words_go_to_opponent")


def choices(reader: Reader, groups: tuple[Choices, ...], number: int) -> Blocks:
    """List the turns of one place in groups. `number` is the number of the next turn.

    As links are long, the HTML part has as many of the turns as there is room for, and says how the others are typed.
    """
    lists = 1 if reader.answering is None else reader.answering.move_lists
    touched = groups if reader.links is None else reader.links.whole(groups, lists)
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
        links.append(
            Button(message("label_draw_with_bot" if reader.opponent.is_bot else "label_draw"), "draw")
        )
    if seen.is_open:
        links.append(Button(message("label_resign"), "resign"))
    if seen.is_first_game:
        links.append(Button(message("label_rules"), "rules"))
    return SmallLinks((*links, Button(message("label_help"), "help")))


def offered_lines(reader: Reader, offers: Sequence[OfferedLine], *, asks: bool = False) -> Blocks:
    """Offer lines, in the HTML part as buttons. `asks`: the letter asks whether the only line is meant."""
    if not offers:
        return ()
    many = len(offers) > 1
    typed = message("mean_one_of_these" if many else "mean_this_asked" if asks else "mean_this")
    touched = message("touch_one_of_these" if many else "touch_this_asked" if asks else "touch_this")
    rows = tuple((against_bot(reader, offer.line), what_it_does(reader, offer)) for offer in offers)
    return (
        only_text((Paragraph((typed,)), Columns(rows))),
        only_html((Paragraph((touched,)),)),
        *(
            buttons((_label(line, meaning), _mail(reader, offer)))
            for offer, (line, meaning) in zip(offers, rows, strict=True)
        ),
    )


def _label(line: str, meaning: tuple[Text, ...]) -> tuple[Text, ...]:
    """Return what a line does, and the line behind it, which stands alone if nothing is said of it."""
    return (
        (*meaning, message("line_in_brackets", line=line))
        if meaning
        else (message("line_to_type", line=line),)
    )


def _mail(reader: Reader, offer: OfferedLine) -> str:
    """Return the text of the mail that sends a line. A turn names its number, so that it is refused if it is late."""
    return f"{offer.line} #{reader.game.turns + 1}" if offer.effect else against_bot(reader, offer.line)


def what_it_does(reader: Reader, offer: OfferedLine) -> tuple[Text, ...]:
    """Say what a line would do now."""
    if offer.effect is not None:
        shown = replace(reader.game.shown, effect=offer.effect, is_completed=False, result=None)
        seen = replace(reader.game, shown=shown)
        in_ptn = (message("as_other_programs_write"),) if offer.in_ptn else ()
        return (*in_ptn, *reader.wording.effect(seen))
    if offer.line.startswith("help "):
        return (message("explains_word", word=offer.line.partition(" ")[2]),)
    if offer.line == "reads ptn":
        return (message("lines_read_as_other_programs_write"),)
    if offer.line.startswith("new ") and (bot := offer.line.partition(" vs bot ")[2].partition(" ")[0]):
        return (message("line_begins_bot_game", name=BotName.of(bot)),)
    says = next((said for begin, said in _SAYS.items() if offer.line.startswith(begin)), None)
    if says is not None:
        return (says,)
    return (Message(f"summary_{offer.keyword}"),) if offer.keyword else ()
