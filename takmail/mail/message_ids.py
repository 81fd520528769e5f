"""The Message-IDs (RFC 5322 §3.6.4) that takmail accepts from a mail and may repeat in the thread of a letter.

Real ids contain many characters that the RFC forbids, and threading needs them unchanged. For that reason any printable
ASCII character except spaces and angle brackets is accepted. An id must not contain `=?`, the start of an encoded word
(RFC 2047), because a program that decodes it would see another id.
"""

import re

_ID_CHAR = r"(?:(?!=\?)[!-;=?-~])"
_ID_CHAR_BUT_AT = r"(?:(?!=\?)[!-;=?A-~])"

IN_THREAD = re.compile(rf"<{_ID_CHAR}{{1,500}}>")
"""An id as in In-Reply-To and References. Some programs write ids without an @."""
MESSAGE_ID = re.compile(rf"<{_ID_CHAR_BUT_AT}{{1,250}}@{_ID_CHAR_BUT_AT}{{1,250}}>")
"""An id with an @, as in a mail's own Message-ID."""
