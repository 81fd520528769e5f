"""`learn`: somebody who has never played goes through the lessons, by touching and by typing."""

import re
from dataclasses import replace
from urllib.parse import unquote

import pytest

from takmail.games.bots import Bot, Bots
from tests.support.memory_harness import BOTH_SIDES, WITH_BOTS, MemoryHarness, turns
from tests.support.players import ADA, BEN, TAK, Received, said
from tests.support.proposals import ada
from tests.support.width import combined, some_of

KID = "Kid <kid@example.net>"
HOST = "mx.example.test"
SIGNED = {"Authentication_Results": f"{HOST}; dmarc=pass header.from=example.net"}
SOLVED = (
    "ps b1",
    "me a2 p3 1 1 1",
    "pw c2",
    "mn c4 p1 1",
    "ps d3",
    "ps c3",
    "ps c2",
    "ps c2",
    "me a3 p1 1",
    "ps c1",
)
WRONG = (
    "pw b1",
    "me a2 p3 3",
    "pw a1",
    "mw c4 p1 1",
    "ps b1",
    "pw c3",
    "ps d4",
    "ps b1",
    "pw a2",
    "mw b2 p1 1",
)
_LINK = re.compile(r'href="mailto:([^?"]*)\?subject=([^&"]*)&(?:amp;)?body=([^"]*)"')
_CELL = re.compile(r'href="mailto:[^"]*body=([^"]*)"[^>]*><img[^>]*alt="(\w\d)(?:: |&#65306;)', re.DOTALL)


SERVICES = replace(BOTH_SIDES, authserv_id=HOST)


@pytest.fixture
def harness() -> MemoryHarness:
    return MemoryHarness(services=SERVICES)


def squares(letter: Received) -> dict[str, str]:
    """Return the lines that the squares of the board write, by their names."""
    page = letter.html.replace("\n", " ")
    return {place: unquote(body).strip() for body, place in _CELL.findall(page)}


def touched(harness: MemoryHarness, letter: Received, line: str, who: str = KID, **headers: str) -> Received:
    """Send the mail that a link of a letter opens, and return the answer."""
    links = [tuple(map(unquote, link)) for link in _LINK.findall(letter.html.replace("\n", ""))]
    (to, subject, body) = next(link for link in links if link[2].strip() == line)
    return answer(harness, body, who, to=to, subject=subject, **headers)


def answer(
    harness: MemoryHarness, text: str, who: str = KID, to_letter: Received | None = None, **how: str
) -> Received:
    headers = SIGNED if who == KID else {}
    (letter,) = harness.send(who, text, to_letter, **headers, **how)
    return letter


@pytest.mark.parametrize(("word", "language"), some_of([("learn", "en"), ("урок", "ru"), ("学习", "zh")], 1))
def test_a_newcomer_touches_the_way_through_all_lessons(
    harness: MemoryHarness, word: str, language: str
) -> None:
    letter = answer(harness, word)
    for number, turn in enumerate(SOLVED, 1):
        assert f'lang="{language}"' in letter.html
        line = f"{word} {number} {turn}"
        assert line in squares(letter).values()
        letter = touched(harness, letter, line)
    assert not squares(letter)
    assert letter.says("lessons_are_done")
    assert harness.memory.players == {}


@pytest.mark.parametrize("word", some_of(["learn", "урок", "学习"], 1))
def test_the_lessons_are_answered_by_turns_alone(harness: MemoryHarness, word: str) -> None:
    letter = answer(harness, word)
    for number, turn in enumerate(SOLVED, 1):
        assert f"{word} {number} {turn}" in squares(letter).values()
        letter = answer(harness, turn, to_letter=letter)
    assert letter.says("lessons_are_done")


def test_the_reply_address_alone_names_the_lesson(harness: MemoryHarness) -> None:
    letter = answer(harness, "learn 3")
    (letter,) = harness.deliver(
        harness.mail(KID, "pw c2", letter, threaded=False, quoting=False, **SIGNED).as_bytes()
    )
    assert "Lesson 4 of 10" in said(letter)


