"""Define how a reader wants their letters."""

from typing import NamedTuple

from takmail.commands.services import CommandServices
from takmail.world import LetterView, Player


class Style(NamedTuple):
    """How a reader wants their letters: as text, as HTML or as both, in which language and time zone.

    `zone` is that of the player, None if it is not known.
    """

    view: LetterView
    language: str
    zone: str | None = None

    @property
    def as_text(self) -> "Style":
        """The same style, as text only."""
        return self._replace(view=LetterView.TEXT)


def style_of(services: CommandServices, player: Player | None) -> Style:
    """Return how a player wants letters. What they have not chosen is as for everybody."""
    if player is None:
        return Style(services.letter_view, services.language)
    view = player.letter_view or services.letter_view
    return Style(view, player.language or services.language, player.zone)
