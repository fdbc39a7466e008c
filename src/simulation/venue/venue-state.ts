/** Saved state of the simulated venue. Open orders return to the back of their queues. */
import type { Balance } from '../../model/trading/account.ts';
import type { VenueFill } from '../../model/trading/fill.ts';
import type { Instrument, Instruments } from '../../model/market/instrument.ts';
import { ASK, BID } from '../../model/market/market-event.ts';
import { dec, ZERO } from '../../model/numbers/money.ts';
import type { OrderReport } from '../../model/trading/order.ts';
import { US_PER_MS } from '../../model/time.ts';
import { simulationErrors } from '../errors.ts';
import { isClosed, recordOf } from './order-record.ts';
import type { AcceptedRequest } from '../money/money.ts';
import type { OrderStore } from './order-store.ts';
import type { Purse } from '../money/purse.ts';
import type { RestoredPosition } from '../money/restored-position.ts';
import type { SymbolVenue } from './symbol-venue.ts';
import { workingOrder } from '../matching/working-order.ts';

export interface VenueState {
  /** Open and closed, each once, in creation order. */
  readonly orders: readonly OrderReport[];
  readonly fills: readonly VenueFill[];
  /** Only totals count; locks are derived. */
  readonly balances: readonly Balance[];
  readonly positions: readonly RestoredPosition[];
  /** Of money, in order. */
  readonly accepted?: readonly AcceptedRequest[];
}

export interface RestoreTarget {
  readonly store: OrderStore;
  readonly purse: Purse;
  readonly instruments: Instruments;
  symbolOf(instrument: Instrument): SymbolVenue;
}

/** Highest order and trade numbers, for new ids. */
export function restoreState(
  state: VenueState,
  us: number,
  target: RestoreTarget,
): { readonly orders: number; readonly trades: number } {
  for (const { currency, total } of state.balances) {
    if (dec(total).isNegative()) throw broken(`balance of ${total} ${currency}`);
    target.purse.grant(currency, dec(total));
  }
  for (const position of state.positions) {
    const { perpetual } = target.symbolOf(instrumentOf(position.symbol, target));
    if (perpetual === null) throw broken(`position of ${position.symbol}, which is not a perpetual`);
    if (!perpetual.restore(position)) throw broken(`${position.symbol} has no position side ${position.positionSide}`);
  }
  for (const fill of state.fills) target.store.addFill(fill);
  for (const report of state.orders) {
    if (isClosed(report.status)) target.store.addClosed(report);
    else rejoin(report, us, target);
  }
  return {
    // Liquidations appear only in fills.
    orders: highest(
      [...state.orders, ...state.fills].map(({ orderId }) => orderId),
      /^sim-(\d+)$/,
    ),
    trades: highest(
      state.fills.map((fill) => fill.tradeId),
      /^sim-t(\d+)$/,
    ),
  };
}

function rejoin(report: OrderReport, us: number, target: RestoreTarget): void {
  const instrument = instrumentOf(report.symbol, target);
  const symbol = target.symbolOf(instrument);
  const lots = instrument.lotsOf(report.quantity);
  const filledLots = instrument.lotsOf(report.filledQuantity);
  // A market order still open waits for bars.
  const isMarket = report.price === null;
  const limit = isMarket ? Infinity : instrument.ticksOf(report.price);
  if (!(lots > 0 && filledLots >= 0 && filledLots < lots && limit > 0)) {
    throw broken(`open order ${report.orderId}: ${report.filledQuantity} of ${report.quantity} at ${report.price}`);
  }
  const side = report.side === 'buy' ? BID : ASK;
  const ticks = isMarket && side === ASK ? -Infinity : limit;
  const working = workingOrder(report.orderId, side, ticks, lots - filledLots, !isMarket);
  const request = { ...report, clientOrderId: report.clientOrderId ?? report.orderId };
  const record = recordOf(working, request, instrument, lots, report.createdAt * US_PER_MS);
  record.filledLots = filledLots;
  record.filledValue = report.averagePrice === null ? ZERO : dec(report.averagePrice).times(report.filledQuantity);
  record.filledTicks = Number.NaN;
  record.status = report.status;
  record.updatedUs = report.updatedAt * US_PER_MS;
  if (!symbol.handler.rejoin(record)) throw broken(`the balances do not cover open order ${report.orderId}`);
  target.store.add(record);
  symbol.engine.rejoin(working, us);
}

function instrumentOf(symbol: string, target: RestoreTarget): Instrument {
  const instrument = target.instruments.find(symbol);
  if (instrument === undefined) throw broken(`${symbol} is not an instrument of this venue`);
  return instrument;
}

function broken(message: string): Error {
  return simulationErrors.make('simulation_state', message);
}

function highest(ids: readonly string[], pattern: RegExp): number {
  return ids.reduce((max, id) => Math.max(max, Number(pattern.exec(id)?.[1] ?? 0)), 0);
}
