"""Commands that can never succeed are refused without asking who wrote them."""

from takmail.commands.command_list import COMMANDS
from takmail.commands.grammar.arguments import Name
from takmail.commands.grammar.line_reader import anywhere
from takmail.commands.grammar.understand import understand
from takmail.commands.grammar.understood import Understood
from takmail.pipeline import results
from tests.commands.build import SERVICES, TAK
from tests.commands.people import NEW, by_new, people
from tests.support.orders import order
from tests.support.tables import each_row


def refusable(text: str) -> Understood | None:
    understood = understand(text, anywhere(SERVICES.games, COMMANDS))
    return results.refusable(by_new(people()), understood)


@each_row(
    ("text", "can_work"),
    [
        (f"new 5 vs {NEW}", False),
        (f"new 5 vs {TAK}", False),
        ("new 9x9 vs ben@example.org", False),
        ("new 5 vs ben@example.org", True),
        ("new 5 buy vs ben@example.org", True),  # its refusal would repeat a word
        ("seek 9x9", False),
        ("seek 6", True),
        ("name www.example.org", False),
        ("name Dora", True),
        (f"address add {TAK}", False),
        ("address add dora@example.net", True),
        ("block Ben", True),
        ("forget me", True),
    ],
)
def test_what_can_never_work(text: str, can_work: bool) -> None:
    assert (refusable(text) is None) is can_work


def test_what_stands_above_it_is_carried_out_and_nothing_below() -> None:
    found = refusable("rules\n/match Ben\n/name www.example.org\nseek 6")
    assert found is not None
    # A command without a canonical form, such as one with a name, is left out.
    assert found.orders == (order("rules", line="rules"), order(Name("www.example.org"), line=""))
