"""Matches with an end: how they begin and go on by themselves, what letters tell, and how they end."""

from collections.abc import Callable

import pytest

from takmail.pipeline import rulings
from takmail.pipeline.rulings import OperatorNote
from takmail.world.kinds import GameNumber, Ruling, Standing
from tests.support.memory_harness import BOTH_SIDES, WITH_BOTS, MemoryHarness
from tests.support.players import ADA, BEN, Received, said

AS_ADA, AS_BEN = f"Ada <{ADA}>", f"Ben <{BEN}>"
ROAD = ("ps a3", "ps a1", "ps b1", "ps b3", "ps c1")
"""A road in the first row of a 3x3 board, for whoever begins: 16 points."""


def begin(harness: MemoryHarness, words: str = "3 games=3") -> MemoryHarness:
    harness.begin(words)
    return harness


def win(harness: MemoryHarness, first: str) -> list[Received]:
    """Let whoever begins win the newest game. Return the letters of the last move."""
    who, letters = first, list[Received]()
    for move in ROAD:
        letters = harness.send(f"{who[:3].capitalize()} <{who}>", move, harness.last(who))
        who = BEN if who == ADA else ADA
    return letters


def resign(harness: MemoryHarness, who: str, line: str = "resign") -> list[Received]:
    sender = f"{who[:3].capitalize()} <{who}>"
    harness.send(sender, line, harness.last(who))
    return harness.send(sender, "yes", harness.last(who))


def of_game(harness: MemoryHarness, number: int) -> Received:
    """Return Ada's newest letter about a game."""
    letters = (one for one in reversed(harness.box) if one.to == ADA and f"#{number}]" in one.subject)
    return next(letters)


def rule(harness: MemoryHarness, number: int, ruling: Ruling) -> list[Received]:
    by = OperatorNote("Operator", "the referee has seen it")
    return harness.rule(lambda context: rulings.end(context, GameNumber(number), ruling, by))


def firsts(harness: MemoryHarness) -> dict[int, str]:
    """Return who has the first turn in each game that has begun."""
    games = sorted(harness.memory.tables.items())
    return {int(number): game.names[0] for number, game in games if game.record.has_begun}


def test_a_match_of_three_goes_on_by_itself_and_has_a_winner(harness: MemoryHarness) -> None:
    invitation, _ = harness.send(AS_ADA, f"new 3 vs {BEN} games=3 first=me")
    assert "It is a match, best of 3 games. A draw is half a point for each. You take turns" in said(
        invitation
    )
    harness.send(AS_BEN, "accept", invitation)
    assert "Match, best of 3: you 0, Ben 0; this is game 1." in said(harness.last(ADA))
    answer, news = win(harness, ADA)
    # One letter for each: the end of one game, and the beginning of the next.
    assert (answer.to, news.to) == (ADA, BEN)
    assert "You win: your road joins west and east." in said(answer)
    assert "Match, best of 3: you 1, Ben 0. " in said(answer)
    assert "Game 2 of the match begins. You play Black, and Ben has the first turn." in said(answer)
    assert "Ada wins with a road" in said(news)
    assert "Game 2 of the match begins. You play White, and the first turn is yours." in said(news)
    assert "rematch" not in said(news)
    assert [letter.subject for letter in (answer, news)] == ["[tak #2] Ben – Ada, 3x3"] * 2
    answer, _ = win(harness, BEN)
    assert "Match, best of 3: you 1, Ada 1. " in said(answer)
    receipt, _ = harness.send(AS_ADA, ROAD[0], harness.last(ADA))
    assert "Match, best of 3: you 1, Ben 1; this is game 3." in said(receipt)
    resign(harness, BEN)
    assert "You have won the match, 2 to 1!" in said(harness.last(ADA))
    assert "rematch games=3 another such match, and this time Ben begins" in said(harness.last(ADA))
    assert "Ada has won the match, 2 to 1." in said(harness.last(BEN))
    answer, *_ = harness.send(AS_ADA, "match", harness.last(ADA))
    assert "You have won the match, 2 to 1! In Tak, after 3 games with Ben in all: you have" in said(answer)
    assert firsts(harness) == {1: "Ada", 2: "Ben", 3: "Ada"}


