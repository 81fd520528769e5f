"""Attacks with headers, names and words that try to become something else, such as a header or a command."""

from email.message import EmailMessage

import pytest

from takmail.games.interface import Seat
from tests.attacks.scene import BEN, OTHER, OURS, SOMEONE, Scene, token_address
from tests.support.harness import ADA, Received
from tests.support.width import combined, some_of, tenth_of

PASS = f"{OURS}; dmarc=pass header.from=example.org"
REAL = f"{OURS}; dmarc=fail header.from=example.org"


@pytest.mark.parametrize(
    ("results", "words"),
    combined(
        [
            [REAL, PASS],
            ["mx.example.net; dmarc=pass header.from=example.org"],
            ["mx.example.net; dmarc=pass header.from=example.org", REAL],
            [f"{OURS}; dmarc=pass header.from=example.net"],
            [f"{OURS}; dmarc=fail (dmarc=pass header.from=example.org)"],
            [f'{OURS}; spf=pass smtp.mailfrom="x; dmarc=pass header.from=example.org"'],
            [f"{OURS}; dkim=pass header.d=example.org"],
            [f"{OURS} ; dmarc=pass header.from=example.org; dmarc=fail header.from=example.org"],
            [f"x{OURS}; dmarc=pass header.from=example.org"],
            [f"{OURS}.example.net; dmarc=pass header.from=example.org"],
            [f"{OURS}; dmarc=pass header.from=example.org.example.net"],
            [f"({OURS}) mx.example.net; dmarc=pass header.from=example.org"],
        ],
        ["#1 ps d4", "#4 accept", "name Loser", "stop", f"address add {SOMEONE}"],
    ),
)
def test_i_bring_the_mail_server_s_word_along(scene: Scene, results: list[str], words: str) -> None:
    """The forged header is alone, or below the real one, or contradicts the real one."""
    stamp = "".join(f"Authentication-Results: {one}\n" for one in results).encode()
    scene.attempt(stamp + scene.mail(ADA, words).as_bytes(), hears=[ADA])


def test_the_real_word_lets_ada_s_own_mail_through(scene: Scene) -> None:
    """This shows that the mails before were refused because of their content."""
    with pytest.raises(AssertionError, match="something has changed"):
        scene.attempt(
            f"Authentication-Results: {PASS}\n".encode() + scene.mail(ADA, "#1 ps d4").as_bytes(), hears=[ADA]
        )


@pytest.mark.parametrize(
    "header", ["ARC-Authentication-Results", "X-Authentication-Results", "Received-SPF", "DKIM-Signature"]
)
def test_i_put_it_into_another_header(scene: Scene, header: str) -> None:
    raw = scene.mail(ADA, "#1 ps d4").as_bytes()
    scene.attempt(f"{header}: i=1; {PASS}\n".encode() + raw, hears=[ADA])


def test_i_put_it_into_the_body_and_into_the_subject(scene: Scene) -> None:
    mail = scene.mail(
        ADA, f"Authentication-Results: {PASS}\n#1 ps d4", subject=f"x\tAuthentication-Results: {PASS}"
    )
    scene.attempt(mail, hears=[ADA])


FOR_A_DATABASE = ["Robert'); DROP TABLE player;--", '"; DELETE FROM turn; --', "Ada\x00\x1b[31m"]
REACTION = "\U0001f600 \U0001f1e9\U0001f1ea"
HOSTILE = [
    "Ada\r\nBcc: x@example.com",
    "Ada\nReply-To: x@example.com\n\nHello",
    "Ada\x0bBcc: x@example.com\x0c\x1c\x85\u2028x",
    '"Ada" <x@example.com>, "Ben',
    "=?utf-8?q?Ada=0D=0ABcc=3A_x=40example=2Ecom?=",
    "{{ 7 * 7 }}{% include 'help/all.txt' %}{{ desk.key }}",
    "{{ ''.__class__.__mro__ }} ${7*7} #{7*7} %s %(name)s {0} {name}",
    "{# x #}{% raw %}",
    *FOR_A_DATABASE,
    '\\", "x": [1, {}], "',
    "%_%' OR '1'='1",
    "\u202emaerts\u202c\u2066",
    "<script>alert(1)</script><img src=x>",
    REACTION,
    "x" * 3_000,
    ".\r\nMAIL FROM:<x@example.com>\r\n",
    "From someone Sat Nov 21",
]
"""Text that tries to escape from a header, a template, a statement or a line."""


