"""One answer shows nothing twice, and only a limited number of things."""

import pytest

from takmail.commands.answers import SHOWN_ABOVE, Skipped
from takmail.commands.command import Arguments
from takmail.commands.grammar.arguments import Help, Moves, Play, Show
from takmail.commands.grammar.proposing import Why
from takmail.limits.letters import MAX_SHOWN_IN_ANSWER
from takmail.pipeline.execute import ShownThings
from tests.support.orders import order

LOOKS = ("log", Help("all"), Moves("c3"), Show(3), "match Ben", Why(3))
DEEDS = ("resign", Play("ps c3", None), "mydata")


def asking(*commands: str | Arguments) -> ShownThings:
    asked = ShownThings()
    for one in commands:
        asked, _ = asked.spared(order(one))
    return asked


@pytest.mark.parametrize("command", LOOKS)
def test_a_thing_is_shown_once(command: str | Arguments) -> None:
    asked, spared = ShownThings().spared(order(command))
    assert spared is None
    assert asked.spared(order(command)) == (asked, SHOWN_ABOVE)


@pytest.mark.parametrize("command", DEEDS)
def test_what_is_done_is_done_each_time_and_may_change_what_there_is_to_see(command: str | Arguments) -> None:
    asked = asking("log", command)
    assert asked.spared(order(command)) == (asked, None)
    assert asked.spared(order("log"))[1] is None


def test_no_more_is_shown_than_somebody_reads() -> None:
    asked = asking(*map(Show, range(MAX_SHOWN_IN_ANSWER)))
    assert asked.left == 0
    assert asked.spared(order(Show(99))) == (
        asked,
        Skipped("many_shown", {"most": MAX_SHOWN_IN_ANSWER}),
    )
    assert asked.spared(order(Show(1)))[1] == SHOWN_ABOVE
    after_a_deed = asking(*map(Show, range(MAX_SHOWN_IN_ANSWER)), "draw")
    assert isinstance(after_a_deed.spared(order(Show(1)))[1], Skipped)
