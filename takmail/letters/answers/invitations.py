"""The answers to commands with which no game begins: nobody can be asked, or it has begun or waits."""

from collections.abc import Mapping

from takmail.blocks import Blocks, message, paragraph
from takmail.letters.reader import Builder, Reader
from takmail.world import Standing


def new_nobody(reader: Reader, *, name: str, game: str) -> Blocks:
    """Say that nobody has a name, and how somebody is asked who does not play here."""
    return paragraph(message("nobody_of_this_name", name=name, example=reader.wording_of(game).example))


def already_begun(reader: Reader) -> Blocks:
    """Say that a game needs no acceptance."""
    is_bidding = reader.game.standing is Standing.BIDDING
    return paragraph(message("game_accepted_already" if is_bidding else "game_begun_already"))


def not_begun(reader: Reader) -> Blocks:
    """Say who has to accept before anything can be done."""
    is_guest = reader.game.is_guest
    return paragraph(message("you_have_not_accepted" if is_guest else "opponent_has_not_accepted"))


BUILDERS: Mapping[str, Builder] = {
    "new_nobody": new_nobody,
    "already_begun": already_begun,
    "not_begun": not_begun,
}
"""The builders of these answers, by their reason."""
