"""`[service] new_players`: who may begin to play here."""

import pytest

from takmail.commands.context import Access
from takmail.world.kinds import NewPlayers, Standing
from tests.support.memory_harness import MemoryHarness, turns
from tests.support.players import ADA, BEN
from tests.support.scenes import played_once
from tests.support.width import combined, some_of

OTHER = "other@example.net"
AS_ADA, AS_BEN, AS_OTHER = f"Ada <{ADA}>", f"Ben <{BEN}>", f"Other <{OTHER}>"
CLOSED = [NewPlayers.INVITED, NewPlayers.NOBODY]
WHY = {
    NewPlayers.INVITED: "Not done: only people whom a player has invited can play here.",
    NewPlayers.NOBODY: "Not done: no new players are taken here at present.",
}
MAKES_A_PLAYER = [
    f"new 5 vs {ADA}",
    "new 5 vs someone@example.net",
    "new 5 vs Ada",
    "seek 5",
    "join 1",
    "name Nora",
    "block Ada",
    "language ru",
    "view text",
    "receipts off",
    "away 10 days",
    "address add someone@example.net",
]


@pytest.fixture
@played_once
def playing(harness: MemoryHarness) -> None:
    """Ada plays with Ben, and seeks another game."""
    harness.begin()
    harness.send(AS_ADA, "seek 5", harness.last(ADA))


@pytest.fixture(params=CLOSED)
def closed(playing: MemoryHarness, request: pytest.FixtureRequest) -> MemoryHarness:
    playing.change(access=Access(request.param))
    return playing


