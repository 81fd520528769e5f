"""`takmail club`: tournaments as the operator sees them, and what the operator can do."""

import json
from pathlib import Path

import pytest
from sqlmodel import select

from takmail.store.tables import DueRow, EntryRow
from tests.support.command_line import complaint, output
from tests.support.harness import ADA, BEN, Harness

WHY = ("--why", "no answer for weeks")


@pytest.fixture
def config(cli_harness: Harness, tmp_path: Path) -> Path:
    """The config of a service with a tournament of Ada's, which Ada, Ben and Cy have entered."""
    cli_harness.begin("3")
    output(
        "club",
        "begin",
        "Autumn",
        "4x4",
        "days=2",
        "max=9",
        "--organiser",
        ADA,
        "--config",
        tmp_path / "config.toml",
    )
    for name, address in (("Ada", ADA), ("Ben", BEN), ("Cy", "cy@example.org")):
        cli_harness.send(f"{name} <{address}>", "enter Autumn")
    return tmp_path / "config.toml"


def club(config: Path, verb: str, *words: str) -> str:
    return output("club", verb, *words, "--config", config)


def test_what_the_operator_sees_and_does(config: Path, cli_harness: Harness) -> None:
    (row,) = map(json.loads, club(config, "list", "--json").splitlines())
    assert (row["name"], row["state"], row["entered"]) == ("Autumn", "entering", 3)
    assert "Organiser: Ada" in club(config, "show", "Autumn")
    assert "whom it concerns are told" in club(config, "put-off", "Autumn", "7 days", *WHY)
    assert "whom it concerns are told" in club(config, "start", "autumn")
    shown = club(config, "show", "Autumn")
    assert "Season 1, division 1:" in shown
    assert "put_off: no answer for weeks" in shown
    assert "whom it concerns are told" in club(config, "correct", "Autumn", "2", "--result", "1-0", *WHY)
    assert "whom it concerns are told" in club(config, "take-out", "Autumn", "cy@example.org", *WHY)
    shown = club(config, "show", "Autumn")
    assert "corrected #2: no answer for weeks" in shown
    assert "taken_out Cy: no answer for weeks" in shown
    with cli_harness.store.transaction() as session:
        assert [row.out for row in session.exec(select(EntryRow)).all() if row.out] == ["uncounted"]
        works = {row.work.split()[0] for row in session.exec(select(DueRow)).all()}
        assert works >= {"pairing", "told"}
    assert "whom it concerns are told" in club(config, "end", "Autumn", *WHY)
    assert club(config, "list").strip() == "There is no tournament."


def test_what_is_impossible_is_told_in_a_sentence(config: Path) -> None:
    def refused(*words: str) -> str:
        return complaint("club", *words, "--config", config)

    assert "there is no tournament of this name" in refused("show", "Winter")
    assert "There is a tournament of this name already" in refused("begin", "AUTUMN", "4x4")
    assert "these terms can't be read" in refused("begin", "Winter", "days=soon")
    assert "is no game of this season" in refused("correct", "Autumn", "99", "--result", "void", *WHY)


def test_two_who_are_one_keep_one_entry_until_a_season_begins(config: Path, cli_harness: Harness) -> None:
    cli_harness.send("Dot <dot@example.org>", "enter Autumn")
    output("player", "merge", "dot@example.org", "cy@example.org", *WHY, "--config", config)
    assert "Entered for season 1: Ada, Ben, Cy\n" in club(config, "show", "Autumn")
    club(config, "start", "Autumn")
    merged = complaint("player", "merge", BEN, "cy@example.org", *WHY, "--config", config)
    assert "both players are in season 1 of the tournament Autumn, whose table needs both" in merged
    assert "`takmail club take-out Autumn Ben" in merged
