/** Options `journal` of the config. */
import { z } from 'zod';
import { KEEP_EXPECTED, parseKeep } from '../model/keep.ts';

export const journalSchema = z.strictObject({
  dir: z
    .string()
    .default('data/sessions')
    .describe('Where the sessions live: journal, recording, log and result of each'),
  keep: z
    .string()
    .refine((text) => parseKeep(text) !== null, KEEP_EXPECTED)
    .optional()
    .describe('What `data prune` leaves of sessions that are over: a duration (90d) or a size (20GB)'),
  durability: z
    .enum(['full', 'normal'])
    .default('full')
    .describe('`full`: fsync per commit. `normal` may lose the last moments on a power cut, never on a crash'),
});
