"""Define the base classes of news."""

from dataclasses import dataclass
from typing import ClassVar

from takmail.games.interface import Seat
from takmail.world.kinds import GameNumber
from takmail.world.table import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """Base class of everything that happened or that a player was shown. It happens at the time of its cause.

    * `stops_mail`: the sender of the mail wants no more mail
    * `erases_sender`: nothing of the sender is kept
    * `begins_game`: a player joined a game, which begins with it or with the bids
    * `may_end_game`: a game may end with it, by a turn or because a player gives it up
    """

    stops_mail: ClassVar[bool] = False
    erases_sender: ClassVar[bool] = False
    begins_game: ClassVar[bool] = False
    may_end_game: ClassVar[bool] = False

    @property
    def comes_last(self) -> bool:
        """Whether letters about it alone are written after all others of its cause."""
        return False


@dataclass(frozen=True, slots=True, kw_only=True)
class GameNews(News):
    """Base class of everything that happened in a game.

    * `version` is the game's version before the change that the news is about, which `execute` fills in
    * `notifies_opponent`: the opponent gets a letter about it, if letters report such news at all
    * `is_told`: the letter to the opponent about this game reports such news
    * `place` is where they stand in this letter. By convention, a move or a board is at the top of a mail.
    * `is_words`: they are only words of the player
    * `is_reminder`: they only remind their reader, who may want no such letters
    """

    game: GameNumber
    version: int = 0
    notifies_opponent: bool = True
    is_told: ClassVar[bool] = True
    place: ClassVar[int] = 3
    is_words: ClassVar[bool] = False
    is_reminder: ClassVar[bool] = False

    @property
    def is_for_opponent(self) -> bool:
        """Whether the opponent hears of it."""
        return self.is_told and self.notifies_opponent

    @property
    def is_plain_turn(self) -> bool:
        """Whether it is a turn about which there is nothing else to tell."""
        return False

    @property
    def readers(self) -> tuple[Seat, ...]:
        """The seats that get letters of their own about it, in the order of sending. Then no other letter tells it."""
        return ()

    def stands(self, _table: Table) -> bool:
        """Tell whether the cause has not undone it. The parameter is the game after the cause."""
        return True


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatNews(GameNews):
    """Base class of what the player in `seat` did, or what happened to them.

    `has_own_letter`: the opponent gets a letter about nothing else.
    """

    seat: Seat
    has_own_letter: bool = False

    @property
    def readers(self) -> tuple[Seat, ...]:
        """The opponent, if the news has a letter of its own."""
        return (self.seat.other,) if self.has_own_letter else ()
