"""Word the set-up, the board and its two sides."""

from takmail.blocks import Blocks, Code, Lines, Message, message, paragraph
from takmail.games.interface import Seat
from takmail.games.tzaar.template_facts import TzaarFacts
from takmail.games.tzaar.wording.data import color_of, data_of, kind_of_letter
from takmail.games.wording import Seen, Sentences


def about(seen: Seen, *, is_new: bool) -> Blocks:
    """Explain the game to who is new to it, and its set-up."""
    return paragraph(
        message("tzaar_about") if is_new else None,
        message("tzaar_about_set_up", layout=data_of(seen.shown.facts).layout),
        message("tzaar_rules_first") if is_new else None,
    )


def asked(facts: object) -> Sentences:
    """Tell the host how long a tournament takes."""
    return (message("tzaar_tournament_takes_long"),) if data_of(facts).layout == "tournament" else ()


def sides(seen: Seen) -> Sentences:
    """Say which colour the reader plays, and who begins."""
    facts = data_of(seen.shown.facts)
    plays = message("you_play_color", color=color_of(seen.you))
    return (plays, message("tzaar_you_place_first")) if facts.is_placing and not facts.placed else (plays,)


def side_line(seen: Seen, seat: Seat) -> Message:
    """Describe one side of the board shown: its player, and its pieces."""
    facts = data_of(seen.shown.facts)
    yours, color, role, name = seat == seen.seat, color_of(seat), _role(seen, seat), seen.names[seat]
    if facts.is_open:
        return message("tzaar_side_by_lot", is_yours=yours, opponent=name, color=color, role=role)
    side = facts.black if seat else facts.white
    if facts.is_placing:
        tzaars, tzarras, totts = side.left
        return message(
            "tzaar_side_placing",
            is_yours=yours,
            opponent=name,
            color=color,
            role=role,
            tzaars=tzaars,
            tzarras=tzarras,
            totts=totts,
        )
    return message(
        "tzaar_side",
        is_yours=yours,
        opponent=name,
        color=color,
        role=role,
        tzaars=side.tzaars,
        tzarras=side.tzarras,
        totts=side.totts,
        tallest=side.tallest,
    )


def _role(seen: Seen, seat: Seat) -> str:
    """Return what a player is on the board shown: `winner`, `your_turn`, `to_move` or ''."""
    if seen.shown.result is not None:
        return "winner" if seen.shown.result.winner == seat else ""
    if seen.is_void or seen.shown.to_move != seat:
        return ""
    if seat == seen.seat and seen.is_your_turn_here:
        return "your_turn" if seen.names_turn else ""
    return "to_move"


def players(seen: Seen) -> Blocks:
    """Say who plays which colour, and show the board of the beginning until the first turn.

    Nobody else tells the players of a relay game how the pieces were drawn.
    """
    facts = data_of(seen.shown.facts)
    who = paragraph(message("you_and_opponent_by_color", color=color_of(seen.you)))
    if seen.turns or facts.is_placing or facts.is_open:
        return who
    begins = paragraph(message("tzaar_both_begin_with"))
    return (*who, *begins, Code(facts.rows), *_position(facts))


def position(seen: Seen) -> Blocks:
    """Return the position on one line, for programs."""
    return _position(data_of(seen.shown.facts))


def _position(facts: TzaarFacts) -> Blocks:
    return (Lines((message("tzaar_position", position=facts.position),)),)


def legend(you: Seat | None) -> Sentences:
    """Explain the letters of a board."""
    return (message("tzaar_legend", yours="" if you is None else color_of(you)),)


def spot_has(content: str) -> Message:
    """Say what stands on a spot, as a board in letters has it and in words."""
    if not content:
        return message("tzaar_spot_is_empty")
    letter, height = content[0], content[1:]
    return message(
        "tzaar_spot_has",
        content=content,
        color="black" if letter.isupper() else "white",
        kind=kind_of_letter(letter).word,
        height=int(height or 1),
    )
