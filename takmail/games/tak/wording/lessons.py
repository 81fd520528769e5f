"""Word the lessons in Tak."""

from takmail.blocks import Message, message
from takmail.games.interface import Effect, Reason
from takmail.games.tak.state import TakState
from takmail.games.tak.wording.effects import EffectWords
from takmail.games.tak.wording.reasons import ReasonWords
from takmail.games.tak.wording.sides import COLORS
from takmail.games.tak.wording.typing import how_move
from takmail.games.thinking import Lesson, LessonAnswer
from takmail.games.wording import Sentences


class LessonWords(EffectWords, ReasonWords):
    """The part of `TakWording` about lessons."""

    def lesson_title(self, lesson: Lesson) -> Message:
        """Name what a lesson is about."""
        return message("tak_lesson_title", lesson=lesson.name)

    def lesson(self, lesson: Lesson) -> Sentences:
        """Say what there is to learn, and what to play."""
        return (message("tak_lesson", lesson=lesson.name),)

    def lesson_touch(self, lesson: Lesson) -> Sentences:
        """Say what to touch."""
        return (message("tak_lesson_touch", lesson=lesson.name),)

    def lesson_how(self, lesson: Lesson) -> Sentences:
        """Explain how a piece is placed on a square, or how a stack is moved."""
        state, example = lesson.state, next(iter(lesson.touches.values()))
        assert isinstance(state, TakState)
        if example.startswith("m"):
            return (how_move(state, example),)
        square = example[3:]
        flat, wall = f"ps {square}", f"pw {square}"
        return (message("tak_how_place", flat=flat, wall=wall, capstone="", square=square.upper()),)

    def lesson_side(self, lesson: Lesson) -> Message:
        """Say which colour the reader has."""
        return message("tak_lesson_side", color=COLORS[lesson.state.to_move])

    def lesson_answer(self, lesson: Lesson, answer: LessonAnswer) -> Sentences:
        """Say what a turn does in a lesson, and why it is right or what is still to be done."""
        if answer.is_solved:
            turn = str(answer.turn).removesuffix(" t")
            return (message("tak_lesson_right", lesson=lesson.name, turn=turn),)
        reason, effect = answer.facts.get("reason"), answer.facts.get("effect")
        if isinstance(reason, Reason):
            return (message("tak_lesson_refused"), *self.reason(reason))
        if not isinstance(effect, Effect):
            return (message("tak_lesson_unread"),)
        done = self.offered(effect, lesson.state.to_move)
        return (*done, message("tak_lesson_wrong", lesson=lesson.name, how=answer.name))
