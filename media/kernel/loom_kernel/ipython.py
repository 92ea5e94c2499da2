"""Runs cells in IPython's own shell, with displays sent to Loom. No history, no profile, no colours."""

import asyncio
import importlib.util
import os
import sys
import warnings

import IPython
from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from traitlets import Type
from traitlets.config import Config

from . import mime

_own_folder = os.path.basename(os.path.dirname(__file__)) + os.sep

class _Publisher(DisplayPublisher):
    emit = None

    def publish(self, data, metadata=None, source=None, *, transient=None, update=False, **_):
        self.emit('update' if update else 'display', mime.encoded(data), metadata or {}, transient or {})

    def clear_output(self, wait=False):
        self.emit('clear', {}, {}, {'wait': wait})


class _Hook(DisplayHook):
    emit = None

    def write_output_prompt(self):
        self._bundle = ({}, {})

    def write_format_data(self, format_dict, md_dict=None):
        self._bundle = (mime.encoded(format_dict), md_dict or {})

    def finish_displayhook(self):
        data, metadata = self._bundle
        self.emit('result', data, metadata, {})


class _Shell(InteractiveShell):
    displayhook_class = Type(_Hook)
    display_pub_class = Type(_Publisher)
    shown_error = None

    def init_readline(self):
        pass

    def enable_gui(self, gui=None):
        pass

    def ask_exit(self):
        self.exit_now = True

    def _showtraceback(self, etype, evalue, stb):
        # An interrupt is raised in the bridge, which is no part of the cell.
        self.shown_error = (etype.__name__, str(evalue), [part for part in stb if _own_folder not in part])


def _config():
    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.cache_size = 0
    config.InteractiveShell.colors = 'nocolor' if IPython.version_info[0] >= 9 else 'NoColor'
    config.InteractiveShell.enable_tip = False
    return config


class IPythonEngine:
    name = 'ipython'
    version = IPython.__version__

    def __init__(self, emit):
        if importlib.util.find_spec('matplotlib_inline') is not None:
            os.environ.setdefault('MPLBACKEND', 'module://matplotlib_inline.backend_inline')
        _Publisher.emit = staticmethod(emit)
        _Hook.emit = staticmethod(emit)
        self._shell = _Shell.instance(config=_config())
        self._shell.set_hook('show_in_pager', lambda _, data, *__, **___: emit('display', _page(data), {}, {}), 0)
        # What IPython says of sys.exit() is meant for a terminal.
        warnings.filterwarnings('ignore', message='To exit: use')

    @property
    def count(self):
        return self._shell.execution_count - 1

    @property
    def exit_asked(self):
        return bool(getattr(self._shell, 'exit_now', False))

    async def run(self, cell, code, awaited):
        """Runs a cell under its number in the session. `awaited` awaits a coroutine so that it can be interrupted. Answers (ename, evalue, traceback) or None."""
        shell = self._shell
        shell.shown_error = None
        shell.execution_count = cell
        fault = None
        try:
            transformed = shell.transform_cell(code)
        except Exception:
            transformed, fault = code, sys.exc_info()
        try:
            if shell.should_run_async(code, transformed_cell=transformed, preprocessing_exc_tuple=fault):
                result = await awaited(
                    shell.run_cell_async(
                        code, store_history=True, transformed_cell=transformed, preprocessing_exc_tuple=fault
                    )
                )
            else:
                result = shell.run_cell(code, store_history=True)
        except asyncio.CancelledError:
            return 'CancelledError', '', ['CancelledError']
        error = result.error_before_exec or result.error_in_exec
        if isinstance(error, SystemExit):
            return 'SystemExit', str(error), []
        if error is not None and shell.shown_error is None:
            return type(error).__name__, str(error), []
        return shell.shown_error


def _page(data):
    return mime.encoded(data) if isinstance(data, dict) else {'text/plain': str(data)}
