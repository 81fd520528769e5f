"""Extract what the sender of a mail typed now, and the boards that they quote to be looked at."""

import re
from collections.abc import Sequence
from dataclasses import replace

from takmail.commands.game.table import Corrupt, Table
from takmail.commands.grammar.boards import found_in
from takmail.commands.grammar.line_reader import Reader, anywhere
from takmail.commands.grammar.normalize import writable
from takmail.commands.grammar.pasted_boards import pasted_in_quotes
from takmail.commands.grammar.understand import understand
from takmail.commands.records import SentLetter
from takmail.games.interface import Seat
from takmail.letters.services import Services
from takmail.mail.message import Message
from takmail.mail.quotes.known_letters import above_whole
from takmail.mail.quotes.own_letters import Own, may_hold_letters, without_letters
from takmail.mail.quotes.quoted_blocks import has_marks
from takmail.mail.quotes.reply_text import typed_text

_REPLY = re.compile(r"\w{1,6}(\[\d+\])? ?:")
"""Re:, AW:, SV:, Fwd:, Re[2]: and their like in front of a Subject."""


def extract_reply_text(services: Services, message: Message, answered: SentLetter | None) -> str:
    """Return what the sender typed now; a new mail without a text may have its one command in the Subject."""
    own = Own(services.address, services.name)
    sides = (answered.text, answered.html_text) if answered else (None, None)
    text = writable(typed_text(message.text, sides[0], own, sides[1]))
    is_reply = bool(message.in_reply_to or message.references) or _REPLY.match(message.subject)
    if text.strip() or is_reply:
        return text
    subject = writable(message.subject)
    is_command = understand(subject, anywhere(services.games), question_open=False).orders
    return subject if is_command else ""


def extract_in_game(
    services: Services,
    message: Message,
    answered: SentLetter | None,
    text: str,
    game: Table | Corrupt | None = None,
    seat: Seat | None = None,
) -> str:
    """Return what was typed, read with what is known of the game, if one is.

    The last letters to the seat are taken out, as a thread may be quoted with no marks at all; and where no board was
    typed, those below it come in that stand between marks of quoting and in no letter of ours.
    """
    letters: Sequence[tuple[str, str | None]] = ()
    reader: Reader = anywhere(services.games)
    is_quoting = _is_quoting(message, answered)
    if game is not None and seat is not None and (is_quoting or may_hold_letters(text)):
        letters = game.threads[seat].texts
        text = without_letters(text, _sides(letters))
        if is_quoting:
            letters = (*letters, *game.threads[seat.other].texts)
        reader = replace(reader, find_boards=game.rules.boards_in)
    known = answered.text if answered is not None else None
    is_known = known != "" and all(words for words, _ in letters)
    # What a letter said whose text is kept no longer can't be told from what somebody else has written.
    if not is_quoting or not is_known or found_in(text.splitlines(), reader):
        return text
    own = Own(services.address, services.name)
    quoted = pasted_in_quotes(writable(message.text), own, reader, known, _sides(letters))
    return "\n\n".join(filter(None, (text, *quoted)))


def _is_quoting(message: Message, answered: SentLetter | None) -> bool:
    """Whether anything is quoted with marks but the whole letter that the mail answers."""
    text = message.text
    for side in (answered.text, answered.html_text) if answered is not None else ():
        text = above_whole(text, side) if side else text
    return has_marks(text)


def _sides(letters: Sequence[tuple[str, str | None]]) -> list[str]:
    """All that letters say, be it their text or their HTML side that a program has quoted."""
    return [side for letter in letters for side in letter if side]
