"""Kinds of mails that are made to be costly to read, and people who write them.

Each kind has as many characters of one kind of line as are read.
"""

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from cProfile import Profile
from functools import _lru_cache_wrapper, partial
from itertools import count, cycle, product
from unittest.mock import patch

from takmail.commands.command_list import COMMANDS
from takmail.limits.words import MAX_TYPED_CHARS
from takmail.pipeline import process
from takmail.pipeline.interpret import Interpreted, interpret
from tests.support.memory_harness import MemoryHarness
from tests.support.players import ADA, BEN

SQUARES = [f"{column}{row}" for column in "abcde" for row in "12345"]
WORDS = re.findall(
    r"\w+",
    "apple river stone window garden bottle silver paper mountain sleepy yellow travel kitchen engine summer doctor",
)
CHINESE = "我们昨天去了公园看花今天下雨不能出门明天也许会晴"
RUSSIAN = ["вчера", "сегодня", "дорога", "машина", "берег", "книга", "окно", "солнце", "погода", "хлеб"]


def _words(words: list[str], length: int = 3) -> Iterator[str]:
    """Yield lines of several words, no two of which are equal for a long time."""
    for number in count():
        yield " ".join(words[(number * 7 + place * (number + 3)) % len(words)] for place in range(length))


def _numbered(*forms: str) -> Iterator[str]:
    """Yield these lines in turn, each with a number in place of `{n}`, and a square in place of `{s}` and `{e}`."""
    squares = cycle(product(SQUARES, SQUARES[::-1]))
    for number, form in zip(count(), cycle(forms)):
        start, end = next(squares)
        yield form.format(n=number, s=start, e=end, w=WORDS[number % len(WORDS)])


