"""`takmail player`: who plays, and what the operator decides about them."""

import json
import os
import pwd
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import _NamedTextIOWrapper

from takmail.pipeline.process import Conflict
from takmail.store import causes
from takmail.store.tables import AddressRow, BlockRow, PlayerRow, SeekRow, TurnRow
from takmail.world.kinds import LetterView
from tests.support.command_line import complaint, config_file, output, takmail
from tests.support.databases import rows
from tests.support.harness import ADA, BEN, Harness, said
from tests.support.memory_harness import WITH_BOTS
from tests.support.scenes import played_once

LOGIN = pwd.getpwuid(os.geteuid()).pw_name
WHY = ("--why", "writes in other people's names")
OTHER = "other@example.org"
NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


@played_once
def two_games(harness: Harness) -> None:
    """One of Ada's with Ben, and one with somebody else."""
    harness.begin("3")
    harness.send(f"Ada <{ADA}>", f"new 5 vs {OTHER} first=me")
    harness.send(f"Other <{OTHER}>", "accept", harness.last(OTHER))


@pytest.fixture
def config(cli_harness: Harness, tmp_path: Path) -> Path:
    """The config of a service with a game of Ada's with Ben, and one with somebody else."""
    two_games(cli_harness)
    return tmp_path / "config.toml"


def player(config: Path, verb: str, *words: str) -> str:
    """What a verb of `takmail player` says that has nothing to complain of."""
    return output("player", verb, *words, "--config", config)


def refused(config: Path, *words: str) -> str:
    return complaint("player", *words, "--config", config)


def test_every_player_is_on_a_line_with_games_addresses_and_when_last_heard(
    config: Path, cli_harness: Harness
) -> None:
    with cli_harness.store.transaction() as session:
        for address, heard in ((ADA, datetime(2026, 11, 20, 9, 30, tzinfo=UTC)), (BEN, None), (OTHER, None)):
            session.get_one(AddressRow, address).verified_at = heard
        session.get_one(AddressRow, BEN).bounces = 3
        session.get_one(AddressRow, OTHER).stopped_at = cli_harness.now
        session.get_one(PlayerRow, 3).is_blocked = True
    assert player(config, "list").splitlines() == [
        "number  running  last mail         name   blocked  addresses",
        f"     1        2  2026-11-20 09:30  Ada             <{ADA}>",
        f"     2        1                    Ben             <{BEN}> (resting)",
        f"     3        1                    Other  blocked  <{OTHER}> (stopped)",
    ]


def test_a_program_gets_a_player_a_line(config: Path) -> None:
    found = [json.loads(line) for line in player(config, "list", "--json").splitlines()]
    assert found[1] == {
        "number": 2,
        "running": 1,
        "verified": "2026-11-21T12:00:00+00:00",
        "name": "Ben",
        "addresses": [{"address": BEN, "is_stopped": False, "is_resting": False}],
        "is_blocked": False,
    }


def test_where_there_is_no_player_that_is_said(tmp_path: Path) -> None:
    assert player(config_file(tmp_path), "list") == "There are no players yet.\n"


@pytest.mark.parametrize("said", ["2", "Ben", "bEN", BEN, f"<{BEN.upper()}>"])
def test_a_player_is_shown_by_number_name_or_address(config: Path, said: str) -> None:
    shown = player(config, "show", said)
    assert shown.startswith("Player 2: Ben\n")
    assert f"<{BEN}>" in shown
    assert "  #1    open      3x3    Ada\n" in shown
    assert "Other" not in shown


def test_what_a_players_letters_are_made_of_is_shown_if_they_have_said(
    config: Path, cli_harness: Harness
) -> None:
    before = player(config, "show", "2")
    assert "Letter format" not in before
    assert "Language" not in before
    with cli_harness.store.transaction() as session:
        ben = session.get_one(PlayerRow, 2)
        ben.letter_view, ben.language = LetterView.HTML, "ru"
    after = player(config, "show", "2")
    assert "Letter format: html\n" in after
    assert "Language: ru\n" in after


