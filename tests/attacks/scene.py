"""What an attacker finds, and what must still be so after all that they try."""

import quopri
import re
from abc import ABC, abstractmethod
from collections.abc import Collection, Hashable, Iterator
from dataclasses import replace
from datetime import timedelta
from email.header import decode_header, make_header
from email.message import EmailMessage
from typing import TypeVar
from urllib.parse import unquote

from sqlmodel import Session, SQLModel, select

from takmail.games.interface import Seat
from takmail.store.tables import (
    AddressRow,
    BlockRow,
    ChatRow,
    GameRow,
    LogRow,
    OfferRow,
    PlayerRow,
    QuestionRow,
    SeatRow,
    SeekRow,
    TakenBackRow,
    TurnRow,
)
from tests.support import rows
from tests.support.harness import ADA, BEN, Harness, Received, said
from tests.support.memory_harness import MemoryHarness, kept
from tests.support.scenes import played_once

ADA_AT_WORK = "work.ada@example.org"
OTHER = "other@example.org"
SOMEONE = "someone@example.net"
"""The attacker, where it is none of the players."""
EVERYBODY = (ADA, ADA_AT_WORK, BEN, OTHER, SOMEONE)
OURS = "mx.example.test"
"""The mail server that takmail believes."""

_KEPT = (
    PlayerRow,
    AddressRow,
    BlockRow,
    SeekRow,
    GameRow,
    SeatRow,
    TurnRow,
    TakenBackRow,
    ChatRow,
    OfferRow,
    LogRow,
)
_ASKED = (QuestionRow,)
_GAMES = range(1, 10)

Row = tuple[object, ...]
Own = tuple[Collection[str], Collection[tuple[int, int]]]
"""The addresses of a reader, and their seats: the number of a game and which of its two."""
AnyHarness = TypeVar("AnyHarness", MemoryHarness, Harness)


@played_once
def played(harness: AnyHarness) -> None:
    """Play what every attack begins with."""
    harness.begin()
    harness.play("ps b4", "ps c3")
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
    # What was asked while the scene was set uses up nothing of what the attacker is to meet.
    harness.now += timedelta(hours=2)


def letter(harness: AnyHarness, who: str, game: int) -> Received:
    """The newest letter about a game to somebody."""
    tag = f"[tak #{game}"
    return next(one for one in reversed(harness.box) if one.to == who and one.subject.startswith(tag))


class Scene(ABC):
    """Ada's games: #1 runs with Ben, it is hers to move; #2 with Ben is over; #3 runs with Other; to #4 Ben asks her.

    In #1 words of Ada's wait, and a mail in her name is held; in #3 she has been asked if she gives up; a mail in
    her name waits outside any game. She plays from two addresses and last wrote from the first.
    """

    harness: MemoryHarness | Harness

    def __init__(self, harness: MemoryHarness | Harness) -> None:
        self.harness = played(harness)
        self.harness.confirms = False
        self.harness.change(authserv_id=OURS)

    @abstractmethod
    def kept(self, surely: str) -> object:
        """All that an attack could change; see `attempt`."""

    @abstractmethod
    def asked(self) -> set[Hashable]:
        """All questions, but for whether a newer one has taken their place, as they can be answered even so."""

    @abstractmethod
    def own(self, reader: str) -> Own:
        """All that is a reader's own."""

    def letter(self, who: str, game: int) -> Received:
        """The newest letter about a game to somebody."""
        return letter(self.harness, who, game)

    def question(self, who: str, words: str) -> Received:
        """The newest letter to somebody that says this."""
        return next(one for one in reversed(self.harness.box) if one.to == who and words in said(one))

    def mail(self, sender: str, text: str, answers: Received | None = None, **how: object) -> EmailMessage:
        """A mail that the attacker writes, with any name on it."""
        name = sender.partition("@")[0].partition(".")[0].capitalize()
        return self.harness.mail(f"{name} <{sender}>", text, answers, **how)  # type: ignore[arg-type]

    def attempt(
        self,
        *mails: EmailMessage | bytes,
        hears: Collection[str] = (),
        surely: str = "",
        too_many: bool = False,
    ) -> list[Received]:
        """Send the mails; fails if anything has changed, or if anybody but who `hears` of it gets a letter.

        Nor may any letter show what is another reader's. `surely` is the address from which the mails do come: that
        it was heard from, and what waits for its owner, may be noted. `too_many` questions close the oldest ones.
        """
        kept, asked = self.kept(surely), self.asked()
        letters = [
            letter
            for mail in mails
            for letter in self.harness.deliver(mail if isinstance(mail, bytes) else mail.as_bytes())
        ]
        assert self.kept(surely) == kept, "something has changed"
        assert too_many or asked <= self.asked(), "a question is gone"
        self.check_letters(letters, hears)
        return letters

    def check_letters(self, letters: Collection[Received], hears: Collection[str]) -> None:
        """Fail if a letter goes to somebody else, or shows what is another reader's."""
        example = self.harness.services.templates.line("tak/example.txt").replace(" ", r"\s*")
        for letter in letters:
            assert letter.to in hears, f"a letter goes to {letter.to}"
            shown = re.sub(example, "", "\n".join(_forms(letter))).casefold()
            for secret in self.secrets_from(letter.to):
                assert secret not in shown, f"a letter to {letter.to} shows {secret}"

    def secrets_from(self, reader: str) -> Iterator[str]:
        """All that no letter to this reader may show: the others' addresses and tokens."""
        key = self.harness.services.key
        addresses, seats = self.own(reader)
        for address in EVERYBODY:
            if address != reader and address not in addresses:
                yield address
                yield key.personal_address(address).partition("me.")[2].partition("@")[0] or "no such token"
                yield key.way_to_stop(address)[0].partition("stop.")[2].partition("@")[0] or "no such token"
        for game in _GAMES:
            for seat in Seat:
                if (game, seat) not in seats:
                    yield key.token(game, seat).partition(".")[2]


