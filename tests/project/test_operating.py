"""What operators are told to type, and the files that start takmail for them, fit the program."""

import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

import click
import pytest

from takmail.cli import main
from takmail.cli.status import VALUES, Finding, Level
from tests.support.harness import TEMPLATES
from tests.support.tables import each_row

CHECKOUT = Path(__file__).parents[2]
PAGES = ("operating", "running", "troubleshooting", "limits", "engines", "backups")
PAGE = "\n".join((CHECKOUT / "docs" / f"{name}.md").read_text() for name in PAGES)
READMES = "\n".join(file.read_text() for file in sorted(CHECKOUT.glob("README*.md")))
UNIT = CHECKOUT / "deploy" / "takmail.service"
CONTAINERFILE = (CHECKOUT / "deploy" / "Containerfile").read_text()
MOST_EXPOSED = 15
"""Tenths of what `systemd-analyze security` gives at most: 1.5 of 10."""


def commands(text: str) -> Iterator[str]:
    """All that follows the word takmail in code, up to what a shell would do next."""
    code = [
        *re.findall(r"^```\w*\n(.*?)^```", text, re.MULTILINE | re.DOTALL),
        *re.findall(r"`([^`\n]+)`", text),
    ]
    for piece in code:
        for line in piece.splitlines():
            if not line.lstrip().startswith("#"):
                # Postfix calls its own transport so, and podman the container.
                yield from re.findall(r"\btakmail (?!unix|argv=|takmail)([a-z][^|<>&;#\\]*)", line)


def complaint(words: Sequence[str]) -> str | None:
    """What is wrong with a command line, None if there are such a verb and such options."""
    command: click.Command = main
    for number, word in enumerate(words):
        if not isinstance(command, click.Group):
            options = {name for one in command.params for name in one.opts}
            unknown = [one for one in words[number:] if one.startswith("--") and one not in options]
            return f"{command.name} has no {unknown}" if unknown else None
        verb = command.get_command(click.Context(command), word)
        if verb is None:
            return f"there is no {word}"
        command = verb
    return None


ASKED = sorted({*commands(PAGE), *commands(READMES)})


def test_the_page_tells_of_many_commands() -> None:
    assert len(ASKED) > 30
    verbs = {line.split()[0] for line in commands(PAGE)}
    assert {"status", "outbox", "backup", "restore", "mail", "game", "serve", "deliver", "key"} <= verbs


@each_row("line", ASKED)
def test_every_command_that_an_operator_reads_is_there(line: str) -> None:
    words = shlex.split(re.sub(r"[\[\]…]", " ", line), posix=True)
    assert complaint(words) is None


@pytest.mark.parametrize("line", ["statuses", "status --jsn", "outbox lst", "serve --log-fmt json"])
def test_one_that_is_not_there_would_be_seen(line: str) -> None:
    assert complaint(line.split()) is not None


FINDINGS = [
    Finding("contact", None, Level.CRITICAL),
    *(Finding(one, 500, Level.WARNING, "connection refused") for one in VALUES),
]


@pytest.mark.parametrize("finding", FINDINGS, ids=str)
def test_the_page_tells_what_to_do_about_whatever_status_finds(finding: Finding) -> None:
    said = TEMPLATES.line("console/finding.txt", one=finding)
    table = [line.split("|")[1].strip() for line in PAGE.splitlines() if line.startswith("| ")]
    rows = [".+".join(map(re.escape, row.split("…"))) for row in table]
    assert len([row for row in rows if re.fullmatch(row, said)]) == 1


# systemd.


def unit() -> dict[str, list[tuple[str, str]]]:
    """The unit by sections, each key as often as it stands there."""
    verb: dict[str, list[tuple[str, str]]] = {}
    for line in UNIT.read_text().splitlines():
        if line.startswith("["):
            section = verb.setdefault(line.strip("[]"), [])
        elif line and not line.startswith("#"):
            key, is_set, value = line.partition("=")
            assert is_set, line
            section.append((key, value))
    return verb


def test_the_unit_runs_a_command_that_there_is_with_settings_that_are_handed_over() -> None:
    service = dict(unit()["Service"])
    program, *words = shlex.split(service["ExecStart"])
    assert Path(program).name == "takmail"
    assert complaint(words) is None
    assert words[0] == "serve"
    assert words[-1] == f"%d/{service['LoadCredential'].split(':')[0]}"


def test_the_unit_leaves_the_service_nothing_but_its_own_folder_and_the_network() -> None:
    service = dict(unit()["Service"])
    for key, value in {
        "DynamicUser": "yes",
        "StateDirectory": "takmail",
        "RuntimeDirectory": "takmail",
        "RuntimeDirectoryMode": "0750",
        "ProtectSystem": "strict",
        "ProtectHome": "yes",
        "PrivateDevices": "yes",
        "NoNewPrivileges": "yes",
        "CapabilityBoundingSet": "",
        "UMask": "0077",
    }.items():
        assert (key, service[key]) == (key, value)
    assert "ReadWritePaths" not in service


def test_the_socket_that_the_page_names_is_where_the_unit_lets_the_service_make_one() -> None:
    folder = f"/run/{dict(unit()['Service'])['RuntimeDirectory']}/"
    sockets = re.findall(r"lmtp:unix:([^\s`]+)", PAGE) + re.findall(r'socket = "(.+)"', PAGE)
    assert len(sockets) == 3
    assert {one.startswith(folder) for one in sockets} == {True}


def test_the_unit_is_not_started_again_where_the_settings_are_wrong() -> None:
    assert dict(unit()["Service"])["RestartPreventExitStatus"] == "78"


