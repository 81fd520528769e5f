"""Make the contents of letters: answers to mails, receipts for moves, boards that were asked for, and news of games."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from takmail.blocks import Blocks, Lines, Small, buttons, message, only_text, paragraph
from takmail.commands.answers import CauseResult, ChatStatus, Refusal, Reported, Said, Shows
from takmail.commands.lessons import lesson_in
from takmail.commands.view import is_completed
from takmail.games.readonly import replace
from takmail.letters.news.beginnings import invitation
from takmail.letters.news.rows import answer_to, is_words, row_of, shows, told_by
from takmail.letters.passages.advance import what_is_prepared, what_waits
from takmail.letters.passages.below import below, next_steps
from takmail.letters.passages.clubs import place_in_table
from takmail.letters.passages.ending import coins, is_learner, match_sentences, outcome, record, score
from takmail.letters.passages.offers import proposed_boards
from takmail.letters.passages.series import ended_game, how_match_stands
from takmail.letters.passages.terms import what_this_is
from takmail.letters.passages.times import opponent_is_away, time_until
from takmail.letters.passages.turns import board, board_in_text, hint_missed, move_played, way_back
from takmail.letters.passages.words import (
    MailWords,
    address_was_read,
    last_answer,
    opponents_words,
    words_told,
)
from takmail.letters.reader import Answering, Correspondent, Reader
from takmail.mail.message import UnreadableReason
from takmail.world import UNFINISHED, Game, GameRecord, SentLetter, events

_OTHER_BOARDS = {Shows.OTHER_BOARD, Shows.COMPARISON}
"""What answers show if a line above the board of the letter says that it is the current one."""
_BOARDS = {Shows.BOARD, *_OTHER_BOARDS}


@dataclass(frozen=True, slots=True)
class MailAnswer:
    """What the answer to a mail tells.

    * `reports` are the answers to the lines of the mail, and `words` are its words to the opponent
    * `unreadable` tells why nothing of the mail was read, None if it was
    * `host_address` is the address of the game's host if the reader may know it
    * `wants_no_mail`: the reader gets nothing but answers
    * `last_for` is as in `Correspondent`
    * `offers_language` are the blocks that offer letters in another language, none if it offers none
    * `unanswered` are invitations of the reader that have had no answer for days
    """

    reports: Sequence[Reported]
    words: MailWords
    unreadable: UnreadableReason | None = None
    host_address: str | None = None
    wants_no_mail: bool = False
    last_for: str = ""
    offers_language: Blocks = ()
    unanswered: tuple[GameRecord, ...] = ()

    def heard_by(self, reader: Reader) -> Reader:
        """Return the reader of the answer, who knows how long it gets, and whether the words wait."""
        told = [reported.answer for reported in self.reports if isinstance(reported.answer, Said)]
        move_lists = sum(answer.shows is Shows.MOVES and bool(answer.facts["place"]) for answer in told)
        has_erred = self.asks_what_is_meant or any(
            isinstance(reported.answer, Refusal) for reported in self.reports
        )
        names = frozenset(answer.reason for answer in told)
        answering = Answering(self.words.must_wait, move_lists, has_erred, told=names)
        return replace(reader, answering=answering)

    @property
    def tells_more(self) -> bool:
        """Whether the letter says more than the answers to the lines. If so, it is sent where a receipt is not."""
        return bool(self.unanswered or self.offers_language)

    @property
    def asks_what_is_meant(self) -> bool:
        """Whether a line is answered by the lines that it may mean."""
        answers = (reported.answer for reported in self.reports if isinstance(reported.answer, Said))
        return any("offers" in answer.facts for answer in answers)


@dataclass(frozen=True, slots=True)
class ShownParts:
    """The parts of a game that a letter shows.

    * `game`: how the game stands. `next`: what the reader can do now.
    * `step`: by what the reader can compare boards
    * `names_board`: a line above the board says that it is the current one
    * `disputes`: which turns are disputed
    * `is_asked`: the mail asks for the board, so that it is shown even if the game has not begun
    * `has_shown_record`: an answer to a command has the record already
    """

    game: bool = False
    next: bool = False
    step: bool = False
    names_board: bool = False
    disputes: bool = False
    is_asked: bool = False
    has_shown_record: bool = False


def parts_of_answer(reports: Sequence[Reported], reader: Reader) -> ShownParts:
    """Return what the answer to a mail shows."""
    answers = [reported.answer for reported in reports]
    if reader.opponent.is_bot and reader.game.is_over:
        # What is refused after the end needs no board: the lines that begin the next game are enough.
        answers = [answer for answer in answers if not isinstance(answer, Refusal)]
    shown = set(map(shows, answers))
    shows_game = not _is_past(reader) or bool(shown - {Shows.NOTHING, Shows.AGAIN, Shows.NEW_GAME})
    return ShownParts(
        game=shows_game,
        next=shows_game or Shows.NEW_GAME not in shown,
        step=bool(shown & {Shows.BOARD, Shows.COMPARISON}),
        names_board=bool(shown & _OTHER_BOARDS),
        disputes=any(_is_about_turns(reported.answer) for reported in reports),
        is_asked=Shows.BOARD in shown,
        has_shown_record=Shows.RECORD in shown,
    )


def parts_of_news(told: Sequence[events.GameEvent], reader: Reader) -> ShownParts:
    """Return what a letter with news shows. Chat after the end does not show the end again."""
    is_chat = all(map(is_words, told))
    return ShownParts(
        game=not _is_past(reader) or not is_chat,
        next=True,
        names_board=any(shows(event) in _OTHER_BOARDS for event in told),
        disputes=any(map(_is_about_turns, told)),
    )


def _is_about_turns(answer: events.Event | Said) -> bool:
    """Return whether who is told this wants to know which turns are disputed: a turn, a dispute or a board."""
    return shows(answer) in _BOARDS or isinstance(answer, events.TurnPlayed | events.DisputeOpened)


def _is_past(reader: Reader) -> bool:
    """Return whether the game is over or declined, and this letter does not report its end."""
    return reader.game.standing not in UNFINISHED and not reader.has_ended


def answer(reader: Reader, told: MailAnswer) -> Blocks:
    """Answer a mail about a game."""
    seen, shown = reader.game, parts_of_answer(told.reports, reader)
    is_new = seen.is_invited
    is_unsure = told.words.status is ChatStatus.WAIT or told.asks_what_is_meant
    return (
        *(paragraph(*outcome(reader)) if reader.has_ended else ()),
        *answers_told(reader, told),
        *(what_this_is(reader, told.host_address) if is_new and is_unsure else ()),
        *address_was_read(reader),
        *opponents_words(reader),
        *_game(reader, shown),
        *_end(reader, told),
    )


def invitation_again(reader: Reader, told: MailAnswer) -> Blocks:
    """Answer the mail of a guest by which their language has changed, with the invitation in it."""
    return (
        *answers_told(reader, told),
        *address_was_read(reader),
        *invitation(reader, told.host_address, is_to_stranger=False),
        *_end(reader, told),
    )


def answer_outside(reader: Reader, told: MailAnswer) -> Blocks:
    """Answer a mail that is about no game."""
    return (*answers_told(reader, told), *_end(reader, told))


def of_words(reader: Reader, told: MailAnswer) -> Blocks:
    """Answer a mail that was only words, without a board."""
    answers = (answer_to(reader, reported) for reported in told.reports)
    return (
        *chain.from_iterable(answers),
        *words_told(reader, told.words),
        *address_was_read(reader),
        *opponents_words(reader),
        *_end(reader, told),
    )


def resync(reader: Reader, told: MailAnswer) -> Blocks:
    """Send the board that was asked for. By the book, it is the first thing in the text."""
    return (
        *(paragraph(message("now_the_board_is")) if reader.game.offers.proposed else ()),
        *board(reader, begins=True),
        *coins(reader),
        *address_was_read(reader),
        *opponents_words(reader),
        *words_told(reader, told.words),
        *proposed_boards(reader),
        *next_steps(reader),
        *_game_score(reader),
        *below(reader, shows_step=True),
        *record(reader),
        *_end(reader, told),
    )


def receipt(reader: Reader, told: MailAnswer) -> Blocks:
    """Tell that a move was played or passed on, and what the mail was told beside. Only the text has the board."""
    turn = reader.game.last_turns[-1]
    if reader.game.is_relay:
        return (
            *paragraph(message("your_move_is_passed_on", turn=turn.number, text=turn.text)),
            Lines((message("move_is_not_checked"), message("correct_it_by_another_move"))),
            *address_was_read(reader),
            *_unanswered(reader, told),
            *told.offers_language,
        )
    explained = reader.needs_explanations
    more = (
        hint_missed(reader),
        message("bot_is_thinking") if reader.opponent.is_bot else None,
        message("opponents_move_comes") if explained and not reader.opponent.is_bot else None,
        time_until(reader),
        way_back(reader),
        what_waits(reader),
        *how_match_stands(reader),
    )
    below_move = tuple(said for said in more if said is not None)
    return (
        *paragraph(*move_played(reader, turn)),
        *((Lines(below_move),) if below_move else ()),
        *what_is_prepared(reader),
        *opponent_is_away(reader),
        *coins(reader),
        *address_was_read(reader),
        *_unanswered(reader, told),
        *told.offers_language,
        only_text(board_in_text(reader)),
    )


def news_letter(reader: Reader, told: Sequence[events.GameEvent]) -> Blocks:
    """Tell news of a game, and how it stands now. If a turn of the opponent leads, so does that it is the reader's."""
    if reader.game.your_turn and row_of(told[0]).place == 0:
        reader = reader.seeing(replace(reader.game, names_turn=False))
    blocks: Blocks = ()
    for event in told:
        blocks += told_by(event, reader if event is told[0] else replace(reader, is_at_top=False))
    if reader.game.seat is None:
        return (*blocks, *board(reader))
    return (
        *blocks,
        *address_was_read(reader),
        *opponents_words(reader),
        *_game(reader, parts_of_news(told, reader)),
    )


