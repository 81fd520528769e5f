"""Make the letters that ask somebody to a game, and the subjects of letters about a game."""

from collections.abc import Iterable

from takmail.blocks import Blocks, Message, message, paragraph
from takmail.commands.services import A_FRIEND
from takmail.commands.view import View
from takmail.games.interface import Seat
from takmail.games.wording import Wording
from takmail.letters.parts.mail import opponents_words
from takmail.letters.parts.terms import days_of, relay_of, title_of
from takmail.letters.parts.touch import touch
from takmail.letters.reader import Reader
from takmail.world import Table


def host_address(table: Table, guest: Seat) -> str | None:
    """Return the address of a game's host for its guest, None unless the host gave the guest's."""
    host = table.players[guest.other]
    is_named = table.record.guest_label is not None and not host.is_erased
    return host.main_mailbox.address if is_named else None


def invitation(
    reader: Reader, words: Iterable[str] = (), host: str | None = None, *, is_to_stranger: bool
) -> Blocks:
    """Ask somebody to a game, and explain it.

    `words` are those of the host that go with it, and `host` is what `host_address` returns. `is_to_stranger`: the
    guest has never written.
    """
    seen, wording = reader.game, reader.wording
    set_up = wording.set_up(seen.setup, is_relay=seen.is_relay)
    return (
        *paragraph(
            message("host_asks_you", game=wording.name, title=message("title", labels=set_up)),
            None if host is None else message("address_of_opponent", host_address=host),
            message("how_to_accept", needs_board=seen.is_relay),
        ),
        *opponents_words(words),
        *wording.about(seen),
        *paragraph(relay_of(seen)),
        *paragraph(_first_turn(seen), days_of(seen)),
        *paragraph(message("invitation_is_sent_once") if is_to_stranger else None),
        *touch(reader),
    )


def rematch(reader: Reader) -> Blocks:
    """Ask somebody to play again as before."""
    seen = reader.game
    begins = "lot" if seen.has_bids else "you" if seen.to_move is seen.you else "opponent"
    terms = (title_of(reader, seen), *reader.wording.terms(seen.facts))
    return (
        *paragraph(
            message("host_wants_rematch", terms=terms, begins=begins),
            message("how_to_accept_rematch", has_bids=seen.has_bids),
        ),
        *paragraph(relay_of(seen)),
        *paragraph(days_of(seen)),
        *touch(reader),
    )


def subject_of_invitation(seen: View, wording: Wording, host: str) -> Message:
    """Return the Subject of an invitation. `host` is what the guest may read of the host's name, which may be ''."""
    return message(
        "subject_of_invitation",
        host=host or A_FRIEND,
        game="" if wording.title_names_game else wording.name,
        title=message("title", labels=wording.title(seen.setup, is_relay=seen.is_relay)),
    )


def _first_turn(seen: View) -> Message:
    if seen.has_bids:
        return message("first_turn_goes_to_higher_bid")
    return message("first_turn_would_be", is_yours=Seat(seen.to_move) == seen.you)
