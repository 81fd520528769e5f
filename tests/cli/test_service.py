"""`takmail install-service`: what it writes for systemd, what it refuses, and what it leaves alone."""

import shutil
import sqlite3
import subprocess
import tomllib
from contextlib import closing
from pathlib import Path

import pytest

from takmail.cli import service
from takmail.cli.service import program_problems, with_value
from takmail.config import loading
from tests.support.command_line import complaint, config_file, output, takmail

MAIL = b"From: Ada <ada@example.org>\nMessage-ID: <1@mail.example.org>\n\nnew 5 vs ben@example.org\n"


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A takmail that the service can see, whose files everybody can read. Tests may run in a home, or below /tmp."""
    monkeypatch.setattr(service, "HIDDEN", (tmp_path / "home",))
    monkeypatch.setattr(service, "_shut", lambda _file: None)
    file = tmp_path / "bin" / "takmail"
    file.parent.mkdir()
    file.write_text("#!/bin/sh\n")
    file.chmod(0o755)
    return file


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """The config of somebody who has tried takmail."""
    folder = tmp_path / "tried"
    folder.mkdir()
    file = config_file(folder)
    takmail("deliver", "--queue", "--config", file, stdin=MAIL)
    return file


def install(config: Path, program: Path, *words: str | Path) -> str:
    root = program.parents[1] / "root"
    root.mkdir(exist_ok=True)
    return output("install-service", "--config", config, "--program", program, "--root", root, *words)


@pytest.mark.sqlite("a database in a file moves along")
def test_all_is_there_that_a_service_needs_and_what_was_tried_goes_on(config: Path, program: Path) -> None:
    said, root = install(config, program), program.parents[1] / "root"
    settings = root / "etc/takmail/config.toml"
    assert settings.stat().st_mode & 0o777 == 0o600
    there = loading.parse(settings.read_text(), Path("/etc/takmail/config.toml"))
    assert str(there.service.key_file) == "/var/lib/takmail/takmail.key"
    assert there.store.url == "sqlite:////var/lib/takmail/takmail.sqlite"
    assert there.imap == loading.load(config).imap
    state = root / "var/lib/takmail"
    assert (state / "takmail.key").read_bytes() == (config.parent / "takmail.key").read_bytes()
    with closing(sqlite3.connect(state / "takmail.sqlite")) as copy:
        assert copy.execute("SELECT count(*) FROM inbox").fetchone() == (1,)
    assert (config.parent / "takmail.sqlite").exists()
    unit = (root / "etc/systemd/system/takmail.service").read_text()
    assert f"ExecStart={program} serve --config %d/config.toml\n" in unit
    for line in (
        "userdel takmail",
        "systemctl disable --now takmail",
        "Next: systemctl enable --now takmail",
    ):
        assert line in said
    if shutil.which("systemd-sysusers"):
        (root / "etc/passwd").touch()
        (root / "etc/group").touch()
        subprocess.run(["systemd-sysusers", "--root", root], check=True, capture_output=True)
        assert "takmail:x:" in (root / "etc/passwd").read_text()


def test_what_is_there_is_kept(config: Path, program: Path) -> None:
    install(config, program)
    settings = program.parents[1] / "root/etc/takmail/config.toml"
    settings.write_text("mine")
    assert "/etc/takmail/config.toml is there already, and is kept." in install(config, program)
    assert settings.read_text() == "mine"
    install(config, program, "--force")
    assert settings.read_text() != "mine"


@pytest.mark.sqlite("a database in a file moves along")
def test_a_database_in_use_is_refused_before_anything_is_written(config: Path, program: Path) -> None:
    root = program.parents[1] / "root"
    root.mkdir()
    with closing(sqlite3.connect(config.parent / "takmail.sqlite")) as other:
        other.execute("BEGIN IMMEDIATE")
        assert "the database is in use" in complaint(
            "install-service", "--config", config, "--program", program, "--root", root
        )
    assert list(root.iterdir()) == []


def test_a_look_writes_nothing(config: Path, program: Path) -> None:
    assert "This would be written" in install(config, program, "--dry-run")
    assert list((program.parents[1] / "root").iterdir()) == []


def test_a_python_in_a_home_is_refused(program: Path, tmp_path: Path) -> None:
    home = tmp_path / "home" / "ada" / "python3"
    home.parent.mkdir(parents=True)
    home.write_text("")
    link = tmp_path / "python3"
    link.symlink_to(home)
    assert program_problems(program) == []
    for first in (f"#!{home}", f"#!{link}"):
        program.write_text(f"{first}\n")
        (problem,) = program_problems(program)
        assert problem.startswith(f"{home} is below {home.parents[1]}, which the service can't see")
        assert "make install PYTHON=/usr/bin/python3" in problem
    assert "no program" in program_problems(tmp_path / "none")[0]


def test_what_others_cannot_read_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "HIDDEN", ())
    file = tmp_path / "shut" / "takmail"
    file.parent.mkdir(mode=0o700)
    file.write_text("#!/bin/sh\n")
    file.chmod(0o755)
    assert "the service's user can't read" in program_problems(file)[0]


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ('[lmtp]\nsocket = "lmtp.sock"\n', "[lmtp] socket: the service can make one only in /run/takmail"),
        (
            '[[engine]]\nname = "x"\ncommand = ["{home}/engine"]\nsizes = [5]\n',
            "home, which the service can't see",
        ),
    ],
)
def test_settings_that_work_in_a_terminal_alone_are_told(
    tmp_path: Path, program: Path, more: str, words: str
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "engine").write_text("#!/bin/sh\n")
    (home / "engine").chmod(0o755)
    file = config_file(tmp_path, more=more.replace("{home}", str(home)))
    assert words in complaint("install-service", "--config", file, "--program", program, "--dry-run")


def test_a_password_in_a_file_that_the_service_cannot_read_is_told(tmp_path: Path, program: Path) -> None:
    secret = tmp_path / "home" / "secret"
    secret.parent.mkdir()
    secret.write_text("secret")
    file = config_file(tmp_path)
    file.write_text(file.read_text().replace('password = "secret"', f'password_file = "{secret}"'))
    told = complaint("install-service", "--config", file, "--program", program, "--dry-run")
    assert (
        f"[imap] password_file: the service can't read {secret}; write the password into config.toml" in told
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "[a]\nx = 1\n[store]\n# why\nurl = 'here'  # mine\n[b]\n",
            {"a": {"x": 1}, "store": {"url": "/there"}, "b": {}},
        ),
        ("[store]\n[b]\nurl = 2\n", {"store": {"url": "/there"}, "b": {"url": 2}}),
        ("[a]\nurl = 1", {"a": {"url": 1}, "store": {"url": "/there"}}),
        ("", {"store": {"url": "/there"}}),
    ],
)
def test_one_value_of_a_file_is_changed(before: str, after: dict[str, object]) -> None:
    changed = with_value(before, "store", "url", "/there")
    assert tomllib.loads(changed) == after
    assert ("# why" in changed) == ("# why" in before)
