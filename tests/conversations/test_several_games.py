"""A mail for several games is split, and one letter answers all of its parts."""

import re
from dataclasses import replace
from datetime import timedelta
from urllib.parse import unquote

import pytest

from takmail.limits.mails import MAX_PARTS
from takmail.mail.message import MachineSign
from tests.support.memory_harness import BOTH_SIDES, MemoryHarness, turns
from tests.support.players import ADA, BEN, Received, said
from tests.support.scenes import played_once
from tests.support.width import combined, some_of

FROM_ADA, FROM_BEN = f"Ada <{ADA}>", f"Ben <{BEN}>"
FAY = "fay@example.org"


def begun(harness: MemoryHarness, games: int, *others: str) -> Received:
    """Begin games of Ada's, the last ones against others than Ben. Return the list of them."""
    begin_games(harness, games, *others)
    return harness.last(ADA)


@played_once
def begin_games(harness: MemoryHarness, games: int, *others: str) -> None:
    opponents = [BEN] * (games - len(others)) + [*others]
    for opponent in opponents:
        name = opponent[:3].capitalize()
        harness.send(FROM_ADA, f"new 5 vs {opponent} first=me")
        harness.send(f"{name} <{opponent}>", "accept", harness.last(opponent))
    harness.send(FROM_ADA, "games")


def to_ada(letters: list[Received]) -> Received:
    """Return the only letter to Ada."""
    (found,) = (one for one in letters if one.to == ADA)
    return found


def played(harness: MemoryHarness, games: int) -> list[list[str]]:
    return [turns(harness, number) for number in range(1, games + 1)]


NINE = """Hello!

#1 ps a1
#2
ps b2

Good luck, Ben!

#3: ps c9
#4 ps d4
#5 ps e5
#6 ps a2
#7 ps b1
#8 ps c2
Fay, well met!
#9 ps d3
"""


def test_nine_moves_are_played_and_told_in_one_letter(harness: MemoryHarness) -> None:
    listed = begun(harness, 12, FAY, FAY, FAY, FAY, FAY)
    listed = to_ada(harness.send(FROM_ADA, "\n".join(f"#{number} rs" for number in range(1, 13)), listed))
    # Game 4 moves on: Ada plays there, and so does Ben.
    harness.send(
        FROM_ADA,
        "ps a1",
        next(one for one in reversed(harness.box) if "#4]" in one.subject and one.to == ADA),
    )
    harness.send(FROM_BEN, "ps b1", harness.last(BEN))
    letters = harness.send(FROM_ADA, NINE, listed)
    assert played(harness, 12) == [
        ["ps a1"], ["ps b2"], [], ["ps a1", "ps b1"], ["ps e5"], ["ps a2"], ["ps b1"], ["ps c2"], ["ps d3"], [], [], [],
    ]  # fmt: skip
    told = to_ada(letters)
    assert told.says("parts_told", moves=7, others=0, failed=2, is_later=False)
    assert [line for line in told.lines if line.startswith("#")] == [
        f"#{number} · {'Fay' if number > 7 else 'Ben'} · 5x5" for number in range(1, 10)
    ]
    assert harness.notes[-1] == ("answered", "split into 9 parts")
    words = {one.to: said(one) for one in letters if "Good luck" in one.text or "well met" in one.text}
    assert "Good luck" in words[BEN]
    assert "well met" not in words[BEN]
    assert "Fay, well met!" in words[FAY]
    assert "Good luck" not in words[FAY]


def test_what_is_typed_below_a_quoted_heading_is_for_its_game(harness: MemoryHarness) -> None:
    listed = begun(harness, 3)
    told = to_ada(harness.send(FROM_ADA, "#1 ps a1\n#2 ps c9\n#3 ps c8", listed))
    assert told.says("parts_told", moves=1, others=0, failed=2, is_later=False)
    quote = "\n".join(f"> {line}" for line in told.lines)
    inline = quote.replace("> #3 ·", "ps b2\n\n> #3 ·") + "\n\nps c3\n"
    letters = harness.send(FROM_ADA, f"On Sat, Tak wrote:\n{inline}", told, quoting=False)
    assert played(harness, 3) == [["ps a1"], ["ps b2"], ["ps c3"]]
    assert to_ada(letters).says("parts_told", moves=2, others=0, failed=0, is_later=False)
    within = quote.replace("> #3 ·", "> rs\n> Well met, Ben!\n>\n> #3 ·")
    letters = harness.send(FROM_ADA, f"On Sat, Tak wrote:\n{within}\n", told, quoting=False)
    assert [one.subject.partition("]")[0] for one in letters if "Well met, Ben!" in said(one)] == ["[tak #2"]
    only = f"On Sat, Tak wrote:\n{quote}\n\nundo\n"
    letters = harness.send(FROM_ADA, only, told, quoting=False)
    assert played(harness, 3) == [["ps a1"], ["ps b2"], []]
    assert "#3]" in to_ada(letters).subject


