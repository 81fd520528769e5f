"""Episodes that begin with the same steps go on from one that has only those, so that each is played but once."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.yardstick.adapter import Step
from tests.yardstick.play import Episode

LEAST_MAILS = 3
"""So many mails are to be spared each of the episodes that go on from another one."""
LEAST_EPISODES = 3


@dataclass
class _Node:
    """What some episodes have done so far: the step that they have in common, and which go on how."""

    step: Step | None = None
    after: dict[str, "_Node"] = field(default_factory=dict)
    ends: list[Episode] = field(default_factory=list)
    count: int = 0


def shared(group: str, episodes: Sequence[Episode]) -> list[Episode]:
    """The same episodes, those with a common beginning behind an episode of that."""
    top = _Node()
    for one in episodes:
        if one.base is None:
            node = top
            for step in one.steps:
                node = node.after.setdefault(json.dumps(step, sort_keys=True), _Node(step))
                node.count += 1
            node.ends.append(one)
    found: list[Episode] = []
    _walk(group, top, None, [], found)
    return [*found, *(one for one in episodes if one.base is not None)]


def _walk(group: str, node: _Node, base: str | None, steps: list[Step], found: list[Episode]) -> None:
    """Write down the episodes at and behind a node; `steps` are those since the `base`."""
    mails = sum(step["do"] == "mail" for step in steps)
    # What others go on from is an episode of its own, be it that of a test.
    parts = len(node.after) > 1 or bool(node.after and node.ends)
    own = [Episode(one.name, base, tuple(steps)) for one in node.ends]
    found += own
    if parts and mails >= LEAST_MAILS and node.count >= LEAST_EPISODES:
        if not own:
            number = sum(one.name.startswith(f"{group}/beginning ") for one in found) + 1
            own = [Episode(f"{group}/beginning {number}", base, tuple(steps))]
            found += own
        base = own[0].name
        steps = []
    for after in node.after.values():
        assert after.step is not None
        _walk(group, after, base, [*steps, after.step], found)
