"""A mail from an unverified sender changes nothing. It can only cause an answer that shows something, or a question."""

from collections.abc import Callable, Iterator
from functools import cache
from itertools import cycle, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from takmail.commands.answers import Assurance
from takmail.commands.command import Command
from takmail.commands.command_list import COMMANDS
from takmail.commands.grammar.arguments import AddressIsMine
from takmail.pipeline.process import Trace
from takmail.world import events
from tests.commands.grammar import reading
from tests.pipeline.test_process import AS_ADA, AS_BEN, begun
from tests.support.kept import asked, kept
from tests.support.memory_harness import Decided, MemoryHarness
from tests.support.players import ADA, BEN, TAK, Received
from tests.support.width import IS_WIDE

OTHER, SOMEONE = "other@example.org", "someone@example.net"
AS_OTHER, AS_SOMEONE = f"Other <{OTHER}>", f"Someone <{SOMEONE}>"

ASKED = (
    events.CommandsHeld,
    events.CommandsNotShown,
    events.ConfirmationAsked,
    events.SenderWelcomed,
    events.SeatAddressExplained,
)
"""The events of questions, which cause only a letter and a question."""


def is_harmless(event: events.Event) -> bool:
    """Return whether an event only asks a question, or only shows something to the recipient of the letter."""
    return isinstance(event, ASKED)


def is_undone_by_line(event: events.Event) -> bool:
    """Return whether an event sets what its owner is told of, and what a line undoes that they can send at any time."""
    if isinstance(event, events.WentAway):
        return True
    return isinstance(event, events.SettingChosen) and event.keyword in (
        "language",
        "view",
        "receipts",
        "news",
        "reads",
    )


ANSWERS = ("yes", "no", "ok", "ok, let me think")
BOARD = "S 0 0 0 0\n0 0 0 0 0\n0 0 s 0 0\n0 0 0 0 0\n0 0 0 0 s"
LINES = (
    *(*COMMANDS.words, *ANSWERS),
    *("ps b2", "3 ps b2", "ms a1 d1 1", "ps z9", "b4"),
    "rematch days=3",
    *("rating off", "seek near"),
    *("im", "im that was no move", "im #1 it was mine", "/im #2"),
    *(
        "why",
        "why 1",
        "why ps b2",
        "review 1",
        "show",
        "show 1",
        "show 1 given up",
        "moves",
        "moves b2",
        "if ps b4 then pw c3",
        "ifs 1",
        "ifs off",
        "ifs off 2",
        "match",
        "match Ben",
        "enter Autumn",
        "leave Autumn",
        "leave now Autumn",
        "table Autumn",
        'tournament "Autumn" 4x4 days=3',
        "organise Autumn: start",
        "news on",
        "resign match",
    ),
    *(
        "say hello",
        "/say hello again",
        "help",
        "help moves",
        "rules tak",
        "learn 3",
        "learn 3 pw c2",
        "view",
        "receipts",
        "zone Berlin",
        "zone auto",
        "zone Nowhere",
        "digest daily 8:00",
        "block",
        "unseek",
    ),
    *(
        f"{verb}{what}"
        for verb in ("agree", "refuse", "withdraw")
        for what in ("", " draw", " undo", " back 1", " board", " restart")
    ),
    *("propose back 1", "propose restart", "propose board white", f"propose board me\n{BOARD}", BOARD),
    *(f"new 5 vs {BEN}", "new 4 vs Ben", f"new 5 relay vs {OTHER}", "new 9 vs nobody@example.net"),
    *("new 5 vs bot", "new 5 vs bot best"),
    *(
        "seek 5",
        "seek 6 first=me days=3",
        "join 1",
        "join 99",
        "unseek 1",
        "withdraw 1",
        "bid 2",
    ),
    *("clock", "clock on", "gift 2d", "claim", "propose days=5", "refuse time"),
    *("name Countess", "/name Ada", "language ru", "view html", "receipts off", "reads ptn"),
    *("away 10 days", "away until 2026-12-24", "away cancel", "away cancel 5 December", "reminders off"),
    "holiday manual",
    *("block Ben", "unblock Ben", "forget me"),
    *("address add ada.away@example.org", f"address remove {ADA}", "acept", "аccept", "Ada! ps b2"),
)
"""Lines for every command, some in several forms, and near misses."""
CHAT = ("", "Good luck!", "Is it my turn?", "Ben, I am done with this game. " * 10)


def resigning(people: MemoryHarness) -> None:
    people.send(AS_ADA, "resign", people.last(ADA))


def offered(people: MemoryHarness) -> None:
    people.play("ps c3", start=2)
    people.send(AS_BEN, "draw", people.last(BEN))
    people.send(AS_BEN, "propose back 1", people.last(BEN))


def forged_before(people: MemoryHarness) -> None:
    """Hold two mails about the game and one about no game, as Ada may not have written them."""
    people.confirms = False
    for text in ("#1 ps b2", "#1 say no", f"new 5 vs {BEN}"):
        people.send(AS_ADA, text)


def ended(people: MemoryHarness) -> None:
    people.send(AS_BEN, "resign", people.last(BEN))
    people.send(AS_BEN, "yes", people.last(BEN))


MORE: dict[str, Callable[[MemoryHarness], None]] = {
    "resigning": resigning,
    "offered": offered,
    "forged before": forged_before,
    "ended": ended,
}
SCENES = ("open", "relay", "invited", *MORE)


