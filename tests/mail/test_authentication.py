"""Only the topmost Authentication-Results header counts, if the right server wrote it and it is well formed."""

import pytest

from takmail.limits.mails import MAX_HEADER_CHARS, MAX_RESULTS_CHARS
from takmail.mail.authentication import dmarc_result
from takmail.mail.headers import Headers
from takmail.mail.message import Dmarc
from takmail.mail.reader import read
from tests.support.cost import assert_in_proportion
from tests.support.tables import each_row

ADA = "ada@example.org"
OURS = "mx.example.test"
PASS = f"{OURS}; dmarc=pass header.from=example.org"


def result(*values: str, authserv_id: str | None = OURS, sender: str = ADA) -> Dmarc:
    """Return what these Authentication-Results, topmost first, say about the sender of a mail."""
    return dmarc_result(
        Headers(tuple(("authentication-results", one) for one in values)), authserv_id, sender
    )


def believed(*values: str, authserv_id: str | None = OURS, sender: str = ADA) -> bool:
    """Return whether these Authentication-Results, topmost first, confirm the sender of a mail."""
    return result(*values, authserv_id=authserv_id, sender=sender) is Dmarc.PASS


def vouched(head: str, authserv_id: str | None = OURS) -> bool:
    """Return whether a mail with this raw header block has a confirmed sender."""
    raw = f"{head}\r\nTo: tak@example.test\r\n\r\nps b4\r\n".replace("\n", "\r\n").replace("\r\r", "\r")
    return read(raw.encode(), frozenset(), authserv_id=authserv_id).dmarc is Dmarc.PASS


@each_row(
    "value",
    [
        PASS,
        PASS.upper(),
        f"{OURS} 1; dmarc=pass header.from=example.org",
        f"{OURS};dmarc=pass header.from=example.org;",
        f'"{OURS}"; dmarc=pass header.from="example.org"',
        f"(a) {OURS} (b (c)) 1 (d); dmarc (e) = (f) pass (p=NONE sp=NONE) header (g) . from = example.org (h)",
        f'{OURS}; dmarc/1=pass reason="all; well" policy.dmarc=none header.from=example.org',
        f"{OURS}; dmarc=pass action=none header.from=example.org;compauth=pass reason=100",
        f"{OURS}; spf=pass smtp.remote-ip=2001:db8::1; dmarc=pass header.from=example.org",
        f"{OURS}; dkim=pass header.i=@example.org header.s=s1 header.b=Ax3/+=; spf=pass ({OURS}: domain of {ADA} "
        f"designates 192.0.2.1 as permitted sender) smtp.mailfrom={ADA}; dmarc=pass (p=REJECT sp=REJECT dis=NONE) "
        "header.from=example.org",
        f"{OURS}; dkim=fail; dkim=pass header.d=example.org; dmarc=pass header.from=example.org",
    ],
)
def test_what_a_server_says_is_understood(value: str) -> None:
    assert believed(value)


@each_row(
    "value",
    [
        "",
        OURS,
        f"{OURS}; none",
        f"{OURS}; dmarc=fail header.from=example.org",
        f"{OURS}; dmarc=none header.from=example.org",
        f"{OURS}; dmarc=bestguesspass header.from=example.org",
        f"{OURS}; dmarc=passed header.from=example.org",
        f"{OURS}; dmarc=pass",
        f"{OURS}; dmarc=pass header.from=",
        f"{OURS}; dmarc=pass smtp.mailfrom=example.org",
        f"{OURS}; dmarc/2=pass header.from=example.org",
        f"{OURS} 2; dmarc=pass header.from=example.org",
        f"{OURS}; spf=pass header.from=example.org",
        f"{OURS}; x-dmarc=pass header.from=example.org",
        f"{OURS}; dmarc-x=pass header.from=example.org",
        "dmarc=pass header.from=example.org",
        "; dmarc=pass header.from=example.org",
    ],
)
def test_anything_but_a_pass_is_none(value: str) -> None:
    assert not believed(value)


@pytest.mark.parametrize(
    "domain", ["example.net", "mail.example.org", "org", "example.org.example.net", "xexample.org"]
)
def test_a_pass_of_another_domain_is_none(domain: str) -> None:
    assert not believed(f"{OURS}; dmarc=pass header.from={domain}")


