"""Define `takmail install-service`, which lets systemd run takmail."""

import json
import os
import re
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import click

from takmail.cli.common import config_option, say, settings_of, wrong
from takmail.config import ConfigError, Settings, loading
from takmail.letters.templates import Templates, folder
from takmail.store.backup import alone, back_up
from takmail.store.schema import CannotUse
from takmail.store.sqlite_file import sqlite_file

STATE = Path("/var/lib/takmail")
SETTINGS = Path("/etc/takmail/config.toml")
UNIT = Path("/etc/systemd/system/takmail.service")
USER = Path("/etc/sysusers.d/takmail.conf")
SOCKETS = Path("/run/takmail")
HIDDEN = tuple(map(Path, ("/home", "/root", "/run/user", "/tmp", "/var/tmp")))
"""The folders that `ProtectHome=yes` and `PrivateTmp=yes` in the unit hide from the service."""

_USER_TEXT = (
    f'# The user that runs takmail; takmail.service names it.\nu takmail - "takmail, Tak by mail" {STATE}\n'
)
_COMMANDS = (("systemd-sysusers", str(USER)), ("systemctl", "daemon-reload"))
_SIMPLE = re.compile(r"/[\w./+-]+", re.ASCII)
"""A path that a unit needs no quotes for."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What an installation writes, and what it copies from where the operator has tried takmail.

    `texts` are files with their text and mode, `copies` pairs of a file and its new place.
    """

    texts: tuple[tuple[Path, str, int], ...]
    copies: tuple[tuple[Path, Path], ...]


@click.command("install-service")
@config_option
@click.option(
    "--program",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The takmail that the service runs. Default: this one.",
)
@click.option("--dry-run", is_flag=True, help="Say what would be written, and write nothing.")
@click.option(
    "--root",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    default=Path("/"),
    metavar="DIR",
    help="Write below this folder instead of /, such as an image that is being made, and run nothing.",
)
@click.option("--force", is_flag=True, help=f"Replace {SETTINGS} if it is there.")
def install_service(config_file: Path, program: Path | None, dry_run: bool, root: Path, force: bool) -> None:
    """Let systemd run takmail, at each start of the machine and without a terminal. Run it as root.

    Writes the unit, a user for it, and /etc/takmail/config.toml: a copy of the config file whose paths lead to
    /var/lib/takmail. Copies the key, the database and the tokens there; the old ones stay where they are. Files in
    /var/lib/takmail and /etc/takmail that are there already are kept. Starts nothing, and says how to undo it.

    The service sees no home and no /tmp, so takmail, its Python and the files that the settings name must not be there:
    put the checkout or the environment into /opt, say.

    \b
    Examples:
      takmail install-service --dry-run
      /opt/takmail/.venv/bin/takmail install-service
    """
    settings = settings_of(config_file)
    program = (program or Path(sys.argv[0])).absolute()
    problems = [*program_problems(program), *_settings_problems(settings)]
    if problems:
        raise click.ClickException("nothing is written:\n  " + "\n  ".join(problems))
    try:
        plan = plan_of(config_file, settings, program)
    except ConfigError as error:
        wrong(config_file, error.problems)
    is_here = root == Path("/")
    if is_here and not dry_run:
        _require_systemd()
    kept = [
        place
        for place in [SETTINGS, *(place for _, place in plan.copies)]
        if _below(root, place).exists() and not (force and place == SETTINGS)
    ]
    if not dry_run:
        try:
            carry_out(plan, root, kept)
        except CannotUse:
            raise click.ClickException("the database is in use: stop `takmail serve` first") from None
        except OSError as error:
            raise click.ClickException(f"{error.filename}: {error.strerror or error}") from None
    say(_page(plan, kept, program, "" if is_here else str(root), is_dry=dry_run))
    if is_here and not dry_run:
        _run_commands()


def _page(plan: Plan, kept: Sequence[Path], program: Path, root: str, *, is_dry: bool) -> str:
    """Return what is told of an installation."""
    facts = {
        "texts": [str(place) for place, *_ in plan.texts if place not in kept],
        "copies": [(str(file), str(place)) for file, place in plan.copies if place not in kept],
        "kept": [str(one) for one in kept],
        "program": str(program),
        "root": root,
        "is_dry": is_dry,
        "commands": [" ".join(one) for one in _COMMANDS],
        "settings": str(SETTINGS),
        "unit": str(UNIT),
        "user": str(USER),
        "state": str(STATE),
    }
    return Templates(folder()).page("console/service.txt", **facts)


