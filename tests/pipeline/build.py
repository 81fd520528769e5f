"""Provide mails, letters and snapshots for tests of single stages."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from takmail.games.interface import Seat
from takmail.letters.letter import About, Letter, Rendered
from takmail.letters.services import Services
from takmail.mail.message import Mail, MailBody, ThreadHeaders
from takmail.mail.tokens import SeatRef, nonce_of
from takmail.pipeline.authenticate import with_named_letters
from takmail.pipeline.process import Trace, stages
from takmail.world.game import Game
from takmail.world.kinds import GameNumber, LetterPurpose, LetterState, MessageId, PlayerId
from takmail.world.letters import Budget, ReturnedLetter, SentLetter
from takmail.world.players import Mailbox, Player
from takmail.world.reading import Reading
from takmail.world.world import Cause, Snapshot, World
from tests.commands.build import ADA, NOW, SERVICES, TAK, Following, Stored

KEY = SERVICES.key
OTHER = "other@example.org"


def mail(text: str = "", by: str = ADA, *answers: Letter, **values: Any) -> Mail:
    """Return a mail by a person. `vouched`: a mail server vouches for its From address."""
    given = {
        "message_id": "<m@mail.example.org>",
        "sender": by,
        "sender_name": "",
        "recipients": (TAK,),
        "subject": "",
        "thread": answer_to(*(one.message_id for one in answers)),
        "body": MailBody(text),
    }
    return with_named_letters(KEY, Mail(**{**given, **values}))


def answer_to(*letters: str) -> ThreadHeaders:
    """Return the headers of an answer to the first of these letters."""
    return ThreadHeaders(letters[:1], letters)


class Mailbag(Stored):
    """Stored data with letters, from which a mail gets its snapshot."""

    def __init__(self) -> None:
        super().__init__()
        self.outbox: dict[MessageId, Letter] = {}

    def snapshot(self, cause: Cause, now: datetime, message: Mail) -> Snapshot:
        """Return the snapshot for a mail: what its sender, its tokens and the letters that it answers name."""
        answered = self._answered(message)
        ids = {one.lower() for one in message.thread.all}
        return Snapshot(
            cause=cause,
            now=now,
            seed=KEY.seed(cause.name),
            world=World(Reading(self), Following(self)),
            sender=self.mailbox(message.sender),
            player=self.player_by_address(message.sender),
            answered=answered,
            known_letters=frozenset(one for one in self.outbox if one in ids),
        )

    def game(self, number: GameNumber) -> Game | None:
        """Return a game with the current data of its players."""
        game = self.tables.get(number)
        if game is None:
            return None
        first, second = (self.player(player) for player in game.record.players)
        return replace(game, players=(first, second), pending=tuple(one.at(NOW) for one in game.pending))

    def player(self, player: PlayerId) -> Player:
        found = self.players[player]
        boxes = tuple(replace(box, budget=self._budget(box.address)) for box in found.mailboxes)
        return replace(found, mailboxes=boxes)

    def player_by_address(self, address: str) -> Player | None:
        found = super().player_by_address(address)
        return None if found is None else self.player(found.id)

    def mailbox(self, address: str) -> Mailbox:
        return replace(super().mailbox(address), budget=self._budget(address))

    def _budget(self, address: str) -> Budget:
        """Return the letters to an address, all of which are recent."""
        purposes = Counter(one.purpose for one in self.outbox.values() if one.mail_to == address)
        return Budget(hour=purposes, day=purposes)

    def was_told_of_seat(self, address: str, game: GameNumber) -> bool:
        told = [one for one in self.outbox.values() if one.purpose is LetterPurpose.NONSENSE]
        return any((one.mail_to, one.about.game) == (address, game) for one in told)

    def returned_letter(self, letters: Sequence[MessageId]) -> ReturnedLetter | None:
        numbered = [
            (number, one) for number, one in enumerate(self.outbox.values(), 1) if one.message_id in letters
        ]
        if not numbered:
            return super().returned_letter(letters)
        number, one = numbered[-1]
        return ReturnedLetter(
            number,
            one.message_id,
            one.mail_to,
            one.state,
            one.about.game,
            bool(one.content.raw),
            one.created_at,
        )

    def _answered(self, message: Mail) -> SentLetter | None:
        for ids in (message.thread.in_reply_to, message.thread.references):
            found = [one for one in self.outbox.values() if one.message_id in map(str.lower, ids)]
            if found:
                it, content = found[-1].about, found[-1].content
                texts = (content.text, content.html_text)
                return SentLetter(found[-1].message_id, it.game, it.seat, it.version, it.turn, *texts)
        return None


def letter(
    store: Mailbag,
    game: Game | None = None,
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
        "content": Rendered(b"bytes", f"letter {len(store.outbox)}"),
        "purpose": LetterPurpose.NEWS,
        "state": LetterState.SENT,
        "due_at": NOW,
        "created_at": NOW,
        "about": About() if game is None else About(game.number, seat, game.record.version, turn),
    }
    store.outbox[name] = Letter(**{**given, **values})
    return store.outbox[name]


def lost(store: Mailbag, one: Letter) -> Letter:
    """Return a letter that is no longer stored, as after a restore from an older backup."""
    return store.outbox.pop(one.message_id)


def loaded(store: Mailbag, message: Mail) -> Snapshot:
    """Return the snapshot for a mail, with everything that it can need."""
    return store.snapshot(Cause("mail 1", 1), NOW, message)


def traced(store: Mailbag, message: Mail, services: Services = SERVICES) -> list[Trace]:
    """Return the traces of a mail, stage by stage."""
    return [*stages(services, loaded(store, message), message)]


def decided(store: Mailbag, message: Mail) -> Trace:
    """Return the trace of a mail up to its decision."""
    return next(one for one in traced(store, message) if one.decision is not None)


def read(store: Mailbag, message: Mail) -> Trace:
    """Return the trace of a mail up to its interpretation."""
    return next(one for one in traced(store, message) if one.interpreted is not None)
