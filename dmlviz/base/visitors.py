"""Network addresses of visitors and proxies, in one notation."""

from __future__ import annotations

import ipaddress


def unmapped(host: str) -> str:
    """An IPv4 address that was written as an IPv6 one, as itself; any other text as it is.

    A server that listens on ``::`` sees IPv4 visitors that way (RFC 4291, 2.5.5.2).

    >>> unmapped("::ffff:192.0.2.7"), unmapped("192.0.2.7"), unmapped("unix:")
    ('192.0.2.7', '192.0.2.7', 'unix:')
    """
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return str(mapped) if mapped else host


def counted_address(host: str) -> str:
    """The address that limits count: an IPv4 address, or the /64 network of an IPv6 visitor.

    One IPv6 visitor has all addresses of such a network.

    >>> counted_address("::ffff:192.0.2.7"), counted_address("2001:db8::7%eth0")
    ('192.0.2.7', '2001:db8::/64')
    """
    plain = unmapped(host.partition("%")[0])
    try:
        address = ipaddress.ip_address(plain)
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((address, 64), strict=False))
    return plain


def in_both_notations(proxies: str) -> str:
    """A list of addresses and networks, each IPv4 one also as a server on ``::`` sees it.

    Args:
        proxies: separated by commas, as ``FORWARDED_ALLOW_IPS`` has them; ``*`` for any.

    >>> in_both_notations("192.0.2.0/24, ::1,*")
    '192.0.2.0/24,::ffff:192.0.2.0/120,::1,*'
    """
    listed = []
    for item in proxies.split(","):
        listed.append(item.strip())
        try:
            network = ipaddress.ip_network(item.strip())
        except ValueError:
            continue
        if isinstance(network, ipaddress.IPv4Network):
            listed.append(f"::ffff:{network.network_address}/{96 + network.prefixlen}")
    return ",".join(listed)
