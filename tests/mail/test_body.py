"""The readable text: HTML, soft line breaks, charsets."""

import pytest

from takmail.mail.body import unflow
from takmail.mail.charsets import decoded
from takmail.mail.html_text import text_of_html
from takmail.mail.quotes.reply_text import typed_text
from takmail.mail.reader import read
from tests.support.corpus import raw
from tests.support.tables import each_row


class TestHtml:
    @each_row(
        ("html", "text"),
        [
            ("a<br>b<br/><br>c", "a\nb\n\nc"),
            ("<div>a</div><div>b<div>c</div></div>", "a\nb\nc"),
            ("<p>a</p><p>b\n c</p>", "a\n\nb c"),
            ("<table><tr><td>0</td><td>cSS</td></tr><tr><td>s</td><td>0</td></tr></table>", "0 cSS\ns 0"),
            ("<ul><li>a<li>b</ul>c", "a\nb\n\nc"),
            ("<pre>0 s  0\n0 0 0</pre>", "0 s  0\n0 0 0"),
            ("a &lt;b&gt; &amp;amp;", "a <b> &amp;"),
            ("a<!-- ps b4 --><script>ps b4</script><i style='display: none'>ps b4</i>", "a"),
            ("<blockquote>a<blockquote>b</blockquote></blockquote>c", "> a\n> > b\nc"),
            (
                "a<div class='x yahoo_quoted'>b<br>c</div>",
                "a\n----------- Original Message -----------\nb\nc",
            ),
            ("a<div id='ydp1a2byahoo_quoted_7'>b</div>", "a\n----------- Original Message -----------\nb"),
            ("<p class=MsoNormal>a</p><p style='margin: 0;'>b</p>", "a\nb"),
            ("a<span style='font-size:0'>b</span><i style='font-size:0.9em'>c</i><p hidden>d</p>", "ac"),
            ("<div style='font-size:0px'>a<p style='font-size:14px'>b<i>c</i></p>d</div>e", "bc\ne"),
            ("<div style='font-size:0'>a<p style='font-size:1em'>b</p></div>c", "c"),
            ("a<div class='gmail_signature'>b</div>", "a"),
            ("", ""),
            ("<p", ""),
        ],
    )
    def test_lines_are_where_a_reader_sees_them(self, html: str, text: str) -> None:
        assert [line for line in text_of_html(html).split("\n") if line.strip("> ")] == [
            line for line in text.split("\n") if line
        ]

    def test_a_paragraph_has_a_blank_line_before_the_next(self) -> None:
        assert text_of_html("<p>a</p><p>b</p>") == "a\n\nb"

    @pytest.mark.parametrize("answered", ["ms b2 p1 1\n\n0 s cSS\n0 0 0\n0 0 S\n\nrs the board", None])
    def test_an_answer_written_in_gmail_is_found(self, answered: str | None) -> None:
        envelope = read(raw("html-gmail-answer"), frozenset())
        assert typed_text(envelope.body.text, answered) == "ps b4"

    @pytest.mark.parametrize("answered", ["ms b2 p1 1\n\nresign", None])
    def test_an_answer_written_in_outlook_is_found(self, answered: str | None) -> None:
        envelope = read(raw("html-outlook-answer"), frozenset())
        assert typed_text(envelope.body.text, answered) == "ps b4"


@pytest.mark.parametrize("before", ["<p ", "<!-- <p x='--><p ", "<p x='>' y==\"' z=\">\" ", "<p <b <i "])
def test_a_tag_with_thousands_of_attributes_is_a_tag(before: str) -> None:
    many = before + " ".join(f"a{n}" for n in range(5000)) + ">"
    assert text_of_html(f"ps b4{many}c").startswith("ps b4")


@each_row(
    ("html", "text"),
    [
        ("<blockquote><div>q</blockquote>ps b4", "> q\n\nps b4"),
        ("<font><blockquote>q</font>pw b4</blockquote>ps b4", "> qpw b4\n\nps b4"),
        ("<span><blockquote>q</span>pw b4</blockquote>ps b4", "> qpw b4\n\nps b4"),
        ("<blockquote><table><tr><td>q</blockquote>r</table>s</blockquote>ps b4", "> qr\n>\n> s\n\nps b4"),
        ("<b><span style='display:none'>a</b>ps b4", "ps b4"),
        ("<div>a<b>b<p>c</b>d</div>e", "ab\n\ncd\n\ne"),
        ("<div>a<blockquote>q</div>ps b4", "a\n>\n> q\n\nps b4"),
        ("<style>p {}</style><section>ps b4</section>", "ps b4"),
        ('<p style="display:none">a<div>ps b4', "ps b4"),
        ('<span style="display:none">a<div>b</span>c</div>d</span>ps b4', "ps b4"),
        ("a</p></q></blockquote></td>b", "ab"),
        ("<table><tr><td hidden>a<td>b<tr><td>c</table>d", "b\nc\n\nd"),
        ("<!--[if mso]>a<![endif]--><![if !mso]>b<![endif]>", "b"),
        ("<textarea><blockquote></textarea><title></p></title>ps b4", "ps b4"),
        ('<meta charset="koi8-r">привет', "привет"),
    ],
)
def test_elements_end_where_browsers_end_them(html: str, text: str) -> None:
    assert text_of_html(html) == text


