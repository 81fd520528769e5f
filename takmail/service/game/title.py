"""What a game is called in a Subject and in every list."""

from takmail.games.game import Refused
from takmail.games.registry import GAMES
from takmail.store.tables import GameRow, Seek


def title_of(row: GameRow | Seek) -> str:
    """A few words that name what is played, such as `5x5` or `5x5 relay`; `?` if its set-up can't be read."""
    try:
        title = GAMES[row.kind].title(row.setup)
    except (Refused, ValueError):
        return "?"
    return f"{title} relay" if row.is_relay else title
