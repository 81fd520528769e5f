#!/usr/bin/env bash
# Builds deploy/Containerfile by Debian's buildah, without an engine and without a registry: upon a minimal Debian of
# debootstrap in place of the image of Python that the file names. Then the container answers, as its user and below its
# entry point, and a settings file that is wrong ends it with 78. As root, on Debian.
set -euo pipefail
cd "$(dirname "$0")/.."
. tests/debian.sh
(find_missing buildah crun debootstrap ca-certificates && install_missing)
export STORAGE_DRIVER=vfs BUILDAH_ISOLATION=chroot
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
base=localhost/takmail-base
if ! buildah inspect --type image "$base" >/dev/null 2>&1; then
    debootstrap --variant=minbase --include=python3-pip,python3-dev,ca-certificates bookworm "$place/base" http://deb.debian.org/debian >/dev/null
    # Packages come the way they come to this machine.
    cp /etc/ssl/certs/ca-certificates.crt "$place/base/etc/ssl/certs/"
    container=$(buildah from scratch)
    buildah copy --quiet "$container" "$place/base" / >/dev/null
    buildah config --env PIP_BREAK_SYSTEM_PACKAGES=1 --env PIP_ROOT_USER_ACTION=ignore --env PIP_CERT=/etc/ssl/certs/ca-certificates.crt "$container"
    buildah commit --quiet --rm "$container" "$base" >/dev/null
fi
buildah build --quiet --network host --format docker --build-arg "PYTHON=$base" -f deploy/Containerfile -t localhost/takmail . >/dev/null
container=$(buildah from localhost/takmail)
trap 'rm -rf "$place"; buildah rm "$container" >/dev/null' EXIT
run() { buildah run --user takmail "$container" -- "$@"; }
run takmail --version
[ "$(run id -u)" = 10001 ]
buildah inspect --type image localhost/takmail | grep -q '"serve"'
buildah inspect --type image localhost/takmail | grep -q 'HEALTHCHECK\|"Healthcheck"'
run python3 -c 'import takmail.games.tak.bot.search as search; assert search.__file__.endswith(".so"), search.__file__'
printf '[service]\naddress = "tak@example.org"\n[smtp]\nhost = "127.0.0.1"\ntls = "none"\n[lmtp]\nport = 24240\n' >"$place/config.toml"
buildah copy --quiet --chown 10001 "$container" "$place/config.toml" /etc/takmail/config.toml >/dev/null
run takmail check-config --config /etc/takmail/config.toml
printf 'From: Ada <ada@example.org>\nMessage-ID: <1@mail.example.org>\n\nhelp\n' | run takmail deliver --queue --config /etc/takmail/config.toml
run takmail mail list --config /etc/takmail/config.toml
code=0
run takmail serve --config /etc/takmail/none.toml || code=$?
[ "$code" = 78 ]
echo "the image of $(buildah images --format '{{.Size}}' localhost/takmail) is built, and answers"
