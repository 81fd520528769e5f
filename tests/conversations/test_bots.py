"""Games against bots, which accept at once, answer each turn, and get no letters."""

import re
from dataclasses import replace
from datetime import timedelta

import pytest

from takmail.commands import beginnings
from takmail.games.bots import NO_BOTS, Bot, Bots
from takmail.games.thinking import Choice
from takmail.limits.letters import WAIT_FOR_THOUGHT
from takmail.pipeline.tasks import TurnRefused
from takmail.world.kinds import LetterState, LetterView, MessageId, PlayerKind, Standing
from takmail.world.letters import Thread
from takmail.world.tasks import Task, TaskKind
from tests.support.latin import english_in
from tests.support.links import links
from tests.support.memory_harness import WITH_BOTS, MemoryHarness, turns
from tests.support.players import ADA, BEN, Received, said
from tests.support.width import some_of, tenth_of

MOVE = TaskKind.MOVE


@pytest.fixture
def harness() -> MemoryHarness:
    return MemoryHarness(services=WITH_BOTS)


def ada(harness: MemoryHarness, text: str) -> list[Received]:
    """Send a mail of Ada's that answers her newest letter, and return the resulting letters."""
    answers = harness.last(ADA) if any(letter.to == ADA for letter in harness.box) else None
    return harness.send(f"Ada <{ADA}>", text, answers)


def unsent(harness: MemoryHarness) -> list[timedelta]:
    """Return after what time each letter leaves that is not sent at once, if it is not withdrawn."""
    letters = harness.memory.outbox.values()
    unsent = (LetterState.QUEUED, LetterState.POSTPONED)
    return [
        one.due_at - one.created_at
        for one in letters
        if one.state in unsent and one.due_at >= one.created_at + WAIT_FOR_THOUGHT
    ]


def test_a_newcomer_learns_of_bots_and_plays_one(harness: MemoryHarness) -> None:
    (answer,) = ada(harness, "Can I play against the computer?")
    assert "new 5 vs bot easy It overlooks a lot" in said(answer)
    assert "mailto:" in answer.html
    (begun,) = harness.send(f"Ada <{ADA}>", "new 5 vs bot")
    assert "the game with Bot easy begins; it is game #1." in said(begun)
    assert '"bots" lists the other bots, and what to expect of each.' in said(begun)
    assert "Whatever else you write" not in said(begun)
    game = harness.table()
    assert game.record.standing is Standing.OPEN
    assert game.record.timing.clock_from is None
    assert [(player.name, player.kind) for player in game.players] == [
        ("Ada", PlayerKind.PERSON),
        ("Bot easy", PlayerKind.ENGINE),
    ]


@pytest.mark.parametrize(
    ("line", "name"),
    tenth_of(
        [
            ("new 5 vs bot", "easy"),
            ("new 5 vs bot strong", "strong"),
            ("new 5 vs the computer", "easy"),
            ("new 5 vs the computer fair", "fair"),
            ("new 5 against the best computer", "best"),
            ("new 5 bot gentle", "gentle"),
            ("new bot fair vs 5", "fair"),
            ("new vs bot fair 5 komi=2", "fair"),
            ("new 5 vs бот", "easy"),
            ("new 5 против сильного бота", "strong"),
            ("new 5 с компьютером", "easy"),
            ("new 5 vs 电脑", "easy"),
            ("new 5 对 最强电脑", "best"),
            ("challenge bot 5 first=them", "easy"),
            ("new 5 vs the computer but not too easy", "fair"),
            ("new 5 против бота easy на 5", "easy"),
        ]
    ),
)
def test_a_bot_is_named_in_many_ways(
    harness: MemoryHarness, monkeypatch: pytest.MonkeyPatch, line: str, name: str
) -> None:
    monkeypatch.setattr(beginnings, "THINKS_LONG", "")  # Ada has played no turn
    ada(harness, line)
    opponents = {one.name for game in harness.memory.tables.values() for one in game.players} - {"Ada"}
    assert opponents == {f"Bot {name}"}


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("new 5 vs bot giant", 'there is no bot called "giant"'),
        ("новая партия 5 против бота лёгкого великана", "бота с именем «лёгкого великана» нет"),
        ("new 5 vs bot rules=university", "that bot does not play this"),
        ("new 5 relay vs bot", "that bot does not play this"),
        ("new tzaar vs bot best komi=2", "Not done"),
        (
            "new tzaar vs bot best",
            'that bot does not play this. You can play it against "easy", "fair" or "strong".',
        ),
        ("new 5 vs bot days=3", "no clock runs against a bot, so take all the time that you like"),
        ("new 5 time=14d+1d strict vs bot", "no clock runs against a bot"),
    ],
)
def test_what_bots_do_not_play_is_refused(harness: MemoryHarness, line: str, why: str) -> None:
    (answer,) = ada(harness, line)
    assert why in said(answer)
    assert not harness.memory.tables


