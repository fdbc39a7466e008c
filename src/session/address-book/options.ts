/** The `wallet` section of the configuration. */
import { z } from 'zod';

export const walletOptions = z
  .strictObject({
    addressBook: z.string().min(1).default('data/address-book.json').describe('Addresses that withdrawals may go to'),
    addressDelayHours: z
      .number()
      .min(0)
      .max(8760)
      .default(24)
      .describe('How long a new address waits before money may go there'),
  })
  .prefault({});
