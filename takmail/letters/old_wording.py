"""Word a game by its old templates, until it has its `Wording`. It goes when all games have theirs."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from jinja2.runtime import Context

from takmail.blocks import Blocks, Drawing, Paragraph
from takmail.letters import markup

_BLANK_LINES = re.compile(r"\n\s*\n")


class OldWording:
    """The words of a game from the templates in its folder. What should be messages are texts."""

    def __init__(self, context: Context, kind: str) -> None:
        self._context, self._kind = context, kind

    def _source(self, name: str, facts: Mapping[str, object]) -> str:
        names = [f"{self._kind}/{name}.txt", "html/rule.html"]
        template = self._context.environment.select_template(names)
        if template.name != names[0]:
            return ""
        return template.render({**self._context.get_all(), **facts}).strip("\n")

    def _text(self, name: str, **facts: object) -> Any:
        return " ".join(markup._without_markers(self._source(name, facts)).split())

    def _sentences(self, name: str, **facts: object) -> Any:
        text = self._text(name, **facts)
        return (text,) if text else ()

    def _blocks(self, name: str, **facts: object) -> Blocks:
        """Return the blocks of a template, which the bridge takes over as they are marked."""
        source = self._source(name, facts)
        if markup._OPEN in source:
            return (Drawing("marked", markup._Marked(source)),)
        if not source.strip():
            return ()
        groups = (" ".join(group.split()) for group in _BLANK_LINES.split(source))
        return tuple(Paragraph((group,)) for group in groups if group)

    @property
    def name(self) -> Any:
        """The name of the game."""
        return self._text("name")

    @property
    def example(self) -> Any:
        """A line that begins a game."""
        return self._text("example")

    @property
    def seek_example(self) -> Any:
        """A line that seeks a game."""
        return self._text("seek")

    @property
    def proposal(self) -> Any:
        """A line that proposes a board."""
        return self._text("proposal")

    @property
    def whose(self) -> Any:
        """A word beside a board that says whose turn it is."""
        return self._text("whose")

    @property
    def orientation(self) -> Any:
        """Say where the first place of a board is."""
        return self._sentences("orientation")

    @property
    def pieces(self) -> Any:
        """Explain the pieces in pictures."""
        return self._sentences("pieces")

    @property
    def shape(self) -> Any:
        """Say how somebody writes their own board."""
        return self._sentences("shape")

    @property
    def begins_anew(self) -> Any:
        """Say that the game begins anew."""
        return f"the game begins anew, on {self._text('beginning')}."

    @property
    def more_help(self) -> Any:
        """Return the rows of its own in the list of commands."""
        lines = markup._without_markers(self._source("words", {})).splitlines()
        return tuple(re.split(r" {2,}", line.strip(), maxsplit=1) for line in lines if line.strip())

    def rules(self, facts: object) -> Blocks:  # noqa: ARG002
        """Explain the rules in short."""
        return self._blocks("rules")

    def columns(self, facts: object) -> tuple[str, ...]:
        """Return the lines below the rows of a board."""
        source = self._source("columns", {"facts": facts})
        return tuple(markup._without_markers(source).split("\n")) if source.strip() else ()

    def side_line(self, seen: Any, seat: Any) -> Any:
        """Describe one side."""
        return self._text("side_line", view=seen, seat=seat)

    def legend(self, you: Any) -> Any:
        """Explain the letters of a board."""
        return self._sentences("legend", view=None if you is None else _You(you))

    def terms(self, facts: object) -> Any:
        """Return what is agreed on beside the title."""
        text = self._text("terms", one=_Facts(facts)).removeprefix(",").strip()
        return tuple(text.split(", ")) if text else ()

    def asked(self, facts: object) -> Any:
        """Say what the host should know about the set-up."""
        return self._sentences("asked", facts=facts)

    def reads(self, value: object, *, is_chosen: bool) -> Any:
        """Say how the reader's turns are read."""
        return self._sentences("reads", facts={"value": value, "is_chosen": is_chosen})

    def opening(self, number: int) -> Any:
        """Say what is special about a turn."""
        return self._sentences("opening", number=number)

    def seats(self, names: tuple[str, str]) -> Any:
        """Say who plays which side."""
        return self._text("seats", view=_Names(names))

    def viewer(self, address: str | None) -> Blocks:
        """Say where the game can be looked at."""
        return self._blocks("viewer", address=address)

    def proposed(self, comparison: Any, *, is_yours: bool) -> Blocks:
        """Explain how a proposed board differs from the game."""
        return self._blocks("proposed", found=comparison, is_yours=is_yours)

    def about(self, seen: Any) -> Blocks:
        """Explain the game to somebody who is invited."""
        return self._blocks("about", view=seen)

    def position(self, seen: Any) -> Blocks:
        """Return the position on one line."""
        return self._blocks("position", view=seen)

    def players(self, seen: Any) -> Blocks:
        """Say who plays which side."""
        return self._blocks("players", view=seen)

    def check(self, check: Any) -> Any:
        """Name a rule that a turn keeps."""
        return self._text("check", check=check)

    def ending(self, judged: Any) -> Any:
        """Say how a turn ends the game."""
        return self._sentences("ending", verdict=judged)

    def deciding(self, judged: Any) -> Any:
        """Give the rule that decides."""
        return self._sentences("deciding", verdict=judged)

    def touched(self, touched: Any) -> Any:
        """Say what a turn does to one place."""
        return self._sentences("touched", touched=touched)

    @property
    def played_over(self) -> Any:
        """Say that the game was played over."""
        return f"To make sure, the game was played over from {self._text('beginning')}."

    def __getattr__(self, name: str) -> Any:
        """Return what words the game as a player sees it, in sentences."""
        if name not in ("bid", "sides", "how", "touch", "effect", "coins", "outcome", "result", "score"):
            raise AttributeError(name)
        return lambda seen: self._sentences(name, view=seen)

    @property
    def record(self) -> Any:
        """Say which notation the record has."""
        return f"The record is {self._text('record')}."


class _You:
    def __init__(self, you: Any) -> None:
        self.you = you


class _Facts:
    def __init__(self, facts: Any) -> None:
        self.facts = facts


class _Names:
    def __init__(self, names: tuple[str, str]) -> None:
        self.names = names


class OldGames(Mapping[str, Any]):
    """The games by name. One that has no `wording` has its old one."""

    def __init__(self, context: Context, games: Mapping[str, Any]) -> None:
        self._context, self._games = context, games

    def __getitem__(self, name: str) -> Any:
        game = self._games.get(name)
        old = OldWording(self._context, name)
        return _Worded(_Partly(game.wording, old) if game is not None and hasattr(game, "wording") else old)

    def __iter__(self) -> Iterator[str]:
        return iter(self._games)

    def __len__(self) -> int:
        return len(self._games)


class _Partly:
    """A wording with the old words where it has none yet."""

    def __init__(self, wording: Any, old: OldWording) -> None:
        self._wording, self._old = wording, old

    def __getattr__(self, name: str) -> Any:
        return getattr(self._wording if hasattr(self._wording, name) else self._old, name)


class _Worded:
    def __init__(self, wording: Any) -> None:
        self.wording = wording
