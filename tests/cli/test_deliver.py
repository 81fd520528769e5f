"""How `takmail deliver` ends: whoever handed the mail over must never send it back for what an operator can mend."""

import asyncio
import os
import sqlite3
from contextlib import ExitStack, closing
from datetime import timedelta
from io import BytesIO
from pathlib import Path

import pytest
from sqlalchemy import Engine

from takmail.config import loading
from takmail.limits.mails import DEFAULT_LIMITS
from takmail.runtime import delivery_worker, mail_worker
from takmail.runtime.bootstrap import LAST_SECONDS, App
from takmail.runtime.delivery_worker import DeliveryWorker
from takmail.runtime.mail_worker import MailWorker
from takmail.store import database, leases, process_name
from tests.support.command_line import TAK, config_file, takmail
from tests.support.cost import PATIENCE
from tests.support.databases import disk, locked, rows
from tests.support.forked import takmail_begun
from tests.support.network import ADA, BEN, Network, live
from tests.support.players import parsed

MAIL = f"From: Ada <{ADA}>\nTo: {TAK}\nMessage-ID: <1@mail.example.org>\n\nhelp\n".encode()
INVITATION = MAIL.replace(b"help", f"new 5 vs {BEN} first=me".encode())
SECRET = "the players' words"


def states(folder: Path) -> list[str]:
    return [state for (state,) in rows(folder, "SELECT state FROM inbox ORDER BY id")]


def yes(folder: Path) -> bytes:
    """What Ada answers when she is asked whether the mail was hers."""
    ((question,),) = rows(folder, "SELECT raw FROM outbox WHERE game_id IS NULL")
    to = parsed(question)["Reply-To"]
    return f"From: Ada <{ADA}>\nTo: {to}\nMessage-ID: <2@mail.example.org>\n\nyes\n".encode()


def broken(*_: object) -> None:
    raise RuntimeError(SECRET)


def test_a_mail_that_is_kept_is_taken(tmp_path: Path) -> None:
    result = takmail("deliver", "--config", config_file(tmp_path), stdin=MAIL)
    assert (result.exit_code, result.output) == (os.EX_OK, "")
    assert states(tmp_path) == ["answered"]


@pytest.mark.parametrize("words", [(), ("--queue",)])
def test_a_mail_that_is_taken_is_on_the_disk(tmp_path: Path, words: tuple[str, ...]) -> None:
    with disk(Engine) as there:
        result = takmail("deliver", *words, "--config", config_file(tmp_path), stdin=MAIL)
        assert (result.exit_code, there.mails) == (os.EX_OK, 1)


@pytest.mark.parametrize("stdin", [b"", b"\r\n \n"])
def test_nothing_on_standard_input_is_no_mail(tmp_path: Path, stdin: bytes) -> None:
    result = takmail("deliver", "--config", config_file(tmp_path), stdin=stdin)
    assert result.exit_code == os.EX_DATAERR
    assert result.stderr == "there is no mail on standard input; try: takmail deliver < mail.eml\n"


def test_wrong_settings_are_told_and_the_mail_is_to_come_again(tmp_path: Path) -> None:
    file = config_file(tmp_path, smtp=0)
    result = takmail("deliver", "--config", file, stdin=MAIL)
    assert (result.exit_code, result.stdout) == (os.EX_TEMPFAIL, "")
    assert result.stderr == f"{file}: [smtp] port: must be at least 1\n"


def test_a_file_that_is_no_key_is_told_and_the_mail_is_to_come_again(tmp_path: Path) -> None:
    file = config_file(tmp_path)
    (tmp_path / "takmail.key").write_text("none")
    result = takmail("deliver", "--config", file, stdin=MAIL)
    assert result.exit_code == os.EX_TEMPFAIL
    assert result.stderr == f"{file}: [service] key_file: {tmp_path}/takmail.key contains no takmail key\n"


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--confg", "x"), "No such option"),
        (("--config",), "requires an argument"),
        (("mail.eml",), "unexpected extra argument"),
    ],
)
def test_a_wrong_command_line_is_told_and_the_mail_is_to_come_again(words: tuple[str, ...], why: str) -> None:
    result = takmail("deliver", *words, stdin=MAIL)
    assert (result.exit_code, result.stdout) == (os.EX_TEMPFAIL, "")
    assert why in result.stderr


def test_what_nobody_has_foreseen_is_told_without_the_mail_which_is_to_come_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(MailWorker, "keep_one", broken)
    result = takmail("deliver", "--config", config_file(tmp_path), stdin=MAIL)
    assert (result.exit_code, result.stdout) == (os.EX_TEMPFAIL, "")
    assert result.stderr.startswith("the mail is not stored: RuntimeError in test_deliver.py")
    assert SECRET not in result.stderr


