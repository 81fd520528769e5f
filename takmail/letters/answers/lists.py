"""The answers that list games, that ask which game is meant, and that say why nothing can be done in one."""

from collections.abc import Mapping, Sequence

from takmail.blocks import Blocks, Items, Message, message, paragraph
from takmail.commands.view import ListedGame
from takmail.letters.parts.matches import match_sentences
from takmail.letters.parts.terms import title_of
from takmail.letters.reader import Builder, Reader
from takmail.world import Match, Standing


def games(reader: Reader, *, games: Sequence[ListedGame], over: Sequence[ListedGame], more: bool) -> Blocks:
    """List the reader's games, and those that are over. `more`: older ones are left out."""
    running = (
        (*paragraph(message("your_games")), listed_games(reader, games))
        if games
        else paragraph(message("no_game_running", example=reader.wording.example))
    )
    if not over:
        return running
    return (
        *running,
        *paragraph(message("last_games_over" if more else "games_over")),
        listed_games(reader, over),
    )


def listed_games(reader: Reader, games: Sequence[ListedGame]) -> Items:
    """List games, each with how it stands."""
    return Items(
        tuple(
            (
                message(
                    "listed_game", number=game.number, opponent=game.opponent, title=title_of(reader, game)
                ),
                _standing(game),
            )
            for game in games
        )
    )


def _standing(game: ListedGame) -> Message:
    """Say how a game of a list stands, behind a colon."""
    if game.is_corrupt:
        is_over = game.standing is Standing.OVER
        return message("listed_over_unshown" if is_over else "listed_broken")
    if game.standing is Standing.INVITED:
        return message("listed_waits_for_you" if game.is_guest else "listed_waits_for_guest")
    if game.standing is Standing.BIDDING:
        if game.your_turn:
            return message("listed_your_bid")
        return message("listed_bid_of_other", opponent=game.opponent)
    if game.outcome:
        return message("listed_outcome", outcome=game.outcome, opponent=game.opponent)
    if game.standing is Standing.ADJOURNED:
        return message("listed_adjourned")
    if game.is_relay and game.your_turn:
        return message("listed_you_write")
    if game.is_relay:
        return message("listed_other_writes", opponent=game.opponent)
    return (
        message("listed_your_turn")
        if game.your_turn
        else message("listed_other_moves", opponent=game.opponent)
    )


def which_game(reader: Reader, *, games: Sequence[ListedGame], named: int | None) -> Blocks:
    """Say that it is unclear which game a mail is about. `named` is a number that is none of the reader's games."""
    if named is not None:
        fault = message("no_game_of_this_number", number=named)
    else:
        fault = message("game_is_unclear" if games else "you_have_no_game")
    if not games:
        return paragraph(fault)
    return (*paragraph(fault, message("name_the_game", number=games[0].number)), listed_games(reader, games))


def disagree(_reader: Reader, *, games: Sequence[int]) -> Blocks:
    """Say that a mail speaks of several games."""
    return paragraph(message("mail_speaks_of_games", games=tuple(f"#{number}" for number in games)))


def adjourned(reader: Reader) -> Blocks:
    """Say that a game stands still. The letter gives the reason."""
    is_by_operator = bool(reader.game.why)
    return paragraph(message("operator_has_adjourned" if is_by_operator else "game_stands_still"))


def match(reader: Reader, *, matches: Sequence[Match]) -> Blocks:
    """Say how matches stand. Each kind of game is counted apart."""
    is_named = len(matches) > 1
    return tuple(block for standing in matches for block in _match(reader, standing, is_named=is_named))


def _match(reader: Reader, match: Match, *, is_named: bool) -> Blocks:
    """Say how a match stands. `is_named`: among several ones, a reader also wants to know its newest game."""
    last = message("last_game_of_match", number=match.last) if is_named and match.last is not None else None
    return (*paragraph(*match_sentences(reader, match)), *paragraph(last))


BUILDERS: Mapping[str, Builder] = {
    "games": games,
    "match": match,
    "which_game": which_game,
    "disagree": disagree,
    "adjourned": adjourned,
}
"""The builders of these answers, by their reason."""