def test_words_are_no_heading(harness: MemoryHarness) -> None:
    begun(harness, 2)
    harness.send(FROM_ADA, "#1 ps a1\n#2 ps b2", harness.last(ADA))
    of_first = [one for one in harness.box if "#1]" in one.subject and one.to == BEN]
    harness.send(FROM_BEN, "ps e5\n\nAda, #2 · Ben · 5x5", of_first[-1])
    assert "| Ada, #2 " in harness.last(ADA).text
    assert "#2 ·" not in harness.last(ADA).text


def test_a_board_that_was_asked_for_is_shown(harness: MemoryHarness) -> None:
    told = to_ada(harness.send(FROM_ADA, "#1 ps a1\n#2 rs", begun(harness, 2)))
    assert told.lines.count("0 0 0 0 0") == 5


def test_who_wants_no_receipts_hears_only_of_what_was_not_done(harness: MemoryHarness) -> None:
    listed = begun(harness, 3)
    harness.send(FROM_ADA, "receipts off", listed)
    assert [one.to for one in harness.send(FROM_ADA, "#1 ps a1\n#2 ps b2", listed)] == [BEN, BEN]
    told = to_ada(harness.send(FROM_ADA, "#3 ps c9\n#2 undo", listed))
    assert "#3 ·" in told.text


def test_numbers_alone_name_games_in_a_mail_that_answers_nothing(harness: MemoryHarness) -> None:
    begun(harness, 2)
    harness.send(FROM_ADA, "#1\nps a1\n\n#2\nps b2")
    assert played(harness, 2) == [["ps a1"], ["ps b2"]]
    harness.send(FROM_BEN, "ps e5", harness.last(BEN))
    listed = harness.send(FROM_ADA, "games")[-1]
    harness.send(FROM_ADA, "#2\nps c3\nWell played!", listed, quoting=False)
    assert turns(harness, 2) == ["ps b2", "ps e5", "ps c3"]
    assert "#2" not in harness.last(BEN).text.partition("--------")[0]
    assert "Well played!" in harness.last(BEN).text


def test_names_of_opponents_name_games(harness: MemoryHarness) -> None:
    begun(harness, 2, FAY)
    harness.send(FROM_ADA, "Ben: ps a1\nfay\nps b2\nSee you!", harness.last(ADA))
    assert played(harness, 2) == [["ps a1"], ["ps b2"]]
    assert "See you!" in said(harness.last(FAY))
    assert "See you!" not in said(harness.last(BEN))


@pytest.mark.parametrize(
    "mail",
    [
        "Ben: ps a1\nFay：ps b2",
        "#1 Ben\nps a1\n#2 Fay\nps b2",
        "№1 ps a1\n№ 2 ps b2",
        "＃1\nps a1\n＃2\nps b2",
        "#1：ps a1\n#2：ps b2",
        "- #1 ps a1\n- #2 ps b2",
    ],
)
def test_games_are_named_in_many_ways(harness: MemoryHarness, mail: str) -> None:
    harness.send(FROM_ADA, mail, begun(harness, 2, FAY))
    assert played(harness, 2) == [["ps a1"], ["ps b2"]]


@pytest.mark.parametrize(
    ("mail", "answers"),
    combined(
        ["Ben: ps a1", "Ben\nps a1", "#1 Ben\nps a1", "№1 ps a1", "＃1: ps a1", "#1：ps a1"], [True, False]
    ),
)
def test_a_game_is_named_alone(harness: MemoryHarness, mail: str, *, answers: bool) -> None:
    listed = begun(harness, 2, FAY)
    harness.send(FROM_ADA, mail, listed if answers else None)
    if not answers:
        harness.send(FROM_ADA, "yes", harness.last(ADA))
    assert played(harness, 2) == [["ps a1"], []]


def test_orders_above_the_first_heading_are_a_part_without_a_game(harness: MemoryHarness) -> None:
    listed = begun(harness, 2)
    told = to_ada(harness.send(FROM_ADA, "zone Europe/Berlin\n\n#1 ps a1\n#2 ps b2", listed))
    assert played(harness, 2) == [["ps a1"], ["ps b2"]]
    assert "Europe/Berlin" in told.text
    assert harness.notes[-1] == ("answered", "split into 3 parts")