BEST = "new 5 vs bot best first=them"


@pytest.mark.parametrize(
    ("language", "why"),
    [
        ("en", "so it plays those who have made a move here before"),
        ("ru", "играет с теми, кто здесь уже ходил"),
        ("zh", "只和在这里走过棋的人下"),
    ],
)
def test_the_bot_that_thinks_for_long_plays_only_who_has_played(
    harness: MemoryHarness, language: str, why: str
) -> None:
    ada(harness, f"language {language}")
    (answer,) = ada(harness, BEST)
    assert why in said(answer)
    assert re.search("gentle|мягкого|温和", said(answer))
    ada(harness, "new 5 vs bot easy first=me")
    ada(harness, BEST)
    assert len(harness.memory.tables) == 1, "to begin a game is no turn"
    ada(harness, "game 1\nps a1")
    ada(harness, BEST)
    assert len(harness.memory.tables) == 2


def test_if_there_is_no_other_bot_it_plays_everybody(harness: MemoryHarness) -> None:
    harness.change(bots=Bots(WITH_BOTS.bots.every[-1:]))
    ada(harness, BEST)
    assert [one.name for one in harness.table().players] == ["Bot best", "Ada"]


def test_the_operator_may_want_no_bots(harness: MemoryHarness) -> None:
    harness.change(bots=NO_BOTS)
    (answer,) = ada(harness, "new 5 vs bot")
    assert "Not done: nobody can play against the computer here" in said(answer)
    (answer,) = ada(harness, "bots")
    assert "Nobody can play against the computer here" in said(answer)
    (welcome,) = harness.send(f"Ben <{BEN}>", "Hi there, who are you?")
    assert "To begin, answer this letter" in said(welcome)
    assert "computer" not in said(welcome)


def test_the_welcome_offers_a_game_against_a_bot(harness: MemoryHarness) -> None:
    (welcome,) = harness.send(f"Ben <{BEN}>", "Hi there, who are you?")
    assert "to play against the computer at once new 5 vs bot" in said(welcome)


def test_a_player_has_only_so_many_games_against_bots(harness: MemoryHarness) -> None:
    harness.change(bots=replace(WITH_BOTS.bots, games_a_player=2))
    ada(harness, "new 5 vs bot\nnew 5 vs bot fair")
    assert len(harness.memory.tables) == 2
    (answer,) = ada(harness, "new 5 vs bot strong")
    assert "you have 2 games against bots running" in said(answer)
    ada(harness, f"new 5 vs {BEN}")
    assert len(harness.memory.tables) == 3


@pytest.mark.parametrize(
    "wish",
    ["I want to play against the computer", "Хочу играть с компьютером", "我想和电脑玩"],
)
def test_a_wish_for_a_bot_is_one_for_the_list(harness: MemoryHarness, wish: str) -> None:
    (answer,) = ada(harness, wish)
    assert re.search("new 5 vs bot easy|новая партия 5 против бота лёгкого|开局 5 对 电脑 简单", said(answer))
    assert "seek 5" not in said(answer)


@pytest.mark.parametrize(
    "words", some_of(["help me", "What should I do?", "I don't understand", "не понимаю", "不懂"], 3)
)
def test_whoever_is_lost_gets_a_short_help(harness: MemoryHarness, words: str) -> None:
    ada(harness, "new 5 vs bot")
    (letter,) = ada(harness, words)
    assert letter.says("lines_to_go_on")
    assert "ben@example.org" not in letter.text
    assert len(letter.lines) < 50
    (letter,) = ada(harness, "help all")
    assert letter.says("lines_to_write")
    ada(harness, "resign")
    ada(harness, "yes")
    (letter,) = ada(harness, words)
    assert not letter.says("lines_to_go_on")  # nothing can be moved any more


def test_a_link_says_that_a_draw_ends_the_game(harness: MemoryHarness) -> None:
    (begun,) = ada(harness, "new 5 vs bot")
    assert "end the game as a draw" in begun.html
    assert "offer a draw" not in begun.html


def test_no_words_are_passed_on_to_a_bot(harness: MemoryHarness) -> None:
    ada(harness, "new 5 vs bot")
    (answer,) = ada(harness, "draw? you are good, bot")
    assert "draw" in said(answer)
    assert "say " not in said(answer)
    assert "none of your words" not in said(answer)


