"""Determine why a mail has no readable text, so that its author can be notified."""

import re
from collections.abc import Sequence

from takmail.mail.message import UnreadableReason
from takmail.mail.mime import Part

_PGP_MESSAGE = re.compile(r"^-----BEGIN PGP MESSAGE-----[ \t]*$", re.MULTILINE)
_SMIME = frozenset({"application/pkcs7-mime", "application/x-pkcs7-mime"})
_TNEF = frozenset({"application/ms-tnef", "application/vnd.ms-tnef"})


def unreadable_reason(parts: Sequence[Part], text: str) -> UnreadableReason | None:
    """Return why a mail of these parts, with the readable text `text`, can't be read; None if it can be read.

    Encryption is recognised by the OpenPGP armor (RFC 9580 §6.2), PGP/MIME (RFC 3156 §4) or S/MIME (RFC 8551 §3.2.2).
    S/MIME uses the same media type for opaque signatures.
    """
    if _PGP_MESSAGE.search(text):
        return UnreadableReason.ENCRYPTED
    if text.strip():
        return None
    for part in parts:
        if part.kind == "application/pgp-encrypted":
            return UnreadableReason.ENCRYPTED
        if part.kind in _SMIME:
            signed = part.parameters.get("smime-type", "").lower() == "signed-data"
            return UnreadableReason.SEALED if signed else UnreadableReason.ENCRYPTED
    kinds = {part.kind for part in parts}
    if _TNEF & kinds:
        return UnreadableReason.WINMAIL
    files = any(part.attached or part.kind == "message/rfc822" for part in parts)
    return UnreadableReason.ATTACHED if files else None
