"""Runs cells in Pyodide, inside a worker thread of Loom: no process, no threads, one program."""

import asyncio
import builtins
import getpass
import io
import os
import signal
import sys
import time

from .plain import PlainEngine

#: Characters that are gathered before they are sent, and seconds that they may wait for more.
_gather, _pause = 65536, 0.05
#: Seconds of sleep between two looks for an interrupt.
_nap = 0.05


class Kernel:
    def __init__(self, send, claim):
        """`send(message)` takes a dictionary as JSON text; `claim()` says whether an asked-for stop is still to be made."""
        self._send = send
        self._claim = claim
        self._chunks = []
        self._size = 0
        self._sent = time.monotonic()
        self._cell = 0
        self._task = None
        self._awaiting = self._sleeping = self._stopped = self._cancelled = False
        sys.stdout = sys.__stdout__ = _Stream('stdout', 1, self)
        sys.stderr = sys.__stderr__ = _Stream('stderr', 2, self)
        builtins.input = getpass.getpass = _refuse_input
        time.sleep = self._interruptible(time.sleep)
        signal.signal(signal.SIGINT, self._interrupted)
        os.environ.setdefault('MPLBACKEND', 'agg')
        self._engine = PlainEngine(self._emit)

    async def run(self, cell, code):
        self._cell, self._cancelled, self._stopped = cell, False, False
        self._task = asyncio.current_task()
        error = None
        try:
            error = await self._engine.run(cell, code, self._awaited)
        except BaseException as fault:
            error = (type(fault).__name__, str(fault), [])
        self._task = None
        if error is not None and error[0] == 'CancelledError' and self._cancelled:
            error = ('KeyboardInterrupt', '', ['KeyboardInterrupt'])
        self.flush()
        if error is not None:
            ename, evalue, lines = error
            self._tell({'ev': 'error', 'id': cell, 'ename': ename, 'evalue': evalue, 'traceback': lines})
        self._tell({'ev': 'done', 'id': cell, 'count': self._engine.count})
        return self._engine.exit_asked

    def cancel(self):
        """Stops a cell that awaits or sleeps; one that computes is stopped through the interrupt buffer."""
        if self._sleeping:
            self._stopped = True
        elif self._task is not None and self._awaiting:
            self._cancelled = True
            self._task.cancel()

    def _interrupted(self, number, frame):
        # The flag is set until it is seen, since setting it just while Pyodide looks at it is lost: one stop, one error.
        if self._claim():
            raise KeyboardInterrupt

    async def _awaited(self, coroutine):
        self._awaiting = True
        try:
            return await coroutine
        finally:
            self._awaiting = False

    def _interruptible(self, sleep):
        # Where the engine can suspend WebAssembly, the thread is free while Python sleeps, and yet nothing awaits.
        def naps(seconds):
            end = time.monotonic() + seconds
            while True:
                rest = end - time.monotonic()
                self._sleeping = True
                try:
                    sleep(max(0, min(rest, _nap)))
                finally:
                    self._sleeping = False
                if self._stopped:
                    self._stopped = False
                    raise KeyboardInterrupt
                if rest <= _nap:
                    return

        return naps

    def write(self, name, text):
        chunks = self._chunks
        if chunks and chunks[-1][0] == name and chunks[-1][1] == self._cell:
            chunks[-1][2].append(text)
        else:
            chunks.append((name, self._cell, [text]))
        self._size += len(text)
        if self._size > _gather or time.monotonic() - self._sent > _pause:
            self.flush()

    def flush(self):
        chunks, self._chunks, self._size = self._chunks, [], 0
        self._sent = time.monotonic()
        if chunks:
            self._tell({'ev': 'stream', 'chunks': [(name, cell, ''.join(texts)) for name, cell, texts in chunks]})

    def _emit(self, event, data, metadata, transient):
        self.flush()
        self._tell({'ev': event, 'id': self._cell, 'data': data, 'metadata': metadata, 'transient': transient})

    def _tell(self, message):
        import json

        self._send(json.dumps(message, default=str))


class _Stream(io.TextIOBase):
    encoding, errors, newlines = 'utf-8', 'backslashreplace', None

    def __init__(self, name, fd, kernel):
        self.name, self._fd, self._kernel = name, fd, kernel

    def writable(self):
        return True

    def fileno(self):
        return self._fd

    def write(self, text):
        if not isinstance(text, str):
            raise TypeError('write() argument must be str, not ' + type(text).__name__)
        if text:
            self._kernel.write(self.name, text)
        return len(text)

    def flush(self):
        self._kernel.flush()

    def close(self):
        pass


def _refuse_input(*_, **__):
    raise RuntimeError('input is refused: nobody can answer this kernel. Assign the value in the code instead.')
