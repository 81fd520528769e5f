"""What an attacker finds, and what must still be so after all that they try."""

import quopri
import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from datetime import timedelta
from email.header import decode_header, make_header
from email.message import EmailMessage
from urllib.parse import unquote

from sqlmodel import Session, SQLModel, select

from takmail.games.interface import Seat
from takmail.inbound import Inbound
from takmail.store.database import Store
from takmail.store.tables import (
    Address,
    Block,
    Chat,
    GameRow,
    LogRow,
    Offer,
    Player,
    Question,
    SeatRow,
    Seek,
    TakenBack,
    TurnRow,
)
from tests.support import rows
from tests.support.harness import ADA, BEN, Harness, Received, said

ADA_AT_WORK = "work.ada@example.org"
OTHER = "other@example.org"
SOMEONE = "someone@example.net"
"""The attacker, where it is none of the players."""
EVERYBODY = (ADA, ADA_AT_WORK, BEN, OTHER, SOMEONE)
OURS = "mx.example.test"
"""The mail server that takmail believes."""

_KEPT = (Player, Address, Block, Seek, GameRow, SeatRow, TurnRow, TakenBack, Chat, Offer, LogRow)
_ASKED = (Question,)
_GAMES = range(1, 10)

Row = tuple[object, ...]


class Scene:
    """Ada's games: #1 runs with Ben, it is hers to move; #2 with Ben is over; #3 runs with Other; to #4 Ben asks her.

    In #1 words of Ada's wait, and a mail in her name is held; in #3 she has been asked if she gives up; a mail in
    her name waits outside any game. She plays from two addresses and last wrote from the first.
    """

    def __init__(self, store: Store, delimiter: str = "+", drawn: "Scene | None" = None) -> None:
        """Play all that into an empty store, or take one that holds a copy of what was `drawn` before."""
        self.harness = Harness(store, delimiter=delimiter)
        self.harness.services = replace(self.harness.services, authserv_id=OURS)
        self.harness.inbound = Inbound(store, self.harness.causes)
        if drawn is None:
            self._play()
        else:
            self.harness.box = list(drawn.harness.box)
            self.harness._mails, self.harness._seen = drawn.harness._mails, drawn.harness._seen
        # What was asked while the scene was set uses up nothing of what the attacker is to meet.
        self.harness.now += timedelta(hours=2)
        self.harness.confirms = False

    def _play(self) -> None:
        harness = self.harness
        harness.begin()
        harness.play("ps b4", "ps c3")
        harness.begin()
        harness.send(f"Ada <{ADA}>", "resign", self.letter(ADA, 2))
        harness.send(f"Ada <{ADA}>", "yes", self.letter(ADA, 2))
        harness.send(f"Ada <{ADA}>", f"new 5 vs {OTHER} first=me")
        harness.send(f"Other <{OTHER}>", "accept", harness.last(OTHER))
        harness.send(f"Ben <{BEN}>", f"new 4 vs {ADA} first=them")
        harness.send(f"Ada <{ADA}>", f"address add {ADA_AT_WORK}")
        harness.send(f"Ada <{ADA_AT_WORK}>", "yes", harness.last(ADA_AT_WORK))
        harness.now += timedelta(hours=1)
        harness.send(f"Ada <{ADA}>", "Have you seen the board?\nlog", self.letter(ADA, 1))
        harness.send(f"Ada <{ADA}>", "resign", self.letter(ADA, 3))
        harness.confirms = False
        harness.send(f"Ada <{ADA}>", "#1 ps d4")
        harness.send(f"Ada <{ADA}>", "seek 6")

    def letter(self, who: str, game: int) -> Received:
        """The newest letter about a game to somebody."""
        tag = f"[tak #{game}"
        return next(
            one for one in reversed(self.harness.box) if one.to == who and one.subject.startswith(tag)
        )

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
        with self.harness.store.transaction() as session:
            kept, asked = _rows(session, _KEPT, surely), _rows(session, _ASKED)
        letters = [
            letter
            for mail in mails
            for letter in self.harness.deliver(mail if isinstance(mail, bytes) else mail.as_bytes())
        ]
        with self.harness.store.transaction() as session:
            assert _rows(session, _KEPT, surely) == kept, "something has changed"
            assert too_many or asked <= _rows(session, _ASKED), "a question is gone"
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
        with self.harness.store.transaction() as session:
            you = rows.owner(session, reader)
            own = {reader, *(rows.addresses(session, you.id) if you and you.id else ())}
            seats = {
                (row.game_id, row.seat)
                for row in session.exec(select(SeatRow)).all()
                if you is not None and row.player_id == you.id
            }
        for address in EVERYBODY:
            if address not in own:
                yield address
                yield key.personal_address(address).partition("me.")[2].partition("@")[0] or "no such token"
                yield key.way_to_stop(address)[0].partition("stop.")[2].partition("@")[0] or "no such token"
        for game in _GAMES:
            for seat in Seat:
                if (game, seat) not in seats:
                    yield key.token(game, seat).partition(".")[2]


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
    if isinstance(row, Address) and row.address == surely:
        return "heard_at"
    return "letter_id" if isinstance(row, Chat) and surely else ""


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
