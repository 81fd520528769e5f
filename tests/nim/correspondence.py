"""Mails of people who play, worked on by `process` with dictionaries in place of a database."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta

from takmail.commands.events import Event
from takmail.commands.evolve import evolved
from takmail.commands.game.table import Table
from takmail.commands.records import GameNumber, QuestionId, SentLetter
from takmail.commands.snapshot import Cause, Snapshot
from takmail.commands.state import State
from takmail.letters.letter import NewLetter
from takmail.mail.envelope import Envelope
from takmail.pipeline.process import process
from tests.commands.build import ADA, AS_ADA, AS_BEN, BEN, NOW, SERVICES, TAK, Stored
from tests.nim.beside_tak import GAMES, templates

WITH_NIM = replace(SERVICES, games=GAMES, templates=templates())
PEOPLE = {ADA: AS_ADA, BEN: AS_BEN}


@dataclass
class Correspondence:
    """Ada and Ben, who are known here, their games, and all letters so far."""

    stored: Stored = field(default_factory=lambda: Stored().put(AS_ADA, AS_BEN))
    letters: list[NewLetter] = field(default_factory=list)
    events: tuple[Event, ...] = ()
    mails: int = 0

    def send(
        self, address: str, text: str, *, answers: bool = True, vouched: bool = True, subject: str = ""
    ) -> list[NewLetter]:
        """A mail, in answer to its sender's newest letter if there is one; gives the letters that it leads to.

        `vouched` is what the mail server says of its sender.
        """
        self.mails += 1
        letter = (
            next((one for one in reversed(self.letters) if one.mail_to == address), None) if answers else None
        )
        envelope = Envelope(
            message_id=f"<{self.mails}@mail.example.org>",
            sender=address,
            sender_name=PEOPLE[address].name,
            recipients=(TAK,),
            subject=subject,
            in_reply_to=() if letter is None else (letter.message_id,),
            references=(),
            text=text,
            vouched=vouched,
        )
        tables = {number: one for number, one in self.stored.tables.items() if isinstance(one, Table)}
        owner = self.stored.player_by_address(address)
        snapshot = Snapshot(
            Cause(f"mail {self.mails}", self.mails),
            NOW + timedelta(hours=self.mails),
            b"seed %d" % self.mails,
            State(players=dict(self.stored.players), games=dict(tables)),
            self.stored.mailbox(address),
            owner,
            None if letter is None else _as_sent(letter),
            frozenset(one.message_id for one in self.letters),
        )
        outcome = process(WITH_NIM, self.stored, snapshot, envelope)
        after = evolved(WITH_NIM, snapshot.state, outcome.events)
        self.stored.put(*after.players.values(), *after.games.values(), *after.seeks.values())
        self._store_what_is_no_event(outcome.letters)
        self.events = outcome.events
        self.letters += outcome.letters
        return list(outcome.letters)

    def table(self, number: int = 1) -> Table:
        table = self.stored.tables[GameNumber(number)]
        assert isinstance(table, Table)
        return table

    def happened(self) -> list[str]:
        """The classes of the last mail's events."""
        return [type(one).__name__ for one in self.events]

    def _store_what_is_no_event(self, letters: Sequence[NewLetter]) -> None:
        """Questions get their numbers, and words that a letter brings wait no longer."""
        for number, table in self.stored.tables.items():
            if isinstance(table, Table):
                asked = tuple(
                    replace(one, id=QuestionId(100 * self.mails + at)) if one.id < 0 else one
                    for at, one in enumerate(table.questions)
                )
                brought = {version for one in letters if one.game == number for version in one.brings}
                words = tuple(one for one in table.words if one.version not in brought)
                self.stored.tables[number] = replace(table, questions=asked, words=words)


def _as_sent(letter: NewLetter) -> SentLetter:
    return SentLetter(
        letter.message_id,
        letter.game,
        letter.seat,
        letter.version,
        letter.turn,
        letter.text,
        letter.html_text,
    )
