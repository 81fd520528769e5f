#!/bin/sh
# Puts Chromium and fonts on a Debian machine, for the tests marked "browser". Run as root; running it again does
# nothing.
set -eu

packages="chromium fonts-dejavu-core fonts-liberation"

missing=""
for package in $packages; do
    state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$state" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" -ne 0 ]; then
    echo "install.sh: missing:$missing. Run this as root, it installs them with apt-get." >&2
    exit 1
fi

log=$(mktemp)
export DEBIAN_FRONTEND=noninteractive
# shellcheck disable=SC2086  # the list is meant to fall apart into words
if ! { apt-get update -q && apt-get install -y -q --no-install-recommends $missing; } >"$log" 2>&1 </dev/null; then
    tail -n 20 "$log" >&2
    echo "install.sh: apt-get could not install$missing; the whole log is in $log" >&2
    exit 1
fi
rm -f "$log"