def answers_told(reader: Reader, told: MailAnswer) -> Blocks:
    """Return the answers to the lines of a mail, and to its words."""
    if told.reports:
        return (*_reports(reader, told), *words_told(reader, told.words))
    if told.unreadable is not None:
        why = message("nothing_could_be_read", why=told.unreadable)
        return (*paragraph(why), *words_told(reader, told.words))
    if told.words.status is ChatStatus.NONE:
        return paragraph(message("no_words_found"))
    return words_told(reader, told.words)


def _reports(reader: Reader, told: MailAnswer) -> Blocks:
    blocks: Blocks = ()
    for reported in told.reports:
        told_of_it = answer_to(reader, reported)
        # What the letter has told at its top is not named again.
        if told_of_it and reported.line and lesson_in(reported) is None:
            wrote = message("you_said_yes_to" if reported.is_confirmed else "you_wrote", line=reported.line)
            blocks += (Small(wrote),)
        blocks += told_of_it
    return blocks


def _game(reader: Reader, shown: ShownParts) -> Blocks:
    """Return how the game stands, and what the reader can do now."""
    seen = reader.game
    reader = replace(reader, hears_of_disputes=shown.disputes)
    if reader.standings.goes_on:
        return (*_now(reader, shown), *coins(reader), *_game_score(reader), *ended_game(reader))
    return (
        *(_now(reader, shown) if shown.game and (seen.has_begun or shown.is_asked) else ()),
        *(coins(reader) if shown.game or not seen.is_over else ()),
        *what_is_prepared(reader),
        *proposed_boards(reader),
        *(next_steps(reader) if shown.next else ()),
        *paragraph(*(how_match_stands(reader) if shown.game and seen.has_begun and not seen.is_over else ())),
        *(_game_score(reader) if shown.game else ()),
        *(below(reader, shows_step=shown.step) if shown.game else ()),
        *(record(reader) if shown.game and not shown.has_shown_record else ()),
    )


