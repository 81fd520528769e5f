"""Attacks with a mail for several games: without proof, with a letter that others have read, and to all readers."""

import re
from dataclasses import replace

import pytest

from tests.attacks.scene import OURS, SOMEONE
from tests.conversations.test_digests import AS_ADA, club
from tests.support.links import links, touch
from tests.support.memory_harness import BOTH_SIDES, PLAIN, WITHOUT_PLUS, MemoryHarness, turns
from tests.support.players import ADA, BEN, Received, quote, said
from tests.support.scenes import played_once
from tests.support.width import combined, some_of

FROM_ADA, FROM_BEN = f"Ada <{ADA}>", f"Ben <{BEN}>"
MOVES = "#1 ps a1\n#2 ps b2\n\nHello Ben!"


def begun(harness: MemoryHarness) -> Received:
    """Begin two games. Return the list of them."""
    listed = against(harness, BEN, BEN)
    harness.confirms = False
    return listed


def against(harness: MemoryHarness, *opponents: str) -> Received:
    """Begin a game against each opponent. Return the list of them."""
    begin_against(harness, *opponents)
    return harness.last(ADA)


@played_once
def begin_against(harness: MemoryHarness, *opponents: str) -> None:
    for opponent in opponents:
        harness.send(FROM_ADA, f"new 5 vs {opponent} first=me")
        harness.send(f"{opponent[:3].capitalize()} <{opponent}>", "accept", harness.last(opponent))
    harness.send(FROM_ADA, "games")


def played(harness: MemoryHarness) -> list[list[str]]:
    return [turns(harness, number) for number in (1, 2)]


def tokens(letter: Received) -> set[str]:
    return set(re.findall(r"[12](?:n\d+)?\.[a-z2-7]{16}", letter.raw.decode().replace("=\r\n", "")))


@pytest.mark.parametrize("services", [PLAIN, WITHOUT_PLUS], ids=["plus addresses", "none"])
def test_without_proof_there_is_one_question_about_the_whole_mail(services: object) -> None:
    harness = MemoryHarness(services=services)  # type: ignore[arg-type]
    begun(harness)
    (asked,) = harness.send(FROM_ADA, MOVES)
    assert (asked.to, played(harness)) == (ADA, [[], []])
    assert "#1\n" in asked.text.replace("  | ", "")
    assert "Hello Ben!" in asked.text
    assert harness.send(FROM_ADA, MOVES) == []
    letters = harness.send(FROM_ADA, "yes", asked)
    assert played(harness) == [["ps a1"], ["ps b2"]]
    assert [one.to for one in letters] == [BEN, BEN, ADA]
    assert harness.send(FROM_ADA, "yes", asked)[0].says("nothing_asked")


@pytest.mark.parametrize("text", [MOVES, "#1 ps a1\n#99 ps b2", "#98 ps a1\n#99 ps b2"])
def test_without_proof_no_game_is_read(text: str) -> None:
    harness = MemoryHarness()
    begun(harness)
    decided = harness.decide(harness.arrive(harness.mail(FROM_ADA, text).as_bytes()))
    assert not decided.snapshot.world.stored.games


@pytest.mark.parametrize("name", ["Thanks", "Hello"])
def test_an_opponent_who_is_called_like_a_polite_word_gets_nothing(name: str) -> None:
    harness = MemoryHarness()
    begun(harness)
    harness.confirms = True
    harness.send(FROM_ADA, "new 5 vs mal@example.org first=me")
    harness.send(f"{name} <mal@example.org>", "accept", harness.last("mal@example.org"))
    assert harness.table(3).players[1].name == name
    listed = harness.send(FROM_ADA, "games")[-1]
    letters = harness.send(FROM_ADA, f"Good morning\n{name}\nMy number is secret", listed)
    assert [one.to for one in letters] == [ADA]


def test_a_no_drops_the_whole_mail() -> None:
    harness = MemoryHarness()
    begun(harness)
    (asked,) = harness.send(FROM_ADA, MOVES)
    harness.send(FROM_ADA, "no", asked)
    assert harness.send(FROM_ADA, "yes", asked)[0].says("nothing_asked")
    assert played(harness) == [[], []]


