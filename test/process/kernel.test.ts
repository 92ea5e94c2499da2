import { behaves } from '../kernel/behaviour.ts';

behaves('plain Python', { backend: 'plain' }, { processes: true, ordered: true, awaitStops: true, magics: false });
