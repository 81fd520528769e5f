"""`python -m tests.yardstick.record`: makes the data anew from the documents, the demo, the corpus and the tests."""

import argparse
import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

from tests.yardstick import episodes
from tests.yardstick.journal import Journal
from tests.yardstick.play import Episode, Player
from tests.yardstick.recorder import Recorder
from tests.yardstick.stories import all_stories

GROUPS = {
    "attacks": ["tests/attacks"],
    "service": ["tests/service/test_[a-k]*.py"],
    "service-2": ["tests/service/test_[l-p]*.py"],
    "service-3": ["tests/service/test_[q-z]*.py"],
    "service-4": ["tests/service/test_forgetting.py", "tests/service/test_slips.py"],
}
"""The groups that tests tell, and their files."""
LEFT_OUT = ("test_statements.py", "test_long_games.py", "test_letters_stay_short.py", "test_explain.py")
"""Files whose subject is how long something takes or is, or that decide nothing."""


def main() -> None:
    """Record, try each episode, and write those down that play as they were recorded."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("groups", nargs="*", help=f"of: stories, {', '.join(GROUPS)}; all if none is given")
    parser.add_argument(
        "--tests", nargs="*", metavar="FILE", help="only these, for a try: nothing is written"
    )
    given = parser.parse_args()
    if given.tests:
        _recorded(given.tests)
        return
    groups = given.groups or ["stories", *GROUPS]
    if "stories" in groups:
        for group, written in all_stories():
            _save(group, written)
    for group in groups:
        if group != "stories":
            # A process of its own, as tests are imported but once.
            with ProcessPoolExecutor(1, get_context("spawn")) as pool:
                pool.submit(_record_group, group).result()


def _record_group(group: str) -> None:
    root = Path(__file__).parents[2]
    files = [str(file) for pattern in GROUPS[group] for file in sorted(root.glob(pattern))]
    others = [one for name, its in GROUPS.items() if name != group for one in its if "*" not in one]
    _save(group, list(_recorded([one for one in files if not one.endswith((*LEFT_OUT, *others))]).values()))


def _recorded(files: Sequence[str]) -> Mapping[str, Episode]:
    recorder = Recorder()
    pytest.main(["-q", "-p", "no:cacheprovider", *files], plugins=[recorder])
    return _kept(list(recorder.journals.values()))


def _save(group: str, written: Sequence[Episode]) -> None:
    mails = sum(step["do"] == "mail" for one in written for step in one.steps)
    print(
        f"{group}: {len(written)} episodes, {mails} mails, {episodes.save(group, written)} bytes", flush=True
    )


def _kept(journals: Sequence[Journal]) -> Mapping[str, Episode]:
    """The episodes that play as they were recorded, each once."""
    left_out: dict[str, str] = {}
    for one in journals:
        if one.problem:
            left_out[one.name] = one.problem
        elif not one.digest:
            left_out[one.name] = "has no end"
    whole = [one for one in journals if one.name not in left_out]
    bases = {one.base.name for one in whole if one.base is not None}
    found = {
        one.name: Episode(one.name, one.base.name if one.base else None, tuple(one.steps))
        for one in whole
        if one.base is None or one.base.name not in left_out
    }
    digests = {one.name: one.digest for one in whole}
    left_out |= _repeated(found, bases)
    for name, why in _failing(found, digests, [one for one in found if one not in left_out]).items():
        left_out[name] = why
    for name, why in sorted(left_out.items()):
        if why != _AGAIN and why != _EMPTY:
            print(f"left out: {name}: {why}")
    for why, count in Counter(left_out.values()).most_common():
        print(f"left out {count}: {why}")
    return {
        name: one
        for name, one in found.items()
        if name not in left_out and (one.base is None or one.base not in left_out)
    }


_AGAIN = "another one begins with the same steps"
_EMPTY = "no mail comes in it"


def _repeated(found: Mapping[str, Episode], bases: Iterable[str]) -> dict[str, str]:
    """The episodes in which no mail comes, and those whose steps another one has as well."""
    left_out = {}
    kept = set(bases)
    seen: set[tuple[str, ...]] = set()
    keys = {
        name: (one.base or "", *(repr(sorted(step.items())) for step in one.steps))
        for name, one in found.items()
    }
    for name in sorted(found, key=lambda one: -len(keys[one])):
        if name in kept:
            continue
        if not any(step["do"] == "mail" for step in found[name].steps):
            left_out[name] = _EMPTY
        elif keys[name] in seen:
            left_out[name] = _AGAIN
        seen |= {keys[name][:end] for end in range(1, len(keys[name]) + 1)}
    return left_out


def _failing(
    found: Mapping[str, Episode], digests: Mapping[str, str], names: Sequence[str]
) -> dict[str, str]:
    """The episodes that play otherwise than they were recorded."""
    # Processes that are begun anew have none of the recorder's hooks.
    chunks = [names[at : at + 20] for at in range(0, len(names), 20)]
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn"), _begin, (dict(found),)) as pool:
        played = {name: digest for part in pool.map(_digests, chunks) for name, digest in part.items()}
    return {
        name: "plays otherwise than it was recorded" if digest else "can't be played"
        for name, digest in played.items()
        if digest != digests[name]
    }


_player: Player | None = None


def _begin(found: Mapping[str, Episode]) -> None:
    global _player
    _player = Player(found)


def _digests(names: Sequence[str]) -> dict[str, str]:
    assert _player is not None
    done = {}
    for name in names:
        try:
            done[name] = _player.play(name, digest=True).digest
        except Exception as error:
            print(f"{name}: {error!r}")
            done[name] = ""
    return done


if __name__ == "__main__":
    main()
