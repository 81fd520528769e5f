"""The scene itself detects attacks that succeed."""

from email.message import EmailMessage

import pytest

from takmail.games.interface import Seat
from tests.attacks.scene import OTHER, SOMEONE, Scene, token_address
from tests.support.harness import ADA, BEN, Received


def test_the_same_with_the_right_token_is_seen_to_change_something(scene: Scene) -> None:
    with pytest.raises(AssertionError, match="something has changed"):
        scene.attempt(scene.mail(ADA, "ps d4", scene.letter(ADA, 1)), hears=[ADA, BEN])


@pytest.mark.parametrize(
    ("who", "words", "asked"),
    [
        (ADA, "yes", "I can't be sure that it was yours"),
        (ADA, "yes", "Do you want to give this game up?"),
        (ADA, "yes", "seek 6"),
        (ADA, "no", "seek 6"),
    ],
)
def test_every_question_of_the_scene_waits_for_its_reader(
    scene: Scene, who: str, words: str, asked: str
) -> None:
    with pytest.raises(AssertionError, match=r"something has changed|a question is gone"):
        scene.attempt(scene.mail(who, words, scene.question(who, asked)), hears=[ADA, BEN, OTHER])


def test_a_letter_to_somebody_else_is_seen(scene: Scene) -> None:
    with pytest.raises(AssertionError, match="a letter goes to ada"):
        scene.attempt(scene.mail(ADA, "#1 log"), hears=[BEN])


def letter(to: str, text: str = "Hello", **headers: str) -> Received:
    mail = EmailMessage()
    for name, value in headers.items():
        mail[name.replace("_", "-")] = value
    mail.set_content(text, cte="quoted-printable")
    return Received(to, mail.as_bytes())


@pytest.mark.parametrize(
    "headers",
    [
        {"Subject": f"From {ADA}"},
        {"Subject": "=?utf-8?b?YWRhQGV4YW1wbGUub3Jn?="},
        {"References": "<{token}.3.abc@example.test>"},
        {"List_Unsubscribe": "<mailto:{stop}?subject=stop>"},
        {"Reply_To": "{me}"},
        {"text": "My address is ADA@Example.ORG, I think, and this line is so long that it is broken"},
        {"text": "ö {token}"},
    ],
)
def test_what_a_letter_shows_of_another_is_seen(scene: Scene, headers: dict[str, str]) -> None:
    key = scene.harness.services.key
    facts = {
        "token": key.token(1, Seat.FIRST).upper(),
        "me": key.personal_address(ADA),
        "stop": key.unsubscribe_address(ADA)[0],
    }
    bad = letter(SOMEONE, **{name: value.format(**facts) for name, value in headers.items()})
    with pytest.raises(AssertionError, match=r"shows"):
        scene.check_letters([bad], [SOMEONE])
    own = Received(ADA, bad.raw)
    scene.check_letters([own], [ADA])


def test_every_token_of_a_seat_is_known_to_the_notebook(scene: Scene) -> None:
    token = token_address(scene, 1, Seat.SECOND).partition(".")[2].partition("@")[0]
    assert token in set(scene.secrets_from(ADA))
    assert token not in set(scene.secrets_from(BEN))
