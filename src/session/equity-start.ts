/** The start of a session's equity, journalled for later processes. */
import { z } from 'zod';
import type { JournalEntry } from '../model/journal.ts';
import type { Json } from '../model/json.ts';
import { isDecimalText } from '../model/money.ts';

export const START_RECORD = 'equity-start';

const amount = z.string().refine(isDecimalText);

const startSchema = z.object({
  money: z.record(z.string(), amount),
  /** Settlement currency and signed base units. */
  contracts: z.record(z.string(), z.tuple([z.string(), amount])),
  /** Reporting currency. */
  capital: amount,
  flows: amount,
});

export type EquityStart = z.infer<typeof startSchema>;

export function equityStartOf(data: unknown): EquityStart | null {
  return startSchema.safeParse(data).data ?? null;
}

/** Call about once a second. */
export function startKeeper(
  record: (entry: JournalEntry) => void,
  equity: { start(): EquityStart | null },
): () => void {
  let kept = '';
  return () => {
    const start = equity.start();
    const text = JSON.stringify(start);
    if (start === null || text === kept) return;
    kept = text;
    record({ kind: 'record', name: START_RECORD, data: start satisfies Json });
  };
}
