"""What the sender of a mail typed now, and the boards that they quote from elsewhere to have them looked at."""

import re
from collections.abc import Sequence

from takmail.games.registry import GAMES, boards_anywhere, read_anywhere
from takmail.mail.quotes.marked import has_marks
from takmail.mail.quotes.older import may_hold_letters, without_letters
from takmail.mail.quotes.own import Own
from takmail.mail.quotes.quoted import typed_text
from takmail.mail.quotes.whole import above_whole
from takmail.service.case import Case
from takmail.service.reading.boards import FindBoards, found_in
from takmail.service.reading.pasted import pasted_in_quotes
from takmail.service.reading.plain import writable
from takmail.service.reading.understand import understand
from takmail.service.trust.identify import game_number
from takmail.store import outbox

_REPLY = re.compile(r"\w{1,6}(\[\d+\])? ?:")
"""Re:, AW:, SV:, Fwd:, Re[2]: and their like in front of a Subject."""


def typed(case: Case) -> str:
    """What the sender typed now; a new mail without a text may have its one command in the Subject."""
    mail, own = case.mail, Own(case.desk.address, case.desk.name)
    sides = (case.answered.text, case.answered.html_text) if case.answered else (None, None)
    text = writable(typed_text(mail.text, sides[0], own, sides[1]))
    is_reply = bool(mail.in_reply_to or mail.references) or _REPLY.match(mail.subject)
    if text.strip() or is_reply:
        return text
    subject = writable(mail.subject)
    is_command = understand(subject, read_anywhere, boards_anywhere, question_open=False).orders
    return subject if is_command else ""


def typed_in_game(case: Case, text: str) -> str:
    """What was typed, with what is known of the game, if one is.

    The last letters to the seat are taken out, as a thread may be quoted with no marks at all; and where no board was
    typed, those below it come in that stand between marks of quoting and in no letter of ours.
    """
    letters: Sequence[tuple[str, str | None]] = ()
    find_boards: FindBoards = boards_anywhere
    is_quoting = _is_quoting(case)
    if case.chair is not None and (is_quoting or may_hold_letters(text)):
        number, most = game_number(case.chair.game), outbox.LAST_LETTERS
        letters = outbox.last_texts(case.session, number, case.chair.seat, most)
        text = without_letters(text, _sides(letters))
        if is_quoting:
            letters = (*letters, *outbox.last_texts(case.session, number, case.chair.seat.other, most))
        find_boards = GAMES[case.chair.game.kind].boards_in
    answered = case.answered.text if case.answered is not None else None
    is_known = answered != "" and all(words for words, _ in letters)
    # What a letter said whose text is kept no longer can't be told from what somebody else has written.
    if not is_quoting or not is_known or found_in(text.splitlines(), find_boards):
        return text
    own = Own(case.desk.address, case.desk.name)
    quoted = pasted_in_quotes(writable(case.mail.text), own, find_boards, answered, _sides(letters))
    return "\n\n".join(filter(None, (text, *quoted)))


def _is_quoting(case: Case) -> bool:
    """Whether anything is quoted with marks but the whole letter that the mail answers."""
    letter, text = case.answered, case.mail.text
    for side in (letter.text, letter.html_text) if letter is not None else ():
        text = above_whole(text, side) if side else text
    return has_marks(text)


def _sides(letters: Sequence[tuple[str, str | None]]) -> list[str]:
    """All that letters say, be it their text or their HTML side that a program has quoted."""
    return [side for letter in letters for side in letter if side]
