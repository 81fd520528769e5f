"""Check by Authentication-Results (RFC 8601) whether the receiving mail server confirms the From header.

Anybody can write this header into a mail. Only the topmost one counts, because a server adds its own header above all
headers that came with the mail. It counts only if it names the server that the operator configured. A doubtful header
is not believed, and takmail then asks for confirmation of the commands.
"""

import re

from takmail.limits.mails import MAX_RESULTS_CHARS
from takmail.mail.headers import Headers

_QUOTED = r'"(?:[^"\\]|\\.)*"'
_SERVER = re.compile(r' ?(?:"([^"\\]+)"|([^ "]+))(?: 1)? ?')
_IS_DMARC = re.compile(r" ?dmarc(?![\w-])", re.IGNORECASE | re.ASCII)
_METHOD = re.compile(r" ?dmarc(?: ?/ ?1)? ?= ?([a-z]+)(?= |$)", re.IGNORECASE)
_PROPERTY = re.compile(rf' ([\w-]+(?: ?\. ?[\w.-]+)?) ?= ?({_QUOTED}(?:@[\w.-]+)?|[^ "]*)(?= |$)', re.ASCII)


def dmarc_passes(headers: Headers, authserv_id: str | None, sender: str) -> bool:
    """Return whether the server named `authserv_id` reports dmarc=pass for the domain of the bare address `sender`.

    The result is False without an `authserv_id`, and for a mail without exactly one sender, for which `sender` is ''.
    """
    domain = sender.rpartition("@")[2]
    if not authserv_id or not domain:
        return False
    topmost = headers.first("authentication-results")
    # A server that removes forged headers may miss a header with a look-alike of an ASCII letter, such as the Kelvin
    # sign.
    if not topmost.isascii() or len(topmost) > MAX_RESULTS_CHARS:
        return False
    server, *results = _clauses(topmost) or [""]
    named = _SERVER.fullmatch(server)
    if named is None or (named[1] or named[2]).lower() != authserv_id.lower():
        return False
    verdicts = [one for one in results if _IS_DMARC.match(one)]
    # A server writes one verdict. If there are several, somebody else has added one.
    return len(verdicts) == 1 and _passed(verdicts[0]) == domain.lower()


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