def test_words_with_the_last_move_reach_the_opponent_once(harness: MemoryHarness) -> None:
    begin(harness)
    for move, who in zip(ROAD[:-1], (ADA, BEN, ADA, BEN), strict=True):
        harness.send(f"{who[:3].capitalize()} <{who}>", move, harness.last(who))
    _, news = harness.send(AS_ADA, f"{ROAD[-1]}\n\nWell played!", harness.last(ADA))
    assert said(news).count("Well played!") == 1
    answer, _ = harness.send(AS_BEN, "ps a1", news)
    assert harness.table(2).texts() == ["ps a1"]
    harness.send(AS_BEN, "Thank you", answer)
    assert "Well played!" not in said(harness.last(ADA))


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("new 4 vs {ben} games=3 rules=university", "in a match you take turns going first, so nobody bids"),
        ("new 4 vs {ben} points=50 rules=femr", "such a game brings no points to count"),
        ("new 5 relay vs {ben} points=50", "such a game brings no points to count"),
        ("new 5 vs {ben} games=1", '"games=1" is no length of a match. "games=5" is best of five'),
        ("new 5 vs {ben} games=26", "with up to 25 games"),
        ("new 5 vs {ben} games=5 points=50", '"games=5 points=50" is no length of a match'),
        ("seek 5 games=3", '"seek" is for a single game'),
    ],
)
def test_what_can_be_no_match_is_refused(harness: MemoryHarness, line: str, why: str) -> None:
    harness.begin()
    assert why in said(harness.send(AS_ADA, line.format(ben=BEN))[-1])
    assert len(harness.memory.tables) == 1


@pytest.mark.parametrize(("scoring", "points"), [("middletown", 16), ("tarway", 23)])
def test_each_scoring_counts_in_a_match(harness: MemoryHarness, scoring: str, points: int) -> None:
    begin(harness, f"3 points=40 score={scoring}")
    answer, _ = win(harness, ADA)
    assert f"Match to 40 points: you {points}, Ben 0." in said(answer)


def test_points_decide_by_the_scoring_of_the_game(harness: MemoryHarness) -> None:
    begin(harness, "3 points=40 score=downings")
    answer, _ = win(harness, ADA)
    assert "Match to 40 points: you 23, Ben 0." in said(answer)
    win(harness, BEN)
    answer, news = win(harness, ADA)
    assert "You have won the match, 46 to 23!" in said(answer)
    assert "Ada has won the match, 46 to 23." in said(news)


def test_draws_are_halves_and_a_tie_is_one(harness: MemoryHarness) -> None:
    begin(harness, "3 games=2")
    for _ in range(2):
        harness.send(AS_ADA, "draw", harness.last(ADA))
        harness.send(AS_BEN, "agree", harness.last(BEN))
        assert {"draw"} & {*said(harness.last(ADA)).lower().split()}
    for who in (ADA, BEN):
        assert "The match has ended in a tie, 1 all." in said(harness.last(who))


def test_a_match_is_given_up_with_its_game_or_between_games(harness: MemoryHarness) -> None:
    begin(harness)
    win(harness, ADA)
    (asked,) = harness.send(AS_ADA, "stop the match", harness.last(ADA))
    assert "Do you want to give the whole match up, and this game with it?" in said(asked)
    (asked,) = harness.send(AS_ADA, "resign", asked)
    assert 'This is about this game alone: "resign match" gives the whole match up.' in said(asked)
    (asked,) = harness.send(AS_ADA, "resign match", harness.last(ADA))
    assert "Do you want to give the whole match up, and this game with it?" in said(asked)
    answer, news = harness.send(AS_ADA, "yes", asked)
    assert "You have given the match up, so Ben wins it. It stood 1 to 1." in said(answer)
    assert "Ada gives the match up." in said(news)
    assert "You have won the match, as Ada has given it up. It stood 1 to 1." in said(news)
    assert "match is over already" in said(harness.send(AS_BEN, "resign match", news)[-1])


