#!/usr/bin/env python3
"""Passes the bytes of TCP connections on as they come, in both directions: a proxy
that does nothing, to show that a loss is the proxy's and not the runner's.

    relay.py LISTEN UPSTREAM             as in: relay.py 127.0.0.1:8000 http://127.0.0.1:3000/mcp
    relay.py LISTEN UPSTREAM FROM TO     writes TO for FROM, of the same length, in what the
                                         server says: a proxy that is broken, to show that
                                         a loss is seen
"""

import selectors
import socket
import sys
import threading
from urllib.parse import urlsplit

IDLE_SECONDS = 120
MOST_BYTES = 65536


def relay(client: socket.socket, upstream: tuple[str, int], old: bytes, new: bytes) -> None:
    with client, socket.create_connection(upstream) as server, selectors.DefaultSelector() as ready:
        for one, other in ((client, server), (server, client)):
            one.settimeout(IDLE_SECONDS)
            ready.register(one, selectors.EVENT_READ, other)
        while ready.get_map():
            events = ready.select(IDLE_SECONDS)
            if not events:
                return
            for key, _ in events:
                try:
                    data = key.fileobj.recv(MOST_BYTES)
                    if key.fileobj is server and old:
                        data = data.replace(old, new)
                    if data:
                        key.data.sendall(data)
                        continue
                    ready.unregister(key.fileobj)
                    key.data.shutdown(socket.SHUT_WR)
                except OSError:
                    return


def main(listen: str, upstream: str, old: str = "", new: str = "") -> None:
    if len(old.encode()) != len(new.encode()):
        sys.exit("relay.py: what is written must be as long as what it is written for")
    host, _, port = listen.rpartition(":")
    to = urlsplit(upstream)
    with socket.create_server((host, int(port)), backlog=128) as listener:
        while True:
            client, _ = listener.accept()
            arguments = (client, (to.hostname, to.port), old.encode(), new.encode())
            threading.Thread(target=relay, args=arguments, daemon=True).start()


main(*sys.argv[1:])