def _now(reader: Reader, shown: ShownParts) -> Blocks:
    """Return the board as it is now. A line above it says so if the letter shows another one, too."""
    named = reader.game.offers.proposed or shown.names_board
    return (*(paragraph(message("now_the_board_is")) if named else ()), *board(reader))


def _game_score(reader: Reader) -> Blocks:
    """Say what a game that is over was worth, and how the match stands."""
    if reader.standings.series is not None:
        return (*score(reader), *paragraph(*(how_match_stands(reader) if reader.game.is_over else ())))
    if is_learner(reader):
        return place_in_table(reader)
    standing = (
        () if reader.standings.match is None else paragraph(*match_sentences(reader, reader.standings.match))
    )
    return (*score(reader), *standing, *place_in_table(reader))


def _end(reader: Reader, told: MailAnswer) -> Blocks:
    return (
        *_unanswered(reader, told),
        *(paragraph(message("only_answers_come")) if told.wants_no_mail else ()),
        *told.offers_language,
        *last_answer(told.last_for),
    )


def _unanswered(reader: Reader, told: MailAnswer) -> Blocks:
    """Say which invitations of the reader wait, and how each is taken back."""
    blocks: Blocks = ()
    for game in told.unanswered:
        name, day, line = reader.world.opponent(game), game.created_at.date(), f"withdraw {game.number}"
        blocks += (
            *paragraph(message("invitation_unanswered", name=name, day=day, line=line)),
            buttons((message("label_take_invitation_back"), line)),
        )
    return blocks