def words(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize(("line", "is_proven"), combined(some_of(MAKES_A_PLAYER, 4), [False, True]))
def test_a_stranger_becomes_no_player(closed: MemoryHarness, line: str, is_proven: bool) -> None:
    answers = closed.send(AS_OTHER, "help")[0] if is_proven else None
    players, games = set(closed.memory.players), set(closed.memory.tables)
    (letter,) = closed.send(AS_OTHER, line, answers)
    assert WHY[closed.services.access.new_players] in words(letter.text)
    assert letter.to == OTHER
    assert len(letter.lines) < 20
    assert (set(closed.memory.players), set(closed.memory.tables)) == (players, games)


def test_forged_mails_cause_no_more_letters_than_others(closed: MemoryHarness) -> None:
    letters = [one for number in range(8) for one in closed.send(AS_OTHER, f"new {number % 6 + 3} vs {ADA}")]
    assert {one.to for one in letters} == {OTHER}
    assert len(letters) <= closed.services.rates.stranger_answers_per_hour


@pytest.mark.parametrize("mail", ["Hello, what is this?", "hello"])
def test_the_first_letter_tells_a_stranger_who_may_play(closed: MemoryHarness, mail: str) -> None:
    (letter,) = closed.send(AS_OTHER, mail)
    is_invited = closed.services.access.new_players is NewPlayers.INVITED
    assert ("ask somebody who plays here to invite you" in words(letter.text)) == is_invited
    assert ("No new players are taken here at present." in words(letter.text)) != is_invited
    assert "seek 5" not in letter.text


@pytest.mark.parametrize(("word", "brings"), [("help", "help all"), ("rules", "capstone")])
def test_what_the_first_letter_promises_comes_when_it_is_answered(
    closed: MemoryHarness, word: str, brings: str
) -> None:
    closed.confirms = False
    (letter,) = closed.send(AS_OTHER, word)
    assert letter.wants_it_again
    assert 'Answer this letter with "rules" or "help", and they come.' in words(letter.text)
    assert brings not in words(letter.text)
    (answer,) = closed.send(AS_OTHER, word, letter)
    assert brings in words(answer.text)


def test_help_tells_who_may_play(closed: MemoryHarness) -> None:
    is_invited = closed.services.access.new_players is NewPlayers.INVITED
    (letter,) = closed.send(AS_ADA, "help all", closed.last(ADA))
    assert ("ask somebody who plays here to invite you" in words(letter.text)) == is_invited
    assert ("No new players are taken here at present." in words(letter.text)) != is_invited


def test_where_anyone_may_play_nothing_is_said_of_it(playing: MemoryHarness) -> None:
    for mail in ("hello", "help"):
        (letter,) = playing.send(AS_OTHER, mail)
        assert "invite you" not in words(letter.text)
        assert "at present" not in words(letter.text)


def test_players_play_on_and_begin_games(closed: MemoryHarness) -> None:
    closed.play("ps a1", "ps e1")
    assert turns(closed) == ["ps a1", "ps e1"]
    for line in ("new 6 vs Ben", f"new 7 vs {BEN}", "seek 6", "name Nora", "view both"):
        letters = closed.send(AS_ADA, line, closed.last(ADA))
        assert not any("Not done" in one.text for one in letters)
    letters = closed.send(AS_BEN, "join 1", closed.last(BEN))
    assert not any("Not done" in one.text for one in letters)


@pytest.mark.parametrize("first", ["seek 5", "name Nora", "view text"])
def test_who_is_a_player_without_a_game_stays_one(playing: MemoryHarness, first: str) -> None:
    (answer,) = playing.send(AS_OTHER, "help")
    playing.send(AS_OTHER, first, answer)
    lines = ("seek 6", "join 1", "name Otto", "view both", "address add someone@example.net")
    for mode, line in combined(CLOSED, lines):
        playing.change(access=Access(mode))
        letters = playing.scene().send(AS_OTHER, line, answer)
        assert not any("Not done" in one.text for one in letters), line


@pytest.mark.parametrize("answer", ["accept", "decline"])
def test_an_invitation_that_was_sent_can_be_answered(playing: MemoryHarness, answer: str) -> None:
    playing.send(AS_ADA, f"new 5 vs {OTHER} first=them", playing.last(ADA))
    invitation = playing.last(OTHER)
    for mode in CLOSED:
        playing.change(access=Access(mode))
        letters = playing.scene().send(AS_OTHER, answer, invitation)
        assert {one.to for one in letters} == {ADA, OTHER}
        assert not any("Not done" in one.text for one in letters)


def test_who_was_invited_is_a_player(playing: MemoryHarness) -> None:
    playing.change(access=Access(NewPlayers.INVITED))
    playing.send(AS_ADA, f"new 5 vs {OTHER} first=them", playing.last(ADA))
    playing.send(AS_OTHER, "accept", playing.last(OTHER))
    playing.send(AS_OTHER, "ps a1", playing.last(OTHER))
    assert turns(playing, 2) == ["ps a1"]
    letters = playing.send(AS_OTHER, "new 6 vs Ben", playing.last(OTHER))
    assert {one.to for one in letters} == {OTHER, BEN}


def test_players_invite_new_people_unless_nobody_may_join(closed: MemoryHarness) -> None:
    letters = closed.send(AS_ADA, f"new 6 vs {OTHER}", closed.last(ADA))
    if closed.services.access.new_players is NewPlayers.INVITED:
        assert {one.to for one in letters} == {ADA, OTHER}
    else:
        (letter,) = letters
        assert letter.to == ADA
        assert f"Not done: {OTHER} does not play here, and no new players are taken" in words(letter.text)


def test_a_question_from_before_is_of_no_use(playing: MemoryHarness) -> None:
    playing.confirms = False
    (question,) = playing.send(AS_OTHER, f"new 6 vs {ADA}")
    assert question.asks_who
    playing.change(access=Access(NewPlayers.INVITED))
    (letter,) = playing.send(AS_OTHER, "yes", question)
    assert "Not done: only people whom a player has invited" in words(letter.text)


def test_stop_leads_to_no_seat(closed: MemoryHarness) -> None:
    (letter,) = closed.send(AS_OTHER, "help")
    closed.send(AS_OTHER, "stop", letter)
    for line in ("help", "accept", f"new 6 vs {ADA}", "name Otto", f"new 6 vs {ADA}", "seek 6"):
        (answer,) = closed.send(AS_OTHER, line, letter)
        assert (WHY[closed.services.access.new_players] in words(answer.text)) == (
            line not in ("help", "accept")
        )


def test_who_has_sent_stop_can_be_invited_once_they_want_to_play(playing: MemoryHarness) -> None:
    playing.change(access=Access(NewPlayers.INVITED))
    (letter,) = playing.send(AS_OTHER, "help")
    playing.send(AS_OTHER, "stop", letter)
    playing.send(AS_OTHER, f"new 6 vs {ADA}", letter)
    playing.send(AS_ADA, f"new 5 vs {OTHER} first=them", playing.last(ADA))
    playing.send(AS_OTHER, "accept", playing.last(OTHER))
    playing.send(AS_OTHER, "ps a1", playing.last(OTHER))
    assert turns(playing, 2) == ["ps a1"]


def test_a_player_writes_from_a_new_address(closed: MemoryHarness) -> None:
    closed.send(AS_ADA, f"address add {OTHER}", closed.last(ADA))
    closed.send(AS_OTHER, "yes", closed.last(OTHER))
    assert closed.memory.players[1].mailbox(OTHER) is not None


def test_the_first_player_begins_and_invites_and_then_the_rule_counts(harness: MemoryHarness) -> None:
    harness.change(access=Access(NewPlayers.INVITED))
    (letter,) = harness.send(AS_OTHER, "help")
    harness.send(AS_OTHER, "stop", letter)
    harness.send(AS_OTHER, "help", letter)
    letters = harness.send(AS_ADA, f"new 5 vs {BEN} first=them")
    assert {one.to for one in letters} == {ADA, BEN}
    harness.send(AS_BEN, "accept", harness.last(BEN))
    assert harness.table().record.standing == Standing.OPEN
    (letter,) = harness.send(AS_OTHER, "seek 5", letter)
    assert WHY[NewPlayers.INVITED] in words(letter.text)


def test_where_nobody_may_join_nobody_begins(harness: MemoryHarness) -> None:
    harness.change(access=Access(NewPlayers.NOBODY))
    (letter,) = harness.send(AS_ADA, "seek 5")
    assert WHY[NewPlayers.NOBODY] in words(letter.text)


def test_a_question_to_the_first_player_is_answered_with_yes(harness: MemoryHarness) -> None:
    harness.change(access=Access(NewPlayers.INVITED))
    harness.confirms = False
    (question,) = harness.send(AS_ADA, f"new 5 vs {BEN}")
    assert question.asks_who
    letters = harness.send(AS_ADA, "yes", question)
    assert {one.to for one in letters} == {ADA, BEN}
