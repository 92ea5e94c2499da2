"""Messages to and from Loom: JSON behind four bytes of length, over private copies of stdin and stdout."""

import io
import json
import os
import struct
import threading


class Uninterrupted:
    """A stretch of the main thread in which an interrupt waits: a frame cut in two would end the conversation."""

    def __init__(self):
        self.depth = 0
        self.pending = False
        self._main = threading.main_thread().ident

    def __enter__(self):
        if threading.get_ident() == self._main:
            self.depth += 1

    def __exit__(self, *_):
        if threading.get_ident() != self._main:
            return
        self.depth -= 1
        if self.pending and self.depth == 0:
            self.pending = False
            raise KeyboardInterrupt


class Frames:
    def __init__(self):
        self._in = io.BufferedReader(os.fdopen(os.dup(0), 'rb', buffering=0))
        self._out = os.dup(1)
        self._lock = threading.Lock()
        self.uninterrupted = Uninterrupted()

    def send(self, message):
        # ASCII with escapes carries a lone surrogate as well.
        body = json.dumps(message, default=str).encode('ascii')
        rest = memoryview(struct.pack('>I', len(body)) + body)
        with self.uninterrupted, self._lock:
            while rest:
                rest = rest[os.write(self._out, rest) :]

    def receive(self):
        """The next message; None when Loom has gone."""
        head = self._in.read(4)
        if len(head) < 4:
            return None
        body = self._in.read(struct.unpack('>I', head)[0])
        return json.loads(body)

    def close(self):
        """For a forked child: what it holds open would hide this process's end from Loom."""
        os.close(self._out)
        os.close(self._in.fileno())