@pytest.mark.parametrize(
    ("language", "asks", "line", "tells"),
    [
        ("ru", "Можно сыграть с компьютером?", "новая партия 5 против бота лёгкого", "Бот Лёгкий думает."),
        ("zh", "可以和电脑下棋吗？", "开局 5 对 电脑 简单", "电脑“简单”正在想"),
    ],
)
def test_a_newcomer_plays_in_their_language(
    harness: MemoryHarness, language: str, asks: str, line: str, tells: str
) -> None:
    harness.change(language=language)
    (answer,) = ada(harness, asks)
    assert line in said(answer)
    ada(harness, line)
    (receipt,) = ada(harness, "ps a1\n\nСпасибо!")
    assert tells in said(receipt)
    harness.bot_plays("ps e5")
    for text in (
        "Hello!",
        "say hello",
        "ps c3",
        "undo",
        "new 5 vs bot giant",
        "new 5 relay vs bot",
        "draw",
        "rematch",
    ):
        ada(harness, text)
    harness.think(None, number=2)
    english = [
        english_in(letter.text, "new vs bot giant relay Hello draw say hello undo") for letter in harness.box
    ]
    assert english == [[]] * len(english)


def test_one_letter_has_both_turns(harness: MemoryHarness) -> None:
    ada(harness, "new 5 vs bot")
    (receipt,) = ada(harness, "ps a1\n\nGood luck!")
    assert "Bot easy is thinking" in said(receipt)
    assert unsent(harness) == [WAIT_FOR_THOUGHT]
    (both,) = harness.bot_plays("ps e5")
    assert said(both).startswith(
        "ps e5 Your move is played as turn 1 (ps a1). You place a flat of Bot easy's (Black) on A1. "
        "Your turn. Bot easy places a flat of yours (White) on E5."
    )
    assert unsent(harness) == []
    ada(harness, "ps c3")
    assert turns(harness) == ["ps a1", "ps e5", "ps c3"]


def test_the_receipt_leaves_if_the_bot_thinks_longer(harness: MemoryHarness) -> None:
    ada(harness, "new 5 vs bot")
    ada(harness, "ps a1")
    (held,) = (one for one in harness.memory.outbox.values() if one.due_at > one.created_at)
    harness.memory.set_state(LetterState.SENT, held.message_id)
    (letter,) = harness.bot_plays("ps e5")
    assert "Your move is played" not in said(letter)


def test_an_answer_with_more_in_it_leaves_at_once(harness: MemoryHarness) -> None:
    ada(harness, "new 5 vs bot")
    (answer,) = ada(harness, "ps a1\nlog")
    assert "Your move is played as turn 1" in said(answer)
    assert unsent(harness) == []
    (letter,) = harness.bot_plays("ps e5")
    assert "Your move is played" not in said(letter)


def test_without_receipts_there_is_one_letter_a_turn(harness: MemoryHarness) -> None:
    ada(harness, "receipts off")
    ada(harness, "new 5 vs bot")
    assert ada(harness, "ps a1") == []
    (letter,) = harness.bot_plays("ps e5")
    assert "Your move is played" not in said(letter)


def test_a_held_receipt_does_not_come_after_a_newer_letter(harness: MemoryHarness) -> None:
    ada(harness, "new 5 vs bot")
    ada(harness, "ps a1")
    ada(harness, "undo")
    assert unsent(harness) == []
    assert turns(harness) == []


@pytest.mark.parametrize("line", some_of(["games", "bots", "hint", "claim", "say hello", "ps b2", "log"], 3))
def test_a_letter_that_does_not_tell_the_turn_lets_the_receipt_wait(
    harness: MemoryHarness, line: str
) -> None:
    ada(harness, "new 5 vs bot")
    (receipt,) = ada(harness, "ps a1")
    for _ in range(2):
        ada(harness, line)
    assert unsent(harness) == [WAIT_FOR_THOUGHT]
    (letter,) = harness.bot_plays("ps e5")
    assert "Your move is played as turn 1 (ps a1)" in said(letter)
    assert harness.memory.outbox[MessageId(receipt.id)].state is LetterState.WITHDRAWN


def test_a_letter_that_does_not_tell_the_beginning_lets_it_wait(harness: MemoryHarness) -> None:
    ada(harness, "new 5 vs bot first=them")
    ada(harness, "bots")
    (letter,) = harness.bot_plays("ps e5")
    assert "the game with Bot easy begins" in said(letter)
    assert unsent(harness) == []


def test_one_letter_has_both_turns_if_the_first_one_was_asked_about(harness: MemoryHarness) -> None:
    ada(harness, "new 5 vs bot")
    ada(harness, "flat a1")
    ada(harness, "yes")
    assert unsent(harness) == [WAIT_FOR_THOUGHT]
    (letter,) = harness.bot_plays("ps e5")
    assert "Your move is played as turn 1 (ps a1)" in said(letter)


