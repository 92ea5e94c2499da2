"""Which cell an output belongs to: the one whose code runs, or that started the thread or task that runs."""

import contextvars
import threading
from concurrent.futures import ThreadPoolExecutor

_cell = contextvars.ContextVar('loom_cell', default=None)
_latest = 0


def begin(cell):
    global _latest
    _latest = cell
    _cell.set(cell)


def current():
    cell = _cell.get()
    if cell is None:
        cell = getattr(threading.current_thread(), '_loom_cell', None)
    return _latest if cell is None else cell


def latest():
    return _latest


def follow_threads():
    """Tasks copy their creator's context; threads do not, so the cell is written on them."""
    start, submit = threading.Thread.start, ThreadPoolExecutor.submit

    def start_in_cell(self):
        self._loom_cell = current()
        return start(self)

    def submit_in_cell(self, fn, /, *args, **kwargs):
        context = contextvars.copy_context()
        context.run(_cell.set, current())
        return submit(self, context.run, fn, *args, **kwargs)

    threading.Thread.start = start_in_cell
    ThreadPoolExecutor.submit = submit_in_cell
