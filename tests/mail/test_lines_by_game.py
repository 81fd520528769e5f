"""A typed answer to a letter about several games: which line is for which game."""

import re
from collections.abc import Iterator
from html import escape

import pytest

from takmail.limits.mails import DEFAULT_LIMITS
from takmail.mail.html_text import text_of_html
from takmail.mail.lines_by_game import MailPart, Naming, may_name_games, sections, split
from takmail.mail.part_as_mail import PartHeaders, as_mail
from takmail.mail.quotes.own_letters import OwnAddress, page_text
from takmail.mail.quotes.reply_text import JudgedLine, judged_lines
from takmail.mail.reader import read
from tests.support.requoted import PROGRAMS, Program, flattened, frames
from tests.support.tables import each_row
from tests.support.width import some_of

OWN = OwnAddress("tak@example.test", "Tak by Mail")
ORDER = re.compile(r"(?:p[swc] [a-e][1-5]|ms .*|draw|yes)$")
NAMES = {"ben": 12, "fay": 13, "dora": None}


def is_order(line: str) -> bool:
    return bool(ORDER.match(line))


def parts(
    typed: str, first: int | None = None, *, answers_list: bool = False
) -> list[tuple[int | None, str]]:
    naming = Naming(is_order, NAMES, first, {7, 12, 13}.__contains__, answers_list)
    return [(part.game, part.text) for part in split((MailPart(None, typed),), naming)]


SPLIT = [
    ("#12 ps b4\n#13 ps c3", [(12, "ps b4"), (13, "ps c3")]),
    ("#12\nps b4\n\n#13:\nps c3", [(12, "ps b4"), (13, "ps c3")]),
    ("# 12: ps b4", [(12, "ps b4")]),
    (
        "#12 ps b4\nGood luck!\n\nTo you, too.\n#13 draw",
        [(12, "ps b4\nGood luck!\n\nTo you, too."), (13, "draw")],
    ),
    ("#12 · Ben · 5x5\nps b4", [(12, "ps b4")]),
    ("#12 ps b4\n#13 ps c3\n#12 draw", [(12, "ps b4\ndraw"), (13, "ps c3")]),
    ("Hello!\n#12 ps b4", [(None, "Hello!"), (12, "ps b4")]),
    ("digest off\n\n#12\nps b4", [(None, "digest off"), (12, "ps b4")]),
    ("#1 fan of yours\n#12 ps b4", [(None, "#1 fan of yours"), (12, "ps b4")]),
    ("#12 ps b4\n#1 fan of yours", [(12, "ps b4\n#1 fan of yours")]),
    ("#12: thanks, that was fun", [(12, "thanks, that was fun")]),
    ("Ben\nps b4\n\nFay\nps c3", [(12, "ps b4"), (13, "ps c3")]),
    ("Ben: ps b4\nFAY: ps c3", [(12, "ps b4"), (13, "ps c3")]),
    ("Ben: ps b4\nfay：ps c3", [(12, "ps b4"), (13, "ps c3")]),
    ("Ben: ps b4\nDora: ps c3\nps a1", [(12, "ps b4"), (None, "Dora: ps c3\nps a1")]),
    ("Hello!\nDora：hi\nBen: ps b4", [(None, "Hello!"), (None, "Dora：hi"), (12, "ps b4")]),
    ("#12 Ben\nps b4\n№13 Fay: ps c3\n#7  Dora\nhi", [(12, "ps b4"), (13, "ps c3"), (7, "hi")]),
    ("Ben, how are you?\nps b4", [(None, "Ben, how are you?\nps b4")]),
    ("Ben plays well\nps b4", [(None, "Ben plays well\nps b4")]),
    ("#12\n\n#13", []),
    ("", []),
]


@each_row(("typed", "found"), SPLIT)
def test_typed_lines_name_their_games(typed: str, found: list[tuple[int | None, str]]) -> None:
    assert parts(typed) == found


