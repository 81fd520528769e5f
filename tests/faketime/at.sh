#!/bin/sh
# Runs a command as at another time, from which its clock runs on: at.sh "2028-02-29 12:00" .venv/bin/pytest tests/cli
# The time is one that `date` understands, such as "+40 days". On Debian it installs faketime, as root.
set -eu
seconds=$(($(date -d "${1:?a time such as +40 days}" +%s) - $(date +%s)))
shift
here=$(cd "$(dirname "$0")" && pwd)
if command -v apt-get >/dev/null; then
    (. "$here/../debian.sh" && find_missing faketime && install_missing)
fi
# By another clock pytest takes the folders of runs that go on for old ones, and removes them. They stay after a failure.
folder=$(mktemp -d -p /dev/shm takmail-at.XXXXXX 2>/dev/null || mktemp -d)
# Monotonic clocks stay, or waits would not end, which needs sitecustomize.py. So do the times of files, or Python would
# compile all of them anew. What waits by a monotonic clock is left as it is, too: a thread of Python that waits for
# another one would else ask all the time, which takes as long as the tests themselves.
PYTHONPATH=$here PYTEST_DEBUG_TEMPROOT=$folder \
    DONT_FAKE_MONOTONIC=1 FAKETIME_FORCE_MONOTONIC_FIX=0 NO_FAKE_STAT=1 \
    faketime -m -f "$(printf %+d "$seconds")s" "$@"
rm -rf "$folder"