@pytest.mark.parametrize(
    ("line", "seat"),
    [
        ("new 4 vs bot, i want black", 1),
        ("новая партия 4 против бота лёгкого, я чёрными", 1),
        ("开局 4 对 电脑 简单 我执黑", 1),
        ("game 4x4, I want to be black vs the easiest computer", 1),
        ("new 4 vs bot easy, you be black", 0),
    ],
)
def test_a_colour_is_wished_for_in_words(harness: MemoryHarness, line: str, seat: int) -> None:
    ada(harness, line)
    assert harness.table().names[seat] == "Ada"
    assert harness.table().record.setup.startswith("4")


def test_the_bot_may_begin(harness: MemoryHarness) -> None:
    ada(harness, "new 5 vs bot first=them")
    assert [*harness.memory.tasks] == [Task(harness.table().number, MOVE)]
    assert unsent(harness) == [WAIT_FOR_THOUGHT]
    (letter,) = harness.bot_plays("ps e5")
    assert said(letter).startswith("ps e5 Done: the game with Bot easy begins; it is game #1. You play Black")
    assert turns(harness) == ["ps e5"]
    assert unsent(harness) == []


def test_a_bot_agrees_to_everything_at_once(harness: MemoryHarness) -> None:
    ada(harness, "new 5 vs bot")
    ada(harness, "ps a1")
    harness.bot_plays("ps e5")
    ada(harness, "ps c3")
    (answer,) = ada(harness, "undo")
    assert "Bot easy agrees: your turn 3 (ps c3) is taken back" in said(answer)
    ada(harness, "ps c3")
    assert harness.think(Choice("ps b3"))
    (answer,) = ada(harness, "undo")
    assert "Bot easy agrees: the game goes on from the board after turn 2." in said(answer)
    assert turns(harness) == ["ps a1", "ps e5"]
    ada(harness, "propose restart")
    assert turns(harness) == []
    for line in ("propose days=3", "clock on", "propose time=none"):
        (answer,) = ada(harness, line)
        assert "Not done: no" in said(answer)
        assert not harness.table().record.timing.has_clock
    (answer,) = ada(harness, "draw")
    assert "Draw: you have both agreed." in said(answer)


def test_a_bot_begins_a_rematch_at_once(harness: MemoryHarness) -> None:
    ada(harness, "new 5 vs bot")
    ada(harness, "draw")
    (begun,) = ada(harness, "rematch")
    assert "the game with Bot easy begins; it is game #2. You play Black" in said(begun)
    assert harness.table(2).record.rematch_of == 1
    assert {task.game for task in harness.memory.tasks} == {2}


def test_the_bots_turn_may_end_the_game(harness: MemoryHarness) -> None:
    ada(harness, "new 3 vs bot")
    for mine, its in (("ps a1", "ps c3"), ("ps b3", "ps b1"), ("ps a2", "ps c1")):
        ada(harness, mine)
        (letter,) = harness.bot_plays(its)
    assert "Bot easy wins" in said(letter)
    assert "takmail-1.ptn" in said(letter)
    assert "ptn.ninja" not in letter.text
    assert harness.table().record.standing is Standing.OVER


@pytest.mark.parametrize(
    ("words", "losses", "on"),
    [
        ("3 vs bot", 1, ["rematch", "learn", "seek 5"]),
        ("3 vs bot gentle", 1, ["rematch", "learn", "seek 5"]),
        ("3 vs bot gentle", 2, ["new 3 vs bot easy", "rematch", "seek near"]),
        ("tzaar vs bot strong", 2, ["new tzaar vs bot fair", "rematch", "seek near"]),
        ("5 komi=2 vs bot gentle", 2, ["rematch", "seek near"]),
    ],
)
def test_the_last_letter_names_what_is_next(
    harness: MemoryHarness, words: str, losses: int, on: list[str]
) -> None:
    harness.change(letter_view=LetterView.BOTH)
    for _ in range(losses):
        ada(harness, f"new {words} first=me")
        ada(harness, "resign")
        (letter,) = ada(harness, "yes")
    lines = "|".join(map(re.escape, on))
    assert re.findall(rf"^  ({lines})  ", letter.text, re.MULTILINE) == on
    assert [link.words for link in links(letter)][: len(on)] == on


def test_who_wins_against_a_bot_is_offered_the_next_one(harness: MemoryHarness) -> None:
    ada(harness, "new 3 vs bot")
    for mine, its in (("ps a1", "ps c3"), ("ps c2", "ps a2")):
        ada(harness, mine)
        harness.bot_plays(its)
    (letter,) = ada(harness, "flat c1, I win!")
    assert "new 3 vs bot gentle the next stronger opponent, Bot gentle rematch play again" in said(letter)


def test_a_described_move_that_loses_is_asked_about(harness: MemoryHarness) -> None:
    ada(harness, "new 3 vs bot")
    for mine, its in (("ps a1", "ps c3"), ("ps b2", "ps a2"), ("b2 to a2", "ps a3")):
        ada(harness, mine)
        harness.bot_plays(its)
    (asked,) = ada(harness, "move one piece from a2 to b2")
    assert "Do you mean this?" in said(asked)
    assert harness.table().record.is_open  # nothing takes back the last move


