"""Each line of a mail stands in one place: done, asked about or refused, passed on, or kept."""

from pathlib import Path
from unicodedata import normalize

import pytest

from takmail.commands.answers import ChatStatus, Said
from takmail.commands.grammar.normalize import command_form, without_manners
from takmail.pipeline.process import Trace
from takmail.vocabulary import table, words_of
from takmail.world import events
from tests.support.phrases import GIVEN, MAILS, MORE, Phrase, phrases, scene
from tests.support.width import some_of

IN_GAME = ("turn", "wait", "offer")
NAMES = ("Ada", "Ben")


def trace_of(phrase: Phrase) -> Trace:
    before = scene(phrase.context)
    harness = before.harness.scene()
    arrived = harness.arrive(harness.mail(before.writer, phrase.text, before.answered).as_bytes())
    return harness.traced(arrived)[1][-1]


def squeezed(text: str) -> str:
    """Return the letters and digits of a text. Full-width ones are those of other widths."""
    return "".join(filter(str.isalnum, normalize("NFKC", text).lower()))


def faults(phrase: Phrase) -> list[str]:
    """Return the lines of a mail that stand nowhere, or in two places, with where."""
    trace = trace_of(phrase)
    assert trace.interpreted is not None
    assert trace.result is not None
    reports, chat = trace.result.reports, trace.result.chat
    words = squeezed(chat.text) if chat.status is not ChatStatus.NONE else ""
    is_told = chat.status not in (ChatStatus.NONE, ChatStatus.SENT, ChatStatus.WAIT, ChatStatus.KEPT)
    typed = trace.interpreted.typed.splitlines()
    mail = squeezed(phrase.text)
    # The question about an account has the line, and so has a report in words that the mail has not.
    is_told |= any(isinstance(event, events.ConfirmationAsked) for event in trace.result.happened)
    is_told |= any(squeezed(one.line) not in mail for one in reports)
    found = []
    for line in typed:
        sought = squeezed(command_form(line))
        if table("closings").matches(words_of(line)):
            break  # A signature tells the other player nothing.
        if not sought or not without_manners(line, NAMES):
            continue
        in_reports = [one for one in reports if sought in squeezed(one.line) or squeezed(one.line) in sought]
        is_undone = any(isinstance(one.answer, Said) and sought in squeezed(one.line) for one in in_reports)
        in_words = sought in words
        if in_words and is_undone:
            found.append(f"passed on and not done: {line!r}")
        if not (in_words or in_reports or is_told):
            found.append(f"nowhere: {line!r}")
    return found


@pytest.mark.parametrize("file", [GIVEN, MORE, MAILS], ids=lambda file: file.stem)
def test_each_line_stands_in_one_place(file: Path) -> None:
    mails = [one for one in phrases(file) if one.context in IN_GAME]
    assert {one.text: found for one in some_of(mails, 12) if (found := faults(one))} == {}