@each_row(
    "value",
    [
        f"{OURS}; spf=fail (dmarc=pass header.from=example.org)",
        f"{OURS}; spf=fail (; dmarc=pass header.from=example.org)",
        f"{OURS}; spf=fail (\\); dmarc=pass header.from=example.org)",
        # Were the escapes not read, the comment would end early, and all would still be well formed.
        f"{OURS}; spf=fail (\\); dmarc=pass header.from=example.org; \\()",
        f"{OURS}; spf=fail (a(b); dmarc=pass header.from=example.org)",
        f"{OURS} (; dmarc=pass header.from=example.org)",
        f'{OURS}; spf=fail smtp.mailfrom="; dmarc=pass header.from=example.org"',
        f'{OURS}; spf=fail smtp.mailfrom="\\"; dmarc=pass header.from=example.org"@example.net',
        f'{OURS}; spf=fail reason="(" smtp.helo=") ; dmarc=pass header.from=example.org"',
        f"{OURS}; dmarc=pass (header.from=example.org)",
        f'{OURS}; dmarc=pass reason="x header.from=example.org"',
        f'{OURS}; dmarc=pass reason="x" header.from=example.net (header.from=example.org)',
        f"{OURS}; dmarc=fail (dmarc=pass) header.from=example.org",
        f'{OURS}; dmarc=pass header.from="x header.from=example.org"',
    ],
)
def test_what_stands_in_a_comment_or_in_quotes_says_nothing(value: str) -> None:
    assert not believed(value)


@each_row(
    "value",
    [
        f"{PASS}; dmarc=pass header.from=example.org",
        f"{PASS}; dmarc=fail header.from=example.org",
        f"{OURS}; dmarc=fail header.from=example.net; dmarc=pass header.from=example.org",
        f"{PASS} header.from=example.net",
        f"{OURS}; dmarc=pass header.from=example.net header.from=example.org",
        f"{PASS} (never closed",
        f'{PASS} reason="never closed',
        f"{PASS} )",
        f"{PASS} (\\",
        f"{PASS} nonsense",
        f'{PASS} reason="a"b',
        f"{OURS}; dmarc=pass, header.from=example.org",
    ],
)
def test_what_contradicts_itself_or_is_not_well_formed_is_not_believed(value: str) -> None:
    assert not believed(value)


@each_row(
    "server",
    [
        "mx.example.net",
        "example.test",
        f"x{OURS}",
        f"{OURS}.example.net",
        "mx",
        f"{OURS} x",
        "mx.example.test/1",
        "",
    ],
)
def test_a_server_of_another_name_is_not_believed(server: str) -> None:
    assert not believed(f"{server}; dmarc=pass header.from=example.org")


def test_a_letter_that_only_looks_like_one_of_the_server_s_name_is_another() -> None:
    assert not believed("m\N{KELVIN SIGN}.test; dmarc=pass header.from=example.org", authserv_id="mk.test")
    assert believed("mK.test; dmarc=pass header.from=example.org", authserv_id="mk.test")


def test_only_the_topmost_counts_whosever_it_is() -> None:
    fail = f"{OURS}; dmarc=fail header.from=example.org"
    assert believed(PASS, fail, "mx.example.net; none")
    assert not believed(fail, PASS)
    assert not believed("mx.example.net; none", PASS)
    assert not believed("", PASS)
    assert not believed("(", PASS)
    assert not believed()


def test_without_the_setting_none_is_believed() -> None:
    assert not believed(PASS, authserv_id=None)
    assert not believed(PASS, authserv_id="")
    assert not believed("; dmarc=pass header.from=example.org", authserv_id="")


def test_without_one_sender_none_is_believed() -> None:
    assert not believed(PASS, sender="")
    assert not believed(f"{OURS}; dmarc=pass header.from=", sender="")
    two = "From: ada@example.org\nFrom: ben@example.org"
    assert vouched(f"Authentication-Results: {PASS}\nFrom: ada@example.org")
    assert not vouched(f"Authentication-Results: {PASS}\n{two}")
    assert not vouched(f"Authentication-Results: {PASS}\nFrom: ada@example.org, ben@example.net")


def test_a_folded_header_is_one_header() -> None:
    folded = PASS.replace("; ", ";\n\t").replace(" header", "\n header")
    assert vouched(f"AUTHENTICATION-RESULTS:\n {folded}\nFrom: Ada\n <{ADA}>")
    assert not vouched(f"X-Authentication-Results: {PASS}\nFrom: {ADA}")
    assert not vouched(f"ARC-Authentication-Results: i=1; {PASS}\nFrom: {ADA}")


def test_one_that_is_too_long_still_hides_what_is_below_it() -> None:
    """If the server's own header is too long, a forged header below it must not take its place."""
    long = f"{OURS}; dmarc=fail header.from=example.org ({'x' * MAX_HEADER_CHARS})"
    assert not vouched(f"Authentication-Results: {long}\nAuthentication-Results: {PASS}\nFrom: {ADA}")
    assert believed(f"{PASS} ({'x' * (MAX_RESULTS_CHARS - len(PASS) - 3)})")
    assert not believed(f"{PASS} ({'x' * (MAX_RESULTS_CHARS - len(PASS) - 2)})")


FROM = "header.from=example.org"


