// How many secrets are masked, and how much of what is harmless: measured on samples in two halves.
import { expect, test } from 'vitest';
import { maskBytes } from '#base/maskBytes.ts';
import { heldOut } from './secrets/heldOut.ts';
import type { Samples } from './secrets/invented.ts';
import { tuned } from './secrets/tuned.ts';

const mask = async (text: string): Promise<string> => (await maskBytes(Buffer.from(text))).bytes.toString();

/** A secret shows where five characters of it in a row do, which stand nowhere beside it. */
const shows = (masked: string, before: string, secret: string, after: string): boolean => {
  for (let at = 0; at + 5 <= secret.length; at++) {
    const piece = secret.slice(at, at + 5);
    if (masked.includes(piece) && !`${before}${after}`.includes(piece)) return true;
  }
  return false;
};

const measure = async ({ secrets, harmless }: Samples): Promise<{ shown: string[]; touched: string[] }> => {
  const shown: string[] = [];
  const touched: string[] = [];
  for (const sample of secrets) {
    const [before = '', secret = '', after = ''] = sample.split(/[«»]/);
    const masked = (await mask(before + secret + after)).replaceAll(/‹redacted:[\w-]+:\d+›/g, '');
    if (shows(masked, before, secret, after)) shown.push(sample);
  }
  for (const sample of harmless) if ((await mask(sample)) !== sample) touched.push(sample);
  return { shown, touched };
};

test('of the secrets at least 95 % are masked, of the harmless lines at most 2 % are touched', async () => {
  const figures: string[] = [];
  for (const [name, samples] of Object.entries({ tuned, 'held out': heldOut })) {
    const { secrets, harmless } = samples;
    const { shown, touched } = await measure(samples);
    figures.push(`${name}: ${secrets.length - shown.length} of ${secrets.length} secrets masked`);
    figures.push(`${touched.length} of ${harmless.length} harmless texts touched`);
    // Of what is held out only the numbers are told: nobody is to tune on it.
    expect.soft(shown.length / secrets.length, `${name}: shown`).toBeLessThanOrEqual(0.05);
    expect.soft(touched.length / harmless.length, `${name}: touched`).toBeLessThanOrEqual(0.02);
    if (samples === tuned) expect.soft({ shown, touched }).toEqual({ shown: [], touched: [] });
  }
  process.stdout.write(`${figures.join(', ')}\n`);
});
