# SPDX-License-Identifier: MIT
"""A terminal of our own, and what is written to it."""
import fcntl
import os
import pty
import struct
import termios
import threading

END = b"\x1a"  # nothing that is shown has it


class Terminal:
    """Programs write to `descriptor` in the meantime; none waits for a reader. It stays open until all has been read: what a
    process wrote just before it ended may be lost when nothing holds the terminal any more."""

    def __init__(self, columns=80, lines=24):
        self._ours, self.descriptor = pty.openpty()
        fcntl.ioctl(self.descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        self._text = b""
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        while END not in self._text:
            self._text += os.read(self._ours, 65536)

    def close(self):
        """All that was written, once the programs have ended."""
        os.write(self.descriptor, END)
        self._reader.join()
        os.close(self.descriptor)
        os.close(self._ours)
        return self._text.partition(END)[0]
