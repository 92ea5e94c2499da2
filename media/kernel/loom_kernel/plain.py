"""Runs cells without IPython: top-level await, the last expression's value, display(), figures. No magics, no `!`."""

import ast
import asyncio
import base64
import builtins
import inspect
import io
import linecache
import os
import sys
import traceback
import types
import warnings

from . import mime

_own_folder = os.path.dirname(__file__)


class PlainEngine:
    name = 'plain'
    version = None

    def __init__(self, emit):
        """`emit(event, data, metadata, transient)` sends a display or a result."""
        self._emit = emit
        self.count = 0
        self.exit_asked = False
        main = types.ModuleType('__main__')
        main.__builtins__ = builtins
        main.display = self._display
        sys.modules['__main__'] = main
        self._namespace = main.__dict__
        sys.displayhook = self._result
        for name in ('exit', 'quit'):
            setattr(builtins, name, self._ask_exit)
        # Figures are shown at the cell's end, so show() has nothing to complain about.
        warnings.filterwarnings('ignore', message='.*non-interactive.*cannot be shown')

    async def run(self, cell, code, awaited):
        """Runs a cell under its number in the session. `awaited` awaits a coroutine so that it can be interrupted. Answers (ename, evalue, traceback) or None."""
        self.count = cell
        file = '<cell %d>' % cell
        linecache.cache[file] = (len(code), None, code.splitlines(True), file)
        try:
            for unit in self._units(code, file):
                value = eval(unit, self._namespace)
                if inspect.iscoroutine(value):
                    await awaited(value)
            self._figures()
        except SystemExit as error:
            return 'SystemExit', str(error), []
        except asyncio.CancelledError as error:
            return 'CancelledError', str(error), ['CancelledError']
        except BaseException as error:
            return type(error).__name__, str(error), self._traceback(error)
        return None

    def _units(self, code, file):
        tree = ast.parse(code, file)
        last = tree.body[-1] if tree.body else None
        quiet = code.rstrip().endswith(';')
        if isinstance(last, ast.Expr) and not quiet:
            tree.body.pop()
            yield compile(tree, file, 'exec', ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, True)
            yield compile(ast.Interactive([last]), file, 'single', ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, True)
        else:
            yield compile(tree, file, 'exec', ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, True)

    def _traceback(self, error):
        at = error.__traceback__
        while at is not None and not at.tb_frame.f_code.co_filename.startswith('<cell '):
            at = at.tb_next
        told = traceback.TracebackException(type(error), error, at)
        # An interrupt is raised in the bridge, which is no part of the cell.
        told.stack = traceback.StackSummary.from_list(
            [frame for frame in told.stack if os.path.dirname(frame.filename) != _own_folder]
        )
        return ''.join(told.format()).splitlines()

    def _result(self, value):
        if value is None:
            return
        builtins._ = value
        data, metadata = mime.bundle(value)
        self._emit('result', data, metadata, {})

    def _display(self, *values, display_id=None, update=False):
        for value in values:
            data, metadata = mime.bundle(value)
            self._emit('update' if update else 'display', data, metadata, {'display_id': display_id})

    def _figures(self):
        pyplot = sys.modules.get('matplotlib.pyplot')
        if pyplot is None:
            return
        for number in pyplot.get_fignums():
            figure, picture = pyplot.figure(number), io.BytesIO()
            figure.savefig(picture, format='png', bbox_inches='tight')
            png = base64.b64encode(picture.getvalue()).decode('ascii')
            self._emit('display', {'image/png': png, 'text/plain': repr(figure)}, {}, {})
        pyplot.close('all')

    def _ask_exit(self, *_):
        self.exit_asked = True
