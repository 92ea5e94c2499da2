// The kernel on IPython and on the real ipykernel, which the machine has to have: they are looked for, and their absence
// is a failure that says what to install.
import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { behaves } from '../kernel/behaviour.ts';
import { openKernel } from '../kernel/openKernel.ts';

const candidates = [process.env['LOOM_TEST_PYTHON'], '/usr/bin/python3', 'python3', 'python'].filter(
  (python) => python !== undefined,
);

const has = (python: string, modules: string): boolean => {
  try {
    execFileSync(python, ['-c', `import ${modules}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

const pythonWith = (modules: string): string | undefined => candidates.find((python) => has(python, modules));

const ipython = pythonWith('IPython');
const ipykernel = pythonWith('ipykernel, zmq');
const science = pythonWith('IPython, matplotlib, pandas');

test.each([
  ['IPython', ipython],
  ['ipykernel', ipykernel],
  ['matplotlib and pandas', science],
])('this machine has %s', (name, python) => {
  console.log(`${name}: ${python}`);
  expect(python, 'apt-get install python3-ipykernel python3-matplotlib python3-pandas').toBeDefined();
});

if (ipython !== undefined)
  behaves('IPython', { backend: 'ipython', python: ipython }, { processes: true, relayed: false, magics: true });

if (ipykernel !== undefined)
  behaves('ipykernel', { backend: 'ipykernel', python: ipykernel }, { processes: true, relayed: true, magics: true });

describe.runIf(science !== undefined).each(['ipython', 'plain', 'ipykernel'] as const)('with %s', (backend) => {
  test('a plot is an image, a table is text and HTML', async () => {
    const python = await openKernel({ backend, python: science });
    const inline = backend === 'ipykernel' ? '%matplotlib inline\n' : '';
    const plot = `${inline}import matplotlib.pyplot as plt\nplt.plot([1, 2, 3]); plt.show()`;
    const { content } = await python.call('run_python', { code: plot, timeout_seconds: 120 });
    const images = content.filter(({ type }) => type === 'image');
    expect(images.map(({ mimeType }) => mimeType)).toEqual(['image/png']);
    expect(
      Buffer.from(images[0]?.data ?? '', 'base64')
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
    const table = 'import pandas\npandas.DataFrame({"name": ["a", "b"], "n": [1, 2]})';
    expect(await python.run(table, { timeout_seconds: 120 })).toMatch(/Out\[2\]: +name +n\n0 +a +1\n1 +b +2$/);
    const html = await python.ask('read_python_output', { stream: 'display', mime: 'text/html' });
    expect(html).toContain('<th>name</th>');
    await python.close();
  });
});
