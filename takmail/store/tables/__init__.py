"""The tables of the database, one class each.

Partial indexes have their condition for SQLite only. Migrations make the tables of PostgreSQL, whose dialect SQLAlchemy
would load to read an option for it, and that takes 2 MiB.
"""

from takmail.store.tables.clubs import EntryRow, PairingRow, StepRow, TournamentRow
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
from takmail.store.tables.mails import (
    DueRow,
    InboxRow,
    LeaseRow,
    MachineTimeRow,
    MarkerRow,
    OutageRow,
    OutboxRow,
    WatermarkRow,
)
from takmail.store.tables.people import (
    AddressRow,
    BlockedDomainRow,
    BlockRow,
    PlayerRow,
    RememberedAddressRow,
    SeekRow,
)
from takmail.store.tables.ratings import FirstTurnRow, RatingRow

__all__ = [
    "AddressRow",
    "BlockRow",
    "BlockedDomainRow",
    "ChatRow",
    "DisputeRow",
    "DueRow",
    "EntryRow",
    "FirstTurnRow",
    "GameRow",
    "InboxRow",
    "LeaseRow",
    "MachineTimeRow",
    "MarkerRow",
    "Moment",
    "OperatorLogRow",
    "OutageRow",
    "OutboxRow",
    "PairingRow",
    "PendingRow",
    "PlayerRow",
    "RatingRow",
    "RememberedAddressRow",
    "SeatRow",
    "SeekRow",
    "ShownBoardRow",
    "StepRow",
    "TakenBackRow",
    "TournamentRow",
    "TurnRow",
    "WatermarkRow",
]
