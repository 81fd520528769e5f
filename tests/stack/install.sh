#!/bin/sh
# Puts Dovecot, Postfix and openssl on a Debian machine, for the tests marked "stack". Run as root; running it
# again does nothing. No service of the distribution is started: the tests start their own (up.sh).
set -eu
. "$(dirname "$0")/../debian.sh"

find_missing dovecot-imapd dovecot-lmtpd postfix openssl
start_no_service
echo "postfix postfix/main_mailer_type select No configuration" | debconf-set-selections
install_missing
