"""Nobody can use an invitation to frighten strangers, to lead them elsewhere, or to stay unknown."""

import pytest

from takmail.world.kinds import Standing
from tests.support.memory_harness import BOTH_SIDES, MemoryHarness
from tests.support.players import ADA, BEN, Received, said
from tests.support.width import some_of, tenth_of

OTHER = "other@example.org"
AS_ADA, AS_BEN, AS_OTHER = f"Ada <{ADA}>", f"Ben <{BEN}>", f"Other <{OTHER}>"


@pytest.fixture
def harness() -> MemoryHarness:
    return MemoryHarness()


def brought(letter: Received) -> str:
    """Return the words that a letter brings from the other player, without white space."""
    return "".join(
        "".join(one.removeprefix("  | ").split()) for one in letter.lines if one.startswith("  | ")
    )


def invitation(harness: MemoryHarness, sender: str, words: str = "") -> Received:
    harness.send(sender, f"new 5 vs {BEN} first=me\n\n{words}")
    return harness.last(BEN)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Your account is locked", "Your"),
        ("URGENT your mailbox is full", "URGENT"),
        ("Your-account-has-been-suspended", "Your"),
        ("YourAccountHasBeenSuspended", "A friend"),
        ("您的账户已被锁定请致电", "A friend"),
    ],
)
def test_the_subject_to_who_has_never_played_has_no_room_for_a_sentence(
    harness: MemoryHarness, name: str, shown: str
) -> None:
    letter = invitation(harness, f'"{name}" <{ADA}>')
    assert letter.subject == f"[tak #1] {shown} asks you to a game of Tak, 5x5"


@pytest.mark.parametrize(
    "name",
    [
        "The Operator",
        "Admin",
        "Tak Support Team",
        "tаkmail",  # Cyrillic а
        "Mail Delivery Subsystem",
        "Your opponent",
        "Call 0800 123456",
        "ada at example dot org",
    ],
)
def test_a_name_in_the_from_that_is_none_is_not_taken(harness: MemoryHarness, name: str) -> None:
    letter = invitation(harness, f'"{name}" <{ADA}>')
    assert letter.subject == "[tak #1] A friend asks you to a game of Tak, 5x5"
    assert name not in letter.text


@pytest.mark.parametrize("name", ["The Operator", "Adm1n", "White", "nobody", "Ben 0800 123456"])
def test_nobody_gets_such_a_name_by_asking(harness: MemoryHarness, name: str) -> None:
    harness.begin()
    (answer,) = harness.send(AS_ADA, f"/name {name}", harness.last(ADA))
    assert "Not done: " in answer.text
    assert 'such as "name Ada"' in said(answer)
    assert [one.name for one in harness.memory.players.values()] == ["Ada", "Ben"]


def test_who_was_asked_by_address_learns_the_host_s(harness: MemoryHarness) -> None:
    harness.change(letter_view=BOTH_SIDES.letter_view)
    letter = invitation(harness, AS_ADA)
    assert f"Ada's address is {ADA}." in said(letter)
    assert ADA in letter.html
    assert "The invitation tells your address" in said(harness.last(ADA))


def test_who_was_asked_by_name_joined_or_asked_again_does_not(harness: MemoryHarness) -> None:
    harness.begin()
    before = len(harness.box)
    harness.send(AS_ADA, "new 5 vs Ben")
    harness.send(AS_BEN, "decline", harness.last(BEN))
    harness.send(AS_ADA, "seek 4")
    harness.send(AS_BEN, "join 1")
    harness.send(AS_ADA, "resign", harness.box[before - 1])
    harness.send(AS_ADA, "yes", harness.last(ADA))
    harness.send(AS_ADA, "rematch", harness.last(ADA))
    assert any("wants to play again" in letter.text for letter in harness.box if letter.to == BEN)
    for letter in harness.box[before:]:
        other = {ADA: BEN, BEN: ADA}[letter.to]
        assert other not in letter.mail.as_string().lower() + letter.text.lower()


def test_an_invitation_that_had_to_wait_names_the_host_and_brings_the_words(harness: MemoryHarness) -> None:
    harness.send(AS_OTHER, f"new 4 vs {BEN}")
    harness.send(AS_ADA, f"new 5 vs {BEN}\n\nIt is me, from the club.")
    harness.send(AS_BEN, "decline", harness.last(BEN))
    letter = harness.last(BEN)
    assert f"Ada's address is {ADA}." in said(letter)
    assert "  | It is me, from the club.\n" in letter.text


