/**
 * What `panic --flatten` has sent: one JSON line before an order leaves and one after its answer, in a file beside the
 * sessions. Until the next start of its session takes such an order into its journal (`panic-orders.ts`), a second panic
 * must find it here, or it would sell twice.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { dec, type Decimal } from '../model/money.ts';

export interface PanicAccount {
  readonly account: string;
  /** Address, as in `session.json`. */
  readonly exchange: string;
}

/** Whose position an order closes. */
export interface Holder {
  /** Id of the session. */
  readonly session: string;
  readonly strategy: string;
}

const FILE = 'panic.jsonl';

/** Quantities are signed: positive bought. `done` replaces what `sending` had reserved. */
const line = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('sending'),
    id: z.string(),
    account: z.string(),
    exchange: z.string(),
    /** Name of the position: the symbol, and its side in hedge mode. */
    symbol: z.string(),
    quantity: z.string(),
    session: z.string().default(''),
    strategy: z.string().default(''),
    /** Unix ms. */
    at: z.number().default(0),
  }),
  z.object({ kind: z.literal('done'), id: z.string(), quantity: z.string() }),
]);
export type PanicLine = z.input<typeof line>;

/** Throws when the disk refuses. */
export function writePanicLine(root: string, entry: PanicLine): void {
  const path = join(root, FILE);
  // A line that a full disk or a crash cut short must not take this one with it.
  const end = /[^\n]$/.test(textOf(path)) ? '\n' : '';
  appendFileSync(path, `${end}${JSON.stringify(entry)}\n`, { mode: 0o600, flush: true });
}

/** An order of a panic: what it moved, or may have moved, signed. */
export interface PanicOrder extends Holder {
  /** Intent id; the client order id bears it. */
  readonly id: string;
  readonly symbol: string;
  readonly quantity: Decimal;
  readonly at: number;
}

/** Orders of all panics on this account, oldest first; those that certainly moved nothing are left out. */
export function panicOrders(root: string, { account, exchange }: PanicAccount): readonly PanicOrder[] {
  const orders = new Map<string, PanicOrder>();
  for (const text of textOf(join(root, FILE)).split('\n')) {
    const entry = text === '' ? undefined : line.safeParse(jsonOf(text)).data;
    if (entry === undefined) continue;
    const known = orders.get(entry.id);
    if (entry.kind === 'done') {
      if (known !== undefined) orders.set(entry.id, { ...known, quantity: dec(entry.quantity) });
    } else if (entry.account === account && entry.exchange === exchange) {
      const { id, symbol, session, strategy, at } = entry;
      orders.set(id, { id, symbol, session, strategy, at, quantity: dec(entry.quantity) });
    }
  }
  return [...orders.values()].filter(({ quantity }) => !quantity.isZero());
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return '';
    throw thrown;
  }
}

/** A line that was cut short is undefined, and passed over: no crash let a send follow it, and a full disk is told of. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