def test_what_stands_above_the_first_line_is_for_the_game_of_the_headers() -> None:
    assert parts("ps a1\n\n#13 ps c3", first=7) == [(7, "ps a1"), (13, "ps c3")]


OTHER = "I need to think about this one."
OWN_NUMBERS = [
    *((line, (13, OTHER)) for line in (f"#13 {OTHER}", f"№13 {OTHER}", f"№ 13: {OTHER}", f"＃13 {OTHER}")),
    *(
        (line, (13, OTHER))
        for line in (
            f"#13：{OTHER}",
            f"- #13 {OTHER}",
            f"\u200b#13 {OTHER}",
            f"  # 13  {OTHER}",
            f"＃１３ {OTHER}",
        )
    ),
    ("#13 - thinking, sorry Fay", (13, "- thinking, sorry Fay")),
    ("#13 rook? lovely move!", (13, "rook? lovely move!")),
    ("#13 我再想想", (13, "我再想想")),
    ("#13我再想想", (13, "我再想想")),
    ("№13 я ещё подумаю", (13, "я ещё подумаю")),
    ("#13\nHi Fay", (13, "Hi Fay")),
]


@each_row(("line", "part"), OWN_NUMBERS)
def test_a_line_that_begins_with_a_number_of_the_sender_is_for_no_other_game(
    line: str, part: tuple[int, str]
) -> None:
    assert parts(f"#12 ps b4\n{line}") == [(12, "ps b4"), part]
    assert parts(f"{line}\n#12 ps b4") == [part, (12, "ps b4")]
    assert parts(f"Ben: ps b4\n{line}") == [(12, "ps b4"), part]
    assert parts(f"ps b4\n{line}\n#12 ps c3", first=7) == [(7, "ps b4"), part, (12, "ps c3")]
    assert parts(line, answers_list=True) == [part]


@pytest.mark.parametrize("line", ["#12 was a great move", "#13 was a great move", "ps b4 #13"])
def test_in_a_mail_for_one_game_a_number_may_be_that_of_a_turn(line: str) -> None:
    assert parts(f"ps b4\n{line}", first=12) == [(12, f"ps b4\n{line}")]


@pytest.mark.parametrize("line", ["#1 fan of yours", "ps b4 #13", "#12th of May", "a #13 for you"])
def test_a_number_of_nothing_is_words(line: str) -> None:
    assert parts(f"#12 ps b4\n{line}") == [(12, f"ps b4\n{line}")]


@pytest.mark.parametrize(
    ("typed", "may"),
    [
        ("Ben\nps b4", True),
        ("games", False),
        ("ps b4\n#12 ps c3", False),
        ("Ben: hi\nps b4", True),
        ("Ben: ps b4", True),
        ("#12 Ben\nps b4", True),
        ("#12 draw", False),
    ],
)
def test_a_line_above_others_or_before_a_colon_may_be_a_name(typed: str, may: bool) -> None:
    assert may_name_games(typed) == may


# Inline answers to a letter about twelve games, as programs quote it.

GAMES = range(11, 23)
ANSWERS = {12: "ps b4", 15: "ms b2 p1\nGood luck!", 22: "ps e5"}
_RULE = "--------"
_LAST = "Write below the line of a game what you want to play there."


def _board(number: int) -> list[str]:
    return [f"2 0 0 {number % 3} 0", "0 S 0 0 0", "0 0 C 0 0", "S 0 0 0 0", "0 0 0 0 0"]


def _news(number: int) -> str:
    return f"Ben{number} plays ps a{number % 5 + 1}. It is your turn until Monday, 23 November, 10:00."


def _text() -> str:
    games = (f"#{one} · Ben{one} · 5x5\n\n{_news(one)}\n\n" + "\n".join(_board(one)) for one in GAMES)
    return "\n\n".join(["12 games wait for you. The most urgent one stands first.", *games, _RULE, _LAST])


