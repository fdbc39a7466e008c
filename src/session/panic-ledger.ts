/**
 * What `panic --flatten` has sent: one JSON line before an order leaves and one after its answer, in a file beside the
 * sessions. These orders stand in no session's journal, so a second panic must find them here, or it would sell twice.
 * Called by `panic.ts` alone.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { dec, ZERO, type Decimal } from '../model/money.ts';

export interface PanicAccount {
  readonly account: string;
  /** Address, as in `session.json`. */
  readonly exchange: string;
}

const FILE = 'panic.jsonl';

/** Quantities are signed: positive bought. `done` replaces what `sending` had reserved. */
const line = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('sending'),
    id: z.string(),
    account: z.string(),
    exchange: z.string(),
    symbol: z.string(),
    quantity: z.string(),
  }),
  z.object({ kind: z.literal('done'), id: z.string(), quantity: z.string() }),
]);
export type PanicLine = z.output<typeof line>;

/** Throws when the disk refuses: nothing may be sent then. */
export function writePanicLine(root: string, entry: PanicLine): void {
  appendFileSync(join(root, FILE), `${JSON.stringify(entry)}\n`, { mode: 0o600, flush: true });
}

/** Signed base quantity per symbol that earlier panics moved on this account, or may have moved. */
export function movedByPanics(root: string, { account, exchange }: PanicAccount): ReadonlyMap<string, Decimal> {
  const orders = new Map<string, { readonly symbol: string; quantity: Decimal }>();
  for (const text of textOf(join(root, FILE)).split('\n')) {
    const entry = text === '' ? undefined : line.safeParse(jsonOf(text)).data;
    if (entry === undefined) continue;
    const known = orders.get(entry.id);
    if (entry.kind === 'done') {
      if (known !== undefined) known.quantity = dec(entry.quantity);
    } else if (entry.account === account && entry.exchange === exchange) {
      orders.set(entry.id, { symbol: entry.symbol, quantity: dec(entry.quantity) });
    }
  }
  const moved = new Map<string, Decimal>();
  for (const { symbol, quantity } of orders.values()) moved.set(symbol, (moved.get(symbol) ?? ZERO).plus(quantity));
  return moved;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return '';
    throw thrown;
  }
}

/** A line that a crash cut short was not followed by a send: it is undefined, and passed over. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
