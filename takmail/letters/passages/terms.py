"""Say what holds in a game: its terms, its clock and its title, who is away, and what its letters are called."""

from collections.abc import Sequence
from datetime import date, timedelta

from takmail.blocks import (
    Blocks,
    Columns,
    Indented,
    Message,
    Small,
    Text,
    buttons,
    message,
    only_text,
    paragraph,
)
from takmail.commands.context import A_FRIEND
from takmail.commands.grammar.dates import absence_in
from takmail.commands.grammar.invitation_forms import BOT
from takmail.commands.grammar.names import first_name
from takmail.commands.view import ListedSeek, View
from takmail.games.bots import PlainGame
from takmail.games.interface import Refused
from takmail.games.wording import Sentences
from takmail.letters.reader import Reader
from takmail.vocabulary import word_in
from takmail.world import DAY, First, Game, GameRecord, NewPlayers, Pace, PendingKind, Seek

_HALF_AN_HOUR = timedelta(minutes=30)
_WITHOUT_HOURS = 7 * DAY
"""A time that is as long is told in days alone."""


def title_of(reader: Reader, game: Seek | GameRecord) -> Text:
    """Return a short title of a game, such as "5x5" or "7x7 relay, 1 capstone". Return "?" for an invalid set-up."""
    try:
        return message("title", labels=reader.wording_of(game.kind).title(game.setup, is_relay=game.is_relay))
    except (Refused, ValueError):
        return "?"


def heading(reader: Reader, game: GameRecord) -> Message:
    """Return the line that begins what a letter about several games says of one. Answers below it are for this game."""
    opponent = reader.world.opponent(game)
    return message("game_of_several", number=game.number, title=title_of(reader, game), opponent=opponent)


def relay_of(game: View) -> Message | None:
    """Say what a relay game is, if this is one."""
    return message("what_relay_is") if game.is_relay else None


def who_may_begin(reader: Reader) -> Message | None:
    """Say who may begin to play here, if not anyone."""
    match reader.lobby.new_players:
        case NewPlayers.INVITED:
            return message("only_invited_can_play")
        case NewPlayers.NOBODY:
            return message("no_new_players")
        case _:
            return None


def against_bot(reader: Reader, line: str) -> str:
    """Return a line that begins a game against a bot with the word for it in the language of the letter.

    So the letters of the game are in this language, too, even if the reader is new and has chosen none.
    """
    return line.replace(f" {BOT}", f" {word_in(reader.language, 'bots', BOT)}", 1)


def line_against_bot(reader: Reader, game: PlainGame, name: str) -> str:
    """Return the line that begins a game without variants against the bot of this name."""
    kind = "" if game.kind == reader.lobby.games.default else game.kind
    return against_bot(reader, " ".join(filter(None, ("new", kind, game.size, "vs bot", name))))


def leaves_later(hours: int) -> Message | None:
    """Say when a letter leaves that has to wait. `hours` is 0 if it does not wait."""
    return message("letter_leaves_later", hours=hours) if hours else None


def what_this_is(reader: Reader, host_address: str | None) -> Blocks:
    """Say what takmail is and who has asked, to somebody invited who may wonder."""
    return paragraph(
        message("what_this_is", game=reader.wording.name),
        message("address_of_opponent", host_address=host_address) if host_address else None,
        message("rules_and_stop"),
    )


def seek_terms(reader: Reader, listed: ListedSeek) -> tuple[Text, ...]:
    """Return what a seek says beside its number and who seeks, a few words each."""
    terms: list[Text] = [
        title_of(reader, listed.seek),
        *reader.wording_of(listed.seek.kind).terms(listed.facts),
    ]
    if listed.seek.first is not None:
        terms.append(_first(listed, First(listed.seek.first)))
    if listed.seek.is_relay:
        terms.append(message("all_passed_on"))
    if listed.seek.pace is not None:
        terms.append(pace_told(listed.seek.pace))
    if listed.seek.pace is not None and listed.seek.is_strict:
        terms.append(message("out_of_time_loses"))
    if listed.seek.is_unrated:
        terms.append(message("seek_is_not_rated"))
    if listed.points is not None:
        terms.append(message("seeker_has_points", points=listed.points))
    return tuple(terms)


def _first(listed: ListedSeek, first: First) -> Message:
    """Say who has the first turn. `first` is as the seeking player means it."""
    if first is First.RANDOM:
        return message("first_by_lot")
    if listed.is_yours == (first is First.ME):
        return message("you_are_first")
    return message("other_is_first") if listed.is_yours else message("seeker_is_first", name=listed.name)


def subject_of(game: Game, reader: Reader) -> Text:
    """Return the Subject of a letter about a game as its reader sees it. It stays the same from the acceptance on.

    Before that, the guest reads who asks, and the host the name by which the guest is known. Somebody who has never
    played gets no more of the host's name than its first word, as the host chooses the name.
    """
    view = reader.view
    if view is not None and view.is_guest and game.record.is_invitation:
        has_played = game.players[view.you].begun_games
        host = view.opponent if has_played else first_name(view.opponent)
        return _of_invitation(view, reader, host)
    if game.record.subject:
        return game.record.subject
    first, second = game.names
    return message("subject_of_game", first=first, second=second, title=game.title)


def _of_invitation(seen: View, reader: Reader, host: str) -> Message:
    wording = reader.wording
    return message(
        "subject_of_invitation",
        host=host or A_FRIEND,
        game="" if wording.title_names_game else wording.name,
        title=message("title", labels=wording.title(seen.game.record.setup, is_relay=seen.is_relay)),
    )


