"""Answer with lists of games, matches, seeks and bots."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from takmail.blocks import Blocks, Columns, Items, Message, buttons, message, paragraph
from takmail.commands.series import ListedSeries
from takmail.commands.view import ListedGame, ListedSeek
from takmail.games.bots import Bot, BotName, Bots, PlainGame
from takmail.letters.passages.ending import match_sentences
from takmail.letters.passages.sections import ShownGame, how_to_play, sections
from takmail.letters.passages.series import with_an_end
from takmail.letters.passages.standings import STANDINGS
from takmail.letters.passages.terms import line_against_bot, seek_terms, title_of
from takmail.letters.passages.times import listed_until
from takmail.letters.reader import Builder, Reader
from takmail.world import Match


def games(reader: Reader, *, games: Sequence[ListedGame], over: Sequence[ListedGame], more: bool) -> Blocks:
    """List the reader's games, and those that are over, with boards to play on. `more`: older ones are left out.

    The board of the game that the letter is about stands below, as in each letter.
    """
    below = None if reader.view is None else reader.game.game.number
    played = tuple(
        ShownGame(game.record.number) for game in games if game.can_be_played and game.record.number != below
    )
    running = (
        (*paragraph(message("your_games")), listed_games(reader, games))
        if games
        else paragraph(message("no_game_running", example=reader.wording.example))
    )
    ended = (
        (*paragraph(message("last_games_over" if more else "games_over")), listed_games(reader, over))
        if over
        else ()
    )
    boards = (*how_to_play(played[0].number), *sections(reader, played)) if played else ()
    return (*running, *ended, *boards)


def listed_games(reader: Reader, games: Sequence[ListedGame]) -> Items:
    """List games, each with how it stands."""
    return Items(
        tuple(
            (
                message(
                    "listed_game",
                    number=game.record.number,
                    opponent=game.opponent,
                    title=title_of(reader, game.record),
                ),
                _standing(game),
                *listed_until(game),
                *_absence(game),
                *_prepared(game),
            )
            for game in games
        )
    )


def _absence(game: ListedGame) -> Iterator[Message]:
    if game.away_until is not None:
        yield message("listed_away", opponent=game.opponent, until=game.away_until)


def _prepared(game: ListedGame) -> Iterator[Message]:
    if game.has_prepared:
        yield message("listed_prepared_moves")


def _standing(game: ListedGame) -> Message:
    """Say how a game of a list stands, behind a colon."""
    if game.game.is_corrupt:
        is_over = game.record.is_over
        return message("listed_over_unshown" if is_over else "listed_broken")
    return STANDINGS[game.record.standing].listed(game)


def which_game(reader: Reader, *, games: Sequence[ListedGame], named: int | None) -> Blocks:
    """Say that it is unclear which game a mail is about. `named` is a number that is none of the reader's games."""
    if named is not None:
        fault = message("no_game_of_this_number", number=named)
    else:
        fault = message("game_is_unclear" if games else "you_have_no_game")
    if not games:
        return paragraph(fault)
    return (
        *paragraph(fault, message("name_the_game", number=games[0].record.number)),
        listed_games(reader, games),
    )


def match(reader: Reader, *, matches: Sequence[Match], series: Sequence[ListedSeries]) -> Blocks:
    """Say how matches stand. Each kind of game is counted apart, and matches with an end are told first."""
    is_named = len(matches) > 1
    return (
        *with_an_end(reader, series),
        *(block for standing in matches for block in _match(reader, standing, is_named=is_named)),
    )


def _match(reader: Reader, match: Match, *, is_named: bool) -> Blocks:
    """Say how a match stands. `is_named`: among several ones, a reader also wants to know its newest game."""
    last = message("last_game_of_match", number=match.last) if is_named and match.last is not None else None
    return (*paragraph(*match_sentences(reader, match)), *paragraph(last))


def seeks(reader: Reader, *, seeks: Sequence[ListedSeek], more: bool) -> Blocks:
    """List the games that the reader can join, and those that the reader seeks. `more`: others are left out."""
    others = [listed for listed in seeks if not listed.is_yours]
    own = [listed for listed in seeks if listed.is_yours]
    entries = tuple(
        (message("your_seek", number=listed.seek.number, terms=seek_terms(reader, listed)),) for listed in own
    )
    listed_own = (*paragraph(message("you_seek", count=len(own))), Items(entries)) if own else ()
    if others:
        return (
            *paragraph(message("games_to_join")),
            _to_join(reader, others),
            *paragraph(message("more_seeks") if more else None),
            *listed_own,
        )
    if own:
        return (*paragraph(message("nobody_else_seeks")), *listed_own)
    return paragraph(message("nobody_seeks", line=reader.wording.seek_example))


