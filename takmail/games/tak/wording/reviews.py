"""Word what a review of a game of Tak finds, and hints."""

from takmail.blocks import message
from takmail.games.interface import Seat
from takmail.games.thinking import Finding, Hint
from takmail.games.wording import Sentences


class ReviewWords:
    """The part of `TakWording` about reviews and hints."""

    def finding(self, finding: Finding, you: Seat) -> Sentences:
        """Say what a turn missed, allowed or found."""
        is_yours, plies = finding.seat is you, finding.facts["plies"]
        assert isinstance(plies, int)
        turns = (plies + 1) // 2
        match finding.name:
            case "road_missed":
                return (message("tak_road_missed", is_yours=is_yours),)
            case "road_allowed":
                return (message("tak_road_allowed", is_yours=is_yours),)
            case "tinue_missed":
                return (message("tak_tinue_missed", is_yours=is_yours, turns=turns),)
            case "tinue_allowed":
                within = message("tak_none_within", within=finding.facts["within"])
                return message("tak_tinue_allowed", is_yours=is_yours, turns=turns), within
            case "lost":
                return (message("tak_lost", is_yours=is_yours),)
            case "only_win":
                return (message("tak_only_win", is_yours=is_yours),)
            case _:
                return (message("tak_only_defence", is_yours=is_yours),)

    def hint(self, hint: Hint) -> Sentences:
        """Say what there is to find, and on which part of the board."""
        where = message("tak_hint_where", area=hint.facts["area"], is_move=hint.facts["is_move"])
        return message("tak_hint", name=hint.name), where
