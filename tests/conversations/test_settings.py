"""A setting is done at once if a mail is probably its owner's, who is told the line that undoes it."""

import pytest

from takmail.world import LetterView
from tests.support.links import links
from tests.support.memory_harness import BOTH_SIDES, MemoryHarness
from tests.support.players import ADA, BEN, said
from tests.support.width import some_of

AS_ADA = f"Ada <{ADA}>"
SETTINGS = [
    ("view text", "view both"),
    ("view html", "view both"),
    ("receipts off", "receipts on"),
    ("language zh", "English"),
    ("language ru", "English"),
]
BY_TOKEN = [
    ("reads ptn", "reads mail"),
    ("zone Berlin", "zone auto"),
    ("away 3 days", "back"),
    ("reminders off", "reminders on"),
    ("holiday manual", "holiday auto"),
]


@pytest.fixture
def playing() -> MemoryHarness:
    harness = MemoryHarness(services=BOTH_SIDES)
    harness.begin()
    harness.confirms = False
    return harness


@pytest.mark.parametrize(("line", "undone_by"), some_of([*SETTINGS, *BY_TOKEN], 4))
def test_a_letter_of_a_game_is_enough(playing: MemoryHarness, line: str, undone_by: str) -> None:
    before = playing.memory.player_by_address(ADA)
    (answer,) = playing.send(AS_ADA, line, playing.last(ADA))
    assert playing.memory.player_by_address(ADA) != before
    assert undone_by in said(answer)
    if answer.html:
        assert f"{undone_by}\n" in {link.body for link in links(answer)}
    playing.send(AS_ADA, undone_by, answer)
    after = playing.memory.player_by_address(ADA)
    assert before is not None
    assert after is not None
    is_same = after.preferences == before.preferences
    is_chosen = line.startswith(("language", "view")) and after.preferences.language in (None, "en")
    assert is_same or is_chosen


@pytest.mark.parametrize(("line", "undone_by"), SETTINGS)
def test_the_address_alone_is_enough_for_what_costs_nothing(
    playing: MemoryHarness, line: str, undone_by: str
) -> None:
    (answer,) = playing.send(AS_ADA, line)
    assert (answer.to, answer.asks_who) == (ADA, False)
    assert undone_by in said(answer)
    assert answer.text
    assert playing.send(AS_ADA, "ps a1", playing.last(ADA)), "letters come as before"


@pytest.mark.parametrize("line", [line for line, _ in BY_TOKEN] + ["name Wolf", "block Ben", "stop"])
def test_the_address_alone_is_not_enough_for_more(playing: MemoryHarness, line: str) -> None:
    before = playing.memory.player_by_address(ADA)
    (asked,) = playing.send(AS_ADA, line)
    after = playing.memory.player_by_address(ADA)
    assert asked.asks_who
    assert before is not None
    assert after is not None
    assert (after.name, after.preferences, after.blocked) == (before.name, before.preferences, before.blocked)
    assert not after.wants_no_mail


@pytest.mark.parametrize("line", ["name Wolf", "stop", f"address remove {ADA}"])
def test_a_letter_of_a_game_is_not_enough_for_the_account(playing: MemoryHarness, line: str) -> None:
    letters = playing.send(AS_ADA, line, playing.last(ADA))
    assert not any("Done: " in said(letter) for letter in letters)


def test_nothing_is_set_by_what_is_hardly_the_owners(playing: MemoryHarness) -> None:
    """Not by a stranger with the token, a mail that its server refutes, or an address that gets no letters now."""
    playing.change(authserv_id="mx.example.test")
    refuted = {
        "Authentication_Results": "mx.example.test; dmarc=fail (p=reject dis=none) header.from=example.org"
    }
    before = playing.memory.player_by_address(ADA)
    letter = playing.last(ADA)
    playing.send("Someone <someone@example.net>", "language ru", letter)
    playing.send(AS_ADA, "language ru", **refuted)
    playing.send("Someone <someone@example.net>", "language ru")
    after = playing.memory.player_by_address(ADA)
    assert before is not None
    assert after is not None
    assert after.preferences == before.preferences


def test_a_mail_from_an_older_address_is_asked_about(playing: MemoryHarness) -> None:
    playing.confirms = True
    (asked, _) = playing.send(AS_ADA, "address add ada.away@example.org", playing.last(ADA))
    playing.send("Ada <ada.away@example.org>", "yes", asked)
    playing.confirms = False
    (question,) = playing.send(AS_ADA, "language ru")
    assert question.asks_who


def test_an_unproven_mail_names_nobody(playing: MemoryHarness) -> None:
    playing.send(f"Wolf <{ADA}>", "view text")
    player = playing.memory.player_by_address(ADA)
    assert player is not None
    assert (player.name, player.preferences.letter_view) == ("Ada", LetterView.TEXT)


def test_who_reads_only_text_can_undo_html(playing: MemoryHarness) -> None:
    playing.send(AS_ADA, "view text", playing.last(ADA))
    (answer,) = playing.send(AS_ADA, "view html")
    assert '"view text"' in answer.text
    playing.send(AS_ADA, "view text", answer)
    player = playing.memory.player_by_address(ADA)
    assert player is not None
    assert player.preferences.letter_view is LetterView.TEXT


def test_nothing_changes_nothing(playing: MemoryHarness) -> None:
    (answer,) = playing.send(AS_ADA, "receipts on", playing.last(ADA))
    assert "brings back" not in said(answer)
    assert playing.last(BEN).to == BEN
