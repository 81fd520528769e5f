"""Checks of the database and the mailboxes after all games are over."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from click.testing import CliRunner
from sqlmodel import col, select

from takmail.cli import main
from takmail.config.loading import load as load_settings
from takmail.games.registry import GAMES
from takmail.letters.services import Services
from takmail.runtime import parts
from takmail.runtime.net.imap import FetchedMail, Mailbox
from takmail.store.database import Store
from takmail.store.machine_time import utc_now
from takmail.store.outbox import LEAVING
from takmail.store.tables import DueRow, InboxRow, OutboxRow, PendingRow
from takmail.world.kinds import UNTHREADED, UNVERIFIED, LetterPurpose, LetterState, MailState, Standing
from takmail.world.waiting import PendingKind
from tests.crash.club import Club, check_clubs
from tests.crash.leagues import LeaguePlay, check_leagues
from tests.crash.matches import MatchPlay, check_matches
from tests.crash.play import Play
from tests.crash.post import Post
from tests.stack.mailstack import MailStack
from tests.support.pictures import illustrated
from tests.support.rows import addresses
from tests.support.rows import table as table_of


@dataclass(frozen=True, slots=True)
class Figures:
    """The counts of a run.

    `dues` is how often something was due by itself, and `doubles` the number of letters that arrived twice. `clubs` is
    what was done in clubs, matches and leagues.
    """

    games: int
    turns: int
    dues: int
    mails: int
    letters: int
    withdrawn: int
    doubles: int
    clubs: str

    def __str__(self) -> str:
        return (
            f"{self.games} games, {self.turns} turns, {self.dues} alarms, {self.mails} mails, {self.letters} letters "
            f"({self.withdrawn} withdrawn before they left), {self.doubles} doubles; {self.clubs}"
        )


async def check(
    config: Path,
    stack: MailStack,
    plays: Sequence[Play],
    clubs: Sequence[Club],
    matches: Sequence[MatchPlay],
    leagues: Sequence[LeaguePlay],
    post: Post,
) -> Figures:
    """Compare the database and all mailboxes with the mails that were written. Raises AssertionError."""
    written = post.written
    settings = load_settings(config)
    services = parts.services(settings, parts.seat_key(settings, parts.keys(settings), utc_now))
    store = Store.open_read_only(settings.store.url)
    try:
        _games_are_as_scripted(store, services, plays)
        _what_was_due_was_done_once(store, plays)
        of_clubs = check_clubs(store, clubs, post)
        of_others = f"{check_matches(store, matches)}; {check_leagues(store, leagues)}"
    finally:
        store.close()
    people = [*_people(plays), *(who for club in clubs for who in club.script.people)]
    people += [who for played in (*matches, *leagues) for who in played.script.players]
    doubles, letters, withdrawn = await check_mail(config, stack, people, written)
    turns = sum(len(play.script.turns) for play in plays)
    dues = sum(len(play.script.waits) for play in plays)
    return Figures(
        len(plays), turns, dues, len(written), letters, withdrawn, doubles, f"{of_clubs}; {of_others}"
    )


async def check_mail(
    config: Path, stack: MailStack, people: Sequence[str], written: dict[str, str]
) -> tuple[int, int, int]:
    """Check that each mail is dealt with once, and that people have the letters that were sent.

    Return the number of letters that arrived twice, of all letters, and of those that were withdrawn.
    """
    store = Store.open_read_only(load_settings(config).store.url)
    try:
        counts = await _letters_are_there(store, stack, people)
        _mails_are_dealt_with(store, written)
    finally:
        store.close()
    await _mails_are_filed(stack, written)
    _status_is_well(config)
    return counts


def is_settled(config: Path, stack: MailStack) -> bool:
    """Return whether every mail is handled and moved out of the mailbox, and every letter is sent."""
    if any(any(stack.maildir(stack.tak, folder).iterdir()) for folder in ("new", "cur")):
        return False
    store = Store.open_read_only(load_settings(config).store.url)
    try:
        with store.transaction() as session:
            unread = session.exec(select(InboxRow.id).where(InboxRow.state == MailState.NEW)).first()
            unsent = session.exec(select(OutboxRow.id).where(col(OutboxRow.state).in_(LEAVING))).first()
            return unread is None and unsent is None
    finally:
        store.close()


def _people(plays: Iterable[Play]) -> list[str]:
    return sorted({who for play in plays for who in play.script.players})


def _games_are_as_scripted(store: Store, services: Services, plays: Sequence[Play]) -> None:
    """Check that each game has every turn of its script once and in order, and the same board and result."""
    assert len({play.number for play in plays}) == len(plays)
    with store.transaction() as session:
        for play in plays:
            assert play.came == play.letters, f"game {play.number} has letters that nothing was written for"
            script = play.script
            table = table_of(session, services, play.number, utc_now())
            assert tuple(turn.text for turn in table.turns) == script.turns, play.number
            assert [turn.number for turn in table.turns] == list(range(1, len(script.turns) + 1))
            assert [turn.seat for turn in table.turns] == [n % 2 for n in range(len(script.turns))]
            assert tuple(table.state.board()) == script.board
            assert table.record.standing == Standing.OVER
            assert table.result is not None
            assert table.result.score == script.score == table.record.end.score, play.number
            sat = [addresses(session, player.id) for player in table.players]
            assert sat == [[one] for one in script.players]


def _what_was_due_was_done_once(store: Store, plays: Sequence[Play]) -> None:
    """Check that all that was due led to one letter to each reader, and that no question and no claim is left."""
    waits = [(play, wait) for play in plays for wait in play.script.waits]
    letters = Counter(
        (play.number, play.script.players[seat])
        for play, wait in waits
        for seat in (0, 1)
        if wait.due.words(is_to_mover=seat == wait.seat)
    )
    with store.transaction() as session:
        no_mails = select(OutboxRow.game_id, OutboxRow.mail_to).where(
            col(OutboxRow.mail_id).is_(None), col(OutboxRow.game_id).in_([play.number for play in plays])
        )
        assert Counter(session.exec(no_mails)) == letters
        asked = select(PendingRow.game_id).where(PendingRow.kind == PendingKind.TIME)
        assert session.exec(asked).all() == [], "a question about time is left though its game is over"
        stuck = [(row.subject, row.attempts) for row in session.exec(select(DueRow)) if row.claimed_by]
        assert stuck == []


async def _letters_are_there(store: Store, stack: MailStack, people: Sequence[str]) -> tuple[int, int, int]:
    """Check that readers have all letters that were sent and no others, and that copies have the same bytes."""
    with store.transaction() as session:
        rows = session.exec(select(OutboxRow).order_by(col(OutboxRow.id))).all()
    assert {row.state for row in rows} <= {LetterState.SENT, *UNTHREADED}, [
        (row.id, row.state, row.error) for row in rows if row.state not in (LetterState.SENT, *UNTHREADED)
    ]
    by_id = {row.message_id: row for row in rows}
    assert {row.mail_to for row in rows} <= set(people)
    copies: Counter[str] = Counter()
    for who in people:
        for mail in await _all_mails(stack, who):
            message_id = _message_id(mail.raw)
            assert message_id in by_id, f"{who} has a letter that is not in the outbox: {message_id}"
            row = by_id[message_id]
            assert row.mail_to == who
            whole = illustrated(GAMES, row.raw, row.message_id, row.drawings)
            assert mail.raw.endswith(whole), f"letter {row.id} has come with other bytes"
            copies[message_id] += 1
    sent = {row.message_id for row in rows if row.state == LetterState.SENT}
    assert sent == set(copies), f"lost: {sent - set(copies)}, came though withdrawn: {set(copies) - sent}"
    return copies.total() - len(copies), len(copies), len(rows) - len(sent)


def _mails_are_dealt_with(store: Store, written: dict[str, str]) -> None:
    """Check that every mail was played or answered once, and that second deliveries are marked as duplicates."""
    with store.transaction() as session:
        # The parts of a mail are told in one answer to the whole of it.
        rows = session.exec(select(InboxRow).where(col(InboxRow.part_of).is_(None))).all()
        answered = select(OutboxRow.mail_id).where(
            col(OutboxRow.purpose).in_((LetterPurpose.SURE, *UNVERIFIED))
        )
        answers = Counter(session.exec(answered))
    first = [row for row in rows if row.state != MailState.DUPLICATE]
    assert {row.state for row in first} <= {MailState.PLAYED, MailState.ANSWERED}, [
        (row.id, row.state, row.note)
        for row in first
        if row.state not in (MailState.PLAYED, MailState.ANSWERED)
    ]
    assert Counter(_message_id(row.raw) for row in first) == dict.fromkeys(written, 1)
    assert {_message_id(row.raw) for row in rows} == set(written)
    assert answers == dict.fromkeys((row.id for row in first), 1), "a mail has one answer"


async def _mails_are_filed(stack: MailStack, written: dict[str, str]) -> None:
    """Check that the mailbox is empty, and that all mails are in the folder Processed and marked as read."""
    assert await _all_mails(stack, stack.tak) == []
    assert await _all_mails(stack, stack.tak, "Rejected") == []
    filed = await _all_mails(stack, stack.tak, "Processed")
    assert {_message_id(mail.raw) for mail in filed} == set(written)
    flags = [
        path.name.rpartition(":2,")[2] for path in stack.maildir(stack.tak, ".Processed").glob("*/*:2,*")
    ]
    assert flags == ["S"] * len(filed)


def _status_is_well(config: Path) -> None:
    told = CliRunner().invoke(main, ["status", "--config", str(config)])
    assert told.exit_code == 0, told.output


async def _all_mails(stack: MailStack, user: str, folder: str = "INBOX") -> list[FetchedMail]:
    async with Mailbox(stack.imap(user, folder)) as mailbox:
        return await mailbox.fetch(await mailbox.new_uids(0))


def _message_id(raw: bytes) -> str:
    found = re.search(rb"^message-id: *(?:\r?\n )?(<[^>]*>)", raw, re.IGNORECASE | re.MULTILINE)
    assert found, raw[:1_000]
    return found[1].decode()
