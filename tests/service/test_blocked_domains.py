"""A domain that the operator has blocked: its mails are rejected, and nobody invites its addresses."""

import re
from pathlib import Path

import pytest

from takmail.mail.address import is_within, normal_address, normal_domain
from tests.service.test_statements import of_a_move
from tests.support.command_line import complaint, output
from tests.support.databases import change, rows
from tests.support.harness import ADA, BEN, Harness, said, turns
from tests.support.scenes import played_once

WHY = ("--why", "nothing but spam")
NEW = "someone@example.net"
REJECTED = ("rejected", "the domain is blocked")


@pytest.fixture
def config(cli_harness: Harness, tmp_path: Path) -> Path:
    """The config of a service where Ada plays with Ben."""
    begun(cli_harness)
    return tmp_path / "config.toml"


@played_once
def begun(harness: Harness) -> None:
    harness.begin_and_play("ps a1")


def block(config: Path, domain: str, *words: str) -> str:
    return output("player", "block", domain, *WHY, *words, "--config", config)


@pytest.mark.parametrize(
    ("domain", "address", "is_blocked"),
    [
        ("example.net", "someone@example.net", True),
        ("@Example.NET", "someone@example.net", True),
        ("example.net", "someone@mail.example.net", True),
        ("example.net", "someone@a.b.c.d.e.f.g.h.i.j.example.net", True),
        ("mail.example.net", "someone@example.net", False),
        ("example.net", "someone@badexample.net", False),
        ("example.net", "example.net@example.com", False),
        ("example.net.", "someone@example.net", True),
        ("bücher.example", "someone@xn--bcher-kva.example", True),
    ],
)
def test_a_domain_has_its_subdomains_and_no_other(
    config: Path, cli_harness: Harness, domain: str, address: str, is_blocked: bool
) -> None:
    block(config, domain)
    letters = cli_harness.send(f"Someone <{address}>", "help")
    assert (letters == []) == is_blocked
    assert (noted(config) == REJECTED) == is_blocked
    block(config, domain, "--undo")
    assert cli_harness.send(f"Someone <{address}>", "rules") != []


@pytest.mark.parametrize(
    "domain", ["bücher.example", "BÜCHER.Example.", "xn--bcher-kva.example", "ｂücher.example"]
)
@pytest.mark.parametrize(
    "address",
    ["x@bücher.example", "x@xn--bcher-kva.example", "x@mail.bu\u0308cher.example", "x@Ｂücher.example"],
)
def test_each_spelling_of_a_domain_is_the_same_domain(domain: str, address: str) -> None:
    assert is_within(normal_address(address), normal_domain(domain))


@pytest.mark.parametrize(
    ("domain", "address"),
    [
        ("straße.example", "x@strasse.example"),
        ("bücher.example", "x@bucher.example"),
        ("bücher.example", "x@example"),
        ("example.net", "x@ехample.net"),
    ],
)
def test_a_domain_that_only_looks_alike_is_another(domain: str, address: str) -> None:
    assert not is_within(normal_address(address), normal_domain(domain))


@pytest.mark.parametrize("domain", ["", ".", "..", "example..", "a@example.net", "exa mple.net"])
def test_what_is_no_domain_has_no_normal_form(domain: str) -> None:
    assert normal_domain(domain) == ""


def noted(config: Path) -> tuple[object, ...]:
    """The final state of the newest mail, and the note on it."""
    return tuple(rows(config.parent, "SELECT state, note FROM inbox ORDER BY id DESC LIMIT 1")[0])


def test_a_player_is_told_once_a_day_and_plays_on_when_it_is_undone(
    config: Path, cli_harness: Harness
) -> None:
    move = cli_harness.last(BEN)
    assert block(config, "example.org", "--yes") == (
        "Mails from example.org and its subdomains are rejected from now on.\n"
        "These players have an address there: Ada (player 1), Ben (player 2). Games and seeks stay as they are; "
        "`takmail player block N` adjourns and withdraws them.\n"
    )
    (letter,) = cli_harness.send(f"Ben <{BEN}>", "ps b2", move)
    assert letter.to == BEN
    assert 'takes no mail from you any more: "nothing but spam"' in said(letter)
    assert cli_harness.send(f"Ben <{BEN}>", "help", move) == []
    assert noted(config) == REJECTED
    assert turns(cli_harness) == ["ps a1"]
    assert block(config, "example.org", "--undo") == (
        "Mails from example.org and its subdomains are accepted again.\n"
    )
    cli_harness.send(f"Ben <{BEN}>", "ps b2", move)
    assert turns(cli_harness) == ["ps a1", "ps b2"]


