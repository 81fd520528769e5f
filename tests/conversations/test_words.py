"""Chat between the players, `im`, and resigning."""

import re
from datetime import timedelta

import pytest

from takmail.limits.words import MAX_CHAT_CHARS, MAX_REASON_CHARS, MAX_WAITING_CHAT_CHARS
from takmail.world.kinds import LetterView, Standing
from tests.support.links import link
from tests.support.memory_harness import MemoryHarness, turns
from tests.support.players import ADA, BEN, Received, said
from tests.support.scenes import played_once


@pytest.fixture
@played_once
def played(harness: MemoryHarness) -> None:
    """A game of three turns; it is Ben's turn."""
    harness.begin()
    harness.play("ps b4", "ps c3", "pw d1")


def ben(harness: MemoryHarness, words: str, answers: Received | None = None) -> list[Received]:
    return harness.send(f"Ben <{BEN}>", words, answers or harness.last(BEN))


def ada(harness: MemoryHarness, words: str, answers: Received | None = None) -> list[Received]:
    return harness.send(f"Ada <{ADA}>", words, answers or harness.last(ADA))


def is_over(harness: MemoryHarness) -> bool:
    return harness.table().record.standing is Standing.OVER


def test_a_mail_of_words_alone_is_passed_on(played: MemoryHarness) -> None:
    answer, news = ben(played, "Nice wall!\n\nGive me a day.")
    assert answer.text == (
        "Ada gets your words:\n\n  | Nice wall!\n  |\n  | Give me a day.\n\n"
        "There is no move in it: it is still your turn.\n"
    )
    assert "Ben writes:\n\n  | Nice wall!\n  |\n  | Give me a day.\n" in news.text


def test_words_with_a_refused_move_come_once_with_the_mended_one(played: MemoryHarness) -> None:
    (answer,) = ben(played, "Take that!\nps d1")
    assert "Ada does not have your words yet" in answer.text
    _, news = ben(played, "Take that!\nps d2")
    assert news.lines[0] == "ps d2"
    assert news.text.count("Take that!") == 1


def test_words_that_wait_come_with_the_answer_that_is_next(played: MemoryHarness) -> None:
    ben(played, "log\n\nI am thinking")
    (answer,) = ada(played, "rs")
    assert "  | I am thinking" in answer.text


@pytest.mark.parametrize(
    "words", ["I resigned my job", "yes", "ok", "no", "Hi,\nim thinking", "say what?\n" * 2]
)
def test_words_that_look_like_commands_are_words(played: MemoryHarness, words: str) -> None:
    _, news = ben(played, f"Well,\n{words}")
    assert f"  | {words.splitlines()[0]}\n" in news.text
    assert not is_over(played)


@pytest.mark.parametrize("line", ["say ps e5", "/say ps e5"])
def test_said_words_are_never_read_as_a_command(played: MemoryHarness, line: str) -> None:
    answer, news = ben(played, line)
    assert "Ada gets your words" in answer.text
    assert "  | ps e5" in news.text
    assert len(turns(played)) == 3


@pytest.mark.parametrize("line", ["/say see move #3 again", "im see move #3 again"])
def test_words_keep_the_number_that_stands_in_them(played: MemoryHarness, line: str) -> None:
    _, news = ben(played, line)
    assert "see move #3 again" in said(news)


def test_say_counts_further_down_only_with_its_mark(played: MemoryHarness) -> None:
    _, news = ben(played, "ps e5\n/say one\nsay two")
    assert "  | one\n" in news.text
    assert "  | say two\n" in news.text


def test_words_are_passed_on_after_the_end(harness: MemoryHarness) -> None:
    harness.begin("3")
    harness.play("ps a1", "ps c3", "ps b3", "ps b1", "ps a3")
    _, news = ben(harness, "Well played!")
    assert "  | Well played!" in news.text


def test_very_long_words_are_bounded_and_the_answer_says_so(played: MemoryHarness) -> None:
    answer, news = ben(played, "word " * 3000)
    assert "their end was left off" in said(answer)
    assert (
        MAX_CHAT_CHARS - 50
        < news.text.count("word ") * 5 + news.text.count("word\n") * 5
        <= MAX_CHAT_CHARS + 5
    )
    assert max(map(len, news.lines)) < 80


