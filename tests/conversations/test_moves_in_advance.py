"""Moves that are prepared in advance: written, met, held, lost, and played by themselves."""

from collections.abc import Sequence

from takmail.pipeline.due import on_due
from takmail.world.advance import InAdvance
from takmail.world.kinds import GameNumber
from tests.support.memory_harness import MemoryHarness, turns
from tests.support.players import ADA, BEN, Received
from tests.support.tables import each_row

PEOPLE = {"Ada": ADA, "Ben": BEN}
A, B = "Ada", "Ben"
OPENING = ("ps a1", "ps e5")
PLAN = "Ada: ps c3 / if ps b4 then pw c4"


def by_itself(harness: MemoryHarness) -> list[Received]:
    """Let what is due in the game happen."""
    return harness.rule(lambda context: on_due(context, GameNumber(1)))


def conversation(*steps: str, opening: Sequence[str] = OPENING, words: str = "5") -> MemoryHarness:
    """Play an opening, and then the steps: a mail, whose lines are separated by ` / `, or `due`."""
    harness = MemoryHarness(sends=True)
    harness.begin_and_play(*opening, words=words)
    for step in steps:
        if step == "due":
            by_itself(harness)
        else:
            who, _, text = step.partition(": ")
            address = PEOPLE[who]
            harness.send(f"{who} <{address}>", text.replace(" / ", "\n"), harness.last(address))
    return harness


def prepared(harness: MemoryHarness, seat: int) -> InAdvance:
    """Return what the player in a seat has prepared."""
    return InAdvance.read(harness.table().record.seats[seat].in_advance)


