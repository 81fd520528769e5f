"""Say what holds in a game: its terms and its title, and what its letters are called."""

from takmail.blocks import (
    Blocks,
    Message,
    Text,
    message,
    paragraph,
)
from takmail.commands.context import A_FRIEND
from takmail.commands.grammar.invitation_forms import BOT
from takmail.commands.grammar.names import first_name
from takmail.commands.view import ListedSeek, View
from takmail.games.bots import PlainGame
from takmail.games.interface import Refused
from takmail.games.wording import Sentences
from takmail.letters.passages.times import clock_terms, time_agreed
from takmail.letters.reader import Reader
from takmail.vocabulary import word_in
from takmail.world import First, Game, GameRecord, NewPlayers, Seek


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
    return line.replace(f" vs {BOT}", f" vs {word_in(reader.language, 'bots', BOT)}", 1)


def line_against_bot(reader: Reader, game: PlainGame, name: str) -> str:
    """Return the line that begins a game without variants against the bot of this name."""
    return against_bot(reader, game.line_against(name, reader.lobby.games.default))


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
    terms += time_agreed(listed.seek.timing)
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


def agreed_terms(game: GameRecord, *, is_guest: bool = False) -> Sentences:
    """Say what the players of a game that begins agree on: that it is not rated, and its clock."""
    unrated = (message("game_is_not_rated"),) if game.is_unrated else ()
    return (*unrated, *clock_terms(game, is_guest=is_guest))
