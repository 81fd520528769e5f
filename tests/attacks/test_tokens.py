"""Attacks with a token that does not prove what the attacker claims."""

import pytest

from takmail.games.interface import Seat
from takmail.mail.tokens import SeatKey
from tests.attacks.scene import OTHER, SOMEONE, Scene, token_address
from tests.support.harness import ADA, BEN, TAK
from tests.support.width import combined, some_of


def letters_of(address: str) -> str:
    """Return the sixteen characters of the token in an address."""
    return address.partition("+")[2].partition(".")[2].partition("@")[0]


def test_a_token_of_another_game_of_hers(scene: Scene) -> None:
    """The attacker has a letter about #3 and claims that it is about #1."""
    token = letters_of(token_address(scene, 3, Seat.FIRST))
    scene.attempt(scene.mail(ADA, "ps d4", to=TAK.replace("@", f"+1.{token}@")), hears=[ADA])


def test_a_token_of_another_game_beside_the_number_of_this_one(scene: Scene) -> None:
    mail = scene.mail(ADA, "#1 ps d4", to=token_address(scene, 3, Seat.FIRST))
    scene.attempt(mail, hears=[ADA], surely=ADA)


def test_my_own_token_and_the_opponent_s_from(scene: Scene) -> None:
    """Ben tries to move for Ada."""
    scene.attempt(scene.mail(ADA, "ps d4", scene.letter(BEN, 1)), hears=[ADA])


def test_my_own_token_and_my_own_from_when_it_is_not_my_turn(scene: Scene) -> None:
    scene.attempt(scene.mail(BEN, "ps d4", scene.letter(BEN, 1)), hears=[BEN], surely=BEN)


def test_both_our_tokens_in_one_mail(scene: Scene) -> None:
    """Ben has obtained Ada's token. The mail still counts as his."""
    both = f"{token_address(scene, 1, Seat.FIRST)}, {token_address(scene, 1, Seat.SECOND)}"
    scene.attempt(scene.mail(BEN, "ps d4", to=both), hears=[BEN], surely=BEN)
    scene.attempt(scene.mail(SOMEONE, "ps d4", to=both), hears=[ADA, BEN])


def test_all_tokens_of_all_games(scene: Scene) -> None:
    every = ", ".join(token_address(scene, game, seat) for game in (1, 3) for seat in Seat)
    scene.attempt(scene.mail(SOMEONE, "ps d4\nresign", to=every), hears=[SOMEONE])


@pytest.mark.parametrize("place", [0, *some_of(range(1, 15), 2), 15])
def test_a_token_with_one_letter_changed(scene: Scene, place: int) -> None:
    token = letters_of(token_address(scene, 1, Seat.FIRST))
    other = "b" if token[place] == "a" else "a"
    changed = f"{token[:place]}{other}{token[place + 1 :]}"
    scene.attempt(scene.mail(ADA, "#1 ps d4", to=TAK.replace("@", f"+1.{changed}@")), hears=[ADA])


@pytest.mark.parametrize(
    "form",
    [
        "{0}{0}",
        "{0}a",
        "a{0}",
        "{1}",
        "{2}",
        "",
        "%",
        "................",
        "{0}\u0000",
        "{0} ",
        "*",
        "{0}=",
        "0{0}",
    ],
)
def test_a_token_that_is_none(scene: Scene, form: str) -> None:
    token = letters_of(token_address(scene, 1, Seat.FIRST))
    written = form.format(token, token[:15], token[::-1])
    raw = scene.mail(ADA, "#1 ps d4").as_bytes()
    raw = raw.replace(f"To: {TAK}".encode(), f"To: {TAK.replace('@', f'+1.{written}@')}".encode(), 1)
    scene.attempt(raw, hears=[ADA])


