"""What holds for every command of the list."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from takmail.commands import answers
from takmail.commands.bidding import Bid
from takmail.commands.command import Arguments, Command, Effect, Needs, Order
from takmail.commands.command_list import COMMANDS
from takmail.commands.grammar.arguments import (
    Choice,
    Compare,
    Help,
    Moves,
    Name,
    Play,
    Rules,
    Say,
    Show,
)
from takmail.commands.grammar.invitation_forms import Join, New, SeekGame, Unseek
from takmail.commands.grammar.line_reader import in_game
from takmail.commands.grammar.proposing import Dispute, Propose, Settle, Why
from takmail.commands.grammar.understand import understand
from takmail.games.registry import GAMES
from takmail.world.kinds import First, Standing
from takmail.world.pace import NO_TIMING, Timing
from takmail.world.players import LANGUAGES
from takmail.world.waiting import CONSENTS, PendingKind
from tests.commands.build import SERVICES
from tests.commands.grammar.reading import ASKED
from tests.support.orders import order
from tests.support.tables import each_row

TAK = GAMES.rules("tak")
READER = in_game(GAMES, COMMANDS, TAK, TAK.start("5"))
ONE_WORD = [command for command in COMMANDS.every if command.keyword and command.arguments is None]
NUMBERS = st.integers(0, 99_999)
WORDS = st.text(st.characters(min_codepoint=97, max_codepoint=122), min_size=1, max_size=12)
SETUPS = st.sampled_from([("5",), ("6", "komi=2"), ("5", "komi=2.5")])
TIMINGS = [NO_TIMING, Timing("days=3"), Timing("time=14d+1d", is_strict=True)]
OPTIONS = (st.sampled_from([None, *First]), st.sampled_from(TIMINGS), st.booleans())
ADDRESSES = WORDS.map(lambda word: f"{word}@example.org")
OFFERS = st.sampled_from(CONSENTS)


def command_with(keyword: str, arguments: st.SearchStrategy[Arguments]) -> st.SearchStrategy[Order]:
    return arguments.map(lambda given: order(keyword, given))


ORDERS = st.one_of(
    st.sampled_from([Order("", command) for command in ONE_WORD]),
    st.builds(
        lambda column, row: order(Play(f"ps {column}{row}", None)),
        st.sampled_from("abcde"),
        st.integers(1, 5),
    ),
    command_with("show", st.builds(Show, st.none() | NUMBERS) | st.builds(Show, NUMBERS, st.integers(0, 9))),
    command_with("moves", st.builds(Moves, st.sampled_from(["", "a1", "c3"]))),
    command_with(
        "help", st.builds(Help, st.sampled_from(["", *sorted(COMMANDS.topics)]), st.sampled_from(["", "tak"]))
    ),
    command_with("rules", st.builds(Rules, st.sampled_from(["", *GAMES.by_name]))),
    command_with("view", st.builds(Choice, st.just("view"), st.sampled_from(["text", "html", "both"]))),
    command_with("language", st.builds(Choice, st.just("language"), st.sampled_from(LANGUAGES))),
    command_with("receipts", st.builds(Choice, st.just("receipts"), st.sampled_from(["on", "off"]))),
    command_with("bid", st.builds(Bid, NUMBERS.map(str), st.booleans())),
    command_with("join", st.builds(Join, NUMBERS)),
    command_with("unseek", st.builds(Unseek, st.none() | NUMBERS)),
    command_with("im", st.builds(Dispute, st.just(""), st.none() | NUMBERS)),
    command_with("why", st.builds(Why, st.none() | NUMBERS)),
    command_with("propose", st.builds(Propose, st.just(PendingKind.BACK), NUMBERS)),
    command_with("propose", st.just(Propose(PendingKind.RESTART))),
    *(
        command_with(
            verb,
            st.builds(Settle, st.none() | OFFERS)
            | st.builds(Settle, st.just(PendingKind.BACK), NUMBERS.filter(bool)),
        )
        for verb in ("agree", "refuse", "withdraw")
    ),
    command_with("seek", st.builds(SeekGame, SETUPS, *OPTIONS, kind=st.just("tak"))),
    command_with("new", st.builds(New, SETUPS, *OPTIONS, opponent=ADDRESSES, kind=st.just("tak"))),
)


@given(ORDERS)
def test_what_is_written_of_an_order_is_read_as_it(given_order: Order) -> None:
    line = given_order.canonical(GAMES)
    if line is not None:  # an address may look like the name of a host
        (read,) = understand(line, READER, expected=ASKED).orders
        assert (read.command, read.arguments) == (given_order.command, given_order.arguments)
        assert read.canonical(GAMES) == line


@pytest.mark.parametrize("line", ["name Ada Lovelace", "block Ben the 2nd", "address add ada@example.org"])
def test_a_whole_line_is_read_as_the_order_wherever_it_stands(line: str) -> None:
    given_order = order(line)
    (read,) = understand(f"Hello\n{given_order.whole_line(GAMES)}", READER).orders
    assert (read.command, read.arguments) == (given_order.command, given_order.arguments)
    assert given_order.canonical(GAMES) is None


@each_row(
    "what",
    [
        *(Say("hi"), "match Ben", Name("Ada"), "block Ben", "address add a@example.org"),
        *(Compare("s 0 0"), Dispute("no"), Why(None, "ps a1"), Help("buy", is_known=False), Moves("buy1")),
    ],
)
def test_free_text_has_no_canonical_line(what: str | Arguments) -> None:
    assert order(what).canonical(GAMES) is None


@each_row("word", sorted(COMMANDS.topics))
def test_each_keyword_has_a_help_page(word: str) -> None:
    templates = SERVICES.templates
    pages = COMMANDS.pages(word)
    names = [f"{kind}_{page}" for kind in GAMES.by_name for page in pages] + [*pages]
    assert any(templates.has_message(f"help_{name}") for name in names), f"no help page has the name {word}"


@each_row("command", [one for one in COMMANDS.every if one.keyword])
def test_the_properties_of_a_command_fit_together(command: Command) -> None:
    assert not (command.makes_player and not command.changes)
    assert not (command.resumes_mail and command.effect is not Effect.CHANGES)
    assert not (command.concerns_account and command.needs is not Needs.NOTHING)
    if command.in_relay is not None:
        assert command.in_relay.needs is not Needs.NOTHING


def test_no_two_commands_are_read_from_one_line() -> None:
    alone = [keyword for command in ONE_WORD for keyword in command.keywords]
    assert len(alone) == len(set(alone))
    for keyword in alone:
        read = READER.parse(keyword, is_first=True)
        assert read is None or keyword in read.command.keywords
        assert (read is None) == (keyword in ("yes", "no"))


def test_each_standing_tells_why_nothing_can_be_done() -> None:
    assert set(answers._WHY_NOT_OPEN) == set(Standing)
