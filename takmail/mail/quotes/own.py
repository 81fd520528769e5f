"""Whether a line that tells who wrote a letter tells that it was takmail."""

import re
from dataclasses import dataclass

_ADDRESS = re.compile(r"([^\s@<>()\[\]‹›«»\"'`:;,&|*]{1,200})@([^\s@<>()\[\]‹›«»\"'`:;,&|*]{1,200})")

# What the address to answer to has behind the own one: a delimiter, the game, and the seat's token, or a person's.
_TOKEN = re.compile(r"[^\w.](?:\d{1,9}|me|stop)\.\w{1,64}")


@dataclass(frozen=True, slots=True)
class Own:
    """Takmail's own address, without a token, and its name."""

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
        if domain.rstrip(".") != host or not local.startswith(own):
            return False
        return local == own or bool(_TOKEN.fullmatch(local, len(own)))
