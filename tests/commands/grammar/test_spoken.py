"""What is said to a teacher and to a bot, by the vocabulary."""

from takmail.commands.grammar.spoken import (
    TO_BOTS,
    TO_TEACHERS,
    as_question,
    asks,
    courtesy_of,
    in_full,
    is_small_talk,
    lesson_named,
    meaning_of,
    said_to_teacher,
    told_and_asked,
    without_mood,
    without_questions,
)
from takmail.games.tak.lessons import topic

TO_A_TEACHER = """solution solution|show me solution|Can you show me the answer, please? solution|答案 solution
покажи ответ solution|start over first|第一课 first|снова again|can i play now? game|i give up solution
back back|previous back|上一课 back|назад back|previous lesson please back|skip next|跳过 next|next! next
дальше next|again again|stop stop|quit stop|停 stop|стоп stop|надоело tired|i'm bored tired|play a game now game
i want a real game game|пропусти этот урок next|начни сначала first
i wanna play against u game|this is too hard help|im so confused help|im stuck help|give me a hint help
подскажи help|я запуталась, помоги help|непонятно!!! help|给我个提示呗 help|太难了 help|boring tired|no fun! tired
ты злой tired|无聊 你好坏 tired|bye i have to go to bed later|давай потом later|拜拜 later|im back here
yay i did all of it!!! what now done|я вернулся here|我回来啦 here
too hard, show me solution|太难了 我想换一课 next|i dont wanna do this one next
我要下真正的棋 game|хочу играть game|let's play game|i don't want to play a game tired|не хочу играть tired
我不想下棋 tired|i don't want to play, next please next|i don't want to, show me solution|не хочу дальше tired
i don't want to stop resume|i can't play now later|i still don't see it help|не вижу help|看不出来 help
не могу больше, голова болит tired|my head hurts tired|头疼 tired|покажи уже solution"""
TO_A_BOT = """Why did you put a flat on e5? why|зачем ты туда пошёл? why|你为什么走那里？ why|too hard easier
easier please easier|полегче easier|太难了 easier|harder bot harder|a stronger one harder|难一点 harder
бота посильнее harder|too easy harder|why? why|why did you do that why|почему? why|为什么 why|boring tired
надоело tired|无聊 tired|不玩了 tired|我想要弱一点的电脑 easier
again! again|one more again|another again|ещё! again|再来 again|good game, again? again
yay, I won! Again! again|haha, too hard easier|any ideas? hint
есть идеи? hint|有什么建议 hint|why did I lose? review|что я сделал не так? review|我哪里走错了？ review
a different bot others|换个电脑 others
again but harder please harder|one more game but a bit stronger one harder|a weaker one please easier
are you winning? turn|кто выигрывает? turn|该谁走了呀 turn
can we make the board bigger? bigger|на большой доске bigger
you go first first|你先走 first|one more but i go first starts|ещё одну, но я первый starts|再来一局，我先手 starts
again, you go first first|do i go first? turn|can I play my friend Lucy? friend|хочу с другом friend
show me the game again watched|хочу посмотреть партию ещё раз watched|再看一遍这局棋 watched
once more, thanks! again|ещё раз, пожалуйста again
how do I play? simply
how did I do? review|换个大点的棋盘 bigger|给点提示吧 hint
как играть? simply|怎么玩 simply|I don't want to play anymore tired|как я выиграл? review"""
COURTESIES = """thanks thanks|спасибо thanks|谢谢 thanks|谢谢电脑 thanks|hello hello|привет бот hello
你好电脑 hello|bed time, bye bye|спать хочу, до завтра bye|我要睡觉啦，晚安 bye|好棋 kind
next time bye|в другой раз bye|下次吧 bye|no thanks bye|нет, спасибо bye|不了，谢谢 bye
thanks again! thanks|ещё раз спасибо! thanks|再次感谢 thanks|see you again bye|до встречи снова bye|下次再来 bye
not again bye|может, завтра ещё bye|不用再来了,谢谢 bye|别再来了 bye|maybe again tomorrow bye
are you a robot? who|ты робот? who|你是机器人吗 who|yay i won won|ура! won|我赢了 won
ты молодец kind"""
NOTHING = """ps b4|wall on c2|can i play my capstone on the wall|i want to play my wall now
how did you know I won?|why can't I move?|почему нельзя?
I moved to Berlin|You won again!|I lost again|I won again|again and again c3
finish|end the game|остановить|закончить партию|结束"""
TOPICS = """what is a wall? wall|墙是什么 wall|can a capstone flatten it? capstone|怎么赢 end|как победить? end
pieces pieces|what does ps mean? notation|what does p1 mean? count|where is a2?? i cant find it square
can i jump over it? jump|can i put it on the S full|why cant i put a flat there full|is the wall mine now? whose
whats a tak tak|what is komi komi|can walls move wall|что такое p3 2 1? count|а где b1 square|восток это куда compass
можно поставить на чёрный? full|что такое так tak|它能拐弯吗 bend|0是啥 colour|what is check tak|do i have to say it tak
а что такое шах tak|什么叫将军 tak|为什么不能放平的 flat|what does full mean end|mn me 都是啥 compass|能跳过去吗 jump"""