@pytest.mark.parametrize(
    ("sign", "where"),
    combined(
        ["\u017f", "\u212a", "\uff41", "\u0430", "a\u0301", "a\u200b", "\U0001d41a", "\u00aa"],
        ["To", "Delivered-To", "In-Reply-To", "References", "Subject"],
    ),
)
def test_a_token_in_look_alike_letters(scene: Scene, sign: str, where: str) -> None:
    """Careless case folding turns the long s, the Kelvin sign and similar characters into ASCII letters."""
    token = token_address(scene, 1, Seat.FIRST).partition("+")[2].partition("@")[0]
    fake = f"{token[:-1]}{sign}"
    value = {
        "To": TAK.replace("@", f"+{fake}@"),
        "Delivered-To": TAK.replace("@", f"+{fake}@"),
        "Subject": f"[tak #{fake}] Ada – Ben",
    }.get(where, f"<{fake}.3.0123456789abcdef@example.test>")
    scene.attempt(f"{where}: {value}\n".encode() + scene.mail(ADA, "#1 ps d4").as_bytes(), hears=[ADA])


@pytest.mark.parametrize("key", [b"", b"\0", b"a key for test only", b"A key for tests only"])
def test_a_token_of_another_key(scene: Scene, key: bytes) -> None:
    for game in (1, 3):
        to = SeatKey(key, TAK, "+").reply_address(game, Seat.FIRST)
        scene.attempt(scene.mail(ADA, f"#{game} ps d4", to=to), hears=[ADA])


def test_a_message_id_that_i_have_made_up(scene: Scene) -> None:
    known = scene.letter(BEN, 1).id.partition(".")[2]
    for head in ("1.aaaaaaaaaaaaaaaa", "0.aaaaaaaaaaaaaaaa", "1.", "99.aaaaaaaaaaaaaaaa"):
        mail = scene.mail(ADA, "#1 ps d4", In_Reply_To=f"<{head}.{known}")
        scene.attempt(mail, hears=[ADA])


def test_a_token_with_a_game_of_twelve_digits(scene: Scene) -> None:
    token = letters_of(token_address(scene, 1, Seat.FIRST))
    for game in ("000000000001", "999999999999", "1e1", "-1", "+1", "01"):
        scene.attempt(
            scene.mail(SOMEONE, "ps d4", to=TAK.replace("@", f"+{game}.{token}@")), hears=[SOMEONE, ADA]
        )


def test_a_letter_that_ada_has_passed_on_to_me(scene: Scene) -> None:
    """A mail from the attacker's own address does nothing, even with all headers and the text of Ada's letter."""
    letter = scene.letter(ADA, 1)
    for how in ({"threaded": False}, {"to": TAK}, {"subject": f"Fwd: {letter.subject}"}):
        scene.attempt(scene.mail(SOMEONE, "ps d4", letter, **how), hears=[ADA])


def test_a_token_written_into_the_text(scene: Scene) -> None:
    token = token_address(scene, 1, Seat.FIRST)
    scene.attempt(scene.mail(ADA, f"#1 ps d4\nReply-To: {token}\nTo: {token}"), hears=[ADA])


@pytest.mark.parametrize("header", ["Bcc", "Apparently-To", "X-To", "Reply-To", "List-Id", "Comments"])
def test_a_token_in_a_header_that_does_not_count(scene: Scene, header: str) -> None:
    token = token_address(scene, 1, Seat.FIRST)
    scene.attempt(f"{header}: {token}\n".encode() + scene.mail(ADA, "#1 ps d4").as_bytes(), hears=[ADA])


def test_a_token_at_another_s_domain(scene: Scene) -> None:
    token = token_address(scene, 1, Seat.FIRST)
    for domain in ("example.net", "example.test.example.net", "xexample.test", "example.test@example.net"):
        scene.attempt(scene.mail(ADA, "#1 ps d4", Cc=token.replace("example.test", domain)), hears=[ADA])


def test_my_own_letters_hundredfold_with_one_of_hers(scene: Scene) -> None:
    """The From address decides, however long the thread is."""
    mine, hers = scene.letter(BEN, 1).id, scene.letter(ADA, 1).id
    thread = " ".join([hers, *[mine] * 100, hers])
    scene.attempt(scene.mail(BEN, "ps d4", References=thread), hears=[BEN, ADA])
    scene.attempt(scene.mail(SOMEONE, "ps d4", References=thread), hears=[BEN, ADA])


