"""What the sender of a mail typed now, and the boards that they quote from elsewhere to have them looked at."""

import re
from collections.abc import Sequence

from takmail.games.registry import GAMES, boards_anywhere, read_anywhere
from takmail.mail.marked import marked_text
from takmail.mail.older import without_letters
from takmail.mail.own import Own
from takmail.mail.quoted import typed_text
from takmail.service.case import Case
from takmail.service.reading.boards import FindBoards, found_in
from takmail.service.reading.plain import writable
from takmail.service.reading.understand import understand
from takmail.service.trust.identify import game_number
from takmail.store import outbox

_REPLY = re.compile(r"\w{1,6}(\[\d+\])? ?:")
"""Re:, AW:, SV:, Fwd:, Re[2]: and their like in front of a Subject."""
_BETWEEN_SPOTS = re.compile(r"[\s|]+")
"""What may stand between the spots of a board in a letter of ours: it has a bar before each line that was said."""


def typed(case: Case) -> str:
    """What the sender typed now; a new mail without a text may have its one command in the Subject."""
    mail, own = case.mail, Own(case.desk.address, case.desk.name)
    text = writable(typed_text(mail.text, case.answered.text if case.answered else None, own))
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
    letters: Sequence[str] = ()
    find_boards: FindBoards = boards_anywhere
    if case.chair is not None:
        number, most = game_number(case.chair.game), outbox.LAST_LETTERS
        letters = outbox.last_texts(case.session, number, case.chair.seat, most)
        text = without_letters(text, letters)
        letters = (*letters, *outbox.last_texts(case.session, number, case.chair.seat.other, most))
        find_boards = GAMES[case.chair.game.kind].boards_in
    if case.answered is not None:
        letters = (case.answered.text, *letters)
    has_marks = ">" in case.mail.text or "|" in case.mail.text
    # What a letter said whose text is kept no longer can't be told from what somebody else has written.
    if not has_marks or not all(letters) or found_in(text.splitlines(), find_boards):
        return text
    quoted = _quoted_boards(case, find_boards, letters)
    return "\n\n".join(filter(None, (text, *quoted)))


def _quoted_boards(case: Case, find_boards: FindBoards, letters: Sequence[str]) -> list[str]:
    """The boards between marks of quoting that no letter of ours holds, as they stand there without the marks.

    A program may break the lines of a letter anew and leaves their order as it is: spaces and lines don't count.
    """
    own = Own(case.desk.address, case.desk.name)
    marked = marked_text(writable(case.mail.text), own, keeps_ours=case.answered is not None)
    lines = marked.splitlines()
    known = [_BETWEEN_SPOTS.sub("", letter) for letter in letters]
    foreign = (
        one for one in found_in(lines, find_boards) if not any(_bare(one.text) in letter for letter in known)
    )
    return ["\n".join(lines[one.first : one.after]) for one in foreign]


def _bare(board: str) -> str:
    """The spots of a board run together."""
    return board.replace("/", "").replace(" ", "")
