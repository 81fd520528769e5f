"""Which first lines are answers, to what waits for one, and which are none or have to be asked about."""

from collections.abc import Iterator

import pytest

from takmail.commands.grammar import answers
from takmail.commands.grammar.answers import Expected, Waits, find_answer, is_refusal_of_mail

UNCLEAR, NONE = "?", "-"

TO_AN_INVITATION = {
    "accept": """
        accept | yes | yep | y | ok | OK! | okay. | sure | Sure, let's play!
        No problem, I accept! | Gladly! | I accept.
        accepted | play | let's play | Let's go! | Yes, please | yes :) | YES!!! | accept :D
        Hi Ada, yes! | Thanks, ok
        yes Ada | Of course! | With pleasure | Count me in | I'd love to | I want to play | Well, yes, of course
        yes I would love to play with you | ok, see you on Friday | Sure, greetings to Tom
        Yes. It has been a long time.
        yes, good luck | /yes | #1 yes | agreed | 是 | 好 | 好的 | 是的！ | 好，我来 | 可以 | 没问题 | да | Да!
        ок | хорошо
        да, с удовольствием | конечно | давай
    """,
    "decline": """
        no | No. | nope | n | no thanks | No, thank you | not now | Not now, sorry | I decline
        decline | Thanks, no
        No, I do not want to play | no, too busy | not interested | no way | rather not | 不 | 不用了 | 不，谢谢 | нет
        нет, спасибо | не сейчас
    """,
    UNCLEAR: """
        ok, but who are you? | yes, but not today | ok, let me think | sure? | yes or no
        no time now | 👍 | maybe yes
        No worries, who is it? | Yes? Who is this? | no, wait, yes | yes, if it is short
        I think yes | ok, ps b4
        No problem, but later | 好，等一下 | 好不好 | да, но потом | да, подумаю | да, подумаю до завтра
    """,
    NONE: """
        hello | Who is this? | how does it work? | Fine weather today | Play what?
        Accept my apologies | Thanks!
        Happy to hear from you! | nobody told me | notice this | yesterday I was ill
        I'm in Paris | okra is green
        Great to hear from you | I can't believe it | 好久不见 | 好久不见！ | 不错 | не вопрос | давай потом
        давайте потом
        ничего себе
    """,
}
TO_A_QUESTION = {
    "yes": """
        yes | y | yep | ok | yes, do it | it was me | Yes, it was me | That was me.
        Yes, I wrote it | I did | confirmed
        yes, thank you | Yes! Have a nice day | ok. See you in the club on Friday | 是 | 是我 | 对，是我 | да | это я
        да, это был я
    """,
    "no": """
        no | nope | No! | it wasn't me | No, it was not me | that was not me | not me | n | 不是我 | нет, не я
    """,
    UNCLEAR: """
        👍 | yes, but not for Ben | ok, wait | no, yes | yes, I think so | yes?
    """,
    NONE: """
        Who asks? | It was great to see you | I did not see it | let's play | hello | 不错
    """,
}
TO_WHAT_IS_FINAL = {
    "yes": """
        yes | Yes! | y | yep | ok | sure | yes, please | Yes, thanks. | ok :) | Yes, I do
        yes, Ada | Hi, yes | 是 | 好的
        да | конечно
    """,
    "no": """
        no | No! | nope | n | no thanks | No, thank you | not now | no, never | please don't | 不 | нет
    """,
    UNCLEAR: """
        ok, let me think | ok let me think | yes, but not now | yes, tomorrow
        ok, I will look at it | yes? | ok?
        Yes, that was a good game | 👍 | sure, why should I? | yes no | yes, wait | no idea
        no, I mean yes | ok what now
        ok, ps b4 | yes, in a moment | I agree with you about this | 好，我再看看 | 好的，不过等一下
        да, но не сейчас
        ладно, посмотрим
    """,
    NONE: """
        hello | let me think | I am not sure | draw? | nothing | yesterday | fine weather | 好久不见
        不错 | не вопрос
        давайте потом
    """,
}
TO_AN_OFFER = {
    "agree": """
        agree | agreed | Agreed! | I agree | yes | ok | sure | accept | I accept | no problem
        yes, thanks | fine | 同意
        好 | да | согласен
    """,
    "refuse": """
        refuse | no | no thanks | No, thank you | decline | I'd rather not | let's play on
        not now | no, let's play on
        不 | нет
    """,
    UNCLEAR: """
        ok, let me think | yes, why not, but later | I agree with you about that one
        no, I would like to go on | ok?
        yes, a draw | ok. ps b4 | Yes, Friday is good | No idea how you do it | Ok, nice move
        agree or refuse | 好的，我想想
    """,
    NONE: """
        let's play | hello | draw? | gg | well played | Right. | Indeed! | That's right
        what a move | It was me | Good luck | 不错
    """,
}


