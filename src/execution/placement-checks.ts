/** Checks against the book: whether it is there still, post-only orders that would trade, and own orders that a new one would meet. Pure. */
import { denied, type Denied } from '../model/deny-reason.ts';
import type { Instrument } from '../model/instrument.ts';
import { amountText } from '../model/money.ts';
import type { Side } from '../model/order.ts';
import type { MarketReader } from '../model/ports.ts';
import { isClosed } from '../spine/orders/order-machine.ts';
import type { OwnOrder } from '../spine/orders/own-order.ts';

interface Priced {
  readonly instrument: Instrument;
  readonly side: Side;
  readonly ticks: number;
  readonly isMarket: boolean;
  readonly postOnly: boolean;
}

/** Ours, not the exchange's: a post-only order that would trade at once is not sent. */
export function postOnlyDenial(market: MarketReader, order: Priced): Denied | null {
  if (!order.postOnly || order.isMarket) return null;
  const { instrument, ticks } = order;
  const best = market.best(instrument.symbol);
  if (best === undefined) return fromMid(market, order);
  if (order.side === 'buy' && best.askLots > 0 && ticks >= best.askTicks) return crosses(order, 'ask', best.askTicks);
  if (order.side === 'sell' && best.bidLots > 0 && ticks <= best.bidTicks) return crosses(order, 'bid', best.bidTicks);
  return null;
}

/**
 * An order that was decided by a market which is gone when its turn comes, since the book lost a frame and is read anew,
 * is not sent (reliability S13). An exit is.
 */
export function lostMarketDenial(
  market: MarketReader,
  { instrument, arrivalMid }: Pick<OwnOrder, 'instrument' | 'arrivalMid'>,
  exits: boolean,
): Denied | null {
  if (exits || arrivalMid === null || market.mid(instrument.symbol) !== undefined) return null;
  return denied('no_market', `${instrument.symbol}: the book that the order was decided by is gone`);
}

/** Where only candles exist the last close stands for the book. */
function fromMid(market: MarketReader, order: Priced): Denied | null {
  const { instrument, ticks } = order;
  const mid = market.mid(instrument.symbol);
  if (mid === undefined)
    return denied('no_market', `${instrument.symbol}: there is no book yet, so post-only cannot be checked`);
  const price = instrument.priceOf(ticks);
  if (order.side === 'buy' ? price <= mid : price >= mid) return null;
  return denied(
    'would_cross',
    `${instrument.symbol}: post-only ${order.side} at ${instrument.priceText(ticks)} would trade at ${amountText(mid)}`,
    'price',
  );
}

function crosses(order: Priced, side: 'bid' | 'ask', ticks: number): Denied {
  const { instrument } = order;
  const message = `${instrument.symbol}: post-only ${order.side} at ${instrument.priceText(order.ticks)} would trade with the best ${side} ${instrument.priceText(ticks)}`;
  return denied('would_cross', message, 'price');
}

/**
 * Own resting orders, of any strategy, that the new one would meet (self-trade prevention, cancel-resting). For a
 * market order: those at or inside the best opposite price, and all of them when it takes more than the best level.
 */
export function ownOrdersMet(
  market: MarketReader,
  order: Priced & { readonly lots: number },
  live: readonly OwnOrder[],
): readonly OwnOrder[] {
  let met: OwnOrder[] | undefined;
  let limit = order.ticks;
  if (order.isMarket) limit = reachOf(market, order);
  for (const own of live) {
    if (own.side === order.side || own.isMarket || isClosed(own.progress)) continue;
    if (order.side === 'buy' ? own.ticks > limit : own.ticks < limit) continue;
    met ??= [];
    met.push(own);
  }
  return met ?? NONE;
}

const NONE: readonly OwnOrder[] = Object.freeze([]);

function reachOf(market: MarketReader, order: Priced & { readonly lots: number }): number {
  const buys = order.side === 'buy';
  const everything = buys ? Number.POSITIVE_INFINITY : 0;
  const best = market.best(order.instrument.symbol);
  if (best === undefined) return everything;
  const lots = buys ? best.askLots : best.bidLots;
  return order.lots > lots ? everything : buys ? best.askTicks : best.bidTicks;
}