def program_problems(program: Path) -> list[str]:
    """Return why a service can't run a program: it, its Python or its packages are in a home, or not readable."""
    if not program.is_file() or not os.access(program, os.X_OK):
        return [f"{program} is no program; name the takmail to run by --program"]
    if not _SIMPLE.fullmatch(str(program)):
        return [f"{program} has characters that a unit of systemd would need quotes for; put it elsewhere"]
    files = [program, program.resolve(), *_interpreter(program)]
    if program.resolve().parent == Path(sys.executable).absolute().parent:
        files.append(Path(__file__).resolve())
    for file in files:
        if (hidden := _hidden(file)) is not None:
            return [
                f"{file} {hidden}; put takmail and its Python elsewhere: a checkout in /opt/takmail, and "
                "`make install PYTHON=/usr/bin/python3` there"
            ]
        shut = _shut(file)
        if shut is not None:
            return [f"the service's user can't read {shut}; run `chmod -R o+rX {shut}`"]
    return []


def _interpreter(program: Path) -> Iterator[Path]:
    """Yield the Python that runs a script, as the script and as the disk name it."""
    first = program.read_bytes()[:256].partition(b"\n")[0].decode(errors="replace")
    if first.startswith("#!/"):
        python = Path(first.removeprefix("#!").split()[0])
        yield from (python, python.resolve())


def _hidden(path: Path) -> str | None:
    """Return the words for a path that the service can't see, or None."""
    folder = next((one for one in HIDDEN if path.is_relative_to(one)), None)
    return None if folder is None else f"is below {folder}, which the service can't see"


def _shut(file: Path) -> Path | None:
    """Return the outermost folder or the file that keeps other users from reading a file, or None."""
    for one in [*reversed(file.parents), file]:
        mode = one.stat().st_mode
        if not mode & (stat.S_IXOTH if one != file else stat.S_IROTH):
            return one
    return None


def _settings_problems(settings: Settings) -> Iterator[str]:
    """Yield what a service can't use of settings that work in a terminal."""
    service, lmtp = settings.service, settings.lmtp
    if service.key_env is not None:
        yield "[service] key_env: the service gets none of your variables; write the key into a file, for key_file"
    if lmtp is not None and lmtp.socket is not None and not lmtp.socket.is_relative_to(SOCKETS):
        yield f'[lmtp] socket: the service can make one only in {SOCKETS}: socket = "{SOCKETS}/lmtp.sock"'
    programs = [("[[engine]] command", engine.command) for engine in settings.engine]
    for name, server in (("imap", settings.imap), ("smtp", settings.smtp)):
        if server is not None and server.password_env is not None:
            yield f"[{name}] password_env: the service gets none of your variables; use password"
        if server is not None and server.token_command is not None:
            programs.append((f"[{name}] token_command", server.token_command))
    for name, command in programs:
        if (hidden := _hidden(Path(command[0]))) is not None:
            yield f"{name}: {command[0]} {hidden}"
    for name, key, file in _named_files(settings):
        if key == "password_file" and (_hidden(file) or _shut(file)):
            yield f"[{name}] {key}: the service can't read {file}; write the password into config.toml, as `password`"
        elif (hidden := _hidden(file)) is not None:
            yield f"[{name}] {key}: {file} {hidden}; copy it to {SETTINGS.parent}"
        elif (shut := _shut(file)) is not None:
            yield f"[{name}] {key}: the service can't read {shut}; run `chmod o+rX {shut}`"


def _named_files(settings: Settings) -> Iterator[tuple[str, str, Path]]:
    """Yield the files that the service reads and that stay where they are: section, key and file."""
    for name, server in (("imap", settings.imap), ("smtp", settings.smtp)):
        for key in ("ca_file", "password_file"):
            if server is not None and (file := getattr(server, key)) is not None:
                yield name, key, file


def plan_of(config_file: Path, settings: Settings, program: Path) -> Plan:
    """Return what is to be written. Raises ConfigError if the settings can't be changed as the service needs them."""
    text, copies = _service_settings(config_file, settings)
    unit = re.sub(
        r"^ExecStart=\S+", lambda _: f"ExecStart={program}", _unit_text(), count=1, flags=re.MULTILINE
    )
    return Plan(((UNIT, unit, 0o644), (USER, _USER_TEXT, 0o644), (SETTINGS, text, 0o600)), copies)


