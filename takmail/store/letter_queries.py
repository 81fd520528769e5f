"""The queries for letters that a cause can run in its transaction."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import and_, bindparam, func, or_
from sqlmodel import col

from takmail.games.interface import Seat
from takmail.store import digests, people, split_mails
from takmail.store.dispatch import LEASE
from takmail.store.load import DAY, Loader
from takmail.store.statements import run, select
from takmail.store.tables import AddressRow, GameRow, InboxRow, OutboxRow, PendingRow
from takmail.world import (
    NOT_ACCEPTED,
    CountedLetter,
    GameNumber,
    HeldLetter,
    LetterPurpose,
    MessageId,
    PendingKind,
    PlayerId,
    ReturnedLetter,
    SentLetter,
    StrangerBudget,
)

_RETURNED: Any = (
    select(
        OutboxRow.id,
        OutboxRow.message_id,
        OutboxRow.mail_to,
        OutboxRow.state,
        OutboxRow.game_id,
        (func.length(OutboxRow.raw) > 0).label("has_bytes"),
        OutboxRow.created_at,
    )
    .where(col(OutboxRow.message_id).in_(bindparam("letters", expanding=True)))
    .order_by(col(OutboxRow.id).desc())
    .limit(1)
)
# The player is the host of the invitation, or who adds the address.
_PLAYER = func.coalesce(GameRow.invited_by, PendingRow.player_id)
_COUNTED: Any = (
    select(OutboxRow.id, OutboxRow.mail_to, OutboxRow.due_at, OutboxRow.claimed_by, _PLAYER.label("player"))
    .outerjoin(GameRow, col(GameRow.id) == OutboxRow.game_id)
    .outerjoin(
        PendingRow,
        and_(
            col(PendingRow.address) == OutboxRow.mail_to,
            col(PendingRow.kind) == PendingKind.ADDRESS,
            col(PendingRow.letter_id) == OutboxRow.id,
        ),
    )
    .outerjoin(
        AddressRow,
        and_(
            col(AddressRow.address) == OutboxRow.mail_to,
            col(OutboxRow.budget) == StrangerBudget.ANSWERS,
            col(AddressRow.verified_at).is_not(None),
            col(AddressRow.stopped_at).is_(None),
        ),
    )
    .where(
        col(OutboxRow.budget) == bindparam("budget"),
        col(OutboxRow.due_at) > bindparam("day"),
        # After the clock was set back, letters from the future must not count.
        col(OutboxRow.created_at) <= bindparam("now"),
        # Whoever has accepted an invitation wanted the letter, and so did a player who has answered with a proof.
        or_(col(GameRow.standing).is_(None), col(GameRow.standing).in_(NOT_ACCEPTED)),
        col(AddressRow.address).is_(None),
    )
)
_TOLD_OF_SEAT = (
    select(OutboxRow.id)
    .where(
        col(OutboxRow.mail_to) == bindparam("address"),
        col(OutboxRow.purpose) == LetterPurpose.NONSENSE,
        col(OutboxRow.game_id) == bindparam("game"),
    )
    .limit(1)
)
_TOLD_OF_COSTLY = (
    select(OutboxRow.id)
    .join(InboxRow, col(InboxRow.id) == OutboxRow.mail_id)
    .where(
        col(OutboxRow.mail_to).in_(
            select(AddressRow.address).where(col(AddressRow.player_id) == bindparam("player"))
        ),
        col(OutboxRow.created_at) > bindparam("since"),
        col(InboxRow.is_costly).is_(True),
    )
    .limit(1)
)


class LetterQueries(Loader):
    """Implements the queries of `Queries` for letters."""

    __slots__ = ()

    def counted_letters(self, budget: StrangerBudget) -> Sequence[CountedLetter]:
        """Return the letters that count in a budget and have left within a day or are to leave."""
        rows = run(self.session, _COUNTED, budget=budget, day=self.now - DAY, now=self.now)
        typed_by = people.load(self.session, {row.player for row in rows} - {None}).players
        return [
            CountedLetter(
                row.mail_to,
                # A letter that was claimed left when its lease began.
                row.due_at - LEASE if row.claimed_by else row.due_at,
                row.player,
                typed_by[row.player].addresses if row.player is not None else (),
            )
            for row in rows
        ]

    def was_told_of_seat(self, address: str, game: GameNumber) -> bool:
        """Return whether the owner of an address was told that a reply address belongs to a seat of a game."""
        return run(self.session, _TOLD_OF_SEAT, address=address, game=game).first() is not None

    def letter_to_seat(
        self, game: GameNumber, seat: Seat, answered: MessageId | None, until: datetime
    ) -> SentLetter | None:
        """Return the newest letter to a seat that is not newer than the letter `answered`, or than a time.

        A letter whose news have left with a digest counts, too. One that asks counts only if `answered` tells it.
        """
        return split_mails.letter_shown(self.session, self.services.key, game, seat, answered, until)

    def was_told_of_costly(self, player: PlayerId) -> bool:
        """Return whether a player was told within the last day that a mail was too expensive to read."""
        return run(self.session, _TOLD_OF_COSTLY, player=player, since=self.now - DAY).first() is not None

    def held_letters(self, player: PlayerId) -> Sequence[HeldLetter]:
        return digests.held_letters(self.session, player)

    def has_news(self, player: PlayerId) -> bool:
        return digests.has_news(self.session, player)

    def returned_letter(self, letters: tuple[MessageId, ...]) -> ReturnedLetter | None:
        """Return the newest letter with one of these Message-IDs, or None if there is none."""
        row = run(self.session, _RETURNED, letters=list(letters)).first() if letters else None
        return None if row is None else ReturnedLetter(*row)
