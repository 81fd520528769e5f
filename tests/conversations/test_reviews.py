"""Reviews of finished games, and hints in games against bots."""

import re
from collections.abc import Sequence
from functools import cache

import pytest

from takmail.games.tak.game import TakGame
from takmail.games.tak.picture.colors import LAST, VALUES
from takmail.games.thinking import Hint, Review
from takmail.world.kinds import LetterState, Standing
from takmail.world.tasks import Task, TaskKind
from tests.support.memory_harness import WITH_BOTS, MemoryHarness
from tests.support.players import ADA, BEN, Received, said

GAME = (
    "ps a1",
    "ps e5",
    "ps a4",
    "ps e4",
    "ps b4",
    "ps e3",
    "ps c4",
    "ps c1",
    "ps d4",
    "ps c2",
    "ps e2",
    "ps c3",
)
"""A game in which both miss something, and White wins by a road a ply later."""
ROAD = "ps d5"
ADAS, BENS = f"Ada <{ADA}>", f"Ben <{BEN}>"


@cache
def review_of(turns: Sequence[str], only: int | None = None) -> Review:
    return TakGame().review("5", turns, lambda: False, only)


@pytest.fixture
def harness() -> MemoryHarness:
    harness = MemoryHarness(services=WITH_BOTS)
    harness.begin()
    return harness


@cache
def played(*turns: str) -> MemoryHarness:
    """Return a game with turns, for copies of it."""
    harness = MemoryHarness(services=WITH_BOTS)
    harness.begin_and_play(*turns)
    return harness


def finished(harness: MemoryHarness) -> tuple[str, ...]:
    """Continue with a game at its end, and return its turns."""
    harness.restore(played(*GAME, ROAD))
    assert harness.table().record.standing is Standing.OVER
    harness.memory.end_tasks(*harness.memory.tasks)
    return (*GAME, ROAD)


def asked(harness: MemoryHarness, text: str, who: str = ADA) -> list[Received]:
    return harness.send(f"{'Ada' if who == ADA else 'Ben'} <{who}>", text, harness.last(who))


def test_a_review_comes_in_a_letter_of_its_own_to_who_asked(harness: MemoryHarness) -> None:
    turns = finished(harness)
    (answer,) = asked(harness, "review")
    assert "The review of this game comes in a letter of its own" in said(answer)
    assert [*harness.memory.tasks] == [
        Task(harness.table().number, TaskKind.REVIEW, harness.table().to_move.other)
    ]
    (letter,) = harness.think(review_of(turns))
    assert letter.to == ADA
    text = said(letter)
    assert text.startswith(
        "4 turns of this game are worth another look, here in the order of play. All that I say"
    )
    assert "Turn 11: You could have made a road at once, and won." in text
    assert [int(turn) for turn in re.findall(r"Turn (\d+): ", text)] == [8, 9, 10, 11]
    assert 'You played "ps e2".' in text
    assert "Turn 10: After Ben's move you could make a road at once. Ben could have prevented it." in text
    assert "You could have forced a road in 2 turns of yours, whatever Ben played." in text
    assert "no road that threats alone can force within 5 turns of both players." in text
    assert 'It goes on to the end like this: "pc d4", ' in text
    assert (
        "I looked 5 turns ahead, those of both players counted, for wins that are forced by one threat"
        in text
    )
    assert "What lies further ahead, or begins quietly, I do not know." in text
    assert "The attached record has all of this as marks and comments." in text


def test_each_finding_has_the_board_before_its_turn(harness: MemoryHarness) -> None:
    turns = finished(harness)
    asked(harness, "review", BEN)
    (letter,) = harness.think(review_of(turns))
    assert letter.to == BEN
    board = TakGame().start("5")
    for turn in turns[:10]:
        board = board.play(turn)
    assert "\n".join(board.board()) in letter.text
    assert "The board before turn 11; it was Ada's move:" in said(letter)
    assert letter.html.count("<table") > 4
    assert len(letter.html) < 100_000


def test_one_turn_can_be_reviewed(harness: MemoryHarness) -> None:
    turns = finished(harness)
    asked(harness, "review 10")
    (letter,) = harness.think(review_of(turns, 10))
    assert said(letter).startswith("Here is what can be proven about turn 10.")
    assert "I looked 7 turns ahead" in said(letter)
    asked(harness, "review turn 3")
    (letter,) = harness.think(review_of(turns, 3))
    assert "Turn 3 missed nothing that I can prove." in said(letter)


def test_what_was_not_searched_to_the_end_is_called_so(harness: MemoryHarness) -> None:
    finished(harness)
    asked(harness, "review")
    (letter,) = harness.think(Review((), False, 5, ("",) * 13))
    assert "In this game neither of you missed anything that I can prove." in said(letter)
    assert "could not search every position to the end. So there may be more." in said(letter)


