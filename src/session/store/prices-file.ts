/** The prices that a running session knows, written every second, for figures that another process reads (`status`). */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { messageOf } from '../../model/errors.ts';
import type { Cancel } from '../../model/ports.ts';
import type { RunningSession } from './running-session.ts';

const WRITE_MS = 1_000;

/** By symbol: mid of spot, mark of perpetuals. `at`: in session time, when its market data was last current. */
const schema = z.record(z.string(), z.object({ price: z.number(), at: z.number() }));

export type KnownPrices = z.infer<typeof schema>;

export type PriceSource = Pick<RunningSession, 'symbols' | 'clock' | 'recorder'> & {
  readonly stream: Pick<RunningSession['stream'], 'gate'>;
} & { readonly options: Pick<RunningSession['options'], 'connection' | 'logger'> };

export function keepPrices(file: string, { symbols, clock, recorder, stream, options }: PriceSource): Cancel {
  const { connection, logger } = options;
  const known = readPrices(file);
  let failed = false;
  return connection.clock.every(WRITE_MS, () => {
    const at = clock.now();
    for (const symbol of symbols) {
      const price = recorder.price(symbol);
      if (price !== undefined && stream.gate.closedBecause(symbol) === null) known[symbol] = { price, at };
    }
    try {
      writeFileSync(`${file}.partial`, `${JSON.stringify(known)}\n`, { mode: 0o600 });
      renameSync(`${file}.partial`, file);
      failed = false;
    } catch (thrown) {
      if (!failed) logger.warn({ reason: messageOf(thrown) }, 'the prices for `status` cannot be written');
      failed = true;
    }
  });
}

/** Empty where there are none, or they cannot be read. */
export function readPrices(file: string): KnownPrices {
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return {};
  }
}