def pace_told(pace: str | None) -> Message:
    """Return a time for turns as a few words, which stand in brackets or behind a colon."""
    read = Pace.read(pace or "")
    if read is None:
        return message("no_time_limit")
    free = read.frees_weekends
    if read.turn is not None:
        return message("time_for_each_turn", time=_in_full(read.turn), frees_weekends=free)
    bank, more = _in_full(read.bank), _in_full(read.increment)
    return message("time_for_all_turns", bank=bank, more=more, frees_weekends=free)


def _in_full(time: timedelta) -> Message:
    """Return a length of time in whole days and hours."""
    return message("exact_length_of_time", days=time.days, hours=time.seconds // 3600)


def length_told(time: timedelta) -> Message:
    """Return about how much time is left as a few words.

    It is rounded to the nearest hour or, if it is long, to the nearest day, so that right after 14 days it is 14 days.
    """
    if time >= _WITHOUT_HOURS - _HALF_AN_HOUR:
        return _in_full((time + DAY / 2) // DAY * DAY)
    rounded = (time + _HALF_AN_HOUR) // (2 * _HALF_AN_HOUR) * (2 * _HALF_AN_HOUR)
    return _in_full(rounded) if rounded else message("less_than_an_hour")


def time_until(reader: Reader) -> Message | None:
    """Say until when the player to move has time, None if no clock runs, or if it is told that their time is over."""
    seen = reader.game
    if (
        seen.clock is None
        or seen.game.record.timing.rested_at is not None
        or seen.offers.has(PendingKind.TIME)
    ):
        return None
    return message(
        "your_time_until" if seen.your_turn else "opponents_time_until",
        until=seen.clock.until,
        is_over=seen.clock.is_over,
    )


def clock_told(reader: Reader) -> Sentences:
    """Say how the clock of an open game stands, or why none runs although a time for turns was agreed on."""
    seen, timing = reader.game, reader.game.record.timing
    if not seen.is_open:
        return ()
    if timing.rested_at is not None:
        return (message("game_is_at_rest", since=timing.rested_at),)
    if timing.pace is not None and not (timing.has_clock or seen.offers.has(PendingKind.PACE)):
        return (message("pace_is_a_word", pace=pace_told(timing.pace)),)
    until, left = time_until(reader), None if seen.clock is None else seen.clock.left
    banks = None if left is None else _banks(*left)
    return tuple(said for said in (until, banks) if said is not None)


def _banks(yours: timedelta, theirs: timedelta) -> Message:
    return message("time_left_for_all", yours=length_told(yours), theirs=length_told(theirs))


def clock_terms(game: GameRecord, *, is_guest: bool = False) -> Sentences:
    """Say which clock a game has or would have, and what happens when time is over; nothing if it has none.

    `is_guest`: the reader is asked to the game.
    """
    is_asked = game.may_be_declined
    timing = game.timing
    if timing.pace is None or not (timing.has_clock or is_asked):
        return ()
    pace, over = pace_told(timing.pace), message("when_time_is_over", is_strict=timing.is_strict)
    if timing.has_clock:
        return message("clock_is", pace=pace), over
    return message("clock_would_be", pace=pace, is_guest=is_guest), over


def agreed_terms(game: GameRecord, *, is_guest: bool = False) -> Sentences:
    """Say what the players of a game that begins agree on: that it is not rated, and its clock."""
    unrated = (message("game_is_not_rated"),) if game.is_unrated else ()
    return (*unrated, *clock_terms(game, is_guest=is_guest))


def time_over(reader: Reader, pace: str | None) -> Message | None:
    """Say what happens when time is over, to players who change the clock of their game; nothing if none will run."""
    timing = reader.game.game.record.timing
    return message("when_time_is_over", is_strict=timing.is_strict) if pace else None


def days_left(left: Sequence[tuple[int, int]]) -> tuple[Message, ...]:
    """Say how many days off are left in each of these years, of which the first one is the current one."""
    (_, days), *later = left
    others = (message("days_off_left_then", left=count, year=year) for year, count in later)
    return (message("days_off_left", left=days), *others)


def days_to_touch(days: Sequence[date], first: date | None) -> Blocks:
    """Offer to be away until the end of one of these days, from now on or from a first day."""
    begins = "until" if first is None else f"{first.isoformat()} -"
    lines = tuple(
        (message("day_named", day=day, first=first), f"away {begins} {day.isoformat()}") for day in days
    )
    return only_text((Columns(tuple((line, day) for day, line in lines)),)), buttons(*lines)


def planned_to_touch(planned: Sequence[tuple[date, date]]) -> Blocks:
    """List planned time off by its first and its last day, and offer to cancel it."""
    if not planned:
        return ()
    lines = tuple(
        (f"away cancel {first.isoformat()}", message("days_of_time_off", first=first, until=until))
        for first, until in planned
    )
    labels = (message("label_cancel_time_off", first=first, until=until) for first, until in planned)
    cancel = buttons(*((label, line) for label, (line, _) in zip(labels, lines, strict=True)))
    return *paragraph(message("planned_is")), Columns(lines), cancel


def opponent_is_away(reader: Reader) -> Blocks:
    """Say until when the opponent is away, if the reader has not been told yet."""
    until = reader.opponent.away_until
    return (
        ()
        if until is None
        else (Small(message("opponent_is_away", opponent=reader.opponent.name, until=until)),)
    )


def clocks_can_stand(words: str) -> Blocks:
    """Offer to let the reader's clocks stand if they have told the opponent that they are away."""
    until = absence_in(words)
    if until is None:
        return ()
    line = f"away {until}"
    typed = only_text((Indented((message("line_to_type", line=line),)),))
    return *paragraph(message("clocks_can_stand")), typed, buttons((message("label_away"), line))
