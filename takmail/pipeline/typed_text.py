"""Extract what the sender of a mail typed, with the boards that it quotes."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from takmail.blocks import message
from takmail.commands.grammar.boards import found_in, pasted_in_quotes
from takmail.commands.grammar.line_reader import LineReader, anywhere
from takmail.commands.grammar.normalize import plain, writable
from takmail.commands.grammar.plans import names_place
from takmail.commands.grammar.understand import understand
from takmail.games.interface import Seat
from takmail.letters.catalogue import ENGLISH, LOCALES
from takmail.letters.services import Services
from takmail.letters.templates import Templates
from takmail.limits.words import MAX_TYPED_CHARS
from takmail.mail.message import Mail
from takmail.mail.quotes.known_letters import text_above_quote
from takmail.mail.quotes.own_letters import OwnAddress, may_hold_letters, quotable, without_letters
from takmail.mail.quotes.quoted_blocks import has_marks
from takmail.mail.quotes.reply_text import typed_text
from takmail.vocabulary import IDEOGRAPHS
from takmail.vocabulary.chinese import SIMPLIFIED, TRADITIONAL
from takmail.world import Game, SentLetter

_REPLY_PREFIX = re.compile(r"\w{1,6}(\[\d+\])? ?[:：]")
"""The prefixes of a Subject in replies, such as Re:, AW:, SV:, Fwd:, 回复： and Re[2]:."""
LIST_HEADINGS = (
    "Keep one line and delete the others",
    "Оставьте одну строку, остальные удалите",
    "留下一行并删掉其余各行",
    "留下一行並刪掉其餘各行",
)
"""All wordings, present and past, of the line above the moves of a touched stack (the message `keep_one_line`).

