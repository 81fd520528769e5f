"""What people are called: a display name comes from anywhere and leads letters to people who never asked for them."""

import re

from takmail.service.reading.plain import plain

MOST_NAME = 40
"""Characters of a display name that are shown."""
_LEADS_AWAY = re.compile(r"://|\bwww\b|\w[.。]\w{2,}|\d[.。]\d|@", re.IGNORECASE)
"""What a mail program would make a link of; the initials in J.R. are none."""


def clean_name(name: str) -> str:
    """A display name as letters may show it; empty where it holds what looks like a way to a web page."""
    text = plain(name)
    return "" if _LEADS_AWAY.search(text) else text[:MOST_NAME].rstrip()


def provisional_name(address: str) -> str:
    """What a guest is called to the host, who gave the address: its first word, `Ben` for ben.x2@…, if it has one."""
    return re.split(r"[^a-z]", address)[0].capitalize()[:MOST_NAME]
