/** Options `journal` of the config. */
import { z } from 'zod';

export const journalSchema = z.strictObject({
  dir: z
    .string()
    .default('data/sessions')
    .describe('Where the sessions live: journal, recording, log and result of each'),
  durability: z
    .enum(['full', 'normal'])
    .default('full')
    .describe('`full`: fsync per commit. `normal` may lose the last moments on a power cut, never on a crash'),
});
