#!/bin/sh
# Stops what up.sh started in DIR; the folder stays, with its logs and mails. Stopping twice does no harm.
set -u
[ $# -eq 1 ] || { echo "usage: down.sh DIR" >&2; exit 2; }
export PATH="$PATH:/usr/sbin:/sbin"
dir=$(cd "$1" && pwd) || exit 1

[ ! -e "$dir/postfix/main.cf" ] || postfix -c "$dir/postfix" stop >>"$dir/log/stop.log" 2>&1
[ ! -e "$dir/run/master.pid" ] || doveadm -c "$dir/dovecot/dovecot.conf" stop >>"$dir/log/stop.log" 2>&1

# Postfix ends its own processes a moment after it has said that it stopped.
for pid_file in "$dir/spool/pid/master.pid" "$dir/run/master.pid"; do
    tries=0
    while [ -s "$pid_file" ] && kill -0 "$(cat "$pid_file" | tr -d ' ')" 2>/dev/null; do
        tries=$((tries + 1))
        [ "$tries" -lt 100 ] || { echo "down.sh: $pid_file is still alive" >&2; exit 1; }
        sleep 0.05
    done
done