@pytest.mark.parametrize(
    "words",
    tenth_of(
        [
            "Your account is locked, see https://evil.example/login",
            "See www.evil.example",
            "Go to evil.example/login now",
            "Write to help@evil.example",
            "Write to help (at) evil (dot) example",
            "Write to help＠evil．example",
            "See evil dot com",
            "Look at 10.0.0.1/login",
            "Call 0800 123 4567",
            "Call +49 (171) 234-5678 at once",
            "Call 0900.123.456",
            "Call 0 9 0 0 . 1 2 3 4",
            "Call 06.12.34.56.78",
            "Call 0800 12.11.2026 123",
            "See evil .ru",
            "See evil . ru",
            "See evil(.)com",
            "See evil[.]com",
            f"Write to me at {ADA}",
            "x" * 281,
        ]
    ),
)
def test_words_that_lead_away_or_are_long_do_not_go_with_the_invitation(
    harness: MemoryHarness, words: str
) -> None:
    letter = invitation(harness, AS_ADA, words)
    assert " writes:" not in letter.text
    answer = said(harness.last(ADA))
    assert (
        "Your words do not go with the invitation" in answer or "were not passed on, as an address" in answer
    )
    harness.send(AS_BEN, "rules", letter)
    harness.send(AS_BEN, "decline", harness.last(BEN))
    assert not any(" writes:" in one.text for one in harness.box if one.to == BEN)


@pytest.mark.parametrize(
    "words",
    some_of(
        [
            "Hi Ben, it's me, Ada. A game?",
            "你好。我们下棋吧。你先走。",
            "Привет! Сыграем?",
            "On 21.11.2026 at 18:30, or at home... as you like.",
            "Shall we play on 2026-11-26 at 18.30, or on 12/11/2026, 10:00-11:30?",
            "On 21.11. 18.30 - 20.30, (perhaps) ... .",
            "I have 2 boards, e.g. a 5x5 one. J. R. R. says hello.",
            "x" * 280,
        ],
        3,
    ),
)
def test_a_friend_s_words_go_with_the_invitation_and_come_once(harness: MemoryHarness, words: str) -> None:
    letter = invitation(harness, AS_ADA, words)
    assert "Ada writes:\n" in letter.text
    assert brought(letter) == "".join(words.split())
    assert harness.last(ADA).says("words_go_with_invitation")
    harness.send(AS_BEN, "accept", letter)
    assert " writes:" not in harness.last(BEN).text


def test_words_cannot_pass_for_the_letter(harness: MemoryHarness) -> None:
    letter = invitation(harness, AS_ADA, "Hi\n\nThis letter is sent by your bank.\n\nBen writes:\n\n-- \nx")
    lines = letter.text.splitlines()
    assert "  | This letter is sent by your bank." in lines
    assert not any(line.startswith("This letter is sent by") for line in lines)


def test_words_beside_new_in_answer_to_a_game_go_to_the_guest_alone(harness: MemoryHarness) -> None:
    harness.begin()
    harness.send(AS_ADA, f"new 5 vs {OTHER}\n\nHi Other, a game?", harness.last(ADA))
    assert "Your words go with the invitation:" in said(harness.last(ADA))
    assert "  | Hi Other, a game?\n" in harness.last(OTHER).text
    harness.play("ps a1")
    assert not any("Hi Other" in one.text for one in harness.box if one.to == BEN)


@pytest.mark.parametrize("answer", ["decline", "stop"])
def test_a_guest_who_turns_it_down_sees_nothing_more(harness: MemoryHarness, answer: str) -> None:
    harness.send(AS_ADA, f"new 5 vs {BEN}\n\nSee www.example.org")
    harness.send(AS_ADA, "say Are you there?", harness.last(ADA))
    letter = harness.last(BEN)
    letters = harness.send(AS_BEN, answer, letter)
    letters += harness.send(AS_ADA, "But why?", harness.last(ADA))
    assert harness.table().record.standing is Standing.DECLINED
    assert not any("| " in one.text for one in letters if one.to == BEN)


def test_who_leaves_at_once_is_not_named(harness: MemoryHarness) -> None:
    harness.begin()
    harness.send(AS_ADA, f"new 5 vs {OTHER}\nforget me\n\nHi", harness.last(ADA))
    harness.send(AS_ADA, "yes", harness.last(ADA))
    assert harness.table(2).record.standing is Standing.DECLINED
