/** The `recording:` part of the config. */
import { z } from 'zod';
import { KEEP_EXPECTED, parseKeep } from '../model/keep.ts';

export const recordingOptions = z
  .strictObject({
    dir: z
      .string()
      .min(1)
      .default('data/recordings')
      .describe('Where `record` writes; sessions record beside their journal.'),
    keep: z
      .string()
      .refine((text) => parseKeep(text) !== null, KEEP_EXPECTED)
      .optional()
      .describe('What `data prune` leaves of recordings: a duration (30d) or a size (20GB)'),
    compress: z.boolean().default(true).describe('zstd per block; off writes the same blocks uncompressed.'),
    private: z
      .boolean()
      .default(true)
      .describe('Record private frames too (orders, fills, balances). Never login messages.'),
  })
  .prefault({});