def test_a_wrong_turn_is_told_what_it_does_and_the_lesson_stays(harness: MemoryHarness) -> None:
    letter = touched(harness, answer(harness, "learn 3"), "learn 3 pw a1")
    assert "You place a wall on A1. Then Black lays a flat on C2, and that is the road." in said(letter)
    assert "w 0 0 S SS 0 0 0 s A B C Lesson 3 of 10" in said(letter)
    assert set(squares(letter)) == {"A1", "B1", "C1", "C2", "A3", "B3"}


@pytest.mark.parametrize(
    ("how", "number"),
    combined(["touched", "typed", "helpless", "forbidden"], some_of(range(1, len(SOLVED) + 1), 4)),
)
def test_after_two_failures_the_answer_is_shown_and_the_next_lesson_follows(
    harness: MemoryHarness, how: str, number: int
) -> None:
    letter = answer(harness, f"learn {number}")
    for mark in (f"{number}", f"{number}b"):
        assert f"Lesson {number} of 10" in said(letter)
        assert not letter.says("lesson_shown")
        tried = number if how == "helpless" else mark
        assert all(line.startswith(f"learn {tried} ") for line in squares(letter).values())
        if how == "touched":
            letter = answer(harness, f"learn {mark} {WRONG[number - 1]}", to=TAK)
        else:
            words = {
                "typed": WRONG[number - 1],
                "helpless": "I still don't get it" if mark[-1] == "b" else "this is too hard",
                "forbidden": "pc a1",
            }
            letter = answer(harness, words[how], to_letter=letter)
    assert letter.says("lesson_shown")
    following = "That was the last lesson" if number == 10 else f"Lesson {number + 1} of 10"
    assert following in said(letter)
    assert f'Write "learn {number}" to try it again' in said(letter)
    boards = 1 + (how in ("touched", "typed")) + (number < 10)
    assert letter.html.count("<table") == 1 + boards


AT_A_LOSS = (
    "no|no no no",
    "i dont get it|what?",
    "huh|cool!|eh",
    "не понимаю|все равно не понимаю",
    "不懂|为什么",
)


def test_whoever_is_at_a_loss_after_help_is_shown_the_answer(harness: MemoryHarness) -> None:
    for words in AT_A_LOSS:
        letter, shown = answer(harness.scene(), "learn 3"), []
        for line in words.split("|"):
            letter = answer(harness.scene(), line, to_letter=letter)
            shown.append(letter.says("lesson_shown"))
        assert shown == [False] * (len(shown) - 1) + [True], words


NO_TRY = """yes|thats a lot of words|stupid game|bye i have to go to bed|eh|somewhere|谢谢老师|спс|ты злой|хз|да
мне надо идти ужинать, пока|я пошел спать|погоди, щас мама зовет|это слишком сложно|哈哈哈哈|太难了|你真讨厌
先停一下 妈妈叫我吃饭|我要睡觉了 明天再来"""


def test_what_is_no_turn_is_no_try_and_shows_no_answer(harness: MemoryHarness) -> None:
    first = answer(harness, "learn 3b")
    for words in NO_TRY.replace("\n", "|").split("|"):
        letter = answer(harness.scene(), words, to_letter=first)
        assert squares(letter)["C2"].endswith(" 3b pw c2"), words


@pytest.mark.parametrize("kind_words", ["thanks", "Thanks!\n\nKid", "whose turn is it?", "is this a bot?"])
def test_polite_words_are_no_failure(harness: MemoryHarness, kind_words: str) -> None:
    letter = answer(harness, "learn 3")
    for _ in range(2):
        letter = answer(harness, kind_words, to_letter=letter)
    assert "Lesson 3 of 10" in said(letter)
    assert squares(letter)["C2"] == "learn 3 pw c2"