@pytest.mark.parametrize("text", ["ps a1", "nonsense"])
def test_a_bot_can_not_play_what_the_rules_forbid(harness: MemoryHarness, text: str) -> None:
    ada(harness, "new 5 vs bot")
    ada(harness, "ps a1")
    with pytest.raises(TurnRefused, match=text):
        harness.think(Choice(text))
    assert turns(harness) == ["ps a1"]


def test_a_bot_without_a_turn_resigns(harness: MemoryHarness) -> None:
    ada(harness, "new 5 vs bot")
    ada(harness, "ps a1")
    (letter,) = harness.think(None)
    assert "You win" in said(letter) or "resigned" in said(letter)
    assert harness.table().record.standing is Standing.OVER


def test_what_was_thought_about_another_position_counts_for_nothing(harness: MemoryHarness) -> None:
    ada(harness, "new 5 vs bot")
    ada(harness, "ps a1")
    assert harness.think(Choice("ps e5"), turns=["ps b1"]) == []
    ada(harness, "resign\nyes")
    ada(harness, "yes")
    assert harness.table().record.standing is Standing.OVER
    harness.memory.end_tasks(*harness.memory.tasks)
    harness.memory.add_task(Task(harness.table().number, MOVE))
    assert harness.think(Choice("ps e5")) == []
    assert turns(harness) == ["ps a1"]


@pytest.mark.parametrize("game", [1, 2])
def test_a_bot_does_not_move_while_its_opponent_wants_no_mail(harness: MemoryHarness, game: int) -> None:
    receipts = []
    for _ in range(2):
        harness.send(f"Ada <{ADA}>", "new 5 vs bot first=me")
        receipts += ada(harness, "ps a1")
    harness.send(f"Ada <{ADA}>", "stop", receipts[0])
    assert harness.think(Choice("ps e5"), number=2) == []
    assert turns(harness, 2) == ["ps a1"]
    harness.memory.end_tasks(*harness.memory.tasks)
    harness.send(f"Ada <{ADA}>", "say hello", receipts[game - 1])
    assert {task.game for task in harness.memory.tasks} == {1, 2}
    harness.bot_plays("ps e5", number=2)
    assert turns(harness, 2) == ["ps a1", "ps e5"]


def test_a_bot_is_not_blocked(harness: MemoryHarness) -> None:
    ada(harness, "new 5 vs bot")
    (answer,) = ada(harness, "block Bot easy")
    assert "Not done: Bot easy is a bot, and plays only with those who begin a game with it." in said(answer)
    assert harness.table().players[0].blocked == frozenset()


KIND_WORDS = """thanks|Thank you!|good game|gg|Well played!|Good game, thanks!|hello|wow|ok|How are you?|Who are you?
Are you a bot?|спасибо|Спасибо за игру!|хорошая игра|Отличный ход!|привет|молодец|Как дела?|Ты бот?|谢谢
谢谢你！|下得好|好棋|你好|辛苦了|打得不错|你是谁？|你是机器人吗？|謝謝"""
"""What is said to a bot out of politeness."""
QUESTIONS = """whos turn is it|Did I win?|Did I lose?|who won?|Is it my move?|轮到谁了|我赢了吗？|我输了吗？|谁赢了？
該我走了嗎？|чей ход?|Я выиграл?|я проиграла?|кто выиграл?"""
"""Questions how the game stands."""


