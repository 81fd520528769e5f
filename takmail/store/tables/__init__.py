"""The tables of the database, one class each."""

from takmail.store.tables.column_types import Moment
from takmail.store.tables.games import (
    ChatRow,
    DisputeRow,
    GameRow,
    OperatorLogRow,
    PendingRow,
    SeatRow,
    ShownBoardRow,
    TakenBackRow,
    TurnRow,
)
from takmail.store.tables.mails import ClockRow, InboxRow, LeaseRow, OutboxRow, WatermarkRow
from takmail.store.tables.people import (
    AddressRow,
    BlockedDomainRow,
    BlockRow,
    PlayerRow,
    RememberedAddressRow,
    SeekRow,
)

__all__ = [
    "AddressRow",
    "BlockRow",
    "BlockedDomainRow",
    "ChatRow",
    "ClockRow",
    "DisputeRow",
    "GameRow",
    "InboxRow",
    "LeaseRow",
    "Moment",
    "OperatorLogRow",
    "OutboxRow",
    "PendingRow",
    "PlayerRow",
    "RememberedAddressRow",
    "SeatRow",
    "SeekRow",
    "ShownBoardRow",
    "TakenBackRow",
    "TurnRow",
    "WatermarkRow",
]
