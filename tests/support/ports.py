# SPDX-License-Identifier: MIT
"""Ports for daemons that are about to be started."""
import pathlib
import random
import socket

EPHEMERAL = pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range")


def free_ports(count):
    """Ports that nobody listens at. None is of those that the kernel gives to whoever connects: such a one may be gone when
    the daemon wants it, and who looks whether it listens yet could be connected to itself."""
    first, last = map(int, EPHEMERAL.read_text().split())
    candidates = [port for port in range(10_000, 65_536) if not first <= port <= last] or list(range(first, last + 1))
    random.shuffle(candidates)
    sockets = []
    try:
        for port in candidates:
            if len(sockets) == count:
                break
            sockets.append(socket.socket())
            try:
                sockets[-1].bind(("127.0.0.1", port))
            except OSError:
                sockets.pop().close()
        return [each.getsockname()[1] for each in sockets]
    finally:
        for each in sockets:
            each.close()