SAID = """bye bye|пока bye|再见 bye
谢谢电脑 thanks|привет бот hello|好棋 kind|are you a robot? who|ура! won|зачем ты туда пошёл? why
太难了 easier|a stronger one harder|why? why|надоело tired|quit//why did I lose? tired|again! again
can we make the board bigger size|u go first first|one more but i go first starts|next time! bye
can i play my friend lucy friend|再来一局 again|rematch again
one more, but I'm black first|реванш, я белыми starts|再来一局,这次我执黑 first
undo my last move pls i didnt mean it undo|верните, пожалуйста, мой последний ход undo|哎呀走错了,撤回 undo
dont play c3! no move|not c3 no move|ничего не ставь на c3 no move|别走c3 no move
put nothing on c3 no move|不放c2 no move
again!//Ada again|Thanks!//Best regards,/Ada thanks"""
"""What is said to a bot, with a `/` for each end of a line, and how it is answered."""
MOVES = """flat b2 ps b2|b2 ps b2|c2, haha, I win! ps c2|pw b2 a wall so u cant win pw b2|ps b2! did i win ps b2
I go c3 to c2, I eat u mn c3 p1 1|c3 right me c3 p1 1|c2 flat i win ps c2|стену на b2 pw b2|ps b2 я выиграю!! ps b2
放c2 嘿嘿 你输定了 ps c2|c3往右 me c3 p1 1|take c4 ms c3 p1 1
ps b2 im gonna win haha ps b2|хочу b2 ps b2|my move is b2 ps b2|hi bot/my turn: b2/thx, Ada ps b2"""
"""Moves as they are said to a bot, and the turn that each is."""
NO_MOVES = """undo ps b2|ps b2 but first undo|i regret ps b2|show b2|stop b2
that b2|too b2|put b2 back|anything but b2|flat b2 next turn
отмени ps b2|покажи b2|撤回 ps b2|停 b2|wall b2 scares me|b2/wait no|flat b2/or c2|can i play b2|ps b2 then ps c2
ps b2! can i undo?|maybe b2|is b2 good?|your b2 is nice|ps b2 or ps c2|dont ps b2|ps b2 is bad|c3|c4
move it right|you put a wall on b2
你放b2|не b2"""
EXPLAINED = """what is a flat flat|how do i win end|can walls move wall|how do u move a stack stack
что такое стена? wall|怎么才能赢啊 end"""
OFFERED = {
    "size": ["new 6 vs bot gentle"],
    "first": ["new 5 vs bot gentle first=them"],
    "starts": ["new 5 vs bot gentle first=me"],
    "friend": ["ben@example.org"],
    "easier": ["new 5 vs bot easy"],
    "harder": ["new 5 vs bot fair"],
    "why": ["why", "hint"],
    "tired": ["resign"],
    "again": ["propose restart", "new 5 vs bot gentle"],
    "no move": [],
}


def test_what_is_said_to_a_bot_is_answered(harness: MemoryHarness) -> None:
    ada(harness, "new 5 vs bot gentle first=me")
    ada(harness, "ps a1")
    harness.bot_plays("ps e5")
    for row in SAID.replace("\n", "|").split("|"):
        words, meaning = re.fullmatch(r"(.+?) (no move|\S+)", row).groups()  # type: ignore[union-attr]
        (letter,) = ada(harness.scene(), words.replace("/", "\n"))
        if meaning == "undo":
            assert re.findall(r"^  (\w+)  ", letter.text, re.MULTILINE)[:1] == ["undo"], words
        elif meaning in OFFERED:
            assert letter.says("said_to_bot", opponent="Bot gentle", meaning=meaning), words
            assert [choice for choice in OFFERED[meaning] if choice not in letter.text] == [], words
        else:
            assert letter.says("kind_words_to_bot", opponent="Bot gentle", kind=meaning, ended=""), words
            assert letter.says("whose_turn_now", is_yours=True, is_guess=False, opponent=""), words
    assert turns(harness) == ["ps a1", "ps e5"]
    assert [task.kind for task in harness.memory.tasks] == []
    for row in EXPLAINED.replace("\n", "|").split("|"):
        words, _, topic = row.rpartition(" ")
        (letter,) = ada(harness.scene(), words)
        assert letter.says("tak_explained", topic=topic), words
    for words, topic in (
        ("кто я, белый или черный?", "colour"),
        ("how many do i have left", "number"),
        ("怎么玩", "rules"),
    ):
        (letter,) = ada(harness.scene(), words)
        assert letter.says("tak_explained_in_game", topic=topic, color="white"), words
    ada(harness, "any ideas?")
    assert [task.kind for task in harness.memory.tasks] == [TaskKind.HINT]


def test_a_move_to_a_bot_is_played_as_people_say_it(harness: MemoryHarness) -> None:
    """Between people, all these are asked about: a move counts there."""
    ada(harness, "new 5 vs bot gentle first=me")
    for mine, its in (("ps a1", "ps e5"), ("ps c3", "ps c4")):
        ada(harness, mine)
        harness.bot_plays(its)
    for text in MOVES.replace("\n", "|").split("|"):
        words, turn = re.fullmatch(r"(.+) ((?:p|m). ..(?: p1 1)?)", text).groups()  # type: ignore[union-attr]
        scene = harness.scene()
        ada(scene, words.replace("/", "\n"))
        assert turns(scene)[4:] == [turn], words
    for words in NO_MOVES.replace("\n", "|").split("|"):
        scene = harness.scene()
        ada(scene, words.replace("/", "\n"))
        assert turns(scene)[4:] == [], words


@pytest.mark.parametrize(
    ("wish", "opponent"), [("again!", "gentle"), ("ещё раз", "gentle"), ("再来一局", "gentle")]
)
def test_again_after_the_end_is_a_rematch(harness: MemoryHarness, wish: str, opponent: str) -> None:
    over(harness)
    ada(harness, wish)
    assert harness.table(2).record.rematch_of == 1
    assert f"Bot {opponent}" in harness.table(2).names


