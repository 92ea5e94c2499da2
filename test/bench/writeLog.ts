// node writeLog.ts FILE BYTES: a server's log of about that size. A program of its own, so that what it takes to make the
// text is not collected in the middle of a measurement.
import { writeFileSync } from 'node:fs';
import { logText } from './corpus.ts';

const [file = '', bytes = '0'] = process.argv.slice(2);
writeFileSync(file, logText(Number(bytes)));