def test_what_the_mail_server_refutes_is_asked_about() -> None:
    harness = MemoryHarness(services=replace(PLAIN, authserv_id=OURS))
    listed = begun(harness)
    verdict = f"{OURS}; dmarc=fail (p=reject) header.from=example.org"
    (asked,) = harness.send(FROM_ADA, MOVES, listed, Authentication_Results=verdict)
    assert (asked.to, played(harness)) == (ADA, [[], []])


def test_what_the_mail_server_vouches_for_needs_no_token() -> None:
    harness = MemoryHarness(services=replace(PLAIN, authserv_id=OURS))
    begun(harness)
    harness.send(FROM_ADA, MOVES, Authentication_Results=f"{OURS}; dmarc=pass header.from=example.org")
    assert played(harness) == [["ps a1"], ["ps b2"]]


@pytest.mark.parametrize("by", [f"Eve <{SOMEONE}>", "Fay <fay@example.org>", FROM_BEN])
def test_a_letter_that_others_have_got_plays_nothing(by: str) -> None:
    harness = MemoryHarness()
    harness.send("Fay <fay@example.org>", f"new 5 vs {BEN}")
    listed = begun(harness)
    before, known = [turns(harness, number) for number in (1, 2, 3)], len(harness.box)
    for _ in range(3):
        letters = harness.send(by, MOVES.replace("#2", "#3"), listed)
        assert all(one.to in by and ADA not in one.to for one in letters)
        assert not any(tokens(one) & tokens(harness.last(ADA)) for one in letters)
    assert [turns(harness, number) for number in (1, 2, 3)] == before
    assert len([one for one in harness.box[known:] if one.asks_who]) <= 1


def test_an_answer_to_all_readers_shows_no_token_and_renews_what_it_has_shown() -> None:
    harness = MemoryHarness()
    listed = begun(harness)
    letters = harness.send(FROM_ADA, MOVES, listed, Cc=BEN)
    assert played(harness) == [["ps a1"], ["ps b2"]]
    mine = set().union(*(tokens(one) for one in harness.box if one.to == ADA))
    assert not any(tokens(one) & mine for one in letters if one.to == BEN)
    # Who has read the mail can't use its address any more.
    harness.send(FROM_ADA, "#1 undo\n#2 undo", listed)
    assert played(harness) == [["ps a1"], ["ps b2"]]


def test_a_reader_who_answers_all_does_not_play_for_the_writer() -> None:
    harness = MemoryHarness()
    listed = begun(harness)
    mail = harness.mail(FROM_ADA, "#1 ps a1\n#2 ps b2", listed, Cc=BEN)
    harness.deliver(mail.as_bytes())
    before = played(harness)
    reply = harness.mail(
        FROM_BEN, "#1 ps e5\n#2 ps e4", to=str(mail["To"]), subject="Re: games", Cc=ADA,
        In_Reply_To=str(mail["Message-ID"]), References=f"{listed.id} {mail['Message-ID']}",
    )  # fmt: skip
    letters = harness.deliver(reply.as_bytes())
    assert played(harness) == before
    assert [one.to for one in letters] in ([], [BEN])


SECRET = "She told me a secret"
TO_FAY = [f"{number}{SECRET}" for number in ("#2 ", "#2 - ", "№2 ", "№ 2: ", "＃2 ", "#2：", "- #2 ")]
AROUND = [
    "#1 ps a1\n{}",
    "{}\n#1 ps a1",
    "#1 ps a1\n\n{}\n\n#3 ps c3",
    "#1 hello\n{}",
    "#1\nps a1\n{}\nGood luck!",
    "Ben: ps a1\n{}",
    "{}",
]


@pytest.mark.parametrize("line", some_of(TO_FAY, 2))
def test_no_other_opponent_reads_a_line_that_begins_with_the_number_of_a_game(line: str) -> None:
    harness = MemoryHarness()
    listed = against(harness, BEN, "fay@example.org", "dora@example.org")
    of_first = next(one for one in harness.box if "#1]" in one.subject and one.to == ADA)
    for mail, letter in (*((mail, listed) for mail in AROUND), (AROUND[2], of_first)):
        letters = harness.send(FROM_ADA, mail.format(line), letter)
        readers = {one.to for one in letters if SECRET in said(one) and one.to != ADA}
        assert readers == {"fay@example.org"}, (mail, letter.subject)