def test_words_on_the_line_of_a_wish_are_told_once(harness: MemoryHarness) -> None:
    over(harness)
    (letter,) = ada(harness, "rematch, i'm black")
    assert "You wrote: rematch, i'm black Who" in said(letter)


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("thanks again!", "thanks"),
        ("ещё раз спасибо!", "thanks"),
        ("不用再来了,谢谢", "bye"),
        ("see you again", "bye"),
        ("show me the game again", ""),
    ],
)
def test_thanks_and_a_farewell_with_again_begin_nothing(
    harness: MemoryHarness, words: str, kind: str
) -> None:
    over(harness)
    (letter,) = ada(harness, words)
    if kind:
        assert letter.says("kind_words_to_bot", opponent="Bot gentle", kind=kind, ended="lost")
    else:
        assert "no turns" in said(letter)
    assert len(harness.memory.tables) == 1


@pytest.mark.parametrize(
    ("wish", "line"),
    [
        ("harder bot", "new 5 vs bot fair"),
        ("again but harder plz", "new 5 vs bot fair"),
        ("太难了", "new 5 vs bot easy"),
        ("a strong bot", "new 5 vs bot strong"),
        ("one more, but the strong computer on a small board", "new 4 vs bot strong"),
        ("хочу против самого сильного", "new 5 vs bot best"),
        ("harder on 6x6", "new 6 vs bot fair"),
        ("rematch 4 vs the strong bot", "new 4 vs bot strong"),
    ],
)
def test_a_yes_begins_a_game_with_the_level_that_is_wished(
    harness: MemoryHarness, monkeypatch: pytest.MonkeyPatch, wish: str, line: str
) -> None:
    monkeypatch.setattr(beginnings, "THINKS_LONG", "")  # Ada has played no turn
    over(harness)
    (asked,) = ada(harness, wish)
    assert line in said(asked)
    assert "Nothing is done" not in said(asked)
    assert len(asked.lines) < 20
    ada(harness, "yes")
    assert f"Bot {line.rpartition(' ')[2]}" in harness.table(2).names


@pytest.mark.parametrize("reply", ["yes, and on a bigger board", "да, только я чёрными", "yes but harder"])
def test_a_yes_to_another_game_than_the_offered_one_begins_none(harness: MemoryHarness, reply: str) -> None:
    over(harness)
    ada(harness, "harder")
    ada(harness, reply)
    assert len(harness.memory.tables) == 1


def test_a_yes_after_the_end_is_asked_which_game_is_meant(harness: MemoryHarness) -> None:
    over(harness)
    (asked,) = ada(harness, "yes")
    assert asked.says("said_to_bot", opponent="Bot gentle", meaning="more")
    ada(harness, "the second one")
    assert "Bot fair" in harness.table(2).names


def test_beyond_the_levels_there_is_none(harness: MemoryHarness) -> None:
    for level, wish in (("best", "harder"), ("easy", "easier")):
        harness.change(bots=Bots((Bot(level),)))
        ada(harness, f"new 5 vs bot {level}")
        (letter,) = ada(harness, wish)
        assert letter.says("said_to_bot", opponent=f"Bot {level}", meaning=f"no {wish}")


def test_who_writes_a_move_after_the_end_reads_that_and_how_to_go_on(harness: MemoryHarness) -> None:
    over(harness)
    for words in ("why did i lose?", "что я сделал не так?", "我哪里走错了？"):
        (letter,) = ada(harness.scene(), words)
        assert letter.says("review_comes"), words
    (letter,) = ada(harness, "ps b4")
    assert "Not done: this game is over." in said(letter)
    assert re.findall(r"^  (rematch|learn)  ", letter.text, re.MULTILINE) == ["rematch", "learn"]
    assert len(letter.lines) < 15
    (letter,) = ada(harness, "yay, I won!")
    assert "Bot gentle has won this game, but the next one may be yours." in said(letter)


def over(harness: MemoryHarness) -> None:
    """Play a game against a bot that is over."""
    for line in ("new 5 vs bot gentle first=me", "resign", "yes"):
        ada(harness, line)


@pytest.mark.parametrize("words", some_of(KIND_WORDS.replace("\n", "|").split("|"), 3))
def test_kind_words_are_answered_kindly(harness: MemoryHarness, words: str) -> None:
    ada(harness, "new 5 vs bot")
    (letter,) = ada(harness, words)
    assert "only I read your words" in said(letter)
    assert not letter.says("words_to_bot", opponent="Bot easy")


@pytest.mark.parametrize("words", some_of(QUESTIONS.replace("\n", "|").split("|"), 2))
def test_a_question_to_a_bot_is_one_to_takmail(harness: MemoryHarness, words: str) -> None:
    ada(harness, "new 5 vs bot")
    assert "It is your turn" in said(ada(harness, words)[0])
    ada(harness, "resign")
    ada(harness, "yes")
    assert "The game is over. Bot easy wins" in said(ada(harness, words)[0])


