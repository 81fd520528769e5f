#!/usr/bin/env bash
# Builds the archives of a release, installs each of them with the newest libraries that it allows into an empty
# environment, and plays the demo there, in an empty folder. Once for each Python that is named and is there.
#   tests/archives.sh python3.11 python3.12 /opt/python3.14/bin/python3.14
set -euo pipefail
cd "$(dirname "$0")/.."
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct) .venv/bin/python -m hatchling build -d "$place/archives" >/dev/null
played=0
for python in "$@"; do
    if ! command -v "$python" >/dev/null || ! version=$("$python" -c 'import sys; print(sys.version.split()[0])'); then
        echo "$python: not here"
        continue
    fi
    for archive in "$place"/archives/takmail-*.whl "$place"/archives/takmail-*.tar.gz; do
        room=$(mktemp -d -p "$place")
        "$python" -m venv "$room/venv"
        "$room/venv/bin/pip" install --quiet --disable-pip-version-check "takmail[demo] @ file://$archive"
        (cd "$room" && venv/bin/takmail --version && venv/bin/takmail demo --fast --folder played >said 2>&1) || { cat "$room/said"; exit 1; }
        letters=$(find "$room/played" -name '*.html' | wc -l)
        echo "Python $version, ${archive##*.}: the demo has played, $letters pages"
        rm -rf "$room"
        played=$((played + 1))
    done
done
[ "$played" -gt 0 ]
