"""Runs one Python for Loom: `python media/kernel ENGINE`, ENGINE being auto, ipython, plain or ipykernel."""

import os
import sys

# The user's imports must find the working folder first, and never this one; nothing is written beside these sources.
here = sys.path[0]
keep, sys.dont_write_bytecode = sys.dont_write_bytecode, True
from loom_kernel import bridge  # noqa: E402

sys.path[0] = ''
engine = sys.argv[1] if len(sys.argv) > 1 else 'auto'
sys.argv[:] = ['']
bridge.main(engine, lambda: setattr(sys, 'dont_write_bytecode', keep))
