"""Answer with lists of games and seeks, say why nothing can be done in a game, and what concerns the sender.

That is also what is said of a mail as a whole.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime

from takmail.blocks import Blocks, Columns, Items, Message, buttons, message, paragraph
from takmail.commands.view import ListedGame, ListedSeek
from takmail.games.bots import Bot, Bots, PlainGame
from takmail.letters.parts.ending import match_sentences
from takmail.letters.parts.terms import (
    against_bot,
    days_left,
    days_to_touch,
    leaves_later,
    seek_terms,
    title_of,
)
from takmail.letters.parts.words import said_later
from takmail.letters.reader import Builder, Reader
from takmail.world import LANGUAGES, Match, Standing

_UNITS = ((1024 * 1024, "mebibytes"), (1024, "kibibytes"))


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
                    "listed_game",
                    number=game.record.number,
                    opponent=game.opponent,
                    title=title_of(reader, game.record),
                ),
                _standing(game),
                *_clock(game),
                *_absence(game),
            )
            for game in games
        )
    )


def _clock(game: ListedGame) -> Iterator[Message]:
    if game.clock is not None:
        yield message("listed_until", until=game.clock.until, is_over=game.clock.is_over)


def _absence(game: ListedGame) -> Iterator[Message]:
    if game.away_until is not None:
        yield message("listed_away", opponent=game.opponent, until=game.away_until)


def _standing(game: ListedGame) -> Message:
    """Say how a game of a list stands, behind a colon."""
    if game.is_corrupt:
        is_over = game.record.standing is Standing.OVER
        return message("listed_over_unshown" if is_over else "listed_broken")
    if game.record.standing is Standing.INVITED:
        return message("listed_waits_for_you" if game.is_guest else "listed_waits_for_guest")
    if game.record.standing is Standing.BIDDING:
        if game.your_turn:
            return message("listed_your_bid")
        return message("listed_bid_of_other", opponent=game.opponent)
    if game.outcome:
        return message("listed_outcome", outcome=game.outcome, opponent=game.opponent)
    if game.record.standing is Standing.ADJOURNED:
        return message("listed_adjourned")
    if game.may_claim:
        return message("listed_may_claim", opponent=game.opponent)
    if game.record.rested_at is not None:
        return message(
            "listed_at_rest", since=game.record.rested_at, is_yours=game.your_turn, opponent=game.opponent
        )
    if game.record.is_relay and game.your_turn:
        return message("listed_you_write")
    if game.record.is_relay:
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
    return (
        *paragraph(fault, message("name_the_game", number=games[0].record.number)),
        listed_games(reader, games),
    )


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


def seeks(reader: Reader, *, seeks: Sequence[ListedSeek], more: bool) -> Blocks:
    """List the games that the reader can join, and those that the reader seeks. `more`: others are left out."""
    others = [listed for listed in seeks if not listed.is_yours]
    own = [listed for listed in seeks if listed.is_yours]
    joinable = tuple(
        (
            message(
                "seek_to_join",
                number=listed.seek.number,
                name=listed.name,
                terms=seek_terms(reader, listed),
            ),
        )
        for listed in others
    )
    entries = tuple(
        (message("your_seek", number=listed.seek.number, terms=seek_terms(reader, listed)),) for listed in own
    )
    listed_own = (*paragraph(message("you_seek", count=len(own))), Items(entries)) if own else ()
    if others:
        return (
            *paragraph(message("games_to_join")),
            Items(joinable),
            *paragraph(message("more_seeks") if more else None),
            *listed_own,
        )
    if own:
        return (*paragraph(message("nobody_else_seeks")), *listed_own)
    return paragraph(message("nobody_seeks", line=reader.wording.seek_example))


def bots(reader: Reader, *, bots: Bots) -> Blocks:
    """List the bots."""
    return _bots(reader, bots) if bots.every else paragraph(message("no_bots_here"))


def bot_unknown(reader: Reader, *, name: str, bots: Bots) -> Blocks:
    """Refuse a game against a bot that there is not."""
    return (*paragraph(message("no_bot_of_this_name", name=name)), *_bots(reader, bots))


def bot_plays_other(reader: Reader, *, able: tuple[str, ...], bots: Bots) -> Blocks:
    """Refuse a game that a bot does not play. Those that are `able` to play it are named, or else all are listed."""
    if able:
        return paragraph(message("other_bots_play_this", names=able))
    return (*paragraph(message("bots_play_no_such_game")), *_bots(reader, bots))


def _bots(reader: Reader, bots: Bots) -> Blocks:
    """Say of each bot what to expect, beside the line that begins a game against it."""
    plain = {bot: games for bot in bots.every if (games := bot.plain_games(reader.games))}
    rows = tuple(
        (_line(reader, bot, games), _what_to_expect(reader, bot, games)) for bot, games in plain.items()
    )
    by_levels = dict.fromkeys(game for bot, games in plain.items() if bot.is_level for game in games)
    return (
        *paragraph(message("bots_are_here")),
        Columns(rows),
        buttons(*((bot.name, line) for bot, (line, _) in zip(plain, rows, strict=True))),
        *paragraph(_games_played(reader, by_levels) if by_levels else None, message("bots_play_like_people")),
    )


def _line(reader: Reader, bot: Bot, games: Sequence[PlainGame]) -> str:
    usual = games[0]
    kind = "" if usual.kind == reader.games.default else usual.kind
    return against_bot(reader, " ".join(filter(None, ("new", kind, usual.size, "vs bot", bot.name))))


def _what_to_expect(reader: Reader, bot: Bot, games: Sequence[PlainGame]) -> tuple[Message, ...]:
    if bot.is_level:
        return (message("bot_level", level=bot.name),)
    return message("bot_is_an_engine"), _games_played(reader, games)


def _games_played(reader: Reader, games: Iterable[PlainGame]) -> Message:
    ordered = sorted(games, key=lambda game: (game.kind, game.setup))
    labels = (reader.wording_of(game.kind).title(game.setup, is_relay=False) for game in ordered)
    return message("bots_play_these", games=tuple(label for of_game in labels for label in of_game))


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


def new_nobody(reader: Reader, *, name: str, game: str) -> Blocks:
    """Say that nobody has a name, and how somebody is asked who does not play here."""
    return paragraph(message("nobody_of_this_name", name=name, example=reader.wording_of(game).example))


def excess(_reader: Reader, *, which: str, most: int | None) -> Blocks:
    """Say which limit a mail exceeds. `most` is the limit if it has a setting."""
    return paragraph(message("excess", which=which, size="" if most is None else size_of(most)))


def size_of(count: int) -> Message:
    """Return a number of bytes in its largest suitable unit."""
    for unit, name in _UNITS:
        if count >= unit:
            return message("size_of_mail", number=count / unit, unit=name)
    return message("size_of_mail", number=count, unit="bytes")


def address_asked(_reader: Reader, *, wait_hours: int, days: int) -> Blocks:
    """Say that the owner of an address is asked."""
    return paragraph(
        message("address_letter_goes" if wait_hours else "address_letter_has_gone"),
        leaves_later(wait_hours),
        message("address_needs_yes", days=days),
    )


def setting(reader: Reader, *, keyword: str, value: object, game: str) -> Blocks:
    """Say what holds for a setting, and what else can be chosen."""
    match keyword:
        case "view":
            return paragraph(message("view_told", value=value))
        case "receipts":
            return paragraph(message("receipts_told", value=value))
        case "reminders":
            return paragraph(message("reminders_told", value=value))
        case "language":
            others = (language for language in LANGUAGES if language != value)
            offered = (message("language_offered", language=language) for language in others)
            return paragraph(message("language_told", value=value), *offered)
        case _:
            return paragraph(*reader.wording_of(game).reads(value, is_chosen=False))


def time_off(
    _reader: Reader,
    *,
    is_away: bool,
    until: date | None,
    left: Sequence[tuple[int, int]],
    announces: bool | None,
) -> Blocks:
    """Say whether the reader is away, and how many days off are left.

    Without `until`, the time off was taken for the reader. `announces` is the setting, None if it is not told.
    """
    named = (
        None
        if until is None
        else message("you_are_away", until=until, is_day=not isinstance(until, datetime))
    )
    state = named or message("you_are_on_holiday" if is_away else "you_are_not_away")
    setting = None if announces is None else message("holiday_told", announces=announces)
    return (*paragraph(state, *days_left(left)), *paragraph(setting, message("how_to_be_away")))


def away_refused(
    _reader: Reader, *, fault: str, days: Sequence[date], read_as: date | None, left: int, year: int
) -> Blocks:
    """Say why the reader can't be away until a day, and offer until when they can."""
    left_now = days_left(((year, left),)) if fault == "long" else ()
    offered = message("away_longest") if days and fault != "ambiguous" else None
    touched = days_to_touch(days) if days else ()
    return (
        *paragraph(message("away_refused", fault=fault, day=read_as), *left_now),
        *paragraph(offered),
        *touched,
    )


BUILDERS: Mapping[str, Builder] = {
    "games": games,
    "match": match,
    "which_game": which_game,
    "adjourned": adjourned,
    "seeks": seeks,
    "many_seeks": many_seeks,
    "bots": bots,
    "bot_unknown": bot_unknown,
    "bot_plays_other": bot_plays_other,
    "new_nobody": new_nobody,
    "said_later": said_later,
    "excess": excess,
    "address_asked": address_asked,
    "setting": setting,
    "time_off": time_off,
    "away_refused": away_refused,
}
"""The builders of these answers, by their reason."""