def _page(answers: dict[int, str], *, is_within: bool = False) -> str:
    """Return the page of the letter. An answer stands below the board, where programs split the quote.

    If it `is_within`, it stands within the quote.
    """
    end, begin = ("", "") if is_within else ("</blockquote>", "<blockquote>")
    shown = ["<html><body><h1>12 games wait for you.</h1><p>The most urgent one stands first.</p>"]
    for one in GAMES:
        cells = (
            "".join(f'<td><img src="cid:x" alt="{cell}"></td>' for cell in row.split()) for row in _board(one)
        )
        board = "".join(f"<tr>{row}</tr>" for row in cells)
        typed = (
            f"{end}<div>{escape(answers[one]).replace(chr(10), '<br>')}</div>{begin}"
            if one in answers
            else ""
        )
        shown.append(f"<h2>#{one} · Ben{one} · 5x5</h2><p>{_news(one)}</p><table>{board}</table>{typed}")
    return "\n".join((*shown, f"<hr><p>{_LAST}</p></body></html>"))


def _typed_between(text: str, between: str, answers: dict[int, str], *, is_within: bool) -> str:
    """Return a quote of a text with answers, each above the line of the next game.

    If they are `is_within`, they are marked like the quote.
    """
    mark, quote, waiting = between.split("\n")[-1], "", ""
    for line in text.split("\n"):
        heading = re.match(r"#(\d+) ·", line)
        if waiting and (heading or line in (_RULE, _LAST)):
            quote, waiting = f"{quote}\n\n{waiting}\n\n{mark}{line}", ""
        else:
            quote += (between if quote else "") + line
        if heading:
            waiting = answers.get(int(heading[1]), "")
            waiting = f"{mark}{waiting}".replace("\n", f"\n{mark}") if is_within and waiting else waiting
    return quote


def _quoted(program: Program, answers: dict[int, str], *, is_within: bool = False) -> Iterator[str]:
    """Yield the readable text of mails of a program that answers the letter: by its text or its page."""
    in_text, in_page = frames(program.corpus)
    for text in (_text(), flattened(_page({}), program.style)):
        if in_text is not None:
            yield in_text.around("", _typed_between(text, in_text.between, answers, is_within=is_within))
    if in_page is not None:
        body = _page(answers, is_within=is_within).partition("<body>")[2].partition("</body>")[0]
        yield text_of_html(in_page.around("", program.style.edit(body)))


def _found_in(mail: str) -> tuple[MailPart, ...]:
    lines = tuple(judged_lines(mail, _text(), OWN, page_text(_page({}))))
    return split(sections(lines, _text()), Naming(is_order, {}))


UNLIKE_OTHERS = ("page-forwarded", "protonmail-unicode-hyphens", "quote-bars", "quote-colons")
"""Mails that forward the letter, whose quote nothing introduces, or whose marks are recognised only in long rows."""


@each_row("program", [program for program in some_of(PROGRAMS, 12) if program.corpus not in UNLIKE_OTHERS])
def test_inline_answers_are_for_the_game_of_the_heading_above(program: Program) -> None:
    for mail in _quoted(program, ANSWERS):
        found = _found_in(mail)
        answers = {part.game: part.text for part in found if part.game}
        assert answers == ANSWERS


@each_row("program", [program for program in some_of(PROGRAMS, 8) if program.corpus not in UNLIKE_OTHERS])
def test_what_is_typed_within_the_quote_is_for_the_game_of_the_heading_above(program: Program) -> None:
    for mail in _quoted(program, ANSWERS, is_within=True):
        assert {part.game: part.text for part in _found_in(mail) if part.game} == ANSWERS
    for mail in _quoted(program, {}):
        assert [part for part in _found_in(mail) if part.game] == []


def _marked(typed: str, mark: str = "> ") -> str:
    quote = "\n".join(f"{mark}{line}" for line in _text().split("\n"))
    mail = f"On Sat, 21 Nov 2026, Tak by Mail <tak@example.test> wrote:\n{quote}"
    return mail.replace(f"{mark}#13", f"{typed}\n{mark}#13")