class SceneInMemory(Scene):
    """The scene without a database."""

    harness: MemoryHarness

    def kept(self, surely: str) -> object:
        return kept(self.harness.memory, surely)

    def asked(self) -> set[Hashable]:
        found = self.harness.memory._all_questions()
        return {replace(one, is_replaced=False) for one in found if one.is_open(self.harness.now)}

    def own(self, reader: str) -> Own:
        memory = self.harness.memory
        you = memory.player_by_address(reader)
        if you is None:
            return (), ()
        sat = {
            (number, seat)
            for number, one in memory.tables.items()
            for seat in Seat
            if one.record.seats[seat] == you.id
        }
        return you.addresses, sat


class StoredScene(Scene):
    """The scene with a database."""

    harness: Harness

    def kept(self, surely: str) -> object:
        with self.harness.store.transaction() as session:
            return _rows(session, _KEPT, surely)

    def asked(self) -> set[Hashable]:
        with self.harness.store.transaction() as session:
            return {*_rows(session, _ASKED)}

    def own(self, reader: str) -> Own:
        with self.harness.store.transaction() as session:
            you = rows.owner(session, reader)
            if you is None or you.id is None:
                return (), ()
            theirs = session.exec(select(SeatRow).where(SeatRow.player_id == you.id)).all()
            return rows.addresses(session, you.id), {(row.game_id, row.seat) for row in theirs}


def token_address(scene: Scene, game: int, seat: Seat) -> str:
    """Where the player of a seat answers to."""
    return scene.harness.services.key.reply_address(game, seat)


def _rows(session: Session, tables: Collection[type[SQLModel]], surely: str = "") -> set[Row]:
    """All that stands in some tables, but for when the owner of one address was heard from and got words."""
    return {
        (
            table.__name__,
            # That a newer question has taken the place of one is no more than a mark: it can be answered.
            *(
                (name, getattr(row, name))
                for name in sorted(table.model_fields)
                if name not in (left_out, "is_replaced")
            ),
        )
        for table in tables
        for row in session.exec(select(table)).all()
        for left_out in [_noted_of(row, surely)]
    }


def _noted_of(row: SQLModel, surely: str) -> str:
    if isinstance(row, AddressRow) and row.address == surely:
        return "heard_at"
    return "letter_id" if isinstance(row, ChatRow) and surely else ""


def _forms(letter: Received) -> Iterator[str]:
    """A letter as bytes and in every way in which a mail program may decode it."""
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
