/** Own trades of before the rows that a replica keeps: backwards and in parts, so that its thread serves others in between. */
import { setImmediate as turn } from 'node:timers/promises';
import type { JournalRow } from '../../model/entries/journal.ts';
import type { FillRow } from '../schemas/orders.ts';
import { fillRowOf, type FilledIntent } from './fill-row.ts';

const PART_ROWS = 20_000;

/** Whether the text of a row may be of use. */
export function mayBeOfFills(body: string): boolean {
  return body.includes('"kind":"fill"') || body.includes('"kind":"liquidation"') || body.includes('"command":"create"');
}

/**
 * The newest `most` before a row, oldest first.
 *
 * @param read rows from a number until before another one, oldest first
 */
export async function olderFills(
  read: (from: number, to: number) => readonly JournalRow[],
  before: number,
  most: number,
): Promise<readonly FillRow[]> {
  const found: JournalRow[] = [];
  const intents = new Map<string, FilledIntent>();
  const sought = new Set<string>();
  for (let to = before; to > 1 && (found.length < most || sought.size > 0); to -= PART_ROWS) {
    for (const row of read(Math.max(1, to - PART_ROWS), to).toReversed()) {
      const { entry } = row;
      if (entry.kind === 'intent') {
        if (entry.command === 'create' && sought.delete(entry.intentId)) intents.set(entry.intentId, entry);
      } else if (found.length < most && (entry.kind === 'fill' || entry.kind === 'liquidation')) {
        found.push(row);
        if (entry.kind === 'fill') sought.add(entry.intentId);
      }
    }
    await turn();
  }
  return found.toReversed().flatMap((row) => fillRowOf(row, (intentId) => intents.get(intentId)) ?? []);
}
