#!/usr/bin/env python3
"""Instructions a message, counted by callgrind: `benches/counts.txt`, made anew or compared.

    .ci/counts.py             compares: fails if a row is more than 3 % above the file
    .ci/counts.py --strict    the same, and fails if the file was made in other conditions
    .ci/counts.py --write     writes the file

Counts do not care what else the machine does, so small losses show that times hide. They
are not times: what waits for memory or mispredicts counts like what does not. They depend
on the compiler, on libc's copying and on the vector features that callgrind's processor
shows, so the file names these, and with others nothing is compared.
"""

import json
import os
import pathlib
import platform
import subprocess
import sys
import tempfile

FILE = pathlib.Path("benches/counts.txt")
# Percent: what is told, and what fails.
TOLD, FAILS = 1, 3
# Long copies by vectors, too: of `rep movsb`, which libc takes for them, each byte counts.
TUNABLES = ":".join(
    f"glibc.cpu.x86_{threshold}_threshold={1 << 30}" for threshold in ("rep_movsb", "non_temporal")
)


def output(*command, **options):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, **options).stdout


def build():
    """Builds the bench without flags from outside, and gives its path."""
    env = {name: value for name, value in os.environ.items() if "RUSTFLAGS" not in name}
    messages = output(
        "cargo", "bench", "--locked", "--bench", "counts", "--no-run", "--message-format=json",
        env=env,
    )  # fmt: skip
    for message in map(json.loads, messages.splitlines()):
        if message.get("executable") and message["target"]["name"] == "counts":
            return message["executable"]
    sys.exit("cargo names no executable of the bench `counts`")


def total(dump):
    """The instructions of one of callgrind's dumps."""
    lines = dump.read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("totals:"))


def count(bench):
    """The features of callgrind's processor, and the instructions a message of each row."""
    function = "counts::counted"
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        features, *names = output(
            "valgrind", "-q", "--tool=callgrind", f"--toggle-collect={function}",
            f"--dump-after={function}", f"--callgrind-out-file={scratch}/out", bench,
            env={**os.environ, "GLIBC_TUNABLES": TUNABLES},
        ).splitlines()  # fmt: skip
        if not (scratch / "out.1").exists():
            sys.exit(f"callgrind has not seen `{function}`")
        rows = {}
        for at, line in enumerate(names, start=1):
            messages, name = line.split(maxsplit=1)
            rows[name] = round(total(scratch / f"out.{at}") / int(messages))
    return features, rows


def render(conditions, rows):
    head = [
        "Instructions a message. `.ci/counts.py --write` makes this file anew.",
        *(f"{name}: {value}" for name, value in conditions.items()),
    ]
    lines = [f"# {line}" for line in head] + [f"{rows[name]:>10}  {name}" for name in rows]
    return "\n".join(lines) + "\n"


def read():
    """What `render` has written."""
    lines = FILE.read_text().splitlines()
    head = [line.removeprefix("# ") for line in lines if line.startswith("#")]
    rows = [line.split(maxsplit=1) for line in lines if not line.startswith("#")]
    conditions = dict(line.split(": ", 1) for line in head[1:])
    return conditions, {name: int(figure) for figure, name in rows}


def compare(conditions, rows, is_strict):
    conditions_then, then = read()
    if conditions != conditions_then:
        print(f"!!! NOT COMPARED: {FILE} was made in other conditions.")
        for name, here in conditions.items():
            if here != conditions_then.get(name):
                print(f"!!! {name}: {conditions_then.get(name)} there, {here} here")
        print("!!! Write it anew, from code whose counts are known to be right.")
        sys.exit(is_strict)
    if rows.keys() != then.keys():
        for name in sorted(rows.keys() ^ then.keys()):
            print(f"only {'here' if name in rows else f'in {FILE}'}: {name}")
        sys.exit("other rows than in the file: write it anew")
    change = {name: 100 * (rows[name] / then[name] - 1) for name in rows}
    for name, percent in change.items():
        if abs(percent) > TOLD:
            print(f"{percent:+6.1f} %  {then[name]:>9} -> {rows[name]:>9}  {name}")
    low, high = min(change.values()), max(change.values())
    print(f"{len(rows)} rows, {low:+.2f} to {high:+.2f} %")
    if low < -FAILS:
        print(f"More than {FAILS} % better: write {FILE} anew, so that it is not lost again.")
    if high > FAILS:
        sys.exit(f"more than {FAILS} % worse")


os.chdir(pathlib.Path(__file__).resolve().parent.parent)
options = set(sys.argv[1:])
if options - {"--write", "--strict"}:
    sys.exit(__doc__)
features, rows = count(build())
conditions = {
    "rustc": output("rustc", "--version").strip(),
    "libc": " ".join(platform.libc_ver()),
    "processor": features,
}
if "--write" in options:
    FILE.write_text(render(conditions, rows))
else:
    compare(conditions, rows, "--strict" in options)
