"""Show unsent letters to the operator, and retry or drop them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from sqlmodel import Session

from takmail.admin.list_lines import MOST_ADDRESS, MOST_REASON, as_json, clipped
from takmail.commands.kinds import LetterPurpose, LetterState, LogWord
from takmail.letters.templates import Templates
from takmail.mail.headers import decode_words, first_headers
from takmail.pipeline.explain import Written
from takmail.pipeline.rulings import OperatorNote
from takmail.store import operator_log, outbox, people
from takmail.store.causes import Causes
from takmail.store.database import Store
from takmail.store.tables import AddressRow, OperatorLogRow, OutboxRow


@dataclass(frozen=True, slots=True)
class Listed:
    """A letter in a list.

    `age` is in seconds. `due` is the time from which it may be sent, or None if no time is set, as for a suspended
    letter. `reader` is the recipient's address. `reason` is why it is unsent.
    """

    number: int
    state: LetterState
    written: datetime
    age: int
    due: datetime | None
    attempts: int
    reader: str
    game: int | None
    reason: str

    @property
    def short_reason(self) -> str:
        """The reason on one line of at most `MOST_REASON` characters."""
        return clipped(" ".join(self.reason.split()), MOST_REASON)

    @property
    def short_reader(self) -> str:
        """The recipient's address, cut to `MOST_ADDRESS` characters."""
        return clipped(self.reader, MOST_ADDRESS)

    def as_json(self) -> str:
        """Return the letter as one line of JSON."""
        return as_json({name: getattr(self, name) for name in self.__slots__})


def written(session: Session, letter: OutboxRow) -> Written:
    """Return a stored letter in the form for the operator's pages."""
    reader = people.load(session, (), letter.mail_to).owner(letter.mail_to)
    return Written(
        number=letter.id or 0,
        to=reader.name if reader else "",
        subject=decode_words(first_headers(letter.raw)[0].first("subject")),
        text=letter.text,
        state=LetterState(letter.state),
        error=letter.error,
    )


class Obstacle(StrEnum):
    """The reasons why a letter can't be retried or dropped. The template console/outbox_done.txt words them.

    * `none`: no letter has this number
    * `in hand`: a process has claimed it and is sending it
    * `reduced`: its bytes are deleted
    * `stopped`: its recipient wants no more mail
    """

    NONE = "none"
    SENT = "sent"
    WITHDRAWN = "withdrawn"
    IN_HAND = "in hand"
    REDUCED = "reduced"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class Refusal:
    """The number of a letter that can't be changed, and the reason."""

    number: int
    why: Obstacle


def list_letters(
    store: Store, states: Sequence[LetterState], last: int, now: datetime
) -> tuple[list[Listed], int]:
    """Return the newest letters in these states, at most `last`, and the number of older ones.

    Without `states`, all unsent letters are counted.
    """
    wanted = states or outbox.UNSENT
    with store.transaction() as session:
        found = outbox.newest(session, wanted, last)
        left_out = outbox.count(session, wanted) - len(found)
    return [_listed(row, now) for row in found], left_out


def letters_page(templates: Templates, letters: Sequence[Listed], left_out: int, *, is_chosen: bool) -> str:
    """Return a list of letters as text. `left_out` is the number of older ones.

    `is_chosen`: the operator has chosen the states.
    """
    return templates.page("console/outbox.txt", letters=letters, left_out=left_out, is_chosen=is_chosen)


def raw_letter(store: Store, number: int) -> OutboxRow:
    """Return the stored row of a letter. Raises LookupError if no letter has this number."""
    with store.transaction() as session:
        row = outbox.find(session, number)
    if row is None:
        raise LookupError(number)
    return row


def show_letter(store: Store, causes: Causes, number: int) -> str:
    """Return a page with everything that is stored of a letter. Raises LookupError as `raw_letter` does."""
    row = raw_letter(store, number)
    with store.transaction() as session:
        said = written(session, row)
    return causes.services.templates.page(
        "console/letter.txt", row=row, it=said, listed=_listed(row, causes.clock()), size=len(row.raw)
    )


def retry(store: Store, causes: Causes, numbers: Sequence[int]) -> list[Refusal]:
    """Queue letters so that they are sent at once. If any of them has to be refused, none is queued.

    Return the refusals.
    """
    now = causes.clock()
    return _change_all(
        store, numbers, now, lambda session, row: outbox.retry(session, row, now), _why_unsendable
    )


def drop(store: Store, causes: Causes, numbers: Sequence[int], by: OperatorNote) -> list[Refusal]:
    """Withdraw letters, and log who decided it and why. If any of them has to be refused, none is withdrawn.

    Return the refusals.
    """
    now = causes.clock()

    def one(session: Session, row: OutboxRow) -> None:
        outbox.drop(session, row)
        reader = people.load(session, (), row.mail_to).owner(row.mail_to)
        line = OperatorLogRow(at=now, who=by.who, what=f"{LogWord.DROPPED} letter {row.id}", why=by.why)
        line.game_id, line.player_id = row.game_id, reader.id if reader else None
        operator_log.add(session, line)

    return _change_all(store, numbers, now, one, lambda *_: None)


def _change_all(
    store: Store,
    numbers: Sequence[int],
    now: datetime,
    do: Callable[[Session, OutboxRow], None],
    hindrance: Callable[[Session, OutboxRow], Obstacle | None],
) -> list[Refusal]:
    """Run `do` on each letter in one transaction, unless one of them can't be changed. Return the refusals.

    `hindrance` returns the reason why a letter can't be changed, or None. Sent, withdrawn and claimed
    letters never can.
    """
    with store.transaction() as session:
        rows = {number: outbox.find(session, number) for number in numbers}
        refusals = []
        for number, row in rows.items():
            why = Obstacle.NONE if row is None else _why_final(row, now) or hindrance(session, row)
            if why is not None:
                refusals.append(Refusal(number, why))
        if not refusals:
            for row in rows.values():
                assert row is not None
                do(session, row)
    return refusals


def _why_final(row: OutboxRow, now: datetime) -> Obstacle | None:
    if row.state == LetterState.SENT:
        return Obstacle.SENT
    if row.state == LetterState.WITHDRAWN:
        return Obstacle.WITHDRAWN
    return Obstacle.IN_HAND if outbox.is_claimed(row, now) else None


def _why_unsendable(session: Session, row: OutboxRow) -> Obstacle | None:
    if not row.raw or not row.mail_to:
        return Obstacle.REDUCED
    reader = session.get(AddressRow, row.mail_to)
    has_stopped = reader is not None and reader.stopped_at is not None
    # A player who wants no more mail gets only answers to the player's own mails.
    return Obstacle.STOPPED if has_stopped and not LetterPurpose(row.purpose).is_an_answer else None


def _listed(row: OutboxRow, now: datetime) -> Listed:
    leaves = row.state in (LetterState.QUEUED, LetterState.BOUNCED, LetterState.POSTPONED)
    return Listed(
        number=row.id or 0,
        state=LetterState(row.state),
        written=row.created_at,
        age=max(0, int((now - row.created_at).total_seconds())),
        due=row.due_at if leaves else None,
        attempts=row.attempts,
        reader=row.mail_to,
        game=row.game_id,
        reason=row.error,
    )
