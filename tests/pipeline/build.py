"""Mails, letters and what is loaded for them, for tests of single stages."""

from collections.abc import Iterator
from typing import Any

from takmail.commands.game.table import Table
from takmail.commands.kinds import LetterPurpose, LetterState
from takmail.commands.records import MessageId
from takmail.commands.snapshot import Cause, Snapshot
from takmail.games.interface import Seat
from takmail.letters.letter import NewLetter
from takmail.mail.message import Message
from takmail.mail.tokens import SeatRef, nonce_of
from takmail.pipeline.authenticate import with_named_letters
from takmail.pipeline.process import Trace, stages
from tests.commands.build import ADA, NOW, SERVICES, TAK
from tests.support.memory import Memory

KEY = SERVICES.key
OTHER = "other@example.org"


def mail(text: str = "", by: str = ADA, *answers: NewLetter, **values: Any) -> Message:
    """A mail by a person; `vouched` is one for whose From a mail server vouches."""
    given = {
        "message_id": "<m@mail.example.org>",
        "sender": by,
        "sender_name": "",
        "recipients": (TAK,),
        "subject": "",
        "in_reply_to": tuple(one.message_id for one in answers[:1]),
        "references": tuple(one.message_id for one in answers),
        "text": text,
    }
    return with_named_letters(KEY, Message(**{**given, **values}))


def letter(
    store: Memory,
    game: Table | None = None,
    seat: Seat = Seat.FIRST,
    to: str = ADA,
    *,
    asks: bool = False,
    **values: Any,
) -> NewLetter:
    """A letter that is stored: to a seat, or about no game to an address; `asks`: for a `yes`."""
    turn = None if game is None else len(game.turns)
    ref = None if game is None else SeatRef(game.number, seat, turn)
    reader = to if game is None else game.players[seat].addresses[0]
    name = MessageId(KEY.message_id(ref, reader, nonce_of(b"letters", len(store.outbox)), asks=asks))
    given = {
        "message_id": name,
        "mail_from": TAK,
        "mail_to": reader,
        "raw": b"bytes",
        "text": f"letter {len(store.outbox)}",
        "html_text": None,
        "answers": LetterPurpose.NEWS,
        "state": LetterState.SENT,
        "due_at": NOW,
        "created_at": NOW,
        "game": None if game is None else game.number,
        "seat": None if game is None else seat,
        "version": None if game is None else game.record.version,
        "turn": turn,
    }
    store.outbox[name] = NewLetter(**{**given, **values})
    return store.outbox[name]


def lost(store: Memory, one: NewLetter) -> NewLetter:
    """A letter that is stored no more, as one from after the copy that was restored."""
    return store.outbox.pop(one.message_id)


def loaded(store: Memory, message: Message) -> Snapshot:
    """All that a mail can need."""
    return store.snapshot(Cause("mail 1", 1), NOW, message)


def traced(store: Memory, message: Message) -> Iterator[Trace]:
    """The work on a mail, stage by stage."""
    return stages(SERVICES, store, loaded(store, message), message)


def decided(store: Memory, message: Message) -> Trace:
    """The work on a mail up to the decision on it."""
    return next(one for one in traced(store, message) if one.decision is not None)


def read(store: Memory, message: Message) -> Trace:
    """The work on a mail up to what it says."""
    return next(one for one in traced(store, message) if one.interpreted is not None)
