"""Word the lessons in Tak."""

from dataclasses import replace

from takmail.blocks import (
    Blocks,
    Button,
    Code,
    Drawing,
    Message,
    SmallButtons,
    message,
    only_html,
    only_text,
    paragraph,
)
from takmail.games.interface import Effect, Reason, Seat
from takmail.games.tak.state import TakState
from takmail.games.tak.wording.effects import EffectWords
from takmail.games.tak.wording.reasons import ReasonWords
from takmail.games.tak.wording.sides import COLORS, SideWords
from takmail.games.tak.wording.typing import how_move
from takmail.games.teaching import (
    ASKED,
    ASKED_TURN,
    EARLIER,
    EXPLAINED,
    GREETED,
    WHICH,
    Lesson,
    LessonAnswer,
    ShownLesson,
)
from takmail.games.wording import Sentences

_OF_A_GAME = ("colour", "number", "rules")
"""Topics that are told otherwise in a game than in a lesson."""


class LessonWords(SideWords, EffectWords, ReasonWords):
    """The part of `TakWording` about lessons."""

    def lesson(self, shown: ShownLesson) -> Blocks:
        """Give a lesson: what there is to learn, what to touch or to type, and the board."""
        lesson, state = shown.lesson, shown.lesson.state
        title = message("tak_lesson_title", lesson=lesson.name)
        taught = message("tak_lesson", lesson=lesson.name)
        example = next(iter(lesson.touches.values()))
        typed = message("type_in_lesson", line="" if shown.is_answered else shown.line(example))
        return (
            *paragraph(message("lesson_heading", number=lesson.number, count=shown.count, title=title)),
            only_html(paragraph(taught, message("tak_lesson_touch", lesson=lesson.name))),
            Drawing("lesson", shown),
            only_html(_choices(shown)),
            only_text(paragraph(taught)),
            only_text((Code((*state.board(), *self.columns(state.facts()))),)),
            only_text(paragraph(*self.orientation, *self.legend(shown.you))),
            only_text(paragraph(typed, _how(state, example))),
        )

    def lesson_side(self, lesson: Lesson) -> Message:
        """Say which colour the reader has."""
        return message("tak_lesson_side", color=COLORS[lesson.state.to_move])

    def explained(self, topic: str, you: Seat | None) -> Sentences:
        """Explain a thing of Tak in a sentence or three."""
        if you is not None and topic in _OF_A_GAME:
            return (message("tak_explained_in_game", topic=topic, color=COLORS[you]),)
        return (message("tak_explained", topic=topic),)

    def lesson_answer(self, lesson: Lesson, answer: LessonAnswer) -> Sentences:
        """Say what a turn does in a lesson, and why it is right or wrong."""
        if answer.name == ASKED_TURN:
            return (message("tak_lesson_turn"),)
        if answer.name == ASKED:
            return (message("lesson_asked"), message("tak_lesson_clue", lesson=lesson.name))
        if answer.name == EARLIER:
            return (message("lesson_earlier", number=lesson.number - 1),)
        if answer.name == WHICH:
            return (message("tak_lesson_which", places=answer.facts["places"]),)
        if answer.name == GREETED:
            return (message("lesson_courtesy", kind=answer.facts["kind"]),)
        if answer.name == EXPLAINED:
            return (message("tak_explained", topic=answer.facts["topic"]),)
        reason, effect = answer.facts.get("reason"), answer.facts.get("effect")
        topic = answer.facts.get("topic")
        beside = () if topic is None else (message("tak_explained", topic=topic),)
        if isinstance(reason, Reason):
            return (message("tak_lesson_refused"), *self.reason(reason), *beside)
        if not isinstance(effect, Effect):
            return (message("tak_lesson_clue", lesson=lesson.name),)
        # Nobody plays Black, so that there is no name to say whose wall it is.
        nameless = replace(effect, facts={**effect.facts, "wall": None})
        done = self.offered(nameless, lesson.state.to_move)
        if answer.is_solved:
            # Whoever has called tak knows how.
            turn = "" if str(answer.turn).endswith(" t") else str(answer.turn)
            return (*done, message("tak_lesson_why", lesson=lesson.name, turn=turn), *beside)
        return (*done, message("tak_lesson_wrong", lesson=lesson.name, how=answer.name), *beside)


def _choices(shown: ShownLesson) -> Blocks:
    """Return buttons for what can be placed on the only square to touch, so that there is something to choose."""
    places = tuple(shown.lesson.touches)
    if len(places) > 1:
        return ()
    turns = (turn for group in shown.lesson.state.choices_at(places[0]) for turn in group.turns)
    return (SmallButtons(tuple(Button(turn.name, shown.line(turn.typed)) for turn in turns)),)


def _how(state: object, example: str) -> Message:
    """Say how a stack is moved, or how a piece is placed, by an example that can be played."""
    assert isinstance(state, TakState)
    if example.startswith("m"):
        return how_move(state, example)
    square = example[3:]
    flat, wall = f"ps {square}", f"pw {square}"
    return message("tak_how_place", flat=flat, wall=wall, capstone="", square=square.upper())