def is_whole(letter: Received) -> None:
    """Fail if a letter has unexpected headers, several recipients, or characters that reorder text."""
    names = [name.casefold() for name in letter.mail]
    assert len(names) == len(set(names)), names
    assert {"bcc", "cc", "sender"}.isdisjoint(names)
    assert [one.addr_spec for one in letter.mail["To"].addresses] == [letter.to]
    assert not letter.mail.defects
    assert letter.mail.get_content_type() == "text/plain"
    for text in (letter.text, letter.subject, str(letter.mail["To"])):
        assert "49" not in text.replace("x" * 49, ""), text
        assert all(letter.isprintable() or letter in "\n\t" for letter in text.replace("\u200d", "")), repr(
            text
        )


def with_name(scene: Scene, sender: str, name: str, text: str, answers: Received | None = None) -> bytes:
    """Return a mail with any display name, encoded so that every character is preserved."""
    raw = scene.mail(sender, text, answers).as_bytes()
    old = raw.split(b"\n", 1)[0]
    coded = "".join(f"={byte:02X}" for byte in name.encode("utf-8", "replace"))
    return raw.replace(old, f"From: =?utf-8?q?{coded}?= <{sender}>".encode(), 1)


@pytest.mark.parametrize("name", some_of(HOSTILE, 6))
def test_i_am_called_something_that_is_no_name(scene: Scene, name: str) -> None:
    """The attacker is a stranger who invites Ben."""
    harness = scene.harness
    (asked,) = harness.deliver(with_name(scene, SOMEONE, name, f"new 5 vs {BEN}"))
    letters = [asked, *harness.deliver(with_name(scene, SOMEONE, name, "yes", asked))]
    scene.check_letters(letters, [SOMEONE, BEN], host=SOMEONE)
    assert len(letters) == 3
    for letter in letters:
        is_whole(letter)


@pytest.mark.parametrize("name", some_of(HOSTILE, 6))
def test_i_call_myself_so_with_name(scene: Scene, name: str) -> None:
    letters = scene.harness.deliver(scene.mail(OTHER, f"/name {name}", scene.letter(OTHER, 3)).as_bytes())
    scene.check_letters(letters, [ADA, OTHER])
    for letter in letters:
        is_whole(letter)


@pytest.mark.parametrize("subject", some_of(HOSTILE, 6))
def test_i_write_a_subject(scene: Scene, subject: str) -> None:
    coded = "".join(f"={byte:02X}" for byte in subject.encode("utf-8", "replace"))
    raw = scene.mail(OTHER, "/say hello", scene.letter(OTHER, 3)).as_bytes()
    start = raw.index(b"Subject:")
    end = raw.index(b"\n", start)
    raw = raw[:start] + f"Subject: =?utf-8?q?{coded}?=".encode() + raw[end:]
    letters = scene.harness.deliver(raw)
    assert {letter.to for letter in letters} == {ADA, OTHER}
    scene.check_letters(letters, [ADA, OTHER])
    for letter in letters:
        is_whole(letter)
        assert letter.subject.startswith("[tak #3]")


@pytest.mark.parametrize("words", tenth_of(HOSTILE))
def test_i_say_something_to_ada(scene: Scene, words: str) -> None:
    for form in FORMS:
        letters = scene.harness.deliver(with_words(scene, form.format(words)))
        scene.check_letters(letters, [ADA, OTHER])
        # Nothing but emoji is a reaction, which has no answer.
        assert OTHER in {letter.to for letter in letters} or (form, words) == ("{0}", REACTION)
        for letter in letters:
            is_whole(letter)
            assert "Bcc:" not in letter.text.splitlines()


FORMS = ("{0}", "/say {0}", "/im {0}", "/help {0}", "/match {0}", "/new 5 vs {0}", "ps {0}")


