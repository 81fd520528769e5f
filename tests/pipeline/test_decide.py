"""What the words of a mail come to for the table of `authorize`."""

import pytest

from takmail.commands.grammar.understand import Understood
from takmail.pipeline.authorize import Says
from takmail.pipeline.decide import says
from tests.commands.build import context, game


@pytest.mark.parametrize(
    ("chat", "expected"),
    [
        ("ok", Says.YES),
        ("OK!", Says.YES),
        ("no.", Says.NO),
        ("\n\nyes\n\n", Says.YES),
        ("yes\n\nAda", Says.YES),
        ("ok\n\nThanks, Ben :D\nKind regards,\nAda Lovelace", Says.YES),
        ("ok\n\nsee you on Friday", Says.ACTS),
        ("no\nI have to think", Says.ACTS),
        ("Ada\nyes", Says.ACTS),
        ("well, yes", Says.ACTS),
        ("", Says.NOTHING),
    ],
)
def test_an_answer_in_a_game_is_one_if_nothing_else_is_said(chat: str, expected: Says) -> None:
    here = context(game(), sender_name="Ada Lovelace")
    assert says(here, Understood((), chat)) is expected
