"""The game record as a file: on request by `ptn`, and at the end of a game of any length."""

from takmail.pipeline import rulings
from takmail.world.kinds import GameNumber, Ruling
from tests.support import relays
from tests.support.endings import animations, files, record, want
from tests.support.memory_harness import MemoryHarness
from tests.support.players import ADA, BEN, Received


def rule(harness: MemoryHarness, ruling: Ruling) -> list[Received]:
    """Let the operator end the game. Return the letters that report it."""
    by = rulings.OperatorNote("Other", "the server moves")
    return harness.rule(lambda context: rulings.end(context, GameNumber(1), ruling, by))


def test_a_relay_game_comes_as_a_file_alone(harness: MemoryHarness) -> None:
    harness.begin("5 relay")
    want(harness, "both")
    relays.write(harness, ADA, "ps a1")
    relays.write(harness, BEN, "ps e5")
    for letter in rule(harness, Ruling.DRAW):
        assert not animations(letter)
        assert "1. a5 e1" in record(letter)
        assert "ptn.ninja" not in letter.text


def test_ptn_gives_the_game_so_far_as_a_file_and_an_address(harness: MemoryHarness) -> None:
    harness.begin_and_play("ps a1", "ps c3", words="3")
    want(harness, "both")
    (letter,) = harness.send(f"Ada <{ADA}>", "ptn", harness.last(ADA))
    assert record(letter).strip() in letter.text
    assert "1. a3 c1" in record(letter)
    assert "https://ptn.ninja/" in letter.text
    assert not animations(letter)
    relay_free = harness.send(f"Ada <{ADA}>", "rs", harness.last(ADA))
    assert not files(relay_free[0])


def test_ptn_of_a_relay_game_is_a_file_too(harness: MemoryHarness) -> None:
    harness.begin("5 relay")
    want(harness, "both")
    relays.write(harness, ADA, "ps a1")
    (letter,) = relays.write(harness, ADA, "ptn")
    assert "1. a5" in record(letter)
    assert "ptn.ninja" not in letter.text


def test_the_file_is_plain_text_that_says_its_letters(harness: MemoryHarness) -> None:
    harness.send(f"Zoë <{ADA}>", f"new 3 vs {BEN} first=me")
    harness.send(f"Ben <{BEN}>", "accept", harness.last(BEN))
    want(harness, "both")
    harness.play("ps a1")
    (letter,) = harness.send(f"Zoë <{ADA}>", "ptn", harness.last(ADA))
    (file,) = files(letter)
    assert file.get_content_type() == "text/plain"
    assert file.get_filename() == "takmail-1.ptn"
    assert file.get_content_charset() == "utf-8"
    assert '[Player1 "Zoë"]' in str(file.get_content())
    assert b"\r\n" in file.get_payload(decode=True)


def test_one_turn_is_no_animation_and_yet_a_record(harness: MemoryHarness) -> None:
    harness.begin_and_play("ps a1", words="3")
    want(harness, "both")
    for letter in rule(harness, Ruling.DRAW):
        assert not animations(letter)
        assert "1. a3" in record(letter)


def test_nothing_comes_of_a_game_in_which_nothing_was_played(harness: MemoryHarness) -> None:
    harness.begin("3")
    want(harness, "both")
    for letter in rule(harness, Ruling.VOID):
        assert not animations(letter)
        assert not files(letter)
        assert "ptn.ninja" not in letter.text