NO_TURNS = """where is a1|is c3 empty|hello, where is c2|can i go on b2?|what happens if i put it on a1|is b1 good?
what is b2|где c2?|что на b2|а если положить на c2|c2在哪里|d3是空的吗|b2是谁的|我不知道c2在哪里|c2 not flat|maybe c3
c2?|don't put it on c2|не на c2|不要c2|why|почему|为什么|куда идти"""
TURNS = """pw c2|wall on c2|please can I put a wall on c2|стену на c2|把墙放在c2|me a2 p3 1 1 1|no, c2
oops I meant c2"""
SMALL_TALK = """Hello!|Hi there,|I think:|Привет|你好|thanks|are you a robot?"""


def rows(table: str) -> list[list[str]]:
    return [row.rsplit(" ", 1) for row in table.replace("\n", "|").split("|")]


def test_what_is_said_means_what_the_vocabulary_says() -> None:
    assert [row for row in rows(TO_A_TEACHER) if meaning_of(row[0], TO_TEACHERS) != row[1]] == []
    assert [row for row in rows(TO_A_BOT) if meaning_of(row[0], TO_BOTS) != row[1]] == []
    assert [row for row in rows(COURTESIES) if courtesy_of(row[0]) != row[1]] == []


def test_what_says_more_means_nothing() -> None:
    for text in NOTHING.replace("\n", "|").split("|"):
        assert (meaning_of(text, TO_TEACHERS), meaning_of(text, TO_BOTS), courtesy_of(text)) == ("",) * 3, (
            text
        )


def test_words_are_read_in_full_and_questions_with_their_mark() -> None:
    assert in_full("can u play, im here thx") == "can you play, i'm here thanks"
    assert as_question("did i win!") == "did i win?"
    assert as_question("i win") == "i win"
    assert without_mood("c2 flat i win!!") == "c2 flat"
    assert without_mood("i win") == "i win"


def test_a_lesson_is_named_by_its_number() -> None:
    named = {
        "go to lesson 5": "5",
        "第5课": "5",
        "перейти к уроку 7": "7",
        "5": "",
        "lesson 5 was hard": "",
        "skip to 5": "5",
        "верни назад урок 1": "1",
        "我要回到第4课": "4",
        "第四课": "4",
        "c5": "",
        "next to my two": "",
    }
    assert {text: lesson_named(text) for text in named} == named


def test_a_question_is_about_the_most_special_thing_that_it_names() -> None:
    assert [row for row in rows(TOPICS) if topic(row[0], is_asked=True) != row[1]] == []
    assert topic("put the wall somewhere", is_asked=False) == ""
    assert topic("стену на чёрный камень", is_asked=False) == ""
    assert topic("can i put it in the corner", is_asked=True) == ""
    assert topic("did i win?", is_asked=True, asks_turn=True) == ""


def test_what_asks_or_doubts_something_is_no_turn_and_may_stand_beside_one() -> None:
    for text in NO_TURNS.replace("\n", "|").split("|"):
        assert without_questions(text) in ("", "hello"), text
        assert asks(text)
    assert [text for text in TURNS.replace("\n", "|").split("|") if without_questions(text) != text] == []
    assert without_questions("wall on C2. Is that right?") == "wall on C2"
    assert without_questions("not a1, c2") == "c2"
    assert told_and_asked("a1吧 顶石是什么") == ("a1吧", "顶石是什么")
    assert said_to_teacher("ok next one. what was lesson 3 again?") == "next"
    assert [text for text in ("can i put two", "看不懂") if not asks(text)] == []


def test_a_question_ends_no_lessons() -> None:
    for text in ("when does it end", "where did we stop", "когда конец?", "什么时候结束"):
        assert meaning_of(text, TO_TEACHERS) == "", text


def test_small_talk_above_a_turn_says_nothing_to_a_teacher() -> None:
    assert [text for text in SMALL_TALK.split("|") if not is_small_talk(text)] == []
    assert [text for text in ("next", "show me", "pw c2", "wall", "stop") if is_small_talk(text)] == []
