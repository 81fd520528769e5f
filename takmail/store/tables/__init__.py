"""The tables. Turns define a game; intake and outbox hold its mails."""

from takmail.store.tables.column_types import Moment
from takmail.store.tables.games import (
    ChatRow,
    DisputeRow,
    GameRow,
    LogRow,
    OfferRow,
    QuestionRow,
    SeatRow,
    ShownBoardRow,
    TakenBackRow,
    TurnRow,
)
from takmail.store.tables.mails import IntakeRow, LeaseRow, OutboxRow, WatermarkRow
from takmail.store.tables.people import AddressRow, BlockRow, ErasureRow, PlayerRow, SeekRow

__all__ = [
    "AddressRow",
    "BlockRow",
    "ChatRow",
    "DisputeRow",
    "ErasureRow",
    "GameRow",
    "IntakeRow",
    "LeaseRow",
    "LogRow",
    "Moment",
    "OfferRow",
    "OutboxRow",
    "PlayerRow",
    "QuestionRow",
    "SeatRow",
    "SeekRow",
    "ShownBoardRow",
    "TakenBackRow",
    "TurnRow",
    "WatermarkRow",
]
