"""The tables. Turns are the truth about a game; intake and outbox are the truth about its mails."""

from takmail.store.tables.column_types import Moment
from takmail.store.tables.games import (
    Chat,
    Dispute,
    GameRow,
    LogRow,
    Offer,
    Question,
    SeatRow,
    ShownBoard,
    TakenBack,
    TurnRow,
)
from takmail.store.tables.mails import IntakeRow, Lease, OutboxRow, Watermark
from takmail.store.tables.people import Address, Block, Forgetting, Player, Seek

__all__ = [
    "Address",
    "Block",
    "Chat",
    "Dispute",
    "Forgetting",
    "GameRow",
    "IntakeRow",
    "Lease",
    "LogRow",
    "Moment",
    "Offer",
    "OutboxRow",
    "Player",
    "Question",
    "SeatRow",
    "Seek",
    "ShownBoard",
    "TakenBack",
    "TurnRow",
    "Watermark",
]