def test_there_is_one_review_at_a_time(harness: MemoryHarness) -> None:
    turns = finished(harness)
    (answer,) = asked(harness, "review 10\nreview 11")
    assert "I am still thinking about what you asked for before" in said(answer)
    (answer,) = asked(harness, "review")
    assert "I am still thinking" in said(answer)
    assert [task.turn for task in harness.memory.tasks] == [10]
    assert asked(harness, "review 3", BEN)
    assert len(harness.memory.tasks) == 2
    harness.memory.end_tasks(max(harness.memory.tasks, key=lambda task: task.seat or 0))
    assert harness.think(review_of(turns, 10))
    (answer,) = asked(harness, "review 11")
    assert "comes in a letter of its own" in said(answer)


def test_a_review_that_fails_is_told(harness: MemoryHarness) -> None:
    finished(harness)
    asked(harness, "review")
    (letter,) = harness.think(None)
    assert "The review of this game could not be made." in said(letter)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("review", "a game is reviewed once it is over"),
        ("hint", "there are hints only in games against bots"),
    ],
)
def test_a_running_game_between_people_gets_no_advice(harness: MemoryHarness, line: str, why: str) -> None:
    harness.play(*GAME[:3])
    (answer,) = asked(harness, line, BEN)
    assert f"Not done: {why}" in said(answer)
    assert not harness.memory.tasks


def test_a_turn_that_was_not_played_can_not_be_reviewed(harness: MemoryHarness) -> None:
    finished(harness)
    (answer,) = asked(harness, "review 99")
    assert "99" in said(answer)
    assert not harness.memory.tasks


def test_a_relay_game_has_no_review(harness: MemoryHarness) -> None:
    harness.begin("5 relay")
    (answer,) = asked(harness, "review")
    assert "Not done: games of this kind can't be reviewed." in said(answer)


def test_the_end_of_a_game_names_the_review(harness: MemoryHarness) -> None:
    told = "review what was missed"
    finished(harness)
    for who in (ADA, BEN):
        assert told in said(harness.last(who))
        assert "body=review" in harness.last(who).html
    harness.begin("tzaar")
    asked(harness, "resign")
    (answer, _) = asked(harness, "yes")
    assert told not in said(answer)
    assert "body=review" not in answer.html


def test_a_game_against_a_bot_names_the_hint(harness: MemoryHarness) -> None:
    harness.send(ADAS, "new 5 vs bot first=me")
    assert 'Stuck? "hint" tells you where on the board to look.' in said(harness.last(ADA))
    assert "Stuck?" not in said(asked(harness, "ps a1")[0])


HINT = Hint("road", "ps c3", {"area": "north-east", "is_move": False})


@pytest.fixture
def with_bot() -> MemoryHarness:
    harness = MemoryHarness(services=WITH_BOTS)
    harness.send(ADAS, "new 5 vs bot")
    return harness


def hints(harness: MemoryHarness, hint: Hint | None = HINT) -> str:
    """Ask for a hint, and return what the letter with it says."""
    (answer,) = asked(harness, "hint")
    assert "Your hint comes in a letter of its own in a moment." in said(answer)
    (letter,) = harness.think(hint)
    return said(letter)


def test_a_hint_tells_where_to_look_and_then_the_move(with_bot: MemoryHarness) -> None:
    first = hints(with_bot)
    assert first.startswith("You can make a road in this turn. Look at the empty squares at the top right.")
    assert "You have 2 more hints in this game." in first
    assert "ps c3" not in first
    assert 'You can make a road in this turn. Play "ps c3".' in hints(with_bot)
    assert with_bot.table().record.hints == with_bot.table().state.checksum


def test_there_are_three_hints_in_a_game(with_bot: MemoryHarness) -> None:
    for mine, bots in (("ps a1", "ps e5"), ("ps b2", "ps d4"), ("ps b3", "ps d3")):
        hints(with_bot)
        asked(with_bot, mine)
        with_bot.bot_plays(bots)
    (answer,) = asked(with_bot, "hint")
    assert "Not done: you have had all 3 hints of this game." in said(answer)
    assert not with_bot.memory.tasks


