"""Mappings of frozen values, which nobody can put anything into."""

from types import MappingProxyType


def read_only(value: object, *names: str) -> None:
    """Let mappings of a frozen value only be read; called as the value is made."""
    for name in names:
        mapping = getattr(value, name)
        if type(mapping) is not MappingProxyType:
            object.__setattr__(value, name, MappingProxyType(mapping))
