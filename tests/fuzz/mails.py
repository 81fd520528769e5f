"""Mails of every kind as bytes: valid and invalid ones made of headers and parts, and damaged ones of the corpus."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from hypothesis import strategies as st

from tests.fuzz.heads import FROM, HEADERS, MACHINE, MACHINE_SENDERS, MACHINE_SUBJECTS
from tests.fuzz.lines import CHAT, MOVES, OTHER, lines
from tests.fuzz.parts import Part, damaged, multipart, odd_leaves, odd_parts, parts_of, text_part
from tests.fuzz.quoting import Words, bare_answers, html_answers, plain_answers, second_answers
from tests.support.corpus import NAMES, raw
from tests.support.players import ADA, BEN, TAK

CORPUS = [raw(name) for name in NAMES]


@dataclass(frozen=True, slots=True)
class Letter:
    """A letter from takmail to a player, with only the data that an answer needs."""

    id: str
    reply_to: str
    subject: str
    text: str


@dataclass(frozen=True, slots=True)
class Mail:
    """A mail, with its writer, whether it has a token, and the turn that it must play.

    `turn` is '' if no turn may be played, and None if a turn may or may not be played. `typed` are the lines typed in
    answer to `letter`. `letter` is None if the mail's thread doesn't name it.
    """

    raw: bytes
    sender: str
    turn: str | None
    token: bool = True
    way: str = ""
    typed: tuple[str, ...] = ()
    letter: Letter | None = None


def mixed_case(text: str, upper: bool) -> str:
    return text.upper() if upper else text


@st.composite
def answers(draw: st.DrawFn, letters: Sequence[Letter]) -> Mail:
    """Generate Ben's answer to a letter, as a mail program writes it, with at most one move typed."""
    letter = draw(st.sampled_from(letters))
    chat = st.lists(st.sampled_from([line for line in CHAT if not line.startswith(">")]), max_size=2)
    move = draw(st.sampled_from(["", *sorted(MOVES)]))
    typed = [*draw(chat), *([move] if move else []), *draw(chat)]
    apart = draw(st.integers(0, len(typed)))
    blocks = [tuple(block) for block in (typed[:apart], typed[apart:]) if block]
    thread = draw(st.sampled_from(["both", "both", "both", "references", "none"]))
    known = thread != "none"
    own = draw(st.sampled_from(["pw e2", "ps c4", "rs", "resign"]))
    words = draw(
        plain_answers(blocks, letter.text, known)
        | html_answers(blocks, letter.text, known)
        | bare_answers(blocks)
        | second_answers(blocks, letter.text, own)
    )
    if words.html and draw(st.booleans()):
        plain = draw(plain_answers(blocks, letter.text, known))
        words = Words(f"{plain.way}, and as HTML", plain.text, words.html, plain.banner)
    head = [
        f"From: {draw(st.sampled_from(FROM[BEN]))}",
        f"To: Tak by Mail <{mixed_case(letter.reply_to, draw(st.booleans()))}>",
        f"Subject: Re: {letter.subject}",
        "Message-ID: <1@mail.example.org>",
    ]
    head += [f"In-Reply-To: {letter.id}"] if thread == "both" else []
    head += [f"References: <0@example.test>\r\n {letter.id}"] if known else []
    raw = _whole(head, draw(parts_of(words)))
    return Mail(
        raw,
        BEN,
        MOVES.get(move, ""),
        way=f"{words.way}, {thread}, {letter.id}",
        typed=(words.banner, *typed),
        letter=letter if known else None,
    )


@st.composite
def cut_answers(draw: st.DrawFn, letters: Sequence[Letter]) -> Mail:
    """Generate an answer that was truncated in transit. It plays its move or nothing."""
    mail = draw(answers(letters))
    return replace(mail, raw=mail.raw[: draw(st.integers(0, len(mail.raw)))])


@st.composite
def machine_mails(draw: st.DrawFn, letters: Sequence[Letter]) -> Mail:
    """Generate a person's mail with a sign of a machine added."""
    letter = draw(st.sampled_from(letters))
    typed = draw(st.lists(lines, max_size=4))
    sign = draw(st.integers(0, len(MACHINE) + 1))
    sender = draw(st.sampled_from(FROM[BEN]))
    subject, extra = f"Re: {letter.subject}", []
    if sign < len(MACHINE):
        extra = [mixed_case(MACHINE[sign], draw(st.booleans()))]
    elif sign == len(MACHINE):
        subject = draw(st.sampled_from(MACHINE_SUBJECTS))
    else:
        sender = draw(st.sampled_from(MACHINE_SENDERS))
    head = [f"From: {sender}", f"To: {letter.reply_to}", f"Subject: {subject}", f"In-Reply-To: {letter.id}"]
    head[draw(st.integers(0, 4)) : 0] = extra
    part = draw(odd_parts) if draw(st.booleans()) else text_part("\n".join(typed), "plain", "utf-8", "8bit")
    return Mail(_whole(head, part), BEN, "")


