"""Put into a server's Python as ``sitecustomize``: no socket of it reaches another machine.

What is tried is refused, and written down in the file that ``OUTWARD`` names.
"""

import ipaddress
import os
import socket
import sys
from pathlib import Path

# how dmlviz/app/network.py looks a route up: on a datagram socket this sends nothing
_ROUTES = {("192.0.2.1", 9), ("2001:db8::1", 9)}
_NEAR = {"localhost", "", "::", "0.0.0.0", "testserver"}


def _is_near(host):
    name = host.decode("ascii", "replace") if isinstance(host, bytes) else str(host or "")
    try:
        return name in _NEAR or ipaddress.ip_address(name.partition("%")[0]).is_loopback
    except ValueError:
        return False


def _hook(event, args):
    if event in ("socket.connect", "socket.sendto", "socket.sendmsg"):
        address = args[1]
        host = address[0] if isinstance(address, tuple) else ""
        if event == "socket.connect" and args[0].type == socket.SOCK_DGRAM and address in _ROUTES:
            return
    elif event in ("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"):
        host = args[0]
    else:
        return
    if not _is_near(host):
        with Path(os.environ["OUTWARD"]).open("a", encoding="utf-8") as file:
            file.write(f"{event} {host}\n")
        raise OSError(f"this test lets nothing out to {host}")


sys.addaudithook(_hook)
