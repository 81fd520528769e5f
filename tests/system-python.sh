#!/bin/sh
# Runs the tests that depend on the interpreter under the system's own Python, which may be an older 3.11 than the one of
# .venv: LMTP, IMAP, SMTP, the service, the store, and the demo. On Debian it installs Python and its venv, as root.
# Without a Python 3.11 it says so and does nothing. With --required that is an error. With --libraries behind it, it
# installs what the tests need, and runs none.
set -eu
cd "$(dirname "$0")/.."
. tests/debian.sh

python=/usr/bin/python3
venv=.venv-system

if command -v apt-get >/dev/null; then
    (find_missing python3 python3-venv && install_missing)
fi
if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    echo "test-system-python: skipped, as $python is missing or older than 3.11" >&2
    [ "${1:-}" != --required ]
    exit
fi
if [ ! -e "$venv/.ready" ] || [ requirements.lock -nt "$venv/.ready" ] || [ pyproject.toml -nt "$venv/.ready" ]; then
    "$python" -m venv --clear "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
    "$venv/bin/pip" install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
    touch "$venv/.ready"
fi
"$venv/bin/python" --version
[ "${2:-}" != --libraries ] || exit 0
"$venv/bin/takmail" demo --fast >/dev/null
exec "$venv/bin/pytest" -n auto --dist worksteal -m "${APART:?}" \
    tests/mail/lmtp tests/mail/test_imap.py tests/mail/test_imap_faults.py tests/mail/test_smtp.py tests/runtime tests/store \
    tests/acceptance/test_lmtp.py tests/acceptance/test_mailbox.py tests/acceptance/test_serving.py
