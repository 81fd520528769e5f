"""Offer lines that may be meant, and say what each would do."""

from collections.abc import Sequence
from dataclasses import replace

from takmail.blocks import Blocks, Columns, Message, Paragraph, Text, buttons, message, only_html, only_text
from takmail.commands.answers import OfferedLine
from takmail.letters.reader import Reader

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
