#!/bin/sh
# Puts PostgreSQL 15 on a Debian machine, for `make test-postgres`. Run as root; running it again does nothing. No
# service is started and no cluster made: the tests make and start their own (server.py).
set -eu

[ "$(dpkg-query -W -f '${db:Status-Status}' postgresql-15 2>/dev/null || true)" != installed ] || exit 0

if [ "$(id -u)" -ne 0 ]; then
    echo "install.sh: postgresql-15 is missing. Run this as root, it installs it with apt-get." >&2
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

# Nor does Debian's own tool make a cluster at installation then.
mkdir -p /etc/postgresql-common/createcluster.d
echo "create_main_cluster = false" >/etc/postgresql-common/createcluster.d/takmail-tests.conf

log=$(mktemp)
export DEBIAN_FRONTEND=noninteractive
if ! { apt-get update -q && apt-get install -y -q --no-install-recommends postgresql-15; } >"$log" 2>&1 </dev/null; then
    tail -n 20 "$log" >&2
    echo "install.sh: apt-get could not install postgresql-15; the whole log is in $log" >&2
    exit 1
fi
rm -f "$log"
