"""Make the letter that tells how to begin."""

from takmail.blocks import Blocks, Columns, message, paragraph
from takmail.letters.parts.mail import last_answer, unread
from takmail.letters.parts.terms import who_may_begin
from takmail.letters.reader import Reader
from takmail.mail.message import UnreadableReason


def welcome(
    reader: Reader,
    *,
    unreadable: UnreadableReason | None,
    is_stranger: bool,
    has_asked: bool,
    last_for: str,
) -> Blocks:
    """Tell how to begin. It stays within 20 lines.

    * `unreadable` tells why nothing of the mail was read, None if it was
    * `is_stranger`: the owner of the address has never provably written
    * `has_asked`: the mail asks for something that only a proven sender gets
    """
    games = tuple(reader.wording_of(kind).name for kind in reader.games.by_name)
    about_stranger = (
        (message("sender_is_unknown", has_asked=has_asked), message("if_you_have_not_written"))
        if is_stranger
        else ()
    )
    return (
        *(() if unreadable is None else paragraph(unread(unreadable))),
        *_ways_to_begin(reader),
        *paragraph(message("what_can_be_played", games=games), *about_stranger),
        *last_answer(last_for),
    )


def _ways_to_begin(reader: Reader) -> Blocks:
    limit = who_may_begin(reader)
    if limit is not None:
        return paragraph(limit, message("invitation_can_be_answered"))
    wording = reader.wording
    rows = (
        (message("to_let_anybody_join"), wording.seek_example),
        (message("to_see_who_waits"), "seeks"),
        (message("to_join_game_31"), "join 31"),
        (message("to_ask_a_friend"), wording.example),
        (message("to_get_the_rules"), "rules"),
        (message("to_get_all_commands"), "help"),
    )
    return *paragraph(message("answer_with_a_line_to_begin")), Columns(rows)
