"""One answer shows nothing twice, and only a limited number of things."""

import pytest

from takmail.commands.answer_limits import ShownThings
from takmail.commands.answers import ShownAbove, Skipped
from takmail.commands.grammar.commands import (
    Command,
    Help,
    Moves,
    Play,
    Show,
    Standings,
    Why,
    Word,
)
from takmail.commands.grammar.understand import Ordered
from takmail.limits.letters import MAX_SHOWN_IN_ANSWER

LOOKS = (Word("log"), Help("all"), Moves("c3"), Show(3), Standings(""), Why(3))
DEEDS = (Word("resign"), Play("ps c3", None), Word("mydata"))


def asking(*commands: Command) -> ShownThings:
    asked = ShownThings()
    for one in commands:
        asked, _ = asked.spared(Ordered("", one))
    return asked


@pytest.mark.parametrize("command", LOOKS)
def test_a_thing_is_shown_once(command: Command) -> None:
    asked, spared = ShownThings().spared(Ordered("", command))
    assert spared is None
    assert asked.spared(Ordered("", command)) == (asked, (ShownAbove(),))


@pytest.mark.parametrize("command", DEEDS)
def test_what_is_done_is_done_each_time_and_may_change_what_there_is_to_see(command: Command) -> None:
    asked = asking(Word("log"), command)
    assert asked.spared(Ordered("", command)) == (asked, None)
    assert asked.spared(Ordered("", Word("log")))[1] is None


def test_no_more_is_shown_than_somebody_reads() -> None:
    asked = asking(*map(Show, range(MAX_SHOWN_IN_ANSWER)))
    assert asked.left == 0
    assert asked.spared(Ordered("", Show(99))) == (
        asked,
        Skipped("many_shown", {"most": MAX_SHOWN_IN_ANSWER}),
    )
    assert asked.spared(Ordered("", Show(1)))[1] == (ShownAbove(),)
    after_a_deed = asking(*map(Show, range(MAX_SHOWN_IN_ANSWER)), Word("draw"))
    assert isinstance(after_a_deed.spared(Ordered("", Show(1)))[1], Skipped)
