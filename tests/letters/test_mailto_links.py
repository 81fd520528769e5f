"""A `mailto:` link writes its words, whatever they are, and none of them is taken for a part of the link."""

from urllib.parse import parse_qsl, urlsplit

from takmail.letters.mailto_links import mailto_links
from tests.support.tables import each_row


@each_row(
    "words",
    ["ps c3", "3c3+21", "a & b = c", "100 %", "%2B", "why?", "say #1", "путь", "请看 c3", "'\"<>", "a\r\nb"],
)
def test_a_link_writes_its_words_and_ends_the_line(words: str) -> None:
    link = urlsplit(mailto_links("tak+1.abc@example.org", f"[tak #1] {words}", 4, "Keep one").link(words))
    # A form reads a plus as a space, and mail programs do not agree whether a link is one (RFC 6068 §5).
    assert "+" not in f"{link.path}{link.query}"
    assert link.path == "tak%2B1.abc@example.org"
    assert parse_qsl(link.query) == [("subject", f"[tak #1] {words}"), ("body", f"{words}\r\n")]
