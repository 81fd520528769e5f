"""`zone`: each player's letters tell times by the player's own clock, and nobody else learns which one that is."""

import pytest

from tests.support.memory_harness import BOTH_SIDES, MemoryHarness
from tests.support.players import ADA, BEN, Received, said

AS_ADA = f"Ada <{ADA}>"
AS_BEN = f"Ben <{BEN}>"
TOKYO = "Sat, 21 Nov 2026 21:00:00 +0900"


@pytest.fixture
def harness() -> MemoryHarness:
    harness = MemoryHarness(services=BOTH_SIDES)
    harness.begin()
    return harness


def zone_of(harness: MemoryHarness, address: str) -> str | None:
    player = harness.memory.player_by_address(address)
    return None if player is None else player.preferences.zone


def ada(harness: MemoryHarness, words: str, date: str = TOKYO) -> Received:
    return harness.send(AS_ADA, words, harness.last(ADA), date=date)[0]


def test_letters_tell_times_by_the_clock_of_the_readers_mails(harness: MemoryHarness) -> None:
    harness.play("ps a1")
    assert "since Saturday 21 November, 12:00 UTC" in said(
        ada(harness, "turn", "Sat, 21 Nov 2026 12:00:00 GMT")
    )
    assert "since Saturday 21 November, 21:00. The last turn" in said(ada(harness, "turn"))
    assert zone_of(harness, ADA) == "+0900"
    assert "since Saturday 21 November, 21:00. The last turn" in said(ada(harness, "turn", "yesterday"))
    (answer,) = harness.send(AS_BEN, "turn", harness.last(BEN))
    assert "since Saturday 21 November, 12:00 UTC" in said(answer)


@pytest.mark.parametrize("offset", ["+0530", "-0330"])
def test_the_parts_of_a_mail_for_several_games_have_its_clock(harness: MemoryHarness, offset: str) -> None:
    ada(harness, "rematch\nnew 5 vs Ben")
    ada(harness, "#1 show\n#2 show", f"Sat, 21 Nov 2026 12:00:00 {offset}")
    assert harness.notes[-1] == ("answered", "split into 2 parts")
    assert zone_of(harness, ADA) == offset


def test_a_mail_that_may_be_anybodys_changes_no_clock(harness: MemoryHarness) -> None:
    harness.send(AS_ADA, "games", date=TOKYO)
    assert zone_of(harness, ADA) == "+0000"


@pytest.mark.parametrize(
    ("language", "zone", "line", "words"),
    [
        (
            "en",
            "Europe/Berlin",
            "time zone Berlin",
            "Europe/Berlin, where it is Saturday 21 November, 13:00 now.",
        ),
        (
            "ru",
            "Europe/Moscow",
            "часовой пояс Москва",
            "Europe/Moscow, сейчас там 21 ноября (суббота), 15:00.",
        ),
        ("zh", "Asia/Shanghai", "时区 上海", "按Asia/Shanghai时区来写，那里现在是11月21日星期六20:00。"),
    ],
)
def test_a_zone_is_chosen_told_and_forgotten(
    harness: MemoryHarness, language: str, zone: str, line: str, words: str
) -> None:
    ada(harness, f"language {language}")
    for typed in (line, "zone"):
        assert "".join(words.split()) in "".join(ada(harness, typed).text.split())
        assert zone_of(harness, ADA) == zone
    forgotten = said(ada(harness, "zone auto"))
    assert "UTC+09:00" in forgotten
    assert "21:00" in forgotten
    assert zone_of(harness, ADA) == "+0900"


def test_without_a_sensible_date_there_is_nothing_to_go_back_to(harness: MemoryHarness) -> None:
    ada(harness, "zone Berlin")
    answer = ada(harness, "zone auto", "no date")
    assert answer.says("zone_told", zone="UTC", is_known=False, is_chosen=False)
    assert zone_of(harness, ADA) is None


def test_an_unknown_zone_is_refused_with_those_that_look_alike(harness: MemoryHarness) -> None:
    answer = ada(harness, "zone Berlim")
    assert "Not done: there is no time zone Berlim." in said(answer)
    assert "zone Europe/Berlin" in said(answer)
    assert "zone%20Europe%2FBerlin" in answer.html
    ada(harness, "yes")
    assert zone_of(harness, ADA) == "Europe/Berlin"
    assert "there is no time zone Xanadu." in said(ada(harness, "zone Xanadu"))
    assert zone_of(harness, ADA) == "Europe/Berlin"


def test_what_a_stranger_types_is_not_repeated() -> None:
    harness = MemoryHarness(confirms=False)
    for letter in harness.send("Eve <eve@example.net>", "zone Atlantis-is-at-evil.example"):
        assert "tlantis" not in letter.text
