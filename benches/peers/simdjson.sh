#!/usr/bin/env bash
# Fetches the C++ sources of simdjson into `simdjson/`, which git ignores: from
# npm, at one version, and only if they are the bytes that were looked at. Does
# nothing if they are there.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

readonly VERSION=3.9.4
readonly INTEGRITY="/3oCP8GBpdyeiBMEnuI6S0yl0yekD6Qxfed67hZqU1GIVn3o/vZgE8qANm69THfw7JgHLS9zjx56F/dO3q+koA=="

if [[ -f simdjson/$VERSION ]]; then
    exit 0
fi
rm -rf simdjson
mkdir simdjson
cd simdjson
npm pack --silent "@nozbe/simdjson@$VERSION"
tarball=nozbe-simdjson-$VERSION.tgz
found=$(openssl dgst -sha512 -binary "$tarball" | openssl base64 -A)
if [[ $found != "$INTEGRITY" ]]; then
    printf 'simdjson: %s is not the tarball it should be: sha512-%s\n' "$tarball" "$found"
    exit 1
fi
tar -xzf "$tarball"
# The last thing, so that an interrupted run starts again.
touch "$VERSION"
