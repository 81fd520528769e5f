#!/bin/sh
# Runs a command as at another time, from which its clock runs on: at.sh "2028-02-29 12:00" .venv/bin/pytest tests/cli
# The time is one that `date` understands, such as "+40 days". On Debian it installs faketime, as root.
#
# Monotonic clocks stay as they are, and so do the times of files, or Python would compile takmail anew.
set -eu
time=$(($(date -d "${1:?a time such as +40 days}" +%s) - $(date +%s)))
shift
if command -v apt-get >/dev/null; then
    (. "$(dirname "$0")/debian.sh" && find_missing faketime && install_missing)
fi
exec env DONT_FAKE_MONOTONIC=1 NO_FAKE_STAT=1 faketime -m -f "$(printf %+d "$time")s" "$@"
