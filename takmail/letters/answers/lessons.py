"""Give lessons in a game, and say what a turn does in one."""

from collections.abc import Mapping

from takmail.blocks import (
    Blocks,
    Button,
    Columns,
    Rule,
    SmallButtons,
    SmallLinks,
    message,
    only_html,
    only_text,
    paragraph,
)
from takmail.commands.lessons import KEYWORD
from takmail.games.thinking import Lesson, LessonAnswer, ShownLesson
from takmail.games.wording import Wording
from takmail.letters.parts.terms import against_bot, who_may_begin
from takmail.letters.reader import Builder, Reader
from takmail.vocabulary import keyword_in


def _lesson(
    reader: Reader,
    *,
    kind: str,
    lesson: Lesson | None,
    count: int,
    asked: Lesson,
    answer: LessonAnswer | None,
) -> Blocks:
    """Say what a turn did in the lesson `asked`, and give the `lesson` that follows."""
    wording, keyword = reader.wording_of(kind), keyword_in(reader.language, KEYWORD)
    said = () if answer is None else paragraph(*wording.lesson_answer(asked, answer))
    if lesson is None:
        return (*said, *_end(reader, wording, f"{keyword} 1"))
    # An answer to a letter about a game is played there.
    shown = ShownLesson(kind, lesson, count, keyword, is_answered=reader.view is None)
    is_first = lesson.number == 1 and answer is None
    begins = message("lessons_begin", game=wording.name, count=count) if is_first else None
    later = f"{keyword} {lesson.number + 1}" if lesson.number < count else ""
    return (*said, *paragraph(begins), *wording.lesson(shown), Rule(), *_below(keyword, later))


def _below(keyword: str, later: str) -> Blocks:
    """Say how somebody else gets the lesson, and how to go on without it: by the line `later` if it is not the last."""
    skips = (Button(message("label_next_lesson"), later),) if later else ()
    return (
        SmallLinks((*skips, Button(message("label_rules"), "rules"))),
        only_html(paragraph(message("forward_lesson"))),
        only_text(paragraph(message("skip_lesson", line=later) if later else None)),
        only_text(paragraph(message("somebody_else_learns", line=keyword))),
    )


def _end(reader: Reader, wording: Wording, again: str) -> Blocks:
    """Say what to play after the last lesson. `again` is the line that begins the lessons again."""
    limit = who_may_begin(reader)
    if limit is not None:
        return paragraph(message("lessons_are_done"), limit)
    rows = (
        *(
            ((message("label_play_computer"), against_bot(reader, wording.bot_example)),)
            if reader.has_bots
            else ()
        ),
        (message("label_seek"), wording.seek_example),
        (message("label_learn_again"), again),
    )
    return (
        *paragraph(message("lessons_are_done")),
        only_text((Columns(rows),)),
        SmallButtons(tuple(Button(label, line) for label, line in rows)),
    )


BUILDERS: Mapping[str, Builder] = {"lesson": _lesson}
"""The builder of the answer to `learn`."""
