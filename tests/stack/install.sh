#!/bin/sh
# Puts Dovecot, Postfix and openssl on a Debian machine, for the tests marked "stack". Run as root; running it
# again does nothing. No service of the distribution is started: the tests start their own (up.sh).
set -eu

packages="dovecot-imapd dovecot-lmtpd postfix openssl"

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

# Debian asks this script before it starts a service at installation; 101 is "no". One that the machine
# has already is left alone, ours is taken away at the end.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
    trap 'rm -f "$policy"' EXIT
    printf '#!/bin/sh\nexit 101\n' >"$policy"
    chmod 755 "$policy"
fi

log=$(mktemp)
export DEBIAN_FRONTEND=noninteractive
echo "postfix postfix/main_mailer_type select No configuration" | debconf-set-selections
# shellcheck disable=SC2086  # the list is meant to fall apart into words
if ! { apt-get update -q && apt-get install -y -q --no-install-recommends $missing; } >"$log" 2>&1 </dev/null; then
    tail -n 20 "$log" >&2
    echo "install.sh: apt-get could not install$missing; the whole log is in $log" >&2
    exit 1
fi
rm -f "$log"
