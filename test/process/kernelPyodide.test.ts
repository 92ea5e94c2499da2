import { behaves } from '../kernel/behaviour.ts';

behaves('Pyodide', { backend: 'pyodide' }, { processes: false, ordered: true, awaitStops: true, magics: false });
