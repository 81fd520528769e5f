"""Erase a player: delete what identifies them, and keep their finished games without their name."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import or_
from sqlmodel import Session, col, delete, select, update

from takmail.commands.kinds import LetterState, MailState
from takmail.store import outbox, retention
from takmail.store.tables import (
    AddressRow,
    BlockRow,
    ChatRow,
    DisputeRow,
    GameRow,
    InboxRow,
    OfferRow,
    OperatorLogRow,
    OutboxRow,
    QuestionRow,
    SeatRow,
    SeekRow,
    ShownBoardRow,
    TakenBackRow,
    TurnRow,
)

WAITING = (LetterState.QUEUED, LetterState.BOUNCED, LetterState.RESTING, LetterState.POSTPONED)


@dataclass(frozen=True, slots=True)
class Traces:
    """What identifies a player: their addresses, and their current and former names."""

    addresses: tuple[str, ...]
    names: tuple[str, ...]

    @property
    def sure(self) -> "Traces":
        """The addresses only. A name can be any word, so that it may occur in other players' texts by chance."""
        return Traces(self.addresses, ())

    @property
    def likely(self) -> "Traces":
        """The addresses, and the names of several words. A single word may occur in the operator's texts by chance."""
        return Traces(self.addresses, tuple(one for one in self.names if " " in one))

    def stands_in(self, text: str) -> bool:
        """Return whether a text contains one of the addresses or names, ignoring case."""
        return self._pattern().search(text) is not None

    def without(self, text: str, label: str) -> str:
        """Return the text with each address and name replaced by `label`."""
        return self._pattern().sub(lambda _: label, text)

    def _pattern(self) -> re.Pattern[str]:
        # The longest first, because a trace may begin with a shorter one.
        longest = sorted(filter(None, (*self.addresses, *self.names)), key=len, reverse=True)
        # Letters that quote a request shorten its addresses to the form `ben@...`.
        short = [re.escape(f"{one.rpartition('@')[0]}@...") for one in self.addresses]
        either = "|".join((*short, *(rf"{re.escape(one)}(?!\w)" for one in longest)))
        return re.compile(rf"(?<!\w)(?:{either})", re.IGNORECASE)


def erase(
    session: Session,
    you: int,
    label: str,
    traces: Traces,
    subjects: Mapping[int, str],
    changed: Collection[int],
) -> None:
    """Delete the data of player `you`, except for the player's row. Letters call the player `label` from then on.

    `traces` are what identifies the player. In others' pending requests and unsent chat messages only the addresses
    are searched, as a name can be any word. Unsent letters to opponents are withdrawn. The caller has to send their
    content again without the name. The mails and letters of others are searched later (`erasure_progress`).

    `subjects` are the new subjects of the player's games by number. All their games except those in `changed` get a
    new version, so that an outcome that was decided on the old state conflicts.
    """
    of_player = select(SeatRow.game_id).where(SeatRow.player_id == you)
    numbers = session.exec(of_player.order_by(col(SeatRow.game_id))).all()
    _erase_mails(session, traces, numbers)
    _erase_letters(session, traces, numbers, label)
    _erase_words(session, you, numbers, traces, label)
    for table, owner in (
        (SeekRow, SeekRow.player_id),
        (QuestionRow, QuestionRow.player_id),
        (AddressRow, AddressRow.player_id),
    ):
        session.exec(delete(table).where(col(owner) == you))
    session.exec(delete(QuestionRow).where(col(QuestionRow.address).in_(traces.addresses)))
    _erase_from_others(session, traces, label)
    session.exec(delete(BlockRow).where(or_(col(BlockRow.player_id) == you, col(BlockRow.blocked_id) == you)))
    session.flush()
    named = update(GameRow).where(col(GameRow.id).in_(numbers), col(GameRow.id).not_in(changed))
    session.exec(named.values(version=col(GameRow.version) + 1))
    for number, subject in subjects.items():
        session.exec(update(GameRow).where(col(GameRow.id) == number).values(subject=subject))
    session.expire_all()


