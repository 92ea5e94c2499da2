import { behaves } from '../kernel/behaviour.ts';

behaves('Pyodide', { backend: 'pyodide' }, { processes: false, relayed: false, magics: false });
