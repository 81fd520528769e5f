"""Attacks that forge the address of another player, as anybody can."""

import pytest

from tests.attacks.scene import ADA_AT_WORK, BEN, OTHER, SOMEONE, Scene
from tests.support.harness import ADA, TAK
from tests.support.width import combined


@pytest.mark.parametrize(
    ("words", "sender"),
    combined(["#1 ps d4\nHi Ben, I am Ada.", "#4 accept\nps a1"], [ADA, "ADA@EXAMPLE.ORG", ADA_AT_WORK]),
)
def test_i_write_in_ada_s_name_about_a_game_of_hers(scene: Scene, sender: str, words: str) -> None:
    """Every other command is tried in tests/pipeline/test_less_than_proven.py."""
    scene.attempt(scene.mail(sender, words), hears=[ADA])


def test_i_write_in_ada_s_name_about_herself(scene: Scene) -> None:
    scene.attempt(scene.mail(ADA, f"new 5 vs {SOMEONE}\nname Loser\nstop"), hears=[ADA])


@pytest.mark.parametrize("subject", ["[tak #1] Ada – Ben, 5x5", "Re: [tak #1] Ada – Ben, 5x5", "[tak #1]"])
def test_i_name_the_game_in_the_subject(scene: Scene, subject: str) -> None:
    scene.attempt(scene.mail(ADA, "ps d4", subject=subject), hears=[ADA])


def test_i_use_up_none_of_the_yes_of_somebody_new(scene: Scene) -> None:
    """A newcomer is asked to confirm an invitation of Ben. The attacker uses up the newcomer's limit."""
    (asked,) = scene.harness.deliver(scene.mail(SOMEONE, f"new 5 vs {BEN}").as_bytes())
    scene.attempt(*(scene.mail(SOMEONE, f"help {n}") for n in range(20)), hears=[SOMEONE])
    letters = scene.harness.deliver(scene.mail(SOMEONE, "yes", asked).as_bytes())
    assert [one.to for one in letters] == [BEN, SOMEONE]


@pytest.mark.parametrize(
    "senders",
    [
        f"Ada <{ADA}>, Me <{SOMEONE}>",
        f"Me <{SOMEONE}>, Ada <{ADA}>",
        f'"Ada <{ADA}>" <{SOMEONE}>',
        f"Ada <{ADA}> <{SOMEONE}>",
        f"{ADA} <{SOMEONE}>",
        f"({ADA}) {SOMEONE}",
        f"Friends: {ADA}, {SOMEONE};",
        "",
    ],
)
def test_i_write_two_addresses_into_one_from(scene: Scene, senders: str) -> None:
    letter = scene.letter(ADA, 1)
    raw = scene.mail(ADA, "ps d4", letter).as_bytes()
    raw = raw.replace(f"From: Ada <{ADA}>".encode(), f"From: {senders}".encode(), 1)
    scene.attempt(raw, hears=[ADA])


@pytest.mark.parametrize("first", [True, False])
def test_i_write_two_from_lines(scene: Scene, first: bool) -> None:
    raw = scene.mail(ADA, "ps d4", scene.letter(ADA, 1)).as_bytes()
    mine = f"From: Me <{SOMEONE}>\n".encode()
    scene.attempt(mine + raw if first else raw.replace(b"To:", mine + b"To:", 1))


@pytest.mark.parametrize("header", ["Sender", "Reply-To", "Resent-From", "Return-Path", "X-Original-From"])
def test_i_am_myself_and_name_ada_in_another_header(scene: Scene, header: str) -> None:
    answers = scene.letter(ADA, 1)
    mail = scene.mail(SOMEONE, "ps d4", answers, **{header.replace("-", "_"): f"Ada <{ADA}>"})
    scene.attempt(mail, hears=[ADA])


@pytest.mark.parametrize("header", ["Sender", "Reply-To", "Resent-From"])
def test_i_am_ada_and_have_the_answer_sent_to_me(scene: Scene, header: str) -> None:
    mail = scene.mail(ADA, "#1 rs", **{header.replace("-", "_"): f"Me <{SOMEONE}>"})
    scene.attempt(mail, hears=[ADA])


@pytest.mark.parametrize(
    "sender",
    [
        "ad\u0430@example.org",
        "ada@ex\u0430mple.org",
        "\uff41da@example.org",
        "ada@\uff45xample.org",
        "ada@example\uff0eorg",
        "ada@example.org.",
        "ada+x@example.org",
        "a.da@example.org",
        "ada@example.org\u200b",
        "\u00e5da@example.org",
        "=?utf-8?q?ada=40example=2Eorg?=",
    ],
)
def test_my_address_only_looks_like_ada_s(scene: Scene, sender: str) -> None:
    """This holds even if the attacker has obtained a letter to Ada."""
    answers = scene.letter(ADA, 1)
    raw = scene.mail(SOMEONE, "ps d4", answers).as_bytes()
    raw = raw.replace(f"From: Someone <{SOMEONE}>".encode(), f"From: {sender}".encode(), 1)
    scene.attempt(raw, hears=[ADA])


def test_i_send_an_old_mail_of_ada_s_again_under_a_new_number(scene: Scene) -> None:
    """The attacker sends a copy of Ada's mail. Her move is played once, and her chat is delivered once."""
    harness = scene.harness
    old = scene.mail(
        ADA, "ps d4\n\nYour turn, and take all the time that you want: I am away.", scene.letter(ADA, 1)
    )
    harness.deliver(old.as_bytes())
    for number in range(3):
        del old["Message-ID"]
        old["Message-ID"] = f"<again.{number}@mail.example.net>"
        scene.attempt(old, hears=[ADA])


def test_i_have_no_token_and_claim_every_game(scene: Scene) -> None:
    mails = [scene.mail(SOMEONE, f"#{game} resign", to=TAK) for game in range(1, 5)]
    letters = scene.attempt(*mails, hears=[SOMEONE])
    games = [one.text.replace(f"#{number}", "#N") for number, one in enumerate(letters, 1)]
    assert len(set(games)) == 1, "whether there is such a game shows"


def test_who_plays_elsewhere_is_no_more_than_anybody_else(scene: Scene) -> None:
    """Ada isn't asked, as it is known who wrote the mail."""
    assert scene.attempt(scene.mail(OTHER, "ps d4", scene.letter(ADA, 1))) == []
