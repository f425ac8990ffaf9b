# SPDX-License-Identifier: MIT
"""Stands between a reader of a live session and its relay daemon, until it falls silent at a command of the reader.

Commands begin with a header in network byte order: size of what follows, number, version (lttng-tools, lttng-viewer-abi.h).
"""
import contextlib
import socket
import struct
import threading
from urllib.parse import urlsplit

CONNECT, LIST_SESSIONS, ATTACH_SESSION, GET_NEXT_INDEX, GET_PACKET, GET_METADATA = range(1, 7)
CREATE_SESSION = 8
COMMANDS = CONNECT, CREATE_SESSION, LIST_SESSIONS, ATTACH_SESSION, GET_METADATA, GET_NEXT_INDEX, GET_PACKET  # in that order
HEADER = struct.Struct(">QII")


class SilentRelay:
    def __init__(self, url):
        self._listener = socket.create_server(("127.0.0.1", 0))
        parts = urlsplit(url)
        self._daemon = socket.create_connection((parts.hostname, parts.port))
        self.url = parts._replace(netloc=f"127.0.0.1:{self._listener.getsockname()[1]}").geturl()
        self.silent_at, self.is_silent = None, threading.Event()
        self._passer = threading.Thread(target=self._pass_commands, daemon=True)
        self._passer.start()

    def _pass_answers(self, reader):
        while answer := self._daemon.recv(65536):
            with contextlib.suppress(OSError):  # it may have gone
                reader.sendall(answer)

    def _pass_commands(self):
        reader, _ = self._listener.accept()
        answers = threading.Thread(target=self._pass_answers, args=[reader], daemon=True)
        answers.start()
        with reader, reader.makefile("rb") as commands, contextlib.suppress(ConnectionError):
            while header := commands.read(HEADER.size):
                size, number, _ = HEADER.unpack(header)
                content = commands.read(size)
                if number == self.silent_at:
                    self.is_silent.set()
                if not self.is_silent.is_set():
                    self._daemon.sendall(header + content)
        self._daemon.shutdown(socket.SHUT_WR)
        answers.join()

    def close(self):
        """When the reader has ended: until the relay daemon has noticed, which lets one reader in at a time."""
        self._passer.join()
        self._daemon.close()
        self._listener.close()