# The steps, the turns after the opening, and what Ada has prepared after them.
PLAYED = (
    ((PLAN, "Ben: ps b4", "due"), ["ps c3", "ps b4", "pw c4"], ()),
    ((PLAN, "Ben: ps b4"), ["ps c3", "ps b4"], ("pw c4",)),
    (("Ada: ps c3", "Ada: if ps b4 then pw c4", "Ben: ps b4", "due"), ["ps c3", "ps b4", "pw c4"], ()),
    ((PLAN, "Ben: ps b5", "due"), ["ps c3", "ps b5"], ()),
    ((PLAN, "Ben: pw b4", "due"), ["ps c3", "pw b4"], ()),
    ((PLAN, "due", "due"), ["ps c3"], ("ps b4 then pw c4",)),
    # The call of tak says nothing about the turn.
    ((PLAN, "Ben: ps b4 tak", "due"), ["ps c3", "ps b4 t", "pw c4"], ()),
    (("Ada: ps c3 / if ps b4 t then pw c4", "Ben: ps b4", "due"), ["ps c3", "ps b4", "pw c4"], ()),
    (("Ada: ps c3 / if ps b4 then pw c4 t", "Ben: ps b4", "due"), ["ps c3", "ps b4", "pw c4 t"], ()),
    # Turns are named as in any other line.
    (("Ada: ps c3 / If PS B4, then PW C4.", "Ben: ps b4", "due"), ["ps c3", "ps b4", "pw c4"], ()),
    (
        ("Ada: ps c3 / if me a1 then mn e5", "Ben: me a1 p1 1", "due"),
        ["ps c3", "me a1 p1 1", "mn e5 p1 1"],
        (),
    ),
    (("Ada: ps c3 / if ps b4 #4 then pw c4 #5", "Ben: ps b4", "due"), ["ps c3", "ps b4", "pw c4"], ()),
    (("Ada: ps c3 / if ps b4 #5 then pw c4", "Ben: ps b4", "due"), ["ps c3", "ps b4"], ()),
    # Two branches, and longer ones.
    (
        (PLAN, "Ada: if ps b5 then pw c5", "Ben: ps b5", "due"),
        ["ps c3", "ps b5", "pw c5"],
        (),
    ),
    (
        ("Ada: ps c3 / if ps b4 then pw c4 / if ps b5 then pw c5", "Ben: ps b4", "due"),
        ["ps c3", "ps b4", "pw c4"],
        (),
    ),
    (
        ("Ada: ps c3 / if ps b4 then pw c4 then ps b5 then ps c5", "Ben: ps b4", "due", "Ben: ps b5", "due"),
        ["ps c3", "ps b4", "pw c4", "ps b5", "ps c5"],
        (),
    ),
    (
        ("Ada: ps c3 / if ps b4 then pw c4 then ps b5 then ps c5", "Ben: ps b4", "due", "Ben: ps d5", "due"),
        ["ps c3", "ps b4", "pw c4", "ps d5"],
        (),
    ),
    (
        (
            "Ada: ps c3 / if ps b4 then pw c4 then ps b5 then ps c5 / if ps b4 then pw c4 then ps d5 then ps d4",
            "Ben: ps b4",
            "due",
            "Ben: ps d5",
            "due",
        ),
        ["ps c3", "ps b4", "pw c4", "ps d5", "ps d4"],
        (),
    ),
    # A newer answer to the same turn counts, whatever followed the older one.
    ((PLAN, "Ada: if ps b4 then pw c5", "Ben: ps b4", "due"), ["ps c3", "ps b4", "pw c5"], ()),
    (
        ("Ada: ps c3 / if ps b4 then pw c4 then ps b5 then ps c5", "Ada: if ps b4 then ps d4"),
        ["ps c3"],
        ("ps b4 then ps d4",),
    ),
    (
        (PLAN, "Ada: if ps b4 then pw c4 then ps b5 then ps c5"),
        ["ps c3"],
        ("ps b4 then pw c4 then ps b5 then ps c5",),
    ),
    (("Ada: ps c3 / if ps b4 then pw c4", "Ada: if ps b4 then pw c4"), ["ps c3"], ("ps b4 then pw c4",)),
    ((PLAN, "Ada: ifs off", "Ben: ps b4", "due"), ["ps c3", "ps b4"], ()),
    # One line that can't be prepared leaves the others as they are.
    ((PLAN, "Ada: if ps c3 then pw d4"), ["ps c3"], ("ps b4 then pw c4",)),
    ((PLAN, "Ada: if ps b5 then pw b5"), ["ps c3"], ("ps b4 then pw c4",)),
    ((PLAN, "Ada: if ps b5 then pw c5 then ps d5"), ["ps c3"], ("ps b4 then pw c4",)),
    (("Ada: if ps b4 then pw c4",), [], ()),
    (("Ada: if ps b4 then pw c4 / ps c3",), [], ()),
    (("Ada: ps e5 / if ps b4 then pw c4",), [], ()),
    # The opponent has more to say than the turn.
    ((PLAN, "Ben: ps b4 / draw", "due"), ["ps c3", "ps b4"], ("pw c4",)),
    ((PLAN, "Ben: draw / ps b4", "due"), ["ps c3", "ps b4"], ("pw c4",)),
    ((PLAN, "Ben: ps b4 / /im #3 You put a wall there", "due"), ["ps c3", "ps b4"], ("pw c4",)),
    ((PLAN, "Ben: ps b4", "Ben: propose back 2", "due"), ["ps c3", "ps b4"], ("pw c4",)),
    ((PLAN, "Ben: ps b4 / resign", "due"), ["ps c3", "ps b4"], ("pw c4",)),
    ((PLAN, "Ben: ps b4 / propose days=3", "due"), ["ps c3", "ps b4"], ("pw c4",)),
    ((PLAN, "Ben: ps b4 / draw", "Ada: go"), ["ps c3", "ps b4", "pw c4"], ()),
    ((PLAN, "Ben: ps b4 / draw", "Ada: refuse", "due"), ["ps c3", "ps b4"], ("pw c4",)),
    ((PLAN, "Ben: ps b4 / draw", "Ben: withdraw", "due", "Ada: go"), ["ps c3", "ps b4", "pw c4"], ()),
    ((PLAN, "Ben: ps b4 / draw", "Ada: ps d1", "due"), ["ps c3", "ps b4", "ps d1"], ()),
    ((PLAN, "Ben: ps b4 / draw", "Ada: ifs off", "Ada: go", "due"), ["ps c3", "ps b4"], ()),
    ((PLAN, "Ben: ps b4 / A fine plan of yours!", "due"), ["ps c3", "ps b4", "pw c4"], ()),
    ((PLAN, "Ben: draw", "Ben: withdraw", "Ben: ps b4", "due"), ["ps c3", "ps b4", "pw c4"], ()),
    # Who prepared a turn may play it, or another one, before it is due.
    ((PLAN, "Ben: ps b4", "Ada: pw c4", "due"), ["ps c3", "ps b4", "pw c4"], ()),
    ((PLAN, "Ben: ps b4", "Ada: go", "due"), ["ps c3", "ps b4", "pw c4"], ()),
    ((PLAN, "Ben: ps b4", "Ada: ps d1", "due"), ["ps c3", "ps b4", "ps d1"], ()),
    (
        ("Ada: ps c3 / if ps b4 then pw c4 then ps b5 then ps c5", "Ben: ps b4", "Ada: pw c4"),
        ["ps c3", "ps b4", "pw c4"],
        ("ps b5 then ps c5",),
    ),
    ((PLAN, "Ada: go", "Ben: ps b4"), ["ps c3", "ps b4"], ("pw c4",)),
    # Turns that are taken back, other boards, and the end.
    ((PLAN, "Ben: ps b4", "Ben: undo", "Ada: agree", "due"), ["ps c3"], ()),
    ((PLAN, "Ada: undo", "Ben: agree", "Ada: ps c3", "Ben: ps b4", "due"), ["ps c3", "ps b4"], ()),
    ((PLAN, "Ben: propose back 2", "Ada: agree", "due"), [], ()),
    ((PLAN, "Ben: draw", "Ada: agree", "due"), ["ps c3"], ()),
    ((PLAN, "Ben: resign", "Ben: yes", "due"), ["ps c3"], ()),
    # Both have prepared.
    (
        (
            "Ada: ps c3 / if ps b4 then pw c4 then ps b5 then ps c5",
            "Ben: if ps d1 then ps d2",
            "Ben: ps b4 / if pw c4 then ps b5",
            "due",
            "due",
            "due",
            "due",
        ),
        ["ps c3", "ps b4", "pw c4", "ps b5", "ps c5"],
        (),
    ),
    # Words stay words.
    ((PLAN, "Ada: if you want, we can stop"), ["ps c3"], ("ps b4 then pw c4",)),
    ((PLAN, "Ada: If only I had seen that!"), ["ps c3"], ("ps b4 then pw c4",)),
)


@each_row("steps, expected, left", PLAYED)
def test_what_is_prepared_is_played(steps: Sequence[str], expected: list[str], left: tuple[str, ...]) -> None:
    harness = conversation(*steps)
    assert turns(harness)[len(OPENING) :] == expected
    assert tuple(map(" then ".join, prepared(harness, 0).branches)) == left
