"""Define the questions to players."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from takmail.games.interface import Seat
from takmail.world.ids import GameNumber, MessageId, PlayerId, QuestionId
from takmail.world.kinds import QuestionKind

QUESTION_LIFETIME = timedelta(days=7)
"""How long a `yes` can answer a question. The letter with the question states this time."""


@dataclass(frozen=True, slots=True)
class Question:
    """An open question, addressed to a seat (`game` and `seat`) or to an `address`.

    A `yes` runs the commands in `words`, or does what `kind` says.

    * `id` is negative until the question is stored: -1 for the first question of a cause, -2 for the second
    * `version` and `turn` are the game's version and last turn that the author of `words` had seen
    * `player` is the player who wants to add `address`
    * `letter` is the letter with the question, None if none was written
    * `is_replaced`: newer questions replaced this one, which only a `yes` to its own letter can still answer
    """

    id: QuestionId
    kind: QuestionKind
    asked_at: datetime
    words: str = ""
    game: GameNumber | None = None
    seat: Seat | None = None
    version: int | None = None
    turn: int | None = None
    address: str | None = None
    player: PlayerId | None = None
    letter: MessageId | None = None
    is_replaced: bool = False

    def is_open(self, now: datetime) -> bool:
        """Tell whether a `yes` still counts. Retention closes an expired question later."""
        return now - self.asked_at <= QUESTION_LIFETIME

    def is_same_as(self, other: "Question") -> bool:
        """Tell whether a `yes` to one of these two questions also answers the other."""
        return self == replace(
            other, id=self.id, asked_at=self.asked_at, letter=self.letter, is_replaced=self.is_replaced
        )
