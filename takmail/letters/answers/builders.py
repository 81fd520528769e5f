"""Explain commands and rules, and give lessons.

`BUILDERS` has the answers that are more than one message, by their reason.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from takmail.blocks import (
    Blocks,
    Button,
    Code,
    Columns,
    Drawing,
    Items,
    Message,
    Page,
    Rule,
    SmallButtons,
    SmallLinks,
    Text,
    message,
    only_html,
    only_text,
    paragraph,
)
from takmail.commands.after_lessons import AGAIN, FIRST, KEYWORD, NEXT, PLAYS, SEEKS, ways_on
from takmail.commands.answers import Said
from takmail.commands.command_list import COMMANDS
from takmail.commands.grammar.spoken import TO_TEACHERS
from takmail.commands.lessons import DONE, SOLUTION, STOPPED
from takmail.games.teaching import (
    GREETED,
    HELPED,
    UNREAD,
    Lesson,
    LessonAnswer,
    LessonMark,
    ShownAnswer,
    ShownLesson,
)
from takmail.games.wording import Wording
from takmail.letters.answers import advance, clubs, doubts, game, lists, ratings, sender
from takmail.letters.passages.terms import who_may_begin
from takmail.letters.passages.words import lines_to_go_on, lines_with_summaries
from takmail.letters.reader import Builder, Reader
from takmail.vocabulary import word_in
from takmail.vocabulary.taught import in_language

_OUTSIDE_GAMES = ("seeks", "accept", "learn", "rules", "games", "language", "stop")
"""The commands that `help` names otherwise, below how a game begins."""


def all_commands(reader: Reader, kind: str, *, is_whole: bool = True) -> Blocks:
    """Tell how to begin, and list all commands. `kind` is the game in whose words it is told, '' for the usual one.

    Unless all commands are asked for (`is_whole`), name about ten that are likely to help.
    """
    wording = reader.wording_of(kind or reader.kind)
    begins = paragraph(message("how_to_begin", example=wording.example))
    if not (kind or is_whole):
        if reader.view is not None and reader.view.is_open:
            return lines_to_go_on(reader)
        rows = lines_with_summaries(_OUTSIDE_GAMES)
        return *begins, *paragraph(who_may_begin(reader)), Columns(rows)
    return (
        *begins,
        *paragraph(who_may_begin(reader)),
        *paragraph(message("how_a_game_goes")),
        *_games(reader),
        *paragraph(message("lines_to_write")),
        Columns((*_rows(), *wording.more_help)),
    )


def _games(reader: Reader) -> Blocks:
    """List the games if there are several."""
    games = reader.lobby.games.by_name
    if len(games) == 1:
        return ()
    entries = tuple(
        (message("game_to_play", name=reader.wording_of(kind).name, kind=kind),) for kind in games
    )
    return *paragraph(message("games_to_play")), Items(entries)


def _rows() -> Iterator[tuple[Text, Text]]:
    """Yield the commands, each with what it does, without other keywords for the same."""
    yield message("a_move"), message("summary_move")
    yield message("a_board"), message("summary_board")
    for word, forms in COMMANDS.words.items():
        keywords = tuple(dict.fromkeys(keyword for keyword, _ in forms))
        if forms[0][1].keyword.startswith(word):
            yield keywords[0] if len(keywords) == 1 else word, Message(f"summary_{word}")
    yield "quit", message("summary_quit")


def rules(reader: Reader, kind: str) -> Blocks:
    """Explain the rules of a game in short, or those of the reader's game if `kind` is ''."""
    asked, view = kind or reader.kind, reader.view
    lessons = message("lessons_teach_it") if reader.lobby.games.teacher(asked) else None
    return (
        *reader.wording_of(asked).rules(
            None if view is None or view.game.record.kind != asked else view.shown.facts
        ),
        *paragraph(lessons),
    )


def help_page(reader: Reader, topic: str, page: str, summary: str, kind: str) -> Blocks:
    """Return a help page: the summary of a command, and the page about it, each of which may be missing ('').

    `topic` is the command's keyword or another topic, and `kind` the game in whose words it is explained.
    """
    return (
        *(paragraph(Message(summary)) if summary else ()),
        *((Page(Message(page, _parameters(reader, kind, page))),) if page else ()),
        *_word_of_language(reader.language, topic),
    )


def _word_of_language(language: str, topic: str) -> Blocks:
    """Name the word of the reader's language for a command, if it has one."""
    has_word = in_language(topic, language) != topic
    return paragraph(message("word_of_your_language", line=topic)) if has_word else ()


def _parameters(reader: Reader, kind: str, page: str) -> dict[str, object]:
    """Return the parameters of a help page, which are lines to type."""
    if page != "help_propose":
        return {}
    wording = reader.wording_of(kind)
    return {"proposal": wording.proposal, "whose": wording.whose}


