"""Say how a match with an end stands, what was agreed on for it, and that its next game begins."""

from collections.abc import Iterator, Sequence
from itertools import chain

from takmail.blocks import Blocks, Message, Rule, message, only_text, paragraph
from takmail.commands.series import ListedSeries
from takmail.games.wording import Sentences
from takmail.letters.passages.below import below, next_steps
from takmail.letters.passages.turns import board
from takmail.letters.reader import Reader
from takmail.world import GameRecord, Series, SeriesScore


def match_terms(record: GameRecord) -> Sentences:
    """Say what is agreed on for the match that a game begins or belongs to, nothing if it is of none."""
    series = Series.of(record.series)
    if series is None:
        return ()
    if record.number != series.first:
        return (message("game_is_next_of_match"),)
    terms = series.terms
    how = message("match_is_agreed", games=terms.games or 0, goal=terms.goal or 0, is_total=terms.is_total)
    return how, message("match_goes_by_turns")


def how_match_stands(reader: Reader) -> tuple[Message, ...]:
    """Say how the match of the letter's game stands, nothing if it is of none, or if an answer above tells it."""
    return () if reader.was_told("match") else match_here(reader)


def match_here(reader: Reader) -> tuple[Message, ...]:
    """Say how the match of the letter's game stands, nothing if it is of none."""
    return () if reader.standings.series is None else tuple(_standing(reader, reader.standings.series))


def _standing(reader: Reader, score: SeriesScore) -> Iterator[Message]:
    seen, number = reader.game, reader.game.game.number
    yield _told(score, reader.opponent.name, 0 if seen.is_over else score.place_of(number))
    if score.is_over and not seen.is_over and not score.counts(number):
        yield message("game_is_beside_match")


def with_an_end(reader: Reader, listed: Sequence[ListedSeries]) -> Blocks:
    """Say how the match of the letter's game stands, and then each other one."""
    if reader.view is None:
        return tuple(chain.from_iterable(map(_listed, listed)))
    others = (other for other in listed if other.game != reader.game.game.number)
    return (*paragraph(*match_here(reader)), *chain.from_iterable(map(_listed, others)))


def _listed(listed: ListedSeries) -> Blocks:
    """Say how a match stands that is on in another game than that of the letter."""
    game = message("match_is_at_game", number=listed.game)
    return paragraph(_told(listed.score, listed.opponent, 0), None if listed.score.is_over else game)


def _told(score: SeriesScore, opponent: str, place: int) -> Message:
    """Say how a match stands. `place` is that of the letter's game among its games, 0 if that is not told."""
    terms = score.terms
    yours, theirs = score.totals if terms.counts_points else map(_in_halves, score.totals)
    if score.is_over:
        winner, gave_up = _whose(score.winner), _whose(score.gave_up)
        return message(
            "match_ended", winner=winner, gave_up=gave_up, yours=yours, theirs=theirs, opponent=opponent
        )
    return message(
        "match_stands",
        games=terms.games or 0,
        goal=terms.goal or 0,
        is_total=terms.is_total,
        place=place,
        yours=yours,
        theirs=theirs,
        opponent=opponent,
    )


def _in_halves(total: int) -> str:
    """Return a number of halves as people write it, such as 2½."""
    return f"{total // 2 or ''}{'½' if total % 2 else ''}" or "0"


def _whose(place: int | None) -> str:
    """Return whose place among the players it is: `you`, `opponent`, or '' if it is nobody's."""
    return "" if place is None else ("you", "opponent")[place]


def ended_game(reader: Reader) -> Blocks:
    """Say how to get at a game that is over from the letter with the next one of the match."""
    number = reader.game.game.number
    has_reviews = reader.has_reviews and bool(reader.game.shown.turn)
    return paragraph(message("ended_game_by_number", number=number, has_reviews=has_reviews))


def next_game(reader: Reader) -> Blocks:
    """Tell, below the end of a game, that the next one of the match begins, and show its board."""
    place = (
        1 if reader.standings.series is None else reader.standings.series.place_of(reader.game.game.number)
    )
    begins = message("next_game_begins", place=place)
    return (
        only_text((Rule(),)),
        *paragraph(begins, *reader.wording.sides(reader.game)),
        *board(reader),
        *next_steps(reader),
        *below(reader),
    )
