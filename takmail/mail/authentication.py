"""Check by Authentication-Results (RFC 8601) whether the receiving mail server confirms the From header.

Anybody can write this header into a mail. Only the topmost one counts, because a server adds its own header above all
headers that came with the mail. It counts only if it names the server that the operator configured. A doubtful header
confirms nobody.
"""

import re

from takmail.limits.mails import MAX_RESULTS_CHARS
from takmail.mail.headers import Headers
from takmail.mail.message import Dmarc

_QUOTED = r'"(?:[^"\\]|\\.)*"'
_SERVER = re.compile(r' ?(?:"([^"\\]+)"|([^ "]+))(?: 1)? ?')
_IS_DMARC = re.compile(r" ?dmarc(?![\w-])", re.IGNORECASE | re.ASCII)
_METHOD = re.compile(r" ?dmarc(?: ?/ ?1)? ?= ?([a-z]+)(?= |$)", re.IGNORECASE)
_PROPERTY = re.compile(rf' ([\w-]+(?: ?\. ?[\w.-]+)?) ?= ?({_QUOTED}(?:@[\w.-]+)?|[^ "]*)(?= |$)', re.ASCII)
_FAILED = re.compile(r"(?<![\w.-])dmarc(?:\s*/\s*1)?\s*=\s*fail(?![\w-])", re.IGNORECASE | re.ASCII)
_IS_STRICT = re.compile(
    r"""(?<![\w.-])
    (?: p | policy | dis                                 # Gmail, OpenDMARC, Yahoo; rspamd
      | action                                           # Exchange, with a prefix where it did not apply the policy
      | policy\.published-domain-policy | policy\.(?:applied|evaluated)-disposition  # Fastmail
    ) \s*=\s* "? (?:o\.?|pct\.)? (?:quarantine|reject) (?![\w-])""",
    re.IGNORECASE | re.ASCII | re.VERBOSE,
)
"""A policy of quarantine or reject, as servers report it.

The policy for subdomains (`sp`) counts only if the server has applied it, because most senders are in the domain
itself: gmail.com has p=none and sp=quarantine.
"""


def dmarc_result(headers: Headers, authserv_id: str | None, sender: str) -> Dmarc:
    """Return what the server named `authserv_id` reports about the domain of the bare address `sender`.

    The result is NONE without an `authserv_id`, and for a mail without exactly one sender, for which `sender` is ''.

    Some of the header is text that the sender chose. So a pass must be well formed and the only verdict, while a fail
    and its policy count wherever they stand, in a comment too: whoever adds one only does harm to a mail of their own.
    """
    domain = sender.rpartition("@")[2].lower()
    topmost = headers.first("authentication-results")
    # A server that removes forged headers may miss a header with a look-alike of an ASCII letter, such as the Kelvin
    # sign.
    is_tidy = topmost.isascii() and len(topmost) <= MAX_RESULTS_CHARS
    clauses = (_clauses(topmost) if is_tidy else None) or []
    server = _SERVER.fullmatch(clauses[0] if clauses else " ".join(topmost.partition(";")[0].split()))
    if not authserv_id or not domain or server is None:
        return Dmarc.NONE
    if (server[1] or server[2]).lower() != authserv_id.lower():
        return Dmarc.NONE
    verdicts = [one for one in clauses[1:] if _IS_DMARC.match(one)]
    # A server writes one verdict. If there are several, somebody else has added one.
    if len(verdicts) == 1 and _passed(verdicts[0]) == domain:
        return Dmarc.PASS
    if not any(map(_FAILED.search, (topmost, *verdicts))):
        return Dmarc.NONE
    return Dmarc.REFUTED if any(map(_IS_STRICT.search, (topmost, *verdicts))) else Dmarc.FAIL


def _passed(result: str) -> str | None:
    """Return the domain for which a clause reports dmarc=pass; None for any other clause or a malformed one."""
    method = _METHOD.match(result)
    if method is None or method[1].lower() != "pass":
        return None
    domains, at = [], method.end()
    while found := _PROPERTY.match(result, at):
        at = found.end()
        if found[1].replace(" ", "").lower() == "header.from":
            domains.append(found[2].strip('"').lower())
    return domains[0] if len(domains) == 1 and not result[at:].strip() else None


def _clauses(value: str) -> list[str] | None:
    """Split the header at its semicolons, without its comments; None if a comment or a quoted string never ends.

    Comments and runs of spaces become a single space. Quoted strings stay as they are. The function makes one pass and
    doesn't recurse.
    """
    clauses = [""]
    depth, quoted, escaped = 0, False, False
    for c in value:
        if escaped or (c == "\\" and (quoted or depth)):
            escaped = not escaped
        elif c == '"' and not depth:
            quoted = not quoted
        elif quoted:
            pass
        elif c == "(":
            depth += 1
        elif c == ")":
            depth -= 1
            c = " "
        elif c == ";" and not depth:
            clauses.append("")
            continue
        elif c.isspace():
            c = " "
        if depth < 0:
            return None
        if not depth and (quoted or c != " " or not clauses[-1].endswith(" ")):
            clauses[-1] += c
    return None if quoted or depth else clauses
