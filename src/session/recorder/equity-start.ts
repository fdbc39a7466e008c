/**
 * The start of a session's equity, journalled for later processes. It contains no flow, because flows have their own
 * rows. So the order of the two rows does not matter.
 */
import { z } from 'zod';
import type { JournalEntry } from '../../model/entries/journal.ts';
import type { Json } from '../../model/text/json.ts';
import { isDecimalText } from '../../model/numbers/money.ts';

export const START_RECORD = 'equity-start';

const amount = z.string().refine(isDecimalText);

const startSchema = z.object({
  money: z.record(z.string(), amount),
  /** Settlement currency and signed base units. */
  contracts: z.record(z.string(), z.tuple([z.string(), amount])),
  /** Reporting currency. */
  capital: amount,
  /** Currencies and symbols that are not in the capital yet. */
  unpriced: z.array(z.string()).default([]),
  /** By id: values of flows whose rows have none. */
  worths: z.record(z.string(), amount).default({}),
  /** Ids of the flows that `money` contains after all, and their worth. Older journals do not name them. */
  counted: z.array(z.string()).optional(),
  flows: amount,
});

export type EquityStart = z.infer<typeof startSchema> & { readonly counted: readonly string[] };

/** `unnamed`: the flows in a start that names none. */
export function equityStartOf(data: unknown, unnamed: readonly string[]): EquityStart | null {
  const start = startSchema.safeParse(data).data;
  return start === undefined ? null : { ...start, counted: start.counted ?? [...unnamed] };
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
