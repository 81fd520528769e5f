"""A blocked player's commands don't run, and nothing is sent in the player's name. Two players can be merged."""

from datetime import timedelta

import pytest
from sqlmodel import Session, select

from takmail.cli import games as console
from takmail.cli import players
from takmail.letters.batch import LetterBatch
from takmail.pipeline.rulings import CannotRule, OperatorNote
from takmail.store import dispatch, operator_log, people
from takmail.store.tables import GameRow, OutboxRow, SeekRow
from takmail.world.kinds import LetterState, MailState, Standing
from tests.support.databases import all_of
from tests.support.harness import ADA, BEN, Harness, Received, said, turns
from tests.support.scenes import played_once
from tests.support.width import some_of

BY = OperatorNote("Someone", "writes in other people's names")
OTHER = "other@example.org"


def block(harness: Harness, who: str, by: OperatorNote = BY) -> list[Received]:
    players.block(harness.store, harness.causes, who, by, undo=False)
    return harness.collect()


def unblock(harness: Harness, who: str) -> list[Received]:
    players.block(harness.store, harness.causes, who, BY, undo=True)
    return harness.collect()


def merge(harness: Harness, source: str, into: str) -> None:
    players.merge(harness.store, harness.causes, source, into, BY)


def standing(harness: Harness, number: int = 1) -> str:
    with harness.store.transaction() as session:
        return str(session.get_one(GameRow, number).standing)


def everything(harness: Harness) -> list[tuple[object, ...]]:
    """Return the whole database except mails, letters and their notes."""
    return [row for row in all_of(harness.store.engine) if row[0] not in ("inbox", "outbox")]


@pytest.fixture
@played_once
def game(harness: Harness) -> None:
    harness.begin_and_play("ps a3", "ps a1", words="3")


def test_the_opponent_of_a_blocked_player_is_told_once_and_the_game_stands_still(game: Harness) -> None:
    (letter,) = block(game, BEN)
    assert letter.to == ADA
    assert f'adjourned this game: "{BY.why}"' in said(letter)
    assert BEN not in letter.mail.as_string()
    assert standing(game) == Standing.ADJOURNED
    with game.store.transaction() as session:
        assert [(row.who, row.what, row.why) for row in operator_log.of_player(session, 2)] == [
            ("Someone", "blocked", BY.why),
            ("Someone", "adjourned", BY.why),
        ]


@pytest.mark.parametrize(
    "words",
    some_of(
        ["ps b2", "Hello Ada", "resign", "draw", "games", f"new 5 vs {OTHER}", "name Somebody", "help"], 3
    ),
)
def test_a_blocked_players_mail_changes_nothing_and_goes_to_nobody_else(game: Harness, words: str) -> None:
    block(game, BEN)
    last = next(one for one in reversed(game.box) if one.to == BEN)
    before = everything(game)
    for answers in (last, None):
        for letter in game.send(f"Ben <{BEN}>", words, answers):
            assert letter.to == BEN
    assert everything(game) == before
    assert turns(game) == ["ps a3", "ps a1"]


def test_a_blocked_player_gets_one_short_answer_a_day_which_can_not_come_back(game: Harness) -> None:
    block(game, BEN)
    (letter,) = game.send(f"Ben <{BEN}>", "ps b2", game.last(BEN))
    assert said(letter).startswith(
        f'Not read: the operator of Tak by Mail takes no mail from you any more: "{BY.why}"'
    )
    assert game.note_of(6) == (MailState.REJECTED, "the player is blocked")
    assert game.send(f"Ben <{BEN}>", "ps b2") == []
    assert game.note_of(7) == (MailState.REJECTED, "the player is blocked")
    game.now += timedelta(days=1, seconds=1)
    assert [one.to for one in game.send(f"Ben <{BEN}>", "ps b2")] == [BEN]


def test_a_yes_to_what_was_asked_before_the_block_runs_nothing(game: Harness) -> None:
    game.play("ps b2", "ps c3")
    game.send(f"Ada <{ADA}>", "ps b1")
    question = game.last(ADA)
    block(game, ADA)
    game.send(f"Ada <{ADA}>", "yes", question)
    assert turns(game) == ["ps a3", "ps a1", "ps b2", "ps c3"]


def test_the_token_of_a_blocked_player_is_of_no_use_to_another_address(game: Harness) -> None:
    block(game, ADA)
    for letter in game.send("Someone <someone@example.net>", "ps b2", game.last(ADA)):
        assert letter.to == ADA
    game.send(f"Ada <{ADA}>", "yes", game.last(ADA))
    assert turns(game) == ["ps a3", "ps a1"]


def test_words_that_nobody_has_read_yet_are_not_passed_on(game: Harness) -> None:
    game.play("ps b2", start=0)
    game.send(f"Ben <{BEN}>", "rs\nA rude word", game.last(BEN))
    (letter,) = block(game, BEN)
    assert "rude" not in letter.text
    (answer,) = game.send(f"Ada <{ADA}>", "rs", game.last(ADA))
    assert "rude" not in answer.text


def test_invitations_and_seeks_of_a_blocked_player_are_taken_back(harness: Harness) -> None:
    harness.send(f"Ada <{ADA}>", f"new 5 vs {BEN}")
    harness.send(f"Ben <{BEN}>", f"new 5 vs {OTHER}")
    with harness.store.transaction() as session:
        number = players.find(session, BEN).id
        for one in (1, number):
            session.add(SeekRow(player_id=one, kind="tak", setup="5", first="random", sought_at=harness.now))
    assert block(harness, BEN) == []
    assert (standing(harness, 1), standing(harness, 2)) == (Standing.INVITED, Standing.DECLINED)
    with harness.store.transaction() as session:
        assert len(seeks(session, 1)) == 1
        assert seeks(session, number) == []
    harness.send("Other <other@example.org>", "accept", harness.last(OTHER))
    assert standing(harness, 2) == Standing.DECLINED


