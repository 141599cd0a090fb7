#!/usr/bin/env bash
# Fetches the C++ sources of simdjson into `simdjson/`, which git ignores: from
# npm, at one version, and only if they are the bytes that were looked at. Does
# nothing if they are there.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

readonly VERSION=3.9.4
# The registry's `dist.integrity`, in hexadecimal.
readonly SHA512=ff7a023fc181a5dc9e8813049ee23a4b4ca5d327a40fa4317de77aee166a535188567de8fef66013ca80366ebd4c77f0ec98072d2f738f1e7a17f74edeafa4a0

if [[ -f simdjson/$VERSION ]]; then
    exit 0
fi
rm -rf simdjson
mkdir simdjson
cd simdjson
npm pack --silent "@nozbe/simdjson@$VERSION"
tarball=nozbe-simdjson-$VERSION.tgz
printf '%s  %s\n' "$SHA512" "$tarball" | sha512sum --check --strict
tar -xzf "$tarball"
# The last thing, so that an interrupted run starts again.
touch "$VERSION"
