/** Checks against the book and own resting orders. Pure. */
import { denied, type Denied } from '../../model/trading/deny-reason.ts';
import type { Instrument } from '../../model/market/instrument.ts';
import { amountText } from '../../model/numbers/money.ts';
import type { Side } from '../../model/trading/order.ts';
import type { MarketReader } from '../../model/ports.ts';
import { isClosed, reservedLots } from '../../spine/orders/order-machine.ts';
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
 * Own resting orders that the new one would trade with. A market order meets those up to the price at which the book without
 * own orders fills it, or all if the book shows too little; on bars those up to the last price; all where nothing is known.
 */
export function ownOrdersMet(
  market: MarketReader,
  order: Priced & { readonly lots: number },
  live: readonly OwnOrder[],
  exits = false,
): readonly OwnOrder[] {
  const { side, isMarket, ticks } = order;
  let opposite: OwnOrder[] | undefined;
  for (const own of live) {
    if (own.side === side || own.isMarket || isClosed(own.progress)) continue;
    if (passes(order, exits, own)) continue;
    if (!isMarket && !isWithin(own, ticks)) continue;
    opposite ??= [];
    opposite.push(own);
  }
  if (opposite === undefined) return NONE;
  if (!isMarket) return opposite;
  const limit = reachOf(market, order, opposite);
  return opposite.filter((own) => isWithin(own, limit));
}

/** An exit at the market does not wait for an order of unknown outcome, which may be nowhere. */
export function passes({ isMarket }: Pick<Priced, 'isMarket'>, exits: boolean, own: OwnOrder): boolean {
  return exits && isMarket && own.progress.state === 'unknown';
}

const NONE: readonly OwnOrder[] = Object.freeze([]);

function isWithin(own: OwnOrder, limit: number): boolean {
  return own.side === 'sell' ? own.ticks <= limit : own.ticks >= limit;
}

function reachOf(
  market: MarketReader,
  { side, instrument, lots }: Priced & { readonly lots: number },
  opposite: readonly OwnOrder[],
): number {
  const buys = side === 'buy';
  const everything = buys ? Number.POSITIVE_INFINITY : 0;
  const { symbol, tick } = instrument;
  const best = market.best(symbol);
  if (best === undefined) {
    const price = market.mid(symbol);
    return price === undefined ? everything : Math.round(price / tick);
  }
  for (let passed = lots; ;) {
    const swept = market.sweep(symbol, side, passed);
    if (swept === undefined) return everything;
    const { worstTicks, shownLots } = swept;
    if (shownLots < passed) return everything;
    let needed = lots;
    for (const own of opposite) if (isWithin(own, worstTicks)) needed += reservedLots(own.progress);
    if (needed <= passed) return worstTicks;
    passed = needed;
  }
}