def test_words_that_wait_are_bounded_and_the_answer_says_so(played: MemoryHarness) -> None:
    for number in range(2):
        ben(played, f"log\n\n{number}" + "x" * (MAX_WAITING_CHAT_CHARS // 2 - 1))
    (answer,) = ben(played, "log\n\nOne more")
    assert "Your words were not kept, as too many wait for Ada already" in said(answer)
    (answer,) = ben(played, "say One more")
    assert "Not done: too many words wait for Ada already" in said(answer)
    answer, news = ben(played, "One more")
    assert "Those have gone out now, so you can send these again" in said(answer)
    assert "One more" not in news.text
    _, news = ben(played, "One more")
    assert "  | One more\n" in news.text


def test_the_same_mail_again_brings_its_words_once(played: MemoryHarness) -> None:
    letter = played.last(BEN)
    ben(played, "ps d2\n\nTake that!", letter)
    (answer,) = ben(played, "ps d2\n\nTake that!", letter)
    assert "already played" in answer.text
    assert "Your words have gone to Ada before" in said(answer)
    assert "Take that!" not in ada(played, "rs")[0].text
    (answer,) = ben(played, "ps d2\n\nAnd that!", letter)
    assert "Ada gets your words with the next letter" in said(answer)


@pytest.mark.parametrize("text", ["ps\ud800 d2", "ps d2\n\nHi \udfffAda", "im \ud83d", "/say \ude00 Hi"])
@pytest.mark.parametrize("is_sure", [True, False])
def test_half_a_character_does_no_harm(played: MemoryHarness, text: str, is_sure: bool) -> None:
    raw = played.mail(f"Ben <{BEN}>", "HERE", played.last(BEN) if is_sure else None, quoting=False).as_bytes()
    raw = raw.replace(b'charset="utf-8"', b'charset="utf-7"')
    letters = played.deliver(raw.replace(b"HERE", _in_utf_7(text)))
    is_slip = text == "ps\ud800 d2"  # nothing but a move that cannot be parsed
    assert (letters[-1].to == ADA) is (is_sure and not is_slip)


def _in_utf_7(text: str) -> bytes:
    return text.encode("utf-7", errors="surrogatepass")


def test_a_word_without_end_does_not_break_the_letter(played: MemoryHarness) -> None:
    _, news = ben(played, "x" * 3000)
    assert max(map(len, news.lines)) < 80


@pytest.mark.parametrize("words", ["{{ 7*7 }}", "{% include 'x' %}", "0 0 0 0 0", "> quoted", "<b>&amp;</b>"])
def test_words_are_passed_on_as_they_are(played: MemoryHarness, words: str) -> None:
    _, news = ben(played, f"look:\n/say {words}")
    assert f"  | {words}\n" in news.text


def test_what_slips_into_the_words_gives_neither_address_nor_token_away(played: MemoryHarness) -> None:
    letter = played.last(BEN)
    reply_to = str(letter.mail["Reply-To"])
    words = f"Hello Ben Miller, BEN@Example.org, see {reply_to}, bigben@example.org is my brother"
    for line in (f"say {words}", f"im {reply_to} {BEN}"):
        _, news = ben(played, line, letter)
        whole = news.mail.as_string().lower()
        assert reply_to.partition("+")[2].partition("@")[0] not in whole
        assert not re.search(r"\bben@example", whole)
    shown = said(played.box[-3])
    assert "Hello Ben Miller, (address left out), see" in shown
    assert "bigben@example.org" in shown


def test_an_address_between_hyphens_and_stops_is_left_out_and_another_that_ends_alike_is_not(
    played: MemoryHarness,
) -> None:
    _, news = ben(played, f"say Yours -{BEN}- or {BEN}. and x-{BEN}")
    assert re.findall(r"\S*ben@example\S*", news.text) == [f"x-{BEN}"]


@pytest.mark.parametrize(
    "words",
    [
        "Write to kim@example.org, please",
        "Hello\n\nBen Miller\nben@example.org",
        "kim (at) example.org has the board",
        "my other address: kim at example dot org",
        "Kim <mailto:kim@example.org> says hello",
    ],
)
def test_words_with_an_address_reach_nobody_before_their_writer_says_so(
    played: MemoryHarness, words: str
) -> None:
    (answer,) = ben(played, words)
    assert answer.to == BEN
    assert "Your words were not passed on, as an address stands in them" in said(answer)
    line = next(one.strip() for one in answer.lines if one.startswith("  say "))
    _, news = ben(played, line)
    assert news.to == ADA
    assert BEN not in said(news)


def test_words_beside_a_move_with_an_address_in_them_do_not_hold_the_move_back(
    played: MemoryHarness,
) -> None:
    answer, news = ben(played, "ps e5\n\nBen Miller\nmiller@example.org")
    assert news.lines[0] == "ps e5"
    assert "Miller" not in news.text
    assert "not passed on, as an address stands in them" in said(answer)


@pytest.mark.parametrize(
    "words", ["see you @ the club", "z@e4 was good", "12 @ 3 each", "Meet me at the dot"]
)
def test_what_is_no_address_is_passed_on(played: MemoryHarness, words: str) -> None:
    _, news = ben(played, words)
    assert words in said(news)


@pytest.mark.parametrize(
    "order", ["games", "help", "view text", "block Zoe", "seeks", "match Zoe", "name Benjamin"]
)
def test_words_beside_orders_about_something_else_go_to_nobody(played: MemoryHarness, order: str) -> None:
    before = len(played.box)
    ben(played, f"{order}\n\nWhat a day")
    letters = played.box[before:]
    assert {one.to for one in letters} == {BEN}
    assert any("Your words went to nobody" in said(one) for one in letters)
    assert not played.table().correspondence.waiting_chat


@pytest.mark.parametrize("order", ["log", "rs", "games\nps e5", "draw", "show 2"])
def test_words_beside_an_order_of_the_game_are_for_the_opponent(played: MemoryHarness, order: str) -> None:
    ben(played, f"{order}\n\nWhat a day")
    answer = next(one for one in reversed(played.box) if one.to == BEN)
    assert "Ada gets your words" in said(answer)
    assert "  | What a day\n" in answer.text


def test_whatever_is_passed_on_is_quoted_to_its_writer(played: MemoryHarness) -> None:
    answer, _ = ben(played, "ps e5\n\nTake that!")
    assert "Ada gets your words:\n\n  | Take that!\n" in answer.text
    assert "0 0 0 0" in answer.text


def test_the_answer_to_words_shows_the_board_if_the_answered_letter_shows_another(
    played: MemoryHarness,
) -> None:
    before = played.last(ADA)
    ben(played, "ps e5")
    answer, _ = ada(played, "Nice game", before)
    assert answer.text.startswith("Ben gets your words:\n\n  | Nice game\n")
    assert ", your turn: " in said(answer)


def test_quit_ends_the_words_too(played: MemoryHarness) -> None:
    for stop in ("quit", "--", ".", "QUIT.", "/quit"):
        _, news = ben(played, f"Hello\n{stop}\nsecret\nps e5")
        assert "secret" not in news.text
    assert len(turns(played)) == 3


def test_im_brings_the_verdict_to_both_and_changes_nothing(played: MemoryHarness) -> None:
    answer, news = ben(played, "im D1 was not empty")
    assert news.lines[0] == "im D1 was not empty"
    for letter in (answer, news):
        assert "Turn 3 by Ada (pw d1) keeps every rule." in letter.lines
        before = letter.text.split("The board before it:\n\n")[1]
        assert before.startswith("0 0 0 0 0\n0 0 0 0 0\n0 0 s 0 0\n0 S 0 0 0\n0 0 0 0 0\nA B C D E\n\n")
        after = letter.text.split("Now the board is:\n\n")[1].split("\n\n", 1)[1]
        assert after.startswith("0 0 0 w 0\n0 0 0 0 0\n0 0 s 0 0\n0 S 0 0 0\n0 0 0 0 0\nA B C D E\n")
        assert "D1: empty before; a white wall is placed" in said(letter)
        assert "D1: empty before; a white wall is placed: w." in letter.text
    assert turns(played) == ["ps b4", "ps c3", "pw d1"]


@pytest.mark.parametrize("text", ["im", "Hi Ada,\nIM.", "/im", "Hello\n/im"])
def test_im_needs_no_reason(played: MemoryHarness, text: str) -> None:
    _, news = ben(played, text)
    assert news.lines[0] == "im"


def test_im_before_the_first_turn_has_nothing_to_dispute(harness: MemoryHarness) -> None:
    harness.begin()
    (answer,) = ben(harness, "im what")
    assert "there is none to dispute" in answer.text


def test_im_behind_a_move_disputes_in_the_same_letter(played: MemoryHarness) -> None:
    _, news = ben(played, "ps e5\n/im look at mine")
    assert news.lines[0] == "ps e5"
    assert "Ben thinks that turn 4 was invalid" in said(news)
    assert "\nim look" not in news.text
    assert "  | look at mine" in news.text


def test_a_long_reason_is_bounded(played: MemoryHarness) -> None:
    _, news = ben(played, "im " + "because " * 1000)
    assert len(news.lines[0]) < MAX_REASON_CHARS + 10
    assert len(news.text) < 4000


def test_resigning_takes_a_yes(played: MemoryHarness) -> None:
    (question,) = ben(played, "resign")
    assert not is_over(played)
    answer, news = ben(played, "Yes.", question)
    assert "you have given the game up" in answer.text
    assert news.text.startswith("You win: Ben has given the game up.")
    assert "Result: 1-0" in news.text


@pytest.mark.parametrize("mail", ["resign\nps e5", "ps e5\nresign"])
def test_who_resigns_and_plays_in_one_mail_may_say_yes(played: MemoryHarness, mail: str) -> None:
    question, _ = ben(played, mail)
    assert "Do you want to give this game up?" in said(question)
    ben(played, "yes", question)
    assert is_over(played)


def test_a_no_keeps_the_game_going(played: MemoryHarness) -> None:
    ben(played, "resign")
    (answer,) = ben(played, "no")
    assert "the game goes on" in answer.text
    (answer,) = ben(played, "yes", played.box[-2])
    assert 'nothing is waiting for a "yes"' in said(answer)
    assert not is_over(played)


@pytest.mark.parametrize("other", ["ps e5", "log", "Let me think"])
def test_anything_but_a_yes_closes_the_question(played: MemoryHarness, other: str) -> None:
    (question,) = ben(played, "resign")
    ben(played, other)
    (answer,) = ben(played, "yes", question)
    assert 'nothing is waiting for a "yes"' in said(answer)
    assert not is_over(played)


def test_the_opponent_s_turn_closes_the_question(played: MemoryHarness) -> None:
    (question,) = ada(played, "resign")
    ben(played, "ps e5")
    ada(played, "ok", question)
    ada(played, "ok")
    assert not is_over(played)


def test_the_question_waits_for_seven_days(played: MemoryHarness) -> None:
    (question,) = ben(played, "resign")
    played.now += timedelta(days=7, seconds=1)
    ben(played, "yes", question)
    assert not is_over(played)


def test_a_yes_counts_on_the_first_line_alone(played: MemoryHarness) -> None:
    ben(played, "resign")
    ben(played, "Hm,\nyes")
    assert not is_over(played)


def test_when_both_want_to_resign_the_first_yes_counts(played: MemoryHarness) -> None:
    (first,) = ben(played, "resign")
    (second,) = ada(played, "resign")
    ada(played, "yes", second)
    assert "Result: 0-1" in played.last(BEN).text
    (answer,) = ben(played, "yes", first)
    assert 'nothing is waiting for a "yes"' in said(answer)
    (answer,) = ben(played, "resign")
    assert "this game is over" in answer.text


def test_what_is_said_keeps_its_closing_mark(played: MemoryHarness) -> None:
    _, news = ben(played, "im that flat was mine!")
    assert news.lines[0] == "im that flat was mine!"


def test_words_with_an_address_are_passed_on_by_touch(played: MemoryHarness) -> None:
    played.change(letter_view=LetterView.BOTH)
    (answer,) = ben(played, "Write to kim@example.org, please")
    assert link(answer, "say Write to kim@example.org, please").name == "say it to Ada"
    said_it, _ = ben(played, "gg")
    assert "gg</blockquote>" in said_it.html


def test_words_and_lines_keep_their_wide_marks(harness: MemoryHarness) -> None:
    harness.begin_and_play("ps a1", "ps e5")
    asking = harness.scene()
    (asked,) = asking.send(f"Ada <{ADA}>", "放 b4！行吗？", asking.last(ADA))
    assert "You wrote: 放 b4！行吗？" in said(asked)
    harness.send(f"Ada <{ADA}>", "ps b4，你好！（谢谢）", harness.last(ADA))
    assert "你好！（谢谢）" in said(harness.last(BEN))
