"""Make the answers to mails: the usual one, the receipt for a move, the board that was asked for, and that of words."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

from takmail.blocks import Blocks, Lines, Small, message, only_text, paragraph
from takmail.commands.answers import ChatStatus, Reported, Said
from takmail.commands.lessons import lesson_in
from takmail.letters.news.rows import answer_to
from takmail.letters.parts.below import below, next_steps
from takmail.letters.parts.clocks import opponent_is_away, time_until
from takmail.letters.parts.ending import coins, match_sentences, outcome, play_again, record, score
from takmail.letters.parts.offers import proposed_boards
from takmail.letters.parts.terms import what_this_is
from takmail.letters.parts.turns import board, board_in_text, move_played, way_back
from takmail.letters.parts.words import (
    MailWords,
    address_was_read,
    last_answer,
    only_answers,
    opponents_words,
    unread,
    words_told,
)
from takmail.letters.reader import Reader
from takmail.letters.shown_parts import ShownParts
from takmail.mail.message import UnreadableReason
from takmail.world import Standing


@dataclass(frozen=True, slots=True)
class MailAnswer:
    """What the answer to a mail tells.

    * `reports` are the answers to the lines of the mail, and `words` are its words to the opponent
    * `shown` are the parts of the game that it shows
    * `unreadable` tells why nothing of the mail was read, None if it was
    * `host_address` is the address of the game's host if the reader may know it
    * `wants_no_mail`: the reader gets nothing but answers
    * `last_for` is as in `Correspondent`
    * `offers_language` is the line that offers letters in the language of the mail, '' if it offers none
    """

    reports: Sequence[Reported]
    words: MailWords
    shown: ShownParts
    unreadable: UnreadableReason | None = None
    host_address: str | None = None
    wants_no_mail: bool = False
    last_for: str = ""
    offers_language: str = ""

    def heard_by(self, reader: Reader) -> Reader:
        """Return the reader of the answer."""
        return replace(reader, words_wait=self.words.must_wait, move_lists=self.shown.move_lists)

    @property
    def asks_what_is_meant(self) -> bool:
        """Whether a line is answered by the lines that it may mean."""
        said = (one.answer for one in self.reports if isinstance(one.answer, Said))
        return any("offers" in answer.facts for answer in said)


def answer(reader: Reader, told: MailAnswer) -> Blocks:
    """Answer a mail about a game."""
    reader, seen = told.heard_by(reader), reader.game
    is_new = seen.standing is Standing.INVITED and seen.is_guest
    is_unsure = told.words.status is ChatStatus.WAIT or told.asks_what_is_meant
    return (
        *(paragraph(*outcome(reader)) if reader.has_ended else ()),
        *_told(reader, told),
        *(what_this_is(reader, told.host_address) if is_new and is_unsure else ()),
        *address_was_read(reader),
        *opponents_words(reader),
        *_game(reader, told.shown),
        *_end(told),
    )


def answer_outside(reader: Reader, told: MailAnswer) -> Blocks:
    """Answer a mail that is about no game."""
    return (*_told(told.heard_by(reader), told), *_end(told))


def of_words(reader: Reader, told: MailAnswer) -> Blocks:
    """Answer a mail that was only words, without a board."""
    reader = told.heard_by(reader)
    answers = (answer_to(reader, line.answer) for line in told.reports)
    return (
        *chain.from_iterable(answers),
        *words_told(reader, told.words, has_commands=bool(told.reports)),
        *address_was_read(reader),
        *opponents_words(reader),
        *_end(told),
    )


def resync(reader: Reader, told: MailAnswer) -> Blocks:
    """Send the board that was asked for. By the book, it is the first thing in the text."""
    reader = told.heard_by(reader)
    return (
        *(paragraph(message("now_the_board_is")) if reader.game.proposed else ()),
        *board(reader, begins=True),
        *coins(reader),
        *address_was_read(reader),
        *opponents_words(reader),
        *words_told(reader, told.words, has_commands=bool(told.reports)),
        *proposed_boards(reader),
        *next_steps(reader),
        *play_again(reader),
        *game_score(reader),
        *below(reader, explains_board=reader.game.turns == 0, shows_step=True),
        *record(reader),
        *_end(told),
    )


def receipt(reader: Reader, _told: MailAnswer) -> Blocks:
    """Tell that a move was played or passed on, and nothing else. Only the text has the board."""
    turn = reader.game.last_turns[-1]
    if reader.game.is_relay:
        return (
            *paragraph(message("your_move_is_passed_on", turn=turn.number, text=turn.text)),
            Lines((message("move_is_not_checked"), message("correct_it_by_another_move"))),
            *address_was_read(reader),
        )
    waits_for = message("bot_is_thinking" if reader.plays_bot else "now_it_is_opponents_turn")
    more = (time_until(reader), way_back(reader))
    return (
        *paragraph(*move_played(reader, turn)),
        Lines((waits_for, *(said for said in more if said is not None))),
        *opponent_is_away(reader),
        *coins(reader),
        *address_was_read(reader),
        only_text(board_in_text(reader)),
    )


def _told(reader: Reader, told: MailAnswer) -> Blocks:
    """Return the answers to the lines of a mail, and to its words."""
    if told.reports:
        return (*_reports(reader, told), *words_told(reader, told.words, has_commands=bool(told.reports)))
    if told.unreadable is not None:
        return (
            *paragraph(unread(told.unreadable)),
            *words_told(reader, told.words, has_commands=bool(told.reports)),
        )
    if told.words.status is ChatStatus.NONE:
        return paragraph(message("no_words_found"))
    return words_told(reader, told.words, has_commands=bool(told.reports))


def _reports(reader: Reader, told: MailAnswer) -> Blocks:
    blocks: Blocks = ()
    for reported in told.reports:
        if reported.line and lesson_in(reported) is None:
            wrote = message("you_said_yes_to" if reported.is_confirmed else "you_wrote", line=reported.line)
            blocks += (Small(wrote),)
        blocks += answer_to(reader, reported.answer)
    return blocks


def _game(reader: Reader, shown: ShownParts) -> Blocks:
    """Return how the game stands, and what the reader can do now."""
    seen = reader.game
    return (
        *(now(reader, shown) if shown.game and (seen.has_begun or shown.is_asked) else ()),
        *(coins(reader) if shown.game or seen.standing is not Standing.OVER else ()),
        *proposed_boards(reader),
        *((*next_steps(reader), *play_again(reader)) if shown.next else ()),
        *(game_score(reader) if shown.game else ()),
        *(below(reader, explains_board=seen.turns == 0, shows_step=shown.step) if shown.game else ()),
        *(record(reader) if shown.game and not shown.has_shown_record else ()),
    )


def now(reader: Reader, shown: ShownParts) -> Blocks:
    """Return the board as it is now. A line above it says so if the letter shows another one, too."""
    named = reader.game.proposed or shown.names_board
    return (*(paragraph(message("now_the_board_is")) if named else ()), *board(reader))


def game_score(reader: Reader) -> Blocks:
    """Say what a game that is over was worth, and how the match stands."""
    standing = () if reader.match is None else paragraph(*match_sentences(reader, reader.match))
    return (*score(reader), *standing)


def _end(told: MailAnswer) -> Blocks:
    return (
        *only_answers(told.wants_no_mail),
        *(paragraph(told.offers_language) if told.offers_language else ()),
        *last_answer(told.last_for),
    )
