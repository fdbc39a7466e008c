/**
 * Polls active orders, history, trades, then balances and positions, so that an order that moves on is in a later list.
 * The result of the weakest market counts.
 */
import type { AccountMovement, Balance, FundingPayment, VenuePosition } from '../model/trading/account.ts';
import type { Market } from '../model/market/instrument.ts';
import { joined, type Reading } from '../model/result.ts';
import type { VenueQueries } from '../model/venue.ts';
import type { Readings } from './compare.ts';

export interface AccountReadings extends Readings {
  readonly balances: Reading<Balance>;
  /** Undefined without derivatives. */
  readonly positions: Reading<VenuePosition> | undefined;
  /** Undefined without derivatives or when not requested. */
  readonly funding: Reading<FundingPayment> | undefined;
  /** Undefined when not requested or not offered. */
  readonly movements: Reading<AccountMovement> | undefined;
}

export interface ReadingPlan {
  readonly markets: readonly Market[];
  readonly wantsHistory: boolean;
  /** Unix ms. */
  readonly historyFrom: number;
  readonly tradesFrom: number;
  /** Part of the reach for a missing trade, ms. */
  readonly misdatedMs: number;
  /** Unix ms; null: not requested. */
  readonly fundingFrom: number | null;
  readonly movementsFrom: number | null;
  readonly holdsMoney: () => boolean;
}

export async function readAccount(query: VenueQueries, plan: ReadingPlan): Promise<AccountReadings> {
  const active = await query.activeOrders();
  const history = plan.wantsHistory
    ? await eachMarket(plan.markets, (market) => query.orderHistory({ market, from: plan.historyFrom }))
    : undefined;
  const trades = await eachMarket(plan.markets, (market) => query.ownTrades({ market, from: plan.tradesFrom }));
  const shown = await query.balances();
  const positions = plan.markets.includes('derivative') ? await query.positions() : undefined;
  const { markets, historyFrom, tradesFrom, fundingFrom } = plan;
  const funding = positions === undefined || fundingFrom === null ? undefined : await query.funding?.(fundingFrom);
  // Polled last, so that it contains what the balances show.
  const movements = plan.movementsFrom === null ? undefined : await query.movements?.(plan.movementsFrom);
  // The stream may have reported holdings meanwhile.
  const balances = believable(shown, plan.holdsMoney);
  return { markets, active, history, historyFrom, trades, tradesFrom, balances, positions, funding, movements };
}

/** An empty list is an invalid snapshot when the account holds something. */
export function believable(reading: Reading<Balance>, holdsMoney: () => boolean): Reading<Balance> {
  if (reading.kind !== 'complete' || reading.items.length > 0 || !holdsMoney()) return reading;
  return { ...reading, kind: 'partial', reason: 'the list has no balance, but the account holds some' };
}

async function eachMarket<T>(
  markets: readonly Market[],
  read: (market: Market) => Promise<Reading<T>>,
): Promise<Reading<T>> {
  let merged: Reading<T> | undefined;
  for (const market of markets) {
    const reading = await read(market);
    merged = merged === undefined ? reading : joined(merged, reading);
  }
  return merged ?? { kind: 'failed', asOf: 0, reason: 'no market is read' };
}

/** What a pass can do without, by name, and why it was not read. */
export function unreadOf({
  movements,
  funding,
}: AccountReadings): readonly (readonly [what: string, reason: string])[] {
  const named = [['movements of money', movements] as const, ['payments of funding', funding] as const];
  return named.flatMap(([what, reading]) =>
    reading === undefined || reading.kind === 'complete' ? [] : [[what, reading.reason] as const],
  );
}

export function failuresOf(readings: AccountReadings): readonly string[] {
  const named = {
    'active orders': readings.active,
    'order history': readings.history,
    'own trades': readings.trades,
    balances: readings.balances,
    positions: readings.positions,
  };
  return Object.entries(named).flatMap(([name, reading]) =>
    reading === undefined || reading.kind === 'complete' ? [] : [`${name}: ${reading.kind}, ${reading.reason}`],
  );
}