@cache
def scene(name: str) -> MemoryHarness:
    """Ada plays with Ben, or is only invited. Other seeks a game and knows neither."""
    if name == "invited":
        people = MemoryHarness()
        people.send(AS_BEN, f"new 5 vs {ADA}")
    else:
        people = begun("5 relay" if name == "relay" else "5")
        people.play("ps a1", "ps e5")
    people.send(AS_OTHER, "seek 5")
    MORE.get(name, lambda _: None)(people)
    return people


def from_address(people: MemoryHarness, text: str) -> bytes:
    """From Ada's address, which anybody can forge. The Subject names the game."""
    return people.mail(AS_ADA, text, subject="[tak #1]", to=TAK).as_bytes()


def from_address_by_line(people: MemoryHarness, text: str) -> bytes:
    """From Ada's address. The first line names the game."""
    return people.mail(AS_ADA, f"#1 {text}", to=TAK).as_bytes()


def by_token_of_opponent(people: MemoryHarness, text: str) -> bytes:
    """Ben answers a letter to Ada, whose token he has obtained."""
    return people.mail(AS_BEN, text, in_game(people)).as_bytes()


def by_token_of_stranger(people: MemoryHarness, text: str) -> bytes:
    return people.mail(AS_SOMEONE, text, in_game(people)).as_bytes()


def by_nobody(people: MemoryHarness, text: str) -> bytes:
    return people.mail(AS_SOMEONE, text).as_bytes()


def by_nobody_to_a_question(people: MemoryHarness, text: str) -> bytes:
    """A stranger answers the newest letter to Ada, which may be a question about no game."""
    return people.mail(AS_SOMEONE, text, people.last(ADA), threaded=True, to=TAK).as_bytes()


def by_address_alone(people: MemoryHarness, text: str) -> bytes:
    """From Ada's address, without naming a game."""
    return people.mail(AS_ADA, text).as_bytes()


WAYS = (
    from_address,
    from_address_by_line,
    by_token_of_opponent,
    by_token_of_stranger,
    by_nobody,
    by_nobody_to_a_question,
    by_address_alone,
)


def in_game(people: MemoryHarness) -> Received:
    """Return the newest letter to Ada about the game."""
    return next(one for one in reversed(people.box) if one.to == ADA and "[tak #1]" in one.subject)


def put_through(name: str, way: Callable[[MemoryHarness, str], bytes], text: str) -> Trace:
    """Process a mail, and compare the stored data before and after it."""
    people = scene(name).scene()
    arrived = people.arrive(way(people, text))
    before, letters = kept(people.store), people.memory.outbox
    questions = asked(people.store)
    snapshot, (*_, trace) = people.traced(arrived)
    assert trace.outcome is not None
    assert trace.interpreted is not None
    assert trace.interpreted.assurance not in (Assurance.PLAYER, Assurance.ADDRESS)

    happened = trace.outcome.happened
    has_set = any(map(is_undone_by_line, happened))
    assert all(is_harmless(event) or is_undone_by_line(event) for event in happened), happened
    if has_set:
        sender = trace.sender.player
        assert sender is not None
        assert sender.has_written
        assert {one.mail_to for one in trace.outcome.letters} == {sender.main_mailbox.address}
        assert trace.interpreted.assurance is not Assurance.TOKEN
    assert trace.outcome.world.operations == ()
    people.keep(Decided(snapshot, trace.outcome, arrived))
    assert has_set or kept(people.store) == before
    assert questions <= asked(people.store)
    assert letters.items() <= people.memory.outbox.items()
    readers = {
        Assurance.NOBODY: {arrived.message.sender},
        Assurance.FROM: {arrived.message.sender},
        Assurance.TOKEN: {ADA, arrived.message.sender},
    }
    assert {one.mail_to for one in trace.outcome.letters} <= readers[trace.interpreted.assurance]
    return trace


@given(
    st.sampled_from(SCENES),
    st.sampled_from(WAYS),
    st.lists(st.sampled_from(LINES), min_size=1, max_size=3),
    st.sampled_from(CHAT),
)
def test_nothing_is_changed_by_any_lines(
    name: str, way: Callable[[MemoryHarness, str], bytes], lines: list[str], chat: str
) -> None:
    put_through(name, way, "\n".join((*lines, "", chat)))


@pytest.mark.parametrize("every", [2 if IS_WIDE else 60, pytest.param(1, marks=pytest.mark.long)])
def test_nothing_is_changed_by_any_command(every: int) -> None:
    """Try each line in some of the ways, or in all. In a relay game, where even viewing is forwarded, try each command.

    The scenes alternate. `make test-all` tries each line in a relay game.
    """
    mails = [*zip(cycle(SCENES), product(WAYS, LINES), strict=False)]
    # The line counts as an answer while a question is open, but few scenes have an open question.
    mails = [one for number, one in enumerate(mails) if number % every == 0 or one[1][1] in ANSWERS]
    mails += (("relay", (from_address, line)) for line in (LINES if IS_WIDE else lines_of_each_command()))
    mails += (("resigning", (from_address, line)) for line in ANSWERS)
    seen = {command for name, (way, line) in mails for command in said(put_through(name, way, line))}
    assert {*every_command()} - seen == set(), "commands that no line says"


def said(trace: Trace) -> Iterator[Command]:
    """Yield the mail's commands."""
    assert trace.interpreted is not None
    return (one.command for one in trace.interpreted.understood.orders)


def lines_of_each_command() -> set[str]:
    """Return a line for each command that some line says."""
    return {one.command: line for line in LINES for one in reading.read(line, reading.ASKED).orders}.values()


def every_command() -> Iterator[Command]:
    """Yield all commands. A new one with arguments needs a line in `LINES`."""
    # No line is parsed to this one.
    return (one for one in COMMANDS.every if one.arguments is not AddressIsMine)
