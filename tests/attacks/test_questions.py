"""Attacks that answer questions to other people, or that trick other people into a `yes` to the attacker's question."""

from datetime import timedelta

import pytest

from takmail.games.interface import Seat
from takmail.world.pending import LIFETIME
from tests.attacks.scene import ADA_AT_WORK, BEN, OTHER, OURS, SOMEONE, Scene
from tests.support.harness import ADA, TAK, said
from tests.support.width import combined

HELD, RESIGN, CONFIRM = (
    "I can't be sure that it was yours",
    "Do you want to give this game up?",
    "seek 6",
)


@pytest.mark.parametrize(
    ("asked", "sender", "words"), combined([HELD, RESIGN, CONFIRM], [SOMEONE, BEN, OTHER], ["yes", "no"])
)
def test_i_answer_a_question_of_ada_s_that_was_passed_on_to_me(
    scene: Scene, asked: str, sender: str, words: str
) -> None:
    scene.attempt(scene.mail(sender, words, scene.question(ADA, asked)), hears=[ADA, sender])


@pytest.mark.parametrize("asked", [HELD, RESIGN, CONFIRM])
def test_i_answer_it_from_ada_s_address_without_its_letter(scene: Scene, asked: str) -> None:
    subject = scene.question(ADA, asked).subject
    for words in ("yes", "#1 yes", "#3 yes", "no", "ok"):
        scene.attempt(scene.mail(ADA, words, subject=f"Re: {subject}"), hears=[ADA])


def test_i_answer_my_own_letter_and_mean_ada_s_question(scene: Scene) -> None:
    """The attacker is the opponent, but Ada was asked. Her question stays open."""
    harness = scene.harness
    for me, game, asked in ((BEN, 1, HELD), (OTHER, 3, RESIGN)):
        question = scene.question(ADA, asked)
        for words in ("yes", "no"):
            scene.harness.deliver(scene.mail(me, words, scene.letter(me, game)).as_bytes())
        letters = harness.deliver(scene.mail(ADA, "yes", question).as_bytes())
        assert [letter.to for letter in letters] == [ADA, me]
    assert harness.table().texts() == ["ps b4", "ps c3", "ps d4"]


def test_i_answer_with_my_token_and_her_question_s_number(scene: Scene) -> None:
    asked = scene.question(ADA, RESIGN)
    key = scene.harness.services.key
    mail = scene.mail(OTHER, "yes", to=key.reply_address(3, Seat.SECOND), In_Reply_To=asked.id)
    scene.attempt(mail, hears=[OTHER], surely=OTHER)


def test_i_have_ada_say_yes_to_one_thing_and_mean_another(scene: Scene) -> None:
    """Her `yes` to an old letter of her own does not answer the open question in a game."""
    asked = scene.question(ADA, CONFIRM)
    scene.harness.now += LIFETIME + timedelta(seconds=1)
    letters = scene.attempt(scene.mail(ADA, "yes", asked), hears=[ADA], surely=ADA)
    assert 'nothing is waiting for a "yes"' in said(letters[0])


def test_i_hide_a_command_below_those_that_the_question_shows(scene: Scene) -> None:
    """Commands that the question does not show are not carried out."""
    lines = ["seek 4", *["games"] * 10, f"address add {SOMEONE}", "stop"]
    (question,) = scene.harness.deliver(scene.mail(OTHER, "\n".join(lines)).as_bytes())
    assert "address add" not in question.text
    letters = scene.harness.deliver(scene.mail(OTHER, "yes", question).as_bytes())
    assert {letter.to for letter in letters} == {OTHER}
    assert all("address add" not in letter.text and "stop" not in letter.text for letter in letters)


def test_i_hide_what_a_command_does_behind_its_length(scene: Scene) -> None:
    words = f"new 5 vs {SOMEONE} {' '.join(['days=1'] * 40)}"
    (letter,) = scene.attempt(scene.mail(ADA, words), hears=[ADA])
    assert "new 5 vs someone@... days=1\n" in letter.text


def test_i_lead_ada_s_yes_into_a_game_of_mine(scene: Scene) -> None:
    """The forged mail is in a thread of the attacker's game. Ada's answer to the question is not."""
    mine = scene.letter(OTHER, 3).id
    scene.attempt(scene.mail(ADA, "seek 4", References=mine), hears=[ADA])
    (letter,) = scene.attempt(scene.mail(ADA, "help", References=f"{mine} <a@x>"), hears=[ADA])
    assert mine not in str(letter.mail["References"])


def test_i_wait_for_a_yes_that_ada_says_to_nobody(scene: Scene) -> None:
    """Her mail server vouches for her, but she answers no letter, so the `yes` may be meant for anything."""
    raw = scene.mail(ADA, "ok", to=TAK).as_bytes()
    vouched = f"Authentication-Results: {OURS}; dmarc=pass header.from=example.org\n".encode() + raw
    scene.attempt(vouched, hears=[ADA], surely=ADA)


def test_i_ask_for_an_address_of_ada_s_to_be_mine(scene: Scene) -> None:
    """Ada answers `yes` without knowing the question. The address stays hers."""
    harness = scene.harness
    harness.deliver(scene.mail(OTHER, f"address add {ADA_AT_WORK}", scene.letter(OTHER, 3)).as_bytes())
    letters = harness.deliver(scene.mail(ADA_AT_WORK, "yes", harness.last(ADA_AT_WORK)).as_bytes())
    assert [letter.to for letter in letters] == [ADA_AT_WORK]
    scene.check_letters(letters, [ADA_AT_WORK])
    letters = harness.deliver(scene.mail(ADA_AT_WORK, "log", scene.letter(ADA, 1)).as_bytes())
    assert letters[0].subject.startswith("[tak #1]")


def test_i_ask_for_an_address_of_mine_to_be_ada_s(scene: Scene) -> None:
    """The attacker also answers the question at that address, as if Ada had asked."""
    harness = scene.harness
    harness.deliver(scene.mail(ADA, f"address add {SOMEONE}").as_bytes())
    assert all(letter.to != SOMEONE for letter in harness.box)
    key = harness.services.key
    mail = scene.mail(SOMEONE, "yes", to=key.personal_address(SOMEONE))
    scene.attempt(mail, hears=[SOMEONE])


def test_i_say_yes_for_the_owner_of_the_new_address(scene: Scene) -> None:
    """The attacker wants to add somebody's address, and forges their `yes`."""
    harness = scene.harness
    harness.send(f"Other <{OTHER}>", f"address add {SOMEONE}", scene.letter(OTHER, 3))
    harness.send(f"Other <{OTHER}>", "yes", harness.last(OTHER))
    mine = harness.services.key.personal_address(OTHER)
    for how in (
        {},
        {"to": mine},
        {"In_Reply_To": harness.last(OTHER).id},
        {"subject": harness.last(SOMEONE).subject},
    ):
        scene.attempt(scene.mail(SOMEONE, "yes", **how), hears=[SOMEONE, OTHER])


def test_i_take_an_address_away_that_is_not_mine(scene: Scene) -> None:
    """The answer is the same, whoever owns the address."""
    answers = set()
    for address in (ADA, ADA_AT_WORK, BEN, SOMEONE, "nobody@example.net"):
        mail = scene.mail(OTHER, f"address remove {address}", scene.letter(OTHER, 3))
        (answer,) = scene.attempt(mail, hears=[OTHER], surely=OTHER)
        answers.add(answer.text.replace(address.partition("@")[0], ""))
    assert len(answers) == 1
