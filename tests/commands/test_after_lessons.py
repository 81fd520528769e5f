"""What answers a letter that ends the lessons picks one of the lines that it offers."""

from takmail.commands.after_lessons import with_choice
from takmail.games.teaching import LessonMark
from tests.support.memory_harness import BOTH_SIDES, WITH_BOTS

LEFT = LessonMark(3, is_ended=True)
FIRST, SEEK, AGAIN = "new 4 vs bot easy", "seek 5", "learn 3"
PICKED = {
    FIRST: "yes|ok|play|1|1.|let's play|да|好|Yes please!|the first one",
    SEEK: "2|the second|второе",
    AGAIN: "3|again|ещё раз|再来一次|go on|lets go on, sorry|where was i|go on with the lessons|i'm back|"
    "продолжим урок|继续学",
    "learn 4": "next|next lesson|дальше|下一课",
    "learn 7": "i want to do lesson 7|хочу урок 7|第七课",
    "learn 1": "once more from the start|从头再上一遍",
}
NOTHING = "thanks|no|stop|bye|怎么下棋呢|learn 5|new 5 vs ben@example.org|pw c2|why?|hm|unsubscribe|5"

REFUSED = """i don't want to play with anyone|do i play with anyone now?|не хочу с кем угодно|我不想公开找对手下一局
не хочу играть|больше не хочу играть|i don't want to play a game|i won't play now|i can't play now|我不想下棋
ok bye|хорошо, до свидания|好的再见"""


def test_an_answer_picks_an_offered_line_and_all_else_stays_as_it_is() -> None:
    for line, texts in PICKED.items():
        for text in texts.split("|"):
            assert with_choice(WITH_BOTS, "en", LEFT, text).splitlines()[0] == line, text
    for text in f"{NOTHING}|{REFUSED}".replace("\n", "|").split("|"):
        assert with_choice(WITH_BOTS, "en", LEFT, text) == text


def test_it_picks_a_line_in_the_language_of_the_letter_and_keeps_what_is_below() -> None:
    assert with_choice(WITH_BOTS, "ru", LEFT, "да\n\nTom") == "новая партия 4 против бота лёгкого\n\nTom"


def test_behind_the_last_lesson_all_are_done() -> None:
    done = LessonMark(11, is_ended=True)
    picked = {text: with_choice(WITH_BOTS, "en", done, text).strip() for text in ("next", "again", "3")}
    assert picked == {"next": "learn 11", "again": "learn 11", "3": "learn 1"}


def test_without_bots_the_first_line_seeks_an_opponent() -> None:
    picked = [with_choice(BOTH_SIDES, "en", LessonMark(1, is_ended=True), text) for text in ("yes", "2")]
    assert [text.strip() for text in picked] == [SEEK, "learn 1"]
