"""Give lessons: what is learnt, the board to touch, and what a turn does there."""

from collections.abc import Mapping

from takmail.blocks import (
    Blocks,
    Button,
    Code,
    Columns,
    Drawing,
    Rule,
    SmallButtons,
    SmallLinks,
    buttons,
    message,
    only_html,
    only_text,
    paragraph,
)
from takmail.commands.lessons import KEYWORD, ShownLesson
from takmail.games.thinking import Lesson, LessonAnswer
from takmail.letters.parts.terms import who_may_begin
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
    """Say what a turn did in the lesson `asked`, and give the next lesson, or the same one again."""
    wording, keyword = reader.wording_of(kind), keyword_in(reader.language, KEYWORD)
    said = () if answer is None else paragraph(*wording.lesson_answer(asked, answer))
    if lesson is None:
        return (*said, *_end(reader, keyword))
    is_first = lesson.number == 1 and answer is None
    begins = message("lessons_begin", game=wording.name, count=count) if is_first else None
    return (*said, *paragraph(begins), *_given(reader, ShownLesson(kind, lesson, count, keyword)))


def _given(reader: Reader, shown: ShownLesson) -> Blocks:
    """Give a lesson: what there is to learn, and the board."""
    lesson, wording = shown.lesson, reader.wording_of(shown.game)
    title = message(
        "lesson_heading", number=lesson.number, count=shown.count, title=wording.lesson_title(lesson)
    )
    # An answer to a letter about a game is played there.
    line = "" if reader.view is None else shown.line(next(iter(lesson.touches.values())))
    rows = Code((*lesson.state.board(), *wording.columns(lesson.state.facts())))
    return (
        *paragraph(title),
        only_text(paragraph(*wording.lesson(lesson))),
        only_html(paragraph(*wording.lesson(lesson), *wording.lesson_touch(lesson))),
        Drawing("lesson", shown),
        *_choices(shown),
        only_text((rows, *paragraph(*wording.orientation, *wording.legend(shown.you)))),
        only_text(paragraph(message("type_in_lesson", line=line), *wording.lesson_how(lesson))),
        *_below(shown),
    )


def _choices(shown: ShownLesson) -> Blocks:
    """Return buttons for what can be placed on the only square to touch, so that there is something to choose."""
    places = tuple(shown.lesson.touches)
    if len(places) > 1:
        return ()
    turns = (turn for group in shown.lesson.state.choices_at(places[0]) for turn in group.turns)
    return (SmallButtons(tuple(Button(turn.name, shown.line(turn.typed)) for turn in turns)),)


def _below(shown: ShownLesson) -> Blocks:
    """Say how to go on without this lesson, and how somebody else gets it."""
    number = shown.lesson.number
    later = f"{shown.keyword} {number + 1}"
    has_more = number < shown.count
    links = SmallLinks(
        (
            *((Button(message("label_next_lesson"), later),) if has_more else ()),
            Button(message("label_rules"), "rules"),
            Button(message("label_help"), "help"),
        )
    )
    return (
        Rule(),
        links,
        only_text(paragraph(message("skip_lesson", line=later))) if has_more else only_text(()),
        only_html(paragraph(message("forward_lesson"))),
        only_text(paragraph(message("somebody_else_learns", line=shown.keyword))),
    )


def _end(reader: Reader, keyword: str) -> Blocks:
    """Say what to play after the last lesson."""
    limit = who_may_begin(reader)
    if limit is not None:
        return paragraph(message("lessons_are_done"), limit)
    seek, first = reader.wording.seek_example, f"{keyword} 1"
    return (
        *paragraph(message("lessons_are_done")),
        only_text((Columns(((message("to_let_anybody_join"), seek), (message("to_learn_again"), first))),)),
        buttons((message("label_seek"), seek), (message("label_learn_again"), first)),
    )


BUILDERS: Mapping[str, Builder] = {"lesson": _lesson}
"""The builder of the answer to `learn`."""