def test_a_player_writes_from_another_address(config: Path, cli_harness: Harness) -> None:
    change(
        config.parent,
        "INSERT INTO address (address, player_id, verified_at) "
        "SELECT :new, player_id, verified_at FROM address WHERE address = :ben",
        new=NEW,
        ben=BEN,
    )
    move = cli_harness.last(BEN)
    block(config, "example.net", "--yes")
    cli_harness.send(f"Ben <{NEW}>", "ps b2", move)
    assert noted(config) == REJECTED
    cli_harness.send(f"Ben <{BEN}>", "ps b2", move)
    assert turns(cli_harness) == ["ps a1", "ps b2"]


@pytest.mark.parametrize("words", [f"new 6 vs {NEW}", f"address add {NEW}"])
@pytest.mark.parametrize("is_known", [False, True])
def test_nobody_is_invited_there(config: Path, cli_harness: Harness, words: str, is_known: bool) -> None:
    if is_known:
        (letter,) = cli_harness.send(f"Someone <{NEW}>", "name Nora")
    block(config, "example.net", "--yes")
    (letter,) = cli_harness.send(f"Ada <{ADA}>", words, cli_harness.last(ADA))
    assert letter.to == ADA
    assert f"takes no mail from addresses such as {NEW}" in " ".join(letter.text.split())


def test_the_log_and_the_list_have_domain_and_reason(config: Path) -> None:
    block(config, "example.net", "--as", "Someone")
    block(config, "a.example.org")
    log = "SELECT who, what, why, game_id, player_id FROM operator_log ORDER BY id"
    assert rows(config.parent, log)[0] == (
        "Someone",
        "blocked domain example.net",
        "nothing but spam",
        None,
        None,
    )
    lines = output("player", "list", "--config", config).splitlines()
    assert lines[-3].split("  ")[0] == "blocked domain"
    assert [re.split(r"\s{2,}", line)[0] for line in lines[-2:]] == ["a.example.org", "example.net"]
    assert lines[-1].endswith("  nothing but spam")
    for domain in ("example.net", "a.example.org"):
        block(config, domain, "--undo")
    assert rows(config.parent, log)[-1][1] == "unblocked domain a.example.org"
    assert "example.net" not in output("player", "list", "--config", config)


def test_what_can_not_be_done_is_told(config: Path) -> None:
    def refused(*words: str) -> str:
        return complaint("player", "block", *words, *WHY, "--config", config)

    assert refused("example.net", "--undo") == "Error: example.net is not blocked\n"
    block(config, "example.net")
    assert refused("example.net") == "Error: example.net is already blocked\n"
    assert refused("example..net") == (
        "Error: there is no player example..net; `takmail player list` shows them all\n"
    )


def test_a_player_with_such_a_name_is_meant_first(config: Path) -> None:
    change(config.parent, "UPDATE player SET name = 'B.N' WHERE id = 2")
    assert block(config, "b.n").startswith("B.N (player 2) is blocked.\n")


def test_a_move_takes_no_more_statements_where_domains_are_blocked(
    config: Path, cli_harness: Harness
) -> None:
    def count() -> int:
        return len([one for one, _ in of_a_move(cli_harness)])

    before = count()
    for number in range(20):
        block(config, f"d{number}.example.com")
    assert count() == before


@pytest.mark.parametrize(
    ("domain", "why"),
    [
        ("example.net", None),
        ("gmail.com", "it is a large provider's domain"),
        ("web.de", "it is a large provider's domain"),
        ("example.org", "takmail's own address is there, and 2 players have an address there"),
    ],
)
def test_without_a_terminal_a_block_that_hits_many_needs_yes(
    config: Path, domain: str, why: str | None
) -> None:
    if why is not None:
        said = complaint("player", "block", domain, *WHY, "--config", config)
        assert said == f"Error: {domain}: {why}; to block it all the same, add --yes\n"
        assert rows(config.parent, "SELECT * FROM blocked_domain") == []
    words = () if why is None else ("--yes",)
    assert block(config, domain, *words).startswith(f"Mails from {domain} and its subdomains are rejected")
    assert block(config, domain, "--undo").startswith(f"Mails from {domain} and its subdomains are accepted")
