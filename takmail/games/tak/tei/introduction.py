"""What an engine says of itself before `teiok`, and what it may be sent because of that."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice, product
from textwrap import shorten

from takmail.games.tak.setup import TakSetup
from takmail.games.thinking import EngineFault, EngineTerms

_HALF_KOMI = "halfkomi"
_OPTION_PART = re.compile(r"\s+(name|type|default|min|max|var)(?=\s|$)")
_WHOLE_NUMBER = re.compile(r"-?[0-9]{1,18}", re.ASCII)
_MAX_NAME_CHARS = 60
_MAX_LINE_CHARS, _MOST_OPTIONS, _MOST_BOARDS = 4_000, 500, 500
"""How much is kept of what an engine says. Engines have tens of options, and sizes from 3 to 8."""
_MAX_OFFERED_CHARS = 500
"""The length to which a list of an engine's options is cut for the operator."""


@dataclass(frozen=True, slots=True)
class Option:
    """An option that an engine offers.

    `values` are those of a `combo`. `low` and `high` are the limits of a `spin`.
    """

    name: str
    kind: str = ""
    default: str | None = None
    low: str = ""
    high: str = ""
    values: tuple[str, ...] = ()

    def takes(self, value: str) -> bool:
        """Return whether the option may have this value."""
        if self.kind == "spin":
            numbers = [self.low or value, value, self.high or value]
            return all(map(_WHOLE_NUMBER.fullmatch, numbers)) and sorted(numbers, key=int) == numbers
        if self.kind == "check":
            return value in ("true", "false")
        return self.kind == "string" or value in self.values

    @classmethod
    def of(cls, text: str) -> "Option":
        """Parse what follows the word `option`. Names and values may contain spaces."""
        parts = _OPTION_PART.split(f" {text}")
        pairs = [(key, value.strip()) for key, value in zip(parts[1::2], parts[2::2], strict=True)]
        by_key = dict(pairs)
        return cls(
            by_key.get("name", ""),
            by_key.get("type", ""),
            by_key.get("default"),
            by_key.get("min", ""),
            by_key.get("max", ""),
            tuple(value for key, value in pairs if key == "var"),
        )


@dataclass(frozen=True, slots=True)
class Introduction:
    """What an engine has said of itself: its name and options.

    Some engines list the boards and komi that they play, such as `size 5 6 halfkomi 0 4`. They speak a dialect in which
    `teinewgame` has the komi, too. `boards` are the pairs of size and half komi, empty for all other engines.
    """

    name: str = "an engine without a name"
    options: tuple[Option, ...] = ()
    boards: frozenset[tuple[str, str]] = frozenset()

    def with_line(self, line: str) -> "Introduction":
        """Return the introduction with one more line of the engine. Unknown lines change nothing."""
        word, _, rest = line[:_MAX_LINE_CHARS].partition(" ")
        if line.startswith("id name "):
            name = "".join(filter(str.isprintable, line.removeprefix("id name ")))
            return replace(self, name=name[:_MAX_NAME_CHARS])
        if word == "option" and len(self.options) < _MOST_OPTIONS:
            return replace(self, options=(*self.options, Option.of(rest)))
        if word == "size" and len(self.boards) < _MOST_BOARDS:
            sizes, _, komi = rest.partition(_HALF_KOMI)
            boards = product(sizes.split(), komi.split() or ["0"])
            return replace(self, boards=self.boards | frozenset(islice(boards, _MOST_BOARDS)))
        return self

    def option(self, name: str) -> Option | None:
        """Return the option with this name. Upper and lower case are equal."""
        return next((option for option in self.options if option.name.lower() == name.lower()), None)

    def game_lines(self, terms: EngineTerms, setup: TakSetup) -> Iterator[str]:
        """Yield the options that differ from their defaults, and the line that begins a game.

        Raises `EngineFault` if the engine doesn't offer what the set-up or the operator wants: engines end at an option
        that they do not know.
        """
        half_komi = str(setup.half_komi)
        for name, value in terms.options.items():
            if name.lower() != _HALF_KOMI:
                yield from self._set(name, value, "options")
        if self.boards:
            if (str(setup.size), half_komi) not in self.boards:
                board = f"size {setup.size} with half komi {half_komi}"
                raise EngineFault(f"it does not play {board}; check sizes and half_komi")
            yield f"teinewgame size {setup.size} halfkomi {half_komi}"
            return
        if setup.half_komi or self.option(_HALF_KOMI) is not None:
            yield from self._set("HalfKomi", half_komi, "half_komi")
        yield f"teinewgame {setup.size}"

    def _set(self, name: str, value: str, key: str) -> Iterator[str]:
        """Yield the line that sets an option, unless the value is its default."""
        option = self.option(name)
        if option is None:
            offered = ", ".join(option.name for option in self.options) or "none"
            offered = shorten(offered, _MAX_OFFERED_CHARS, placeholder=" …")
            raise EngineFault(f"it has no option {name}, but: {offered}; check {key}")
        if not option.takes(value):
            raise EngineFault(f"its option {option.name} can't be {value}; check {key}")
        if value != option.default:
            yield f"setoption name {option.name} value {value}"
