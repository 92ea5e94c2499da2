import { flipTests } from './flips.ts';

flipTests('plain');