@pytest.mark.parametrize("step", [(MailWorker, "work"), (DeliveryWorker, "send_due")])
def test_what_fails_once_the_mail_is_kept_is_left_to_the_next_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: tuple[type, str]
) -> None:
    file = config_file(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(*step, broken)
        result = takmail("deliver", "--config", file, stdin=MAIL)
    assert (result.exit_code, result.stdout) == (os.EX_OK, "")
    assert SECRET not in result.stderr
    assert takmail("deliver", "--config", file, stdin=MAIL).exit_code == os.EX_OK
    assert states(tmp_path) == ["answered", "duplicate"]


def test_a_database_that_goes_away_once_the_mail_is_kept_is_no_reason_to_hand_it_over_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.01)
    work = MailWorker.work
    with ExitStack() as locks:

        def locked_out(self: MailWorker) -> int:
            locks.enter_context(locked(tmp_path))
            return work(self)

        monkeypatch.setattr(MailWorker, "work", locked_out)
        assert takmail("deliver", "--config", config_file(tmp_path), stdin=MAIL).exit_code == os.EX_OK
    assert states(tmp_path) == ["new"]


def test_with_queue_a_mail_is_kept_and_no_more(tmp_path: Path) -> None:
    result = takmail("deliver", "--queue", "--config", config_file(tmp_path), stdin=MAIL)
    assert (result.exit_code, result.output) == (os.EX_OK, "")
    assert states(tmp_path) == ["new"]


@pytest.mark.parametrize("junk", [b"\xff\xfe\x00", b"From: \xff\n\n\xff", MAIL.replace(b"1@", b"\xff@")])
def test_it_keeps_whatever_comes(tmp_path: Path, junk: bytes) -> None:
    assert takmail("deliver", "--config", config_file(tmp_path), stdin=junk).exit_code == 0
    assert rows(tmp_path, "SELECT raw FROM inbox") == [(junk,)]


def test_a_mail_that_is_handed_over_twice_is_answered_once_and_its_letters_wait_while_the_server_is_away(
    tmp_path: Path,
) -> None:
    file = config_file(tmp_path)
    for mail, readers in ((lambda: INVITATION, [ADA]), (lambda: yes(tmp_path), [ADA, ADA, BEN])):
        raw = mail()
        for _ in range(2):
            result = takmail("deliver", "--config", file, stdin=raw)
            assert (result.exit_code, result.stdout) == (os.EX_OK, "")
        letters = rows(tmp_path, "SELECT mail_to, state FROM outbox ORDER BY mail_to")
        assert letters == [(reader, "queued") for reader in readers]
    assert states(tmp_path) == ["answered", "duplicate"] * 2
    assert rows(tmp_path, "SELECT count(*) FROM game") == [(1,)]


@pytest.mark.sqlite("on PostgreSQL nobody holds the whole database; tests/postgres has a server that is away")
@pytest.mark.parametrize("before", [True, False])
def test_it_asks_for_another_try_while_the_database_is_locked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: bool
) -> None:
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.01)
    file = config_file(tmp_path)
    if before:  # so that it is the mail that finds it locked, and not the making of the tables
        takmail("deliver", "--config", file, stdin=MAIL.replace(b"<1@", b"<0@"))
    with locked(tmp_path):
        result = takmail("deliver", "--config", file, stdin=MAIL)
    assert (result.exit_code, result.stdout) == (os.EX_TEMPFAIL, "")
    assert result.stderr == (
        f"[store] sqlite:///{tmp_path}/takmail.sqlite: (sqlite3.OperationalError) database is locked\n"
    )
    assert takmail("deliver", "--config", file, stdin=MAIL).exit_code == 0


@pytest.mark.sqlite("its trigger is in SQLite's words")
def test_it_asks_for_another_try_when_the_mail_could_not_be_kept(tmp_path: Path) -> None:
    file = config_file(tmp_path)
    takmail("deliver", "--config", file, stdin=MAIL.replace(b"<1@", b"<0@"))
    with closing(sqlite3.connect(tmp_path / "takmail.sqlite")) as connection:
        connection.execute(
            "CREATE TRIGGER full BEFORE INSERT ON inbox BEGIN SELECT raise(ABORT, 'full'); END"
        )
    result = takmail("deliver", "--config", file, stdin=MAIL)
    assert result.exit_code == os.EX_TEMPFAIL
    assert result.stderr == (f"[store] sqlite:///{tmp_path}/takmail.sqlite: (sqlite3.IntegrityError) full\n")


class Pipe(BytesIO):
    """A mail that is handed over, and by how much at once."""

    most = 0

    def read(self, size: int | None = -1) -> bytes:
        given = super().read(size)
        self.most = max(self.most, len(given))
        return given


def test_of_a_very_long_mail_only_the_beginning_is_stored_and_all_of_it_is_read(tmp_path: Path) -> None:
    pipe = Pipe(MAIL + b"x" * (2 * DEFAULT_LIMITS.mail_bytes))
    assert takmail("deliver", "--config", config_file(tmp_path), stdin=pipe).exit_code == 0
    assert (pipe.most, pipe.read()) == (DEFAULT_LIMITS.mail_bytes, b"")
    kept = rows(tmp_path, "SELECT state, length(raw), size FROM inbox")
    assert kept == [("rejected", DEFAULT_LIMITS.header_bytes, len(MAIL) + 2 * DEFAULT_LIMITS.mail_bytes)]