def _unit_text() -> str:
    """Return the unit: from the package if it is installed, next to it in a checkout."""
    package = Path(__file__).resolve().parents[1]
    installed = package / UNIT.name
    return (installed if installed.is_file() else package.parent / "deploy" / UNIT.name).read_text()


def _service_settings(config_file: Path, settings: Settings) -> tuple[str, tuple[tuple[Path, Path], ...]]:
    """Return the settings with paths of the service, and the files that have to be copied there."""
    text = config_file.read_text(encoding="utf-8-sig")
    moved = [one for one in _own_files(settings) if not one.file.is_relative_to(STATE)]
    for one in moved:
        text = with_value(text, one.section, one.key, one.form.format(STATE / one.file.name))
    for section, key, file in _named_files(settings):
        text = with_value(text, section, key, str(file.absolute()))
    if any(not one.file.is_relative_to(STATE) for one in _own_files(loading.parse(text, SETTINGS))):
        raise ConfigError([f"takmail can't change its paths: write those in {STATE} into it yourself"])
    return text, tuple((one.file, STATE / one.file.name) for one in moved if one.file.is_file())


class _OwnFile(NamedTuple):
    """A file that the service writes, where the settings name it, and in which form."""

    section: str
    key: str
    file: Path
    form: str = "{}"


def _own_files(settings: Settings) -> Iterator[_OwnFile]:
    database = sqlite_file(settings.store.url)
    if settings.service.key_env is None:
        yield _OwnFile("service", "key_file", settings.service.key_file)
    if settings.oauth is not None:
        yield _OwnFile("oauth", "token_file", settings.oauth.token_file)
    if database is not None:
        yield _OwnFile("store", "url", database, "sqlite:///{}")


def with_value(text: str, section: str, key: str, value: str) -> str:
    """Return TOML with another value of a key. A key or a section that is missing is added; all else stays."""
    line, lines = f"{key} = {json.dumps(value, ensure_ascii=False)}", text.splitlines()
    headers = [number for number, one in enumerate(lines) if re.match(r"\s*\[", one)]
    start = next((one for one in headers if re.match(rf"\s*\[\s*{section}\s*\]", lines[one])), None)
    if start is None:
        return "\n".join([*lines, "", f"[{section}]", line, ""])
    end = next((one for one in headers if one > start), len(lines))
    for number in range(start + 1, end):
        if re.match(rf"\s*{key}\s*=", lines[number]):
            return "\n".join([*lines[:number], line, *lines[number + 1 :], ""])
    return "\n".join([*lines[: start + 1], line, *lines[start + 1 :], ""])


def _require_systemd() -> None:
    if os.geteuid() != 0:
        raise click.ClickException("only root can do that; or look at it first: --dry-run")
    # As sd_booted(3) does.
    if not Path("/run/systemd/system").is_dir() or any(shutil.which(one[0]) is None for one in _COMMANDS):
        raise click.ClickException("systemd doesn't run on this machine; docs/running.md tells of other ways")


def carry_out(plan: Plan, root: Path, kept: Sequence[Path]) -> None:
    """Write the files of a plan below `root`, except those that are to be kept. Raises CannotUse and OSError."""
    copies = [(file, _below(root, place)) for file, place in plan.copies if place not in kept]
    databases = [file for file, _ in copies if _is_database(file)]
    for file in databases:  # before anything is written
        with alone(file):
            pass
    for file, target in copies:
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if file in databases:
            back_up(file, target)
        else:
            shutil.copyfile(file, target)
            target.chmod(0o600)
    _below(root, STATE).mkdir(mode=0o700, parents=True, exist_ok=True)
    for place, text, mode in plan.texts:
        if place in kept:
            continue
        target = _below(root, place)
        target.parent.mkdir(parents=True, exist_ok=True)
        # Never readable by others, not even for a moment.
        handle = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
        with os.fdopen(handle, "w", encoding="utf-8") as file_there:
            file_there.write(text)
        target.chmod(mode)


def _is_database(file: Path) -> bool:
    with file.open("rb") as beginning:
        return beginning.read(16) == b"SQLite format 3\0"


def _run_commands() -> None:
    for command in _COMMANDS:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise click.ClickException(f"`{' '.join(command)}` failed: {done.stderr.strip()}")
    owner = STATE.stat()
    if (
        owner.st_uid == 0
    ):  # systemd hands the folder over at the first start, but commands may come before that
        for one in [STATE, *STATE.iterdir()]:
            shutil.chown(one, "takmail", "takmail")


def _below(root: Path, place: Path) -> Path:
    return root / place.relative_to("/")
