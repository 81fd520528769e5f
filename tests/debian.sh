# What the install.sh of several folders share; they read this file. None of them does anything where all is there.

# Keep in $missing which of these packages are not installed. Ends the script where all are, and where it isn't root's.
find_missing() {
    missing=""
    for package; do
        state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
        [ "$state" = installed ] || missing="$missing $package"
    done
    [ -n "$missing" ] || exit 0
    if [ "$(id -u)" -ne 0 ]; then
        echo "install.sh: missing:$missing. Run this as root, it installs them with apt-get." >&2
        exit 1
    fi
}

# Have no service started at installation.
start_no_service() {
    # Debian asks this script before it starts one; 101 is "no". One that the machine has already is left alone, ours is
    # taken away at the end.
    policy=/usr/sbin/policy-rc.d
    if [ ! -e "$policy" ]; then
        trap 'rm -f "$policy"' EXIT
        printf '#!/bin/sh\nexit 101\n' >"$policy"
        chmod 755 "$policy"
    fi
}

install_missing() {
    log=$(mktemp)
    export DEBIAN_FRONTEND=noninteractive
    # shellcheck disable=SC2086  # the list is meant to fall apart into words
    if ! { apt-get update -q && apt-get install -y -q --no-install-recommends $missing; } >"$log" 2>&1 </dev/null; then
        tail -n 20 "$log" >&2
        echo "install.sh: apt-get could not install$missing; the whole log is in $log" >&2
        exit 1
    fi
    rm -f "$log"
}
