"""stdout and stderr in the program's order, whether Python, C or a child process writes them."""

import codecs
import io
import os
import select
import sys
import threading
import time

from . import cells

_WINDOWS = os.name == 'nt'
_names = {1: 'stdout', 2: 'stderr'}
#: Characters that are gathered before a frame is sent, and the most in one frame.
_gather, _most = 65536, 1 << 20
#: Seconds that a little output may wait for more.
_pause = 0.03


class _Pipe:
    """Stands behind file descriptor 1 or 2 and gives what was written there."""

    def __init__(self, fd):
        self.name = _names[fd]
        self.fd, write = os.pipe()
        os.dup2(write, fd)
        os.close(write)
        if not _WINDOWS:
            os.set_blocking(self.fd, False)
        # A byte that is no UTF-8 is shown as \xNN, not lost.
        self._decode = codecs.getincrementaldecoder('utf-8')('backslashreplace').decode

    def read(self):
        """What has been written so far; '' where nothing was."""
        if _WINDOWS:
            import _winapi
            import msvcrt

            waiting = _winapi.PeekNamedPipe(msvcrt.get_osfhandle(self.fd), 0)[0]
            return self._decode(os.read(self.fd, waiting)) if waiting else ''
        parts = []
        while True:
            try:
                parts.append(os.read(self.fd, 65536))
            except BlockingIOError:
                return self._decode(b''.join(parts))


class Collector:
    """Gathers text as it is written and sends it in frames. One lock makes one order of everything."""

    def __init__(self, send, uninterrupted):
        self._send = send
        self._uninterrupted = uninterrupted
        self.lock = threading.RLock()
        self._runs = []  # (stream, cell, texts): neighbours of one stream and cell are one run
        self._name = self._cell = self._append = None  # of the last run
        self._size = 0
        self._wake = threading.Event()
        self._pipes = [_Pipe(fd) for fd in _names]
        self._waiting = None
        if not _WINDOWS:
            self._waiting = select.poll()
            for pipe in self._pipes:
                self._waiting.register(pipe.fd, select.POLLIN)
        #: Whether something may wait in the descriptors' pipes.
        self.waits = (lambda _: True) if _WINDOWS else self._waiting.poll
        for work in (self._flush_soon, self._watch_pipes):
            threading.Thread(target=work, daemon=True).start()

    def add(self, name, cell, text):
        """Takes a piece of text; the lock is held."""
        if name is self._name and cell == self._cell:
            self._append(text)
        else:
            texts = [text]
            if not self._runs:
                self._wake.set()
            self._runs.append((name, cell, texts))
            self._name, self._cell, self._append = name, cell, texts.append
            self._size += 64
        self._size += len(text)
        if self._size > _gather:
            self.flush()

    def settle(self):
        """Everything written so far has been sent when this returns."""
        with self._uninterrupted, self.lock:
            self.read_pipes()
            self.flush()

    def flush(self):
        with self._uninterrupted, self.lock:
            runs, self._runs, self._size, self._name = self._runs, [], 0, None
            chunks, size = [], 0
            for name, cell, texts in runs:
                text = ''.join(texts)
                for start in range(0, len(text), _most):
                    piece = text[start : start + _most]
                    if size + len(piece) > _most:
                        self._send({'ev': 'stream', 'chunks': chunks})
                        chunks, size = [], 0
                    chunks.append((name, cell, piece))
                    size += len(piece)
            if chunks:
                self._send({'ev': 'stream', 'chunks': chunks})

    def read_pipes(self):
        """Takes what waits in the descriptors' pipes; the lock is held."""
        for pipe in self._pipes:
            text = pipe.read()
            if text:
                self.add(pipe.name, cells.latest(), text)

    def _flush_soon(self):
        while True:
            self._wake.wait()
            self._wake.clear()
            time.sleep(_pause)
            self.flush()

    def _watch_pipes(self):
        while True:
            if self._waiting is None:
                time.sleep(_pause)
            else:
                select.select([pipe.fd for pipe in self._pipes], [], [])
            with self.lock:
                self.read_pipes()


class _Bytes(io.RawIOBase):
    """`sys.stdout.buffer`: bytes in the same order as the text around them."""

    def __init__(self, stream):
        self._stream = stream
        self._decode = codecs.getincrementaldecoder('utf-8')('backslashreplace').decode

    def writable(self):
        return True

    def fileno(self):
        return self._stream.fileno()

    def write(self, data):
        data = bytes(data)
        self._stream.write(self._decode(data))
        return len(data)


class Stream(io.TextIOBase):
    """`sys.stdout` or `sys.stderr` of the kernel. It cannot be closed."""

    encoding, errors, newlines, line_buffering = 'utf-8', 'backslashreplace', None, False

    def __init__(self, fd, collector):
        self._fd, self._collector, self._name = fd, collector, _names[fd]
        self.name = '<%s>' % self._name
        self.buffer = _Bytes(self)

    def writable(self):
        return True

    def isatty(self):
        return False

    def fileno(self):
        return self._fd

    def write(self, text):
        if not isinstance(text, str):
            raise TypeError('write() argument must be str, not ' + type(text).__name__)
        collector = self._collector
        with collector.lock:
            # What went to the descriptors before this text stands before it. A lone line end follows its own line.
            if text != '\n' and collector.waits(0):
                collector.read_pipes()
            if text:
                collector.add(self._name, cells.current(), text)
        return len(text)

    def flush(self):
        self._collector.settle()

    def reconfigure(self, **_):
        pass

    def close(self):
        pass


class _NoInput(io.TextIOBase):
    """There is nobody to ask: reading fails at once instead of waiting for ever."""

    encoding = 'utf-8'

    def readable(self):
        return True

    def fileno(self):
        return 0

    def readline(self, *_):
        return refuse_input()

    def read(self, *_):
        return refuse_input()

    def __next__(self):
        return refuse_input()


def refuse_input(*_, **__):
    raise RuntimeError('input is refused: nobody can answer this kernel. Assign the value in the code instead.')


def install(collector, frames):
    sys.stdout = sys.__stdout__ = Stream(1, collector)
    sys.stderr = sys.__stderr__ = Stream(2, collector)
    sys.stdin = sys.__stdin__ = _NoInput()
    if hasattr(os, 'register_at_fork'):
        os.register_at_fork(before=collector.settle, after_in_child=lambda: _in_child(frames))


def _in_child(frames):
    # The collector's threads do not live here: a forked child writes to the descriptors, as any other child does.
    frames.close()
    for fd in _names:
        stream = open(fd, 'w', buffering=1, encoding='utf-8', errors='backslashreplace', closefd=False)
        setattr(sys, _names[fd], stream)
        setattr(sys, '__%s__' % _names[fd], stream)
