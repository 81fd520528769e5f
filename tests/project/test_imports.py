"""The import contracts of pyproject.toml hold, and the linter sees what breaks them."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[2]
PACKAGE = CHECKOUT / "takmail"

BROKEN = {
    "mail/address.py": "def late() -> None:\n    import asyncio",
    "letters/letter.py": "if __debug__:\n    import sqlalchemy.orm",
    "world/kinds.py": "from takmail.store.process_name import new_name",
    "pipeline/values.py": "from takmail import brandnew",
    "pipeline/remembered.py": "from takmail.pipeline import interpret",
    "mail/mime.py": "from ..letters.pictures import svg",
    "letters/pictures/png.py": "from takmail.games.interface import Seat",
    "config/section.py": "import takmail.store.database",
    "games/tak/board.py": "from takmail.games import registry",
    "world/records.py": "from takmail.games.tak import rules",
    "cli/lists.py": "import tests.support.harness as harness",
    "runtime/child_process.py": "from takmail.world import tasks",
    "brandnew.py": "import secrets",
}
"""Lines that break a contract, by the module that gets them."""

FOUND = [
    "takmail.mail.address -> asyncio",
    "takmail.letters.letter -> sqlalchemy",
    "takmail.pipeline.remembered -> takmail.pipeline.interpret",  # which the gates have by way of it
    "takmail.world.kinds -> takmail.store.process_name",
    "takmail.brandnew -> secrets",  # which the pipeline has by way of another module
    "takmail.mail.mime -> takmail.letters.pictures.svg",
    "takmail.letters.pictures.png -> takmail.games.interface",
    "takmail.config.section -> takmail.store.database",
    "takmail.games.tak.board -> takmail.games.registry",
    "takmail.world.records -> takmail.games.tak.rules",
    "takmail.cli.lists -> tests",
    "takmail.runtime.child_process -> takmail.world.tasks",
    "- takmail.brandnew",  # is in no layer
]


def linted(checkout: Path) -> subprocess.CompletedProcess[str]:
    # In a process of its own, as it sets the logging of the whole process anew. Its lines are not broken.
    linter = Path(sys.executable).with_name("lint-imports")
    return subprocess.run(
        [linter, "--no-cache", "--no-logo"],
        cwd=checkout,
        env={"COLUMNS": "300"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_all_contracts_hold() -> None:
    done = linted(CHECKOUT)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_linter_looks_into_every_folder_but_the_migrations() -> None:
    folders = {path.parent for path in PACKAGE.rglob("*.py")}
    unseen = {one.relative_to(PACKAGE).as_posix() for one in folders if not (one / "__init__.py").exists()}
    assert unseen == {"store/migrations", "store/migrations/versions"}


@pytest.fixture(scope="module")
def complaints(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What the linter says of a checkout in which every contract is broken."""
    copy = tmp_path_factory.mktemp("checkout")
    shutil.copytree(PACKAGE, copy / "takmail", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(CHECKOUT / "pyproject.toml", copy)
    for name, lines in BROKEN.items():
        with (copy / "takmail" / name).open("a", encoding="utf-8") as module:
            module.write(f"\n{lines}\n")
    return linted(copy).stdout


@pytest.mark.parametrize("found", FOUND)
def test_the_linter_finds_what_breaks_a_contract(complaints: str, found: str) -> None:
    assert found in complaints


def test_every_contract_can_be_broken(complaints: str) -> None:
    assert "0 kept" in complaints


def test_the_database_is_opened_without_the_modules_that_only_an_upgrade_needs() -> None:
    loaded = "import sys, takmail.store.database; print('takmail.store.upgrade' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", loaded], cwd=CHECKOUT, capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"
