"""Say how single games stand in a letter about several, each below a heading with its number."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import accumulate

from takmail.blocks import Block, Blocks, Button, Section, SmallLinks, message, only_html, paragraph
from takmail.commands.view import look
from takmail.letters.passages.advance import what_is_prepared
from takmail.letters.passages.ending import coins
from takmail.letters.passages.offers import offered
from takmail.letters.passages.standings import touch
from takmail.letters.passages.terms import heading
from takmail.letters.passages.times import time_until
from takmail.letters.passages.turns import board
from takmail.letters.passages.words import opponents_words
from takmail.letters.reader import Opponent, Reader
from takmail.limits.letters import MAX_WORDS_BYTES
from takmail.mail.tokens import SeatRef
from takmail.world import GameNumber


@dataclass(frozen=True, slots=True)
class ShownGame:
    """A game in a letter about several.

    `words` are those of the opponent that the letter shows. If they go on (`has_more`), the next letter of the game
    brings all of them.
    """

    number: GameNumber
    words: tuple[str, ...] = ()
    has_more: bool = False


def within(words: Sequence[str], games: int) -> tuple[tuple[str, ...], bool]:
    """Return the beginning of an opponent's words for which a letter about so many games has room, and if it is less.

    Long words would take the room of boards. A page is in ASCII, so a Chinese character takes that of eight letters.
    """
    room, shown = MAX_WORDS_BYTES // games, list[str]()
    for text in words:
        sizes = accumulate(len(escape(character).encode("ascii", "xmlcharrefreplace")) for character in text)
        fitting = sum(size <= room for size in sizes)
        if fitting < len(text):
            begun = text[:fitting].rpartition(" ")[0] or text[:fitting]
            return (*shown, *([f"{begun.rstrip()} …"] if begun else [])), True
        shown.append(text)
        room -= len(escape(text).encode("ascii", "xmlcharrefreplace"))
    return tuple(shown), False


def how_to_play(number: GameNumber) -> Blocks:
    """Say how one plays from a letter about several games. `number` is an example."""
    touched = only_html(paragraph(message("digest_is_touched")))
    return (touched, *paragraph(message("digest_is_answered", number=number)))


def sections(reader: Reader, games: Iterable[ShownGame]) -> Blocks:
    """Show games. Only as many of the first ones can be touched as there is room for."""
    return tuple(_section(reader, shown) for shown in games)


def _section(reader: Reader, shown: ShownGame) -> Section:
    world, game = reader.world, reader.world.game(shown.number)
    assert world.reader is not None
    view = look(game, game.record.seat_of(world.reader))
    opponent = Opponent(view.opponent, game.players[view.you.other].is_bot, words=shown.words)
    here = replace(reader, view=view, kind=game.record.kind, opponent=opponent)
    seat = SeatRef(shown.number, view.you, view.turns, game.record.seats[view.you].token_number)
    link = SmallLinks((Button(message("label_board"), "rs"),))
    return Section(heading(here, game.record), opponent.name, seat, tuple(_blocks(here, shown)), link)


def _blocks(reader: Reader, shown: ShownGame) -> Iterable[Block]:
    """Yield what the opponent has played and said, the board, and what waits for an answer."""
    seen = reader.game
    yield from opponents_words(reader)
    if shown.has_more:
        yield from paragraph(message("words_go_on", number=shown.number))
        yield SmallLinks((Button(message("label_all_words"), "rs"),))
    if not seen.your_turn:
        return
    yield from paragraph(
        *(reader.wording.effect(seen) if seen.shown.effect is not None else ()), time_until(reader)
    )
    yield from board(reader)
    yield from coins(reader)
    yield from what_is_prepared(reader, is_gathered=True)
    yield from paragraph(*offered(reader))
    yield from touch(reader)
