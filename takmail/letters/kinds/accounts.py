"""Write the letters that are about no game: how to begin, addresses, and whether a mail was its sender's."""

from collections.abc import Sequence
from dataclasses import dataclass

from takmail.blocks import Blocks, Columns, Message, Quote, buttons, message, paragraph
from takmail.letters.parts.mail import last_answer, unread
from takmail.letters.parts.terms import who_may_begin
from takmail.letters.parts.touch import yes_or_no
from takmail.letters.reader import Reader
from takmail.mail.message import UnreadableReason
from takmail.world import AskedAgain

SUBJECT_OF_ANSWER = message("subject_of_answer")
SUBJECT_OF_WELCOME = message("subject_of_welcome")
SUBJECT_OF_SEAT_ADDRESS = message("subject_of_seat_address")
SUBJECT_OF_ADDED_ADDRESS = message("subject_of_added_address")
SUBJECT_OF_ASKED_ADDRESS = message("subject_of_asked_address")
SUBJECT_OF_LEAVING_ADDRESS = message("subject_of_leaving_address")
SUBJECT_OF_REMOVED_ADDRESS = message("subject_of_removed_address")
SUBJECT_OF_CONFIRMATION = message("subject_of_confirmation")
SUBJECT_OF_UNREAD_MAIL = message("subject_of_unread_mail")
_FORGET_ME = "forget me"


# Who has not begun to play.


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


def seat_address(reader: Reader, *, last_for: str) -> Blocks:
    """Tell somebody who wrote to a player's reply address from an unknown one how to play."""
    wording = reader.wording
    return (
        *paragraph(message("address_is_a_players")),
        *paragraph(message("if_you_are_that_player")),
        *paragraph(
            message("if_you_are_not_that_player", example=wording.example, seek_example=wording.seek_example)
        ),
        *last_answer(last_for),
    )


def blocked(*, why: str) -> Blocks:
    """Tell somebody that the operator takes no mail from them. `why` is the operator's reason, or ''."""
    return (
        *paragraph(message("operator_takes_no_mail", why=why)),
        *paragraph(message("nothing_is_carried_out")),
    )


# The addresses of a player. `name` is the player, and `changed` the address.


def address_added(*, name: str, changed: str) -> Blocks:
    """Tell a player at their oldest address that they have one more."""
    return (
        *paragraph(message("you_have_one_more_address", name=name, changed=changed)),
        *paragraph(message("if_you_did_not_add_it", changed=changed)),
    )


def address_asks(*, name: str, days: int) -> Blocks:
    """Ask the owner of an address whether they are a player. They have `days` to answer."""
    return paragraph(message("is_this_address_yours", name=name, days=days))


def address_leaves(*, name: str, changed: str, days: int, is_it: bool) -> Blocks:
    """Tell a player that their oldest address leaves in `days`. `is_it`: this goes there, and asks whether it stays."""
    if not is_it:
        return paragraph(message("your_address_leaves", name=name, changed=changed, days=days))
    return (
        *paragraph(message("this_address_leaves", name=name, days=days)),
        buttons((message("label_keep_address"), "no")),
    )


def address_removed(*, name: str, changed: str, is_it: bool) -> Blocks:
    """Tell a player that an address is no longer theirs. `is_it`: this goes there."""
    if is_it:
        return paragraph(message("this_address_has_left", name=name))
    return paragraph(message("your_address_has_left", name=name, changed=changed))


# Whether a mail is its sender's.


@dataclass(frozen=True, slots=True)
class Confirmation:
    """What the owner of an address is asked to confirm, as a mail with this address asks for it.

    * `lines` are those of the mail that are shown, none if they may not be repeated
    * `days` are those within which a `yes` counts
    * `is_of_account`: it is about the account of a player whose token the mail had
    * `again` tells why it is asked again
    * `left_out`: the mail asks for more than is shown
    * `has_words`: there were words for somebody in the mail, which are not kept
    * `last_for` is as in `Correspondent`
    """

    lines: Sequence[str]
    days: int
    last_for: str
    is_of_account: bool = False
    again: AskedAgain = AskedAgain.NO
    left_out: bool = False
    has_words: bool = False


def confirmation(asked: Confirmation) -> Blocks:
    """Ask the owner of an address whether a mail was theirs."""
    return (
        *paragraph(_what_has_come(asked)),
        *(_to_be_confirmed(asked) if asked.lines else paragraph(message("write_all_of_it_again"))),
        *(() if asked.is_of_account else paragraph(message("what_service_does"))),
        *last_answer(asked.last_for),
    )


def _what_has_come(asked: Confirmation) -> Message:
    if asked.again is AskedAgain.LOOSE:
        return message("yes_or_no_is_not_surely_yours")
    if asked.again is AskedAgain.UNCLEAR:
        return message("your_answer_is_unclear")
    if asked.is_of_account:
        return message("you_asked_for")
    return message("mail_asks_for" if asked.lines else "mail_asks_for_what_is_not_shown")


def _to_be_confirmed(asked: Confirmation) -> Blocks:
    if asked.is_of_account:
        confirm = message("confirm_what_you_asked_for", days=asked.days)
    else:
        confirm = message("confirm_what_mail_asks_for", days=asked.days)
    return (
        Quote("\n".join(asked.lines)),
        *(paragraph(message("forget_me_is_for_good")) if _FORGET_ME in asked.lines else ()),
        *paragraph(confirm),
        yes_or_no(),
        *(paragraph(message("write_the_words_again")) if asked.has_words else ()),
        *(paragraph(message("write_the_rest_again")) if asked.left_out else ()),
    )
