"""The process's main program: takes cells from Loom one by one, runs them, and tells what comes of it."""

import asyncio
import builtins
import faulthandler
import os
import platform
import signal
import sys
import threading

from . import cells, streams, watchdog
from .frames import Frames


def main(engine_name, started):
    _own_descriptors()
    frames = Frames()
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    if engine_name == 'ipykernel':
        os.dup2(2, 1)
        from . import jupyter

        return jupyter.main(frames, started)
    # A crash in C is told through the stderr that Loom reads, not through the captured one.
    faulthandler.enable(file=os.dup(2), all_threads=False)
    collector = streams.Collector(frames.send, frames.uninterrupted)
    streams.install(collector, frames)
    cells.follow_threads()
    _refuse_input()
    _flush_before_exit(collector)
    bridge = _Bridge(engine_name, frames, collector)
    started()
    bridge.run()


def _own_descriptors():
    try:
        watchdog.start(3)
    except OSError:
        # Started by hand, without Loom on the other side.
        pass


def _refuse_input():
    import getpass

    builtins.input = getpass.getpass = streams.refuse_input


def _flush_before_exit(collector):
    leave = os._exit

    def flush_and_leave(status):
        if os.getpid() == own:
            collector.settle()
        leave(status)

    own = os.getpid()
    os._exit = flush_and_leave


class _Bridge:
    def __init__(self, engine_name, frames, collector):
        self._frames = frames
        self._collector = collector
        self._engine = _engine(engine_name, self._emit)
        self._loop = asyncio.new_event_loop()
        self._executing = False
        self._task = None
        self._cancelled = False
        self._nested = 0

    def run(self):
        asyncio.set_event_loop(self._loop)
        self._let_asyncio_run_nest()
        signal.signal(signal.SIGINT, self._on_interrupt)
        serving = self._loop.create_task(self._serve())
        while True:
            try:
                self._loop.run_until_complete(serving)
            except (KeyboardInterrupt, SystemExit):
                # It was raised within a task of some cell, and ends neither the loop nor the kernel.
                self._cancel_cell()

    async def _serve(self):
        queue = asyncio.Queue()
        threading.Thread(target=self._read, args=(queue,), daemon=True).start()
        engine = self._engine
        self._frames.send(
            {
                'ev': 'ready',
                'engine': engine.name,
                'engineVersion': engine.version,
                'python': platform.python_version(),
                'executable': sys.executable,
            }
        )
        while True:
            message = await queue.get()
            await self._cell(message['id'], message['code'])
            if engine.exit_asked:
                self._collector.settle()
                os._exit(0)

    async def _cell(self, cell, code):
        cells.begin(cell)
        error, self._cancelled = None, False
        try:
            self._executing = True
            error = await self._engine.run(cell, code, self._awaited)
        except KeyboardInterrupt:
            error = ('KeyboardInterrupt', '', ['KeyboardInterrupt'])
        finally:
            self._executing = False
            self._frames.uninterrupted.pending = False
        if error is not None and error[0] == 'CancelledError' and self._cancelled:
            error = ('KeyboardInterrupt', '', ['KeyboardInterrupt'])
        self._collector.settle()
        if error is not None:
            ename, evalue, lines = error
            self._frames.send({'ev': 'error', 'id': cell, 'ename': ename, 'evalue': evalue, 'traceback': lines})
        self._frames.send({'ev': 'done', 'id': cell, 'count': self._engine.count})

    async def _awaited(self, coroutine):
        # Awaited here and not as a task: an interrupt raised within a task would end the loop.
        self._task = asyncio.current_task()
        try:
            return await coroutine
        finally:
            self._task = None
            if self._cancelled and hasattr(asyncio.Task, 'uncancel'):
                asyncio.current_task().uncancel()

    def _cancel_cell(self):
        if self._task is not None:
            self._cancelled = True
            self._task.cancel()

    def _emit(self, event, data, metadata, transient):
        self._collector.settle()
        self._frames.send(
            {'ev': event, 'id': cells.current(), 'data': data, 'metadata': metadata, 'transient': transient}
        )

    def _read(self, queue):
        while True:
            message = self._frames.receive()
            if message is None:
                _end_group()
            elif message['op'] == 'interrupt':
                # Only Windows sends this: elsewhere Loom signals the whole process group.
                self._raise_console_interrupt()
            else:
                self._loop.call_soon_threadsafe(queue.put_nowait, message)

    def _raise_console_interrupt(self):
        if self._executing:
            import ctypes

            ctypes.windll.kernel32.GenerateConsoleCtrlEvent(0, 0)

    def _on_interrupt(self, _, frame):
        # A handler of our own also between cells: an ignored signal would be ignored by every child as well.
        if not self._executing:
            return
        if self._frames.uninterrupted.depth > 0:
            self._frames.uninterrupted.pending = True
            return
        waiting = frame is not None and _in_event_loop(frame)
        if waiting and self._task is not None and self._nested == 0:
            self._loop.call_soon_threadsafe(self._cancel_cell)
            return
        raise KeyboardInterrupt

    def _let_asyncio_run_nest(self):
        """Cells run inside the loop, so that create_task() works; asyncio.run() in a cell gets a loop of its own."""
        loop, run = self._loop, asyncio.run
        swap_task = getattr(asyncio.tasks, '_swap_current_task', None)

        def nested(main, **kwargs):
            if asyncio._get_running_loop() is not loop:
                return run(main, **kwargs)
            task = swap_task(loop, None) if swap_task else None
            asyncio._set_running_loop(None)
            self._nested += 1
            try:
                return run(main, **kwargs)
            finally:
                self._nested -= 1
                asyncio._set_running_loop(loop)
                asyncio.set_event_loop(loop)
                if swap_task:
                    swap_task(loop, task)

        asyncio.run = nested


def _engine(name, emit):
    if name != 'plain':
        try:
            from .ipython import IPythonEngine

            return IPythonEngine(emit)
        except ImportError:
            if name == 'ipython':
                raise
    from .plain import PlainEngine

    os.environ.setdefault('MPLBACKEND', 'agg')
    return PlainEngine(emit)


def _in_event_loop(frame):
    """Whether the loop is waiting or between two steps, so that there is no code of the cell to stop."""
    file = frame.f_code.co_filename
    return file.endswith(('selectors.py', 'base_events.py', 'asyncio/events.py'))


def _end_group():
    if os.name != 'nt':
        os.killpg(0, signal.SIGKILL)
    os.kill(os.getpid(), signal.SIGTERM)