@pytest.mark.parametrize(
    ("word", "words"), some_of([("learn", "help"), ("урок", "помоги"), ("学习", "提示")], 1)
)
def test_who_asks_for_help_in_each_lesson_is_no_program(
    harness: MemoryHarness, word: str, words: str
) -> None:
    letter = answer(harness, word)
    for _ in range(2 * len(SOLVED)):
        letter = answer(harness, words, to_letter=letter)
    assert letter.says("lessons_are_done")


@pytest.mark.parametrize("word", ["learn", "урок", "学习"])
def test_no_letter_of_the_course_has_words_of_experts(harness: MemoryHarness, word: str) -> None:
    letters = [answer(harness, f"{word} {number}b {turn}") for number, turn in enumerate(WRONG, 1)]
    for letter in letters:
        assert not re.search(r"tinue|tinuë|тинуэ|[RF]-0|checksum|校验|контрольн", letter.text, re.IGNORECASE)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("ps a2", "The rules do not allow that: A2 is not empty: a black flat stands there."),
        ("me b2 p1 1", "The rules do not allow that: the stack on B2 is not White's to move"),
        ("ps z9", "The rules do not allow that: there is no square Z9 on this board"),
        ("c2", "A good move! You place a wall on C2. Black can't get through."),
        ("a wall on c2", "A good move! You place a wall on C2. Black can't get through."),
        ("rules tzaar", "You wrote: rules tzaar"),
        ("learn 5", "Lesson 5 of 10"),
        ("lesson 5", "Lesson 5 of 10"),
        ("learn 11", "That was the last lesson"),
        ("learn 12", "Not done: there are 10 lessons"),
        ("learn 0", "Not done: there are 10 lessons"),
    ],
)
def test_what_else_answers_a_lesson(harness: MemoryHarness, line: str, told: str) -> None:
    assert told in said(answer(harness, line, to_letter=answer(harness, "learn 3")))


@pytest.mark.parametrize("is_called", [True, False])
def test_how_tak_is_called_is_told_to_who_has_not_called_it(harness: MemoryHarness, is_called: bool) -> None:
    letter = answer(harness, f"learn 7 ps c2{' t' * is_called}")
    assert "Black has to stop you now." in said(letter)
    assert ('write a "t" behind the move: "ps c2 t"' in said(letter)) != is_called


@pytest.mark.parametrize("below", ["\n\nWhat fun!", "\nrules", "\nlearn 5"])
def test_what_stands_below_a_turn_ends_no_lesson(harness: MemoryHarness, below: str) -> None:
    letter = answer(harness, f"pw c2{below}", to_letter=answer(harness, "learn 3"))
    assert "Lesson 4 of 10" in said(letter)
    number = 5 if "5" in below else 4
    assert f"Lesson {number + 1} of 10" in said(answer(harness, SOLVED[number - 1], to_letter=letter))


@pytest.mark.parametrize(
    ("words", "who"),
    combined(
        some_of(["hm", "why?", "tak", "I don't know", "somewhere in between", "怎么走"], 4),
        [KID, "Child <child@example.com>"],
    ),
)
def test_words_in_answer_to_a_lesson_get_help(harness: MemoryHarness, words: str, who: str) -> None:
    letter = answer(harness, words, who, answer(harness, "learn 3", who))
    assert letter.says("tak_lesson_clue", lesson="wall")
    assert "Lesson 3 of 10" in said(letter)
    assert "Lesson 4 of 10" in said(answer(harness, "c2", who, letter))


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("whose turn is it", "In a lesson it is always your turn"),
        ("Did I win?", "In a lesson it is always your turn"),
        ("чей ход?", "In a lesson it is always your turn"),
        ("Thank you, that was fun.", "You are welcome!"),
        ("谢谢", "You are welcome!"),
        ("hello", "Hello! Good to have you here."),
        ("привет", "Hello! Good to have you here."),
        ("你好", "Hello! Good to have you here."),
        ("cool!", "Nice to hear from you!"),
        ("are you a robot?", "Yes, I am a program"),
    ],
)
def test_what_is_said_to_the_teacher_is_answered(harness: MemoryHarness, words: str, told: str) -> None:
    letter = answer(harness, words, KID, answer(harness, "learn 3", KID))
    assert told in said(letter)
    assert "Lesson 3 of 10" in said(letter)


