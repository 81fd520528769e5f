"""What comes of answers as people write them: nothing that can't be taken back is agreed to by accident."""

from collections.abc import Mapping, Sequence
from functools import cache

import pytest

from takmail.world.kinds import Standing
from tests.support.memory_harness import MemoryHarness, turns
from tests.support.players import ADA, BEN, said
from tests.support.tables import each_row
from tests.support.width import combined, some_of, tenth_of

AS_ADA, AS_BEN = f"Ada <{ADA}>", f"Ben <{BEN}>"
NEW_ADDRESS = "ada2@example.org"
MOVES = ["ps a1", "ps e5", "ps c3", "pw c2"]
FINAL = {
    "resign": (AS_ADA, "resign"),
    "address": (AS_ADA, f"address add {NEW_ADDRESS}"),
    "forget me": (AS_ADA, "forget me"),
    "draw": (AS_BEN, "draw"),
    "undo": (AS_BEN, "undo"),
    "board": (AS_BEN, "propose back 2"),
}
"""What can't be taken back once Ada has answered, and the mail that leads to it."""


@cache
def played(name: str) -> MemoryHarness:
    """Return the scene before Ada's answer. It is played once, so copy it before a mail."""
    harness = MemoryHarness()
    if name == "invited":
        harness.send(AS_BEN, f"new 5 vs {ADA}")
    else:
        harness.begin_and_play(*MOVES)
        harness.memory.send_all()
    harness.confirms = False
    if name in FINAL:
        writer, order = FINAL[name]
        harness.send(writer, order, harness.last(ADA if writer == AS_ADA else BEN))
    return harness


def answered(name: str, text: str) -> MemoryHarness:
    """Return the scene after Ada's answer. `box` has the letters that it led to."""
    harness = played(name).scene()
    before = harness.last(ADA)
    harness.box.clear()
    harness.send(AS_ADA, text, before)
    return harness


def is_done(harness: MemoryHarness) -> bool:
    """Return whether anything was done that can't be taken back."""
    people = harness.memory.players.values()
    return (
        harness.table().record.standing is Standing.OVER
        or turns(harness) != MOVES
        or any(one.is_erased for one in people)
        or any(one.to == NEW_ADDRESS for one in harness.box)
    )


YES = [
    "yes",
    "Yes!",
    "y",
    "ok",
    "OK.",
    "Sure",
    "yes, please",
    "Yes, thanks",
    "yep :)",
    "Hi, yes",
    "yes\n\nThanks for the game!\nAda",
    "да",
    "好的",
    "是",
]
NOT_YES = [
    *(
        "ok, let me think",
        "ok let me think",
        "yes, but not now",
        "yes?",
        "Ok?",
        "yes, tomorrow",
        "sure, why should I?",
    ),
    *("no", "No!", "nope", "no thanks", "No, thank you", "not now", "нет", "不", "不是"),
    *(
        "好久不见",
        "不错",
        "не вопрос",
        "давайте потом",
        "да, но не сейчас",
        "好，我再想想",
        "draw?",
        "👍",
        "gg",
    ),
    *(
        "yes no",
        "no, I mean yes",
        "yes, wait",
        "maybe yes",
        "no idea",
        "I think so",
        "ok, what is this about?",
    ),
    *(
        "ok\n\nLet us play on.",
        "yes\n\nAda, I want to go on playing",
        "ok\ngot your letter, will answer tonight",
        "ok\n\nrefuse",
        "y\nI'd rather fight",
        "Sure\n\nI think I will play ps d4",
        "ok\n\nI'll have a look at it tomorrow",
        "yes\n\nno wait",
    ),
    *("yesterday I was ill", "okra", "noted", "ok\n\nlet me think about it", "yes\nor should I?", "yes\nno"),
    *(
        "Yes, that was a good game",
        "ok, I will look at it on Friday",
        "Ok, nice move",
        "Who asks?",
        "I agree with you",
    ),
]


def rows_of(texts: Mapping[str, Sequence[str]]) -> list[tuple[str, str]]:
    """Return the texts that answer each question: some to `resign`, and few to the others in `make test`.

    What each text means is in tests/commands/grammar/test_answers.py.
    """
    others = some_of(((name, text) for name in texts if name != "resign" for text in texts[name]), 6)
    return [*(("resign", text) for text in some_of(texts["resign"], 8)), *others]


