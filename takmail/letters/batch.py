"""Collect the letters of one cause while they are written, together with the result that they describe."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

from takmail.blocks import Blocks, Message
from takmail.commands.answers import Refusal, Reported, Result, SeatClaim
from takmail.commands.context import events_for_opponent
from takmail.commands.lessons import lesson_in
from takmail.letters.letter import Sending
from takmail.letters.letter_writer import LetterWriter
from takmail.letters.reader import Correspondent, Reader
from takmail.world import GameNumber, LetterPurpose, Mailbox, Table, news
from takmail.world.tasks import is_reviewed


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterBatch(LetterWriter):
    """The letters of a cause that are written so far, and the result that they describe.

    `writer` wrote the mail that is answered, None if none is.
    """

    result: Result
    writer: Correspondent | None

    @property
    def claim(self) -> SeatClaim | None:
        """The seat whose thread gets the answer, or None if the answer is not about a game."""
        return self.result.claim

    @property
    def purpose(self) -> LetterPurpose:
        """The kind under which budgets count letters that the mail leads to."""
        return LetterPurpose.SURE if self.writer is None else self.writer.sender.purpose

    @property
    def last_for(self) -> str:
        """What `Correspondent.last_for` says, '' if no mail is answered."""
        return "" if self.writer is None else self.writer.last_for

    @property
    def is_stranger(self) -> bool:
        """Whether the mail that is answered is a stranger's (`Sender.is_stranger`)."""
        return self.writer is not None and self.writer.sender.is_stranger

    @property
    def is_without_command(self) -> bool:
        """Whether only the welcome can answer the mail, and its sender has sent no command."""
        is_unknown = self.claim is None and self.result.player is None
        return (is_unknown or self.is_stranger) and not self.result.reports

    @property
    def is_welcomed(self) -> bool:
        """Whether the welcome answers the mail. A stranger gets else a lesson, or why a command is refused."""
        is_answered = self.claim is None and bool(self.told_to_strangers())
        return self.is_without_command or (self.is_stranger and not is_answered)

    @property
    def welcome_counts_as(self) -> LetterPurpose:
        """The kind under which budgets count the welcome."""
        assert self.writer is not None
        kind = self.writer.sender.purpose
        return LetterPurpose.NONSENSE if self.is_without_command and kind is LetterPurpose.UNSURE else kind

    def caused(self, kind: type[news.GameNews], game: GameNumber) -> bool:
        """Return whether this cause led to an event of a kind in a game."""
        return any(isinstance(one, kind) and one.game == game for one in self.result.events)

    def has_ended(self, game: GameNumber) -> bool:
        """Return whether this cause ended a game."""
        return self.result.world.has_ended_since(self.before, game)

    def holds_end(self, table: Table) -> bool:
        """Return whether letters that only tell that a game has ended wait for what its review finds."""
        return bool(self.services.bots.every) and self.has_ended(table.number) and is_reviewed(table)

    def refusals(self) -> tuple[Reported, ...]:
        """Return the reports of what was refused."""
        return tuple(one for one in self.result.reports if isinstance(one.answer, Refusal))

    def told_to_strangers(self) -> tuple[Reported, ...]:
        """Return the one report that even a stranger gets: a lesson, or what was refused."""
        lessons = tuple(one for one in self.result.reports if lesson_in(one) is not None)
        return (*lessons, *self.refusals())[:1]

    def own_news(self) -> tuple[news.GameNews, ...]:
        """Return the news for the letter to the opponent in the mail's game."""
        if self.claim is None:
            return ()
        table = self.result.world.games[self.claim.game]
        return events_for_opponent(self.result.events, table)

    def mailbox(self, address: str) -> Mailbox:
        """Return the mailbox of an address, as it is after the cause.

        If no player owns it after the cause, return it as it was before. If no player owned the address before either,
        return a new mailbox.
        """
        people = (*self.result.world.players.values(), *self.before.players.values())
        found = (one.mailbox(address) for one in people)
        return next((one for one in found if one is not None), Mailbox(address))

    def to_sender(
        self,
        subject: Message,
        make: Callable[[Reader], Blocks],
        sending: Sending,
        about: GameNumber | None = None,
    ) -> Self:
        """Return the batch with an answer to the mail that goes to no seat. `about` is the game that it concerns."""
        assert self.writer is not None
        return self.outside_games(subject, make, self.writer.mailbox, self.writer.style, sending, about=about)
