"""`takmail game adjourn` and `game end`: what the operator decides about a game."""

import getpass
import os
import pwd
from pathlib import Path

import pytest

from takmail.store.tables import GameRow, PendingRow, TakenBackRow, TurnRow
from takmail.world.kinds import PendingEnd
from takmail.world.waiting import PendingKind
from tests.support.command_line import complaint, output, takmail
from tests.support.harness import ADA, BEN, Harness, said
from tests.support.scenes import played_once

LOGIN = pwd.getpwuid(os.geteuid()).pw_name
WHY = ("--why", "the server moves")


@played_once
def two_turns(harness: Harness) -> None:
    harness.begin("3")
    harness.play("ps a3", "ps a1")


@pytest.fixture
def config(cli_harness: Harness, tmp_path: Path) -> Path:
    """The config of a service with a game of two turns."""
    two_turns(cli_harness)
    return tmp_path / "config.toml"


def game(config: Path, verb: str, *words: str) -> str:
    """What a verb of `takmail game` says that has nothing to complain of."""
    return output("game", verb, *words, "--config", config)


def refused(config: Path, *words: str) -> str:
    return complaint("game", *words, "--config", config)


def test_an_adjourned_game_is_told_with_the_letters_that_wait(config: Path, cli_harness: Harness) -> None:
    assert game(config, "adjourn", "1", *WHY) == (
        "Game 1 is adjourned.\n"
        "2 letters are queued. A running `takmail serve` sends them within a minute; otherwise the next "
        "`takmail deliver` does.\n"
    )
    assert {letter.to for letter in cli_harness.collect()} == {ADA, BEN}
    assert "#1      adjourned  3x3" in game(config, "list")


def test_the_log_says_who_did_what_and_why(config: Path) -> None:
    game(config, "adjourn", "1", *WHY)
    game(config, "adjourn", "1", "--resume", "--why", "it has moved", "--as", "Someone")
    game(config, "end", "1", "--result", "1-0", "--why", "so agreed by telephone")
    shown = game(config, "show", "1")
    log = shown.partition("Log:\n")[2].splitlines()
    assert [line.split("  ")[2] for line in log[:3]] == [
        f"adjourned, by {LOGIN}: the server moves",
        "resumed, by Someone: it has moved",
        f"ended, by {LOGIN}: so agreed by telephone",
    ]


