"""What the HTML side of a letter of ours reads as, to know it again when it is quoted."""

from html import unescape


def page_text(html: str) -> str:
    """The words of an HTML page in their order; what stands between two tags is a line.

    The words for a picture are among them, as some programs write those in its place, on one line: so they are known
    for what is missing where a program leaves them out. The page has to be one of ours, in which no `<` or `>` stands
    but around tags: so it takes a tenth of the time of `text_of_html`.
    """
    said: list[str] = []
    for piece in html[max(html.find("<body"), 0) :].split("<"):
        tag, _, words = piece.partition(">")
        if tag.startswith("img "):
            said.append(" ".join(tag.partition(' alt="')[2].partition('"')[0].split()))
        if words and not words.isspace():
            said.append(words)
    return "\n".join(" ".join(line.split()) for line in unescape("\n".join(said)).split("\n") if line.strip())