@pytest.mark.parametrize(
    ("word", "reply", "told"),
    some_of(
        [
            ("учиться 3", "не понимаю", "Урок 3 из 10"),
            ("учиться 3", "не знаю", "Урок 3 из 10"),
            ("учиться 3", "Дальше!", "Урок 4 из 10"),
            ("学习 3", "不懂", "第3课"),
            ("学习 3", "下一课", "第4课"),
            ("學習 3", "不懂", "第3課"),
            ("learn 3", "next", "Lesson 4 of 10"),
            ("learn 3", "Next lesson please", "Lesson 4 of 10"),
            ("learn 10", "next", "That was the last lesson"),
        ],
        4,
    ),
)
def test_an_answer_in_words_keeps_the_language(
    harness: MemoryHarness, word: str, reply: str, told: str
) -> None:
    assert told in said(answer(harness, reply, to_letter=answer(harness, word)))


ASKED = """what is a wall? wall|墙是什么? wall|стена это что wall|顶石 capstone|how do i win? end
what colour am i colour|how many pieces do i have? number|rules rules"""
"""What is asked in a lesson, and the thing that is explained."""
SAID = """show me L3 answer|答案 L3 answer|第5课 L5|start over L1|назад L2|skip L4|again L3|stop left
стоп left|play a game now game|learn L3|сколько уроков L3"""
"""What is said to the teacher, and what follows: the lesson that is given, the answer shown, or the end."""


def test_what_is_asked_in_a_lesson_is_explained_and_is_no_failure(harness: MemoryHarness) -> None:
    first = answer(harness, "learn 3")
    for row in ASKED.replace("\n", "|").split("|"):
        words, _, topic = row.rpartition(" ")
        letter = answer(harness.scene(), words, to_letter=first)
        assert letter.says("tak_explained", topic=topic), words
        assert squares(letter)["C2"].endswith(" 3 pw c2"), words


@pytest.mark.parametrize(
    ("number", "words", "topic"),
    [
        (5, "ps D3 haha did i win?? yay", "end"),
        (7, "ps c2 and what is komi", "komi"),
        (3, "pw c2. what is a road?", "road"),
        (3, "pw c2 where do roads go?", "road"),
        (1, "b1吧 顶石是什么", "capstone"),
    ],
)
def test_a_turn_is_played_and_a_question_beside_it_is_answered(
    harness: MemoryHarness, number: int, words: str, topic: str
) -> None:
    letter = answer(harness, words, to_letter=answer(harness, f"learn {number}"))
    assert letter.says("tak_explained", topic=topic)
    assert re.search(rf"(?:Lesson |第){number + 1}(?: |课)", said(letter))


def test_a_turn_in_words_is_played(harness: MemoryHarness) -> None:
    for number, words in (
        (2, "i want the 3 to go right, one on each"),
        (4, "move it up"),
        (10, "lay it anywhere"),
    ):
        letter = answer(harness.scene(), words, to_letter=answer(harness.scene(), f"learn {number}"))
        assert letter.says("lesson_right"), words


def test_the_answer_of_the_lesson_before_is_no_try(harness: MemoryHarness) -> None:
    letter = answer(harness, SOLVED[1], to_letter=answer(harness, "learn 3"))
    assert letter.says("lesson_earlier", number=2)
    assert squares(letter)["C2"] == "learn 3 pw c2"


def test_a_question_is_played_in_no_lesson_and_is_no_failure(harness: MemoryHarness) -> None:
    first = answer(harness, "learn 3")
    for words in (
        "can i go on b2?",
        "maybe c3",
        "can i put two",
        "why",
        "can we stop?",
    ):
        letter = answer(harness.scene(), words, to_letter=first)
        assert letter.says("lesson_asked"), words
        assert squares(letter)["C2"] == "learn 3 pw c2", words