def _config(game: Network) -> Path:
    """The settings of a service without a mailbox on this mail system."""
    file = config_file(game.folder, smtp=game.system.smtp_port)
    text = file.read_text()
    file.write_text(text[: text.index("[imap]")] + text[text.index("[smtp]") :])
    return file


async def _delivered(number: int, config: Path, *words: str) -> int:
    """`takmail deliver` as a process of its own, with the mail of this number; gives its exit code."""
    mail = config.parent / f"{number}.eml"
    mail.write_bytes(MAIL.replace(b"<1@", f"<{number}@".encode()))
    process = await takmail_begun("deliver", "--config", config, *words, stdin=mail)
    async with asyncio.timeout(PATIENCE):
        return await process.wait()


@pytest.mark.parametrize("words", [(), ("--queue",)])
async def test_several_beside_a_service_have_each_mail_answered_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    for part in (mail_worker, delivery_worker):
        monkeypatch.setattr(part, "LOOK_AGAIN", timedelta(seconds=0.1))
    async with live(tmp_path) as game:
        config, stop = _config(game), asyncio.Event()
        app = App(game.settings().model_copy(update={"imap": None}))
        serving = asyncio.create_task(app.serve(stop))
        codes = await asyncio.gather(*(_delivered(number, config, *words) for number in range(4)))
        assert codes == [os.EX_OK] * 4
        for _ in range(4):
            await game.system.next_mail(ADA, PATIENCE)
        stop.set()
        await serving
        app.close()
        answered = {str(letter["In-Reply-To"]) for letter in await game.letters(ADA)}
        assert answered == {f"<{number}@mail.example.org>" for number in range(4)}
        assert len(await game.letters(ADA)) == 4
        assert states(tmp_path) == ["answered"] * 4


AGAINST_BOT = MAIL.replace(b"help", b"new 5 vs bot easy first=them")
TURNS = "SELECT text FROM turn ORDER BY number"
CLAIMS = "SELECT claimed_by, attempts FROM due WHERE work = 'move'"
TASKS = "SELECT work FROM due WHERE work <> 'clock'"


def begun_against_a_bot(config: Path, level: bytes = b"easy") -> None:
    takmail("deliver", "--config", config, stdin=AGAINST_BOT.replace(b"easy", level))
    takmail("deliver", "--config", config, stdin=yes(config.parent))


def hold(app: App, lease: str) -> None:
    """Let another process that runs have a lease."""
    other = "/".join([*process_name.new_name().split("/")[:-2], "1", "another"])
    with app.store.transaction() as session:
        leases.take(session, lease, other, process_name.is_gone)


def test_where_no_service_runs_it_does_what_a_bot_has_to_think_about(tmp_path: Path) -> None:
    begun_against_a_bot(config_file(tmp_path))
    assert rows(tmp_path, "SELECT count(*) FROM game") == [(1,)]
    assert len(rows(tmp_path, TURNS)) == 1
    assert rows(tmp_path, TASKS) == []


@pytest.mark.parametrize("what", ["process one", "thinking"])
def test_while_another_process_thinks_it_leaves_that_to_it(tmp_path: Path, what: str) -> None:
    config = config_file(tmp_path)
    app = App(loading.load(config))
    hold(app, what)
    app.close()
    begun_against_a_bot(config)
    assert rows(tmp_path, "SELECT count(*) FROM game") == [(1,)]
    assert rows(tmp_path, TURNS) == []
    assert rows(tmp_path, TASKS) == [("move",)]


def test_a_service_that_stops_ends_the_thinking_and_leaves_it_to_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Others know of a process that thinks, whatever it has done before.
    monkeypatch.setattr(App, "_send_letters", lambda _app, stop: stop.wait())
    config = config_file(tmp_path)
    app = App(loading.load(config).model_copy(update={"imap": None}))
    hold(app, "thinking")
    begun_against_a_bot(config, b"strong")

    async def serve_for_a_moment() -> None:
        stop = asyncio.Event()
        serving = asyncio.create_task(app.serve(stop))
        async with asyncio.timeout(PATIENCE):
            while rows(tmp_path, CLAIMS) == [("", 0)]:  # noqa: ASYNC110 - a database tells nobody
                await asyncio.sleep(0.01)
        holders = rows(tmp_path, "SELECT name FROM lease WHERE name LIKE 'process %'")
        stop.set()
        assert holders
        async with asyncio.timeout(LAST_SECONDS):
            await serving

    asyncio.run(serve_for_a_moment())
    app.close()
    assert rows(tmp_path, CLAIMS) == [("", 0)]
    assert rows(tmp_path, TURNS) == []
