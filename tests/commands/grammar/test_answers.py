"""Which first lines are answers, to what waits for one, and which are none or have to be asked about."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from takmail.commands.command import Unclear
from takmail.commands.command_list import COMMANDS
from takmail.commands.grammar import answers
from takmail.commands.grammar.answers import Expected, Waits, find_answer, is_refusal_of_mail
from takmail.commands.grammar.line_reader import anywhere
from takmail.games.registry import GAMES
from tests.support.tables import each_row

UNCLEAR, NONE = "?", "-"
READER = anywhere(GAMES, COMMANDS)

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
        No problem, but later | 好，等一下 | 好不好 | давай потом | давайте потом | maybe later
        да, но потом | да, подумаю | да, подумаю до завтра
    """,
    NONE: """
        hello | Who is this? | how does it work? | Fine weather today | Play what?
        Accept my apologies | Thanks!
        Happy to hear from you! | nobody told me | notice this | yesterday I was ill
        I'm in Paris | okra is green
        Great to hear from you | I can't believe it | 好久不见 | 好久不见！ | 不错 | не вопрос
        ничего себе
    """,
}
TO_A_QUESTION = {
    "yes": """
        yes | y | yep | ok | yes, do it | it was me | Yes, it was me | That was me.
        Yes, I wrote it | I did | confirmed
        yes, thank you | No problem, it was me | Right, that was me. | Sure, it was me, sorry
        Yes! Have a nice day | ok. See you in the club on Friday | 是 | 是我 | 对，是我 | да | это я
        да, это был я
        Yes that's what I mean! | exactly | 是这个意思 | 对，就是这样 | да, всё верно | именно
    """,
    "no": """
        no | nope | No! | it wasn't me | Sorry, no | no, sorry
        no wait | No, it was not me | that was not me | not me | n | 不是我 | нет, не я
    """,
    UNCLEAR: """
        👍 | no problem | let's play | not sure
        是谁走 | yes what
        I think that was me | yes, but not for Ben | ok, wait | no, yes | yes, I think so | yes?
    """,
    NONE: """
        Who asks? | It was great to see you | I did not see it | hello | 不错 | good luck
        no problem with the car | <- this one | ← 是 | ^ да
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
        ok, let me think | ok let me think | let me think | I am not sure | nothing | yes, but not now | yes, tomorrow
        давайте потом | well, wait
        ok, I will look at it | yes? | ok?
        Yes, that was a good game | 👍 | sure, why should I? | yes no | yes, wait | no idea
        no, I mean yes | ok what now
        ok, ps b4 | yes, in a moment | I agree with you about this | 好，我再看看 | 好的，不过等一下
        да, но не сейчас | ok let's play | yes I want to play | I agree it was a good game
        ладно, посмотрим
    """,
    NONE: """
        hello | draw? | yesterday | fine weather | 好久不见
        不错 | не вопрос
    """,
}
TO_AN_OFFER = {
    "agree": """
        agree | agreed | Agreed! | I agree | yes | ok | sure | accept | I accept | no problem
        yes, thanks | fine | 同意 | yes, great | Agreed, good game | yes, thanks for the game
        好 | да | согласен
    """,
    "refuse": """
        refuse | no | no thanks | No, thank you | decline | I'd rather not | let's play on
        not now | no, let's play on | Sorry, no | no, I would like to go on
        no no, I'm winning!! | нет, я выигрываю | 不不，我快赢了
        不 | нет
    """,
    UNCLEAR: """
        ok, let me think | yes, why not, but later | I agree with you about that one
        no, maybe later | nah I think I can win | ok? | let's play | Right. | Indeed! | That's right
        It was me
        yes I want to play | ok let's play | Sure, happy to play | Hmm, sure | yeah right | yes, ps d4
        I agree that it was a good game | agreed that you play well | 好，来吧 | да, играем | да ладно
        yes, a draw | ok. ps b4 | Yes, Friday is good | No idea how you do it | Ok, nice move
        agree or refuse | 好的，我想想
    """,
    NONE: """
        hello | draw? | gg | well played | what a move | Good luck | 不错 | That's right behind the wall
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


def read(text: str, waits: Waits | None, *, is_player: bool = True) -> str:
    """Return the keyword of the command that a mail's answer means, `?` if it is unclear, and `-` if there is none."""
    answered = find_answer(text.splitlines(), READER, Expected(waits, is_player, "Ada Byron"), ("Ada", "Ben"))
    if answered is None:
        return NONE
    if isinstance(answered.order.arguments, Unclear):
        assert waits is not None
        turns = READER.turns_in(answered.order.line)
        assert answered.order.arguments.offers == (*waits.offers, *turns)
        return UNCLEAR
    return answered.order.command.keyword


@each_row("waits, text, line", EVERY)
def test_the_first_line_is_read(waits: Waits, text: str, line: str) -> None:
    assert read(text, waits) == line


@pytest.mark.parametrize("waits", [None, answers.PAST])
@pytest.mark.parametrize(
    "text", ["ok, let me think", "Sure, see you on Friday", "hello", "draw?", "👍", "不错"]
)
def test_where_nothing_waits_words_are_words(waits: Waits | None, text: str) -> None:
    assert read(text, waits) == NONE


def test_an_answer_to_what_no_longer_waits_or_is_not_shown() -> None:
    assert [read(text, answers.PAST) for text in ("yes", "No, thanks", "да")] == ["yes", "no", "yes"]
    assert read("yes", None) == NONE
    unclear = ("yes", "No, thanks", "да", "ok, let me think", "👍")
    doubtful = replace(answers.OFFER, is_certain=False, no_is_certain=False)
    assert {read(text, doubtful) for text in unclear} == {UNCLEAR}
    assert {read(text, doubtful) for text in ("hello", "draw?", "不错")} == {NONE}
    other_question = replace(answers.OFFER, is_certain=False)
    assert [read(text, other_question) for text in ("yes", "No, thanks")] == [UNCLEAR, "refuse"]


@each_row(
    ("text", "line"),
    [
        ("yes", "yes"),
        ("ok, thanks", "yes"),
        ("no", "no"),
        ("no wait", "no"),
        ("no, sorry", "no"),
        ("No, I want to go on", "no"),
        ("ok, let me think", "resign"),
        ("yes\n\nno wait", "resign"),
        ("no, I mean yes", "resign"),
        ("let me think", "no"),
        ("Hmm, sure", "no"),
        *(
            (text, "resign")
            for text in ("yes I want to play", "ok let's play", "Sure, happy to play", "yes start")
        ),
        *((text, "resign") for text in ("好，来吧", "да, играем", "Agreed, it was a good game", "ok hmm")),
        ("yes, good game", "yes"),
        *(
            (text, "no")
            for text in (
                "no i dont give up",
                "I don't want to give up",
                "нет не сдаюсь",
                "ой нет!",
                "我不认输",
                "нет, я передумал",
            )
        ),
        ("yes put a flat on c3", NONE),
        ("no, yes", "resign"),
        ("no?", "resign"),
        ("no, ps b4", "?"),
        ("hello", NONE),
    ],
)
def test_only_a_bare_yes_gives_the_game_up_and_any_no_plays_on(text: str, line: str) -> None:
    assert read(text, answers.RESIGNATION) == line


@each_row(
    ("text", "line"),
    [
        ("Hi Ada,\n\nyes", "yes"),
        ("Hello!\nyes\n\nBest wishes\nBen", "yes"),
        ("Dear Grandma Rose,\nyes", "yes"),
        ("Здравствуйте, Ольга!\nда", "yes"),
        ("小雨你好\n是", "yes"),
        ("Hi, what is this?\nyes", NONE),
        ("Hm,\nyes", UNCLEAR),
        ("The weather is fine.\nyes", NONE),
        ("\n\n  yes  \n", "yes"),
        ("", NONE),
    ],
)
def test_only_greetings_stand_above_an_answer(text: str, line: str) -> None:
    assert read(text, answers.FINAL) == line


@each_row(
    ("text", "line"),
    [
        ("yes\nThank you!", "yes"),
        ("ok\n\nThanks for the game, Ben!\n\nBest wishes\nAda Byron", "yes"),
        ("Yes.\n\nYes, please. Good game :)", "yes"),
        ("yes\n\nGood game! It was not easy. Do you play chess, too?", UNCLEAR),
        ("yes\nbut not today", UNCLEAR),
        ("ok\n\nlet me think about it", UNCLEAR),
        ("ok\n\nI see.\n\nPlease wait until Friday", UNCLEAR),
        ("yes\nor should I play on?", UNCLEAR),
        ("ok\nno", UNCLEAR),
        ("ok\nps d4", UNCLEAR),
        ("ok\n\nrefuse", UNCLEAR),
        ("ok\n\nLet us play on.", UNCLEAR),
        ("y\nI'd rather fight", UNCLEAR),
        ("ok\ngot your letter, will answer tonight", UNCLEAR),
        ("no\nps d4", "no"),
        ("no\n\nI'd rather fight", "no"),
        ("no\n\nyes", UNCLEAR),
    ],
)
def test_a_yes_to_what_is_final_is_the_whole_mail_but_for_polite_words(text: str, line: str) -> None:
    assert read(text, answers.FINAL) == line


@pytest.mark.parametrize("text", ["agree\n\nI'd rather fight", "agree\nps d4", "Refuse!\nyes"])
def test_a_command_is_no_answer_that_other_lines_turn_over(text: str) -> None:
    assert read(text, answers.OFFER) == NONE


@pytest.mark.parametrize(
    ("text", "has_words"),
    [("Sure, let's play!", False), ("yes", False), ("Sure, greetings to Tom", True), ("是", False)],
)
def test_words_behind_an_answer_are_told_apart(text: str, *, has_words: bool) -> None:
    answered = find_answer([text], READER, Expected(answers.INVITATION))
    assert answered is not None
    assert answered.has_words == has_words


REFUSALS = """
    stop | STOP. | Please stop | unsubscribe | Unsubscribe me please | remove me
    STOP EMAILING ME | stop emailing me!
    No, stop writing to me | take me off your list | Leave me alone. | 退订 | 请勿打扰 | отписаться
    Отписаться! | не пишите мне | 不，退订
"""
OTHERS = """
    I can't stop laughing | Stop! That was a great move | The bus stop
    remove me from the team at the club | don't stop
    unsubscribed from the newsletter, did you? | hello | no
    不要停 | 不停 | 我不想退订 | 别停
"""


@each_row("text", [one.strip() for one in REFUSALS.replace("\n", "|").split("|") if one.strip()])
def test_who_does_not_play_refuses_all_mail(text: str) -> None:
    assert read(text, answers.INVITATION, is_player=False) == "stop"
    assert read(text, None, is_player=False) == "stop"
    assert read(text, None) == NONE


@each_row("text", [one.strip() for one in OTHERS.replace("\n", "|").split("|") if one.strip()])
def test_other_words_refuse_nothing(text: str) -> None:
    assert not is_refusal_of_mail(text)
