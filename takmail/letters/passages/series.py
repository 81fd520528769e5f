"""Say how a match with an end stands, what was agreed on for it, and that its next game begins."""

from collections.abc import Iterator

from takmail.blocks import Blocks, Message, Rule, message, paragraph
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
    terms = series.terms
    how = message("match_is_agreed", games=terms.games or 0, goal=terms.goal or 0, is_total=terms.is_total)
    return how, message("match_goes_by_turns")


def how_match_stands(reader: Reader) -> tuple[Message, ...]:
    """Say how the match of the letter's game stands, nothing if it is of none."""
    return () if reader.series is None else tuple(_standing(reader, reader.series))


def _standing(reader: Reader, score: SeriesScore) -> Iterator[Message]:
    seen, terms = reader.game, score.terms
    yours, theirs = score.totals if terms.counts_points else map(_in_halves, score.totals)
    if score.is_over:
        yield message(
            "match_ended",
            winner=_whose(score.winner),
            gave_up=_whose(score.gave_up),
            yours=yours,
            theirs=theirs,
        )
        if not seen.is_over and not score.counts(seen.game.number):
            yield message("game_is_beside_match")
        return
    place = score.place_of(seen.game.number)
    yield message(
        "match_stands",
        games=terms.games or 0,
        goal=terms.goal or 0,
        is_total=terms.is_total,
        place=0 if seen.is_over or not seen.has_begun else place,
        yours=yours,
        theirs=theirs,
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
    return paragraph(message("ended_game_by_number", number=number, has_reviews=reader.has_reviews))


def next_game(reader: Reader) -> Blocks:
    """Tell, below the end of a game, that the next one of the match begins, and show its board."""
    place = 1 if reader.series is None else reader.series.place_of(reader.game.game.number)
    begins = message("next_game_begins", place=place)
    return (
        Rule(),
        *paragraph(begins, *reader.wording.sides(reader.game)),
        *board(reader),
        *next_steps(reader),
        *below(reader),
    )
