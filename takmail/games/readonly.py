"""Read-only mappings for frozen values."""

from types import MappingProxyType


def read_only(value: object, *names: str) -> None:
    """Make the mappings in these attributes of a frozen value read-only. Called from `__post_init__`."""
    for name in names:
        mapping = getattr(value, name)
        if type(mapping) is not MappingProxyType:
            object.__setattr__(value, name, MappingProxyType(mapping))