@pytest.mark.parametrize("word", ["no", "not yet, let me think"])
def test_a_match_goes_on_unless_yes_gives_it_up(harness: MemoryHarness, word: str) -> None:
    begin(harness)
    (asked,) = harness.send(AS_ADA, "resign match", harness.last(ADA))
    harness.send(AS_ADA, word, asked)
    assert harness.table(1).record.is_open
    (refused,) = harness.send(AS_ADA, "yes", asked)
    assert harness.table(1).record.is_open, said(refused)


def test_resigning_is_of_the_game_alone_and_other_games_have_no_match(harness: MemoryHarness) -> None:
    begin(harness)
    resign(harness, ADA)
    assert harness.table(2).record.is_open
    harness.send(AS_ADA, f"new 5 vs {BEN}")
    harness.send(AS_BEN, "accept", harness.last(BEN))
    assert "this game belongs to no match" in said(
        harness.send(AS_ADA, "resign match", harness.last(ADA))[-1]
    )
    assert "the match is at game #2" in said(harness.send(AS_ADA, "resign match", of_game(harness, 1))[-1])


# Corrections.


def test_a_correction_that_decides_a_match_ends_it(harness: MemoryHarness) -> None:
    begin(harness)
    win(harness, ADA)  # 1:0
    win(harness, BEN)  # 1:1
    win(harness, ADA)  # 2:1, the end
    assert set(harness.memory.tables) == {1, 2, 3}
    to_ada, to_ben = rule(harness, 1, Ruling.SECOND)  # 0:2 after two games
    assert "Ben has won the match, 2 to 0." in said(to_ada)
    assert "You have won the match, 2 to 0!" in said(to_ben)
    assert set(harness.memory.tables) == {1, 2, 3}


def test_a_correction_decides_while_another_game_is_on(harness: MemoryHarness) -> None:
    begin(harness)
    win(harness, ADA)
    win(harness, BEN)
    _, to_ada = rule(harness, 2, Ruling.SECOND)
    assert "You have won the match, 2 to 0!" in said(to_ada)
    receipt, _ = harness.send(AS_ADA, "ps a1", of_game(harness, 3))
    assert "This game goes on, but does not count in it." in said(receipt)
    resign(harness, ADA)
    assert "You have won the match, 2 to 0!" in said(harness.last(ADA))
    assert set(harness.memory.tables) == {1, 2, 3}


@pytest.mark.parametrize(
    ("ruling", "totals"),
    [(Ruling.SECOND, "you 1, Ben 1"), (Ruling.DRAW, "you 1½, Ben ½"), (Ruling.VOID, "you 1, Ben 0")],
)
def test_a_correction_reopens_a_match_and_its_next_game_begins(
    harness: MemoryHarness, ruling: Ruling, totals: str
) -> None:
    begin(harness)
    win(harness, ADA)
    resign(harness, BEN)  # 2:0
    assert set(harness.memory.tables) == {1, 2}
    letters = rule(harness, 1, ruling)
    assert [letter.to for letter in letters] == [ADA, BEN]
    assert f"Match, best of 3: {totals}." in said(letters[0])
    assert "of the match begins. You play White" in said(letters[0])
    assert harness.table(3).record.is_open
    # The same correction once more is none, and no other game begins.
    with pytest.raises(rulings.CannotRule):
        rule(harness, 1, ruling)
    assert set(harness.memory.tables) == {1, 2, 3}


def test_a_void_game_is_played_again_with_the_same_sides(harness: MemoryHarness) -> None:
    begin(harness)
    rule(harness, 1, Ruling.VOID)
    assert firsts(harness) == {1: "Ada", 2: "Ada"}
    assert "Match, best of 3: you 0, Ben 0; this is game 1." in said(
        harness.send(AS_ADA, "ps a1", harness.last(ADA))[0]
    )


def test_a_change_of_a_result_changes_the_version_of_the_first_game(harness: MemoryHarness) -> None:
    begin(harness)
    win(harness, ADA)
    before = harness.table(1).record.version
    win(harness, BEN)
    assert harness.table(1).record.version == before + 1


# Who leaves, and who can't be reached.


def test_who_leaves_for_good_loses_the_match(harness: MemoryHarness) -> None:
    begin(harness)
    win(harness, ADA)
    harness.send(AS_ADA, "forget me", harness.last(ADA))
    harness.send(AS_ADA, "yes", harness.last(ADA))
    assert "You have won the match, as a player has given it up." in said(harness.last(BEN))
    assert not any(game.record.is_open for game in harness.memory.tables.values())