def with_words(scene: Scene, words: str) -> bytes:
    """Return a mail of Other's about #3 with any bytes as its text."""
    mail = EmailMessage()
    for name, value in scene.mail(OTHER, "", scene.letter(OTHER, 3)).items():
        if name.lower() in ("from", "to", "subject", "message-id", "in-reply-to", "references"):
            mail[name] = value
    mail["Content-Type"] = "text/plain; charset=utf-8"
    mail.set_payload(f"{words}\n".encode("utf-8", "replace"))
    return mail.as_bytes()


def test_i_pass_what_i_say_off_as_the_letter_s_own(scene: Scene) -> None:
    """Ada's program plays the move on the first line. The attacker's chat is marked with bars, so it is never first."""
    words = 'ps a1\r\n\r\nOther has given the game up. Answer with "yes".\r\n.\r\nQUIT'
    scene.harness.send(f"Other <{OTHER}>", f"/say {words}\n\nps z9 or so\n0 0 0 0 0", scene.letter(OTHER, 3))
    letter = scene.harness.last(ADA)
    said = [line for line in letter.lines if "given the game up" in line or "QUIT" in line or line == "ps a1"]
    assert all(line.startswith("  | ") for line in said)


def test_a_message_id_of_mine_breaks_out_of_no_header(scene: Scene) -> None:
    raw = scene.mail(OTHER, "rs", scene.letter(OTHER, 3)).as_bytes()
    for bad in (
        "<a\tb@x>",
        "<a@x> Bcc: b@x",
        "<a@x>\r\n\tBcc: x@example.com",
        "<" + "a" * 2000 + "@x>",
        "<ä@x>",
    ):
        start = raw.index(b"Message-ID:")
        end = raw.index(b"\n", start)
        (letter,) = scene.harness.deliver(raw[:start] + f"Message-ID: {bad}".encode() + raw[end:])
        is_whole(letter)


@pytest.mark.parametrize("header", ["Message-ID", "In-Reply-To", "References"])
@pytest.mark.parametrize(
    "coded",
    some_of(
        [
            "utf-8?q?=0AX-Evil:=20yes=0A=0ABUY=20PILLS=0A",
            "utf-8?q?=0D=0AX-Evil:=20yes=0D=0A=0D=0ABUY=20PILLS",
            "utf-8?b?ClgtRXZpbDogeWVzCgpCVVkgUElMTFMK",
            "utf-7?q?+2AA-",
            "utf-8?q?=31",
        ],
        2,
    ),
)
def test_an_encoded_word_in_an_id_of_mine_is_decoded_in_no_letter(
    scene: Scene, header: str, coded: str
) -> None:
    """The answer goes to the forged sender, so the attacker could send any text to that person."""
    mail = scene.mail(SOMEONE, "help")
    del mail[header]
    raw = f"{header}: <x=?{coded}?=@mail.example.net>\n".encode() + mail.as_bytes()
    (letter,) = scene.harness.deliver(raw)
    is_whole(letter)
    assert "X-Evil" not in letter.mail
    for words in (b"X-Evil", b"BUY PILLS", b"=?utf-7", b"mail.example.net"):
        assert words not in letter.mail.as_bytes()


def test_a_token_of_another_hides_in_no_encoded_word_of_an_id(scene: Scene) -> None:
    """A Message-ID is shown as it is, so no other token can be read in it."""
    named = scene.letter(ADA, 1).mail["Message-ID"].strip("<>")
    coded = f"<=?utf-8?q?{named.replace('@', '=40')}?=>"
    raw = f"References: {coded}\n".encode() + scene.mail(SOMEONE, "help").as_bytes()
    (letter,) = scene.attempt(raw, hears=[SOMEONE])
    assert named.partition("@")[0] not in "".join(map(str, letter.mail.values()))


def test_no_letter_to_the_opponent_carries_anything_of_my_mail_s_head(scene: Scene) -> None:
    mail = scene.mail(
        OTHER, "/say hello", scene.letter(OTHER, 3), X_Secret="x", message_id="<secret.1@mail.example.net>"
    )
    scene.harness.deliver(mail.as_bytes())
    raw = scene.harness.last(ADA).mail.as_bytes()
    assert b"secret" not in raw
    assert token_address(scene, 3, Seat.SECOND).encode() not in raw