def test_what_a_player_seeks_and_whom_they_block_is_shown(config: Path, cli_harness: Harness) -> None:
    with cli_harness.store.transaction() as session:
        session.add(SeekRow(player_id=2, kind="tak", setup="6", first="me", sought_at=cli_harness.now))
        session.add(BlockRow(player_id=2, blocked_id=3, blocked_at=cli_harness.now))
    shown = player(config, "show", "2")
    assert "Seeks: #1 (6)\n" in shown
    assert "Blocks: Other\n" in shown


@pytest.mark.parametrize(
    "said", ["7", "Nobody", "nobody@example.org", "99999999999999999999999", "@", "\u0662"]
)
def test_an_unknown_player_is_told_in_a_sentence(config: Path, said: str) -> None:
    if said == "\u0662":
        assert player(config, "show", said).startswith("Player 2: ")
    else:
        assert refused(config, "show", said) == (
            f"Error: there is no player {said}; `takmail player list` shows them all\n"
        )


def test_of_several_with_a_name_one_has_to_be_named_by_number(config: Path, cli_harness: Harness) -> None:
    with cli_harness.store.transaction() as session:
        session.get_one(PlayerRow, 3).name = "ben"
    assert refused(config, "show", "Ben") == (
        "Error: several players have the name Ben; give the number of one of them (2, 3)\n"
    )


def test_a_block_says_what_it_has_touched_and_the_log_has_who_and_why(
    config: Path, cli_harness: Harness
) -> None:
    said = player(config, "block", "Ben", *WHY)
    assert said.startswith("Ben (player 2) is blocked.\nAdjourned: game 1.\n1 letter is queued. ")
    assert [letter.to for letter in cli_harness.collect()] == [ADA]
    shown = player(config, "show", "Ben")
    assert shown.startswith("Player 2: Ben (blocked)\n")
    assert f"  blocked, by {LOGIN}: writes in other people's names\n" in shown
    assert f"  adjourned (game 1), by {LOGIN}: writes in other people's names\n" in shown
    undone = player(config, "block", "Ben", "--undo", "--why", "was somebody else", "--as", "Someone")
    assert undone.startswith("Ben (player 2) is no longer blocked.\nResumed: game 1.\n2 letters are queued. ")
    assert "  unblocked, by Someone: was somebody else\n" in player(config, "show", "Ben")


def test_an_invitation_that_a_block_takes_back_is_named(config: Path, cli_harness: Harness) -> None:
    cli_harness.send(f"Ben <{BEN}>", f"new 5 vs {OTHER}")
    assert "Withdrawn: invitation 3.\n" in player(config, "block", "Ben", *WHY)


def test_two_players_become_one(config: Path) -> None:
    said = player(config, "merge", OTHER, "Ben", "--why", "Ben has a new address")
    assert said == f"Merged player 3 into player 2, Ben: <{BEN}> <{OTHER}>\n"
    shown = player(config, "show", OTHER)
    assert "  #1    open      3x3    Ada\n  #2    open      5x5    Ada\n" in shown
    assert f"  merged with player 3, by {LOGIN}: Ben has a new address\n" in shown
    assert len(player(config, "list").splitlines()) == 3


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            ("merge", "Ada", "Ben"),
            "Ada and Ben are opponents in game 1, so they can't be merged",
        ),
        (("merge", "Ben", "2"), "both arguments name the same player, Ben; name two players"),
        (("merge", "Ben", "7"), "there is no player 7; `takmail player list` shows them all"),
        (("block", "Ben", "--undo"), "Ben is not blocked"),
        (("block", "Nobody"), "there is no player Nobody; `takmail player list` shows them all"),
    ],
)
def test_what_cannot_be_is_told_in_a_sentence(config: Path, words: tuple[str, ...], sentence: str) -> None:
    assert refused(config, *words, *WHY) == f"Error: {sentence}\n"


def test_who_is_blocked_is_neither_blocked_again_nor_merged_with_who_is_not(config: Path) -> None:
    player(config, "block", "Ben", *WHY)
    assert refused(config, "block", "Ben", *WHY) == "Error: Ben is already blocked\n"
    assert refused(config, "merge", "Ben", "Other", *WHY) == (
        "Error: Ben is blocked and the other player is not; block or unblock one of them first\n"
    )
    said = takmail("game", "adjourn", "1", "--resume", *WHY, "--config", config)
    assert said.stderr == (
        "Error: Ben is blocked, so the game can't be resumed; unblock the player with `takmail player block --undo` "
        "first\n"
    )


