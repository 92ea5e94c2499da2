import { flipTests } from './flips.ts';

flipTests('sealed');
