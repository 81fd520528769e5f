"""Queries of stored rows, for tests that check what no letter shows."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from uuid import uuid4

from sqlmodel import Session, col, select

from takmail.games.registry import GAMES
from takmail.letters.services import Services
from takmail.store.games import Replays
from takmail.store.queries import SqlQueries
from takmail.store.tables import (
    AddressRow,
    GameRow,
    InboxRow,
    OutboxRow,
    PlayerRow,
    SeekRow,
    ShownBoardRow,
    TakenBackRow,
    TurnRow,
)
from takmail.world.game import Game
from takmail.world.kinds import DeliveryClass, GameNumber, MailState, PendingId, PlayerId
from takmail.world.queries import PersonalData
from tests.commands.build import NOW, SERVICES


def player(session: Session, address: str) -> PlayerRow:
    """Return the owner of a normalised address."""
    found = owner(session, address)
    assert found is not None, f"nobody has {address}"
    return found


def owner(session: Session, address: str) -> PlayerRow | None:
    """Return the owner of a normalised address, or None if it belongs to nobody."""
    return session.exec(select(PlayerRow).join(AddressRow).where(AddressRow.address == address)).one_or_none()


def number(session: Session, address: str) -> int:
    """Return the number of the player with this address."""
    found = player(session, address).id
    assert found is not None
    return found


def players(session: Session) -> Sequence[PlayerRow]:
    """Return all players, by number."""
    return session.exec(select(PlayerRow).order_by(col(PlayerRow.id))).all()


def addresses(session: Session, number: int) -> Sequence[str]:
    """Return all addresses of a player."""
    found = select(AddressRow.address).where(AddressRow.player_id == number)
    return session.exec(found.order_by(col(AddressRow.address))).all()


def game(session: Session, number: int = 1) -> GameRow:
    """Return a game."""
    return session.get_one(GameRow, number)


def games(session: Session) -> Sequence[GameRow]:
    """Return all games, by number."""
    return session.exec(select(GameRow).order_by(col(GameRow.id))).all()


def turns(session: Session, number: int = 1) -> Sequence[TurnRow]:
    """Return the turns of a game, in order."""
    found = select(TurnRow).where(TurnRow.game_id == number)
    return session.exec(found.order_by(col(TurnRow.number))).all()


def taken_back(session: Session, number: int = 1) -> Sequence[TakenBackRow]:
    """Return the turns of a game that were taken back, by run and number."""
    found = select(TakenBackRow).where(TakenBackRow.game_id == number)
    return session.exec(found.order_by(col(TakenBackRow.branch), col(TakenBackRow.number))).all()


def shown_board(session: Session, number: int, seat: int) -> ShownBoardRow | None:
    """Return the board that a seat showed last."""
    return session.get(ShownBoardRow, (number, seat))


def seeks(session: Session) -> Sequence[SeekRow]:
    """Return all open seeks, oldest first."""
    return session.exec(select(SeekRow).order_by(col(SeekRow.id))).all()


def table(session: Session, services: Services, number: int, now: datetime) -> Game:
    """Load a game as a mail would, replayed from its first turn. A corrupt game fails the test."""
    found = SqlQueries(session, services, Replays(), now).game(GameNumber(number))
    assert found is not None
    assert not found.is_corrupt, found
    return found


def held_about(
    session: Session, you: PlayerId, most: int, most_posts: int, closed: Iterable[PendingId] = ()
) -> PersonalData:
    """Return what is stored about a player, as `mydata` does."""
    queries = SqlQueries(session, SERVICES, Replays(), NOW)
    return queries.personal_data(you, most, most_posts, frozenset(closed))


def letters(session: Session) -> Sequence[OutboxRow]:
    """Return all letters of the outbox, by number."""
    return session.exec(select(OutboxRow).order_by(col(OutboxRow.id))).all()


def put_turns(session: Session, texts: Sequence[str], at: datetime, number: int = 1) -> None:
    """Store turns as the first ones of a game, as if they had been played, without processing mails."""
    record = game(session, number)
    state = GAMES.rules(record.kind).start(record.setup)
    for turn, text in enumerate(texts, 1):
        state = state.play(text)
        record.version += 1
        stored = TurnRow(
            game_id=number,
            number=turn,
            version=record.version,
            seat=(turn - 1) % 2,
            text=text,
            written=text,
            checksum=state.checksum,
            played_at=at,
        )
        session.add(stored)


def new_letter(
    to: str, now: datetime, of: DeliveryClass = DeliveryClass.GAMES, raw: bytes = b"A letter\r\n"
) -> OutboxRow:
    """Return a letter that is due now and not stored yet."""
    return OutboxRow(
        message_id=f"<{uuid4()}@example.test>",
        mail_from="tak@example.test",
        mail_to=to,
        raw=raw,
        text="",
        due_at=now,
        created_at=now,
        delivery_class=int(of),
    )


def add_letter(session: Session, letter: OutboxRow) -> int:
    """Put a letter into the outbox and return its number."""
    session.add(letter)
    session.flush()
    assert letter.id is not None
    return letter.id


def waiting_mails(session: Session) -> list[int]:
    """Return the numbers of the mails that wait, oldest first."""
    numbers = select(InboxRow.id).where(InboxRow.state == MailState.NEW).order_by(col(InboxRow.id))
    return [number for number in session.exec(numbers) if number is not None]
