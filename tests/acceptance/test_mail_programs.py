"""The HTML of letters contains nothing that a common mail program does not support."""

import pytest

from tests.support.html_limits import MOST_BYTES, faults, is_opaque
from tests.support.letters_of_all_kinds import PAGES, conversation, page
from tests.support.players import Received
from tests.support.tables import each_row
from tests.support.width import tenth_of

GOOD = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>A game</title>
<style>@media (prefers-color-scheme: dark) { .t-page { color: #ffffff !important; } }</style></head>
<body><p class="t-page" style="margin:0 0 16px">Hello</p>
</body></html>"""
CELL = '<table role="presentation" cellpadding="0" cellspacing="0" border="0">'
# What stands in a letter, and what is said of it.
REFUSED = {
    "flex": ('<p style="display:flex">x</p>', "<p> in line 6 is a flex"),
    "a grid": ('<p style="display: grid">x</p>', "is a grid"),
    "a position": ('<p style="position:absolute">x</p>', "has position: absolute"),
    "a float": ('<p style="float:left">x</p>', "has float: left"),
    "a negative margin": ('<p style="margin:0 0 -4px">x</p>', "has a margin of 0 0 -4px"),
    "a margin of auto": ('<p style="margin:0 auto">x</p>', "has a margin of 0 auto"),
    "padding of what is no cell": ('<p style="padding:4px">x</p>', "has a padding"),
    "a picture behind": ('<p style="background-image:url(cid:one)">x</p>', "has background-image"),
    "a color of the sheet": ('<p style="color:var(--ink)">x</p>', "has color: var(--ink)"),
    "svg": ("<svg></svg>", "<svg> in line 6 is not shown everywhere"),
    "a script": ("<script>x</script>", "<script> in line 6 is not shown"),
    "a form": ("<form></form>", "<form> in line 6 is not shown"),
    "a field": ('<input name="x">', "<input> in line 6 is not shown"),
    "an iframe": ("<iframe></iframe>", "<iframe> in line 6 is not shown"),
    "a video": ("<video></video>", "<video> in line 6 is not shown"),
    "a data: picture": (
        '<img src="data:image/png;base64,AAAA" width="1" height="1" alt="x">',
        "own pictures: data:",
    ),
    "a picture elsewhere": (
        '<img src="https://example.org" width="1" height="1" alt="x">',
        "own pictures: https",
    ),
    "a picture of nobody": ('<img src="cid:two" width="1" height="1" alt="x">', "own pictures: cid:two"),
    "a picture without words": ('<img src="cid:one" width="1" height="1">', "has no alt"),
    "a link without words": (
        '<a href="https://example.org"><img src="cid:one" width="1" height="1" alt=" "></a>',
        "has no alt",
    ),
    "a picture without a width": ('<img src="cid:one" height="1" alt="x">', "has no width and height"),
    "a width without attribute": ('<p style="width:9px">x</p>', "has a width and no attribute width"),
    "a table without a role": (
        CELL.replace("presentation", "") + "</table>",
        "is for layout and does not say so",
    ),
    "a table with gaps": (
        CELL.replace('cellspacing="0"', "") + "</table>",
        "leaves cellpadding, cellspacing",
    ),
    "text between cells": (f"{CELL}x</table>", "<table> in line 6 has text right within it: x"),
    "a second style": ("<style>p { margin: 0 }</style>", "is not the one in the head"),
    "a tag left open": ("<p>x", "<p> is never closed"),
    "tags across": ("<p><b>x</p></b>", "<p> in line 6 is closed within ['b']"),
    "a tag that closes itself": ("<br/>", "<br> in line 6 closes itself"),
    "an id": ('<p id="x">x</p>', "has id"),
    "an attribute twice": ('<p class="t-a" class="t-b">x</p>', "has an attribute twice"),
    "a class of no sheet": ('<p class="page">x</p>', "is of the class page"),
    "what is done on a click": ('<p onclick="x()">x</p>', "has onclick"),
    "a link without TLS": ('<a href="http://example.org">x</a>', "leads to http://example.org"),
    "a link that runs": ('<a href="javascript:x()">x</a>', "leads to javascript:x()"),
    "a raw plus": ('<a href="mailto:tak+1@example.test">x</a>', "opens a mail that is not quoted well"),
    "a comment": ("<!-- x -->", "a comment:  x "),
    "much": ("<p>x</p>\n" * (MOST_BYTES // 8), "bytes long"),
}


@each_row("kind", tenth_of(PAGES))
def test_a_letter_shows_in_all_of_them(kind: str) -> None:
    shows_everywhere(page(kind))


def test_letters_that_are_written_in_a_conversation_show_in_all_of_them() -> None:
    written = [letter for letter in conversation() if letter.html]
    alone = {letter.subject for letter in conversation() if not letter.html}
    to_strangers = {"how to begin", "is this from you?", "this is the address of a player"}
    assert alone == {"Game 2 is broken", *(f"Tak by Mail: {one}" for one in to_strangers)}
    for letter in written:
        shows_everywhere(letter)


def test_a_page_with_nothing_wrong_has_no_faults() -> None:
    assert faults(GOOD, ()) == []
    link = '<a href="mailto:tak%2B1@example.test?body=ps%20a1%0D%0A">x</a>'
    assert faults(holding(link + '<img src="cid:one" width="1" height="1" alt="x">'), ("one",)) == []


@each_row("what", REFUSED)
def test_what_a_program_refuses_is_found(what: str) -> None:
    html, said = REFUSED[what]
    assert any(said in one for one in faults(holding(html), ("one",)))


def test_a_picture_that_is_not_shown_is_found() -> None:
    assert faults(GOOD, ("one",)) == ["the picture one is not shown, so it hangs on the mail as a file"]


@pytest.mark.parametrize(
    "lost", ['lang="en"', 'charset="utf-8"', "viewport", "color-scheme", "A game", "<!DOCTYPE html>\n"]
)
def test_what_a_page_lacks_is_found(lost: str) -> None:
    assert len(faults(GOOD.replace(lost, "", 1), ())) == 1


@pytest.mark.parametrize("rule", ["p { color: #ffffff !important; }", ".t-page { width: 10px !important; }"])
def test_a_style_that_would_be_missed_is_found(rule: str) -> None:
    html = GOOD.replace(".t-page { color: #ffffff !important; }", rule)
    assert "<style>" in " ".join(faults(html, ()))


def holding(html: str) -> str:
    """Return a valid page, except for the given text in its line 6."""
    return GOOD.replace("\n</body>", f"\n{html}</body>")


def shows_everywhere(letter: Received) -> None:
    assert faults(letter.html, letter.pictures) == []
    assert all(map(is_opaque, letter.pictures.values()))
