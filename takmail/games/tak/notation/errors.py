"""The error that all notations raise."""

from takmail.games.interface import Reason


class NotationError(ValueError):
    """Raised for a text that is invalid in its notation; `reason` names the fault and has its data."""

    def __init__(self, name: str, **facts: object) -> None:
        super().__init__(name)
        self.reason = Reason(name, facts)

    def __str__(self) -> str:
        return f"{self.reason.name} {dict(self.reason.facts)}"
