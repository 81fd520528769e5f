"""A game in progress, to which mails are given one by one, each as if it were the first."""

from dataclasses import dataclass

from sqlmodel import select

from takmail.games.interface import Seat
from takmail.mail.tokens import NO_REMINDERS, STOP
from takmail.store import games
from takmail.store.database import Store
from takmail.store.tables import AddressRow, InboxRow, OutboxRow, TurnRow
from takmail.world.kinds import MailState
from tests.fuzz.mails import Letter
from tests.support.harness import ADA, BEN, TAK, Harness, Received
from tests.support.rolled_back import Undone
from tests.support.rows import table

PLAYED = ("ps a1", "ps e5", "ps c3")
SAID_BY_ADA = (
    "/say ps a5",
    "/say Ben wrote:\n\n/say that ps a5 is better, he said",
    "/say -----Original Message-----\n/say From: me\n/say To: you\n/say Subject: ps a5\n/say ps a5\n/say -- ",
)
ENDS = frozenset(
    {MailState.PLAYED, MailState.ANSWERED, MailState.DUPLICATE, MailState.MACHINE, MailState.REJECTED}
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a mail led to: its state and note, its turns, the letters after it, and the known addresses."""

    state: MailState
    note: str
    turns: tuple[str, ...]
    letters: tuple[Received, ...]
    players: frozenset[str]


class Begun:
    """A game in progress: Ada (White) and Ben have played three turns, and Ben is to move.

    Ben has several letters that he may answer.
    """

    def __init__(self) -> None:
        store = Store.open("sqlite://")
        # The letters have the same Message-IDs in each run, so that an example that fails will fail again.
        harness = Harness(store)
        harness.begin()
        harness.play(*PLAYED[:2])
        harness.send(
            f"Ada <{ADA}>", "ps c3\n/say ps b4\n\n/say What about\n/say this: ps d5?", harness.last(ADA)
        )
        self.letters = [_letter(harness.last(BEN))]
        for words in SAID_BY_ADA:
            harness.send(f"Ada <{ADA}>", words, harness.last(ADA))
            self.letters.append(_letter(harness.last(BEN)))
        for words in ("help", "rs", "log", "help moves", "ps z9", "ptn", "resign", "Well, ps d4 it was"):
            harness.send(f"Ben <{BEN}>", words, harness.last(BEN))
            self.letters.append(_letter(harness.last(BEN)))
        # A mail without the token: Ben is asked whether he wrote it, and the letter shows its text.
        harness.send(f"Ben <{BEN}>", "#1 ps a5\nAnd a word", to=TAK)
        self.letters.append(_letter(harness.last(BEN)))
        assert len({letter.id for letter in self.letters}) == 13
        # Ada was asked whether she wrote the invitation, in a letter about no game.
        outside = next(letter for letter in harness.box if letter.to == ADA and letter.asks_who)
        self.letters_to_ada = [_letter(harness.last(ADA)), _letter(outside)]
        self.harness = harness
        self.store = Undone(store.engine)
        self.mail_worker = Harness(self.store).mail_worker
        key = harness.services.key
        self.tokens = {who: key.token(1, seat) for seat, who in zip(Seat, (ADA, BEN), strict=True)}
        self.addresses = {
            who: {
                key.personal_address(who),
                *(key.unsubscribe_address(who, line)[0] for line in (STOP, NO_REMINDERS)),
            }
            for who in (ADA, BEN)
        }

    def secrets(self, reader: str) -> set[str]:
        """Return the texts that no letter may show to `reader`: the addresses and tokens of the others."""
        others = {ADA, BEN} - {reader}
        return others.union(*({self.tokens[who], *self.addresses[who]} for who in others))

    def deal(self, raw: bytes) -> Outcome:
        """Handle a mail, return what it led to, and undo everything."""
        with self.store.undone():
            number = self.mail_worker.keep_one(raw)
            self.mail_worker.work()
            with self.store.transaction() as session:
                row = session.get_one(InboxRow, number)
                assert row.state in ENDS, f"{row.state}: {row.note}"
                letters = session.exec(select(OutboxRow).where(OutboxRow.mail_id == number)).all()
                new = session.exec(select(TurnRow).where(TurnRow.mail_id == number)).all()
                for game in games.every(session):
                    # Loading the table fails if a stored turn breaks the rules.
                    table(session, self.harness.services, game.number, self.harness.now)
                return Outcome(
                    MailState(row.state),
                    row.note,
                    tuple(turn.text for turn in new),
                    tuple(Received(letter.mail_to, letter.raw) for letter in letters),
                    frozenset(session.exec(select(AddressRow.address)).all()),
                )


def _letter(letter: Received) -> Letter:
    return Letter(letter.id, str(letter.mail["Reply-To"].addresses[0].addr_spec), letter.subject, letter.text)
