"""Describe what the tables hold about players: each table, and each column with its treatment.

A record (`takmail.store.records`) is declared with what its table holds. `mydata` (`SqlQueries.personal_data`), `forget
me` and merging (`takmail.store.operations`) follow `records.HELD`. `tests/store/test_personal_data.py` checks that no
column is missing and that each one is treated as described.
"""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import (
    BindParameter,
    LargeBinary,
    and_,
    bindparam,
    case,
    exists,
    func,
    or_,
    union,
)
from sqlmodel import col

from takmail.limits.mails import MAX_GLANCE_BYTES
from takmail.store.held import Held, Shown, references
from takmail.store.statements import select
from takmail.store.tables import (
    AddressRow,
    BlockedDomainRow,
    BlockRow,
    ChatRow,
    DisputeRow,
    DueRow,
    FirstTurnRow,
    GameRow,
    InboxRow,
    LeaseRow,
    MachineTimeRow,
    MarkerRow,
    OperatorLogRow,
    OutageRow,
    OutboxRow,
    PendingRow,
    PlayerRow,
    RatingRow,
    RememberedAddressRow,
    SeatRow,
    SeekRow,
    ShownBoardRow,
    TakenBackRow,
    TurnRow,
    WatermarkRow,
)
from takmail.world import CONSENTS, LetterState, LogWord, MailState, PlayerKind

YOU: BindParameter[int] = bindparam("you")
"""The player, in the conditions below."""
ANEW: Any = object()
"""The value of a column that the code of an erasure sets by itself."""
TAKEN_OVER = "rating_seen_by language letter_view hears_of_tournaments zone data_sent_at invitations_wait"
"""The columns of a player that a merger takes over where the remaining player has no value."""
_UNSENT = (
    LetterState.QUEUED,
    LetterState.BOUNCED,
    LetterState.RESTING,
    LetterState.POSTPONED,
    LetterState.HELD,
)

REDUCED_MAIL: Mapping[str, Any] = {
    "raw": b"",
    "sender": None,
    "budget": None,
    "queue": None,
    "piece": "",
    "is_reduced": True,
}
"""The columns of a mail whose content is deleted."""


def _of_player(table: Any) -> Any:
    return or_(*(getattr(table, name) == YOU for name in references(table)))


_GAMES: Any = select(SeatRow.game_id).where(col(SeatRow.player_id) == YOU)
_ADDRESSES: Any = select(AddressRow.address).where(col(AddressRow.player_id) == YOU)


def _of_games(table: Any) -> Any:
    return table.game_id.in_(_GAMES)


def _of_seat(table: Any) -> Any:
    same = (col(SeatRow.game_id) == table.game_id, col(SeatRow.seat) == table.seat)
    # The condition on the game lets the database use an index. With that on the seat alone it would read every row.
    return and_(_of_games(table), exists().where(*same, col(SeatRow.player_id) == YOU))


_NAME: Any = select(PlayerRow.name).where(col(PlayerRow.id) == YOU).scalar_subquery()
_OWN_GAMES = col(GameRow.id).in_(_GAMES)
_IS_HOST: Any = col(GameRow.invited_by) == YOU
# Two queries for the index of each, as in `LETTERS`.
_OF_ADDRESS: Any = col(PendingRow.id).in_(
    union(
        select(PendingRow.id).where(col(PendingRow.address).in_(_ADDRESSES)),
        select(PendingRow.id).where(_of_player(PendingRow)),
    )
)
_STILL_OPEN = col(PendingRow.id).not_in(bindparam("closed", expanding=True))
_IS_OFFER = col(PendingRow.kind).in_(CONSENTS)
_SENT = col(InboxRow.sender).in_(_ADDRESSES)
_NEW_MAIL: Any = col(InboxRow.state) == MailState.NEW
_PLAYED: Any = select(TurnRow.mail_id).where(_of_seat(TurnRow), col(TurnRow.mail_id).is_not(None))
_SAME_SEAT = and_(col(SeatRow.game_id) == OutboxRow.game_id, col(SeatRow.seat) == OutboxRow.seat)
# Two queries, one by address and one by seat, each use an index. A single query would read all letters.
LETTERS: Any = col(OutboxRow.id).in_(
    union(
        select(OutboxRow.id).where(col(OutboxRow.mail_to).in_(_ADDRESSES)),
        select(OutboxRow.id).join(SeatRow, _SAME_SEAT).where(col(SeatRow.player_id) == YOU),
    )
)
"""The letters to the player's addresses and seats."""


