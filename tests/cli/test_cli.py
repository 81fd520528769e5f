"""The verbs of the command line: what they say, where, and how they end."""

import asyncio
import gc
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from io import BytesIO
from pathlib import Path

import click
import pytest
from sqlalchemy import make_url

from takmail import __version__
from takmail.app import App
from takmail.cli import main
from takmail.mail.limits import USUAL
from takmail.settings.keys import make
from takmail.store import database
from tests.support import databases
from tests.support.command_line import TAK, config_file, takmail
from tests.support.databases import change, rows
from tests.support.harness import ADA, BEN, Harness, parsed

MAIL = f"From: Ada <{ADA}>\nTo: {TAK}\nMessage-ID: <1@mail.example.org>\n\nnew 5 vs {BEN} first=me\n".encode()


def yes(folder: Path) -> bytes:
    """What Ada answers when she is asked whether the mail was hers."""
    ((question,),) = rows(folder, "SELECT raw FROM outbox WHERE game_id IS NULL")
    to = parsed(question)["Reply-To"]
    return f"From: Ada <{ADA}>\nTo: {to}\nMessage-ID: <2@mail.example.org>\n\nyes\n".encode()


def verbs(group: click.Group = main, above: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Every command with the words that lead to it."""
    for name, command in group.commands.items():
        yield (*above, name)
        if isinstance(command, click.Group):
            yield from verbs(command, (*above, name))


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the database's one place for a writer."""
    with closing(sqlite3.connect(folder / "takmail.sqlite", isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        yield
        connection.execute("ROLLBACK")


@pytest.fixture
def played(tmp_path: Path) -> Path:
    """The config of a service with a game of two turns and another that is only proposed."""
    store = databases.opened(tmp_path)
    harness = Harness(store)
    harness.begin("5")
    harness.play("ps b4", "ps c3")
    harness.send(f"Ada <{ADA}>", f"new 6 vs {BEN}")
    store.close()
    make(tmp_path / "takmail.key")
    return config_file(tmp_path)


# Help.


@pytest.mark.parametrize("words", list(verbs()))
def test_help_teaches_by_an_example(words: tuple[str, ...]) -> None:
    result = takmail(*words, "--help")
    assert result.exit_code == 0
    _, _, examples = result.stdout.partition("Example")
    assert f"takmail {' '.join(words)} " in examples


def test_help_begins_with_where_to_begin() -> None:
    result = takmail("--help")
    assert "takmail demo" in result.stdout
    assert "takmail check-config --connect\n" in result.stdout


def test_the_version_is_told() -> None:
    assert takmail("--version").stdout == f"takmail, version {__version__}\n"


# Settings.


@pytest.mark.parametrize(
    "words",
    [
        ("serve",),
        ("check-config",),
        ("game", "list"),
        ("game", "show", "1"),
        ("game", "adjourn", "1", "--why", "so"),
        ("player", "list"),
        ("mail", "list"),
        ("mail", "requeue", "1"),
        ("mail", "explain", "-"),
    ],
)
def test_a_config_that_is_not_there_is_told_in_a_sentence(tmp_path: Path, words: tuple[str, ...]) -> None:
    file = tmp_path / "none.toml"
    result = takmail(*words, "--config", file, stdin=MAIL)
    assert (result.exit_code, result.stdout) == (os.EX_CONFIG, "")
    assert result.stderr == f"{file}: can't be read: No such file or directory\n"


def test_a_folder_is_no_config(tmp_path: Path) -> None:
    result = takmail("check-config", "--config", tmp_path)
    assert (result.exit_code, result.stderr) == (os.EX_CONFIG, f"{tmp_path}: can't be read: Is a directory\n")


def test_check_config_tells_all_that_is_wrong_at_once(tmp_path: Path) -> None:
    file = config_file(tmp_path, imap=0, smtp=70000, more="colour = 1\n[colours]\n")
    result = takmail("check-config", "--config", file)
    assert (result.exit_code, result.stdout) == (os.EX_CONFIG, "")
    assert result.stderr.splitlines() == [
        f"{file}: [imap] port: must be at least 1",
        f"{file}: [smtp] port: must be at most 65535",
        f"{file}: [smtp] colour: is not a key that takmail knows",
        f"{file}: [colours]: is not a section that takmail knows",
    ]


def test_check_config_says_so_when_all_is_well_and_makes_nothing(tmp_path: Path) -> None:
    file = config_file(tmp_path)
    result = takmail("check-config", "--config", file)
    key = "takmail.key: there is no key yet; the first start makes it"
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == f"{file}: all is well\n{tmp_path}/{key}\n"
    assert list(tmp_path.iterdir()) == [file]


def test_the_example_is_well(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text((Path(__file__).parents[2] / "config.example.toml").read_text())
    file.chmod(0o600)
    assert takmail("check-config", "--config", file).exit_code == 0


@pytest.mark.parametrize("verb", ["check-config", "serve"])
def test_a_file_that_is_no_key_is_told(tmp_path: Path, verb: str) -> None:
    file = config_file(tmp_path)
    (tmp_path / "takmail.key").write_text("none")
    (tmp_path / "takmail.key").chmod(0o600)
    result = takmail(verb, "--config", file, stdin=MAIL)
    assert result.exit_code == os.EX_CONFIG
    assert result.stderr == f"{file}: [service] key_file: {tmp_path}/takmail.key holds no key of takmail's\n"


def test_a_key_in_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    file = config_file(tmp_path)
    file.write_text(file.read_text().replace("[imap]", 'key_file = "none/key"\n[imap]'))
    result = takmail("check-config", "--config", file)
    assert result.exit_code == os.EX_CONFIG
    assert result.stderr == f"{file}: [service] key_file: there is no folder {tmp_path}/none\n"


# serve.


def test_serve_takes_what_is_there_by_its_start_out_of_the_search_for_garbage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []

    async def serve(_app: App, _stop: asyncio.Event) -> None:
        steps.append("it serves")

    monkeypatch.setattr(gc, "freeze", lambda: steps.append("what is there stays"))
    monkeypatch.setattr(App, "serve", serve)
    assert takmail("serve", "--config", config_file(tmp_path)).exit_code == os.EX_OK
    assert steps == ["what is there stays", "it serves"]


# deliver.


def test_deliver_keeps_the_mail_and_leaves_the_letters_in_the_outbox_while_the_server_is_away(
    tmp_path: Path,
) -> None:
    file = config_file(tmp_path)
    for mail, readers in ((lambda: MAIL, [ADA]), (lambda: yes(tmp_path), [ADA, ADA, BEN])):
        result = takmail("deliver", "--config", file, stdin=mail())
        assert (result.exit_code, result.stdout) == (0, "")
        assert set(rows(tmp_path, "SELECT state FROM intake")) == {("answered",)}
        letters = rows(tmp_path, "SELECT mail_to, state FROM outbox ORDER BY mail_to")
        assert letters == [(reader, "queued") for reader in readers]


@pytest.mark.parametrize("junk", [b"\xff\xfe\x00", b"From: \xff\n\n\xff", MAIL.replace(b"1@", b"\xff@")])
def test_deliver_keeps_whatever_comes(tmp_path: Path, junk: bytes) -> None:
    assert takmail("deliver", "--config", config_file(tmp_path), stdin=junk).exit_code == 0
    assert rows(tmp_path, "SELECT raw FROM intake") == [(junk,)]


def test_a_mail_handed_over_again_is_dealt_with_once(tmp_path: Path) -> None:
    file = config_file(tmp_path)
    assert [takmail("deliver", "--config", file, stdin=MAIL).exit_code for _ in range(2)] == [0, 0]
    answer = yes(tmp_path)
    assert [takmail("deliver", "--config", file, stdin=answer).exit_code for _ in range(2)] == [0, 0]
    states = [state for (state,) in rows(tmp_path, "SELECT state FROM intake ORDER BY id")]
    assert states == ["answered", "duplicate"] * 2
    assert rows(tmp_path, "SELECT count(*) FROM game") == [(1,)]


@pytest.mark.sqlite("on PostgreSQL nobody holds the whole database; tests/postgres has a server that is away")
@pytest.mark.parametrize("before", [True, False])
def test_deliver_asks_for_another_try_while_the_database_is_locked(
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
def test_deliver_asks_for_another_try_when_the_mail_could_not_be_kept(tmp_path: Path) -> None:
    file = config_file(tmp_path)
    takmail("deliver", "--config", file, stdin=MAIL.replace(b"<1@", b"<0@"))
    with closing(sqlite3.connect(tmp_path / "takmail.sqlite")) as connection:
        connection.execute(
            "CREATE TRIGGER full BEFORE INSERT ON intake BEGIN SELECT raise(ABORT, 'full'); END"
        )
    result = takmail("deliver", "--config", file, stdin=MAIL)
    assert result.exit_code == os.EX_TEMPFAIL
    assert result.stderr == (f"[store] sqlite:///{tmp_path}/takmail.sqlite: (sqlite3.IntegrityError) full\n")


@pytest.mark.sqlite("a file that can't be opened")
@pytest.mark.parametrize("verb", ["serve", "deliver"])
def test_a_database_that_is_away_is_to_be_tried_again(tmp_path: Path, verb: str) -> None:
    file = config_file(tmp_path, more=f'[store]\nurl = "sqlite:///{tmp_path}/none/takmail.sqlite"\n')
    result = takmail(verb, "--config", file, stdin=MAIL)
    assert result.exit_code == os.EX_TEMPFAIL
    assert result.stderr == (
        f"[store] sqlite:///{tmp_path}/none/takmail.sqlite: "
        "(sqlite3.OperationalError) unable to open database file\n"
    )


@pytest.mark.parametrize(("words", "code"), [(("deliver",), os.EX_TEMPFAIL), (("game", "list"), 1)])
def test_a_database_of_a_newer_takmail_is_told(tmp_path: Path, words: tuple[str, ...], code: int) -> None:
    file = config_file(tmp_path)
    takmail("deliver", "--config", file, stdin=MAIL)
    change(tmp_path, "UPDATE alembic_version SET version_num = '9999'")
    result = takmail(*words, "--config", file, stdin=MAIL)
    assert result.exit_code == code
    assert result.stderr == (
        f"[store] {make_url(databases.url_in(tmp_path))}: a newer takmail has made it; install that one again, or"
        " restore a backup from before\n"
    )


class Pipe(BytesIO):
    """A mail that is handed over, and by how much at once."""

    most = 0

    def read(self, size: int | None = -1) -> bytes:
        given = super().read(size)
        self.most = max(self.most, len(given))
        return given


def test_of_a_very_long_mail_only_the_beginning_is_held_and_all_of_it_is_taken(tmp_path: Path) -> None:
    pipe = Pipe(MAIL + b"x" * (2 * USUAL.mail_bytes))
    assert takmail("deliver", "--config", config_file(tmp_path), stdin=pipe).exit_code == 0
    assert (pipe.most, pipe.read()) == (USUAL.mail_bytes, b"")
    kept = rows(tmp_path, "SELECT state, length(raw), size FROM intake")
    assert kept == [("rejected", USUAL.header_bytes, len(MAIL) + 2 * USUAL.mail_bytes)]


# Games.


def test_every_game_is_listed_on_a_line(played: Path) -> None:
    result = takmail("game", "list", "--config", played)
    assert (result.exit_code, result.stderr) == (0, "")
    first, second = (line.split() for line in result.stdout.splitlines())
    assert first == ["#1", "open", "5x5", "2", "turns", "Ada", "–", "Ben"]
    assert second[:5] == ["#2", "invited", "6x6", "0", "turns"]


@pytest.fixture
def broken(played: Path) -> Path:
    """The config of a service whose first game has a turn that breaks the rules."""
    change(played.parent, "UPDATE turn SET text = 'ps b4' WHERE game_id = 1 AND number = 2")
    return played


def test_a_game_that_breaks_the_rules_is_marked_in_the_list_and_hides_no_other(broken: Path) -> None:
    result = takmail("game", "list", "--config", broken)
    assert (result.exit_code, result.stderr) == (0, "")
    first, second = (line.split() for line in result.stdout.splitlines())
    assert first == ["#1", "broken", "5x5", "2", "turns", "Ada", "–", "Ben"]
    assert second[:2] == ["#2", "invited"]


def test_a_game_that_breaks_the_rules_is_told_in_a_sentence(broken: Path) -> None:
    result = takmail("game", "export", "1", "--config", broken)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == (
        "Error: game 1 is broken; mend it first, `takmail game show 1` tells how. What is wrong: the stored turn 2 "
        "(ps b4) breaks the rules: B4 is not empty: a black flat stands there. A piece can only be placed on an "
        "empty space.\n"
    )


def test_a_game_that_breaks_the_rules_is_shown_with_what_is_wrong_and_how_to_mend_it(broken: Path) -> None:
    result = takmail("game", "show", "1", "--config", broken)
    assert (result.exit_code, result.stderr) == (0, "")
    assert (
        'The first row that doesn\'t fit: table "turn", game_id 1, number 2\n  text:        ps b4\n'
        in result.stdout
    )
    assert "\n  UPDATE turn SET text = 'ps c3' WHERE game_id = 1 AND number = 2;\n" in result.stdout


def test_a_game_that_is_adjourned_and_broken_is_not_resumed_before_it_is_mended(broken: Path) -> None:
    change(broken.parent, "UPDATE game SET standing = 'adjourned' WHERE id = 1")
    result = takmail("game", "adjourn", "1", "--resume", "--why", "mended", "--config", broken)
    assert (result.exit_code, result.stdout) == (1, "")
    assert "game 1 is broken; mend it first, `takmail game show 1` tells how" in result.stderr


def test_where_there_is_no_game_that_is_said(tmp_path: Path) -> None:
    assert takmail("game", "list", "--config", config_file(tmp_path)).stdout == "There is no game yet.\n"


def test_a_game_is_shown_with_its_board_its_turns_and_what_has_not_left(played: Path) -> None:
    result = takmail("game", "show", "1", "--config", played)
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert lines[0].startswith("#1  ")
    assert lines[0].endswith("(open)")
    assert [line.split() for line in lines if " Ada: " in line or " Ben: " in line] == [
        ["1.", "Ada:", "ps", "b4"],
        ["2.", "Ben:", "ps", "c3"],
    ]
    waiting = [
        str(number)
        for (number,) in rows(played.parent, "SELECT id FROM outbox WHERE game_id = 1 ORDER BY id")
    ]
    assert [line.split(",")[0].strip() for line in lines if " queued, to " in line] == waiting[:-6:-1]


def test_of_many_letters_the_newest_are_shown_and_the_others_counted(played: Path) -> None:
    change(
        played.parent,
        "UPDATE outbox SET state = 'failed' WHERE id = (SELECT MIN(id) FROM outbox WHERE game_id = 1)",
    )
    count = len(rows(played.parent, "SELECT 1 FROM outbox WHERE game_id = 1"))
    assert count > 6
    result = takmail("game", "show", "1", "--config", played)
    assert f"  and {count - 5} older: 1 failed, {count - 6} queued\n" in result.stdout


def test_an_exported_game_can_be_replayed(played: Path, tmp_path: Path) -> None:
    result = takmail("game", "export", "1", "--config", played)
    assert (result.exit_code, result.stderr) == (0, "")
    file = tmp_path / "game.ptn"
    file.write_text(result.stdout)
    replayed = takmail("replay", file)
    assert replayed.exit_code == 0
    assert replayed.stdout.startswith(f"{file}: 5x5, 2 plies, no result\n")


@pytest.mark.parametrize("verb", ["show", "export"])
@pytest.mark.parametrize("number", ["0", "3", "99999999999999999999999"])
def test_an_unknown_game_is_told_in_a_sentence(played: Path, verb: str, number: str) -> None:
    result = takmail("game", verb, number, "--config", played)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == f"Error: there is no game {number}; `takmail game list` shows them all\n"


def test_a_games_number_is_a_number(played: Path) -> None:
    result = takmail("game", "show", "one", "--config", played)
    assert result.exit_code == 2
    assert "'one' is not a valid integer" in result.stderr


def test_a_game_that_is_over_is_shown_with_its_result(tmp_path: Path) -> None:
    store = databases.opened(tmp_path)
    harness = Harness(store)
    harness.begin("3")
    harness.play("ps a3", "ps a1", "ps b1", "ps b3", "ps c1")
    store.close()
    make(tmp_path / "takmail.key")
    lines = takmail("game", "show", "1", "--config", config_file(tmp_path)).stdout.splitlines()
    assert lines[0].endswith("(over)")
    assert any("road" in line for line in lines)
    assert takmail("game", "list", "--config", tmp_path / "config.toml").stdout.split()[5] == "R-0"


# The demo.


def test_a_demo_without_a_place_for_its_files_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = takmail("demo", "--folder", tmp_path / "file" / "below")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("Error: the demo can't go on: ")


def test_a_demo_without_its_extra_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "takmail.demo.play", None)
    result = takmail("demo")
    assert result.exit_code == 1
    assert "pip install 'takmail[demo]'" in result.stderr


# The module.


def test_the_package_can_be_run_as_a_module() -> None:
    done = subprocess.run([sys.executable, "-m", "takmail", "--version"], capture_output=True, text=True)
    assert done.stdout == f"takmail, version {__version__}\n"