def _erase_mails(session: Session, traces: Traces, numbers: Sequence[int]) -> None:
    """Reduce the mails from the player, and those that led to letters to the player or belong to their games.

    Waiting mails from the player are rejected. Waiting mails from others are kept.
    """
    turns = select(TurnRow.mail_id).where(col(TurnRow.game_id).in_(numbers))
    letters = select(OutboxRow.mail_id).where(col(OutboxRow.game_id).in_(numbers))
    theirs = select(InboxRow.id).where(col(InboxRow.sender).in_(traces.addresses))
    to_them = select(OutboxRow.mail_id).where(col(OutboxRow.mail_to).in_(traces.addresses))
    own = set(session.exec(theirs))
    own_waiting = (col(InboxRow.state) == MailState.NEW, col(InboxRow.id).in_(own))
    session.exec(
        update(InboxRow).where(*own_waiting).values(state=MailState.REJECTED, note="its writer was erased")
    )
    rest = {*session.exec(turns), *session.exec(letters), *session.exec(to_them)}
    waiting = set(session.exec(select(InboxRow.id).where(InboxRow.state == MailState.NEW)))
    reduce_mails(session, [one for one in own | (rest - waiting) if one is not None])


def reduce_mails(session: Session, numbers: Collection[int]) -> None:
    """Reduce mails, and delete the tracebacks of shunted ones, because a traceback may quote the mail."""
    retention.reduce_these_mails(session, list(numbers))
    shunted = (col(InboxRow.id).in_(numbers), col(InboxRow.state) == MailState.SHUNTED)
    session.exec(update(InboxRow).where(*shunted).values(note="handling it failed; its content was deleted"))


def _erase_letters(session: Session, traces: Traces, numbers: Sequence[int], label: str) -> None:
    """Delete the content of the letters to the player and about their games. Withdraw those that wait."""
    to_them = col(OutboxRow.mail_to).in_(traces.addresses)
    in_games = col(OutboxRow.game_id).in_(numbers)
    for row in session.exec(select(OutboxRow).where(or_(to_them, in_games))).yield_per(100):
        is_to_them = row.mail_to in traces.addresses
        if row.state in WAITING:
            row.state = LetterState.WITHDRAWN
        outbox.reduce_letter(row)
        row.text, row.html_text = "", None
        row.error = "" if is_to_them else traces.without(row.error, label)
        row.mail_to = "" if is_to_them else row.mail_to
        session.add(row)
    session.flush()


def _erase_words(session: Session, you: int, numbers: Sequence[int], traces: Traces, label: str) -> None:
    """Delete the chat, questions, offers, boards and disputes of the player's games, and what the player typed.

    Replace the player's name in their games' guest labels and in the operator's log.
    """
    for seat in session.exec(select(SeatRow).where(SeatRow.player_id == you)).all():
        for table in (TurnRow, TakenBackRow):
            own = (col(table.game_id) == seat.game_id, col(table.seat) == seat.seat)
            session.exec(update(table).where(*own).values(written=col(table.text)))
    # Opponents' chat messages may quote the player, and the games are over.
    session.exec(delete(ChatRow).where(col(ChatRow.game_id).in_(numbers)))
    session.exec(delete(QuestionRow).where(col(QuestionRow.game_id).in_(numbers)))
    session.exec(delete(OfferRow).where(col(OfferRow.game_id).in_(numbers)))
    session.exec(delete(ShownBoardRow).where(col(ShownBoardRow.game_id).in_(numbers)))
    session.exec(delete(DisputeRow).where(col(DisputeRow.game_id).in_(numbers)))
    for game in session.exec(select(GameRow).where(col(GameRow.id).in_(numbers))):
        if game.guest_label is not None and game.invited_by != you:
            game.guest_label = label
        session.add(game)
    for line in session.exec(select(OperatorLogRow)):
        sought = traces if line.player_id == you or line.game_id in numbers else traces.likely
        line.what, line.why = (sought.without(one, label) for one in (line.what, line.why))
        session.add(line)


def _erase_from_others(session: Session, traces: Traces, label: str) -> None:
    """Delete other players' questions that contain an address. Replace the traces in others' chat and disputes."""
    for asked in session.exec(select(QuestionRow)).all():
        if traces.sure.stands_in(asked.words):
            session.delete(asked)
    for said in session.exec(select(ChatRow)):
        said.words = (traces.sure if said.letter_id is None else traces).without(said.words, label)
        session.add(said)
    for one in session.exec(select(DisputeRow)):
        one.reason = (traces.sure if one.ended_at is None else traces).without(one.reason, label)
        session.add(one)
    session.flush()