def _lesson(
    reader: Reader,
    *,
    kind: str,
    lesson: Lesson | None,
    count: int,
    asked: Lesson,
    answer: LessonAnswer | None,
    solution: LessonAnswer | None,
    mark: LessonMark,
) -> Blocks:
    """Say what a turn did in the lesson `asked`, and give the `lesson` that follows.

    Its `solution` is shown to who has failed twice. `mark` says how far the reader is in the one that follows.
    """
    wording, keyword = reader.wording_of(kind), word_in(reader.language, "keywords", KEYWORD)
    if mark.is_ended and not (answer is None or answer.is_solved or solution):
        below = paragraph(message("lessons_left_for_good")) if answer.name == STOPPED else ()
        return (*_end(reader, kind, mark.number, _left(answer)), *below)
    said = () if answer is None else _answer_in_lesson(wording, kind, asked, answer, solution)
    if solution is not None:
        again = f"{keyword} {asked.number}"
        said += (
            only_text(paragraph(message("lesson_again", line=again))),
            SmallLinks((Button(message("label_lesson_again"), again),)),
        )
    if lesson is None:
        return (*said, *_end(reader, kind, mark.number, message("lessons_are_done")))
    # An answer to a letter about a game is played there.
    shown = ShownLesson(kind, lesson, count, keyword, is_answered=reader.view is None, mark=mark)
    is_first = lesson.number == 1 and answer is None
    begins = message("lessons_begin", game=wording.name, count=count) if is_first else None
    later = f"{keyword} {lesson.number + 1}" if lesson.number < count else ""
    return (*said, *paragraph(begins), *wording.lesson(shown), Rule(), *_below(reader, shown, later))


def _answer_in_lesson(
    wording: Wording, kind: str, asked: Lesson, answer: LessonAnswer, solution: LessonAnswer | None
) -> Blocks:
    """Say what a turn did in a lesson with the board after it, and what solves the lesson if that is to be shown."""

    def board(answer: LessonAnswer) -> Blocks:
        state = answer.state
        if state is None:
            return ()
        rows = (*state.board(), *wording.columns(state.facts()))
        return Drawing("lesson answer", ShownAnswer(kind, asked, answer)), only_text((Code(rows),))

    if solution is not None:
        is_tried = answer.turn is not None or "reason" in answer.facts
        return (
            *(paragraph(*wording.lesson_answer(asked, answer)) if is_tried else ()),
            *board(answer),
            *paragraph(message("lesson_shown"), *wording.lesson_answer(asked, solution)),
            *board(solution),
        )
    before = message("lesson_right") if answer.is_solved else None
    after = message("lesson_try") if answer.has_failed else None
    if answer.name in (HELPED, UNREAD):
        after = message("lesson_more_help")
    return (*paragraph(before, *wording.lesson_answer(asked, answer), after), *board(answer))


def _below(reader: Reader, shown: ShownLesson, later: str) -> Blocks:
    """Say how to go on without solving a lesson, and how somebody else gets it.

    The line `later` gives the next lesson, '' if there is none. In an answer to the letter, words are enough.
    """
    answer, following = (word_in(reader.language, TO_TEACHERS, asks) for asks in (SOLUTION, NEXT))
    shows = shown.line(answer)
    links = [Button(message("label_lesson_answer"), shows), Button(message("label_rules"), "rules")]
    if later:
        links.insert(1, Button(message("label_next_lesson"), later))
    if shown.is_answered:
        shows, later = answer, following if later else ""
    return (
        SmallLinks(tuple(links)),
        only_html(paragraph(message("forward_lesson"))),
        only_text(paragraph(message("skip_lesson", line=later, answer=shows))),
        only_text(paragraph(message("somebody_else_learns", line=shown.keyword))),
    )


_WAYS = {
    PLAYS: message("label_first_game"),
    SEEKS: message("label_seek"),
    AGAIN: message("label_lesson_again"),
    NEXT: message("label_next_lesson"),
    FIRST: message("label_learn_again"),
}
"""What the lines are called that a letter offers which ends the lessons, by what is said for them."""


def _left(answer: LessonAnswer) -> Message:
    """Answer what is said by which the lessons end, or behind their end."""
    if answer.name == GREETED:
        return message("courtesy_behind_lessons", kind=answer.facts["kind"])
    said = {STOPPED: "stop", DONE: "stop", PLAYS: "game", SEEKS: "game"}
    return message("lessons_left", said=said.get(answer.name, "else"))


def _end(reader: Reader, kind: str, number: int, said: Message) -> Blocks:
    """Say what to play after the lessons, which go on with the lesson of this number."""
    limit = who_may_begin(reader)
    if limit is not None:
        return paragraph(said, limit)
    lobby = reader.lobby
    ways = ways_on(lobby.games, lobby.bots, kind, reader.language, number)
    rows = tuple((_WAYS[said], line) for said, line in ways.items())
    return (
        *paragraph(said),
        only_text((Columns(rows),)),
        SmallButtons(tuple(Button(label, line) for label, line in rows)),
    )


def _doubt(reader: Reader, *, refusal: Said | None = None, explained: Said | None, **facts: Any) -> Blocks:
    """Answer a line that is probably an order.

    `refusal` is the answer to the line that it means if that can't be done, and `explained` the help page about it.
    """
    if refusal is None:
        help_page = () if explained is None else answer_blocks(reader, explained)
        why: Blocks = (*paragraph(*doubts.why_not_done(reader, **facts)), *help_page)
    else:
        why = answer_blocks(reader, refusal)
    return (*why, *doubts.what_may_be_meant(reader, **facts))


BUILDERS: Mapping[str, Builder] = {
    **advance.BUILDERS,
    **game.BUILDERS,
    **lists.BUILDERS,
    **clubs.BUILDERS,
    **ratings.BUILDERS,
    **sender.BUILDERS,
    "help": help_page,
    "help_all": all_commands,
    "rules": rules,
    "lesson": _lesson,
    "doubt": _doubt,
}
"""The builder of each answer that is more than one message, by its reason."""


def answer_blocks(reader: Reader, answer: Said) -> Blocks:
    """Return the blocks of an answer. If it has no builder, its reason is the name of its only message."""
    builder = BUILDERS.get(answer.reason)
    if builder is None:
        return paragraph(Message(answer.reason, answer.facts))
    return builder(reader, **answer.facts)