def seeks(session: Session, player: int) -> list[SeekRow]:
    return list(session.exec(select(SeekRow).where(SeekRow.player_id == player)))


def states(harness: Harness, to: str) -> list[str]:
    with harness.store.transaction() as session:
        rows = session.exec(select(OutboxRow).where(OutboxRow.mail_to == to).order_by("id")).all()
        return [str(row.state) for row in rows]


def test_an_invitation_that_has_not_left_yet_never_does_and_what_else_waits_leaves(harness: Harness) -> None:
    for guest in (OTHER, "someone@example.net"):
        harness.send(f"Ada <{ADA}>", f"new 5 vs {guest}")
    with harness.store.transaction() as session:
        asked = session.exec(select(OutboxRow)).first()
        assert asked is not None
        asked.state = LetterState.SENT
        # The first invitation is on its way. Letters to strangers leave after the answer to Ada.
        answer, claimed = dispatch.claim(session, harness.now, most=2)
        assert (answer.mail_to, claimed.mail_to) == (ADA, OTHER)
    block(harness, ADA)
    assert states(harness, OTHER) == ["queued"]
    assert states(harness, "someone@example.net") == ["withdrawn"]
    assert states(harness, ADA) == ["sent", "queued", "queued", "queued"]


def test_an_unblocked_player_goes_on_where_the_game_stood(game: Harness) -> None:
    block(game, BEN)
    assert {one.to for one in unblock(game, BEN)} == {ADA, BEN}
    assert standing(game) == Standing.OPEN
    game.play("ps b2", "ps c3")
    assert turns(game) == ["ps a3", "ps a1", "ps b2", "ps c3"]


def test_a_game_that_was_adjourned_for_another_reason_stays_so(game: Harness) -> None:
    console.adjourn(game.store, game.causes, 1, BY)
    game.collect()
    assert block(game, BEN) == []
    assert unblock(game, BEN) == []
    assert standing(game) == Standing.ADJOURNED


@pytest.mark.parametrize("order", [(ADA, BEN), (BEN, ADA)])
def test_a_game_of_two_blocked_players_goes_on_when_both_may_write_again(game: Harness, order) -> None:
    block(game, ADA)
    assert block(game, BEN) == []
    assert unblock(game, order[0]) == []
    assert standing(game) == Standing.ADJOURNED
    assert len(unblock(game, order[1])) == 2
    assert standing(game) == Standing.OPEN


def test_a_game_of_a_blocked_player_is_not_resumed(game: Harness) -> None:
    block(game, BEN)
    with pytest.raises(CannotRule):
        console.resume(game.store, game.causes, 1, BY)
    assert standing(game) == Standing.ADJOURNED


def test_who_is_blocked_is_not_blocked_again_and_who_is_not_is_not_unblocked(game: Harness) -> None:
    with pytest.raises(CannotRule):
        unblock(game, BEN)
    block(game, BEN)
    with pytest.raises(CannotRule):
        block(game, BEN)


def test_a_block_that_breaks_off_leaves_nothing_half_done(
    game: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaking(*_what, **_facts) -> LetterBatch:
        raise RuntimeError("the machine is switched off")

    before = everything(game)
    monkeypatch.setattr(LetterBatch, "with_waiting_chat", breaking)
    with pytest.raises(RuntimeError):
        block(game, BEN)
    assert everything(game) == before


# Merging two players.


def begun_with_other(harness: Harness) -> None:
    """A second game: Ada's with somebody at Ben's other address."""
    harness.send(f"Ada <{ADA}>", f"new 3 vs {OTHER} first=me")
    harness.send(f"Other <{OTHER}>", "accept", harness.last(OTHER))


def test_a_merged_player_goes_on_playing_by_the_letters_of_both(harness: Harness) -> None:
    harness.begin("3")
    begun_with_other(harness)
    merge(harness, OTHER, BEN)
    harness.send(f"Ada <{ADA}>", "ps a1", harness.last(ADA))
    assert turns(harness, 2) == ["ps a1"]
    letter = next(one for one in harness.box if one.to == OTHER)
    harness.send(f"Ben <{BEN}>", "ps c3 #2", letter, quoting=False)
    assert turns(harness, 2) == ["ps a1", "ps c3"]
    harness.play("ps a1", start=0)


def test_a_merged_player_has_the_name_of_the_one_that_stays(harness: Harness) -> None:
    harness.begin("3")
    begun_with_other(harness)
    merge(harness, OTHER, BEN)
    (answer,) = harness.send(f"Ada <{ADA}>", "games")
    assert "game #2 with Ben (3x3): it is your turn" in said(answer)
    with harness.store.transaction() as session:
        assert [one.name for one in people.every(session)] == ["Ada", "Ben"]
        assert [(row.who, row.what, row.why) for row in operator_log.of_player(session, 2)] == [
            ("Someone", "merged with player 3", BY.why)
        ]


def test_two_who_sit_in_one_game_are_not_merged(game: Harness) -> None:
    before = everything(game)
    with pytest.raises(CannotRule):
        merge(game, ADA, BEN)
    with pytest.raises(CannotRule):
        merge(game, BEN, BEN)
    assert everything(game) == before


def test_a_block_is_not_escaped_by_a_merge(harness: Harness) -> None:
    harness.begin("3")
    begun_with_other(harness)
    block(harness, OTHER)
    for one, other in ((OTHER, BEN), (BEN, OTHER)):
        with pytest.raises(CannotRule):
            merge(harness, one, other)
    block(harness, BEN)
    merge(harness, OTHER, BEN)
