"""Ends the whole process group when Loom is gone, even where this Python is stuck in C code and holds its lock."""

import os
import signal


def start(pipe):
    """`pipe` is a descriptor whose other end only Loom holds: reading it ends with Loom."""
    if os.name == 'nt':
        return
    if os.fork() == 0:
        # Not our child: os.wait() in a cell must not wait for it.
        if os.fork() == 0:
            _watch(pipe)
        os._exit(0)
    os.wait()
    os.close(pipe)


def _watch(pipe):
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    for fd in (0, 1, 2):
        os.close(fd)
    try:
        while os.read(pipe, 64):
            pass
    finally:
        runtime = os.environ.get('LOOM_KERNEL_RUNTIME')
        if runtime:
            import shutil

            shutil.rmtree(runtime, ignore_errors=True)
        os.killpg(0, signal.SIGKILL)
