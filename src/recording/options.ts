/** The `recording:` part of the config. */
import { z } from 'zod';

export const recordingOptions = z
  .strictObject({
    dir: z
      .string()
      .min(1)
      .default('data/recordings')
      .describe('Where `record` writes; sessions record beside their journal.'),
    compress: z.boolean().default(true).describe('zstd per block; off writes the same blocks uncompressed.'),
    private: z
      .boolean()
      .default(true)
      .describe('Record private frames too (orders, fills, balances). Never login messages.'),
  })
  .prefault({});