@st.composite
def reports(draw: st.DrawFn, letters: Sequence[Letter]) -> Mail:
    """Generate a delivery report about some letters, complete or in part."""
    some = draw(st.lists(st.sampled_from(letters), min_size=1, max_size=3))
    action = draw(st.sampled_from(["failed", "delayed", "delivered", "relayed", "", "error"]))
    code = draw(st.sampled_from(["5.1.1", "4.2.2", "2.0.0", "x", ""]))
    fields = f"Reporting-MTA: dns; a\n\nFinal-Recipient: rfc822; {BEN}\nAction: {action}\nStatus: {code}\n"
    ids = "\n".join(f"Message-ID: {letter.id}" for letter in some)
    pieces = [
        text_part(f"{draw(lines)}\nUser unknown {BEN}\n{ids}\nps b4\n", "plain", "utf-8", "8bit"),
        Part((b"Content-Type: message/delivery-status",), fields.encode()),
        Part((b"Content-Type: message/rfc822",), f"{ids}\n\nps b4\n".encode()),
        draw(odd_leaves()),
    ]
    kept = draw(st.lists(st.sampled_from(pieces), min_size=1, max_size=4))
    sender = draw(st.sampled_from([*MACHINE_SENDERS[1:3], f"Ben <{BEN}>"]))
    head = [
        f"From: {sender}",
        "To: tak@example.test",
        f"In-Reply-To: {some[0].id}",
        "Subject: Undelivered Mail",
    ]
    return Mail(_whole(head, multipart("report", kept, "r", "; report-type=delivery-status")), BEN, "")


@st.composite
def odd_mails(draw: st.DrawFn, letters: Sequence[Letter]) -> Mail:
    """Generate a mail from anybody about anything: valid, odd, or with invalid headers or parts."""
    letter = draw(st.sampled_from(letters))
    sender = draw(st.sampled_from([BEN] * 6 + [ADA, ADA, OTHER, ""]))
    wrong = draw(st.sampled_from(["", "", "", "letter", "none"]))
    reply_to, thread = letter.reply_to, letter.id
    if wrong == "letter":
        # Change the last letter of a token.
        at = reply_to.index("@") - 1
        changed = "b" if reply_to[at] == "a" else "a"
        token = reply_to[reply_to.index("+") + 1 : at + 1]
        reply_to = reply_to[:at] + changed + reply_to[at + 1 :]
        thread = thread.replace(token, token[:-1] + changed)
    elif wrong == "none":
        reply_to, thread = TAK, "<1@example.test>"
    head = [
        f"From: {draw(st.sampled_from(FROM[sender]))}",
        f"To: {reply_to}",
        f"Subject: {draw(st.sampled_from(['Re: ', '', 'AW: ']))}{letter.subject}",
        f"{draw(st.sampled_from(['In-Reply-To', 'References', 'X']))}: {thread}",
        f"Message-ID: <{draw(st.integers(0, 9))}@mail.example.org>",
    ]
    odd = draw(st.lists(st.sampled_from(HEADERS), max_size=4))
    head = draw(st.permutations(head + odd)) if draw(st.booleans()) else head + odd
    if draw(st.integers(0, 5)) == 0:
        head.pop(draw(st.integers(0, len(head) - 1)))
    if draw(st.integers(0, 9)) == 0:
        head.append(
            f"{draw(st.sampled_from(['Subject', 'X', 'From', 'To', 'References']))}: {draw(st.text(max_size=30))}"
        )
    if draw(st.booleans()):
        part = draw(odd_parts)
    else:
        known = st.sampled_from([f"My answer goes to {one.reply_to}" for one in letters] + [thread])
        typed = [tuple(draw(st.lists(lines | known, min_size=1, max_size=5)))]
        part = draw(
            parts_of(
                draw(
                    plain_answers(typed, letter.text, known=True)
                    | html_answers(typed, letter.text, known=True)
                )
            )
        )
    raw = _whole(head, part)
    if draw(st.integers(0, 5)) == 0:
        raw = damaged(draw, raw)
    return Mail(raw, sender, None if sender == BEN and not wrong else "", token=not wrong)


@st.composite
def damaged_mails(draw: st.DrawFn) -> Mail:
    """Generate a mail of the corpus with some bytes changed, or two of these mails joined."""
    raw = draw(st.sampled_from(CORPUS))
    if draw(st.integers(0, 3)) == 0:
        other = draw(st.sampled_from(CORPUS))
        raw = raw[: draw(st.integers(0, len(raw)))] + other[draw(st.integers(0, len(other))) :]
    else:
        raw = damaged(draw, raw)
    return Mail(raw, "", None)


def _whole(head: Sequence[str], part: Part) -> bytes:
    lines = [line.encode("utf-8", "surrogateescape") for line in head if line]
    return b"".join(line + b"\r\n" for line in lines) + bytes(part)
