"""Define the events of questions, which wait for a `yes`."""

from dataclasses import dataclass, replace
from datetime import datetime

from takmail.games.interface import Reason
from takmail.world.events.base import Event
from takmail.world.kinds import AskedAgain, LetterView
from takmail.world.pending import Pending
from takmail.world.world import World


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionAsked(Event):
    """A question was opened. `question.letter` is the letter of this outcome that asks it.

    Of older questions, it closes those in `closes`. Only a `yes` to its own letter answers each of `replaces` any more.
    """

    question: Pending
    closes: tuple[Pending, ...] = ()
    replaces: tuple[Pending, ...] = ()

    def apply(self, world: World) -> World:
        """Return the world in which the question waits."""
        replaced = (replace(question, is_replaced=True) for question in self.replaces)
        return world.with_pending(self.question, *replaced).without_pending(*self.closes)


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnConfirmationAsked(QuestionAsked):
    """Ask the player to confirm a turn, because the rules of its game require confirmation.

    `kind` is the name of the game. `reason` says why confirmation is required. The answer to the mail shows both.
    """

    kind: str
    text: str
    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class MeaningAsked(QuestionAsked):
    """Ask the player which of the offered lines is meant. The answer to their mail asks this question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResignationAsked(QuestionAsked):
    """Ask the player to confirm a resignation. The answer to their mail asks this question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressAsked(QuestionAsked):
    """Ask the owner of an address whether it belongs to the player who wants to add it.

    `sends_letter`: the owner gets a letter with the question, not before `waits_until` if it has to wait, in
    `wait_hours`. `letter_view` and `language` are the owner's chosen ones, None if they chose none or are unknown.
    """

    sends_letter: bool
    letter_view: LetterView | None = None
    language: str | None = None
    waits_until: datetime | None = None
    wait_hours: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RemovalAsked(QuestionAsked):
    """Tell all addresses of a player that one of them is taken away when the question has expired.

    The letter to that address asks its owner to say `no` if they want to keep it.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandsHeld(QuestionAsked):
    """Ask a player, by a letter to their seat, whether they wrote certain commands in a game.

    * `lines_text` shows the commands in the letter
    * `is_again`: an earlier letter asked about the same commands, and a bare `yes` or `no` may refer to them
    * `last_for` is `hour` or `day` if this is the last such letter within that time, otherwise ''
    """

    lines_text: str
    is_again: bool = False
    last_for: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfirmationAsked(QuestionAsked):
    """Ask the owner of an address whether they wrote certain commands that are about no game.

    * `left_out`: the mail had other commands, which cannot be shown
    * `has_words`: the mail also had chat for another player
    * `last_for` is as in `CommandsHeld`. If it is None, the value of the answer to the mail applies.

    If `again` is `AskedAgain.LOOSE`, the letter goes to the question's address and is no reply. Otherwise it goes to
    the sender.
    """

    again: AskedAgain = AskedAgain.NO
    left_out: bool = False
    has_words: bool = False
    last_for: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandsNotShown(Event):
    """Commands outside any game cannot be shown. A letter asks the sender to send them in a reply to that letter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionsClosed(Event):
    """Questions are closed, or words that were kept, as they are answered, released, or too old."""

    questions: tuple[Pending, ...]

    def apply(self, world: World) -> World:
        """Return the world in which they don't wait any more."""
        return world.without_pending(*self.questions)


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionsDropped(QuestionsClosed):
    """The player answered `no`, and the commands that the questions were about are dropped."""