KINDS: dict[str, Callable[[], Iterator[str]]] = {
    **{f"keyword {word}": partial(_numbered, word) for word in sorted(COMMANDS.words)},
    **{f"keyword {word} 7": partial(_numbered, f"{word} {{n}}") for word in sorted(COMMANDS.words)},
    "chinese name": lambda: _numbered("名字 阿{n}"),
    "chinese keyword": lambda: _numbered("认输{n}", "提和 {n}", "帮助 {n}"),
    "chinese words": lambda: (CHINESE[n % 20 : n % 20 + 3] + str(n) for n in count()),
    "chinese known words": lambda: _numbered("我 走 {n}", "好的收到{n}", "放 {s}"),
    "chinese run": lambda: (("我走好的收到放墙" * 8)[n % 8 : 55 + n % 8] for n in count()),
    "russian words": lambda: _words(RUSSIAN),
    "russian known words": lambda: _numbered("хожу на {s}", "ну ладно {n}", "ставлю стену {s}"),
    "look-alikes": lambda: _numbered("rеsign {n}", "рs {s}", "ассерt"),
    "name 7": lambda: _numbered("name {n}"),
    "greetings": lambda: _numbered("hello friend {n}", "hi Ben", "good morning"),
    "greetings and commas": lambda: _numbered("hi, hello, hey, {n}"),
    "random words": lambda: _words(WORDS),
    "one random word": lambda: _numbered("{w}{n}", "{w}"),
    "known words": lambda: _numbered("the {n}", "can you show me the board {n}", "i would like to play"),
    "small words": lambda: _numbered("i", "to", "the"),
    "two characters": lambda: _numbered("ab", "a1", "ps", "1", "x"),
    "one character": lambda: _numbered("a", "7", "我"),
    "near keywords": lambda: _numbered("helpp {n}", "resgin {n}", "shwo", "undoo", "acept"),
    "digits": lambda: _numbered("{n}", "{n} {n}", "1 2 3"),
    "squares": lambda: _numbered("{s}"),
    "two squares": lambda: _numbered("{s} {e}"),
    "many squares": lambda: _numbered("{s} {e} " * 6),
    "flat and a square": lambda: _numbered("flat {s}", "wall on {s}", "{s} to {e}"),
    "moves": lambda: _numbered("ps {s}"),
    "moves with numbers": lambda: _numbered("ms {s} p2 1 1", "me {s} p1 1"),
    "moves with commas": lambda: _numbered("ps {s}, nice game {n}"),
    "moves in words": lambda: _numbered("i think ps {s} now"),
    "moves in a line": lambda: _numbered("ps {s} ps {e} " * 4),
    "moves with bare numbers": lambda: _numbered("ms {s} 2 1"),
    "near moves": lambda: _numbered("pz {s}", "p {s}", "m {s}", "ps{s}", "mq {s} 2"),
    "half moves": lambda: _numbered("ps", "ms a", "pw 3", "me"),
    "half moves and words": lambda: _numbered("ps {w}", "me {w} {n}", "m {w}"),
    "moves off the board": lambda: _numbered("ps h{n}", "ms z9 p1 1"),
    "labelled": lambda: _numbered("move: {s}", "{w}: {n}", "You wrote: resign"),
    "tzaar placings": lambda: _numbered("pz {s}", "pr {s}", "pt {s}"),
    "tzaar captures": lambda: _numbered("c {s} {e}"),
    "tzaar turns": lambda: _numbered("c {s} {e} s {e} {s}"),
    "tzaar near": lambda: _numbered("captre {s} {e}", "stak {s} {e}", "pas"),
    "tzaar spots": lambda: _numbered("{s}-{e}", "{s}x{e}", "{s} {e} {s}"),
    "boards": lambda: _numbered("0 s S 0 0", "Ss 0 0 w 0", "0 0 C 0 S", "0 0 0 0 0", "s s 0 0 0", ""),
    "rows of a board": lambda: _numbered("0 s S {n}", "Ss 0 0 w 0"),
    "rows without spaces": lambda: _numbered("0sS00", "sS0w0"),
    "tps": lambda: _numbered("x5/x2,1,2,x/x5/x,12,x3/x5 1 {n}"),
    "ptn": lambda: _numbered("{n}. {s} {e}", "{n}. 3{s}-21 C{e}"),
    "ptn plies": lambda: _numbered("ptn {s}", "ptn 3{s}-21", "C{s}", "{s}>"),
    "tags": lambda: _numbered('[Size "5"]', '[Player1 "{w}"]'),
    "rs and boards": lambda: _numbered(
        "rs", "0 s S 0 0", "Ss 0 0 w 0", "0 0 C 0 S", "0 0 0 0 0", "s s 0 0 0"
    ),
    "propose board": lambda: _numbered("propose board", "white to move", "Ben to move"),
    "propose back": lambda: _numbered("propose back {n}", "propose restart"),
    "disputes": lambda: _numbered("im #{n} because {w}", "im{n}"),
    "im and lines": lambda: _numbered("/im #{n}", "because of {w}"),
    "game numbers": lambda: _numbered("#{n} draw"),
    "game numbers and words": lambda: _numbered("#{n} {w}", "#1 ps {s}"),
    "bids": lambda: _numbered("bid {n}", "my bid is {n}", "{n} coins"),
    "bid beside": lambda: _numbered("new 5 with bid {n}", "accept bid={n}"),
    "dates": lambda: _numbered("away until 5 December {n}", "away 12.{n}.", "until next monday"),
    "zones": lambda: _numbered("zone {w}", "zone europe/{w}", "zone {n}"),
    "times": lambda: _numbered("time={n}d+12h", "days={n}", "gift {n}d"),
    "languages": lambda: _numbered("language {w}", "language zh", "view html"),
    "help topics": lambda: _numbered("help {w}", "help moves", "rules {w}"),
    "addresses": lambda: _numbered("u{n}@example.org", "new game with u{n}@example.org"),
    "invitations": lambda: _numbered("new {n} vs u{n}@example.org", "new 5 vs Ben", "seek {n}"),
    "answers": lambda: _numbered("yes", "no", "ok {n}", "sure"),
    "answers in a line": lambda: _numbered("yes, no, ok, sure, {n}"),
    "no, wait": lambda: _numbered("no, wait {n}", "rather {s}", "not {s}"),
    "what turns a move over": lambda: _numbered("ps {s}", "no wait", "undo that"),
    "leaving": lambda: _numbered("unsubscribe {n}", "stop emailing me", "remove me {w}"),
    "questions": lambda: _numbered("can i move {s}?", "what is {w}?", "draw?", "why {n}?"),
    "smileys": lambda: _numbered(":-) {n}", ":D {w} :P", "xD"),
    "emojis": lambda: _numbered("👍", "🎉🎉 {n}", "👍🏽 {w} 🙏"),
    "combining": lambda: _numbered("a\u0301e\u0301i\u0301 {n}"),
    "ligatures": lambda: _numbered("\ufdfa{n}"),
    "squares of letters": lambda: _numbered("\u3300{n}"),
    "full width": lambda: _numbered("ｐｓ ａ{n}", "ｄ４"),
    "zero width": lambda: _numbered("p\u200bs {s}\u200b", "{w}\u200b"),
    "commas": lambda: _numbered(",,,, {n}", ", {w}, {w}, {w}"),
    "full stops": lambda: _numbered("... {n}", "{w}. {w}. {w}."),
    "semicolons": lambda: _numbered("{w}; {n}; {w}", "ps {s}; {w}"),
    "colons": lambda: _numbered("{w}: {w}: {n}"),
    "exclamation marks": lambda: _numbered("{w}! {w}! {n}!", "Stop! {w}"),
    "dashes": lambda: _numbered("{w} - {w} – {n}", "- {s}", "— {w}"),
    "brackets": lambda: _numbered("({w}) ({n})", "ps {s} ({w}"),
    "quotation marks": lambda: _numbered('"{w}" {n}', "'ps {s}'", "«{w}»"),
    "emphasis": lambda: _numbered("*{w}* {n}", "**ps {s}**", "_{w}_"),
    "slashes": lambda: _numbered("/{w} {n}", "/name {n}", "/say {w}"),
    "names": lambda: _numbered("Ada", "Ben {n}", "Ada, Ben"),
    "names and moves": lambda: _numbered("Ben, ps {s}", "Ada: {s}"),
    "polite": lambda: _numbered("please {w} thanks", "thank you {n}", "please please please"),
    "only polite": lambda: (" ".join(["please", "thanks"] * (3 + n % 9)) for n in count()),
    "resign and words": lambda: _numbered("resign, you win {n}", "Resign. You win.", "i give up {w}"),
    "equals": lambda: _numbered("{w}={n}", "first=me", "name={w}"),
    "data": lambda: _numbered('"{w}": "{n}",', '  "name": {n}'),
    "cells": lambda: _numbered("{s}: S {e}: s", "{s}: Ss"),
    "headings": lambda: _numbered("Keep one line and delete the others: ps {s}"),
    "one long line": lambda: _numbered("{w} " * 1_400),
    "one long line of squares": lambda: _numbered("a1 " * 3_000),
    "long lines of moves": lambda: _numbered("ps a1 " * 1_400),
    "lines of 400": lambda: _numbered("{w} ps {s}, " * 25),
    "lines of 390 known": lambda: _numbered("{s} to the " * 32),
    "lines of 390 marks": lambda: _numbered(".,;:!-( " * 48),
    "lines of 390 polite": lambda: _numbered("please " * 55),
    "lines of 390 chinese": lambda: (("好的我走" * 14 + f"{n} ") * 6 for n in count()),
    "letters": lambda: _numbered("t t t t t t t", "a b c d e {n}"),
    "japanese run": lambda: (
        ("今日は公園へ行きましたので返事が遅れます" * 20)[n % 20 : 380 + n % 20] for n in count()
    ),
    "thai run": lambda: (("วันนี้ฉันไปสวนสาธารณะกับเพื่อน" * 14)[n % 9 : 380 + n % 9] for n in count()),
    "nested brackets": lambda: _numbered("[(" * 40 + "{w} {n}" + ")]" * 40, "(" * 390),
    "percent-encoded": lambda: _numbered("%E6%88%91%20{n}" * 20, "=E6=88=91={n}" * 20),
    "commands of three languages": lambda: _numbered(
        "resign сдаюсь 认输 draw ничья 提和 {n} undo 帮助 помощь hint"
    ),
    "dates in a line": lambda: _numbered("away until 5 December, 6.12., 12月7日, до 8 декабря {n}, " * 6),
    "links": lambda: _numbered("https://example.org/{w}/{n}?a=b&c=%20{s}", "<https://example.org/{n}>"),
    "headings of games": lambda: _numbered("> #{n} · Ben · 5x5", "#{n} · Ada · 5x5", "ps {s}"),
    "quotes in quotes": lambda: _numbered(">>>> {w} {n}", "> > On Monday Ada wrote: {s}", ">{w}"),
    "one word": lambda: _numbered("{w}" * 60 + "{n}"),
    "conditions": lambda: _numbered("if {s} then {e}, если {s} то {e}, 如果{s}就{e}, " * 5),
    "conditions in English": lambda: _numbered(
        "if you play {s} then I take {e}, when you go {e} I reply {n}, " * 4
    ),
    "full width and words": lambda: _numbered("ｐｓ {s}， ｗａｌｌ on {e}！ ｎｏ， {w} ５{n}, " * 8),
    "emojis in words": lambda: _numbered("{w} 👍🏽 ps {s} 🏳️‍🌈 {n}️⃣ {e} 🙏 ", "👍🏽 {s}? 🙏🏾 {w}"),
    "quotes in a line": lambda: _numbered("> \"«{w} „ps {s}“ '{e}'» {n}\" " * 8, "»> | {w}: «{s}»"),
    "names of games": lambda: _numbered(
        "tak tzaar relay 5x5 {n}", "new tak, new tzaar", "TZAAR #{n} vs Ben, Tak #1 vs Ada"
    ),
    "cells of a table": lambda: _numbered(
        "| {s} | {e} | ps {s} | {n} | " * 9, "|---|---|---|", "{s}\t{e}\t{n}"
    ),
    "lines of three languages": lambda: _numbered(
        "сдаюсь {n}", "认输", "resign", "ничья?", "提和 {n}", "undo, ладно, 好的"
    ),
    "orders and chinese words": lambda: _numbered(
        "帮助 rs ptn games log 认输 {n}", "help", "rs", "帮助", "ptn"
    ),
}


