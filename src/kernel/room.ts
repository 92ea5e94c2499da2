// The kernel: a Python that remembers, cell by cell, and what its cells put out.
import { z } from 'zod';
import type { ErrorTable } from '#base/errors.ts';
import type { Disposable } from '#base/disposable.ts';
import type { Client } from '#base/rpc.ts';
import { forms, type SettingTable } from '#base/settings.ts';
import { backendNames, type ExecutionList, type KernelChoice, type KernelService } from './types.ts';

export const kernelErrors = {
  KERNEL_BUSY: {
    category: 'state',
    retryable: true,
    cause: 'A cell is running; one runs at a time and nothing is queued.',
    fix: 'Wait for it with wait_python, or stop it with interrupt_python or reset_python.',
  },
  KERNEL_START_FAILED: {
    category: 'state',
    retryable: true,
    cause: 'No Python could be started.',
    fix: 'The answer says what failed and what to install or set: loom.kernel.python and loom.kernel.backend choose what is started.',
  },
  EXECUTION_NOT_FOUND: {
    category: 'input',
    retryable: false,
    cause: 'No cell of this session has this number.',
    fix: 'Leave "execution" out for the latest cell.',
  },
  OUTPUT_GONE: {
    category: 'state',
    retryable: false,
    cause: 'The output was removed to make room for newer ones.',
    fix: 'Run the cell again if its output is still needed.',
  },
  INVALID_DIRECTIVE: {
    category: 'input',
    retryable: false,
    cause: 'A directive in a comment of the cell is not well formed.',
    fix: 'Use the arguments timeout_seconds and full_output instead.',
  },
} as const satisfies ErrorTable;

export const kernelSettings = {
  'kernel.python': {
    schema: z.string(),
    default: '',
    editor: {
      scope: 'machine-overridable',
      description:
        'The Python that the kernel runs on, as an absolute path. Empty: the Python extension’s choice, else `.venv` of the workspace, else the one on the PATH.',
      restricted: true,
    },
    variable: {
      name: 'LOOM_PYTHON',
      meaning: "the kernel's interpreter",
      form: forms.text,
      otherwise: '.venv of the working folder, else the one on the PATH',
    },
  },
  'kernel.backend': {
    schema: z.enum(backendNames),
    default: 'auto',
    editor: {
      scope: 'machine-overridable',
      description: 'What the kernel runs on. A change takes effect with the next kernel (Reset Kernel).',
      enumDescriptions: [
        'IPython where it is installed, else plain Python; Pyodide where there is no Python.',
        'IPython, or an error where it is not installed.',
        'Python without IPython: no magics.',
        'The real ipykernel, over stdio: exact Jupyter behaviour, without the exact order of stdout and stderr.',
        'Python in WebAssembly: no threads, subprocesses, sockets or third-party packages.',
      ],
      restricted: true,
    },
    variable: { name: 'LOOM_KERNEL', meaning: 'what the kernel runs on', form: forms.oneOf(backendNames) },
  },
} as const satisfies SettingTable;

declare module '#base/errors.ts' {
  interface ErrorCodes extends Record<keyof typeof kernelErrors, true> {}
}
export type KernelEvents = {
  /** Calls `listener` when a cell begins, and with undefined when it has ended. */
  onBusy: (listener: (execution: number | undefined) => void) => Disposable;
};

declare module '#base/room.ts' {
  interface Services {
    kernel: Client<KernelService> & KernelEvents & ExecutionList;
    /** What a kernel of this program is started with; a window asks the Python extension besides. */
    interpreter: () => Promise<KernelChoice>;
  }
}
