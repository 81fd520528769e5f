"""How letters tell of tournaments: in the answer to who does something, and in letters to all whom it concerns."""

from collections.abc import Mapping

from takmail.blocks import Blocks, Items, Message, buttons, message, paragraph
from takmail.letters.batch import LetterBatch
from takmail.letters.catalogue import ENGLISH
from takmail.letters.letter import About, Draft, Sending
from takmail.letters.news.row import Row
from takmail.letters.passages.clubs import (
    beginning,
    change_of_older_table,
    division_sheet,
    own_division,
    own_line,
    place_told,
    tables,
    terms,
    to_enter,
)
from takmail.letters.passages.ending import outcome
from takmail.letters.passages.rounds import (
    end_of_round,
    is_in_round,
    last_match,
    round_headline,
    shown_season,
)
from takmail.letters.passages.times import clock_terms
from takmail.letters.reader import Reader, Style, style_of
from takmail.mail.tokens import NO_NEWS, STOP
from takmail.world import LetterPurpose, LetterView, Mailbox, PlayerId, events, view
from takmail.world.clubs.forms import form_of
from takmail.world.clubs.league import after_moves
from takmail.world.clubs.values import DecidedBy, Outcome, Step, StepKind, Tournament

# Answers.


def _opened(event: events.TournamentOpened, reader: Reader) -> Blocks:
    tournament = reader.world.tournament(event.tournament)
    return paragraph(
        message("tournament_opened", name=tournament.name),
        terms(reader, tournament),
        beginning(tournament),
        to_enter(tournament),
        message("organiser_can", name=tournament.name),
    )


def _entered(event: events.PlayerEntered, reader: Reader) -> Blocks:
    tournament = reader.world.tournament(event.tournament)
    if tournament.is_running and not form_of(tournament).repeats:
        return paragraph(message("entered_late", name=tournament.name), terms(reader, tournament))
    if tournament.is_running:
        return paragraph(
            message("entered_next_season", name=tournament.name, season=tournament.season + 1),
            terms(reader, tournament),
        )
    return (
        *paragraph(
            message("you_have_entered", name=tournament.name),
            terms(reader, tournament),
            beginning(tournament),
        ),
        buttons((message("label_leave", name=tournament.name), f"leave {tournament.name}")),
    )


def _withdrawn(event: events.EntryWithdrawn, reader: Reader) -> Blocks:
    tournament = reader.world.tournament(event.tournament)
    if event.refused_at is not None:
        return paragraph(message("entry_refused", player=_name(reader, event.player), name=tournament.name))
    if not tournament.plays(event.player):
        season = shown_season(tournament, tournament.season + 1)
        return paragraph(message("entry_withdrawn", name=tournament.name, season=season))
    return paragraph(
        message("plays_on_and_leaves", name=tournament.name, season=tournament.season),
        message("to_drop_out", line=f"leave now {tournament.name}"),
    )


def _dropped_out(event: events.PlayerDroppedOut, reader: Reader) -> Blocks:
    tournament = reader.world.tournament(event.tournament)
    if event.is_taken_out:
        return paragraph(
            message("player_taken_out", player=_name(reader, event.player), name=tournament.name)
        )
    return paragraph(
        message("you_dropped_out", name=tournament.name),
        message("your_games_count", counts_as=event.counts_as),
    )


def _done(event: events.TournamentEvent, reader: Reader) -> Blocks:
    """Tell the organiser that a step is done, and that all who are concerned are told."""
    tournament = reader.world.tournament(event.tournament)
    return paragraph(message("organisers_step_done", name=tournament.name))


# A step, told to each of those whom it concerns.


def _write_step(batch: LetterBatch, event: events.StepTold) -> LetterBatch:
    """Write a letter to a player, which is about no game."""
    player, step = batch.world.player(event.player), event.step
    tournament = view(batch.world, player.id, batch.now).tournament(event.tournament)
    if not player.mailboxes:
        return batch
    is_news = step.kind is StepKind.OPENED
    sending = Sending(
        LetterPurpose.NOTHING if is_news else LetterPurpose.NEWS, ends=NO_NEWS if is_news else STOP
    )
    mailbox = player.main_mailbox
    style = batch.legible(sending.style(style_of(batch.services, player), mailbox))
    subject = message(
        "subject_of_tournament",
        name=tournament.name,
        kind=step.kind.value,
        season=shown_season(tournament, step.season),
        round=tournament.round if tournament.is_running else 0,
    )
    draft = Draft(
        batch.message_id(mailbox, None, sending, style.language),
        mailbox,
        player.name,
        batch.said(subject, style.language),
        style,
        sending,
        batch.reader(style, tournament.terms.kind, view(batch.world, player.id, batch.now), sending),
        lambda reader: step_told(reader, tournament, step),
    )
    return batch.with_letter(draft, None, About())