def _head(table: Any) -> Any:
    return func.substr(table.raw, 1, MAX_GLANCE_BYTES, type_=LargeBinary())


def _of_running(table: Any, kind: str, columns: str, *, plain: str, **more: Any) -> Held:
    """Return what a table holds that only running games need. The opponent's rows may name the player."""
    shown = Shown(kind, _of_seat(table), columns, **more)
    return Held(table, rows=_of_games(table), becomes=None, shown=shown, plain=plain)


PLAYER = Held(
    PlayerRow,
    rows=col(PlayerRow.id) == YOU,
    becomes={
        "kind": PlayerKind.ERASED,
        "name": ANEW,
        "skeleton": None,
        "language": None,
        "letter_view": None,
        "wants_no_receipts": False,
        "reads_ptn": False,
        "zone": None,
        "wants_no_reminders": False,
        "announces_holidays": False,
        "digest": None,
        "hears_of_tournaments": False,
        "rating_seen_by": None,
        "time_off": (),
        "data_sent_at": None,
    },
    in_state="is_blocked created_at",
    plain="id invitations_wait",
)
ADDRESS = Held(
    AddressRow,
    rows=_of_player(AddressRow),
    becomes=None,
    in_state="address bounces verified_at stopped_at is_unsigned added_at",
    plain="player_id token_number last_text last_frame similar_texts texts_in_a_row",
)
GAME = Held(
    GameRow,
    rows=_OWN_GAMES,
    becomes={
        "subject": ANEW,
        "guest_label": case(
            (and_(col(GameRow.guest_label).is_not(None), ~_IS_HOST), _NAME), else_=GameRow.guest_label
        ),
    },
    in_state="id kind is_relay setup standing score ruling resigned invited_by pace is_strict rematch_of series "
    "created_at is_unrated",
    plain="version clock_from turn_since alarmed_until rested_at hints invited_at score_digest winner first_points "
    "second_points in_advance_version tournament_id",
)
SEAT = Held(
    SeatRow,
    rows=_of_player(SeatRow),
    becomes={"zone": None, "in_advance": ""},
    in_state="zone in_advance",
    plain="game_id seat player_id asks_board token_number bid gift",
)
TURN = Held(
    TurnRow,
    rows=_of_seat(TurnRow),
    becomes={"written": col(TurnRow.text)},
    shown=Shown(
        "turns",
        _of_seat(TurnRow),
        "game=game_id turn=number at=played_at seconds=spent you_wrote=written",
    ),
    plain="version seat text is_agreed checksum mail_id",
)
TAKEN_BACK = Held(
    TakenBackRow,
    rows=_of_seat(TakenBackRow),
    becomes={"written": col(TakenBackRow.text)},
    shown=Shown(
        "taken_back",
        _of_seat(TakenBackRow),
        "game=game_id turn=number at=played_at taken_back=taken_back_at given_up_by=how you_wrote=written",
    ),
    plain="id seat text is_agreed branch version ended_version",
)
CHAT = _of_running(
    ChatRow,
    "chat",
    "game=game_id at=said_at passed_on words",
    since="said_at",
    computed={"passed_on": col(ChatRow.letter_id).is_not(None)},
    plain="version seat is_postponed",
)
SHOWN_BOARD = _of_running(
    ShownBoardRow,
    "boards_shown",
    "game=game_id after_turn=turn at=shown_at you_wrote=board",
    plain="seat",
)
DISPUTE = _of_running(
    DisputeRow,
    "disputes",
    "game=game_id turn at=opened_at ended=ended_at reason",
    since="opened_at",
    plain="version seat ended_version",
)
PENDING = Held(
    PendingRow,
    rows=or_(_of_games(PendingRow), _OF_ADDRESS),
    becomes=None,
    shown=Shown(
        "offers",
        and_(_of_seat(PendingRow), _IS_OFFER),
        "game=game_id offer=kind after_turn=turn back_to_turn=target board=words at=asked_at ended",
        since="asked_at",
    ),
    also_shown=(
        Shown(
            "questions_in_games",
            and_(_of_seat(PendingRow), ~_IS_OFFER, _STILL_OPEN),
            "game=game_id asked=asked_at about=kind words replaced_by_newer=is_replaced",
        ),
        Shown(
            "questions",
            and_(_OF_ADDRESS, _STILL_OPEN),
            "asked=asked_at about=kind words replaced_by_newer=is_replaced",
        ),
    ),
    plain="id seat version address player_id letter_id ended_version",
)
SEEK = Held(
    SeekRow,
    rows=_of_player(SeekRow),
    becomes=None,
    shown=Shown(
        "seeks",
        _of_player(SeekRow),
        "seek=id kind setup first pace strict=is_strict relay=is_relay unrated=is_unrated at=sought_at",
    ),
    plain="player_id",
)
BLOCK = Held(
    BlockRow,
    rows=_of_player(BlockRow),
    becomes=None,
    # Who blocks the player is not shown.
    shown=Shown(
        "blocks",
        col(BlockRow.player_id) == YOU,
        "name since=blocked_at",
        computed={
            "name": select(PlayerRow.name).where(PlayerRow.id == BlockRow.blocked_id).scalar_subquery()
        },
    ),
    plain="player_id",
)


