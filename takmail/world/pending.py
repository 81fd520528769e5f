"""Define what is stored of what waits for a word: offers, questions and kept words."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from takmail.games.interface import Seat
from takmail.world.kinds import GameNumber, MessageId, PendingEnd, PendingId, PlayerId
from takmail.world.waiting import CONFIRMATIONS, CONSENTS, KEPT, NEVER_EXPIRES, PendingKind

LIFETIME = timedelta(days=7)
"""How long an answer counts. The letter with a question states this time."""


@dataclass(frozen=True, slots=True)
class OfferEnd:
    """How an offer ended, and the game's version at that time. Both are None while the offer is open."""

    how: PendingEnd | None = None
    version: int | None = None


NOT_ENDED = OfferEnd()
"""The end of an offer that is open, or that expires without an answer."""


@dataclass(frozen=True, slots=True)
class Pending:
    """Something that waits for a word.

    An *offer* is made by `seat`, and its opponent may agree. Both players know of it. It stays stored after its end,
    until the game is over. A *question* asks whether somebody means what a mail says. It is addressed to a seat (`game`
    and `seat`) or to an `address`, answered by its own letter, and deleted when it is closed. *Words* of `seat` are
    kept for its opponent, and deleted when they go out.

    * `id` is negative until it is stored
    * `kind` says what a `yes` does. `words` are the commands that it runs, the turn that
      sets the offered board, or the offered time for turns, '' for none.
    * `version` and `turn` are the game's version and last turn: of an offer those with which it was made, and of a
      question those that the author of `words` had seen
    * `target` is the turn to go back to, None if the offer is to do something else
    * `player` is the player who wants to add `address`, or of whom something is kept in a game without a seat
    * `letter` is the letter with the question, None if none was written
    * `is_replaced`: newer questions replaced this one, which only a `yes` to its own letter can still answer
    * `end` is how an offer ended
    * `has_expired` was true when it was loaded. It is not stored, and retention closes it later.
    """

    id: PendingId
    kind: PendingKind
    asked_at: datetime
    words: str = ""
    game: GameNumber | None = None
    seat: Seat | None = None
    version: int = 0
    turn: int = 0
    address: str | None = None
    player: PlayerId | None = None
    letter: MessageId | None = None
    is_replaced: bool = False
    target: int | None = None
    end: OfferEnd = NOT_ENDED
    has_expired: bool = False

    @property
    def is_new(self) -> bool:
        """Whether it is not stored yet."""
        return self.id < 0

    @property
    def is_offer(self) -> bool:
        """Whether it waits for the opponent's consent."""
        return self.kind in CONSENTS

    @property
    def is_question(self) -> bool:
        """Whether it waits for a confirmation."""
        return self.kind in CONFIRMATIONS

    @property
    def is_kept(self) -> bool:
        """Whether it waits for nobody's word. Then it may be of a `player` who has no seat in its game."""
        return self.kind in KEPT

    @property
    def is_open(self) -> bool:
        """Whether an answer counts."""
        return self.end.how is None and not self.has_expired

    def is_over(self, now: datetime) -> bool:
        """Tell whether its time is over at `now`. The last moment of its week still counts for a question."""
        age = now - self.asked_at
        return self.kind not in NEVER_EXPIRES and (age > LIFETIME or (self.is_offer and age == LIFETIME))

    def at(self, now: datetime) -> "Pending":
        """Return it as it is at `now`."""
        return replace(self, has_expired=True) if self.is_over(now) else self

    def is_same_as(self, other: "Pending") -> bool:
        """Tell whether a `yes` to one of these two questions also answers the other."""
        return self == replace(
            other, id=self.id, asked_at=self.asked_at, letter=self.letter, is_replaced=self.is_replaced
        )
