/** Set-ups of perpetuals on the rig: what the exchange shows as held, what a human trades, a strategy that has bought. */
import { expect } from 'vitest';
import { createReconciler, type Reconciler } from '../../src/reconciler/reconciler.ts';
import type { VenuePosition } from '../../src/model/trading/account.ts';
import type { OrderReport, Side } from '../../src/model/trading/order.ts';
import { makeRig, PERP, settle, type Rig } from './rig.ts';

const { symbol } = PERP;

/** A position of one-way mode, entered at the price of the rig. */
export function held(quantity: string): VenuePosition {
  const sums = { margin: '0', unrealizedPnl: '0', realizedPnl: '0', updatedAt: 1 };
  const prices = { entryPrice: '60000', markPrice: '60000', liquidationPrice: null };
  return { symbol, positionSide: 'both', quantity, leverage: '5', marginType: 'cross', ...sums, ...prices };
}

/** A trade of nobody's order, in the list of trades from now on. `agoMs`: how old it is. */
export function byHand(
  { venue, clock }: Pick<Rig, 'venue' | 'clock'>,
  tradeId: string,
  side: Side,
  quantity: string,
  { orderId = `of ${tradeId}`, agoMs = 0 } = {},
): void {
  const terms = { symbol, market: 'derivative', side, price: '60000', quantity, positionSide: 'both' } as const;
  const costs = { fee: '0.1', feeCurrency: 'USDT', liquidity: 'taker' } as const;
  venue.trades.push({ tradeId, orderId, ...terms, ...costs, ts: clock.now() - agoMs });
}

/** The exchange closes so much by an order of its own, `liq`, and shows the order and its trade from now on. */
export function liquidates(rig: Pick<Rig, 'venue' | 'clock'>, side: Side, quantity: string): void {
  byHand(rig, 'l1', side, quantity, { orderId: 'liq' });
  const now = rig.clock.now();
  const terms = { symbol, market: 'derivative', positionSide: 'both', side, quantity } as const;
  const how = { type: 'market', timeInForce: 'ioc', price: null } as const;
  const state = { filledQuantity: quantity, averagePrice: '60000', status: 'filled', reason: 'liquidation' } as const;
  const order: OrderReport = { orderId: 'liq', ...terms, ...how, ...state, createdAt: now, updatedAt: now };
  rig.venue.orders.set('liq', order);
}

/** A strategy trades so much at the market, at once and whole. */
export function trades(
  { executor, venue }: Pick<Rig, 'executor' | 'venue'>,
  strategy: string,
  side: Side,
  quantity: string,
): void {
  executor.submit(strategy, { kind: 'place', symbol, side, type: 'market', quantity });
  for (const { orderId } of venue.resting()) venue.tellFill(orderId, quantity, '60000');
}

/** Who could have held what is to be decided, each with how much; then a human chooses. */
export function decided({ executor }: Rig, choice: string): string[] {
  return executor.state.undivided.all.flatMap(({ id, holders, others }) => {
    executor.human.division(id, choice, 'as the test says')();
    return [
      ...holders.map(({ strategy, quantity }) => `${strategy} ${quantity}`),
      ...(others === undefined ? [] : [`others ${others}`]),
    ];
  });
}

/** What of liquidations is booked to strategies, and what to others. */
export function liquidationParts({ journal }: Rig): string[] {
  return [...journal.read()].flatMap(({ entry }) => {
    if (entry.kind === 'liquidation') return [`${entry.strategy} ${entry.fill.quantity}`];
    const isOthers = entry.kind === 'adjustment' && entry.cause === 'liquidation of others';
    return isOthers ? [`others ${entry.quantity}`] : [];
  });
}

/** Moves of positions that are in the journal: liquidations of strategies, and adjustments by their cause. */
export function positionMoves({ journal }: Pick<Rig, 'journal'>): string[] {
  return [...journal.read()].flatMap(({ entry }) => {
    if (entry.kind === 'liquidation') return [`${entry.strategy} ${entry.fill.quantity}`];
    const isMove = entry.kind === 'adjustment' && entry.subject === 'position' && entry.quantity !== '0';
    return isMove ? [`${entry.cause} ${entry.quantity}`] : [];
  });
}

/** A process whose account is known and whose maker has bought 0.1. */
export async function bought(): Promise<{ readonly rig: Rig; readonly reconciler: Reconciler }> {
  const rig = makeRig({ specs: [PERP] });
  const reconciler = createReconciler(rig.executor);
  reconciler.start();
  await settle();
  await rig.clock.advanceAsync(61_000, 1000);
  trades(rig, 'maker', 'buy', '0.1');
  rig.venue.positionsNow = [held('0.1')];
  await rig.clock.advanceAsync(61_000, 1000);
  expect(rig.executor.account('maker').position(symbol).quantity).toBe('0.1');
  return { rig, reconciler };
}
