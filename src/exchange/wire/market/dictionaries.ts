/** Assets and networks (assumed). */
import { z } from 'zod';
import { text } from '../scalars.ts';

export interface Asset {
  readonly currency: string;
  readonly title: string;
  /** False: fiat. */
  readonly isCoin: boolean;
  /** Decimal places. */
  readonly precision: number;
}

export const assetSchema: z.ZodType<Asset> = z.object({
  currency: text,
  title: text,
  isCoin: z.boolean(),
  precision: z.int().min(0).max(30),
});

export interface NetworkTitle {
  readonly network: string;
  readonly title: string;
}

export const networkSchema: z.ZodType<NetworkTitle> = z.object({ network: text, title: text });
