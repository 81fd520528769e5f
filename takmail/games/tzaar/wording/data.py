"""Get the data of TZAAR from what is worded."""

from collections.abc import Mapping
from typing import Any

from takmail.games.interface import Seat
from takmail.games.tzaar.pieces import KIND_OF_LETTER, Color, Kind
from takmail.games.tzaar.template_facts import TzaarFacts

Facts = Mapping[str, Any]
"""The data of a reason, a check, an effect and so on, by name."""


def data_of(facts: object) -> TzaarFacts:
    """Return the data of a position."""
    assert isinstance(facts, TzaarFacts)
    return facts


def spot_in(facts: Facts, name: str) -> str:
    """Return the name of a spot in capitals, as letters write it."""
    return str(facts[name]).upper()


def color_of(seat: Seat) -> str:
    """Return the colour of a player, as messages take it."""
    return Color(seat).word


def kind_of(line: str) -> str:
    """Return the kind of piece that a placing such as `pz e4` places, as messages take it."""
    return KIND_OF_LETTER[line[1]].word


def kind_of_letter(letter: str) -> Kind:
    """Return the kind of piece that a letter stands for on a board."""
    return KIND_OF_LETTER[letter.lower()]