@pytest.mark.parametrize(
    ("words", "is_proven"),
    combined(["You all play well!", "see my answers below", "I like all of these games."], [True, False]),
)
def test_words_above_the_first_heading_are_told_in_one_line(
    harness: MemoryHarness, words: str, *, is_proven: bool
) -> None:
    listed = begun(harness, 2, FAY)
    letters = harness.send(FROM_ADA, f"{words}\n\n#1 ps a1\n#2 ps b2", listed if is_proven else None)
    told = to_ada(letters)
    assert told.says("parts_told", moves=2, others=0, failed=0, is_later=False)
    assert told.says("words_for_no_game")
    assert not any(words in one.text for one in letters)
    assert not told.says("game_is_unclear")


def test_a_greeting_above_the_first_heading_is_not_told(harness: MemoryHarness) -> None:
    told = to_ada(harness.send(FROM_ADA, "Hello!\n\n#1 ps a1\n#2 ps b2", begun(harness, 2, FAY)))
    assert not told.says("words_for_no_game")


@pytest.mark.parametrize(
    ("above", "below"),
    some_of(
        [
            ("Hi all,", "cheers, Ada"),
            ("Good morning everyone!", "Good luck to all of you!\nAda"),
            ("Hi Ben, hi Fay,", "--\nAda\nphone 123"),
            ("大家好，", "祝好\n阿达"),
            ("各位好", "谢谢大家"),
            ("Всем привет!", "С уважением,\nАда"),
            ("Здравствуйте, все!", "Удачи всем!\nАда"),
        ],
        3,
    ),
)
def test_a_greeting_and_a_signature_go_nowhere(harness: MemoryHarness, above: str, below: str) -> None:
    listed = begun(harness, 2, FAY)
    letters = harness.send(FROM_ADA, f"{above}\n\n#1 ps a1\n#2 ps b2\n\n{below}", listed)
    assert played(harness, 2) == [["ps a1"], ["ps b2"]]
    assert not any("writes:" in one.text or one.says("words_for_no_game") for one in letters)


def test_who_wants_no_receipts_hears_of_words_that_nobody_got(harness: MemoryHarness) -> None:
    listed = begun(harness, 2, FAY)
    harness.send(FROM_ADA, "receipts off", listed)
    assert to_ada(harness.send(FROM_ADA, "see below\n#1 ps a1\n#2 ps b2", listed)).says("words_for_no_game")


def test_the_end_of_a_game_has_a_letter_of_its_own(harness: MemoryHarness) -> None:
    listed = begun(harness, 2)
    harness.send(FROM_BEN, "draw", next(one for one in harness.box if "#2]" in one.subject and one.to == BEN))
    letters = [one for one in harness.send(FROM_ADA, "#1 ps a1\n#2 draw", listed) if one.to == ADA]
    assert [one.says("part_has_own_letter", number=2) for one in letters] == [False, True]


def test_a_question_in_a_part_is_answered_below_its_heading(harness: MemoryHarness) -> None:
    listed = begun(harness, 2)
    told = to_ada(harness.send(FROM_ADA, "#1 ps a1\n#2 resign", listed))
    assert told.says("parts_told", moves=1, others=0, failed=1, is_later=False)
    harness.send(FROM_ADA, "#2 yes", told)
    assert harness.table(2).record.is_over
    assert not harness.table(1).record.is_over


@pytest.mark.parametrize("typed", ["#1 yes", "#1\nyes\n\n#2 ps b2"])
def test_a_question_that_the_answered_letter_does_not_tell_is_not_answered(
    harness: MemoryHarness, typed: str
) -> None:
    listed = begun(harness, 2)
    asks = to_ada(harness.send(FROM_ADA, "#1 resign", listed))
    listed = harness.send(FROM_ADA, "games")[-1]
    assert "resign" not in listed.text
    harness.send(FROM_ADA, typed, listed)
    assert not harness.table(1).record.is_over
    harness.send(FROM_ADA, "yes", asks)
    assert harness.table(1).record.is_over


def test_a_part_is_not_split_again(harness: MemoryHarness) -> None:
    listed = begun(harness, 3)
    told = to_ada(harness.send(FROM_ADA, "#1 ps a1\n#2 ps c3\n#2: #3 ps b2", listed))
    assert told.says("parts_told", moves=1, others=0, failed=1, is_later=False)
    assert told.says("disagree", games=(2, 3))
    assert played(harness, 3) == [["ps a1"], [], []]