def seeks_near(reader: Reader, *, seeks: Sequence[ListedSeek], is_known: bool) -> Blocks:
    """List the games that the reader can join, those of players about as strong first. One tap joins the first."""
    if not seeks:
        return paragraph(message("nobody_seeks", line=reader.wording.seek_example))
    first = seeks[0]
    return (
        *paragraph(message("games_to_join_near", is_known=is_known)),
        _to_join(reader, seeks),
        buttons((message("label_join", name=first.name), f"join {first.seek.number}")),
        *paragraph(message("none_of_these_seeks", line=reader.wording.seek_example)),
    )


def _to_join(reader: Reader, seeks: Sequence[ListedSeek]) -> Items:
    return Items(
        tuple(
            (
                message(
                    "seek_to_join",
                    number=listed.seek.number,
                    name=listed.name,
                    terms=seek_terms(reader, listed),
                ),
            )
            for listed in seeks
        )
    )


def bots(reader: Reader, *, bots: Bots) -> Blocks:
    """List the bots."""
    return _bots(reader, bots) if bots.every else paragraph(message("no_bots_here"))


def bot_unknown(reader: Reader, *, name: str, bots: Bots) -> Blocks:
    """Refuse a game against a bot that there is not."""
    return (*paragraph(message("no_bot_of_this_name", name=name)), *_bots(reader, bots))


def bot_too_slow(reader: Reader, *, name: str, bots: Bots) -> Blocks:
    """Refuse a game against a bot that thinks for long, and list those that play whoever asks."""
    return (*paragraph(message("best_plays_players", name=BotName.of(name))), *_bots(reader, bots))


def bot_plays_other(reader: Reader, *, able: tuple[str, ...], bots: Bots) -> Blocks:
    """Refuse a game that a bot does not play. Those that are `able` to play it are named, or else all are listed."""
    if able:
        return paragraph(message("other_bots_play_this", names=able))
    return (*paragraph(message("bots_play_no_such_game")), *_bots(reader, bots))


def _bots(reader: Reader, bots: Bots) -> Blocks:
    """Say of each bot what to expect, beside the line that begins a game against it."""
    plain = {bot: games for bot in bots.every if (games := bot.plain_games(reader.lobby.games))}
    rows = tuple(
        (line_against_bot(reader, games[0], bot.name), _what_to_expect(reader, bot, games))
        for bot, games in plain.items()
    )
    by_levels = dict.fromkeys(game for bot, games in plain.items() if bot.is_level for game in games)
    return (
        *paragraph(message("bots_are_here")),
        Columns(rows),
        buttons(*((bot.name, line) for bot, (line, _) in zip(plain, rows, strict=True))),
        *paragraph(_games_played(reader, by_levels) if by_levels else None, message("bots_play_like_people")),
    )


def _what_to_expect(reader: Reader, bot: Bot, games: Sequence[PlainGame]) -> tuple[Message, ...]:
    if bot.is_level:
        return (message("bot_level", level=bot.name),)
    return message("bot_is_an_engine"), _games_played(reader, games)


def _games_played(reader: Reader, games: Iterable[PlainGame]) -> Message:
    ordered = sorted(games, key=lambda game: (game.kind, game.setup))
    labels = (reader.wording_of(game.kind).title(game.setup, is_relay=False) for game in ordered)
    return message("bots_play_these", games=tuple(label for of_game in labels for label in of_game))


def seeking_already(reader: Reader, *, listed: ListedSeek, days: int) -> Blocks:
    """Say that the reader seeks such a game already."""
    return paragraph(
        message("seek_is_open_already", terms=seek_terms(reader, listed)),
        message("seek_stands", number=listed.seek.number, days=days),
    )


def many_seeks(reader: Reader, *, most: int, seeks: Sequence[ListedSeek]) -> Blocks:
    """Refuse one more seek, and list the open ones."""
    entries = (
        (message("open_seek", number=listed.seek.number, terms=seek_terms(reader, listed)),)
        for listed in seeks
    )
    return (
        *paragraph(message("many_seeks_open", most=most)),
        Items(tuple(entries)),
        *paragraph(message("unseek_takes_back")),
    )


BUILDERS: Mapping[str, Builder] = {
    "games": games,
    "match": match,
    "which_game": which_game,
    "seeks": seeks,
    "seeks_near": seeks_near,
    "many_seeks": many_seeks,
    "seeking_already": seeking_already,
    "bots": bots,
    "bot_unknown": bot_unknown,
    "bot_plays_other": bot_plays_other,
    "bot_too_slow": bot_too_slow,
}
"""The builders of these answers, by their reason."""