def test_a_bot_is_merged_with_nobody(config: Path, cli_harness: Harness) -> None:
    cli_harness.change(bots=WITH_BOTS.bots)
    cli_harness.send(f"Other <{OTHER}>", "new 5 vs bot", cli_harness.last(OTHER))
    why = "Error: Bot easy is a bot, not a person, so it can't be merged\n"
    assert refused(config, "merge", "Bot easy", "Ben", *WHY) == why
    assert refused(config, "merge", "Ben", "Bot easy", *WHY) == why


def test_of_a_player_who_has_left_nothing_is_decided(config: Path, cli_harness: Harness) -> None:
    cli_harness.send(f"Other <{OTHER}>", "forget me", cli_harness.last(OTHER))
    cli_harness.send(f"Other <{OTHER}>", "yes", cli_harness.last(OTHER))
    said = "Error: player 3 was erased\n"
    assert refused(config, "block", "3", *WHY) == said
    assert refused(config, "block", "3", "--undo", *WHY) == said
    assert refused(config, "merge", "3", "Ben", *WHY) == said
    assert refused(config, "merge", "Ben", "3", *WHY) == said


def test_what_others_are_in_the_way_of_is_told_in_a_sentence(
    config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def in_the_way(*_what: object, **_how: object) -> None:
        raise Conflict("a player")

    monkeypatch.setattr(causes, "write", in_the_way)
    result = takmail("player", "block", "Ben", *WHY, "--config", config)
    assert (result.exit_code, result.stderr) == (
        1,
        "the command conflicted with other transactions 10 times (a player); try again\n",
    )


def test_a_broken_game_keeps_nobody_from_being_blocked_and_written_about_the_others(
    config: Path, cli_harness: Harness
) -> None:
    with cli_harness.store.transaction() as session:
        row = TurnRow(game_id=1, number=1, version=4, seat=0, text="pw a1", written="", played_at=NOW)
        session.add(row)
    assert "games 1, 2.\n2 letters" in player(config, "block", "Ada", *WHY)
    of_broken, of_other = cli_harness.collect()
    assert "so that I can show no board" in said(of_broken)
    assert "has adjourned this game" in said(of_other)
    resumed = player(config, "block", "Ada", "--undo", *WHY)
    assert "games 1, 2.\nNo letter is sent about game 1, because it is corrupt; " in resumed
    assert len(cli_harness.collect()) == 2


@pytest.mark.parametrize("words", [("block", "Ben"), ("merge", "Other", "Ben")])
def test_a_reason_is_needed(config: Path, words: tuple[str, ...]) -> None:
    result = takmail("player", *words, "--config", config)
    assert result.exit_code == 2
    assert "Missing option '--why'" in result.stderr


@pytest.mark.parametrize(
    ("terminal", "words", "answer", "is_blocked"),
    [
        (True, (), b"n\n", False),
        (True, (), b"y\n", True),
        (False, (), b"", False),
        (False, ("--yes",), b"", True),
    ],
)
def test_it_is_asked_before_a_large_providers_domain_is_blocked(
    config: Path,
    terminal: bool,
    words: tuple[str, ...],
    answer: bytes,
    is_blocked: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_NamedTextIOWrapper, "isatty", lambda _: terminal, raising=False)
    result = takmail(
        "player", "block", "gmail.com", *words, "--why", "spam", "--config", config, stdin=answer
    )
    hits = "gmail.com: it is a large provider's domain"
    assert (hits in result.output) == (words == ())
    assert ("Block it? [y/N]" in result.stdout) == terminal
    assert ("to block it all the same, add --yes" in result.stderr) == (not terminal and not is_blocked)
    assert result.exit_code == (0 if is_blocked else 1)
    assert bool(rows(config.parent, "SELECT * FROM blocked_domain")) == is_blocked
