"""Provide the scene with which attacks begin, and check that an attack changes and reveals nothing."""

import quopri
import re
from collections.abc import Collection, Iterator
from datetime import timedelta
from email.header import decode_header, make_header
from email.message import EmailMessage
from typing import TypeVar
from urllib.parse import unquote

from sqlmodel import select

from takmail.games.interface import Seat
from takmail.games.tak.wording.wording import TakWording
from takmail.mail.tokens import NO_REMINDERS, STOP
from takmail.store.tables import SeatRow
from tests.support import rows
from tests.support.harness import ADA, BEN, Harness, Received, said
from tests.support.kept import asked, kept
from tests.support.memory_harness import MemoryHarness
from tests.support.scenes import played_once

ADA_AT_WORK = "work.ada@example.org"
OTHER = "other@example.org"
SOMEONE = "someone@example.net"
"""The attacker's address if the attacker is no player."""
EVERYBODY = (ADA, ADA_AT_WORK, BEN, OTHER, SOMEONE)
OURS = "mx.example.test"
"""The mail server that takmail trusts."""

_GAMES = range(1, 10)

Own = tuple[Collection[str], Collection[tuple[int, int]]]
"""A reader's addresses, and the reader's seats as pairs of game number and seat."""
AnyHarness = TypeVar("AnyHarness", MemoryHarness, Harness)


@played_once
def played(harness: AnyHarness) -> None:
    """Play the beginning of every attack."""
    harness.begin_and_play("ps b4", "ps c3")
    harness.begin()
    harness.send(f"Ada <{ADA}>", "resign", letter(harness, ADA, 2))
    harness.send(f"Ada <{ADA}>", "yes", letter(harness, ADA, 2))
    harness.send(f"Ada <{ADA}>", f"new 5 vs {OTHER} first=me")
    harness.send(f"Other <{OTHER}>", "accept", harness.last(OTHER))
    harness.send(f"Ben <{BEN}>", f"new 4 vs {ADA} first=them")
    harness.send(f"Ada <{ADA}>", f"address add {ADA_AT_WORK}")
    harness.send(f"Ada <{ADA_AT_WORK}>", "yes", harness.last(ADA_AT_WORK))
    harness.now += timedelta(hours=1)
    harness.send(f"Ada <{ADA}>", "Have you seen the board?\nlog", letter(harness, ADA, 1))
    harness.send(f"Ada <{ADA}>", "resign", letter(harness, ADA, 3))
    harness.confirms = False
    harness.send(f"Ada <{ADA}>", "#1 ps d4")
    harness.send(f"Ada <{ADA}>", "seek 6")
    # The questions of the scene must not use up the limits that the attack meets.
    harness.now += timedelta(hours=2)


def letter(harness: AnyHarness, who: str, game: int) -> Received:
    """Return the newest letter about a game to somebody."""
    tag = f"[tak #{game}"
    return next(one for one in reversed(harness.box) if one.to == who and one.subject.startswith(tag))


class Scene:
    """A takmail in which Ada has four games.

    * #1 is with Ben. It is Ada's turn, her chat waits, and a mail in her name is held.
    * #2 is with Ben, and over
    * #3 is with Other. Ada was asked to confirm a resignation.
    * #4 is an invitation from Ben

    Another mail in Ada's name is held outside any game. She has two addresses, and wrote her last mail from the first.
    """

    harness: MemoryHarness | Harness

    def __init__(self, harness: MemoryHarness | Harness) -> None:
        self.harness = played(harness)
        self.harness.confirms = False
        self.harness.change(authserv_id=OURS)

    def own(self, reader: str) -> Own:
        """Return the addresses and the seats of a reader."""
        with self.harness.store.transaction() as session:
            you = rows.owner(session, reader)
            if you is None or you.id is None:
                return (), ()
            theirs = session.exec(select(SeatRow).where(SeatRow.player_id == you.id)).all()
            return rows.addresses(session, you.id), {(row.game_id, row.seat) for row in theirs}

    def letter(self, who: str, game: int) -> Received:
        """Return the newest letter about a game to somebody."""
        return letter(self.harness, who, game)

    def question(self, who: str, words: str) -> Received:
        """Return the newest letter to somebody that contains these words."""
        return next(one for one in reversed(self.harness.box) if one.to == who and words in said(one))

    def mail(self, sender: str, text: str, answers: Received | None = None, **how: object) -> EmailMessage:
        """Return a mail that the attacker writes, with any name in it."""
        name = sender.partition("@")[0].partition(".")[0].capitalize()
        return self.harness.mail(f"{name} <{sender}>", text, answers, **how)  # type: ignore[arg-type]

    def attempt(
        self,
        *mails: EmailMessage | bytes,
        hears: Collection[str] = (),
        surely: str = "",
        too_many: bool = False,
    ) -> list[Received]:
        """Send the mails. Fail if anything changes, or if anybody except `hears` gets a letter.

        Also fail if a letter shows an address or a token of another reader. `surely` is the verified address from which
        the mails come. The time and the text of its last mail may change, and letters that wait for its owner may be
        released.
        `too_many`: the oldest question may be closed.
        """
        store = self.harness.store
        before, questions = kept(store, surely), asked(store)
        letters = [
            letter
            for mail in mails
            for letter in self.harness.deliver(mail if isinstance(mail, bytes) else mail.as_bytes())
        ]
        assert kept(store, surely) == before, "something has changed"
        assert too_many or questions <= asked(store), "a question is gone"
        self.check_letters(letters, hears)
        return letters

    def check_letters(self, letters: Collection[Received], hears: Collection[str], host: str = "") -> None:
        """Fail if a letter goes to anybody else, or shows an address or a token of another reader.

        `host` is the address that an invitation may name.
        """
        example = TakWording.example.replace(" ", r"\s*")
        for letter in letters:
            assert letter.to in hears, f"a letter goes to {letter.to}"
            shown = re.sub(example, "", "\n".join(_forms(letter))).casefold()
            for secret in self.secrets_from(letter.to):
                assert secret == host or secret not in shown, f"a letter to {letter.to} shows {secret}"

    def secrets_from(self, reader: str) -> Iterator[str]:
        """Yield everything that no letter to this reader may show: the others' addresses and tokens."""
        key = self.harness.services.key
        addresses, seats = self.own(reader)
        for address in EVERYBODY:
            if address != reader and address not in addresses:
                yield address
                personal = [key.unsubscribe_address(address, line)[0] for line in (STOP, NO_REMINDERS)]
                for to in (key.personal_address(address), *personal):
                    yield to.partition("+")[2].partition(".")[2].partition("@")[0] or "no such token"
        for game in _GAMES:
            for seat in Seat:
                if (game, seat) not in seats:
                    yield key.token(game, seat).partition(".")[2]


def token_address(scene: Scene, game: int, seat: Seat) -> str:
    """Return the reply address of the player of a seat."""
    return scene.harness.services.key.reply_address(game, seat)


def _forms(letter: Received) -> Iterator[str]:
    """Yield a letter as bytes and in every form to which a mail program may decode it."""
    raw = letter.mail.as_bytes()
    yield raw.decode("ascii", "replace")
    unfolded = raw.replace(b"\r\n ", b" ").replace(b"\n ", b" ")
    yield unfolded.decode("ascii", "replace")
    yield quopri.decodestring(raw).decode("utf-8", "replace")
    yield unquote(raw.decode("ascii", "replace"))
    for name, value in letter.mail.items():
        yield f"{name}: {value}"
        yield str(make_header(decode_header(str(value))))
    yield letter.text
    yield letter.text.replace("\n", "")