@each_row(
    "value",
    [
        f"{OURS}; dmarc=fail (p=REJECT sp=REJECT dis=NONE) {FROM}",
        f"{OURS}; dmarc=fail (p=QUARANTINE sp=NONE dis=QUARANTINE) {FROM}",
        f"{OURS}; dmarc=fail (p=NONE sp=QUARANTINE dis=QUARANTINE) {FROM}",
        f"{OURS}; dmarc=fail (p=reject dis=none) {FROM}",
        f"{OURS}; dmarc=fail action=oreject {FROM};compauth=fail reason=000",
        f"{OURS}; dmarc=fail action=o.reject {FROM}",
        f"{OURS}; dmarc=fail action=pct.quarantine {FROM}",
        f"{OURS}; dmarc=fail action=quarantine {FROM}",
        f"{OURS}; dmarc=fail policy.published-domain-policy=reject policy.applied-disposition=none {FROM}",
        f"{OURS}; dmarc=fail policy.published-domain-policy=none policy.evaluated-disposition=reject {FROM}",
        f"{OURS}; dmarc=fail (p=reject,has-list-id=yes,d=none) {FROM}",
        f'{OURS}; dmarc=fail reason="SPF not aligned (relaxed), No valid DKIM" {FROM} (policy=reject)',
        f"{OURS}; dkim=perm_fail; spf=fail smtp.mailfrom=example.net; dmarc=fail(p=reject,sp=reject,dis=none)",
        f"{OURS} 1; dmarc (e) = (f) fail (P=Reject) {FROM}",
    ],
)
def test_a_fail_under_a_strict_policy_refutes_the_sender(value: str) -> None:
    assert result(value) is Dmarc.REFUTED


@pytest.mark.parametrize(
    "value",
    [
        f"{OURS}; dmarc=fail {FROM}",
        f"{OURS}; dmarc=fail (p=NONE sp=NONE dis=NONE) {FROM}",
        f"{OURS}; dmarc=fail (p=NONE sp=QUARANTINE dis=NONE) {FROM}",
        f"{OURS}; dmarc=fail action=none {FROM}",
        f"{OURS}; dmarc=fail policy.published-domain-policy=none policy.published-subdomain-policy=reject {FROM}",
        f"{OURS}; dmarc=fail {FROM} (policy=none)",
    ],
)
def test_a_fail_under_no_policy_or_an_unknown_one_is_only_a_fail(value: str) -> None:
    assert result(value) is Dmarc.FAIL


@pytest.mark.parametrize(
    "value",
    [
        f"{OURS}; dmarc=none (p=REJECT) {FROM}",
        f"{OURS}; dmarc=temperror action=none {FROM}",
        f"{OURS}; x-dmarc=fail (p=reject) {FROM}",
        f"{OURS}; dmarc=failure (p=reject) {FROM}",
        f"mx.example.net; dmarc=fail (p=REJECT) {FROM}",
        f"{OURS}.example.net; dmarc=fail (p=REJECT) {FROM}",
    ],
)
def test_what_is_no_fail_of_the_server_s_own_refutes_nobody(value: str) -> None:
    assert result(value) is Dmarc.NONE


REFUTED = f"dmarc=fail (p=REJECT sp=REJECT dis=NONE) {FROM}"


@each_row(
    "value",
    [
        f"{OURS}; {REFUTED}; dmarc=pass {FROM}",
        f"{OURS}; spf=none smtp.mailfrom=x;dmarc=pass {FROM}; {REFUTED}",
        f"{OURS}; spf=none smtp.mailfrom=x;dmarc=fail (p=NONE dis=NONE) {FROM}; {REFUTED}",
        f"{OURS}; spf=none smtp.mailfrom=x;dmarc=none {FROM}; {REFUTED}",
        f"{OURS}; spf=none (domain of a(b) smtp.mailfrom=a; {REFUTED}",
        f"{OURS}; spf=none (domain of a)b) smtp.mailfrom=a; {REFUTED}",
        f'{OURS}; spf=none smtp.mailfrom=a"b; {REFUTED}',
        f"{OURS}; spf=none smtp.mailfrom=a\\(b; {REFUTED}",
        f"{OURS}; spf=none smtp.mailfrom=\u00e4@example.net; {REFUTED}",
        f"{OURS}; spf=none smtp.helo={'x' * MAX_RESULTS_CHARS}; {REFUTED}",
        f"{OURS}; {REFUTED} header.from=example.net",
        f"{OURS}; dmarc=fail (p=REJECT) header.from=example.net",
    ],
)
def test_what_a_sender_can_write_does_not_soften_a_fail(value: str) -> None:
    assert result(value) is Dmarc.REFUTED


@pytest.mark.many
@each_row(
    "piece", ["(", ")", "()", '"', "\\", ";", " ", "=", ".", "a ", "a=", "a.b=c ", '""', "; dmarc=pass"]
)
def test_the_longest_ones_take_no_time(piece: str) -> None:
    assert_in_proportion(
        lambda size: believed(f"{OURS}; dmarc=pass " + piece * (size // len(piece))), MAX_RESULTS_CHARS - 100
    )