WITHIN = [
    (_marked("> ps b4\n> Nice board!\n>"), (MailPart(12, "ps b4\nNice board!"),)),
    (_marked("> ps b4\n>").replace("> #15", "ps c3\n> #15"), (MailPart(12, "ps b4"), MailPart(14, "ps c3"))),
    # Programs write these in place of pictures and links.
    (_marked("> <image001.png>\n> [image: A board]\n> <mailto:tak+12.abc@example.test>\n>|"), ()),
    # What was typed in an earlier mail is quoted once more than what is typed now.
    (_marked("> ps b4\n> Nice board!", "> > "), ()),
    (_marked("> > ps b4\n> > Nice board!", "> > "), ()),
]


@pytest.mark.parametrize(("mail", "found"), WITHIN)
def test_what_the_letter_does_not_have_was_typed(mail: str, found: tuple[MailPart, ...]) -> None:
    assert _found_in(mail) == found


def _with_words(*words: str) -> str:
    """Return the letter with words of the opponent in game 12."""
    said = "\n".join(f"  | {line}" for line in words)
    return _text().replace(f"\n\n{_news(12)}", f"\n\n{said}\n\n{_news(12)}")


IMITATIONS = [
    (("Hello!", "#13 · Ben13 · 5x5"), "  | "),
    (("Hello!", "#13 · Ben13 · 5x5"), ""),
    (("- #13 ·",), "  | "),
    ((_RULE,), "  | "),
    ((_RULE,), ""),
    ((_LAST,), "  | "),
    ((_LAST,), ""),
]


@pytest.mark.parametrize(("words", "bar"), IMITATIONS)
def test_words_that_imitate_a_mark_do_not_decide_for_which_game_lines_are(
    words: tuple[str, ...], bar: str
) -> None:
    # Some programs make text of the page, where words have no bars.
    letter = _with_words(*words)
    quote = letter.replace("\n  | ", f"\n{bar}").split("\n")
    below = quote.index(_news(12)) + 1

    def found(quoted: list[str]) -> tuple[MailPart, ...]:
        lines = [JudgedLine(line, line if line == "ps b4" else None) for line in quoted]
        return sections(lines, letter)

    unclear = (MailPart(None, "ps b4", is_unclear=True),)
    assert found([*quote[:below], "ps b4", *quote[below:]]) == (MailPart(12, "ps b4"),)
    # Its writer has deleted the marks that are imitated.
    assert found([*quote[:below], "ps b4"]) in ((MailPart(12, "ps b4"),), unclear)
    # Its program wraps other words so that one line more looks like the mark.
    more = [*quote[:below], "#13 ·", "ps b4", *quote[below:]]
    assert found(more) == unclear
    assert split(unclear, Naming(is_order, {})) == unclear


def test_a_number_that_is_no_heading_of_the_letter_is_none() -> None:
    above, heading, below = _text().partition("#13 ·")
    quote = [*above.split("\n"), "#99 · Ben · 5x5", "ps b4", *(heading + below).split("\n")]
    lines = [JudgedLine(line, line if line == "ps b4" else None) for line in quote]
    assert sections(lines, _text()) == (MailPart(12, "ps b4"),)


def test_a_part_is_a_mail_of_its_own() -> None:
    headers = PartHeaders(
        sender="ada@example.org",
        sender_name="Ada Ångström",
        date="Sat, 21 Nov 2026 12:00:00 +0100",
        recipient="tak+me.abc@example.test",
        message_id="<part2.0123@example.org>",
        answers="<12.abcdefghijklmnop.3.0123456789abcdef@example.test>",
        tag="[tak #12]",
    )
    raw = as_mail(headers, "ps b4\n\nViel Glück!")
    found = read(raw, frozenset({"tak@example.test"}), DEFAULT_LIMITS, len(raw))
    assert (found.sender, found.sender_name, found.machine) == ("ada@example.org", "Ada Ångström", None)
    assert (found.subject, found.thread.in_reply_to) == ("[tak #12]", (headers.answers,))
    assert (found.body.text.strip(), found.utc_offset) == ("ps b4\n\nViel Glück!", "+0100")
