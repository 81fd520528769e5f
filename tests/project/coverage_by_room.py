"""`python -m tests.project.coverage_by_room REPORT`: how much of each room the tests take, from coverage's JSON report.

A room is a package of takmail, or what lies beside the packages; a branch is one way out of a line that has several.
What runs in a process of its own is not counted.
"""

import json
import sys
from collections import Counter
from pathlib import Path, PurePath

COUNTED = ("num_statements", "covered_lines", "num_branches", "covered_branches")


def main(report: str) -> None:
    """Print a line for each room, with what was missed, and one for all."""
    rooms: dict[str, Counter[str]] = {}
    for file, found in json.loads(Path(report).read_text(encoding="utf-8"))["files"].items():
        folders = PurePath(file).parts[1:-1]
        counts = {one: found["summary"][one] for one in COUNTED}
        rooms.setdefault(folders[0] if folders else "(no room)", Counter()).update(counts)
    print(f"{'room':16}{'lines':>8}{'missed':>8}{'branches':>10}{'missed':>8}{'taken of both':>15}")
    for room, counts in sorted(rooms.items()):
        print(_row(room, counts))
    print(_row("all", sum(rooms.values(), Counter())))


def _row(room: str, counts: Counter[str]) -> str:
    lines, covered, branches, taken = (counts[one] for one in COUNTED)
    share = (covered + taken) / (lines + branches)
    return f"{room:16}{lines:8}{lines - covered:8}{branches:10}{branches - taken:8}{share:15.2%}"


if __name__ == "__main__":
    main(sys.argv[1])