def test_a_learner_is_spared_how_records_write_a_result(harness: MemoryHarness) -> None:
    for begins, is_told in (("new 5 vs bot", False), ("rematch", True)):
        ada(harness, begins)
        ada(harness, "resign")
        (over,) = ada(harness, "yes")
        assert ("Result: " in over.text) is is_told
        assert ("scores" in over.text) is is_told
        assert "im" not in over.text.split()


def test_words_alone_are_answered_by_a_friendly_line(harness: MemoryHarness) -> None:
    ada(harness, "new 5 vs bot")
    (answer,) = ada(harness, "It rains here all day.")
    assert "Bot easy is a bot, so only I read your words, and I am not sure what you want." in said(answer)
    assert answer.says("lines_to_go_on")
    (answer,) = ada(harness, "oops, wrong square")
    assert answer.says("lines_to_go_on")
    (answer,) = ada(harness, "say hello")
    assert "Not done: Bot easy is a bot, and reads nothing but moves." in said(answer)
    assert harness.table().correspondence.waiting_chat == ()
    ada(harness, "ps a1")
    (answer,) = ada(harness, "It rains here all day.")
    assert not answer.says("lines_to_go_on")  # it is the bot's turn


def test_in_tzaar_a_bot_s_player_is_taught_no_hint(harness: MemoryHarness) -> None:
    ada(harness, "new tzaar vs bot")
    (answer,) = ada(harness, "It rains here all day.")
    assert answer.says("lines_to_go_on")
    assert "hint" not in answer.text


def test_nobody_can_be_called_a_bot(harness: MemoryHarness) -> None:
    for name in ("Bot easy", "bot_ed", "Бот 7", "Bot", "Ed Computer", "сильный-робот", "最强电脑"):
        (answer,) = ada(harness, f"name {name}")
        assert "Not done: this" in said(answer), name
    ada(harness, "name Botwin")
    ada(harness, "new 5 vs bot")
    assert "Botwin" in harness.table().names


def test_who_plays_a_bot_can_leave(harness: MemoryHarness) -> None:
    ada(harness, "new 5 vs bot")
    ada(harness, "ps a1")
    ada(harness, "forget me")
    ada(harness, "yes")
    assert harness.table().players[0].is_erased
    assert harness.table().players[1].name == "Bot easy"
    assert all(letter.to == ADA for letter in harness.box)


def test_a_bot_that_is_no_longer_offered_plays_its_games_to_the_end(harness: MemoryHarness) -> None:
    ada(harness, "new 5 vs bot strong")
    harness.change(bots=Bots(WITH_BOTS.bots.every[:1]))
    ada(harness, "ps a1")
    harness.bot_plays("ps e5")
    assert turns(harness) == ["ps a1", "ps e5"]
    ada(harness, "draw")
    (answer,) = ada(harness, "rematch")
    assert 'there is no bot called "strong"' in said(answer)


def test_games_and_matches_name_a_bot(harness: MemoryHarness) -> None:
    ada(harness, "new 5 vs bot")
    (answer,) = harness.send(f"Ada <{ADA}>", "games")
    assert "game #1 with Bot easy (5x5): it is your turn" in said(answer)
    ada(harness, "draw")
    (answer,) = harness.send(f"Ada <{ADA}>", "match Bot easy")
    assert "after 1 game with Bot easy in all" in said(answer)
    assert harness.table().correspondence.threads[1] == Thread()


@pytest.mark.parametrize("words", ["whos turn is it", "did i win?", "谁赢了？", "кто выиграл?"])
def test_a_bots_opponent_is_told_how_the_game_stands(harness: MemoryHarness, words: str) -> None:
    ada(harness, "new 5 vs bot")
    assert "It is your turn" in said(ada(harness, words)[0])


def test_a_language_is_offered_beside_a_turn_against_a_bot(harness: MemoryHarness) -> None:
    """The receipt leaves at once then, as the bot's letter would take its place."""
    ada(harness, "new 5 vs bot")
    ada(harness, "ps a1")
    harness.bot_plays("ps e5")
    (receipt,) = ada(harness, "ps b2\n\nПривет, давай играть по-честному!")
    assert "По-русски" in receipt.text
    harness.memory.send_all()
    (news,) = harness.bot_plays("ps d4")
    assert "По-русски" not in news.text
    assert receipt in harness.box


def test_many_words_to_a_bot_wait_for_no_letter(harness: MemoryHarness) -> None:
    ada(harness, "new 5 vs bot")
    letters = [letter for number in range(15) for letter in ada(harness, f"It rains {'very ' * number}hard.")]
    assert any(letter.says("texts_in_a_row", is_heard=False, opponent="Bot easy") for letter in letters)
