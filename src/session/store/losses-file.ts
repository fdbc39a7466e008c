/** A session's losses of the UTC day, for `limits show`, and for the next session where this one crashes. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Executor } from '../../execution/executor.ts';
import { writeWhole } from '../../journal/files/files.ts';
import { messageOf } from '../../model/errors.ts';
import type { Cancel, Clock, Logger } from '../../model/ports.ts';

const WRITE_MS = 1_000;

/** UTC day (`2026-01-05`); a gain is negative. */
const dayLossSchema = z.object({ day: z.string(), amount: z.number() });

const schema = z.object({
  account: dayLossSchema.nullable(),
  strategies: z.record(z.string(), dayLossSchema),
  /** The reporting currency. */
  currency: z.string().optional(),
});

export type LossesOfDay = z.infer<typeof schema>;

export type LossSource = Pick<Executor, 'lossOfDay' | 'strategyLosses'>;

export function keepLosses(file: string, clock: Clock, source: LossSource, currency: string, logger: Logger): Cancel {
  const before = readLosses(file);
  // A start that has seen no balance yet does not forget what the process before it knew.
  let account = before?.currency === currency ? before.account : null;
  let written = '';
  let failed = false;
  const write = (): void => {
    account = source.lossOfDay() ?? account;
    const losses: LossesOfDay = {
      account,
      strategies: Object.fromEntries(source.strategyLosses()),
      currency,
    };
    const text = `${JSON.stringify(losses)}\n`;
    if (text === written) return;
    try {
      writeWhole(file, Buffer.from(text));
      written = text;
      failed = false;
    } catch (thrown) {
      if (!failed) logger.warn({ reason: messageOf(thrown) }, 'the losses of the day cannot be written');
      failed = true;
    }
  };
  const cancel = clock.every(WRITE_MS, write);
  return () => {
    cancel();
    write();
  };
}

export function readLosses(file: string): LossesOfDay | null {
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}