@pytest.mark.parametrize(
    "text",
    [
        "Hello!\n\nwall on C2\n\nTom",
        "你好\npw c2",
        "wall on C2. Is that right?",
        "My sister helps me today.\nHow are you?\n\npw c2\n\nTom",
    ],
)
def test_small_talk_and_questions_may_stand_beside_a_turn(harness: MemoryHarness, text: str) -> None:
    assert "Lesson 4 of 10" in said(answer(harness, text, to_letter=answer(harness, "learn 3")))


def test_what_is_said_to_the_teacher_is_done(harness: MemoryHarness) -> None:
    harness.change(bots=WITH_BOTS.bots)
    first = answer(harness, "learn 3")
    for row in SAID.replace("\n", "|").split("|"):
        words, _, follows = row.removesuffix(" answer").rpartition(" ")
        letter = answer(harness.scene(), words, to_letter=first)
        assert letter.says("lesson_shown") == row.endswith("answer"), words
        if follows in ("left", "game"):
            assert letter.says("lessons_left", said="game" if follows == "game" else "stop"), words
            assert re.search(
                "new 4 vs bot easy|开局 4 对 电脑 简单|новая партия 4 против бота лёгкого", letter.text
            )
            assert not squares(letter)
        else:
            number = int(follows[1:]) + row.endswith("answer")
            assert re.search(rf"(?:Lesson |Урок |第){number}(?: |课)", said(letter)), words
    assert harness.memory.players == {}


@pytest.mark.parametrize(("number", "words"), [(1, "back"), (10, "show me")])
def test_the_first_lesson_has_none_before_it_and_the_last_none_behind(
    harness: MemoryHarness, number: int, words: str
) -> None:
    letter = answer(harness, words, to_letter=answer(harness, f"learn {number}"))
    assert letter.says("lessons_are_done") == (number == 10)
    assert ("Lesson 1 of 10" in said(letter)) == (number == 1)


def test_who_leaves_the_lessons_still_gets_mail_until_they_write_stop_again() -> None:
    harness = MemoryHarness()
    harness.begin()
    (lesson,) = ada(harness, "learn 3")
    (left,) = harness.send(f"Ada <{ADA}>", "stop", lesson)
    assert not harness.table().players[0].wants_no_mail
    harness.send(f"Ada <{ADA}>", "stop", left)
    assert harness.table().players[0].wants_no_mail


def test_who_wants_no_mail_at_all_says_so_in_a_lesson_as_its_letter_says() -> None:
    for words in ("unsubscribe", "no more mails", "stop the letters", "хватит писем"):
        harness = MemoryHarness(confirms=False)
        (letter,) = harness.send(KID, "learn")
        assert letter.says("if_you_have_not_written", has_lesson=True)
        (told,) = harness.send(KID, words, letter)
        assert not told.says("lessons_left", said="stop"), words
        assert [player.wants_no_mail for player in harness.memory.players.values()] == [True], words


def test_a_link_shows_the_answer(harness: MemoryHarness) -> None:
    for word, line in (("learn", "learn 3 answer"), ("урок", "урок 3 ответ"), ("学习", "学习 3 答案")):
        letter = touched(harness, answer(harness, f"{word} 3"), line)
        assert letter.says("lesson_shown")


def test_words_in_answer_to_a_lesson_reach_no_opponent() -> None:
    harness = MemoryHarness()
    harness.begin()
    (lesson,) = ada(harness, "learn 3")
    letters = harness.send(f"Ada <{ADA}>", "hm, why is that?", lesson)
    assert ["Lesson 3 of 10" in said(letter) for letter in letters] == [True]


def test_a_program_that_answers_lessons_is_left_alone(harness: MemoryHarness) -> None:
    letter, given = answer(harness, "learn 3"), 0
    for number in range(6):
        letters = harness.send(KID, f"I have received your mail, number {number}.", letter, **SIGNED)
        given += bool(letters)
        letter = letters[0] if letters else letter
    assert given <= 3