@pytest.mark.parametrize(
    ("mail", "name"),
    combined(
        ["Fay: ps d5\n{}", "{}\nFay: ps d5", "{}\n\n#3\nps d5", "#3 ps d5\n\n{}\nsee you"],
        ["Ben: ", "ben：", "Ben\n"],
    ),
)
def test_nobody_reads_a_line_for_one_of_several_games_with_an_opponent(mail: str, name: str) -> None:
    harness = MemoryHarness()
    listed = against(harness, BEN, BEN, "fay@example.org")
    harness.confirms = False
    for line, letter in (
        (f"{name}{SECRET}", listed),
        (f"{name}ps e5 {SECRET}", listed),
        (f"{name}{SECRET}", None),
    ):
        letters = harness.send(FROM_ADA, mail.format(line), letter)
        if letter is None:
            letters = harness.send(FROM_ADA, "yes", letters[-1])
        assert not [one for one in letters if SECRET in said(one) and one.to != ADA]
        told = letters[-1]
        assert told.to == ADA
        assert told.says("game_is_unclear")
    assert [turns(harness, number) for number in (1, 2, 3)] == [[], [], ["ps d5"]]


def test_words_for_an_unclear_game_are_not_for_the_only_one_that_waits() -> None:
    harness = MemoryHarness()
    for opponent, first in (
        (BEN, "them"),
        (BEN, "them"),
        ("dora@example.org", "them"),
        ("fay@example.org", "me"),
    ):
        harness.send(FROM_ADA, f"new 5 vs {opponent} first={first}")
        harness.send(f"{opponent[:3].capitalize()} <{opponent}>", "accept", harness.last(opponent))
    letters = harness.send(FROM_ADA, f"Ben: {SECRET}\n#3 Hello!", harness.send(FROM_ADA, "games")[-1])
    assert not [one for one in letters if SECRET in said(one) and one.to != ADA]
    assert letters[-1].says("game_is_unclear")


def test_nobody_reads_what_stands_below_a_heading_that_a_quote_has_twice() -> None:
    harness = MemoryHarness()
    for opponent in (BEN, "fay@example.org"):
        harness.send(FROM_ADA, f"new 5 vs {opponent} first=me")
        harness.send(f"{opponent[:3].capitalize()} <{opponent}>", "accept", harness.last(opponent))
    told = harness.send(FROM_ADA, "#1 rs\n#2 rs", harness.send(FROM_ADA, "games")[-1])[-1]
    heading = "> #2 · Fay · 5x5\n"
    quoted = quote(told).replace(heading, f"{heading}\n{SECRET}\n\n{heading}")
    letters = harness.send(FROM_ADA, f"#1 ps a1\n\n{quoted}", told, quoting=False)
    assert turns(harness, 1) == ["ps a1"]
    assert not [one for one in letters if SECRET in said(one) and one.to != ADA]
    assert letters[-1].says("game_is_unclear")


@pytest.mark.parametrize("by", ["Fay <fay@example.org>", FROM_BEN])
def test_a_digest_that_was_forwarded_plays_nothing(by: str) -> None:
    harness = club("5", "5", services=BOTH_SIDES)
    for number in (1, 2):
        harness.ben(number, f"ps a{number}")
    (letter,) = harness.digest()
    harness.confirms = False
    square = next(link for link in links(letter) if link.words.startswith("ps"))
    letters = [*harness.send(by, "#1 ps b1\n#2 ps b2\n\nHi!", letter), *(touch(harness, by, square) or ())]
    assert played(harness) == [["ps a1"], ["ps a2"]]
    assert sum(one.asks_who for one in letters) <= 1
    assert not any(tokens(one) & tokens(letter) for one in letters if one.to in by)
    # Whose digest it is asks about a whole mail once, too, and its address is worth nothing after all have read it.
    assert len([one for _ in range(2) for one in harness.send(AS_ADA, "#1 ps b1\n#2 ps b2")]) == 1
    harness.send(AS_ADA, "#1 ps b1\n#2 ps b2", letter, Cc=BEN)
    (asked,) = harness.send(AS_ADA, "#1 undo\n#2 undo", letter)
    assert (asked.asks_who, played(harness)) == (True, [["ps a1", "ps b1"], ["ps a2", "ps b2"]])