def step_told(reader: Reader, tournament: Tournament, step: Step) -> Blocks:
    """Tell a reader what has happened to a tournament."""
    match step.kind:
        case StepKind.OPENED:
            return _invited(reader, tournament)
        case StepKind.BEGUN:
            return _season_begun(reader, tournament, step)
        case StepKind.ROUND_BEGUN:
            return _round_begun(reader, tournament)
        case StepKind.PUT_OFF:
            return _put_off(tournament, step)
        case StepKind.LEFT | StepKind.TAKEN_OUT:
            return _out(reader, tournament, step)
        case StepKind.CORRECTED:
            return _corrected(reader, tournament, step)
        case StepKind.SEASON_OVER:
            return _season_over(reader, tournament, step)
        case StepKind.ORGANISER_LEFT:
            return paragraph(message("organiser_has_left", name=tournament.name))
        case StepKind.ENDED:
            return (
                *paragraph(
                    message("tournament_ended", name=tournament.name, why=step.why),
                    message("open_games_have_ended") if _had_open_games(tournament) else None,
                ),
                *(tables(reader, tournament) if tournament.season else ()),
            )


def _had_open_games(tournament: Tournament) -> bool:
    return any(pairing.by is DecidedBy.RULING for pairing in tournament.pairings_of())


def _invited(reader: Reader, tournament: Tournament) -> Blocks:
    return (
        *paragraph(
            message("new_tournament", name=tournament.name), terms(reader, tournament), beginning(tournament)
        ),
        *paragraph(to_enter(tournament), message("news_can_end")),
        buttons((message("label_enter", name=tournament.name), f"enter {tournament.name}")),
    )


def _season_begun(reader: Reader, tournament: Tournament, step: Step) -> Blocks:
    """Tell a player whom they play, and by which numbers their games go."""
    division = own_division(reader, tournament)
    drop_out = message("rules_of_dropping_out", line=f"leave now {tournament.name}")
    has_rounds = form_of(tournament).has_rounds
    how_it_goes_on = message("rules_of_rounds", form=tournament.terms.form) if has_rounds else None
    ends_at = tournament.starts_at
    return (
        *paragraph(
            message(
                "season_has_begun",
                name=tournament.name,
                season=shown_season(tournament, step.season),
                division=division,
                count=len(tournament.divisions),
            )
        ),
        *paragraph(terms(reader, tournament), message("rules_of_table"), how_it_goes_on, drop_out),
        *paragraph(None if ends_at is None else end_of_round(tournament, ends_at)),
        *_opponents(reader, tournament),
    )


def _round_begun(reader: Reader, tournament: Tournament) -> Blocks:
    """Tell a player that the next round begins, whom they play in it, and how it stands."""
    ends_at, you = tournament.starts_at, reader.world.reader
    has_end = ends_at is not None and is_in_round(tournament, you)
    return (
        *round_headline(tournament, you),
        *_opponents(reader, tournament),
        *paragraph(end_of_round(tournament, ends_at) if has_end and ends_at is not None else None),
        *tables(reader, tournament),
    )


def _opponents(reader: Reader, tournament: Tournament) -> Blocks:
    """List whom the reader plays in the round that runs, and by which numbers their games go; nothing if nobody."""
    you = reader.world.reader
    games = [one for one in tournament.pairings_of(player=you) if one.round == tournament.round]
    opponents = dict.fromkeys(pairing.opponent_of(you) for pairing in games) if you is not None else {}
    listed = []
    for opponent in opponents:
        both = [pairing for pairing in games if opponent in pairing.players]
        (first,) = (pairing.number for pairing in both if pairing.first == you)
        (second,) = (pairing.number for pairing in both if pairing.second == you)
        name = reader.world.player(opponent).name
        listed.append((message("opponent_in_season", opponent=name, first=first, second=second),))
    if not listed:
        return ()
    return (
        *paragraph(message("your_opponents_are", count=len(listed))),
        Items(tuple(listed)),
        *paragraph(message("letters_of_games_come")),
        buttons((message("label_table"), f"table {tournament.name}")),
    )


def _put_off(tournament: Tournament, step: Step) -> Blocks:
    season, ends_at = shown_season(tournament, step.season), tournament.starts_at
    number = tournament.round if tournament.is_running else 0
    return paragraph(
        message("season_put_off", name=tournament.name, season=season, round=number, why=step.why),
        end_of_round(tournament, ends_at) if number and ends_at is not None else beginning(tournament),
    )


def _out(reader: Reader, tournament: Tournament, step: Step) -> Blocks:
    """Tell that a player has dropped out, or was taken out, and how their games count."""
    assert step.player is not None
    is_you = step.player == reader.world.reader
    entry = tournament.entry(step.player) if step.division else None
    player, is_left = _name(reader, step.player), step.kind is StepKind.LEFT
    if is_you:
        told = message("you_were_taken_out", name=tournament.name, why=step.why)
    elif is_left and not step.division:
        season = shown_season(tournament, step.season)
        told = message("player_is_not_in_next", player=player, name=tournament.name, season=season)
    elif is_left:
        told = message("player_left", player=player, name=tournament.name)
    else:
        told = message("player_was_taken_out", player=player, name=tournament.name, why=step.why)
    counts_as = None if entry is None else entry.out
    how = None if counts_as is None else message("games_count", counts_as=counts_as.value, is_yours=is_you)
    shown = division_sheet(reader, tournament, step.division) if step.division else ()
    return (*paragraph(told, how, _games_that_end(reader, tournament, step.player)), *shown)


