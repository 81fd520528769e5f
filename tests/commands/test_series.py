"""A match with an end: its terms, and how it stands after its games, as a fold over their results."""

from dataclasses import replace

from takmail.games.interface import Seat
from takmail.world.kinds import GameNumber, PlayerId
from takmail.world.match import Finished
from takmail.world.series import Series, SeriesScore, SeriesTerms, series_score
from tests.support.tables import each_row

ADA, BEN = PlayerId(1), PlayerId(2)
TERMS = {
    "games=5": SeriesTerms(5),
    "points=100": SeriesTerms(goal=100),
    "games=4 points=all": SeriesTerms(4, is_total=True),
    "points=all games=4": SeriesTerms(4, is_total=True),
    "games=1": None,
    "games=26": None,
    "games=x": None,
    "points=0": None,
    "points=2001": None,
    "points=all": None,
    "games=5 points=100": None,
    "games=5 games=3": None,
    "": None,
}


@each_row("text", TERMS)
def test_terms_are_read_and_written(text: str) -> None:
    terms = SeriesTerms.read(text)
    assert terms == TERMS[text]
    assert terms is None or SeriesTerms.read(terms.write()) == terms


def test_what_is_stored_is_read_as_it_was() -> None:
    for series in (
        Series(GameNumber(12), SeriesTerms(5)),
        Series(GameNumber(7), SeriesTerms(4, is_total=True), Seat.SECOND),
    ):
        assert Series.of(series.write()) == series
    assert Series.of(None) is Series.of("5 vs Ben") is None


def played(terms: str, results: str) -> SeriesScore:
    """Return how a match stands for Ada after games in words: `A` and `B` win, with points behind them, `d` is a draw.

    `x` is a corrupt game, and `!A` means that Ada gives the match up in the game before it. The players change sides
    after each game, and Ada begins the first one.
    """
    series = Series(GameNumber(1), SeriesTerms.read(terms) or SeriesTerms(99))
    games: list[Finished] = []
    for word in results.split():
        first = (ADA, BEN)[len(games) % 2]
        seat_of_ada = Seat.FIRST if first == ADA else Seat.SECOND
        if word[0] == "!":
            by = seat_of_ada if word[1] == "A" else seat_of_ada.other
            seat = Seat(1 - by)  # the game before has the other sides
            games[-1] = replace(games[-1], series=replace(series, given_up_by=seat).write())
            continue
        winner = {"A": seat_of_ada, "B": seat_of_ada.other}.get(word[0])
        won = int(word[1:] or 1)
        points = (0, 0) if winner is None else (won, 0) if winner is Seat.FIRST else (0, won)
        games.append(
            Finished(
                GameNumber(len(games) + 1),
                first,
                winner,
                None if word == "x" else points,
                series=series.write(),
            )
        )
    return series_score(series, ADA, games)


FOLDED = {
    # Best of: totals are halves.
    ("games=3", ""): ((0, 0), 0, ""),
    ("games=3", "A"): ((2, 0), 1, ""),
    ("games=3", "A A"): ((4, 0), 2, "Ada"),
    ("games=3", "A B"): ((2, 2), 2, ""),
    ("games=3", "A B B"): ((2, 4), 3, "Ben"),
    ("games=3", "A d"): ((3, 1), 2, ""),
    ("games=3", "A d d"): ((4, 2), 3, "Ada"),
    ("games=3", "A d B"): ((3, 3), 3, "tie"),
    ("games=3", "d d d"): ((3, 3), 3, "tie"),
    ("games=2", "A B"): ((2, 2), 2, "tie"),
    ("games=2", "A"): ((2, 0), 1, ""),
    ("games=5", "A d A"): ((5, 1), 3, ""),
    ("games=5", "A d A d"): ((6, 2), 4, "Ada"),
    # What was played after the match was decided does not count in it.
    ("games=3", "A A B B"): ((4, 0), 2, "Ada"),
    # A corrupt game counts nothing, and another is played.
    ("games=3", "A x"): ((2, 0), 1, ""),
    ("games=3", "A x B A"): ((4, 2), 3, "Ada"),
    # To a number of points.
    ("points=50", "A32 B30"): ((32, 30), 2, ""),
    ("points=50", "A32 B30 d B20"): ((32, 50), 4, "Ben"),
    ("points=50", "A50"): ((50, 0), 1, "Ada"),
    # All games, for the most points.
    ("games=4 points=all", "A30 A30 B61"): ((60, 61), 3, ""),
    ("games=4 points=all", "A30 A30 B61 d"): ((60, 61), 4, "Ben"),
    ("games=2 points=all", "A30 B30"): ((30, 30), 2, "tie"),
    # Given up: by whom, and what was decided before stays.
    ("games=5", "A A B !A"): ((4, 2), 3, "Ben"),
    ("games=5", "B !B"): ((0, 2), 1, "Ada"),
    ("games=3", "A A !A"): ((4, 0), 2, "Ada"),
    ("games=3", "A B !A A A"): ((2, 2), 2, "Ben"),
}


@each_row("terms, results", FOLDED)
def test_a_match_is_a_fold_over_its_games(terms: str, results: str) -> None:
    score = played(terms, results)
    winner = "" if not score.is_over else ("Ada", "Ben", "tie")[2 if score.winner is None else score.winner]
    assert (score.totals, len(score.counted), winner) == FOLDED[terms, results]
    turned = score.turned()
    assert turned.totals == score.totals[::-1]
    assert turned.turned() == score


def test_a_result_that_is_corrected_needs_nothing_else() -> None:
    decided, corrected = played("games=3", "A A"), played("games=3", "B A")
    assert decided.is_over
    assert not corrected.is_over
    # A game that runs while an earlier result decides the match stands beside it.
    assert not played("games=3", "A A").counts(GameNumber(3))
    assert played("games=3", "A B").place_of(GameNumber(3)) == 3


def test_who_leaves_for_good_gives_the_match_up() -> None:
    series = Series(GameNumber(1), SeriesTerms(3))
    score = series_score(series, ADA, (), left=1)
    assert (score.is_over, score.winner, score.gave_up) == (True, 0, 1)
