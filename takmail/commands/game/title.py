"""The title of a game in a Subject and in every list."""

from takmail.games.interface import Game, Refused


def title_of(rules: Game, setup: str) -> str:
    """A few words that name what is played, such as `5x5` or `5x5 relay`; `?` if the set-up can't be read."""
    try:
        return rules.title(setup)
    except (Refused, ValueError):
        return "?"
