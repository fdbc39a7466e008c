/** Checks against the book and own resting orders. Pure. */
import { denied, type Denied } from '../../model/trading/deny-reason.ts';
import type { Instrument } from '../../model/market/instrument.ts';
import { amountText } from '../../model/numbers/money.ts';
import type { Side } from '../../model/trading/order.ts';
import type { MarketReader } from '../../model/ports.ts';
import { isClosed } from '../../spine/orders/order-machine.ts';
import type { OwnOrder } from '../../spine/orders/own-order.ts';

interface Priced {
  readonly instrument: Instrument;
  readonly side: Side;
  readonly ticks: number;
  readonly isMarket: boolean;
  readonly postOnly: boolean;
}

/** The exchange has no post-only, so it is enforced here. */
export function postOnlyDenial(market: MarketReader, order: Priced): Denied | null {
  if (!order.postOnly || order.isMarket) return null;
  const { instrument, ticks } = order;
  const best = market.best(instrument.symbol);
  if (best === undefined) return fromMid(market, order);
  if (order.side === 'buy' && best.askLots > 0 && ticks >= best.askTicks) return crosses(order, 'ask', best.askTicks);
  if (order.side === 'sell' && best.bidLots > 0 && ticks <= best.bidTicks) return crosses(order, 'bid', best.bidTicks);
  return null;
}

/** Denies an order that is no exit if its book was lost between decision and send (reliability S13). */
export function lostMarketDenial(
  market: MarketReader,
  { instrument, arrivalMid }: Pick<OwnOrder, 'instrument' | 'arrivalMid'>,
  exits: boolean,
): Denied | null {
  if (exits || arrivalMid === null || market.mid(instrument.symbol) !== undefined) return null;
  return denied('no_market', `${instrument.symbol}: the order book of the decision is gone`);
}

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
 * Own resting orders that the new one would trade with. A market order meets those up to the best opposite price, or
 * all if it takes more than that level; on bars those up to the last price; all where nothing is known.
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
  const { symbol, tick } = order.instrument;
  const best = market.best(symbol);
  if (best === undefined) {
    const price = market.mid(symbol);
    return price === undefined ? everything : Math.round(price / tick);
  }
  const lots = buys ? best.askLots : best.bidLots;
  return order.lots > lots ? everything : buys ? best.askTicks : best.bidTicks;
}
