"""Make the table of docs/commands.md from the list of commands and their summaries, for `make commands`."""

from pathlib import Path

from takmail.blocks import Message
from takmail.commands.command_list import COMMANDS
from takmail.letters.templates import Templates, folder
from tests.project.made_tables import with_tables

PAGE = Path(__file__).parents[2] / "docs" / "commands.md"
TEMPLATES = Templates(folder())


def with_table(page: str) -> str:
    """Return the page with its table made anew."""
    return with_tables(page, {"commands": _table})


def summary(word: str) -> str:
    """Return what a command does: its summary in `help`."""
    return TEMPLATES.said(Message(f"summary_{COMMANDS.pages(word)[-1]}"))


def _table() -> str:
    """Return the table. Keywords that do the same, such as `new` and `invite`, have one row."""
    rows: dict[str, dict[str, None]] = {}
    for word, forms in COMMANDS.words.items():
        keywords = dict.fromkeys(keyword for keyword, _ in forms)
        rows.setdefault(summary(word), {}).update(keywords if len(keywords) == 1 else {word: None})
    lines = (
        f"{', '.join(f'`{one}`' for one in keywords)} | {_plain(text)}" for text, keywords in rows.items()
    )
    return "".join(f"{line}\n" for line in ("command | what it does", "---|---", *lines))


def _plain(sentence: str) -> str:
    return sentence[0].lower() + sentence[1:].removesuffix(".")


if __name__ == "__main__":
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
