"""What `cargo metadata --all-features` (on standard input) says about the crate.

    features    the names of its features, one a line
    msrv        checks that rust-version is no older than what the dependencies force
    licences    checks and lists the licences of what a build links in
"""

import json
import re
import sys

ALLOWED = {
    "MIT", "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "BSD-2-Clause", "BSD-3-Clause",
    "ISC", "Unicode-3.0", "Unicode-DFS-2016", "Unlicense", "Zlib",
}  # fmt: skip

metadata = json.load(sys.stdin)
packages = {package["id"]: package for package in metadata["packages"]}
root = packages[metadata["resolve"]["root"]]


def linked():
    """The packages below the root by normal dependencies, features and targets all on."""
    edges = {
        node["id"]: [
            dep["pkg"]
            for dep in node["deps"]
            if any(kind["kind"] is None for kind in dep["dep_kinds"])
        ]
        for node in metadata["resolve"]["nodes"]
    }
    found, todo = set(), [root["id"]]
    while todo:
        new = set(edges[todo.pop()]) - found
        found |= new
        todo += new
    return sorted((packages[id] for id in found), key=lambda package: package["name"])


def is_allowed(expression):
    """Whether an SPDX expression can be met by allowed licences alone.

    OR binds less than AND, and neither is nested here but in parentheses.
    """
    expression = expression.replace("/", " OR ")
    while match := re.search(r"\(([^()]*)\)", expression):
        inner = "MIT" if is_allowed(match[1]) else "refused"
        expression = expression[: match.start()] + inner + expression[match.end() :]
    return any(
        all(name.strip() in ALLOWED for name in choice.split(" AND "))
        for choice in expression.split(" OR ")
    )


def features():
    print("\n".join(sorted(root["features"].keys() - {"default"})))


def version(package):
    """Its rust-version as (major, minor)."""
    return tuple(int(part) for part in package["rust_version"].split(".")[:2])


def msrv():
    stated = [package for package in linked() if package["rust_version"]]
    highest = max(map(version, stated))
    by = ", ".join(package["name"] for package in stated if version(package) == highest)
    print(f"rust-version {root['rust_version']}; {by} asks for {'.'.join(map(str, highest))}")
    if version(root) < highest:
        sys.exit("rust-version in Cargo.toml is older than what the dependencies force")


def licences():
    refused = []
    for package in linked():
        licence = package["license"] or ""
        print(f"{package['name']} {package['version']}: {licence or 'none given'}")
        if not is_allowed(licence):
            refused.append(package["name"])
    if refused:
        sys.exit(f"not an allowed licence: {', '.join(refused)}")


{"features": features, "msrv": msrv, "licences": licences}[sys.argv[1]]()
