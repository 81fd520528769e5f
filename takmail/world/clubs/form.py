"""Define what a form of tournament is: who plays whom, what the table is, and what follows. All of it is pure."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from takmail.world.clubs.table import TableLine
from takmail.world.clubs.values import Entry, Tournament
from takmail.world.kinds import PlayerId


class Strength(NamedTuple):
    """How strong a player counts: by the rating that anybody may see, and equal ones by lot."""

    rating: int
    lot: int


class Pair(NamedTuple):
    """Two players who are to play a game, in a division or for staying in. The first one has the first turn."""

    first: PlayerId
    second: PlayerId
    division: int


class Draw(NamedTuple):
    """What is drawn: the entries that it changes, as they are then, and a game for each of the pairs.

    `has_date`: the round ends on a date, if it has not ended before.
    """

    entries: tuple[Entry, ...]
    pairs: tuple[Pair, ...]
    has_date: bool = False


class Form(Protocol):
    """A form of tournament.

    * `fewest` is the lowest number of players of a season. With fewer it is put off
    * `repeats`: a next season follows, in which all are who stay
    * `has_rounds`: a round lasts at most as many days as the terms say
    * `ends_games`: games that are open on the date on which their round ends count as draws. Otherwise they go on
    """

    @property
    def fewest(self) -> int:
        """The lowest number of players."""

    @property
    def repeats(self) -> bool:
        """Whether a next season follows."""

    @property
    def has_rounds(self) -> bool:
        """Whether seasons have rounds with dates."""

    @property
    def ends_games(self) -> bool:
        """Whether a game that is open on the date counts as a draw."""

    def begin(
        self, tournament: Tournament, players: Sequence[PlayerId], strengths: Mapping[PlayerId, Strength]
    ) -> Draw:
        """Draw the next season of a tournament, in which these players are."""

    def next_round(self, tournament: Tournament) -> Draw | None:
        """Draw the next round of the season that runs, None if there is none. It asks only what is decided."""

    def table(self, tournament: Tournament, division: int) -> tuple[TableLine, ...]:
        """Return the table of a division of the last season, the best first."""

    def takes_late(self, tournament: Tournament) -> bool:
        """Tell whether players can still enter a season that runs. The next round is drawn with them."""

    def winners(self, tournament: Tournament) -> list[PlayerId]:
        """Return who has won the last season, which is over."""
