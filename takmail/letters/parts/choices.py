"""List all that can be played from a place: as lines to type in the text, and as buttons in the HTML part."""

from collections.abc import Iterator

from takmail.blocks import Block, Blocks, Button, Cells, Paragraph, SmallButtons, only_html, only_text
from takmail.games.choice import Choices
from takmail.letters.reader import Reader


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
