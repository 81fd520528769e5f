"""A page as Chromium tells it to a screen reader."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tests.browser.chromium import Chromium


@dataclass(frozen=True)
class Node:
    """Something that a screen reader announces: its role and name, and what is inside it."""

    role: str
    name: str
    inside: tuple["Node", ...]

    def all(self) -> Iterator["Node"]:
        """Yield this node and all inside it, in the order in which they are read."""
        yield self
        for one in self.inside:
            yield from one.all()

    def of(self, *roles: str) -> list["Node"]:
        return [one for one in self.all() if one.role in roles]


def heard(browser: Chromium) -> Node:
    """Return the page as a screen reader has it, without what it skips."""
    browser.call("Accessibility.enable")
    nodes = {one["nodeId"]: one for one in browser.call("Accessibility.getFullAXTree")["nodes"]}
    root = next(one for one in nodes.values() if "parentId" not in one)
    return Node("page", "", tuple(_nodes(root, nodes)))


def _nodes(one: dict[str, Any], nodes: dict[str, dict[str, Any]]) -> Iterator[Node]:
    inside = tuple(
        node for child in one.get("childIds", ()) if child in nodes for node in _nodes(nodes[child], nodes)
    )
    if one["ignored"] or one["role"]["value"] == "InlineTextBox":
        yield from inside
    else:
        yield Node(one["role"]["value"], one.get("name", {}).get("value", ""), inside)
