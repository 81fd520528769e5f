"""How much of a mail is shown to the owner of its From address, who may not have written it."""

import pytest

from takmail.commands import redaction
from takmail.commands.command import LineFault, Unclear
from takmail.commands.command_list import COMMANDS
from takmail.commands.grammar.invitation_forms import New
from takmail.commands.grammar.line_reader import anywhere
from takmail.commands.grammar.understand import understand
from takmail.commands.grammar.understood import Understood, of_orders
from takmail.games.interface import Reason
from tests.commands.build import ADA, AS_ADA, SERVICES, player
from tests.support.orders import order, ordered
from tests.support.tables import each_row


def read(text: str) -> Understood:
    return understand(text, anywhere(SERVICES.games, COMMANDS))


def lines(text: str) -> str:
    return redaction.lines(redaction.showable(SERVICES, read(text)))


def test_a_stranger_has_never_surely_written() -> None:
    assert redaction.is_stranger(None)
    assert redaction.is_stranger(player(1, "Ada", ADA, verified_at=None))
    assert not redaction.is_stranger(AS_ADA)


@each_row(
    ("text", "shown"),
    [
        ("new 5x5 vs ben@example.org first=me", "new 5 vs ben@example.org first=me"),
        ("new 5 vs Buy now <ben@example.org>", "new 5 vs ben@example.org"),
        ('new 5 vs "buy it" ben@example.org', "new 5 vs ben@example.org"),
        ("new 5 vs www.buy.example@example.org", ""),
        ("name Buy Now", ""),
        ("say buy now", ""),
        ("resign\nseek 6", "resign\nseek 6"),
        ("join 5\n/block Buy now", "join 5"),
    ],
)
def test_only_commands_with_nothing_free_to_choose_are_shown(text: str, shown: str) -> None:
    assert lines(text) == shown


def test_ten_commands_are_shown() -> None:
    assert lines("\n".join(f"join {number}" for number in range(1, 13))).splitlines() == [
        f"join {number}" for number in range(1, 11)
    ]


@pytest.mark.parametrize(
    ("text", "kept"), [("rs\n/name Buy now", "rs"), ("name Buy now\nhelp", "help"), ("say buy", "")]
)
def test_commands_that_are_free_to_choose_are_left_out(text: str, kept: str) -> None:
    assert redaction.lines(redaction.without_free_text(SERVICES, read(text)).orders) == kept


@pytest.mark.parametrize(
    ("fault", "detail", "told"),
    [
        (LineFault.NEW_OPTION, "buy", "..."),
        (LineFault.NEW_OPTION, "99.5", "99.5"),
        (LineFault.NEW_OPTION, "123456", "..."),
        (LineFault.HOW, "show", "show"),
        (LineFault.MISSING, "hint", "hint"),
        (LineFault.SENTENCE, "name", "name"),
    ],
)
def test_a_fault_repeats_numbers_and_our_own_words(fault: LineFault, detail: str, told: str | None) -> None:
    understood = of_orders([order(Unclear(fault, detail), line="buy now")])
    expected = () if told is None else (order(Unclear(fault, told), line=""),)
    assert redaction.without_free_text(SERVICES, understood) == of_orders(expected)


@pytest.mark.parametrize(
    ("offers", "kept"),
    [
        (("resign",), ("resign",)),
        (("name Buy now", "ps b2"), ("ps b2",)),
        (("say buy now",), None),
    ],
)
def test_of_a_line_that_is_probably_an_order_only_the_lines_are_shown_that_are_ours(
    offers: tuple[str, ...], kept: tuple[str, ...] | None
) -> None:
    understood = of_orders([order(Unclear(LineFault.MEANT, "", offers), line="buy now")])
    expected = () if kept is None else (order(Unclear(LineFault.MEANT, "", kept), line=""),)
    assert redaction.without_free_text(SERVICES, understood).orders == expected


def test_an_invitation_that_is_shown_can_be_carried_out() -> None:
    (shown,) = redaction.showable(SERVICES, read("new 5 vs ben@example.org"))
    assert shown == order(
        New(("5",), None, opponent="ben@example.org", kind="tak"), line="new 5 vs ben@example.org"
    )
    assert ordered(read(shown.line).orders) == ordered([shown])


@pytest.mark.parametrize(
    ("facts", "is_tame"), [({}, True), ({"size": "9x9"}, True), ({"word": "buy"}, False)]
)
def test_a_refusal_is_tame_if_it_repeats_no_word(facts: dict[str, object], is_tame: bool) -> None:
    assert redaction.repeats_no_text(Reason("board", facts)) is is_tame
