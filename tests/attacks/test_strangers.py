"""Attacks that use takmail to mail strangers, or to learn who plays here."""

from datetime import timedelta

import pytest

from tests.attacks.scene import ADA_AT_WORK, BEN, OTHER, SOMEONE, Scene
from tests.support.harness import ADA, Received, said
from tests.support.width import some_of

BUY = "https://buy.example.com"


def by_other(scene: Scene, words: str) -> list[Received]:
    """Send a mail of the player Other, who says yes if asked. Return the letters that it causes."""
    letters = scene.harness.deliver(scene.mail(OTHER, words, scene.letter(OTHER, 3)).as_bytes())
    for asked in [one for one in letters if one.asks_who and one.to == OTHER]:
        letters += scene.harness.deliver(scene.mail(OTHER, "yes", asked).as_bytes())
    return letters


def to(letters: list[Received], reader: str) -> list[Received]:
    return [letter for letter in letters if letter.to == reader]


# Advertisements.


@pytest.mark.parametrize(
    "words",
    some_of(
        [
            f"/say Buy at {BUY}\nnew 5 vs {BEN}",
            f"new 5 vs {BEN}\n\nBuy at {BUY}",
            f"new 5 vs Buy at {BUY}",
            f"new 5 vs Buy at www.buy.example.com first=me\nnew 5 vs {BEN}",
            f"name {BUY}",
            f"/help {BUY}",
            f"/match {BUY}",
            f"help\n/help {BUY}",
            f"Buy at {BUY}",
            f"/im {BUY}",
            f"new 5 {BUY} {BEN}",
            "games\n" * 40 + f"/say {BUY}",
        ],
        4,
    ),
)
def test_i_have_takmail_write_an_advertisement(scene: Scene, words: str) -> None:
    """The mail is forged with the stranger's address as its sender, so that the stranger gets the answer."""
    for letter in scene.attempt(scene.mail(SOMEONE, words, subject=f"Buy at {BUY}"), hears=[SOMEONE]):
        assert "buy.example" not in "".join(str(letter.mail).split()).lower()


@pytest.mark.parametrize(
    "words",
    [f"Buy at {BUY}", f"/say Buy at {BUY}", f"accept\nBuy at {BUY}", f"decline\n/help {BUY}", f"name {BUY}"],
)
def test_i_invite_a_stranger_and_write_to_them_in_their_own_name(scene: Scene, words: str) -> None:
    letters = by_other(scene, f"new 5 vs {SOMEONE}")
    number = next(one.subject for one in letters if one.to == SOMEONE).partition("#")[2].partition("]")[0]
    for how in ({}, {"subject": f"[tak #{number}]"}):
        mail = scene.mail(SOMEONE, words.replace("accept", f"#{number} accept"), **how)
        for letter in scene.attempt(mail, hears=[SOMEONE]):
            assert "buy.example" not in "".join(str(letter.mail).split()).lower()


def test_i_say_it_with_the_invitation(scene: Scene) -> None:
    letters = by_other(scene, f"new 5 vs {SOMEONE}\n\nBuy at {BUY}\n/say {BUY}")
    (invitation,) = to(letters, SOMEONE)
    assert "buy.example" not in invitation.mail.as_string()


def test_i_am_called_so(scene: Scene) -> None:
    by_other(scene, f"/name Buy at {BUY}")
    (invitation,) = to(by_other(scene, f"new 5 vs {SOMEONE}"), SOMEONE)
    assert "buy" not in invitation.mail.as_string().lower()


# Storms.


def test_i_ask_one_stranger_again_and_again(scene: Scene) -> None:
    letters = [one for _ in range(5) for one in by_other(scene, "\n".join([f"new 5 vs {SOMEONE}"] * 5))]
    assert len(to(letters, SOMEONE)) == 1


def test_i_ask_them_take_it_back_and_ask_again(scene: Scene) -> None:
    letters = []
    for number in range(5, 12):
        letters += by_other(scene, f"new 5 vs {SOMEONE}")
        letters += scene.harness.send(f"Other <{OTHER}>", f"#{number} decline")
    assert len(to(letters, SOMEONE)) == 1


def test_we_are_many_who_ask_them(scene: Scene) -> None:
    letters = by_other(scene, f"new 5 vs {SOMEONE}")
    for who, game in ((BEN, 1), (ADA, 1)):
        letters += scene.harness.deliver(
            scene.mail(who, f"new 5 vs {SOMEONE}", scene.letter(who, game)).as_bytes()
        )
    assert len(to(letters, SOMEONE)) == 1


def test_i_take_back_one_invitation_to_write_the_next(scene: Scene) -> None:
    """After ten invitations to strangers the attacker must wait, even after withdrawing some of them."""
    me = scene.harness.services.key.personal_address(OTHER)
    heard = set()
    for number in range(14):
        mail = scene.mail(OTHER, f"new 5 vs g{number}@example.net", to=me)
        letters = scene.harness.deliver(mail.as_bytes())
        heard |= {letter.to for letter in letters} - {OTHER}
        scene.harness.deliver(scene.mail(OTHER, "decline", scene.harness.last(OTHER)).as_bytes())
    assert len(heard) == 10


def test_i_say_of_many_strangers_that_their_address_is_mine(scene: Scene) -> None:
    letters = [
        one
        for mail in range(3)
        for one in by_other(scene, "\n".join(f"address add g{mail}x{n}@example.net" for n in range(40)))
    ]
    assert len({letter.to for letter in letters} - {OTHER}) <= 5


