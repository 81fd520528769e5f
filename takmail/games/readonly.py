"""Read-only mappings for frozen values."""

import copyreg
from types import MappingProxyType


def _proxy(mapping: dict[str, object]) -> MappingProxyType[str, object]:
    return MappingProxyType(mapping)


# So that values with such mappings can be sent to another process.
copyreg.pickle(MappingProxyType, lambda mapping: (_proxy, (dict(mapping),)))


def read_only(value: object, *names: str) -> None:
    """Make the mappings in these attributes of a frozen value read-only. Called from `__post_init__`."""
    for name in names:
        mapping = getattr(value, name)
        if type(mapping) is not MappingProxyType:
            object.__setattr__(value, name, MappingProxyType(mapping))