def test_the_board_is_one_picture_and_the_letter_is_short(harness: MemoryHarness) -> None:
    letter = answer(harness, "learn")
    assert letter.html.count("<table") == 2  # the page and the board
    assert len(squares(letter)) == 7
    assert squares(letter)["B1"] == "learn 1 ps b1"


def test_a_lesson_can_be_forwarded(harness: MemoryHarness) -> None:
    parents = answer(harness, "learn")
    links = _LINK.findall(parents.html.replace("\n", ""))
    assert {unquote(to) for to, _, _ in links} == {TAK}
    token = str(parents.mail["Reply-To"]).partition("+")[2].split(".")[1]
    assert token not in parents.html
    child = touched(harness, parents, "learn 1 ps b1", "Child <child@example.com>")
    assert child.to == "child@example.com"
    assert child.says("lesson_heading", number=2, count=10, title="moving a stack")


def test_a_stranger_gets_a_lesson_as_text_and_the_next_one_with_a_board(harness: MemoryHarness) -> None:
    stranger = "Child <child@example.com>"
    letter = answer(harness, "learn", stranger)
    assert letter.html == ""
    assert letter.says("lesson_to_stranger")
    assert letter.says("if_you_have_not_written", has_lesson=True)
    letter = answer(harness, "ps b1", stranger, letter)
    assert squares(letter)
    assert not letter.says("lesson_to_stranger")


def test_strangers_get_no_more_lessons_than_other_letters(harness: MemoryHarness) -> None:
    limit = harness.services.rates.stranger_answers_per_hour
    letters = [harness.send("Child <child@example.com>", f"learn {one % 8 + 1}") for one in range(limit + 3)]
    assert [len(one) for one in letters] == [1] * limit + [0] * 3


def test_a_strangers_words_are_not_repeated(harness: MemoryHarness) -> None:
    letters = harness.send("Child <child@example.com>", "learn 3 ps b4 buy cheap watches")
    assert not any("watches" in letter.text for letter in letters)


def test_a_lesson_is_a_letter_of_its_own_beside_a_game() -> None:
    harness = MemoryHarness()
    harness.begin()
    (lesson,) = ada(harness, "learn 3")
    assert "[tak #1]" not in lesson.subject
    harness.send(f"Ada <{ADA}>", "pw c2", lesson)
    assert harness.table().turns == ()
    assert "Lesson 4 of 10" in said(harness.last(ADA))


@pytest.mark.parametrize("line", ["#1 ps c2", "#1\nps c2"])
def test_a_turn_that_names_a_game_is_played_there(line: str) -> None:
    harness = MemoryHarness()
    harness.begin()
    (lesson,) = ada(harness, "learn 3")
    harness.send(f"Ada <{ADA}>", line, lesson)
    assert turns(harness) == ["ps c2"]


def test_beside_other_commands_its_lines_name_the_lesson() -> None:
    harness = MemoryHarness()
    harness.begin()
    (letter,) = ada(harness, "learn 3\nturn")
    assert 'Write your move behind the number of the lesson, as in "learn 3 pw a1".' in said(letter)
    harness.send(f"Ada <{ADA}>", "learn 3 pw c2", letter)
    assert harness.table().turns == ()
    assert "Lesson 4 of 10" in said(harness.last(ADA))


def test_a_game_may_have_no_lessons() -> None:
    harness = MemoryHarness()
    harness.begin("tzaar")
    (letter,) = ada(harness, "learn")
    assert "Not done: there are no lessons in this game yet." in said(letter)


def test_an_invitation_to_such_a_game_offers_none(harness: MemoryHarness) -> None:
    for game, guest, is_offered in (("tzaar", BEN, False), ("5", "cleo@example.org", True)):
        harness.send(f"Ada <{ADA}>", f"new {game} vs {guest}")
        lines = {unquote(body).strip() for _, _, body in _LINK.findall(harness.last(guest).html)}
        assert ("learn" in lines) == is_offered