A past wording stays here, because the links of the letters that were sent with it still write it.
"""
_LEAST_TAUGHT = 20
"""The minimum length of a line that is known as one of a help page."""
_QUOTED = re.compile(r'"([^"]+)"')
_SCRIPTS = (
    (re.compile(f"[{IDEOGRAPHS}]"), (SIMPLIFIED, TRADITIONAL)),
    (re.compile("[а-яё]"), ("ru",)),
    (re.compile(""), (ENGLISH,)),
)
"""The languages of help pages by the characters that only they have; in words without any it is English."""
_HEADING = re.compile("|".join(map(re.escape, LIST_HEADINGS)), re.IGNORECASE)
_HEADING_ABOVE = re.compile(rf"(?:{_HEADING.pattern})(?:[.:!]*$|\s+)", re.IGNORECASE)


def extract_reply_text(services: Services, message: Mail, answered: SentLetter | None) -> str:
    """Return what the sender typed. If a mail without text is no reply, its Subject may be a command."""
    own = OwnAddress(services.address, services.name)
    sides = (answered.text, answered.html_text) if answered else (None, None)
    text = _beginning(writable(typed_text(message.body.text, sides[0], own, sides[1])))
    is_reply = message.thread.all or _REPLY_PREFIX.match(message.subject)
    if text.strip() or is_reply:
        return text
    subject = writable(message.subject)
    return subject if understand(subject, anywhere(services.games, services.commands)).orders else ""


def _beginning(text: str) -> str:
    """Return the first lines of a typed text, as far as they are read. An end of a line is left out.

    Of one line that is too long, the beginning is returned; it is too long for a command, too.
    """
    head = text[:MAX_TYPED_CHARS]
    normal = len(unicodedata.normalize("NFKC", head))
    head = head[: MAX_TYPED_CHARS * len(head) // max(normal, MAX_TYPED_CHARS)]
    return text if head == text else head.rpartition("\n")[0] or head


def extract_in_game(
    services: Services,
    message: Mail,
    answered: SentLetter | None,
    text: str,
    game: Game | None = None,
    seat: Seat | None = None,
) -> str:
    """Return what the sender typed. `text` is the result of `extract_reply_text`, and `game` improves it.

    The last letters to the seat are removed, because a mail program may quote a thread without markers. If no board was
    typed, quoted boards that no letter contained are added.
    """
    text = _without_teaching(services, text)
    letters: Sequence[tuple[str, str | None]] = ()
    reader: LineReader = anywhere(services.games, services.commands)
    is_quoting = _is_quoting(message, answered)
    if game is not None and seat is not None and (is_quoting or may_hold_letters(text)):
        letters = game.correspondence.threads[seat].texts
        text = without_letters(text, _sides(letters))
        if is_quoting:
            letters = (*letters, *game.correspondence.threads[seat.other].texts)
        reader = replace(reader, find_boards=game.rules.boards_in)
    answered_text = answered.text if answered is not None else None
    are_texts_stored = answered_text != "" and all(words for words, _ in letters)
    # If a letter's text is deleted, its board can't be distinguished from a board that somebody else sent.
    if not is_quoting or not are_texts_stored or found_in(text.splitlines(), reader):
        return text
    own = OwnAddress(services.address, services.name)
    quoted = pasted_in_quotes(writable(message.body.text), own, reader, answered_text, _sides(letters))
    return "\n\n".join(filter(None, (text, *quoted)))


@lru_cache(len(LOCALES))
def _teaching(templates: Templates, language: str) -> tuple[str, tuple[str, ...]]:
    """Return the help page about moves in advance in a language, as one line, and the lines that it quotes."""
    page = plain(templates.said(message("help_if"), language)).lower()
    return page, tuple(_QUOTED.findall(page))


def _is_taught(words: str, templates: Templates) -> bool:
    """Tell whether words are a part of the page that teaches moves in advance, and no line of it to send.

    Only the pages in the script of the words are looked into, as the others would be loaded for nothing.
    """
    languages = next(languages for script, languages in _SCRIPTS if script.search(words))
    return any(
        words in page and not any(words.strip('"') in line for line in lines)
        for page, lines in (_teaching(templates, language) for language in languages)
    )


def _without_teaching(services: Services, text: str) -> str:
    """Return a typed text without the lines of the page that teaches moves in advance, as they are nobody's plans.

    A thread may be quoted without any prefixes, and the letter with the page may be too old to be known.
    """
    lines = text.split("\n")
    if not any(len(line) >= _LEAST_TAUGHT and names_place(line) for line in lines):
        return text  # the usual case
    kept: list[str] = []
    is_taught = False
    for line in lines:
        words = plain(line).lower()
        is_long = len(words) >= _LEAST_TAUGHT
        is_taught = bool(words) and (is_long or is_taught) and _is_taught(words, services.templates)
        if not is_taught:
            kept.append(line)
    return text if len(kept) == len(lines) else "\n".join(kept)


def without_list_heading(text: str, reader: LineReader) -> str:
    """Return a typed text without the line that a link to a stack writes above its moves.

    A mail program may have joined the lines. Then the heading is the beginning of a line whose rest is a command. Any
    other line that begins so is chat.
    """
    if not _HEADING.search(" ".join(text.split())):
        return text
    lines = []
    for line in text.splitlines():
        heading = _HEADING_ABOVE.match(plain(line))
        rest = plain(line)[heading.end() :] if heading else line
        if heading and rest and not understand(rest, reader).orders:
            rest = line
        if rest or not heading:
            lines.append(rest)
    return "\n".join(lines)


def _is_quoting(message: Mail, answered: SentLetter | None) -> bool:
    """Return whether the mail quotes, with markers, anything other than the whole answered letter."""
    text = message.body.text
    for side in _sides([(answered.text, answered.html_text)] if answered is not None else ()):
        text = text_above_quote(text, side)
    return has_marks(text)


def _sides(letters: Sequence[tuple[str, str | None]]) -> list[str]:
    """Return the texts that a mail program may quote of these letters, given as plain texts and texts of pages."""
    return [side for text, page in letters for side in (text, *quotable(page)) if side]
