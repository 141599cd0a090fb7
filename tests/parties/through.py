#!/usr/bin/env python3
"""Runs a client whose last argument is a URL against a proxy in front of that
URL: `through.py COMMAND... URL`, the proxy's command in THROUGH_PROXY. The suite
starts the clients that it judges itself, and this is what it starts in their place."""

import os
import subprocess
import sys

from parties import main, proxied


def body() -> int:
    *command, url = sys.argv[1:]
    with proxied(os.environ["THROUGH_PROXY"], url) as (front, lines):
        status = subprocess.run([*command, front], check=False).returncode
    # The suite keeps what a client says on stderr, and so what the proxy has to say.
    print(*lines.lines, sep="\n", file=sys.stderr)
    return status


if __name__ == "__main__":
    main(body)
