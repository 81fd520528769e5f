"""Message-IDs (RFC 5322 §3.6.4): what is taken for one in a mail, and so may stand in the thread of a letter.

Mails have ids with many more signs than the RFC allows, and threads need them as they are: any printable ASCII but
blanks and angle brackets. No id holds `=?`, which begins an encoded word (RFC 2047): it would be another text to
whoever decodes it.
"""

import re

_SIGN = r"(?:(?!=\?)[!-;=?-~])"
_SIGN_BESIDE_AT = r"(?:(?!=\?)[!-;=?A-~])"

IN_THREAD = re.compile(rf"<{_SIGN}{{1,500}}>")
"""An id as In-Reply-To and References name it: some programs write none of the two halves."""
MESSAGE_ID = re.compile(rf"<{_SIGN_BESIDE_AT}{{1,250}}@{_SIGN_BESIDE_AT}{{1,250}}>")
"""An id with both halves, as a mail's own is."""
