"""Provide mails, letters and snapshots for tests of single stages."""

from dataclasses import replace
from typing import Any

from takmail.games.interface import Seat
from takmail.letters.letter import Letter
from takmail.mail.message import Message
from takmail.mail.tokens import SeatRef, nonce_of
from takmail.pipeline.authenticate import with_named_letters
from takmail.pipeline.process import Trace, stages
from takmail.world.kinds import LetterPurpose, LetterState, MessageId
from takmail.world.table import Table
from takmail.world.world import Cause, Snapshot
from tests.commands.build import ADA, NOW, SERVICES, TAK, Looking
from tests.support.memory import Memory

KEY = SERVICES.key
OTHER = "other@example.org"


def mail(text: str = "", by: str = ADA, *answers: Letter, **values: Any) -> Message:
    """Return a mail by a person. `vouched`: a mail server vouches for its From address."""
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
) -> Letter:
    """Return a stored letter, to a seat or (about no game) to an address. `asks`: it asks for a `yes`."""
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
        "purpose": LetterPurpose.NEWS,
        "state": LetterState.SENT,
        "due_at": NOW,
        "created_at": NOW,
        "game": None if game is None else game.number,
        "seat": None if game is None else seat,
        "version": None if game is None else game.record.version,
        "turn": turn,
    }
    store.outbox[name] = Letter(**{**given, **values})
    return store.outbox[name]


def lost(store: Memory, one: Letter) -> Letter:
    """Return a letter that is no longer stored, as after a restore from an older backup."""
    return store.outbox.pop(one.message_id)


def loaded(store: Memory, message: Message) -> Snapshot:
    """Return the snapshot for a mail, with everything that it can need."""
    return store.snapshot(Cause("mail 1", 1), NOW, message)


def traced(store: Memory, message: Message) -> list[Trace]:
    """Return the traces of a mail, stage by stage."""
    return store.decided(loaded(store, message), lambda known: [*stages(SERVICES, known, message)])


def decided(store: Memory, message: Message) -> Trace:
    """Return the trace of a mail up to its decision."""
    return next(one for one in traced(store, message) if one.decision is not None)


def read(store: Memory, message: Message) -> Trace:
    """Return the trace of a mail up to its interpretation."""
    return next(one for one in traced(store, message) if one.interpreted is not None)


def looking(store: Memory, snapshot: Snapshot) -> Snapshot:
    """Return a snapshot with the results of all lookups in a store."""
    return replace(
        snapshot, world=replace(store._everything(), pending=snapshot.world.pending, facts=Looking(store))
    )