def test_games_over_the_limit_are_named(harness: MemoryHarness) -> None:
    listed = begun(harness, 2)
    text = "\n".join(f"#{number} ps a1" for number in range(1, MAX_PARTS + 3))
    told = to_ada(harness.send(FROM_ADA, text, listed))
    assert told.says("parts_left_out", games=(MAX_PARTS + 1, MAX_PARTS + 2), most=MAX_PARTS)
    assert played(harness, 2) == [["ps a1"], ["ps a1"]]


def test_a_mail_for_several_games_counts_as_one_answer() -> None:
    harness = MemoryHarness()
    listed = begun(harness, 8)
    harness.confirms = False
    harness.now += timedelta(hours=2)
    harness.change(rates=replace(harness.services.rates, answers_per_hour=3))
    moves = "\n".join(f"#{number} ps a1" for number in range(1, 9))
    told = to_ada(harness.send(FROM_ADA, moves, listed))
    assert told.says("parts_told", moves=8, others=0, failed=0, is_later=False)
    assert [len(harness.send(FROM_ADA, "games", told)) for _ in range(4)] == [1, 1, 1, 0]
    assert harness.last(ADA).says("pace", most=3)


def test_a_part_that_is_not_read_is_named() -> None:
    harness = MemoryHarness()
    listed = begun(harness, 2)
    number = harness.split(harness.mail(FROM_ADA, "#1 ps a1\n#2 ps b2", listed).as_bytes()).row.id
    first, second = (harness.claim_part(by) for by in ("one", "two"))
    harness.keep(harness.decide(first))
    rejected = replace(second, message=replace(second.message, machine=MachineSign.AUTO_SUBMITTED))
    harness.keep(harness.decide(rejected))
    told = to_ada(harness.answer_parts(number))
    assert told.says("parts_told", moves=1, others=0, failed=1, is_later=False)
    assert told.says("part_not_done", number=2)


def test_an_answer_does_not_wait_for_ever(harness: MemoryHarness) -> None:
    listed = begun(harness, 4)
    text = "#1 ps a1\n#2 ps b2\n#3 ps c3\n#4 ps d4"
    number = harness.split(harness.mail(FROM_ADA, text, listed).as_bytes()).row.id
    assert [one.to for one in harness.handle_parts(2)] == [BEN, BEN]
    harness.now += timedelta(minutes=11)
    told = to_ada(harness.answer_parts(number))
    assert told.says("parts_wait", games=(3, 4))
    assert harness.answer_parts(number) == []
    # One letter tells the rest, however long each part of it takes.
    assert [one.to for one in harness.handle_parts(1)] == [BEN]
    harness.now += timedelta(minutes=11)
    assert harness.answer_parts(number) == []
    rest = to_ada(harness.handle_parts())
    assert rest.says("parts_told", moves=2, others=0, failed=0, is_later=True)
    assert "#1 ·" not in rest.text
    assert harness.answer_parts(number) == []


def test_a_mail_that_is_split_twice_is_played_once(harness: MemoryHarness) -> None:
    listed = begun(harness, 2)
    mail = harness.split(harness.mail(FROM_ADA, "#1 ps a1\n#2 ps b2", listed).as_bytes())
    harness.handle_parts()
    harness.put_back(mail)
    harness.keep(harness.decide(mail))
    assert [one for one in harness.handle_parts() if one.to == BEN] == []
    assert played(harness, 2) == [["ps a1"], ["ps b2"]]


def test_two_processes_that_handle_the_last_parts_write_one_letter(harness: MemoryHarness) -> None:
    listed = begun(harness, 2)
    number = harness.split(harness.mail(FROM_ADA, "#1 ps a1\n#2 ps b2", listed).as_bytes()).row.id
    first, second = (harness.claim_part(by) for by in ("one", "two"))
    harness.keep(harness.decide(second))
    assert harness.answer_parts(number) == []
    harness.keep(harness.decide(first))
    assert to_ada(harness.answer_parts(number)).text.index("#1 ·") < harness.last(ADA).text.index("#2 ·")
    assert harness.answer_parts(number) == []


def test_the_board_of_what_was_not_done_is_a_touch_away() -> None:
    harness = MemoryHarness(services=BOTH_SIDES)
    listed = begun(harness, 2)
    told = to_ada(harness.send(FROM_ADA, "#1 ps a1\n#2 ps c9", listed))
    (link,) = re.findall(r'href="mailto:tak%2B(2[^"?]*)[^"]*body=rs%0D%0A"', told.html)
    again = harness.send(FROM_ADA, "rs", to=f"tak+{unquote(link)}")
    assert "#2]" in to_ada(again).subject
