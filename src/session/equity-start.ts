/**
 * What the equity of a session began with: what the account held, what that was worth, what was moved since. A process that
 * goes on with a session cannot know it, so it stands in the journal as a record row. Amounts are canonical decimal text.
 */
import { z } from 'zod';
import type { JournalEntry, Json } from '../model/journal.ts';
import { isDecimalText } from '../model/money.ts';
import type { OwnEquity } from './equity.ts';

export const START_RECORD = 'equity-start';

const amount = z.string().refine(isDecimalText);

const startSchema = z.object({
  /** By currency. */
  money: z.record(z.string(), amount),
  /** By perpetual: its settlement currency and signed base units. */
  contracts: z.record(z.string(), z.tuple([z.string(), amount])),
  /** Reporting currency. */
  capital: amount,
  flows: amount,
});

export type EquityStart = z.infer<typeof startSchema>;

/** Null where it cannot be read. */
export function equityStartOf(data: unknown): EquityStart | null {
  return startSchema.safeParse(data).data ?? null;
}

/** Journals it whenever a first price or a movement of money has changed it; to be called every second or so. */
export function startKeeper(record: (entry: JournalEntry) => void, equity: OwnEquity): () => void {
  let kept = '';
  return () => {
    const start = equity.start();
    const text = JSON.stringify(start);
    if (start === null || text === kept) return;
    kept = text;
    record({ kind: 'record', name: START_RECORD, data: start satisfies Json });
  };
}
