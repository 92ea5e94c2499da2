import { behaves } from '../kernel/behaviour.ts';

behaves('plain Python', { backend: 'plain' }, { processes: true, relayed: false, magics: false });