OF_OTHER_TABLES = (
    # Nothing leads from a digest to an address. What an erasure remembers is an operation of its own.
    Held(
        RememberedAddressRow,
        plain="digest verified_at left_at last_text last_frame similar_texts texts_in_a_row",
    ),
    Held(
        OperatorLogRow,
        # The operator's words may name the player.
        rows=or_(_of_player(OperatorLogRow), _of_games(OperatorLogRow)),
        becomes={"why": ""},
        shown=Shown(
            "log",
            # An action on a game because of the other player is the other player's data.
            or_(
                _of_player(OperatorLogRow),
                and_(_of_games(OperatorLogRow), col(OperatorLogRow.player_id).is_(None)),
            ),
            "game=game_id at done=what why",
            computed={
                # The reason for freezing a game is left out, as it may quote the opponent.
                "why": case((col(OperatorLogRow.what) == LogWord.FROZEN, ""), else_=OperatorLogRow.why)
            },
        ),
        plain="id player_id who fault",
    ),
    Held(
        InboxRow,
        rows=col(InboxRow.id).in_(union(select(InboxRow.id).where(_SENT), _PLAYED)),
        becomes={
            **REDUCED_MAIL,
            "state": case((_NEW_MAIL, MailState.REJECTED.value), else_=InboxRow.state),
            # The traceback of a mail that failed may quote the mail.
            "note": case(
                (_NEW_MAIL, "its sender has left"),
                (col(InboxRow.state) == MailState.SHUNTED, "it failed; its contents are deleted"),
                else_=InboxRow.note,
            ),
        },
        shown=Shown(
            "mails",
            _SENT,
            "at=received_at state bytes=size subject",
            computed={"subject": _head(InboxRow)},
        ),
        plain="id arrived_at mailbox uid_validity uid fingerprint unique_fingerprint is_from_person attempts errors "
        "claimed_by claimed_at is_costly game_id turn part_of part is_told left_out is_filed excess",
    ),
    Held(
        OutboxRow,
        rows=LETTERS,
        becomes={
            "raw": ANEW,
            "drawings": "",
            "sha256": ANEW,
            "mail_to": "",
            "text": "",
            "html_text": None,
            "state": case(
                (col(OutboxRow.state).in_(_UNSENT), LetterState.WITHDRAWN.value), else_=OutboxRow.state
            ),
            "error": "",
        },
        shown=Shown(
            "letters",
            LETTERS,
            "at=created_at state game=game_id subject",
            computed={"subject": _head(OutboxRow)},
        ),
        plain="id message_id seat version turn reported_turn mail_from purge_after_send purpose delivery_class "
        "attempts claimed_by due_at mail_id budget returned_at told_by",
    ),
    # It is computed again soon, from what is left.
    Held(
        RatingRow,
        rows=_of_player(RatingRow),
        becomes=None,
        shown=Shown("ratings", _of_player(RatingRow), "kind board points deviation games"),
        plain="player_id",
    ),
    Held(FirstTurnRow, plain="kind board komi games won drawn"),
    Held(BlockedDomainRow, plain="domain why blocked_at"),
    Held(MachineTimeRow, plain="id known_at read_at stood_seconds well_at"),
    Held(DueRow, plain="subject work due_at claimed_by attempts"),
    Held(OutageRow, plain="id began_at ended_at"),
    Held(LeaseRow, plain="name holder expires_at key_id outages"),
    Held(
        MarkerRow,
        plain="id database generation token previous place is_taken takes_over stopped stopped_at unmarked",
    ),
    Held(WatermarkRow, plain="mailbox uid_validity uid first_started_at last_contact_at"),
)
"""What the tables hold whose rows are no values of the world."""