def _games_that_end(reader: Reader, tournament: Tournament, player: PlayerId) -> Message | None:
    """Name the reader's games that ended as a player dropped out, which no other letter tells."""
    numbers = tuple(
        str(pairing.number)
        for pairing in tournament.pairings_of(player=player)
        if reader.world.reader in pairing.players and pairing.by is DecidedBy.DEFAULT
    )
    return message("your_games_have_ended", numbers=numbers, count=len(numbers)) if numbers else None


def _corrected(reader: Reader, tournament: Tournament, step: Step) -> Blocks:
    assert step.game is not None
    season = reader.world.tournament_with_game(tournament.number, step.game)
    pairing = None if season is None else season.pairing(step.game)
    assert season is not None
    assert pairing is not None
    first, second = _name(reader, pairing.first), _name(reader, pairing.second)
    winner = {Outcome.FIRST: first, Outcome.SECOND: second}.get(pairing.outcome or Outcome.VOID, "")
    told = message(
        "result_corrected",
        name=tournament.name,
        number=pairing.number,
        first=first,
        second=second,
        winner=winner,
        is_void=pairing.outcome is Outcome.VOID,
        why=step.why,
    )
    older = change_of_older_table(reader, season)
    return (*paragraph(told, older), *division_sheet(reader, season, step.division))


def _season_over(reader: Reader, tournament: Tournament, step: Step) -> Blocks:
    """Tell who has won, which place the reader has, and when it goes on."""
    winners = form_of(tournament).winners(tournament)
    names = tuple(_name(reader, player) for player in winners)
    line = own_line(reader, tournament)
    stays = any(entry.player == reader.world.reader for entry in tournament.coming)
    goes_on = beginning(tournament) if tournament.starts_at is not None else None
    leave = f"leave {tournament.name}"
    return (
        *paragraph(
            message(
                "season_is_over",
                name=tournament.name,
                season=shown_season(tournament, step.season),
                winners=names,
                count=len(winners),
                is_you=winners == [reader.world.reader],
            ),
            last_match(reader, tournament)
            or (place_told(reader, tournament, line) if line is not None else None),
            _move(reader, tournament) if stays else None,
        ),
        *tables(reader, tournament),
        *paragraph(goes_on, message("you_are_in_next", line=leave) if stays else None),
        *((buttons((message("label_leave", name=tournament.name), leave)),) if stays else ()),
    )


def _move(reader: Reader, tournament: Tournament) -> Message | None:
    """Tell whether the reader moves to another division."""
    old = own_division(reader, tournament)
    divisions = enumerate(after_moves(tournament), 1)
    new = next((number for number, players in divisions if reader.world.reader in players), old)
    return None if new == old else message("you_move", is_up=new < old, division=new)


def _tell_operator(batch: LetterBatch, event: events.OrganiserLeft) -> LetterBatch:
    """Tell the operator that a tournament has no organiser any more."""
    if batch.services.operator is None:
        return batch
    name = view(batch.world, None, batch.now).tournament(event.tournament).name
    return batch.outside_games(
        message("subject_of_tournament", name=name, kind=StepKind.ORGANISER_LEFT.value, season=0, round=0),
        lambda _: paragraph(message("you_organise_it_now", name=name)),
        Mailbox(batch.services.operator),
        Style(LetterView.TEXT, ENGLISH),
        Sending(is_urgent=True, purge_after_send=True),
    )


# A game.


def _game_begun(_event: events.TournamentGameBegun, reader: Reader) -> Blocks:
    number = reader.game.game.record.invitation.tournament
    assert number is not None
    tournament = reader.world.tournament(number)
    return paragraph(
        message(
            "tournament_game_begins",
            name=tournament.name,
            division=own_division(reader, tournament),
            count=len(tournament.divisions),
            season=shown_season(tournament, tournament.season),
        ),
        *reader.wording.sides(reader.game),
        *clock_terms(reader.game.game.record),
    )


def _name(reader: Reader, player: PlayerId) -> str:
    return reader.world.player(player).name


ROWS: Mapping[type[events.Event], Row] = {
    events.TournamentOpened: Row("tournament", _opened),
    events.PlayerEntered: Row("entered", _entered),
    events.EntryWithdrawn: Row("left", _withdrawn),
    events.PlayerDroppedOut: Row("left", _dropped_out),
    events.SeasonBegun: Row("organised", _done),
    events.TournamentPutOff: Row("organised", _done),
    events.PairingRuled: Row("organised", _done),
    events.TournamentEnded: Row("organised", _done),
    events.StepTold: Row(writes=_write_step),
    events.TournamentGameBegun: Row(tells=_game_begun),
    events.TournamentGameEnded: Row(tells=lambda _, reader: paragraph(*outcome(reader))),
    events.OrganiserLeft: Row(writes=_tell_operator),
}
"""Rows of tournaments."""
