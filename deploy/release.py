#!/usr/bin/env python3
"""Make a release from CHANGELOG.md: its heading and version, then its archives, notes, checksums and tag.

    deploy/release.py prepare 0.2.0     # "## Unreleased" becomes "## 0.2.0, DATE", and __version__ 0.2.0; then commit
    deploy/release.py make --dry-run    # all that follows into a temporary folder, and no tag
    deploy/release.py make              # sdist, wheel, notes and SHA256SUMS into dist/, and the tag v0.2.0
    deploy/release.py open 0.3.0        # the next "## Unreleased", and __version__ 0.3.0.dev0; then commit

Needs git, and hatchling (in .venv). The same commit gives the same bytes. Nothing is pushed or uploaded.
"""

import argparse
import hashlib
import os
import re
import subprocess
import sys
import tempfile
from datetime import UTC, date, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CHANGELOG = Path("CHANGELOG.md")
VERSION_FILE = Path("takmail", "__init__.py")
UNRELEASED = "## Unreleased"
_VERSION = re.compile(r'^__version__ = "([^"]+)"$', re.MULTILINE)
_NUMBERS = re.compile(r"\d+\.\d+\.\d+", re.ASCII)


class CannotRelease(Exception):  # noqa: N818 - an answer to who releases, not a bug
    """Why there can be no release now, in a sentence."""


def version_in(text: str) -> str:
    """Return the version that the text of `takmail/__init__.py` names."""
    found = _VERSION.search(text)
    if found is None:
        raise CannotRelease(f"{VERSION_FILE} names no version")
    return found[1]


def headed(changelog: str, version: str, day: date) -> str:
    """Return the changelog with the version and the day as the heading of what was unreleased."""
    if changelog.count(f"\n{UNRELEASED}\n") != 1:
        raise CannotRelease(f'{CHANGELOG} has no "{UNRELEASED}"')
    return changelog.replace(f"\n{UNRELEASED}\n", f"\n## {version}, {day.day} {day:%B %Y}\n")


def opened(changelog: str) -> str:
    """Return the changelog with an empty part for what is unreleased, above the last release."""
    if f"\n{UNRELEASED}\n" in changelog:
        raise CannotRelease(f'{CHANGELOG} has "{UNRELEASED}" already')
    return changelog.replace("\n## ", f"\n{UNRELEASED}\n\n## ", 1)


def notes_of(changelog: str, version: str) -> str:
    """Return the notes of a release: its part of the changelog, with a heading of their own."""
    part = re.search(
        rf"^## {re.escape(version)}, ([^\n]+)\n(.*?)(?=^## |\Z)", changelog, re.MULTILINE | re.DOTALL
    )
    if part is None:
        raise CannotRelease(
            f'{CHANGELOG} has no "## {version}, DATE"; first: deploy/release.py prepare {version}'
        )
    if not part[2].strip():
        raise CannotRelease(f"{CHANGELOG} says nothing of {version}")
    return f"# takmail {version}, {part[1]}\n\n{part[2].strip()}\n"


def renamed(text: str, version: str) -> str:
    """Return the text of `takmail/__init__.py` with another version."""
    return _VERSION.sub(f'__version__ = "{version}"', text)


def prepare(root: Path, version: str, day: date) -> None:
    """Write a version and a day into the checkout, for a commit."""
    if not _NUMBERS.fullmatch(version):
        raise CannotRelease(f"{version} is not a version such as 0.2.0")
    changelog, source = root / CHANGELOG, root / VERSION_FILE
    text = headed(changelog.read_text(), version, day)
    source.write_text(renamed(source.read_text(), version))
    changelog.write_text(text)


def begin_next(root: Path, version: str) -> None:
    """Open the part of the changelog for the next version, and name that version as being made."""
    changelog, source = root / CHANGELOG, root / VERSION_FILE
    text = opened(changelog.read_text())
    source.write_text(renamed(source.read_text(), f"{version}.dev0"))
    changelog.write_text(text)


def make(root: Path, target: Path, *, is_dry: bool) -> list[Path]:
    """Write the archives, the notes and the checksums of the checkout's version, and tag it. Return the files."""
    version = version_in((root / VERSION_FILE).read_text())
    if not _NUMBERS.fullmatch(version):
        raise CannotRelease(f"{VERSION_FILE} names {version}; first: deploy/release.py prepare 0.2.0, say")
    notes = notes_of((root / CHANGELOG).read_text(), version)
    tag = f"v{version}"
    if not is_dry:
        if _run(root, "git", "status", "--porcelain"):
            raise CannotRelease("the checkout has changes that are not committed")
        if _run(root, "git", "tag", "--list", tag):
            raise CannotRelease(f"there is a tag {tag} already")
    target.mkdir(parents=True, exist_ok=True)
    # hatchling gives all files of an archive this time.
    epoch = _run(root, "git", "log", "-1", "--format=%ct")
    build = (sys.executable, "-m", "hatchling", "build", "-d", str(target.resolve()))
    _run(root, *build, environment={"SOURCE_DATE_EPOCH": epoch})
    archives = [target / f"takmail-{version}.tar.gz", target / f"takmail-{version}-py3-none-any.whl"]
    written = target / f"takmail-{version}.notes.md"
    written.write_text(notes)
    sums = target / "SHA256SUMS"
    sums.write_text(
        "".join(f"{hashlib.sha256(one.read_bytes()).hexdigest()}  {one.name}\n" for one in archives)
    )
    if not is_dry:
        _run(root, "git", "tag", "--annotate", "--cleanup=verbatim", "--file", str(written.resolve()), tag)
    return [*archives, written, sums]


def _run(root: Path, *words: str, environment: dict[str, str] | None = None) -> str:
    done = subprocess.run(
        words, cwd=root, env=os.environ | (environment or {}), capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise CannotRelease(f"{' '.join(words[:3])} failed: {done.stderr.strip()}")
    return done.stdout.strip()


def main() -> None:
    """Read the command line, and do what it says."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    verbs = parser.add_subparsers(dest="verb", required=True)
    for verb in ("prepare", "open"):
        verbs.add_parser(verb).add_argument("version")
    making = verbs.add_parser("make")
    making.add_argument("--dry-run", action="store_true")
    making.add_argument("--into", type=Path, default=ROOT / "dist")
    words = parser.parse_args()
    try:
        if words.verb == "prepare":
            prepare(ROOT, words.version, datetime.now(UTC).date())  # noqa: TID251
        elif words.verb == "open":
            begin_next(ROOT, words.version)
        else:
            target = Path(tempfile.mkdtemp(prefix="takmail-release-")) if words.dry_run else words.into
            for file in make(ROOT, target, is_dry=words.dry_run):
                print(file)
            print("no tag was made" if words.dry_run else "the tag is made; push it, and publish the files")
    except CannotRelease as error:
        sys.exit(f"release: {error}")


if __name__ == "__main__":
    main()
