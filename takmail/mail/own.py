"""Whether a line that tells who wrote a letter tells that it was takmail."""

import re
from dataclasses import dataclass

_ADDRESS = re.compile(r"([^\s@<>()\[\]‹›«»\"'`:;,&|*]{1,200})@([^\s@<>()\[\]‹›«»\"'`:;,&|*]{1,200})")


@dataclass(frozen=True, slots=True)
class Own:
    """Takmail's own address, without what comes behind a `+`, and its name."""

    address: str
    name: str

    def alone_in(self, text: str) -> bool:
        """Whether a text names takmail and nobody else: by its address or, where there is none, by its name."""
        plain = text.casefold()
        if "@" in plain:
            found = _ADDRESS.findall(plain)
            return len(found) > 0 and all(self._is_mine(local, domain) for local, domain in found)
        name = re.escape(self.name.casefold())
        return bool(name and re.search(rf"(?<!\w){name}(?!\w)", " ".join(plain.split())))

    def _is_mine(self, local: str, domain: str) -> bool:
        own, _, host = self.address.casefold().rpartition("@")
        return domain.rstrip(".") == host and (local == own or local.startswith(f"{own}+"))
