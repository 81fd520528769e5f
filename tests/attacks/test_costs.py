"""Mails of 250 KB that are made to cost as much as they can cost little more than a long mail, and delay no other."""

import asyncio
from datetime import timedelta
from functools import cache, partial
from itertools import product
from unittest.mock import patch

import pytest

from takmail.limits.words import MAX_TYPED_CHARS
from takmail.mail.quotes import reply_text
from takmail.mail.quotes.reply_text import typed_text
from takmail.mail.quotes.separators import is_decoration
from takmail.runtime import mail_worker
from takmail.runtime.mail_worker import MailWorker
from takmail.store.causes import Causes
from tests.support.cost import assert_costs, least, page
from tests.support.harness import Harness
from tests.support.memory_harness import MemoryHarness, turns
from tests.support.players import ADA, BEN, said
from tests.support.tables import each_row
from tests.support.width import some_of

SIZE = 250_000
LINES = {
    "dashes": "-" * 76, "prefixes": ">" * 76, "tabs": "\t" * 76 + "x", "digits": "1" * 76, "number signs": "#" * 76,
    "brackets": "(" * 76, "full stops": "." * 76, "one ligature": "\ufdfa" * 76, "squares": "\u3300" * 76,
    "combining": "a\u0301" * 38, "zero width": "\u200b" * 76, "boxes": "\u2500" * 76, "ellipses": "…" * 76,
    "cjk": "\u4e2d" * 76, "letters": "t " * 38, "spots": "a1 " * 25, "cells": "| A |" * 15, "moves": "ps a1 " * 12,
    "long lines": "#" * 9_000, "one line": "#" * SIZE, "attributions": "On 2026-11-26 at 12:00, Ada wrote:",
    "labels": "A1: S " * 12, "rules": "---", "rules and programs": "---\n" + "este correo " * 6,
}  # fmt: skip


@pytest.fixture
def memory() -> MemoryHarness:
    return MemoryHarness()


def mail(memory: MemoryHarness, text: str) -> bytes:
    letter = memory.last(ADA)
    head = f"From: Ada <{ADA}>\nTo: {letter.mail['Reply-To']}\nIn-Reply-To: {letter.mail['Message-ID']}\n"
    return f"{head}Content-Type: text/plain; charset=utf-8\n\n{text}".encode()


@cache
def begun(game: str) -> tuple[MemoryHarness, float]:
    """Return a game, and the CPU seconds of a mail that has as much ordinary text as is read."""
    memory = MemoryHarness()
    memory.begin(game)
    ordinary = memory.arrive(mail(memory, page(MAX_TYPED_CHARS)))
    return memory, least(partial(memory.decide, ordinary))


@each_row("game, name", some_of(product(["5", "tzaar"], LINES), 3))
def test_a_long_mail_of_one_kind_of_character_costs_as_much_as_some_pages(game: str, name: str) -> None:
    memory, usual = begun(game)
    line = f"{LINES[name]}\n"
    arrived = memory.arrive(mail(memory, line * (SIZE // len(line.encode()))))
    assert_costs(partial(memory.decide, arrived), 25, usual)


def test_no_more_of_a_text_is_searched_for_signatures_than_is_read() -> None:
    with patch.object(reply_text, "is_decoration", wraps=is_decoration) as searched:
        typed_text("---\neste correo\n" * 15_000, None)
    assert 0 < searched.call_count < MAX_TYPED_CHARS


@pytest.mark.parametrize("above", ["", "Hi Ben,\n\n"])
def test_a_move_above_very_long_words_is_played_and_their_beginning_passed_on(
    memory: MemoryHarness, above: str
) -> None:
    memory.begin()
    memory.deliver(mail(memory, f"{above}ps a1\n\n{page(SIZE)}"))
    assert turns(memory) == ["ps a1"]
    assert "It is a fine day" in said(memory.last(BEN))


def test_a_move_that_is_cut_off_is_not_played(memory: MemoryHarness) -> None:
    memory.begin()
    words = page(MAX_TYPED_CHARS)
    words += "x" * (MAX_TYPED_CHARS - len(words) - 6)
    memory.deliver(mail(memory, f"{words}\nps a1 t\n"))
    assert turns(memory) == []


async def test_a_costly_mail_leaves_time_for_what_arrives(harness: Harness) -> None:
    async def count(costly: timedelta, first: int) -> int:
        loops = 0

        async def other() -> None:
            nonlocal loops
            while True:
                await asyncio.sleep(0)
                loops += 1

        worker = MailWorker(harness.store, Causes(harness.services, harness.time_source))
        for number in range(first, first + 5):
            worker.keep_one(f"From: s{number}@example.net\nTo: tak@example.org\n\nhelp".encode())
        task = asyncio.create_task(other())
        with patch.object(mail_worker, "COSTLY", costly):
            assert await worker.work_in_turns() == 5
        task.cancel()
        return loops

    assert await count(timedelta(0), 0) > 5 * await count(timedelta(hours=1), 5)