def mail_of(lines: Iterator[str], size: int = MAX_TYPED_CHARS) -> str:
    """Return a mail of this many characters that consists of lines."""
    text = ""
    while len(text) < size:
        text += f"{next(lines)}\n"
    return text[:size]


MANY_GAMES = 29
OPENING = {"5": ("ps a1", "ps b2", "ps c3"), "5 relay": ("ps a1", "ps b2", "ps c3"), "tzaar": ()}
SITUATIONS = {
    "Tak": "5",
    "TZAAR": "tzaar",
    "relay": "5 relay",
    "no reply": "5",
    "many games": "5",
    "invited": "",
    "stranger": "",
}
ORDINARY = "ps d4\n\nGood luck with your exam!"


def forget() -> None:
    """Empty what keeps the results of its last calls, so that each mail is read as if it were the first.

    The statements of the store stay compiled, as they have nothing of a mail.
    """
    parts = ("takmail.", "takmail.store")
    ours = [
        module for name, module in sys.modules.items() if name.startswith(parts[0]) and parts[1] not in name
    ]
    for kept in (value for module in ours for value in vars(module).values()):
        if isinstance(kept, _lru_cache_wrapper) and kept.cache_parameters()["maxsize"] is not None:
            kept.cache_clear()


class _IsReadError(Exception):
    """A mail is read, and what comes of it is of no interest."""