def is_receipt(result: CauseResult, writer: Correspondent) -> bool:
    """Return whether the mail was one move, which was played or forwarded, and the answer has nothing else to tell.

    Then the opponent is to move, and nothing in the game waits for the sender, or did so before the mail. `writer`
    wrote it.
    """
    event = only_event(result, writer)
    if result.claim is None or event is None or not row_of(event).is_plain_turn(event):
        return False
    game, seat = result.world.game(result.claim.game), result.claim.seat
    return (
        game.record.is_open
        and game.to_move == seat.other
        and not any(row_of(event).tells for event in result.reports[0].followed)
        and not result.world.closed_questions
        and not result.world.stored.player(game.record.players[seat]).wants_no_mail
        and not (game.offers or game.disputes or game.chat_for(seat))
    )


def only_event(result: CauseResult, writer: Correspondent) -> events.Event | None:
    """Return the only thing that the answer to a mail has to tell, None if it tells more."""
    has_more = result.chat.status is not ChatStatus.NONE or writer.unreadable or writer.last_for
    rows = ((event, row_of(event)) for event in result.happened)
    told = [event for event, row in rows if row.tells is not None or row.asks is not None]
    led = [event for event in told if not row_of(event).is_part]
    return None if has_more or not len(result.reports) == len(led) == 1 else led[0]


def is_of_words(result: CauseResult, game: Game, answered: SentLetter | None) -> bool:
    """Return whether the mail was only words, so that one line and a quote answer it.

    The answer does not show the board. So the letter that was answered has to show it as it is, and nothing in the game
    waits for the sender.
    """
    answers = [reported.answer for reported in result.reports]
    is_said = all(map(is_words, answers))
    is_alone = len(answers) == 1 or (not answers and bool(result.chat.text or result.chat.courtesy))
    if not (is_said and is_alone) or result.claim is None or result.claim.turn != len(game.turns):
        return False
    seat, version = result.claim.seat, None if answered is None else answered.version
    is_asked = game.record.invites(game.players[seat].id)
    is_offered = any(offer.seat != seat for offer in game.offers)
    return not (is_asked or is_offered or game.shows_taken_back(version, result.claim.turn))


def says_more(game: Game) -> bool:
    """Return whether a receipt tells more than that the last turn was played.

    takmail has added something to the turn, or a part of it does not count.
    """
    if not game.keeps_board:
        return False
    before, turn = game.positions[-2], game.turns[-1]
    effect = before.effect(turn.text)
    return is_completed(before, turn) or (effect is not None and effect.corrects)