def test_the_unit_is_started_again_at_once_and_not_for_ever() -> None:
    verb, service = dict(unit()["Unit"]), dict(unit()["Service"])
    assert (service["Restart"], service["RestartSec"]) == ("on-failure", "1")
    assert (verb["StartLimitIntervalSec"], verb["StartLimitBurst"]) == ("1h", "300")
    # Both are keys of [Unit]; in [Service] systemd doesn't know them.
    assert not any(key.startswith("StartLimit") for key in service)
    assert "300 starts within an hour" in PAGE
    assert "systemctl reset-failed takmail" in PAGE


def _analyze(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["systemd-analyze", *words], capture_output=True, text=True, timeout=60)


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """The unit with a program that is there on every machine."""
    if not shutil.which("systemd-analyze"):
        pytest.skip("needs systemd-analyze, which comes with systemd")
    file = tmp_path / "takmail.service"
    file.write_text(re.sub(r"^ExecStart=\S+", "ExecStart=/bin/true", UNIT.read_text(), flags=re.MULTILINE))
    return file


def test_systemd_takes_the_unit_without_a_complaint(installed: Path) -> None:
    done = _analyze("verify", installed)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_systemd_finds_little_that_the_service_is_exposed_by(installed: Path) -> None:
    done = _analyze("security", "--offline=yes", "--no-pager", f"--threshold={MOST_EXPOSED}", installed)
    assert done.returncode == 0, done.stdout


# The container.

COMPOSE = (CHECKOUT / "deploy" / "compose.yaml").read_text()
QUADLET = (CHECKOUT / "deploy" / "takmail.container").read_text()


def test_compose_and_quadlet_give_the_container_what_the_page_does() -> None:
    (line,) = re.findall(r"^podman run (.*)$", PAGE, re.MULTILINE)
    volumes = {one.replace("./", "") for one in re.findall(r"-v (\S+)", line)}
    of_compose = {one.replace("./", "") for one in re.findall(r"^      - (\S+:/\S+)$", COMPOSE, re.MULTILINE)}
    of_quadlet = {
        one.replace("/etc/takmail/config.toml:", "config.toml:", 1)
        for one in re.findall(r"^Volume=(\S+)$", QUADLET, re.MULTILINE)
    }
    assert of_quadlet == volumes
    assert {one.replace("data:", "takmail:", 1) for one in of_compose} == volumes
    assert "dockerfile: deploy/Containerfile" in COMPOSE
    assert "network_mode: host" in COMPOSE
    assert "\nNetwork=host\n" in QUADLET
    unit = UNIT.read_text()
    for key in (
        "Restart",
        "RestartSec",
        "RestartPreventExitStatus",
        "StartLimitBurst",
        "StartLimitIntervalSec",
    ):
        assert re.findall(rf"^{key}=.*$", QUADLET, re.MULTILINE) == re.findall(
            rf"^{key}=.*$", unit, re.MULTILINE
        )


def test_the_quadlet_is_one_for_podman(tmp_path: Path) -> None:
    generator = Path("/usr/lib/systemd/system-generators/podman-system-generator")
    if not generator.exists():
        pytest.skip("needs podman 4.4 or newer")
    (tmp_path / "takmail.container").write_text(QUADLET)
    done = subprocess.run(
        [generator, "-dryrun"],
        env={"QUADLET_UNIT_DIRS": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "ExecStart=" in done.stdout


def test_the_container_is_made_of_what_there_is() -> None:
    copied = [
        name for line in re.findall(r"^COPY (.*)$", CONTAINERFILE, re.MULTILINE) for name in line.split()[:-1]
    ]
    assert {"requirements.run.lock", "pyproject.toml", "takmail", "templates", "deploy/compile.py"} <= set(
        copied
    )
    assert [name for name in copied if not (CHECKOUT / name).exists()] == []
    # Without these two the wheel can't be built.
    assert {"README.md", "LICENSE", "deploy/takmail.service"} <= set(copied)


def test_the_container_runs_a_command_that_there_is_as_nobody_special() -> None:
    (words,) = re.findall(r"^CMD \[(.*)\]$", CONTAINERFILE, re.MULTILINE)
    assert complaint([word.strip(' "') for word in words.split(",")]) is None
    assert "\nUSER takmail\n" in CONTAINERFILE


def test_the_container_is_unhealthy_only_while_something_is_critical(tmp_path: Path) -> None:
    (check,) = re.findall(r"^HEALTHCHECK (?:.*\\\n)*  CMD (.*)$", CONTAINERFILE, re.MULTILINE)
    assert complaint(check.partition(";")[0].split()[1:]) is None
    takmail = tmp_path / "takmail"
    for code, is_healthy in ((0, True), (1, True), (2, False), (78, False)):
        takmail.write_text(f"#!/bin/sh\nexit {code}\n")
        takmail.chmod(0o755)
        done = subprocess.run(["sh", "-c", check], env={"PATH": f"{tmp_path}:/bin:/usr/bin"}, check=False)
        assert done.returncode == (0 if is_healthy else 1)


def test_the_container_is_made_of_one_image_that_stays_the_same() -> None:
    (image,) = re.findall(r"^ARG PYTHON=(\S+)$", CONTAINERFILE, re.MULTILINE)
    assert re.fullmatch(r"docker\.io/library/python:3\.\d+\.\d+-slim-\w+@sha256:[0-9a-f]{64}", image)
    assert set(re.findall(r"^FROM (\S+)", CONTAINERFILE, re.MULTILINE)) == {"${PYTHON}"}


def test_nothing_is_installed_but_what_the_lock_has() -> None:
    installs = re.findall(r"pip (?:install|wheel) [^&\n]*", CONTAINERFILE)
    assert len(installs) == 4
    assert all("--require-hashes" in one or "--no-index" in one or "--no-deps" in one for one in installs)
