#!/bin/sh
# Puts PostgreSQL 15 on a Debian machine, for `make test-postgres`. Run as root; running it again does nothing. No
# service is started and no cluster made: the tests make and start their own (server.py).
set -eu
. "$(dirname "$0")/../debian.sh"

find_missing postgresql-15
start_no_service
# Nor does Debian's own tool make a cluster at installation then.
mkdir -p /etc/postgresql-common/createcluster.d
echo "create_main_cluster = false" >/etc/postgresql-common/createcluster.d/takmail-tests.conf
install_missing