def test_who_is_invited_can_learn_first_and_then_accept() -> None:
    harness = MemoryHarness()
    harness.send(f"Ada <{ADA}>", f"new 5 vs {BEN}")
    invitation = harness.last(BEN)
    assert 'Never played? Answer "learn" first for short lessons' in said(invitation)
    harness.send(f"Ben <{BEN}>", "learn", invitation)
    assert "Lesson 1 of 10" in said(harness.last(BEN))
    harness.send(f"Ben <{BEN}>", "accept", invitation)
    assert harness.table().turns == ()


@pytest.mark.parametrize(("line", "is_told"), [("rules", True), ("rules tzaar", False)])
def test_the_rules_name_the_lessons(harness: MemoryHarness, line: str, is_told: bool) -> None:
    assert answer(harness, line).says("lessons_teach_it") == is_told


def test_the_welcome_offers_the_lessons() -> None:
    harness = MemoryHarness()
    (letter,) = harness.send("Kid <kid@example.net>", "Hello, what is this?")
    assert "to learn to play, in short lessons" in said(letter)
    (letter,) = harness.send("Kid <kid@example.net>", "learn", letter)
    assert "Lesson 1 of 10" in said(letter)


def test_after_the_last_lesson_a_bot_waits(harness: MemoryHarness) -> None:
    letter = answer(harness, "learn 10 ps c2")
    assert "seek 5" in said(letter)
    assert "vs bot" not in said(letter)
    harness.change(bots=Bots((Bot("tei", lambda _game, setup: setup == "5"), Bot("fair"), Bot("best"))))
    letter = answer(harness, "урок 10 ps c2")
    assert "новая партия 4 против бота среднего" in said(letter)
    touched(harness, letter, "новая партия 4 против бота среднего")
    assert harness.table().record.setup == "4"


@pytest.mark.parametrize("ending", ["learn 10 ps c2", "learn 3 stop"])
def test_what_is_offered_after_the_lessons_is_picked_by_an_answer(
    harness: MemoryHarness, ending: str
) -> None:
    harness.change(bots=WITH_BOTS.bots)
    offered = answer(harness, ending)
    for words, kind in (
        ("thanks", "thanks"),
        ("boring", "tired"),
        ("i don't want to play a game", "tired"),
        ("ok bye", "later"),
    ):
        polite = answer(harness.scene(), words, to_letter=offered)
        assert polite.says("courtesy_behind_lessons", kind=kind), words
    for words, why in (("no thanks", "stop"), ("who is patient", "else")):
        assert answer(harness.scene(), words, to_letter=offered).says("lessons_left", said=why), words
    answer(harness, "yes", to_letter=offered)
    assert harness.table().record.setup == "4"


def test_thanks_for_the_lessons_reach_no_opponent() -> None:
    harness = MemoryHarness()
    harness.begin()
    (ended,) = ada(harness, "learn 10 ps c2")
    letters = harness.send(f"Ada <{ADA}>", "thanks, that was fun", ended)
    assert [letter.says("courtesy_behind_lessons", kind="thanks") for letter in letters] == [True]


@pytest.mark.parametrize(
    "line",
    [
        "learn to play",
        "teach me",
        "Tutorial",
        "How can I learn to play Tak?",
        "Hello, I have never played Tak. Can you teach me?",
        "научи меня играть",
        "обучение",
        "教我下棋",
        "learn lesson 1",
    ],
)
def test_it_is_asked_in_many_ways(harness: MemoryHarness, line: str) -> None:
    letter = answer(harness, line)
    assert re.search(r"Lesson 1 of 10|Урок 1 из 10|第1课", said(letter))


@pytest.mark.parametrize("line", ["learn 3 new openings", "learn from it", "learning is fun"])
def test_what_is_said_of_learning_is_no_lesson(line: str) -> None:
    harness = MemoryHarness()
    harness.begin()
    ada(harness, line)
    assert not any("Lesson" in letter.text for letter in harness.box)
