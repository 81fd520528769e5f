"""What answers a letter that ends the lessons picks one of the lines that it offers."""

from takmail.commands.after_lessons import with_choice
from tests.support.memory_harness import BOTH_SIDES, WITH_BOTS

FIRST, SEEK, AGAIN = "new 4 vs bot easy", "seek 5", "learn 3"
PICKED = {
    FIRST: "yes|ok|play|1|1.|let's play|да|好|Yes please!|the first one",
    SEEK: "2|the second|второе",
    AGAIN: "3|again|ещё раз|再来一次",
}
NOTHING = "thanks|no|stop|learn 5|new 5 vs ben@example.org|pw c2|why?|hm|unsubscribe|4"


def test_an_answer_picks_an_offered_line_and_all_else_stays_as_it_is() -> None:
    for line, texts in PICKED.items():
        for text in texts.split("|"):
            assert with_choice(WITH_BOTS, "en", "3e", text).splitlines()[0] == line, text
    for text in NOTHING.split("|"):
        assert with_choice(WITH_BOTS, "en", "3e", text) == text


def test_it_picks_a_line_in_the_language_of_the_letter_and_keeps_what_is_below() -> None:
    assert with_choice(WITH_BOTS, "ru", "3e", "да\n\nTom") == "новая партия 4 против бота easy\n\nTom"


def test_without_bots_the_first_line_seeks_an_opponent() -> None:
    assert [with_choice(BOTH_SIDES, "en", "1e", text).strip() for text in ("yes", "2")] == [SEEK, "learn 1"]
