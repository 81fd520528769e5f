"""The answers about a player's name, addresses, settings and data."""

from collections.abc import Mapping, Sequence

from takmail.blocks import Blocks, Message, message, paragraph
from takmail.letters.parts.terms import leaves_later
from takmail.letters.reader import Builder, Reader
from takmail.world import NewPlayers


def newcomer(reader: Reader) -> Blocks:
    """Refuse what only players can do."""
    is_by_invitation = reader.new_players is NewPlayers.INVITED
    return paragraph(message("invited_newcomers_only" if is_by_invitation else "newcomers_not_taken"))


def address_asked(_reader: Reader, *, wait_hours: int, days: int) -> Blocks:
    """Say that the owner of an address is asked."""
    return paragraph(
        message("address_letter_goes" if wait_hours else "address_letter_has_gone"),
        leaves_later(wait_hours),
        message("address_needs_yes", days=days),
    )


def blocks(_reader: Reader, *, names: Sequence[str]) -> Blocks:
    """Name the players whom the reader blocks."""
    if not names:
        return paragraph(message("you_block_nobody"))
    return paragraph(message("players_you_block", names=tuple(names)))


def setting(reader: Reader, *, keyword: str, value: object, game: str, languages: Sequence[str]) -> Blocks:
    """Say what holds for a setting, and what else can be chosen."""
    match keyword:
        case "view":
            return paragraph(message("view_told", view=value))
        case "receipts":
            return paragraph(message("receipts_told", is_quiet=value))
        case "language":
            return paragraph(message("language_told", language=value), *_other_languages(value, languages))
        case _:
            return paragraph(*reader.wording_of(game).reads(value, is_chosen=False))


def _other_languages(value: object, languages: Sequence[str]) -> list[Message]:
    return [message("language_offered", language=language) for language in languages if language != value]


BUILDERS: Mapping[str, Builder] = {
    "newcomer": newcomer,
    "address_asked": address_asked,
    "blocks": blocks,
    "setting": setting,
}
"""The builders of these answers, by their reason."""
