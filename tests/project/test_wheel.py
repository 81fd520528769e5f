"""The wheel, installed where nothing else of takmail is, has all that letters need."""

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from tests.support.width import IS_WIDE

CHECKOUT = Path(__file__).parents[2]
TEMPLATES = CHECKOUT / "templates"
NOT_COPIED = shutil.ignore_patterns("__pycache__")


def copied_into_the_container() -> list[str]:
    """The files and folders of the checkout that the Containerfile takes."""
    text = (CHECKOUT / "deploy" / "Containerfile").read_text()
    return [name for line in re.findall(r"^COPY (.*)$", text, re.MULTILINE) for name in line.split()[:-1]]


def run(folder: Path, *words: str, **environment: str) -> str:
    """What a fresh Python says; its words on stderr are in the failure if it fails."""
    done = subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that holds the wheel, unpacked, and nothing else."""
    folder = tmp_path_factory.mktemp("wheel")
    tree, target = folder / "tree", folder / "installed"
    tree.mkdir()
    # What the container's image is built of, and nothing else.
    for name in copied_into_the_container():
        place = tree / name
        place.parent.mkdir(exist_ok=True)
        if (CHECKOUT / name).is_dir():
            shutil.copytree(CHECKOUT / name, place, ignore=NOT_COPIED)
        else:
            shutil.copy(CHECKOUT / name, place)
    run(tree, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder))
    (wheel,) = folder.glob("*.whl")
    shutil.rmtree(tree)
    with ZipFile(wheel) as packed:
        packed.extractall(target)
    return target


@pytest.fixture(scope="module")
def seen(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What a process finds that knows the wheel and the libraries, and not the checkout."""
    folder = tmp_path_factory.mktemp("elsewhere")
    (folder / "tests" / "support").mkdir(parents=True)
    for name in ("harness.py", "players.py", "scenes.py", "pictures.py", "wording.py", "every_kind.py"):
        shutil.copy(CHECKOUT / "tests" / "support" / name, folder / "tests" / "support")
    shutil.copy(CHECKOUT / "tests" / "project" / "wheel_letters.py", folder)
    (folder / "game.ptn").write_text('[Size "3"]\n1. a3 a1\n2. b1 b3\n3. c1 R-0\n')
    libraries = sysconfig.get_paths()["purelib"]
    # -S: without site the .pth file of the editable install is not read, which would bring the checkout back.
    said = run(
        folder,
        "-S",
        "-W",
        "error",
        "wheel_letters.py",
        *(["--all"] if IS_WIDE else []),
        PYTHONPATH=os.pathsep.join([str(installed), libraries]),
    )
    found: dict[str, Any] = json.loads(said)
    return found


def test_the_checkout_is_out_of_sight(seen: dict[str, Any], installed: Path) -> None:
    assert str(CHECKOUT) not in seen["path"]
    assert Path(seen["package"]) == installed / "takmail"


def test_the_templates_are_the_packages_own(seen: dict[str, Any], installed: Path) -> None:
    assert Path(seen["templates"]) == installed / "takmail" / "templates"
    files = sorted(str(one.relative_to(TEMPLATES)) for one in TEMPLATES.rglob("*") if one.is_file())
    assert sorted(seen["names"]) == files
    for name in files:
        assert (Path(seen["templates"]) / name).read_bytes() == (TEMPLATES / name).read_bytes()


def test_the_example_of_the_settings_is_beside_them(installed: Path) -> None:
    assert (installed / "takmail" / "config.example.toml").read_bytes() == (
        CHECKOUT / "config.example.toml"
    ).read_bytes()


def test_the_unit_is_beside_them(installed: Path) -> None:
    unit = installed / "takmail" / "takmail.service"
    assert unit.read_bytes() == (CHECKOUT / "deploy" / "takmail.service").read_bytes()


def test_the_mail_providers_are_beside_the_code_that_reads_them(installed: Path) -> None:
    assert (installed / "takmail" / "config" / "providers.toml").is_file()


def test_letters_are_written(seen: dict[str, Any]) -> None:
    """Those that begin a game; in `make test-all`, letters of every kind."""
    assert seen["letters"] > (40 if IS_WIDE else 2)
    assert "en" in seen["languages"]
    assert len(seen["readers"]) == 2


def test_the_command_line_is_there(seen: dict[str, Any]) -> None:
    assert seen["replay"] == "game.ptn: 3x3, 5 plies, R-0\n  2,2,x/x3/1,1,1 2 3\n"