def test_i_say_so_of_one_stranger_again_and_again(scene: Scene) -> None:
    letters = [one for _ in range(5) for one in by_other(scene, f"address add {SOMEONE}\n" * 5)]
    assert len(to(letters, SOMEONE)) == 1


def test_i_write_in_a_stranger_s_name_all_day(scene: Scene) -> None:
    """The stranger gets at most ten letters a day, however many mails are forged."""
    letters: list[Received] = by_other(scene, f"new 5 vs {SOMEONE}") + by_other(
        scene, f"address add {SOMEONE}"
    )
    for hour in range(0, 23, 6):
        for words in (f"new {hour % 6 + 3} vs {BEN}", f"help {hour}", "rules", "stop", "hello"):
            letters += scene.attempt(scene.mail(SOMEONE, words, subject=str(hour)), hears=[SOMEONE])
        scene.harness.now += timedelta(hours=6)
    assert len(to(letters, SOMEONE)) <= 10


# Who plays here?


@pytest.mark.parametrize(
    "words", [f"new 5 vs {BEN}", "help", "rules", "rs", "#1 log", "games", "match Ben", "hello"]
)
def test_i_write_as_an_outsider_and_hear_nothing_of_who_is_known(scene: Scene, words: str) -> None:
    mails = [
        scene.mail(SOMEONE, words),
        scene.mail("nobody@example.net", words.replace(BEN, "bea@example.org")),
    ]
    one, other = (scene.harness.deliver(mail.as_bytes())[0].text for mail in mails)
    assert one == other.replace("bea@", "ben@")


@pytest.mark.parametrize("kind", ["plays", "stopped", "waits", "nobody"])
def test_i_invite_an_address_and_hear_the_same_in_any_case(scene: Scene, kind: str) -> None:
    harness = scene.harness
    address = {"plays": ADA_AT_WORK, "nobody": "ada.x@example.org"}.get(kind, SOMEONE)
    if kind == "stopped":
        asked = to(by_other(scene, f"new 5 vs {SOMEONE}"), SOMEONE)[0]
        harness.deliver(scene.mail(SOMEONE, "stop", asked).as_bytes())
    if kind == "waits":
        by_other(scene, f"new 5 vs {SOMEONE}")
    letters = harness.deliver(
        scene.mail(BEN, f"new 6 vs {address} first=me", scene.letter(BEN, 1)).as_bytes()
    )
    (answer,) = to(letters, BEN)
    label = address.partition("@")[0].partition(".")[0].capitalize()
    assert f"{label} has been asked" in said(answer)
    number = said(answer).partition("it is game #")[2].partition(".")[0]
    for words in ("ptn", "log", "match", "show", "rs", "say Hello", "resign", "im what"):
        for letter in harness.deliver(scene.mail(BEN, f"#{number} {words}").as_bytes()):
            if letter.to == BEN:
                shown = letter.mail.as_string().replace("Ada – Ben, 5x5", "")
                assert kind == "plays" or "Someone" in shown or label in shown
                assert "Not done: you have no game" not in said(letter)


def test_i_learn_from_no_record_whom_i_have_invited(scene: Scene) -> None:
    """Ben has given an address of Ada's. Only she may reveal that it is hers."""
    harness = scene.harness
    harness.send(f"Ada <{ADA}>", "name Countess", scene.letter(ADA, 3))
    me = harness.services.key.personal_address(BEN)
    letters = harness.deliver(scene.mail(BEN, f"new 6 vs {ADA_AT_WORK}", to=me).as_bytes())
    (answer,) = to(letters, BEN)
    for words in ("ptn", "log", "match", "games", "rs", "show", "im", "resign", "decline"):
        for letter in to(harness.deliver(scene.mail(BEN, words, answer).as_bytes()), BEN):
            assert "Countess" not in letter.mail.as_string().partition("Your games")[0], words


@pytest.mark.parametrize("guess", [BEN, "ben@example.net"])
@pytest.mark.parametrize("name_first", [True, False])
def test_i_guess_the_address_of_somebody_whose_name_i_know(
    scene: Scene, guess: str, name_first: bool
) -> None:
    """A refusal of the right guess would reveal the address."""
    for opponent in ("Ben", guess) if name_first else (guess, "Ben"):
        (answer,) = to(by_other(scene, f"new 5 vs {opponent}"), OTHER)
        assert "Ben has been asked" in said(answer)


def test_i_am_invited_and_guess_my_host_s_address(scene: Scene) -> None:
    """Ben invited Ada by her address, and she guesses his."""
    answers = []
    for guess in (BEN, "ben@example.net"):
        letters = scene.harness.deliver(scene.mail(ADA, f"new 5 vs {guess}", scene.letter(ADA, 3)).as_bytes())
        answers.append(said(to(letters, ADA)[0]).partition("#")[0])
    assert answers[0] == answers[1]


def test_i_see_no_invitation_vanish_that_nobody_has_got(scene: Scene) -> None:
    """Two hosts invited a stranger, who answers `stop` to the first."""
    asked = to(by_other(scene, f"new 5 vs {SOMEONE}"), SOMEONE)[0]
    letters = scene.harness.deliver(scene.mail(BEN, f"new 5 vs {SOMEONE}", scene.letter(BEN, 1)).as_bytes())
    mine = to(letters, BEN)[0]
    assert not to(scene.harness.deliver(scene.mail(SOMEONE, "stop", asked).as_bytes()), BEN)
    (answer,) = scene.harness.deliver(scene.mail(BEN, "games", mine).as_bytes())
    assert "Someone" in answer.text