@each_row("name, text", rows_of(dict.fromkeys(FINAL, YES)))
def test_what_cannot_be_taken_back_takes_a_yes_alone(name: str, text: str) -> None:
    assert is_done(answered(name, text))


@each_row(
    "name, text", rows_of({name: NOT_YES if name in ("resign", "draw") else NOT_YES[::5] for name in FINAL})
)
def test_nothing_that_cannot_be_taken_back_is_agreed_to_by_accident(name: str, text: str) -> None:
    assert not is_done(answered(name, text))


@pytest.mark.parametrize(
    ("name", "text"), combined(FINAL, ["ok, let me think", "yes, but not now", "yes?", "да, но не сейчас"])
)
def test_an_unclear_answer_is_asked_about_and_the_next_one_counts(name: str, text: str) -> None:
    harness = answered(name, text)
    assert [one.to for one in harness.box] == [ADA]
    lines = {"draw": "agree", "undo": "agree", "board": "agree"}
    harness.send(AS_ADA, lines.get(name, "yes"), harness.last(ADA))
    assert is_done(harness)


@pytest.mark.parametrize("text", ["ok\nps d4", "yes\n\nps d4\nWhat a game", "Sure\n\nHere is my move: ps d4"])
@pytest.mark.parametrize("name", ["resign", "draw"])
def test_a_yes_above_a_move_ends_no_game_and_the_move_is_played(name: str, text: str) -> None:
    harness = answered(name, text)
    assert harness.table().record.standing is Standing.OPEN
    assert turns(harness) == [*MOVES, "ps d4"]


def test_words_beside_an_unclear_answer_wait() -> None:
    harness = answered("resign", "yes\n\nno wait")
    assert [one.to for one in harness.box] == [ADA]
    assert "Do you want to give this game up?" in said(harness.last(ADA))
    assert "Ben does not have your words yet" in said(harness.last(ADA))
    assert not harness.table().correspondence.waiting_chat


@pytest.mark.parametrize("text", ["no", "no wait", "No, sorry", "no, I want to go on"])
def test_any_no_goes_on(text: str) -> None:
    harness = answered("resign", text)
    assert "Done: nothing has changed, and the game goes on." in said(harness.last(ADA))


@each_row("text", tenth_of([*YES, *NOT_YES]))
def test_where_nothing_is_asked_no_answer_does_anything(text: str) -> None:
    assert not is_done(answered("turn", text))


@pytest.mark.parametrize(
    ("texts", "standing"),
    [
        (
            [
                *(
                    *YES,
                    "accept",
                    "I accept.",
                    "accepted",
                    "Gladly!",
                    "let's play",
                    "play",
                    "Sure, let's play!",
                ),
                *(
                    "No problem, I accept!",
                    "Yes, I'd love to play, it has been a long time",
                    "好，我来",
                    "давай",
                ),
            ],
            Standing.OPEN,
        ),
        (
            [
                "no",
                "No, thank you",
                "not now",
                "I decline",
                "nope",
                "No, I do not play",
                "нет, спасибо",
                "不，谢谢",
            ],
            Standing.DECLINED,
        ),
        (
            [
                *(
                    "ok, let me think",
                    "yes, but who are you?",
                    "Who is this?",
                    "how does it work?",
                    "好久不见",
                    "不错",
                ),
                *(
                    "не вопрос",
                    "давайте потом",
                    "👍",
                    "no, wait",
                    "No worries, who is it?",
                    "Fine weather today",
                    "yes?",
                ),
                *("I'm in Paris now", "Happy to hear from you"),
            ],
            Standing.INVITED,
        ),
    ],
)
def test_an_invitation_is_answered_as_people_write(texts: list[str], standing: Standing) -> None:
    for text in some_of(texts, 5):
        harness = answered("invited", text)
        assert harness.table().record.standing is standing, text
        if standing is Standing.INVITED:
            assert [one.to for one in harness.box] == [ADA], text
            # Whoever answers in Russian or Chinese gets the invitation in it.
            told = said(harness.last(ADA))
            answers = (("accept", "decline"), ("принимаю", "отказываюсь"), ("接受", "谢绝"))
            assert any(yes in told and no in told for yes, no in answers), text
