"""The tables. Turns are the truth about a game; intake and outbox are the truth about its mails."""

from takmail.store.tables.games import Chat, GameRow, LogRow, Offer, Question, SeatRow, TakenBack, TurnRow
from takmail.store.tables.kinds import (
    BEGUN,
    RUNNING,
    Answers,
    ConfirmationKind,
    LetterState,
    MailState,
    Moment,
    OfferEnd,
    OfferKind,
    QuestionKind,
    Ruling,
    Standing,
)
from takmail.store.tables.mails import IntakeRow, OutboxRow, Watermark
from takmail.store.tables.people import Address, Block, Confirmation, Player, Seek

__all__ = [
    "BEGUN",
    "RUNNING",
    "Address",
    "Answers",
    "Block",
    "Chat",
    "Confirmation",
    "ConfirmationKind",
    "GameRow",
    "IntakeRow",
    "LetterState",
    "LogRow",
    "MailState",
    "Moment",
    "Offer",
    "OfferEnd",
    "OfferKind",
    "OutboxRow",
    "Player",
    "Question",
    "QuestionKind",
    "Ruling",
    "SeatRow",
    "Seek",
    "Standing",
    "TakenBack",
    "TurnRow",
    "Watermark",
]
