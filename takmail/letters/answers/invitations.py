"""The answers to commands with which a game begins: new, accept, decline, bid and rematch."""

from collections.abc import Mapping

from takmail.blocks import Blocks, message, paragraph
from takmail.games.wording import Sentences
from takmail.letters.parts.terms import days_of, leaves_later, relay_of
from takmail.letters.reader import Builder, Reader
from takmail.world import Standing


def invited(
    reader: Reader,
    *,
    number: int,
    guest: str,
    title: str,
    days: int | None,
    wait_hours: int,
    is_relay: bool,
    names_host: bool,
    game: str,
    start: object,
) -> Blocks:
    """Say that the guest is asked, and what the host should know of the game."""
    return paragraph(
        message("guest_asked_with_days", guest=guest, title=title, days=days, number=number)
        if days
        else message("guest_asked", guest=guest, title=title, number=number),
        leaves_later(wait_hours),
        message("invitation_names_host", guest=guest) if names_host else None,
        message("what_relay_is") if is_relay else None,
        *reader.wording_of(game).asked(start),
    )


def new_nobody(reader: Reader, *, name: str, game: str) -> Blocks:
    """Say that nobody has a name, and how somebody is asked who does not play here."""
    return paragraph(message("nobody_of_this_name", name=name, example=reader.wording_of(game).example))


def begun(reader: Reader) -> Blocks:
    """Say that the reader has accepted a game."""
    game = reader.game
    if game.has_bids:
        return paragraph(message("you_accepted"), days_of(game))
    return paragraph(message("game_with_opponent_begins"), *_sides(reader), relay_of(game), days_of(game))


def bid(reader: Reader, *, game: int, notifies_opponent: bool) -> Blocks:
    """Say that a bid is kept, or that the game begins with it. `game` may not be the game of the letter."""
    if notifies_opponent:
        return paragraph(message("both_bids_are_in"), *_sides(reader))
    view = reader.view
    if view is None or view.number != game or view.bid is None:
        return paragraph(message("bid_is_kept"))
    return paragraph(message("your_bid_is", bid=view.bid))


def joined(reader: Reader, *, number: int, name: str, title: str, is_in_answer: bool) -> Blocks:
    """Say that the reader has joined the game that somebody seeks."""
    if not is_in_answer:
        return paragraph(message("joined_game_has_own_letter", name=name, title=title, number=number))
    game = reader.game
    begins = (
        (message("joined_game_begins", number=number), *_sides(reader))
        if game.has_begun
        else (message("you_have_joined", number=number),)
    )
    return paragraph(*begins, relay_of(game), days_of(game))


def _sides(reader: Reader) -> Sentences:
    return reader.wording.sides(reader.game)


def already_begun(reader: Reader) -> Blocks:
    """Say that a game needs no acceptance."""
    is_bidding = reader.game.standing is Standing.BIDDING
    return paragraph(message("game_accepted_already" if is_bidding else "game_begun_already"))


def not_begun(reader: Reader) -> Blocks:
    """Say who has to accept before anything can be done."""
    is_guest = reader.game.is_guest
    return paragraph(message("you_have_not_accepted" if is_guest else "opponent_has_not_accepted"))


BUILDERS: Mapping[str, Builder] = {
    "invited": invited,
    "new_nobody": new_nobody,
    "begun": begun,
    "bid": bid,
    "joined": joined,
    "already_begun": already_begun,
    "not_begun": not_begun,
}
"""The builders of these answers, by their reason."""