def test_a_hint_counts_for_its_position_though_turns_are_taken_back(with_bot: MemoryHarness) -> None:
    for mine, bots in (("ps a1", "ps e5"), ("ps b2", "ps d4")):
        asked(with_bot, mine)
        with_bot.bot_plays(bots)
    assert "You have 2 more hints in this game." in hints(with_bot)
    asked(with_bot, "undo")
    asked(with_bot, "ps b3")
    with_bot.bot_plays("ps d4")
    elsewhere = hints(with_bot)
    assert "You have one more hint in this game." in elsewhere
    assert "ps c3" not in elsewhere
    asked(with_bot, "undo")
    asked(with_bot, "ps b2")
    with_bot.bot_plays("ps d4")
    assert 'Play "ps c3".' in hints(with_bot)


def test_there_are_no_hints_in_tzaar(harness: MemoryHarness) -> None:
    harness.send(ADAS, "new tzaar vs bot easy")
    (answer,) = asked(harness, "hint")
    assert "Not done: there are no hints in games of this kind." in said(answer)


@pytest.mark.parametrize("line", ["Can I have a hint?", "What is a good move?", "подскажи", "走哪里"])
def test_a_bots_opponent_gets_a_hint_in_other_words(with_bot: MemoryHarness, line: str) -> None:
    asked(with_bot, line)
    assert [task.kind for task in with_bot.memory.tasks] == [TaskKind.HINT]


def test_to_a_person_the_same_words_may_be_said(harness: MemoryHarness) -> None:
    (answer,) = asked(harness, "Can I have a hint?")
    assert "If this is for Ben, send: say Can I have a hint?" in said(answer)


def test_who_asks_for_a_hint_again_does_not_begin_it_anew(with_bot: MemoryHarness) -> None:
    asked(with_bot, "hint")
    (answer,) = asked(with_bot, "hint")
    assert "I am still thinking" in said(answer)
    (letter,) = with_bot.think(HINT)
    assert "Look at the empty squares" in said(letter)


def test_a_hint_shows_the_board_with_the_place_marked(with_bot: MemoryHarness) -> None:
    asked(with_bot, "hint")
    (first,) = with_bot.think(HINT)
    assert marked(first) == {"D1", "E1", "D2", "E2"}
    assert "0 0 0 0 0 A B C D E" in said(first)
    asked(with_bot, "hint")
    (whole,) = with_bot.think(HINT)
    assert marked(whole) == {"C3"}


def marked(letter: Received) -> set[str]:
    """Return the squares with the colour of a marked one."""
    cells = re.findall(r'<td bgcolor="(#\w+)">.*?alt="(\w\d)', letter.html, re.DOTALL)
    return {place for color, place in cells if color == VALUES[LAST]}


def is_sent(harness: MemoryHarness, letter: Received) -> bool:
    """Return whether a letter has left, or leaves at once."""
    (row,) = (one for one in harness.memory.outbox.values() if one.message_id == letter.id)
    return row.state in (LetterState.QUEUED, LetterState.SENT) and not row.waits_for_thought


def test_a_hint_is_one_letter(with_bot: MemoryHarness) -> None:
    (answer,) = asked(with_bot, "hint")
    assert not is_sent(with_bot, answer)
    (letter,) = with_bot.think(HINT)
    assert is_sent(with_bot, letter)
    assert not is_sent(with_bot, answer)


@pytest.mark.parametrize("mails", [["hint", "ps a1"], ["hint\nps a1"]])
def test_who_moves_before_the_hint_comes_hears_that_there_is_none(
    with_bot: MemoryHarness, mails: list[str]
) -> None:
    for mail in mails:
        (answer,) = asked(with_bot, mail)
    assert answer.says("hint_too_late")
    assert is_sent(with_bot, answer)
    with_bot.memory.end_tasks(*(task for task in with_bot.memory.tasks if task.kind is TaskKind.HINT))
    (letter,) = with_bot.bot_plays("ps e5")
    assert not letter.says("hint_too_late")


def test_a_hint_that_was_not_found_does_not_count(with_bot: MemoryHarness) -> None:
    assert "I could not find a hint." in hints(with_bot, None)
    assert with_bot.table().record.hints == ""


def test_a_hint_is_for_ones_own_turn(with_bot: MemoryHarness) -> None:
    asked(with_bot, "ps a1")
    (answer,) = asked(with_bot, "hint")
    assert "it is not your turn" in said(answer)


def test_a_hint_that_comes_after_the_move_is_dropped(with_bot: MemoryHarness) -> None:
    asked(with_bot, "hint")
    asked(with_bot, "ps a1")
    (hint,) = (task for task in with_bot.memory.tasks if task.kind is TaskKind.HINT)
    with_bot.memory.end_tasks(*with_bot.memory.tasks.keys() - {hint})
    assert with_bot.think(HINT, turns=()) == []


