#!/bin/sh
# Starts a Dovecot and a Postfix of their own in the folder DIR, on loopback only. Run as root, after install.sh.
#
#   up.sh DIR       DIR must be reachable for every user (mode 755 all the way up)
#
# An access token is good (XOAUTH2, OAUTHBEARER) if INTROSPECTION_URL, where it is posted to (RFC 7662), answers with
# "active": true and the mailbox as "email". Without this variable no token is good.
#
# Ports may be given as IMAP_PORT, IMAPS_PORT, SMTP_PORT and SUBMISSION_PORT; free ones are taken otherwise. All that a
# client has to know is written to DIR/ports.env. Users: tak, ada and ben @example.test, and the same with 1 to 120
# behind the name, for tests that need an empty mailbox; password "secret".
# Mail to door@example.test, which has no mailbox, is handed over by LMTP to whoever listens at DIR/door/lmtp.sock.
# Nothing else can leave: Postfix has no transport but these two, and asks no DNS.
set -eu
[ $# -eq 1 ] || { echo "usage: up.sh DIR" >&2; exit 2; }
[ "$(id -u)" -eq 0 ] || { echo "up.sh: run this as root" >&2; exit 1; }
export PATH="$PATH:/usr/sbin:/sbin"
for program in dovecot postfix openssl python3; do
    command -v "$program" >/dev/null || { echo "up.sh: $program is missing, run install.sh" >&2; exit 1; }
done
mkdir -p "$1"
dir=$(cd "$1" && pwd)

free_ports() {
    python3 -c '
import socket, sys
held = [socket.create_server(("127.0.0.1", 0)) for _ in range(int(sys.argv[1]))]
print(*(door.getsockname()[1] for door in held))' "$1"
}
# shellcheck disable=SC2046  # four words
set -- $(free_ports 4)
IMAP_PORT=${IMAP_PORT:-$1} IMAPS_PORT=${IMAPS_PORT:-$2} SMTP_PORT=${SMTP_PORT:-$3} SUBMISSION_PORT=${SUBMISSION_PORT:-$4}

# The mails belong to a user who can do nothing else. Several of these scripts may start at once, and one makes it.
exec 8<"$0"
flock 8
getent group vmail >/dev/null || groupadd --system vmail
getent passwd vmail >/dev/null ||
    useradd --system --no-create-home --gid vmail --home-dir /nonexistent --shell /usr/sbin/nologin vmail
exec 8<&-
uid=$(id -u vmail) gid=$(id -g vmail)

chmod 755 "$dir"
for folder in dovecot run mail postfix spool data log door; do mkdir -p "$dir/$folder"; done
chown vmail:vmail "$dir/mail"
chown postfix "$dir/data"

openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj /CN=localhost \
    -addext "subjectAltName=DNS:localhost,IP:127.0.0.1" \
    -keyout "$dir/key.pem" -out "$dir/cert.pem" 2>"$dir/log/openssl.log"

for name in tak ada ben $(for n in $(seq 120); do echo "tak$n ada$n ben$n"; done); do
    echo "$name@example.test:{PLAIN}secret:$uid:$gid::$dir/mail/$name::"
done >"$dir/dovecot/users"

cat >"$dir/dovecot/oauth2" <<CONF
introspection_url = ${INTROSPECTION_URL:-http://127.0.0.1:9/}
introspection_mode = post
username_attribute = email
active_attribute = active
active_value = true
CONF

cat >"$dir/dovecot/dovecot.conf" <<CONF
base_dir = $dir/run
instance_name = takmail-$IMAPS_PORT
log_path = $dir/log/dovecot.log
listen = 127.0.0.1
protocols = imap lmtp

ssl = yes
ssl_cert = <$dir/cert.pem
ssl_key = <$dir/key.pem

auth_mechanisms = plain login xoauth2 oauthbearer
auth_username_format = %Lu
disable_plaintext_auth = no
# A wrong password, which tests try, would hold up all that come after it from the same address.
auth_failure_delay = 0
passdb {
  driver = oauth2
  mechanisms = xoauth2 oauthbearer
  args = $dir/dovecot/oauth2
}
passdb {
  driver = passwd-file
  mechanisms = plain login
  args = username_format=%Lu $dir/dovecot/users
}
userdb {
  driver = passwd-file
  args = username_format=%Lu $dir/dovecot/users
}

mail_location = maildir:~/Maildir
first_valid_uid = $uid
recipient_delimiter = +
mail_max_userip_connections = 200
# How long new mail goes unnoticed where the kernel has no inotify watch left for this user; 30 seconds otherwise.
mailbox_idle_check_interval = 1 secs
namespace inbox {
  inbox = yes
}

service imap-login {
  chroot =
  inet_listener imap {
    port = $IMAP_PORT
  }
  inet_listener imaps {
    port = $IMAPS_PORT
    ssl = yes
  }
}
service lmtp {
  unix_listener lmtp-postfix {
    mode = 0666
  }
}
service auth {
  unix_listener auth-postfix {
    mode = 0666
  }
}
service anvil {
  chroot =
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
service stats {
  chroot =
}
protocol lmtp {
  postmaster_address = postmaster@example.test
}
CONF

cat >"$dir/postfix/main.cf" <<CONF
compatibility_level = 3.6
queue_directory = $dir/spool
data_directory = $dir/data
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
mail_owner = postfix
setgid_group = postdrop
maillog_file = $dir/log/postfix.log
maillog_file_prefixes = $dir

myhostname = mail.example.test
mydomain = example.test
myorigin = example.test
mydestination =
mynetworks = 127.0.0.0/8
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
disable_dns_lookups = yes
smtpd_peername_lookup = no

virtual_mailbox_domains = example.test
virtual_mailbox_maps = static:ok
virtual_transport = lmtp:unix:$dir/run/lmtp-postfix
transport_maps = texthash:$dir/postfix/transport
recipient_delimiter = +
alias_maps =
alias_database =
local_recipient_maps =
relayhost =
default_transport = error:nothing leaves this machine
relay_transport = error:nothing leaves this machine

smtpd_sasl_type = dovecot
smtpd_sasl_path = $dir/run/auth-postfix
smtpd_relay_restrictions = reject_unauth_destination
smtpd_recipient_restrictions = reject_unauth_destination
smtpd_client_connection_rate_limit = 0
smtpd_client_message_rate_limit = 0
smtpd_tls_cert_file = $dir/cert.pem
smtpd_tls_key_file = $dir/key.pem
smtpd_tls_security_level = may
smtputf8_enable = yes
message_size_limit = 20480000
in_flow_delay = 0
# What Dovecot could not take is tried again soon, and not in five minutes.
queue_run_delay = 1s
minimal_backoff_time = 1s
maximal_backoff_time = 1s
CONF

echo "door@example.test lmtp:unix:$dir/door/lmtp.sock" >"$dir/postfix/transport"

submission="-o smtpd_tls_security_level=encrypt -o smtpd_sasl_auth_enable=yes"
submission="$submission -o smtpd_client_restrictions=permit_sasl_authenticated,reject"
cat >"$dir/postfix/master.cf" <<CONF
127.0.0.1:$SMTP_PORT       inet n - n - - smtpd
127.0.0.1:$SUBMISSION_PORT inet n - n - - smtpd $submission
pickup     unix n - n 60    1 pickup
cleanup    unix n - n -     0 cleanup
qmgr       unix n - n 300   1 qmgr
tlsmgr     unix - - n 1000? 1 tlsmgr
rewrite    unix - - n -     - trivial-rewrite
bounce     unix - - n -     0 bounce
defer      unix - - n -     0 bounce
trace      unix - - n -     0 bounce
verify     unix - - n -     1 verify
flush      unix n - n 1000? 0 flush
proxymap   unix - - n -     - proxymap
proxywrite unix - - n -     1 proxymap
smtp       unix - - n -     - smtp
relay      unix - - n -     - smtp
showq      unix n - n -     - showq
error      unix - - n -     - error
retry      unix - - n -     - error
discard    unix - - n -     - discard
lmtp       unix - - n -     - lmtp
anvil      unix - - n -     1 anvil
scache     unix - - n -     1 scache
postlog    unix-dgram n - n - 1 postlogd
CONF

cat >"$dir/ports.env" <<ENV
IMAP_PORT=$IMAP_PORT
IMAPS_PORT=$IMAPS_PORT
SMTP_PORT=$SMTP_PORT
SUBMISSION_PORT=$SUBMISSION_PORT
ENV

dovecot -c "$dir/dovecot/dovecot.conf"
postfix -c "$dir/postfix" start >"$dir/log/start.log" 2>&1 || { cat "$dir/log/start.log" >&2; exit 1; }

# Ready is when each of them has greeted; a login needs Dovecot's auth process besides, which the greeting waits for.
python3 - "$IMAP_PORT" "$SMTP_PORT" "$SUBMISSION_PORT" <<'PY' || { tail -n 20 "$dir"/log/*.log >&2; exit 1; }
import socket, sys, time

deadline = time.monotonic() + 20
for port in map(int, sys.argv[1:]):
    while True:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=5) as line:
                if line.recv(1):
                    break
        except OSError:
            pass
        if time.monotonic() > deadline:
            sys.exit(f"up.sh: nothing answers on port {port}")
        time.sleep(0.05)
PY
