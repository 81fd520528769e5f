"""`deploy/release.py`: a version, its notes, archives and tag, from the changelog."""

import importlib.util
import re
import subprocess
from datetime import date
from pathlib import Path

import pytest

from takmail import __version__

CHECKOUT = Path(__file__).parents[2]
_SPEC = importlib.util.spec_from_file_location("release", CHECKOUT / "deploy" / "release.py")
assert _SPEC is not None
assert _SPEC.loader is not None
release = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(release)

CHANGES = "# Changes\n\n## Unreleased\n\n- New.\n\n## 0.1.0, 27 November 2026\n\n- Old.\n"
DAY = date(2026, 12, 1)


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a commit, whose wheel is a few files."""
    for key in ("GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"):
        monkeypatch.setenv(key, "Ada")
    for key in ("GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"):
        monkeypatch.setenv(key, "ada@example.org")
    (tmp_path / "takmail").mkdir()
    (tmp_path / "takmail" / "__init__.py").write_text('"""takmail."""\n\n__version__ = "0.2.0.dev0"\n')
    (tmp_path / "CHANGELOG.md").write_text(CHANGES)
    (tmp_path / "pyproject.toml").write_text(
        '[build-system]\nrequires = ["hatchling"]\nbuild-backend = "hatchling.build"\n'
        '[project]\nname = "takmail"\nrequires-python = ">=3.11"\ndynamic = ["version"]\n'
        '[tool.hatch.version]\npath = "takmail/__init__.py"\n'
    )
    (tmp_path / ".gitignore").write_text("dist/\n")
    git(tmp_path, "init", "--quiet")
    commit(tmp_path)
    return tmp_path


def git(folder: Path, *words: str) -> str:
    return subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True, text=True).stdout


def commit(folder: Path) -> None:
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "a state")


def test_a_release_is_its_part_of_the_changelog_its_archives_and_a_tag(checkout: Path) -> None:
    with pytest.raises(release.CannotRelease, match="prepare"):
        release.make(checkout, checkout / "dist", is_dry=True)
    release.prepare(checkout, "0.2.0", DAY)
    with pytest.raises(release.CannotRelease, match="not committed"):
        release.make(checkout, checkout / "dist", is_dry=False)
    commit(checkout)
    files = release.make(checkout, checkout / "dist", is_dry=True)
    assert git(checkout, "tag") == ""
    sums = files[-1].read_text()
    assert [file.name for file in files] == [
        "takmail-0.2.0.tar.gz",
        "takmail-0.2.0-py3-none-any.whl",
        "takmail-0.2.0.notes.md",
        "SHA256SUMS",
    ]
    assert files[2].read_text() == "# takmail 0.2.0, 1 December 2026\n\n- New.\n"
    release.make(checkout, checkout / "dist", is_dry=False)
    assert files[-1].read_text() == sums
    assert "takmail 0.2.0, 1 December 2026" in git(checkout, "tag", "--list", "-n1", "v0.2.0")
    with pytest.raises(release.CannotRelease, match="is a tag v0"):
        release.make(checkout, checkout / "dist", is_dry=False)
    release.begin_next(checkout, "0.3.0")
    assert '__version__ = "0.3.0.dev0"' in (checkout / "takmail" / "__init__.py").read_text()
    changes = (checkout / "CHANGELOG.md").read_text()
    assert changes.startswith("# Changes\n\n## Unreleased\n\n## 0.2.0, 1 December 2026\n\n- New.\n")


def test_what_can_be_no_release_is_told() -> None:
    for act, words in (
        (lambda: release.headed("# Changes\n", "0.2.0", DAY), "Unreleased"),
        (lambda: release.opened(CHANGES), "already"),
        (lambda: release.notes_of(CHANGES, "0.2.0"), "prepare 0.2.0"),
        (lambda: release.notes_of("## 0.2.0, today\n\n## 0.1.0, then\n", "0.2.0"), "nothing of 0.2.0"),
        (lambda: release.version_in(""), "no version"),
    ):
        with pytest.raises(release.CannotRelease, match=words):
            act()


def test_nobody_is_told_to_install_by_a_name_that_is_not_ours() -> None:
    files = [*CHECKOUT.glob("*.md"), *(CHECKOUT / "docs").glob("*.md"), *(CHECKOUT / "takmail").rglob("*.py")]
    files += [*(CHECKOUT / "templates" / "console").rglob("*.txt"), *(CHECKOUT / "deploy").iterdir()]
    told = re.compile(r"pip3? install ['\"]?takmail\b(?!-\d)")
    named = [file.name for file in files if file.is_file() and told.search(file.read_text())]
    assert named == ["CHANGELOG.md"]  # which says that none does


def test_the_version_is_that_of_the_changelog() -> None:
    """What is unreleased has a version that is being made, and a release its own."""
    changes = (CHECKOUT / "CHANGELOG.md").read_text()
    if release.UNRELEASED in changes:
        assert __version__.endswith(".dev0")
    else:
        assert release.notes_of(changes, __version__)