class TestParts:
    """Which parts of a mail are read; the corpus has more mails with several parts."""

    HEAD = "From: ada@example.org\nContent-Type: multipart/mixed; boundary=q\n\n"

    def text(self, *parts: str) -> str:
        return read((self.HEAD + "".join(f"--q\n{part}\n" for part in parts)).encode(), frozenset()).body.text

    def test_text_goes_on_below_a_picture_and_as_html_too(self) -> None:
        for kind in ("plain", "html"):
            first, second = (f"Content-Type: text/{kind}\n\n{words}" for words in ("Look:", "ps b4"))
            assert self.text(first, "Content-Type: image/png\n\nx", second).split() == ["Look:", "ps", "b4"]

    def test_below_another_kind_of_text_nothing_goes_on(self) -> None:
        assert self.text("\nps b4", "Content-Type: text/html\n\n<p>ps b4", "\nresign").strip() == "ps b4"

    def test_a_file_that_is_shown_is_no_part_of_the_text(self) -> None:
        for head in ("Content-Type: text/plain; name=a.txt", "Content-Disposition: inline; filename=a.txt"):
            assert self.text("\nps b4", f"{head}\n\nresign").strip() == "ps b4"

    def test_all_of_it_together_is_within_the_limit(self) -> None:
        halves = [f"\n{letter * 150_000}" for letter in "ab"]
        assert len(self.text(halves[0])) >= 150_000
        assert self.text(*halves) == ""


class TestFlowedText:
    @each_row(
        ("flowed", "delsp", "text"),
        [
            ("a \nb\nc", False, "a b\nc"),
            ("a \nb", True, "ab"),
            ("a  \nb", True, "a b"),
            (" ps b4\n >x", False, "ps b4\n>x"),
            ("> a \n> b\n>> c", False, "> a b\n> > c"),
            ("> a \nps b4", False, "> a\nps b4"),
            ("a \n-- \nAda", False, "a \n-- \nAda"),
            ("a ", False, "a"),
        ],
    )
    def test_soft_breaks_are_undone_and_no_others(self, flowed: str, delsp: bool, text: str) -> None:
        assert unflow(flowed, delsp) == text


class TestCharsets:
    @each_row(
        ("data", "charset", "text"),
        [
            ("Grüße".encode(), "utf-8", "Grüße"),
            ("Grüße".encode(), "'UTF-8'", "Grüße"),
            ("Grüße".encode(), "us-ascii", "Grüße"),
            ("ÿÿÿ".encode("cp1252"), "euc-kr", "ÿÿÿ"),
            ("Grüße".encode("latin-1"), "us-ascii", "Grüße"),
            ("“Grüße”".encode("cp1252"), "iso-8859-1", "“Grüße”"),
            ("Привет".encode("koi8-r"), "koi8-r", "Привет"),
            ("你好".encode("gb18030"), "gb18030", "你好"),
            ("ps b4".encode("utf-16"), "utf-16", "ps b4"),
            ("ps b4".encode("utf-8-sig"), "utf-8", "ps b4"),
            ("Grüße".encode()[:4], "utf-8", "Grü"),
            ("Grü".encode()[:3], "utf-8", "Gr"),
            (b"\x81", "utf-8", "\ufffd"),
            (b"Gr\xfc" + "ße".encode(), "utf-8", "Grüße"),
            (b"Gr\xfc" + "ße".encode(), "us-ascii", "Grüße"),
            ("①よろしく".encode("cp932"), "shift_jis", "①よろしく"),
            ("镕".encode("gbk"), "gb2312", "镕"),
            ("תודה".encode("iso-8859-8"), "iso-8859-8-i", "תודה"),
            ("привет, Бен, и".encode("koi8-r") + b"\x00", "x-koi8-r", "привет, Бен, и\0"),
            (
                "よろしくお願いします".encode("shift_jis") + b"\x82!",
                "shift_jis",
                "よろしくお願いします\ufffd!",
            ),
        ]
        + [
            (b"ps b4", name, "ps b4")
            for name in ["rot13", "zip", "idna", "undefined", "punycode", "hex", "\0", ""]
        ],
    )
    def test_text_comes_out_whatever_the_charset_is_called(
        self, data: bytes, charset: str, text: str
    ) -> None:
        assert decoded(data, charset) == text

    def test_escapes_of_another_codec_are_not_followed(self) -> None:
        assert decoded(rb"\u0070s b4", "unicode-escape") == r"\u0070s b4"


@pytest.mark.parametrize(
    "stub",
    ["Your mail program does not show HTML.", "This message contains HTML. Please use another program."],
)
def test_a_text_part_that_only_says_that_there_is_html_is_none(stub: str) -> None:
    raw = (
        "From: ada@example.org\nContent-Type: multipart/alternative; boundary=q\n\n"
        f"--q\nContent-Type: text/plain\n\n{stub}\n--q\nContent-Type: text/html\n\n<p>ps b4</p>\n--q--\n"
    )
    assert read(raw.encode(), frozenset()).body.text.strip() == "ps b4"
    assert read(raw.replace("<p>ps b4</p>", " ").encode(), frozenset()).body.text.strip() == stub


def test_what_a_program_leaves_of_quotation_marks_breaks_no_line() -> None:
    quoted = "> Answer with your move… “ps b4” places a flat on B4, “pw b4” a wall."
    halves = quoted.replace("…", ".").encode("utf-16-le").replace(b"\0", b"")
    remnants = quoted.translate(str.maketrans("“”…", "\x1c\x1d\x85")).encode()
    for spoilt in (halves, remnants):
        raw = b"From: ada@example.org\nContent-Type: text/plain; charset=utf-8\n\nps c3\n\n" + spoilt
        text = read(raw, frozenset()).body.text
        assert len(text.splitlines()) == 3
        assert typed_text(text, None) == "ps c3"
