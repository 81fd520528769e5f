"""The tables of ratings, and of how often the first player wins. Both are computed anew from all games."""

from sqlmodel import Field

from takmail.store.tables.column_types import WORD, TableRow


class RatingRow(TableRow, table=True):
    """How strong a player is in games of a kind on a board, '' if a game's boards are not told apart.

    `points` may be off by `deviation`. `games` are the rated games from which it was computed.
    """

    player_id: int = Field(foreign_key="player.id", primary_key=True)
    kind: str = Field(primary_key=True, sa_type=WORD)
    board: str = Field(primary_key=True, sa_type=WORD)
    points: int
    deviation: int
    games: int


class FirstTurnRow(TableRow, table=True):
    """How often the first player has won (`won`) or drawn in the rated games of a kind, on a board and with a komi.

    There is no row about the games of fewer than five people.
    """

    kind: str = Field(primary_key=True, sa_type=WORD)
    board: str = Field(primary_key=True, sa_type=WORD)
    komi: str = Field(primary_key=True, sa_type=WORD)
    games: int
    won: int
    drawn: int