def test_the_next_game_waits_for_a_word_if_a_player_wants_no_mail(harness: MemoryHarness) -> None:
    begin(harness)
    harness.send(AS_BEN, "stop", harness.last(BEN))
    harness.send(AS_BEN, "yes", harness.last(BEN))
    resign(harness, ADA)
    assert set(harness.memory.tables) == {1}
    assert "rematch next game of the match" in said(harness.last(ADA))
    (refused,) = harness.send(AS_ADA, "rematch 5", harness.last(ADA))
    assert "the match that you are playing goes on with the same game" in said(refused)
    harness.send(AS_ADA, "rematch", harness.last(ADA))
    assert "It is the next game of your match." in said(harness.last(ADA))
    (asked,) = harness.send(AS_ADA, "resign match", of_game(harness, 1))
    assert "Do you want to give the whole match up?" in said(asked)
    harness.send(AS_BEN, "#1 rematch", next(one for one in reversed(harness.box) if one.to == BEN))
    assert harness.table(2).record.standing in (Standing.OPEN, Standing.INVITED)
    assert harness.table(2).record.series == harness.table(1).record.series


def test_a_rematch_in_a_match_is_its_next_game_which_has_begun(harness: MemoryHarness) -> None:
    begin(harness)
    old = harness.last(ADA)
    resign(harness, ADA)
    assert "#2" in said(harness.send(AS_ADA, "rematch", old)[-1])
    assert set(harness.memory.tables) == {1, 2}


def test_a_rematch_may_be_a_match(harness: MemoryHarness) -> None:
    harness.begin("3")
    resign(harness, ADA)
    invitation, _ = harness.send(AS_ADA, "rematch games=5", harness.last(ADA))
    assert "It is a match, best of 5 games." in said(invitation)
    harness.send(AS_BEN, "accept", invitation)
    resign(harness, BEN)
    assert "Match, best of 5: you 1, Ben 0." in said(harness.last(ADA))
    assert set(harness.memory.tables) == {1, 2, 3}


@pytest.mark.parametrize("make", [lambda: MemoryHarness(services=BOTH_SIDES)])
def test_the_letter_has_both_boards_and_the_record(make: Callable[[], MemoryHarness]) -> None:
    harness = begin(make())
    answer, news = win(harness, ADA)
    for letter in (answer, news):
        assert any(part.get_filename() == "takmail-1.ptn" for part in letter.mail.walk())
        assert any(part.get_filename() == "takmail-1.gif" for part in letter.mail.walk())
        assert "Game 2 of the match begins." in letter.html


def test_a_match_against_a_bot() -> None:
    harness = MemoryHarness(services=WITH_BOTS)
    harness.send(AS_ADA, "new 3 vs bot easy games=3 first=me")
    resign(harness, ADA)
    assert "Match, best of 3: you 0, Bot easy 1. " in said(harness.last(ADA))
    assert "Game 2 of the match begins. You play Black" in said(harness.last(ADA))
    harness.bot_plays("ps a1", 2)
    assert "this is game 2" in said(harness.last(ADA))


def test_match_tells_of_the_match_that_is_on_too(harness: MemoryHarness) -> None:
    begin(harness, "3 games=5")
    old = harness.last(ADA)
    resign(harness, ADA)
    elsewhere = "Match, best of 5: you 0, Ben 1. It is at game #2. In Tak, after 1 game with Ben in all"
    assert elsewhere in said(harness.send(AS_ADA, "match Ben")[-1])
    assert elsewhere in said(harness.send(AS_ADA, "match", old)[-1])
    here = said(harness.send(AS_BEN, "match", harness.last(BEN))[-1])
    assert here.count("Match, best of 5: you 1, Ada 0; this is game 2.") == 1


