#!/usr/bin/env python3
"""Load on `mcparse proxy`: with the check (--mode gate) against the same proxy without it (--mode off).

    benches/load/run.py            the long form: 30 s a round, a million requests, 10,000 connections
    benches/load/run.py --short    a few seconds in all; proves that it works, and measures nothing

All of it on loopback, bounded in time; it ends what it started. Needs wrk (Debian: wrk).
The rounds of the two modes take turns, so that what else the machine does hits both alike;
of each the medians are told, as a table in Markdown.
"""

import argparse
import asyncio
import json
import re
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
# What a million requests may add to the proxy's memory, in KiB.
MOST_GROWTH = 2048


def build():
    """The paths of the upstream and of the command, both optimised."""

    def executable(*args):
        command = ["cargo", "build", "--release", "--locked", "--message-format=json", *args]
        said = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout
        built = [json.loads(line) for line in said.splitlines()]
        return [it["executable"] for it in built if it.get("executable")][-1]

    return (
        executable("--manifest-path", str(HERE / "Cargo.toml")),
        executable("--features", "cli", "--bin", "mcparse"),
    )


class Started:
    """A process that has said where it listens; ended by its id."""

    def __init__(self, command, pipe):
        self.process = subprocess.Popen(command, **{pipe: subprocess.PIPE}, text=True)
        stream = getattr(self.process, pipe)
        line = stream.readline()
        found = re.search(r"127\.0\.0\.1:(\d+)", line.split("upstream")[0])
        if not found:
            sys.exit(f"{command[0]} does not say where it listens: {line}")
        self.port = int(found[1])
        self.pid = self.process.pid

    def memory(self):
        """What it has in memory, in KiB."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1])

    def end(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()


def proxy(command, upstream, mode):
    args = [command, "proxy", "--upstream", f"http://127.0.0.1:{upstream.port}/mcp"]
    return Started([*args, "--listen", "127.0.0.1:0", "--mode", mode, "--idle", "600"], "stderr")


def wrk(port, tool, seconds, connections):
    """Requests a second, p50 and p99 in microseconds."""
    command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}", "--latency", "-s", HERE / "call.lua"]
    said = subprocess.run(
        [*command, f"http://127.0.0.1:{port}/mcp", tool],
        check=True, stdout=subprocess.PIPE, text=True, timeout=seconds + 60,
    ).stdout
    numbers = re.search(r"RESULT (\d+) (\d+) (\d+) (\d+) (\d+) (\d+)", said)
    requests, micros, p50, _, p99, errors = map(int, numbers.groups())
    if errors or not requests:
        sys.exit(f"{errors} errors among {requests} requests:\n{said}")
    return requests / micros * 1e6, p50, p99


def compare(both, seconds, rounds):
    """Throughput and latency of both modes, and what the check costs."""
    print("| answers | mode | requests/s | p50, us | p99, us |")
    print("| --- | --- | ---: | ---: | ---: |")
    for tool in ["small", "large", "events"]:
        seen = {mode: [] for mode in both}
        for turn in range(rounds):
            order = list(both) if turn % 2 == 0 else list(both)[::-1]
            for mode in order:
                seen[mode].append(wrk(both[mode].port, tool, seconds, 32))
        middle = {mode: [statistics.median(row) for row in zip(*rows)] for mode, rows in seen.items()}
        for mode, (rate, p50, p99) in middle.items():
            print(f"| {tool} | {mode} | {rate:.0f} | {p50:.0f} | {p99:.0f} |")
        ratios = [gate / off for gate, off in zip(middle["gate"], middle["off"])]
        print(f"| {tool} | gate / off | {ratios[0]:.3f} | {ratios[1]:.3f} | {ratios[2]:.3f} |", flush=True)


def many(gate, requests, seconds):
    """So many requests leave its memory as it is."""
    wrk(gate.port, "small", seconds, 32)
    before, done, start = gate.memory(), 0, time.monotonic()
    while done < requests and time.monotonic() - start < 600:
        rate, _, _ = wrk(gate.port, "small", seconds, 32)
        done += rate * seconds
    behind = gate.memory()
    print(f"\n{done:.0f} requests: {before} KiB before, {behind} KiB behind them", flush=True)
    if done < requests or behind > before + MOST_GROWTH:
        sys.exit("too few requests in time, or its memory has grown")


async def idle(gate, connections, seconds):
    """So many connections that say nothing do not slow others down."""
    alone = wrk(gate.port, "small", seconds, 32)
    before = gate.memory()
    held = []
    try:
        for _ in range(connections):
            reader, writer = await asyncio.open_connection("127.0.0.1", gate.port)
            writer.write(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert (await reader.readuntil(b"ok\n")).startswith(b"HTTP/1.1 200")
            held.append(writer)
        each = (gate.memory() - before) / connections
        beside = wrk(gate.port, "small", seconds, 32)
    finally:
        for writer in held:
            writer.close()
    print(
        f"{connections} idle connections: {each:.1f} KiB each; beside them {beside[0]:.0f} requests/s, "
        f"p99 {beside[2]} us; without them {alone[0]:.0f}, {alone[2]} us", flush=True,
    )


async def slow(gate, clients, seconds):
    """Clients that send a byte now and then do not delay others."""
    alone = wrk(gate.port, "small", seconds, 32)
    head = b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 4000\r\n\r\n"

    async def dawdle():
        _, writer = await asyncio.open_connection("127.0.0.1", gate.port)
        try:
            writer.write(head)
            while True:
                await asyncio.sleep(0.1)
                writer.write(b" ")
        finally:
            writer.close()

    tasks = [asyncio.create_task(dawdle()) for _ in range(clients)]
    await asyncio.sleep(1)
    beside = await asyncio.to_thread(wrk, gate.port, "small", seconds, 32)
    for task in tasks:
        task.cancel()
    failed = [it for it in await asyncio.gather(*tasks, return_exceptions=True) if isinstance(it, Exception)]
    if failed:
        sys.exit(f"a slow client failed: {failed[0]}")
    print(
        f"{clients} slow clients: beside them {beside[0]:.0f} requests/s, p99 {beside[2]} us; "
        f"without them {alone[0]:.0f}, {alone[2]} us", flush=True,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--short", action="store_true", help="only whether it works")
    parser.add_argument("--seconds", type=int, help="of each round")
    args = parser.parse_args()
    seconds, rounds, requests, connections, clients = (
        (1, 1, 10_000, 500, 100) if args.short else (30, 3, 1_000_000, 10_000, 1_000)
    )
    seconds = args.seconds or seconds
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = min(most, 65_536) if most != resource.RLIM_INFINITY else 65_536
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))

    serve, command = build()
    started = []
    try:
        upstream = Started([serve, "127.0.0.1:0"], "stdout")
        started.append(upstream)
        both = {}
        for mode in ["gate", "off"]:
            both[mode] = proxy(command, upstream, mode)
            started.append(both[mode])
        compare(both, seconds, rounds)
        many(both["gate"], requests, seconds)
        asyncio.run(idle(both["gate"], connections, min(seconds, 10)))
        asyncio.run(slow(both["gate"], clients, min(seconds, 10)))
    finally:
        for it in reversed(started):
            it.end()


main()
