// Arguments that several tools of the kernel take.
import { z } from 'zod';
import { streamNames } from '#kernel/types.ts';

/** Arguments that several of the kernel's tools take. */
export const execution = z.int().optional().describe('N of In [N]; default the running or latest cell.');
export const stream = z.enum(streamNames).default('combined').describe('Which output.');
export const cursor = z.string().optional().describe('From the answer before, for more.');
export const maxChars = z.int().min(1).optional().describe('Clip each line after so many characters.');
