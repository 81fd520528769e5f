"""Parse one line as a command that begins with a keyword."""

import re

from takmail.commands.command import Order, Rest
from takmail.commands.grammar.line_reader import Reader
from takmail.vocabulary import table, tokens_of

_MARK = re.compile(r"^(im(?=#)|bid(?==)|[^\W\d_]+(?=:)|(?:propose|why)(?=,)):?,? ?", re.IGNORECASE)
"""A keyword behind which a space may be missing or a mark may stand."""
_MOST_WORDS = 2
"""The maximum number of words of a keyword in the vocabulary."""


def parse(line: str, reader: Reader, *, is_first: bool) -> Order | None:
    """Parse a line in command form as any command that has a keyword. Return None if it is none.

    A command with free text must be on the first line (`is_first`), or begin with a `/`.
    """
    is_marked = line.startswith("/")
    body = _in_english(_MARK.sub(r"\1 ", line.removeprefix("/").strip(), count=1))
    low = body.lower()
    for keyword, command in reader.commands.words.get(low.partition(" ")[0], ()):
        if not f"{low} ".startswith(f"{keyword} "):
            continue
        text = body[len(keyword) :].strip()
        if command.arguments is None:
            if not text:
                return Order(line, command)
        elif not (text and command.arguments.is_free_text) or is_marked or is_first:
            rest = Rest(
                keyword, text, is_marked, is_first, reader.games, reader.commands.topics, reader.read_turn
            )
            arguments = command.arguments.read(rest)
            if isinstance(arguments, command.arguments):
                return Order(line, command, arguments)
            if arguments is not None:
                return reader.commands.order(line, arguments)
    return None


def _in_english(body: str) -> str:
    """Return the line with its keyword as takmail calls it if the vocabulary has other words for it."""
    if body.isascii() and not table("keywords").begins_with(body.partition(" ")[0].lower()):
        return body  # the usual case
    tokens = tokens_of(body)
    found = next(table("keywords").scan(tuple(token.word for token in tokens[:_MOST_WORDS])), None)
    if found is None or found.start or tokens[0].start:
        return body
    return f"{found.meaning} {body[tokens[found.end - 1].end :].lstrip(' :')}".rstrip()
