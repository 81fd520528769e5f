"""The common error of all notations."""

from takmail.games.interface import Reason


class NotationError(ValueError):
    """Raised for an invalid text of a notation; `reason` is the fault and its data."""

    def __init__(self, name: str, **facts: object) -> None:
        super().__init__(name)
        self.reason = Reason(name, facts)

    def __str__(self) -> str:
        return f"{self.reason.name} {dict(self.reason.facts)}"