def test_whoever_says_to_be_somebody_else_in_the_environment_is_not_believed(
    config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOGNAME", "someone")
    assert getpass.getuser() == "someone"
    game(config, "adjourn", "1", *WHY)
    assert f"adjourned, by {LOGIN}: " in game(config, "show", "1")


@pytest.mark.parametrize(
    ("result", "said", "listed", "shown"),
    [
        ("1-0", "Game 1 is over: 1-0.", "1-0", "Ada wins, as the operator of Tak by Mail has decided"),
        ("0-1", "Game 1 is over: 0-1.", "0-1", "Ben wins, as the operator of Tak by Mail has decided"),
        ("draw", "Game 1 is over: 1/2-1/2.", "1/2-1/2", "The game is a draw, as the operator"),
        ("void", "Game 1 is over, without a result.", "void", "(over, void)"),
    ],
)
def test_a_game_is_ended_with_a_result(config: Path, result: str, said: str, listed: str, shown: str) -> None:
    assert game(config, "end", "1", "--result", result, *WHY).splitlines()[0] == said
    assert game(config, "list").splitlines()[1].split()[4] == listed
    assert shown in game(config, "show", "1")
    assert ("[Result" in game(config, "export", "1")) == (result != "void")


@pytest.mark.parametrize(
    ("before", "words", "sentence"),
    [
        ((), ("adjourn", "1", "--resume"), "game 1 is not adjourned"),
        (("adjourn", "1"), ("adjourn", "1"), "game 1 is already adjourned"),
        (
            ("end", "1", "--result", "draw"),
            ("end", "1", "--result", "draw"),
            "game 1 has the result 1/2-1/2 already",
        ),
        (("end", "1", "--result", "void"), ("end", "1", "--result", "void"), "game 1 is void already"),
        (("end", "1", "--result", "draw"), ("adjourn", "1"), "game 1 is already over"),
        ((), ("adjourn", "7"), "there is no game 7; `takmail game list` shows them all"),
        ((), ("end", "7", "--result", "draw"), "there is no game 7; `takmail game list` shows them all"),
    ],
)
def test_what_cannot_be_is_told_in_a_sentence(config: Path, before, words, sentence: str) -> None:
    if before:
        game(config, *before, *WHY)
    assert refused(config, *words, *WHY) == f"Error: {sentence}\n"


def test_an_invitation_is_no_game_yet(cli_harness: Harness, tmp_path: Path) -> None:
    cli_harness.send(f"Ada <{ADA}>", f"new 5 vs {BEN}")
    said = refused(tmp_path / "config.toml", "end", "1", "--result", "void", *WHY)
    assert said == "Error: game 1 has not begun, because its invitation was not answered yet\n"


def test_a_broken_game_can_be_adjourned_and_ended_but_not_resumed(config: Path, cli_harness: Harness) -> None:
    with cli_harness.store.transaction() as session:
        session.get_one(TurnRow, (1, 2)).text = "ps a3"
    game(config, "adjourn", "1", *WHY)
    assert ["so that I can show no board" in said(one) for one in cli_harness.collect()] == [True, True]
    assert refused(config, "adjourn", "1", "--resume", *WHY).startswith(
        "Error: game 1 is corrupt; restore it first, as `takmail game show 1` describes. The fault is: the stored "
        "turn 2"
    )
    assert cli_harness.collect() == []
    result = takmail("game", "end", "1", "--result", "void", *WHY, "--config", config)
    assert result.exit_code == 0
    assert ["I can show you no board" in said(one) for one in cli_harness.collect()] == [True, True]


@pytest.mark.parametrize("words", [("adjourn", "1"), ("end", "1", "--result", "draw"), ("end", "1", *WHY)])
def test_a_reason_and_a_result_are_needed(config: Path, words: tuple[str, ...]) -> None:
    result = takmail("game", *words, "--config", config)
    assert result.exit_code == 2
    assert "Missing option" in result.stderr


def test_an_empty_reason_is_none(config: Path) -> None:
    said = refused(config, "adjourn", "1", "--why", " ")
    assert said == "Error: the reason is empty, or has no characters that can be shown; give another --why\n"


def test_somebody_has_to_have_decided_it(config: Path) -> None:
    said = refused(config, "adjourn", "1", *WHY, "--as", " ")
    assert said == "Error: the name is empty, or has no characters that can be shown; give another --as\n"


def test_help_says_that_the_players_read_the_reason() -> None:
    for verb in ("adjourn", "end"):
        said = " ".join(takmail("game", verb, "--help").stdout.split())
        assert "The reason, for the log and for the players." in said


def test_what_is_offered_and_what_was_taken_back_is_shown(config: Path, cli_harness: Harness) -> None:
    now = cli_harness.now
    with cli_harness.store.transaction() as session:
        offer = {"game_id": 1, "turn": 2, "asked_at": now}
        session.add(PendingRow(version=1, seat=0, kind=PendingKind.BACK, target=1, **offer))
        for version, ended in enumerate((PendingEnd.LAPSED, None), 2):
            session.add(PendingRow(version=version, seat=1, kind=PendingKind.DRAW, ended=ended, **offer))
        session.add(
            TakenBackRow(
                game_id=1,
                number=2,
                seat=1,
                text="ps b1",
                written="b1",
                played_at=now,
                taken_back_at=now,
                version=6,
                ended_version=7,
            )
        )
        row = session.get_one(GameRow, 1)
        row.pace, row.rematch_of = "days=5", 7
    shown = game(config, "show", "1")
    offer = "  draw, by Ben after turn 2 (2026-11-21 12:00"
    assert "Open offers:\n  back to turn 1, by Ada after turn 2" in shown
    assert f"\n{offer})\n\n" in shown  # and not what has lapsed
    assert "as the last turn was taken back:\n    2. Ben: ps b1\n" in shown
    assert "Rematch of game 7\n\nTime: days=5 (no clock runs)\n" in shown