class Situation:
    """Somebody who writes to takmail, and what of their mails is measured."""

    def __init__(self, name: str) -> None:
        self.harness = MemoryHarness()
        self.who, self.game = (f"Ada <{ADA}>", SITUATIONS[name])
        if name == "invited":
            self.who = f"Ben <{BEN}>"
            self.harness.send(f"Ada <{ADA}>", f"new 5 vs {BEN}")
        elif self.game:
            self.harness.begin(self.game)
            self.harness.play(*OPENING[self.game])
            self.who = f"Ben <{BEN}>" if OPENING[self.game] else self.who
        if name == "many games":
            for number in range(MANY_GAMES):
                self.harness.send(self.who, f"new 5 vs u{number}@example.org")
        self.answers = name not in ("no reply", "many games", "stranger")

    def mail(self, text: str) -> bytes:
        """Return a mail of this text."""
        letter = self.harness.last(self.who.partition("<")[2][:-1]) if self.answers else None
        return self.harness.mail(self.who, text, letter, quoting=False).as_bytes()

    def calls(self, text: str) -> int:
        """Return the number of function calls that it takes to read a mail, those of C included."""
        profile = Profile()

        def profiled(*arguments: object) -> Interpreted:
            profile.runcall(interpret, *arguments)  # type: ignore[arg-type]
            raise _IsReadError

        mail = self.harness.arrive(self.mail(text))
        forget()
        with patch.object(process, "interpret", profiled), suppress(_IsReadError):
            self.harness.decide(mail)
        return sum(one.callcount for one in profile.getstats())

    def all_calls(self, text: str) -> int:
        """Return the number of function calls that it takes to read and to answer a mail."""
        mail, profile = self.harness.arrive(self.mail(text)), Profile()
        forget()
        profile.runcall(self.harness.decide, mail)
        return sum(one.callcount for one in profile.getstats())
