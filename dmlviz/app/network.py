"""This computer's address for others on its network, found without sending anything."""

from __future__ import annotations

import ipaddress
import socket
from urllib.parse import urlsplit

from streamlit import config

HERE = ("localhost", "127.0.0.1", "::1")
"""Names of this computer that mean another computer elsewhere."""

# reserved for documentation (RFC 5737, RFC 3849); only their route is used, no packet is sent
_AFAR = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))
_PORT = 9


def for_others(address: str) -> str:
    """An address of this server as other computers open it.

    Args:
        address: of a page, as the browser has it.

    Returns:
        The same address if it does not begin with this computer's own name, if the server listens
        to this computer only, or if no interface leads outward.
    """
    parts = urlsplit(address)
    if parts.hostname not in HERE:
        return address
    host = network_host()
    if not host:
        return address
    shown = f"[{host}]" if ":" in host else host
    port = f":{parts.port}" if parts.port else ""
    return parts._replace(netloc=f"{shown}{port}").geturl()


def network_host() -> str:
    """This computer's name in the server's settings, or its network address.

    An administrator can set ``browser.serverAddress``; otherwise it is the address of the
    interface that leads outward. Empty if there is neither, or if the server listens to this
    computer only.
    """
    if str(config.get_option("server.address") or "") in HERE:
        return ""
    chosen = str(config.get_option("browser.serverAddress") or "")
    if chosen and chosen not in HERE:
        return chosen
    return next(filter(None, (_outward(family, afar) for family, afar in _AFAR)), "")


def _outward(family: socket.AddressFamily, afar: str) -> str:
    """The address that a packet to ``afar`` would leave from; empty if there is no route."""
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            # on a datagram socket this only looks up the route and sends nothing
            probe.connect((afar, _PORT))
            address = str(probe.getsockname()[0])
    except OSError:
        return ""
    own = ipaddress.ip_address(address.partition("%")[0])
    return "" if own.is_loopback or own.is_link_local or own.is_unspecified else address
