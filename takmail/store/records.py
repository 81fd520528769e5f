"""Declare how the values of the world are stored: one declaration a record, by which it is loaded and written.

What of it is personal is part of the declaration. `HELD` has this for all tables.
"""

from operator import attrgetter
from typing import Any

from takmail.store import personal_data
from takmail.store.clubs_records import ENTRIES, PAIRINGS, STEPS, TOURNAMENTS
from takmail.store.record import Record
from takmail.world import (
    Block,
    Dispute,
    LastText,
    Mailbox,
    OfferEnd,
    Pending,
    SeatRecord,
    Seek,
    ShownBoard,
    TakenBackTurn,
    Timing,
    Turn,
)

_PLAYER = """
id name skeleton created_at kind is_blocked
language=preferences.language letter_view=preferences.letter_view wants_no_receipts=preferences.wants_no_receipts
reads_ptn=preferences.reads_ptn zone=preferences.zone wants_no_reminders=preferences.wants_no_reminders
announces_holidays=preferences.announces_holidays digest=preferences.digest
hears_of_tournaments=preferences.hears_of_tournaments
rating_seen_by=preferences.rating_seen_by
time_off invitations_wait data_sent_at
"""
_MAILBOX = """
address bounces verified_at stopped_at token_number
last_text=last_text.whole last_frame=last_text.frame similar_texts=last_text.similar texts_in_a_row=last_text.in_a_row
is_unsigned added_at
"""
_GAME = """
id=number version kind setup subject standing created_at
invited_by=invitation.host guest_label=invitation.guest_label invited_at=invitation.written_at
tournament_id=invitation.tournament is_unrated=invitation.is_unrated series=invitation.series
pace=timing.pace is_strict=timing.is_strict clock_from=timing.clock_from turn_since=timing.turn_since
alarmed_until=timing.alarmed_until rested_at=timing.rested_at
resigned=end.resigned ruling=end.ruling score=end.score winner=end.winner score_digest=end.score_digest
first_points=end.first_points second_points=end.second_points
is_relay hints rematch_of in_advance_version
"""
_TAKEN_BACK = """
number=turn.number seat=turn.seat text=turn.text written=turn.written version=turn.version
played_at=turn.played_at is_agreed=turn.is_agreed branch how taken_back_at ended_version
"""
_PENDING = """
id kind asked_at words game_id=game seat version turn address player_id=player letter_id=letter is_replaced target
ended=end.how ended_version=end.version
"""


def _mailbox(*row: Any) -> Mailbox:
    return Mailbox(*(*row[:5], LastText(*row[5:9]), *row[9:]))


def _pending(*row: Any) -> Pending:
    return Pending(*(*row[:-2], OfferEnd(*row[-2:])))


def _taken_back(*row: Any) -> TakenBackTurn:
    return TakenBackTurn(Turn(*row[:7]), *row[7:])


def _seek(*row: Any) -> Seek:
    return Seek(*(*row[:5], Timing(*row[5:7]), *row[7:]))


PLAYERS = Record(
    personal_data.PLAYER,
    lambda player: [player],
    ("id",),
    _PLAYER,
    guards=("kind", "time_off"),
)
MAILBOXES = Record(
    personal_data.ADDRESS,
    attrgetter("mailboxes"),
    ("address",),
    _MAILBOX,
    _mailbox,
    "player_id",
    ("player_id", "bounces", "stopped_at", "token_number"),
)
BLOCKS = Record(
    personal_data.BLOCK,
    attrgetter("blocks"),
    ("player_id", "blocked_id"),
    "blocked_id",
    Block,
    "player_id",
    stamp="blocked_at",
)
GAMES = Record(
    personal_data.GAME,
    lambda game: [game.record],
    ("id",),
    _GAME,
    guards=("version", "in_advance_version"),
)
SEATS = Record(
    personal_data.SEAT,
    attrgetter("record.seats"),
    ("game_id", "seat"),
    "seat player_id=player asks_board token_number bid gift zone in_advance",
    SeatRecord,
    "game_id",
)
TURNS = Record(
    personal_data.TURN,
    attrgetter("turns"),
    ("game_id", "number"),
    "number seat text written version played_at is_agreed checksum mail_id=mail spent",
    Turn,
    "game_id",
)
TAKEN_BACK = Record(
    personal_data.TAKEN_BACK,
    attrgetter("taken_back_turns"),
    ("game_id", "branch", "number"),
    _TAKEN_BACK,
    _taken_back,
    "game_id",
)
DISPUTES = Record(
    personal_data.DISPUTE,
    attrgetter("every_dispute"),
    ("game_id", "version"),
    "version seat turn reason opened_at ended_at ended_version",
    Dispute,
    "game_id",
)
CHAT = Record(
    personal_data.CHAT,
    attrgetter("correspondence.chat"),
    ("game_id", "version"),
    "version seat words",
    owner="game_id",
    stamp="said_at",
    is_changed_elsewhere=True,
)
BOARDS = Record(
    personal_data.SHOWN_BOARD,
    lambda game: [board for board in game.correspondence.shown_boards if board is not None],
    ("game_id", "seat"),
    "seat board turn shown_at",
    ShownBoard,
    "game_id",
)
SEEKS = Record(
    personal_data.SEEK,
    lambda seek: [seek],
    ("id",),
    "id=number player_id=player kind setup first pace=timing.pace is_strict=timing.is_strict is_relay sought_at"
    " is_unrated",
    _seek,
)
PENDING = Record(
    personal_data.PENDING, attrgetter("pending"), ("id",), _PENDING, _pending, letter="letter_id"
)
OF_PLAYER = (PLAYERS, MAILBOXES, BLOCKS)
OF_GAME = (GAMES, SEATS, TURNS, TAKEN_BACK, CHAT, BOARDS, DISPUTES, PENDING)
OF_TOURNAMENT = (TOURNAMENTS, ENTRIES, PAIRINGS, STEPS)
RECORDS = (
    PLAYERS,
    MAILBOXES,
    GAMES,
    SEATS,
    TURNS,
    TAKEN_BACK,
    CHAT,
    BOARDS,
    DISPUTES,
    PENDING,
    SEEKS,
    BLOCKS,
    TOURNAMENTS,
    ENTRIES,
    PAIRINGS,
    STEPS,
)
"""All records. Those to which others refer stand before them."""
HELD = (*(record.held for record in RECORDS), *personal_data.OF_OTHER_TABLES)
"""What all tables hold about players. Those by which the rows of others are found stand first, and are erased last."""
