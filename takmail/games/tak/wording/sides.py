"""Word what is agreed on in a game of Tak, its sides and its board."""

from takmail.blocks import Blocks, Message, Text, message, paragraph
from takmail.games.interface import Seat
from takmail.games.tak.setup import stored_setup
from takmail.games.tak.template_facts import TakFacts
from takmail.games.tak.wording.coins import stakes
from takmail.games.wording import Seen, Sentences

COLORS = ("white", "black")
"""The colours of both seats."""


def tak_facts(facts: object) -> TakFacts:
    """Return the data of a position of Tak, whose type the rest of takmail does not know."""
    assert isinstance(facts, TakFacts)
    return facts


class SideWords:
    """The part of `TakWording` about the set-up, the sides and the board."""

    def set_up(self, setup: str, *, is_relay: bool) -> tuple[Message, ...]:
        """Name the board, and what else is unusual enough to tell games apart."""
        tak = stored_setup(setup)
        return (
            message("tak_board_of_size", size=tak.size, is_relay=is_relay),
            *(
                (message("tak_board_has_capstones", capstones=tak.capstones),)
                if tak.capstones is not None
                else ()
            ),
            *((message("tak_calls_are_made"),) if tak.must_call else ()),
            *((message("tak_rules_about_coins", rules=tak.coins.value),) if tak.coins is not None else ()),
        )

    def about(self, seen: Seen, *, is_new: bool) -> Blocks:
        """Explain the game to who is new to it, and what is unusual in this one, and what is played for."""
        facts = tak_facts(seen.shown.facts)
        return (
            *paragraph(
                *((message("tak_about", has_capstones=facts.has_capstones),) if is_new else ()),
                message("tak_about_komi", komi=facts.komi) if facts.komi != "0" else None,
                message("tak_about_scoring", scoring=facts.scoring) if facts.scoring != "plain" else None,
                *agreed(facts),
            ),
            *paragraph(*stakes(facts)),
        )

    def asked(self, facts: object) -> Sentences:  # noqa: ARG002 - there is nothing to know
        """Return nothing: the set-up says all."""
        return ()

    def terms(self, facts: object) -> tuple[Message, ...]:
        """Return the komi, the scoring rules, and that coins are played for."""
        tak = tak_facts(facts)
        return (
            *((message("tak_terms_komi", komi=tak.komi),) if tak.komi != "0" else ()),
            *((message("tak_terms_scoring", scoring=tak.scoring),) if tak.scoring != "plain" else ()),
            *((message("tak_terms_coins"),) if tak.coins else ()),
        )

    def sides(self, seen: Seen) -> Sentences:
        """Say which side the reader plays, and who begins."""
        return (message("you_play_color", color=COLORS[seen.you]),)

    def side_line(self, seen: Seen, seat: Seat) -> Message:
        """Describe one side of the board shown, in a line."""
        facts = tak_facts(seen.shown.facts)
        side = facts.white if seat is Seat.FIRST else facts.black
        return message(
            "tak_side_line",
            is_yours=seat == seen.seat,
            opponent=seen.names[seat],
            color=COLORS[seat],
            standing=_standing(seen, seat),
            stones=side.stones,
            capstones=side.capstones,
            has_capstones=facts.has_capstones,
            flats=side.flats,
            komi=facts.komi if seat == Seat.SECOND and facts.komi != "0" else "",
        )

    def players(self, seen: Seen) -> Blocks:
        """Say who plays which side, to one of the two."""
        return paragraph(message("you_and_opponent_by_color", color=COLORS[seen.you]))

    def seats(self, names: tuple[str, str]) -> Message:
        """Say who plays which side, to nobody in particular."""
        return message("players_by_color", white=names[0], black=names[1])

    def columns(self, facts: object) -> tuple[str, ...]:
        """Return the line of letters below a board."""
        return (tak_facts(facts).columns,)

    @property
    def orientation(self) -> Sentences:
        """Where A1 is."""
        return (message("tak_orientation"),)

    def legend(self, you: Seat | None) -> Sentences:
        """Explain the letters of a board."""
        return (message("tak_legend", you="" if you is None else COLORS[you]),)

    @property
    def pieces(self) -> Sentences:
        """How the pieces look in pictures."""
        return (message("tak_pieces"),)

    def position(self, seen: Seen) -> Blocks:  # noqa: ARG002 - letters about Tak do without
        """Return nothing: the board is enough."""
        return ()

    def cell(self, content: str) -> Text:
        """Say what stands on a square: the letters of the stack."""
        return content or message("tak_empty")

    @property
    def shape(self) -> Sentences:
        """How somebody writes their own board."""
        return (message("tak_shape"),)


def agreed(facts: TakFacts) -> Sentences:
    """Say what is agreed on beside the usual rules."""
    capstones = facts.caps
    return (
        *((message("tak_agreed_capstones", capstones=capstones),) if capstones is not None else ()),
        *((message("tak_must_be_called"),) if facts.must_call else ()),
    )


def _standing(seen: Seen, seat: Seat) -> str:
    """Return what a side's line says of it: `winner`, `your_turn`, `to_move` or ''."""
    result = seen.shown.result
    if result is not None:
        return "winner" if result.winner == seat else ""
    if seen.is_void or seen.shown.to_move != seat:
        return ""
    if seat == seen.seat and seen.is_your_turn_here:
        return "your_turn" if seen.names_turn else ""
    return "to_move"
