"""The verbs of the command line: what they say, where, and how they end."""

import asyncio
import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from sqlalchemy import make_url

from takmail import __version__
from takmail.cli import main
from takmail.config import extras
from takmail.runtime.bootstrap import App
from takmail.store.schema import HEAD
from tests.support import databases
from tests.support.command_line import TAK, complaint, config_file, takmail
from tests.support.databases import change
from tests.support.harness import ADA, BEN
from tests.support.newer_takmail import NEXT, become_newer

MAIL = f"From: Ada <{ADA}>\nTo: {TAK}\nMessage-ID: <1@mail.example.org>\n\nnew 5 vs {BEN} first=me\n".encode()


def groups() -> list[tuple[str, ...]]:
    """Every command that has commands, with the words that lead to it."""
    found = [words[:-1] for words in verbs()]
    return list(dict.fromkeys(found))


def verbs(group: click.Group = main, above: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Every command with the words that lead to it."""
    for name, command in group.commands.items():
        yield (*above, name)
        if isinstance(command, click.Group):
            yield from verbs(command, (*above, name))


# Help.


@pytest.mark.parametrize("words", list(verbs()))
def test_help_teaches_by_an_example(words: tuple[str, ...]) -> None:
    result = takmail(*words, "--help")
    assert result.exit_code == 0
    _, _, examples = result.stdout.partition("Example")
    assert f"takmail {' '.join(words)} " in examples


@pytest.mark.parametrize("words", groups())
def test_a_list_of_commands_is_not_cut_in_a_terminal(words: tuple[str, ...]) -> None:
    listed = takmail(*words, "--help").stdout.partition("\nCommands:\n")[2].splitlines()
    assert listed
    assert not [line for line in listed if not line.endswith(".") or line.endswith("...")]


@pytest.mark.parametrize(
    "words", [("mail", "explain", "-"), ("picture", "7", "--out", "7.png"), ("game", "list"), ("serve",)]
)
def test_without_a_config_file_each_command_says_how_to_make_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    result = takmail(*words)
    assert (result.exit_code, result.stdout) == (os.EX_CONFIG, "")
    assert result.stderr.startswith("config.toml: does not exist; make it with: takmail init ")


def test_help_begins_with_where_to_begin() -> None:
    result = takmail("--help")
    assert "takmail demo" in result.stdout
    assert "takmail init you@provider.example\n    takmail serve\n" in result.stdout


def test_the_version_is_told() -> None:
    assert takmail("--version").stdout == f"takmail {__version__}, schema {HEAD}\n"


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
    assert result.stderr.startswith(f"{file}: does not exist; make it with: takmail init ")


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
        f"{file}: [colours]: is not a section that takmail knows; there are [service], [imap], [lmtp], [smtp], "
        "[oauth], [store], [limits], [bots], [[engine]]",
    ]


@pytest.mark.sqlite("of a server it is not asked whether a key is needed")
def test_check_config_says_so_when_all_is_well_and_makes_nothing(tmp_path: Path) -> None:
    file = config_file(tmp_path)
    result = takmail("check-config", "--config", file)
    key = "takmail.key: there is no key yet; the first start makes it"
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == f"{file} is valid\n{tmp_path}/{key}\n"
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize("verb", ["check-config", "serve"])
def test_a_file_that_is_no_key_is_told(tmp_path: Path, verb: str) -> None:
    file = config_file(tmp_path)
    (tmp_path / "takmail.key").write_text("none")
    (tmp_path / "takmail.key").chmod(0o600)
    result = takmail(verb, "--config", file, stdin=MAIL)
    assert result.exit_code == os.EX_CONFIG
    assert result.stderr == f"{file}: [service] key_file: {tmp_path}/takmail.key contains no takmail key\n"


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


# The database.


@pytest.mark.sqlite("a file that can't be opened")
@pytest.mark.parametrize("verb", ["serve", "deliver"])
def test_a_database_that_is_away_is_to_be_tried_again(tmp_path: Path, verb: str) -> None:
    file = config_file(tmp_path, more=f'[store]\nurl = "sqlite:///{tmp_path}/none/takmail.sqlite"\n')
    result = takmail(verb, "--config", file, stdin=MAIL)
    assert result.exit_code == os.EX_TEMPFAIL
    assert result.stderr == (
        f"[store] sqlite:///{tmp_path}/none/takmail.sqlite: "
        "(sqlite3.OperationalError) unable to open database file; takmail's user has to be able to write to its "
        "folder: make the folder, give it to that user, or set `url` in [store] to a file in another one\n"
    )


@pytest.mark.parametrize(("words", "code"), [(("deliver",), os.EX_TEMPFAIL), (("game", "list"), 1)])
def test_a_database_of_a_newer_takmail_is_told(tmp_path: Path, words: tuple[str, ...], code: int) -> None:
    file = config_file(tmp_path)
    takmail("deliver", "--config", file, stdin=MAIL)
    change(tmp_path, "UPDATE alembic_version SET version_num = 'r9999'")
    result = takmail(*words, "--config", file, stdin=MAIL)
    assert result.exit_code == code
    assert result.stderr == (
        f"[store] {make_url(databases.url_in(tmp_path))}: a newer takmail has made it; install that one again, or"
        " restore a backup from before\n"
    )


@pytest.mark.sqlite("the files of a database are compared")
def test_one_of_an_older_takmail_is_upgraded_by_two_commands_and_by_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    folder = tmp_path / "service"
    folder.mkdir()
    file = config_file(folder)
    takmail("deliver", "--config", file, stdin=MAIL)
    become_newer(monkeypatch, tmp_path)
    before = (folder / "takmail.sqlite").read_bytes()
    for words, code in {
        ("game", "list"): os.EX_DATAERR,
        ("mail", "list"): os.EX_DATAERR,
        ("mail", "explain", "-"): os.EX_DATAERR,
        ("deliver",): os.EX_TEMPFAIL,
        ("status",): 2,
        ("check-config", "--connect"): os.EX_CONFIG,
    }.items():
        result = takmail(*words, "--config", file, stdin=MAIL)
        assert (words, result.exit_code) == (words, code)
        assert f"its schema is {HEAD}, and takmail {__version__} needs {NEXT}; stop" in result.output
        assert "run `takmail upgrade`, or start `takmail serve`" in result.output
    assert (folder / "takmail.sqlite").read_bytes() == before
    result = takmail("upgrade", "--config", file)
    assert (result.exit_code, result.stdout) == (
        0,
        f"sqlite:///{folder}/takmail.sqlite has schema {NEXT}, that of takmail {__version__}\n",
    )
    assert f"upgraded from schema {HEAD} to {NEXT}; the old one is kept in {folder}" in caplog.text
    assert takmail("game", "list", "--config", file).exit_code == 0


@pytest.mark.sqlite("of a server it is not told whether it has the database")
def test_there_is_nothing_to_upgrade_before_the_first_start(tmp_path: Path) -> None:
    assert "there is no database yet" in complaint("upgrade", "--config", config_file(tmp_path))


# The demo.


def test_a_demo_without_a_place_for_its_files_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = takmail("demo", "--folder", tmp_path / "file" / "below")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("Error: the demo can't continue: ")


def test_a_demo_without_its_extra_says_what_to_type(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "takmail.cli.demo.play", None)
    result = takmail("demo")
    assert result.exit_code == 1
    assert f"run: make -C {Path(__file__).parents[2]} install\n" in result.stderr
    monkeypatch.setattr(extras, "__file__", str(tmp_path / "takmail" / "config" / "extras.py"))
    assert f"run: {sys.executable} -m pip install 'pymap'\n" in takmail("demo").stderr
