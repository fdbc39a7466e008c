/** Polls of `panic --flatten`: own trades since the last booked ones, and order lists for trades of unknown orders. */
import type { Exchange } from '../../exchange/exchange.ts';
import type { VenueFill } from '../../model/trading/fill.ts';
import type { Market } from '../../model/market/instrument.ts';
import type { OrderReport } from '../../model/trading/order.ts';
import type { Clock } from '../../model/ports.ts';
import { type Reading, joined } from '../../model/result.ts';
import type { Readings } from '../../reconciler/compare.ts';
import { pause, type Problems } from './panic.ts';

const TRIES = 3;
const PAUSE_MS = 500;

export interface Asked {
  readonly orders: Pick<Exchange['orders'], 'active' | 'history' | 'ownTrades'>;
  readonly clock: Clock;
  readonly markets: readonly Market[];
  /** Unix ms. */
  readonly from: number;
  readonly wantsOrders: (trades: readonly VenueFill[]) => boolean;
}

export interface PanicReadings extends Readings {
  /** Markets with complete trades. */
  readonly whole: ReadonlySet<Market>;
}

/** Trades first, so that the lists hold their orders. */
export async function readForPanic(asked: Asked, unread: Problems): Promise<PanicReadings> {
  const { orders, clock, markets, from, wantsOrders } = asked;
  const whole = new Set<Market>();
  const fills: VenueFill[] = [];
  let asOf = Number.POSITIVE_INFINITY;
  for (const market of markets) {
    const reading = await untilWhole(clock, () => orders.ownTrades({ market, from }));
    asOf = Math.min(asOf, reading.asOf);
    if (reading.kind === 'complete') {
      whole.add(market);
      fills.push(...reading.items);
    } else {
      const what = `the own trades of the ${market} market could not be read (${reading.reason})`;
      unread.add(`${what}: more may be held there than the journals show`);
    }
  }
  const trades = { kind: 'complete', asOf, items: fills } as const;
  const lists = wantsOrders(fills) ? await readOrders(asked) : NOT_ASKED;
  return { ...lists, markets, historyFrom: from, trades, tradesFrom: from, whole };
}

const NOT_ASKED: Pick<Readings, 'active' | 'history'> = {
  active: { kind: 'complete', asOf: 0, items: [] },
  history: undefined,
};

async function readOrders({ orders, clock, markets, from }: Asked): Promise<Pick<Readings, 'active' | 'history'>> {
  const active = await untilWhole(clock, () => orders.active());
  let history: Reading<OrderReport> | undefined;
  for (const market of markets) {
    const reading = await untilWhole(clock, () => orders.history({ market, from }));
    history = history === undefined ? reading : joined(history, reading);
  }
  return { active, history };
}

async function untilWhole<T>(clock: Clock, read: () => Promise<Reading<T>>): Promise<Reading<T>> {
  let reading = await read();
  for (let tries = 1; tries < TRIES && reading.kind !== 'complete'; tries++) {
    await pause(clock, PAUSE_MS);
    reading = await read();
  }
  return reading;
}

export function unreadOrders({ active, history }: Pick<Readings, 'active' | 'history'>): string | null {
  for (const reading of [active, history])
    if (reading !== undefined && reading.kind !== 'complete') return reading.reason;
  return null;
}