def test_the_personal_token_of_another_address(scene: Scene) -> None:
    """A token that proves that a mail is Ben's proves nothing about Ada."""
    key = scene.harness.services.key
    for owner in (BEN, OTHER, SOMEONE):
        for words in ("name Loser", "stop", "no", f"address add {SOMEONE}"):
            mail = scene.mail(ADA, words, to=key.personal_address(owner))
            scene.attempt(mail, hears=[ADA])


def test_the_personal_token_for_a_game(scene: Scene) -> None:
    """Ada's personal token, sent from the attacker's address."""
    key = scene.harness.services.key
    for words in ("name Loser", "stop", "yes", "#1 ps d4", "games"):
        scene.attempt(scene.mail(SOMEONE, words, to=key.personal_address(ADA)), hears=[SOMEONE])


@pytest.mark.parametrize("subject", ["stop", "unsubscribe", ""])
def test_another_s_way_to_stop(scene: Scene, subject: str) -> None:
    """The attacker has a forwarded letter of Ada's, and writes to its unsubscribe address."""
    stop, _ = scene.harness.services.key.unsubscribe_address(ADA)
    scene.attempt(scene.mail(SOMEONE, "stop", to=stop, subject=subject), hears=[SOMEONE])
    scene.attempt(scene.mail(BEN, "", to=stop, subject=subject), hears=[BEN])


def test_my_own_way_to_stop_for_another(scene: Scene) -> None:
    stop, _ = scene.harness.services.key.unsubscribe_address(SOMEONE)
    scene.attempt(scene.mail(ADA, "stop", to=stop, subject="stop"), hears=[ADA])
    scene.attempt(scene.mail(ADA, "", to=stop, subject="stop"), hears=[ADA])


def test_a_way_to_stop_is_no_way_to_say_who_i_am(scene: Scene) -> None:
    """A token for one purpose is not valid for another."""
    key = scene.harness.services.key
    stop = key.unsubscribe_address(ADA)[0]
    scene.attempt(scene.mail(ADA, "name Loser", to=stop.replace("+stop.", "+me.")), hears=[ADA])
    scene.attempt(
        scene.mail(ADA, "hello", to=key.personal_address(ADA).replace("+me.", "+stop.")), hears=[ADA]
    )


# At a provider without plus addresses the Subject carries the token.


def test_two_tags_in_one_subject(plain_scene: Scene) -> None:
    ada, ben = (plain_scene.letter(who, 1).subject for who in (ADA, BEN))
    for subject in (f"{ada} {ben}", f"{ben} {ada}"):
        plain_scene.attempt(plain_scene.mail(SOMEONE, "ps d4", subject=subject), hears=[ADA, BEN])


def test_a_tag_of_the_opponent_s(plain_scene: Scene) -> None:
    mail = plain_scene.mail(ADA, "ps d4", subject=plain_scene.letter(BEN, 1).subject)
    plain_scene.attempt(mail, hears=[ADA])


def test_a_tag_with_a_changed_letter_and_one_with_another_number(plain_scene: Scene) -> None:
    subject = plain_scene.letter(ADA, 1).subject
    token = plain_scene.harness.services.key.token(1, Seat.FIRST)
    for wrong in (f"1.{token[3:]}a", f"3.{token[2:]}", f"1.{token[2:-1]}", f"1.{token[2:].swapcase()[::-1]}"):
        plain_scene.attempt(
            plain_scene.mail(ADA, "#1 ps d4", subject=subject.replace(token, wrong)), hears=[ADA]
        )


def test_another_s_way_to_stop_in_the_subject(plain_scene: Scene) -> None:
    _, subject = plain_scene.harness.services.key.unsubscribe_address(ADA)
    plain_scene.attempt(plain_scene.mail(SOMEONE, "", subject=subject), hears=[SOMEONE])
    plain_scene.attempt(plain_scene.mail(BEN, "", subject=f"{subject} {subject}"), hears=[BEN])


@pytest.mark.parametrize("words", ["#1 ps d4", "#4 accept", "name Loser", "stop"])
def test_no_token_at_all_where_there_are_no_plus_addresses(plain_scene: Scene, words: str) -> None:
    plain_scene.attempt(plain_scene.mail(ADA, words), hears=[ADA])
