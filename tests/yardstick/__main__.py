"""`python -m tests.yardstick play --out DIR`, and `compare`: see README.md."""

import argparse
import difflib
import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from hashlib import sha256
from pathlib import Path

from tests.yardstick import episodes
from tests.yardstick.play import Player

BASELINE = Path(__file__).parent / "baseline.txt"
AT_ONCE = 20
"""The number of episodes that a process gets at a time. Episodes next to each other often have the same base."""


def main(args: Sequence[str] | None = None) -> int:
    """Run a command, and return the exit code."""
    given = _arguments(args)
    if given.command == "play":
        played = _play(given.out, given.only, given.jobs)
        _summary(played)
        return 0
    if given.folders:
        if len(given.folders) != 2:
            raise SystemExit("compare takes two folders, or none")
        old, new = given.folders
        return _compare_folders(old, new, given.lines)
    return _compare_baseline(given)


def _arguments(args: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.yardstick", description=__doc__)
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument(
        "--only", default="", metavar="PATTERN", help="episodes whose name has this in it (regex)"
    )
    common.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="processes")
    commands = parser.add_subparsers(dest="command", required=True)
    play = commands.add_parser("play", parents=[common], help="play and write a file for each episode")
    play.add_argument("--out", type=Path, required=True, metavar="DIR")
    compare = commands.add_parser(
        "compare", parents=[common], help="two folders with each other, or a new play with the baseline"
    )
    compare.add_argument("folders", type=Path, nargs="*", metavar="DIR")
    compare.add_argument("--lines", type=int, default=60, metavar="N", help="lines of difference an episode")
    compare.add_argument("--update", action="store_true", help="write the baseline anew")
    compare.add_argument("--keep", type=Path, metavar="DIR", help="keep what was played here")
    return parser.parse_args(args)


Line = tuple[str, str, int, int]
"""An episode's name, the digest of its text, and its numbers of letters and mails."""


def _play(out: Path, only: str, jobs: int) -> list[Line]:
    """Play the episodes in `jobs` processes. Return a line of the baseline for each episode, in order."""
    names = [name for name in episodes.load() if re.search(only, name)]
    out.mkdir(parents=True, exist_ok=True)
    chunks = [names[at : at + AT_ONCE] for at in range(0, len(names), AT_ONCE)]
    if jobs == 1:
        return [line for chunk in chunks for line in _play_chunk(out, chunk)]
    with ProcessPoolExecutor(jobs) as pool:
        done = pool.map(_play_chunk, [out] * len(chunks), chunks)
        return [line for lines in done for line in lines]


_player: Player | None = None


def _play_chunk(out: Path, names: Sequence[str]) -> list[Line]:
    global _player
    if _player is None:
        _player = Player(episodes.load())
    lines = []
    for name in names:
        try:
            played = _player.play(name)
        except Exception as error:
            error.add_note(f"in the episode {name}")
            raise
        data = played.text.encode("utf-8", "backslashreplace")
        (out / _file_name(name)).write_bytes(data)
        lines.append((name, sha256(data).hexdigest(), played.letters, played.mails))
    return lines


def _file_name(name: str) -> str:
    """Return the file name for an episode: its name without special characters, and a digest that makes it unique."""
    plain = re.sub(r"[^A-Za-z0-9_.-]+", "_", name)[:150]
    return f"{plain}-{sha256(name.encode()).hexdigest()[:8]}.txt"


def _summary(played: Sequence[Line]) -> None:
    groups: dict[str, list[Line]] = {}
    for line in played:
        groups.setdefault(line[0].split("/")[0], []).append(line)
    for group, lines in [*groups.items(), ("all", list(played))]:
        letters, mails = sum(one[2] for one in lines), sum(one[3] for one in lines)
        print(f"{group}: {len(lines)} episodes, {mails} mails, {letters} letters")


def _compare_baseline(given: argparse.Namespace) -> int:
    """Play the episodes, and print the names of those whose digest differs from the baseline."""
    began = time.monotonic()
    out = given.keep or Path(tempfile.mkdtemp(prefix="yardstick-"))
    try:
        played = _play(out, given.only, given.jobs)
    finally:
        if not given.keep:
            shutil.rmtree(out, ignore_errors=True)
    _summary(played)
    if given.update:
        _update(played)
        return 0
    lines = [line.split(" ", 2) for line in BASELINE.read_text().splitlines()]
    known = {name: (digest, int(letters)) for digest, letters, name in lines if re.search(given.only, name)}
    new = {name: (digest, letters) for name, digest, letters, _ in played}
    differ = 0
    for name in sorted(known.keys() | new.keys()):
        if known.get(name) == new.get(name):
            continue
        differ += 1
        if name not in new:
            print(f"gone: {name}")
        elif name not in known:
            print(f"new: {name}")
        else:
            more = new[name][1] - known[name][1]
            print(f"differs: {name}{f' ({more:+} letters)' if more else ''}")
    print(f"{differ} of {len(new)} episodes differ; it took {time.monotonic() - began:.0f} s")
    if differ:
        print(
            "to see how: `play --out NEW` here and `play --out OLD` in a checkout of before, `compare OLD NEW`"
        )
    return int(differ > 0)


def _update(played: Sequence[Line]) -> None:
    """Replace the lines of these episodes in the baseline. Lines of episodes that no longer exist are dropped."""
    written = {line.split(" ", 2)[2]: line for line in BASELINE.read_text().splitlines()}
    written |= {name: f"{digest} {letters} {name}" for name, digest, letters, _ in played}
    BASELINE.write_text("".join(f"{written[name]}\n" for name in episodes.load() if name in written))


def _compare_folders(old: Path, new: Path, most: int) -> int:
    """Print the differences between two folders, at most `most` lines for each episode."""
    names = sorted({file.name for folder in (old, new) for file in folder.glob("*.txt")})
    letters = differ = 0
    for name in names:
        before, after = (_lines(folder / name) for folder in (old, new))
        letters += sum(line.startswith("--- letter ") for line in after)
        if before == after:
            continue
        differ += 1
        diff = list(
            difflib.unified_diff(before, after, f"{old.name}/{name}", f"{new.name}/{name}", lineterm="")
        )
        print("\n".join(diff[:most]))
        if len(diff) > most:
            print(f"... and {len(diff) - most} more lines")
    print(f"{len(names)} episodes, {letters} letters, {differ} episodes differ")
    return int(differ > 0)


def _lines(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8").split("\n") if file.exists() else []


if __name__ == "__main__":
    sys.exit(main())
