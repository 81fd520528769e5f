"""How much of a mail is read: bounds on what a stranger can make takmail do."""

MAX_READ_BYTES = 2 * 1024 * 1024
"""Bytes of a mail that are looked at; programs put the text before the attachments."""

MAX_HEAD_BYTES = 256 * 1024
"""Bytes of the header block of a mail or a part; with a longer one the text is not read."""

MAX_HEADER_CHARS = 64 * 1024
"""Characters of one unfolded header; a longer one counts as absent."""

MAX_DECODED_CHARS = 2_000
"""Characters of a Subject, a name or a Content-Type that are looked at."""

MAX_ADDRESSES = 200
"""Addresses read from all the headers of a kind."""

MAX_DEPTH = 20
"""Multiparts inside multiparts; with more the text is not read."""

MAX_PARTS = 500
"""Parts of a mail; with more the text is not read."""

MAX_TEXT_CHARS = 256 * 1024
"""Characters of the readable text; the rest is cut off."""

MAX_TAGS = 10_000
"""Tags of an HTML part; it is cut off there, as parsing takes quadratic time in their depth."""

MAX_REFERENCES = 100
"""Message-IDs kept from References and from In-Reply-To, the newest ones."""

MAX_NAME_CHARS = 60
"""Characters of a display name."""
