/**
 * Orders sent by `panic --flatten`: a JSON line before each send and after its answer, so that nothing is sold twice.
 * They stand beside the sessions, or in the account's folder where nothing can be written there.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { makeFolder } from '../../journal/files/files.ts';
import { dec, type Decimal } from '../../model/numbers/money.ts';
import type { PositionSide } from '../../model/trading/order.ts';
import { accountFolder } from '../store/account-place.ts';

export interface PanicAccount {
  readonly account: string;
  /** Address, as in `session.json`. */
  readonly exchange: string;
}

export interface Holder {
  readonly session: string;
  /** Ids of copies of the session, of which any may be started. */
  readonly also: readonly string[];
  readonly strategy: string;
}

export interface Holding extends Holder {
  /** The symbol, and its side in hedge mode. */
  readonly name: string;
  readonly quantity: Decimal;
}

const FILE = 'panic.jsonl';

/** Signed quantities. `done` replaces the reservation of `sending`. */
const line = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('sending'),
    id: z.string(),
    account: z.string(),
    exchange: z.string(),
    /** With the side in hedge mode. */
    symbol: z.string(),
    quantity: z.string(),
    session: z.string().default(''),
    also: z.array(z.string()).default([]),
    strategy: z.string().default(''),
    /** Quantity that the strategy held. The rest closes external holdings. */
    held: z.string().optional(),
    /** Unix ms. */
    at: z.number().default(0),
  }),
  z.object({
    kind: z.literal('done'),
    id: z.string(),
    quantity: z.string(),
    /** By an exchange whose lists name it if it was carried out nevertheless. */
    refused: z.boolean().default(false),
  }),
]);
export type PanicLine = z.input<typeof line>;

/** For a folder of sessions that takes no line. Returns the file. Throws on a disk failure. */
export function writePanicLineAside(owner: PanicAccount, entry: PanicLine): string {
  const folder = accountFolder(owner);
  makeFolder(folder, 0o700);
  return writePanicLine(folder, entry);
}

/** Returns the file. Throws on a disk failure. */
export function writePanicLine(folder: string, entry: PanicLine): string {
  const path = join(folder, FILE);
  // A cut line must not spoil this one.
  const end = /[^\n]$/.test(textOf(path)) ? '\n' : '';
  appendFileSync(path, `${end}${JSON.stringify(entry)}\n`, { mode: 0o600, flush: true });
  return path;
}

/** What it moved or may have moved, signed. */
export interface PanicOrder extends Holder {
  /** Intent id. */
  readonly id: string;
  readonly symbol: string;
  readonly quantity: Decimal;
  readonly sent: Decimal;
  /** Of it what closes the holder's own, at most. */
  readonly own: Decimal;
  readonly at: number;
  readonly isKnown: boolean;
  /** Moved nothing if complete lists do not show it. */
  readonly isRefused: boolean;
  /** It stands in the account's folder, which has those of other folders of sessions, too. */
  readonly isAside: boolean;
}

export function isOfSession({ session, also }: Pick<Holder, 'session' | 'also'>, id: string): boolean {
  return session === id || also.includes(id);
}

/** Without those that certainly moved nothing. */
export function panicOrders(root: string, owner: PanicAccount): readonly PanicOrder[] {
  const orders = new Map<string, PanicOrder>();
  for (const folder of [root, accountFolder(owner)]) {
    const isAside = folder !== root;
    for (const text of textOf(join(folder, FILE)).split('\n')) {
      const entry = text === '' ? undefined : line.safeParse(jsonOf(text)).data;
      if (entry === undefined) continue;
      const known = orders.get(entry.id);
      if (entry.kind === 'done') {
        if (known === undefined) continue;
        const moved = entry.refused ? { isRefused: true } : { quantity: dec(entry.quantity), isKnown: true };
        orders.set(entry.id, { ...known, ...moved });
      } else if (known === undefined && entry.account === owner.account && entry.exchange === owner.exchange) {
        const { id, symbol, session, also, strategy, at } = entry;
        const quantity = dec(entry.quantity);
        const own = entry.held === undefined ? quantity : dec(entry.held).neg();
        const order = { id, symbol, session, also, strategy, at, quantity, sent: quantity, own };
        orders.set(id, { ...order, isKnown: false, isRefused: false, isAside });
      }
    }
  }
  return [...orders.values()].filter(({ quantity }) => !quantity.isZero());
}

export function splitName(name: string): readonly [symbol: string, positionSide: PositionSide] {
  const [symbol = name, side] = name.split('/');
  return [symbol, side === 'long' || side === 'short' ? side : 'both'];
}

/** Where the home of a service is no folder, there is no file either. */
const ABSENT: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR']);

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && ABSENT.has(thrown.code)) return '';
    throw thrown;
  }
}

/** Undefined for a cut line, after which no order was sent. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
