"""The report on a corrupt game, and the statement that repairs it."""

from dataclasses import replace

import pytest

from takmail.commands.game.corruption import Corruption, CorruptionKind, StoredPlace
from takmail.commands.game.corruption_report import Evidence, corruption_report
from takmail.commands.game.table import Corrupt
from takmail.commands.records import DisputeEvidence, MessageId, SentLetter
from takmail.games.registry import GAMES
from tests.commands.build import NOW, game
from tests.commands.offering import GAME, THREE

TABLE = game(*THREE)
NOTHING = DisputeEvidence()
LETTER = SentLetter(MessageId("<told@example.test>"), GAME, None, 4, 2, "", None)


def repaired(fault: Corruption, evidence: DisputeEvidence = NOTHING) -> tuple[Evidence, str] | None:
    """Return the repair of a fault in a game of three turns."""
    corrupt = Corrupt(TABLE.record, TABLE.rules, TABLE.players, fault, len(THREE))
    repair = corruption_report(GAMES, corrupt, evidence, is_frozen=False).repair
    return repair and (repair.clue, repair.statement)


def fault(flaw: CorruptionKind, turn: int, column: str = "text", **facts: object) -> Corruption:
    place = StoredPlace("turn", {"game_id": 1, "number": turn}, column)
    return replace(Corruption(1, "tak", flaw, place, turn=turn, before=TABLE.states[turn - 1]), **facts)  # type: ignore[arg-type]


def test_a_turn_is_put_back_as_it_was_written() -> None:
    other = fault(
        CorruptionKind.ILLEGAL, 3, text="zzz", written="Hello,\nPS C3", stored=TABLE.states[3].checksum
    )
    assert repaired(other) == (
        Evidence.WRITTEN,
        "UPDATE turn SET text = 'ps c3' WHERE game_id = 1 AND number = 3;",
    )


@pytest.mark.parametrize(
    "facts",
    [
        {"written": "ps a1"},  # illegal
        {"written": "ps d4", "stored": TABLE.states[3].checksum},  # leads to another board
        {"written": "ps c3", "text": "ps c3"},  # the stored text is the same
        {"written": "ps c3", "before": None},
    ],
)
def test_a_turn_that_is_not_known_is_left_to_a_person(facts: dict[str, object]) -> None:
    assert repaired(fault(CorruptionKind.ILLEGAL, 3, **facts)) is None


@pytest.mark.parametrize(
    ("told", "text"),
    [
        ("ps e5\n\nA new letter.", "ps e5"),
        ("ps c3", None),  # makes turn 3 illegal
        ("ps a1", None),
        ("", None),
    ],
)
def test_a_lost_turn_is_put_back_if_all_agrees_with_it_again(told: str, text: str | None) -> None:
    left = (TABLE.turns[0], TABLE.turns[2])
    evidence = DisputeEvidence(report=replace(LETTER, text=told), reported_at=NOW, report_mail=2, turns=left)
    found = repaired(fault(CorruptionKind.MISSING, 2), evidence)
    if text is None:
        assert found is None
        return
    assert found is not None
    clue, statement = found
    assert clue is Evidence.LETTER
    assert statement.startswith("INSERT INTO turn (game_id, number, version, seat, text,")
    assert f"VALUES (1, 2, 4, 1, '{text}', '{text}', '{TABLE.states[2].checksum}', " in statement


def test_of_a_lost_turn_without_a_letter_nothing_is_known() -> None:
    assert repaired(fault(CorruptionKind.MISSING, 2)) is None
