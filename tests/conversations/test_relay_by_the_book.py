"""Two programs that know only the play-by-mail notation play an illegal game through takmail.

Each parses only the first lines of a letter, replies to its reply address, and never quotes.
"""

from dataclasses import dataclass, field

from tests.support.memory_harness import MemoryHarness, turns
from tests.support.players import ADA, BEN

EMPTY = ["0 0 0", "0 0 0", "0 0 0"]


@dataclass
class Program:
    """The program of one player. `heard` are the messages that it received, and `rows` is its own board."""

    harness: MemoryHarness
    address: str
    rows: list[str]
    heard: list[str] = field(default_factory=list)

    def send(self, message: str) -> None:
        """Write a message to the reply address of the newest letter."""
        last = self.harness.last(self.address)
        self.harness.send(self.address, message, last, quoting=False, threaded=False)

    def read(self) -> None:
        """Read the message in the newest letter. If it asks for the board, send it."""
        lines = self.harness.last(self.address).lines
        if lines[0] == "rs":
            self.heard.append("rs")
            self.send("\n".join(self.rows))
        elif lines[0][0] in "pmi":
            self.heard.append(lines[0])
        else:
            self.heard.append("\n".join(lines[:3]))


def test_two_programs_play_what_no_rule_allows(harness: MemoryHarness) -> None:
    harness.begin("3 relay")
    ada, ben = Program(harness, ADA, ["cCw 0 0", *EMPTY[1:]]), Program(harness, BEN, EMPTY)
    moves = ["pc a1", "pc a1", "mn a1 p3 1 1 1", "pw a1 t", "ps a1", "ms c3 p2 2"]
    for number, move in enumerate(moves):
        writer, reader = (ada, ben) if number % 2 == 0 else (ben, ada)
        writer.send(move)
        reader.read()
        assert reader.heard[-1] == move
    assert turns(harness) == moves
    ada.send("im That leads off the board")
    ben.read()
    assert ben.heard[-1] == "im That leads off the board"
    ben.send("me c3 p2 2")
    ada.read()
    assert ada.heard[-1] == "me c3 p2 2"
    ada.send("rs")
    ben.read()
    ada.read()
    assert ada.heard[-1].splitlines() == EMPTY
    ben.send("rs")
    ada.read()
    ben.read()
    assert ben.heard[-1].splitlines() == ada.rows
    assert "The two boards differ in one square" in " ".join(harness.last(ADA).text.split())
    assert turns(harness) == [*moves, "me c3 p2 2"]