def cases(waits: Waits, table: dict[str, str]) -> Iterator[tuple[Waits, str, str]]:
    for line, texts in table.items():
        for text in texts.replace("\n", "|").split("|"):
            if text.strip():
                yield waits, text.strip(), line


EVERY = [
    *cases(answers.INVITATION, TO_AN_INVITATION),
    *cases(answers.QUESTION, TO_A_QUESTION),
    *cases(answers.FINAL, TO_WHAT_IS_FINAL),
    *cases(answers.OFFER, TO_AN_OFFER),
]


def read(text: str, waits: Waits, *, is_player: bool = True) -> str:
    """Return the command that a mail's answer means, `?` if it is unclear, and `-` if there is none."""
    found = find_answer(text.splitlines(), Expected(waits, is_player), ("Ada", "Ben"))
    if found is None:
        return NONE
    assert found.line or found.offers == (waits.yes, waits.no)
    return found.line or UNCLEAR


@pytest.mark.parametrize(("waits", "text", "line"), EVERY)
def test_the_first_line_is_read(waits: Waits, text: str, line: str) -> None:
    assert read(text, waits) == line


@pytest.mark.parametrize("waits", [answers.NOTHING, answers.PAST, answers.HIDDEN_OFFER])
@pytest.mark.parametrize(
    "text", ["ok, let me think", "Sure, see you on Friday", "hello", "draw?", "👍", "不错"]
)
def test_where_nothing_waits_words_are_words(waits: Waits, text: str) -> None:
    assert read(text, waits) == NONE


def test_an_answer_to_what_no_longer_waits_or_is_not_shown() -> None:
    assert [read(text, answers.PAST) for text in ("yes", "No, thanks", "да")] == ["yes", "no", "yes"]
    assert [read(text, answers.HIDDEN_OFFER) for text in ("yes", "No, thanks", "да")] == [UNCLEAR] * 3
    assert read("yes", answers.NOTHING) == NONE


def test_whether_to_give_the_game_up_is_asked_again_if_the_answer_is_unclear() -> None:
    assert [read(text, answers.RESIGNATION) for text in ("yes", "no", "ok, let me think", "hello")] == [
        "yes",
        "no",
        "resign",
        NONE,
    ]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Hi Ada,\n\nyes", "yes"),
        ("Hello!\nyes\n\nBest wishes\nBen", "yes"),
        ("Hm,\nyes", NONE),
        ("The weather is fine.\nyes", NONE),
        ("\n\n  yes  \n", "yes"),
        ("", NONE),
    ],
)
def test_only_greetings_stand_above_an_answer(text: str, line: str) -> None:
    assert read(text, answers.FINAL) == line


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("yes\nThank you!", "yes"),
        ("yes\n\nGood game! It was not easy. Do you play chess, too?", "yes"),
        ("yes\nbut not today", UNCLEAR),
        ("ok\n\nlet me think about it", UNCLEAR),
        ("ok\n\nI see.\n\nPlease wait until Friday", UNCLEAR),
        ("yes\nor should I play on?", UNCLEAR),
        ("ok\nno", UNCLEAR),
        ("no\n\nmaybe later", UNCLEAR),
    ],
)
def test_the_lines_below_an_answer_may_take_it_back_if_it_is_final(text: str, line: str) -> None:
    assert read(text, answers.FINAL) == line


@pytest.mark.parametrize(
    ("text", "has_words"),
    [("Sure, let's play!", False), ("yes", False), ("Sure, greetings to Tom", True), ("是", False)],
)
def test_words_behind_an_answer_are_told_apart(text: str, *, has_words: bool) -> None:
    found = find_answer([text], Expected(answers.INVITATION))
    assert found is not None
    assert found.has_words == has_words


REFUSALS = """
    stop | STOP. | Please stop | unsubscribe | Unsubscribe me please | remove me
    STOP EMAILING ME | stop emailing me!
    No, stop writing to me | take me off your list | Leave me alone. | 退订 | 请勿打扰 | отписаться
    Отписаться! | не пишите мне
"""
OTHERS = """
    I can't stop laughing | Stop! That was a great move | The bus stop
    remove me from the team at the club | don't stop
    unsubscribed from the newsletter, did you? | hello | no
"""


@pytest.mark.parametrize(
    "text", [one.strip() for one in REFUSALS.replace("\n", "|").split("|") if one.strip()]
)
def test_who_does_not_play_refuses_all_mail(text: str) -> None:
    assert read(text, answers.INVITATION, is_player=False) == "stop"
    assert read(text, answers.NOTHING, is_player=False) == "stop"
    assert read(text, answers.NOTHING) == NONE


@pytest.mark.parametrize("text", [one.strip() for one in OTHERS.replace("\n", "|").split("|") if one.strip()])
def test_other_words_refuse_nothing(text: str) -> None:
    assert not is_refusal_of_mail(text)
