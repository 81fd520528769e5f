#!/bin/sh
# Puts Chromium and fonts on a Debian machine, for the tests marked "browser". Run as root; running it again does
# nothing.
set -eu
. "$(dirname "$0")/../debian.sh"

find_missing chromium fonts-dejavu-core fonts-liberation fonts-wqy-microhei
install_missing