@pytest.mark.parametrize(
    ("language", "review", "hint"),
    [
        (
            "ru",
            "Ход 11: Вы могли сразу построить дорогу и победить.",
            "Посмотрите на пустые клетки вверху справа.",
        ),
        ("zh", "第11手： 你本来可以马上连成路，当场取胜。", "看看棋盘右上的空格。"),
    ],
)
def test_in_other_languages(harness: MemoryHarness, language: str, review: str, hint: str) -> None:
    finished(harness)
    asked(harness, f"language {language}")
    asked(harness, "#1 review")
    (letter,) = harness.think(review_of((*GAME, ROAD)))
    assert review in said(letter)
    harness.send(ADAS, "new 5 vs bot")
    asked(harness, "hint")
    (letter,) = harness.think(HINT, number=2)
    assert hint in said(letter)


def ended(harness: MemoryHarness) -> list[Received]:
    """Continue with a game that now comes to its end. Return the letters about it, which are held."""
    harness.restore(played(*GAME))
    before = len(harness.box)
    asked(harness, ROAD)
    held = [letter for letter in harness.memory.outbox.values() if letter.waits_for_thought]
    assert len(held) == 2
    assert [*harness.memory.tasks] == [Task(harness.table().number, TaskKind.LAST)]
    return harness.box[before:]


def test_the_last_letters_name_what_was_worth_most(harness: MemoryHarness) -> None:
    before = {letter.to: letter for letter in ended(harness)}
    letters = {letter.to: letter for letter in harness.think(review_of((*GAME, ROAD)))}
    assert set(letters) == {ADA, BEN}
    for who, line in (
        (ADA, "The most important turn was 11. You could have made a road at once, and won."),
        (BEN, "The most important turn was 11. Ada could have made a road at once, and won."),
    ):
        text = said(letters[who])
        assert line in text
        for part in ("S 0 S S 0", "You lead", "points"):
            assert (part in text) == (part in said(before[who])), part
        assert "what was missed" in letters[who].html
    assert said(letters[ADA]).startswith("You win: your road joins west and east.")
    assert said(letters[BEN]).startswith("Ada wins with a road from west to east. Ada places a flat")
    withdrawn = [letter for letter in harness.memory.outbox.values() if letter.state is LetterState.WITHDRAWN]
    assert len(withdrawn) == 2
    assert not [letter for letter in harness.memory.outbox.values() if letter.waits_for_thought]


def test_without_a_finding_the_last_letters_leave_as_they_were(harness: MemoryHarness) -> None:
    before = ended(harness)
    letters = harness.think(None)
    assert {letter.to for letter in letters} == {letter.to for letter in before}
    assert all("worth most" not in said(letter) for letter in letters)


def test_letters_that_have_left_are_not_written_again(harness: MemoryHarness) -> None:
    ended(harness)
    held = [letter.message_id for letter in harness.memory.outbox.values() if letter.waits_for_thought]
    harness.memory.set_state(LetterState.SENT, *held)
    assert harness.think(review_of((*GAME, ROAD))) == []


def test_words_let_the_last_letters_leave_before_them(harness: MemoryHarness) -> None:
    ended(harness)
    to_ben = harness.send(ADAS, "Good game!", harness.last(ADA))[-1]
    assert "Good game!" in said(to_ben)
    letters = [*harness.memory.outbox.values()]
    assert not [
        letter for letter in letters if letter.waits_for_thought or letter.state is LetterState.WITHDRAWN
    ]
    assert harness.think(review_of((*GAME, ROAD))) == []


def test_a_game_that_is_given_up_is_reviewed_too(harness: MemoryHarness) -> None:
    harness.restore(played(*GAME))
    asked(harness, "resign", BEN)
    asked(harness, "yes", BEN)
    assert [*harness.memory.tasks] == [Task(harness.table().number, TaskKind.LAST)]
    told = {letter.to: said(letter) for letter in harness.think(review_of(GAME))}
    assert told[ADA].startswith("You win: Ben has given the game up. The most important turn was 11.")


def test_where_there_are_no_bots_no_letter_waits() -> None:
    harness = MemoryHarness()
    harness.begin()
    harness.play(*GAME, ROAD)
    assert not [letter for letter in harness.memory.outbox.values() if letter.waits_for_thought]
    assert not harness.memory.tasks


def test_the_last_letter_of_a_game_against_a_bot(with_bot: MemoryHarness) -> None:
    mine, bots = GAME[::2], GAME[1::2]
    for turn, its in zip(mine, bots, strict=True):
        asked(with_bot, turn)
        with_bot.bot_plays(its)
    asked(with_bot, ROAD)
    (letter,) = with_bot.think(review_of((*GAME, ROAD)))
    assert letter.to == ADA
    assert "The most important turn was 11. You could have made a road at once, and won." in said(letter)