@pytest.mark.parametrize(
    ("line", "terms"),
    [
        (f"new 3 vs {BEN} best of five", "2 games=5"),
        (f"new 3 vs {BEN} first to 100 points", "2 points=100"),
        ("challenge Ben to a match of five games", "2 games=5"),
        (f"Please invite {BEN} to a match best of three", "2 games=3"),
        (f"邀请 {BEN} 五局三胜", "2 games=5"),
        (f"новая партия 3 против {BEN} матч из пяти партий", "2 games=5"),
        (f"Давай сыграем с {BEN} до трёх побед", "2 games=5"),
    ],
)
def test_the_length_of_a_match_may_be_told_in_words(harness: MemoryHarness, line: str, terms: str) -> None:
    harness.begin("3")
    harness.send(AS_ADA, line)
    assert harness.table(2).record.series == terms


def test_a_match_that_is_wished_for_after_a_game_is_offered(harness: MemoryHarness) -> None:
    harness.begin("3")
    resign(harness, BEN)
    letter = harness.last(ADA)
    for line in (
        "Let's play best of five",
        "best of five",
        "shall we play 5 games?",
        "五局三胜",
        "五盘三胜",
        "Хочу матч из пяти партий",
        "давай сыграем 5 партий",
    ):
        answer = said(harness.send(AS_ADA, line, letter)[-1])
        assert "rematch games=5 Asks for a match of several games." in answer, line
    assert "A match with an end begins with games=5" in said(
        harness.send(AS_ADA, "I'd like to play a match", letter)[-1]
    )


def test_giving_up_has_many_words(harness: MemoryHarness) -> None:
    begin(harness)
    letter = harness.last(ADA)
    for line in (
        "quit match",
        "match resign",
        "resign the match",
        "I want to leave the match",
        "сдаю матч",
        "матч сдаю",
        "放弃比赛",
    ):
        answer = said(harness.send(AS_ADA, line, letter)[-1])
        assert "Do you want to give the whole match up" in answer, line


def test_how_a_match_stands_is_asked_in_many_words_and_told_first(harness: MemoryHarness) -> None:
    begin(harness)
    resign(harness, BEN)
    letter = harness.last(ADA)
    for line in (
        "Who is ahead?",
        "How does our match stand?",
        "Who's leading the match?",
        "Кто впереди?",
        "Какой счёт в матче?",
        "谁领先？",
        "比赛打到几比几了",
    ):
        answers = harness.send(AS_ADA, line, letter)
        assert len(answers) == 1, line
        assert answers[0].lines[1] == "Match, best of 3: you 1, Ben 0; this is game 2.", line
        assert answers[0].text.count("Match, best of 3") == 1, line


# A way up.


def beat(harness: MemoryHarness, line: str) -> Received:
    """Let Ada begin a game on 3x3 and win it, as the bot gives it up. Return the last letter."""
    before = set(harness.memory.tables)
    harness.send(AS_ADA, line)
    (number,) = set(harness.memory.tables) - before
    harness.send(AS_ADA, "ps a1", harness.last(ADA))
    return harness.think(None, number)[-1]


def test_who_has_beaten_a_bot_twice_hears_of_the_next_one() -> None:
    harness = MemoryHarness(services=WITH_BOTS)
    assert "the next stronger opponent, Bot gentle" in said(beat(harness, "new 3 vs bot easy first=me"))
    letter = beat(harness, "new 3 vs bot easy first=me")
    assert "you have beaten Bot easy twice: try the next one, Bot gentle" in said(letter)


def test_who_has_played_before_is_offered_an_opponent_near(harness: MemoryHarness) -> None:
    harness.begin("3")
    resign(harness, ADA)
    harness.send(AS_ADA, "rematch", harness.last(ADA))
    harness.send(AS_BEN, "accept", harness.last(BEN))
    resign(harness, ADA)
    assert "seek near an opponent about as strong as you" in said(harness.last(BEN))


def test_a_game_against_any_bot_is_one_against_the_bot_beaten_last() -> None:
    harness = MemoryHarness(services=WITH_BOTS)
    opponents = []
    for line in (
        "new 3 vs bot first=me",
        "new 3 vs bot fair first=me",
        "new 3 vs bot first=me",
        "new tzaar vs bot",
    ):
        if "tzaar" in line:
            harness.send(AS_ADA, line)
        else:
            beat(harness, line)
        newest = max(harness.memory.tables)
        opponents.append({*harness.table(newest).names} - {"Ada"})
    assert opponents == [{"Bot easy"}, {"Bot fair"}, {"Bot fair"}, {"Bot easy"}]
