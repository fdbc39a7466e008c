/**
 * Own fills as disposals, first in first out, for a tax return. Exact; a share of a lot is rounded to 1e-18 and its last
 * part takes the rest, so that sums are exact. Pure.
 */
import type { Market } from '../../model/market/instrument.ts';
import { dec, smaller, ZERO, type Decimal } from '../../model/numbers/money.ts';
import type { PositionSide, Side } from '../../model/trading/order.ts';

const PLACES = 18;

export interface TaxFill {
  /** Lots are shared within it: exchange and account. */
  readonly account: string;
  readonly session: string;
  readonly strategy: string;
  readonly market: Market;
  readonly symbol: string;
  readonly positionSide: PositionSide;
  readonly base: string;
  /** Of proceeds, cost and result: the quote currency, of a perpetual its settlement currency. */
  readonly currency: string;
  readonly contractSize: string;
  readonly tradeId: string;
  /** Exchange time, Unix ms. */
  readonly ts: number;
  readonly side: Side;
  readonly price: string;
  readonly quantity: string;
  readonly fee: string;
  readonly feeCurrency: string;
}

export interface Disposal extends Omit<TaxFill, 'quantity' | 'fee'> {
  readonly quantity: Decimal;
  /** Share of the fee of the fill that disposes. */
  readonly fee: Decimal;
  /** What came in, less fees in `currency`. Of a short position: what its sale had brought. */
  readonly proceeds: Decimal;
  /** What it had cost, with fees in `currency`; null where no purchase is known. */
  readonly cost: Decimal | null;
  readonly result: Decimal | null;
  /** Of the lot; null where no purchase is known. */
  readonly lotTradeId: string | null;
  readonly acquiredAt: number | null;
}

interface Lot {
  readonly tradeId: string;
  readonly ts: number;
  readonly side: Side;
  left: Decimal;
  /** Cost with fees of a purchase, proceeds less fees of a sale. */
  value: Decimal;
}

/** What is left of a fill while lots are taken. */
interface Rest {
  left: Decimal;
  value: Decimal;
  fee: Decimal;
}

/** By exchange time; ties stay in the given order. */
export function disposalsOf(fills: readonly TaxFill[]): readonly Disposal[] {
  const pools = new Map<string, Lot[]>();
  const disposals: Disposal[] = [];
  for (const fill of fills.toSorted((left, right) => left.ts - right.ts)) {
    const { account, market, symbol, positionSide } = fill;
    const key = JSON.stringify([account, market, symbol, positionSide]);
    const lots = pools.get(key) ?? [];
    pools.set(key, lots);
    take(fill, lots, disposals);
  }
  return disposals;
}

function take(fill: TaxFill, lots: Lot[], disposals: Disposal[]): void {
  const rest = restOf(fill);
  for (;;) {
    const [lot] = lots;
    if (lot === undefined || lot.side === fill.side || rest.left.isZero()) break;
    const part = smaller(lot.left, rest.left);
    const held = shareOf(lot, part);
    const fee = feeShare(rest, part);
    const mine = shareOf(rest, part);
    if (lot.left.isZero()) lots.shift();
    const [proceeds, cost] = fill.side === 'sell' ? [mine, held] : [held, mine];
    const from = { lotTradeId: lot.tradeId, acquiredAt: lot.ts };
    disposals.push({ ...fill, quantity: part, fee, proceeds, cost, result: proceeds.minus(cost), ...from });
  }
  if (rest.left.isZero()) return;
  const { left, value, fee } = rest;
  if (fill.market === 'spot' && fill.side === 'sell') {
    const unknown = { cost: null, result: null, lotTradeId: null, acquiredAt: null };
    disposals.push({ ...fill, quantity: left, fee, proceeds: value, ...unknown });
  } else lots.push({ tradeId: fill.tradeId, ts: fill.ts, side: fill.side, left, value });
}

/** On spot a fee in base comes out of what is bought, and out of the holdings beside what is sold. */
function restOf({ market, base, currency, contractSize, side, ...fill }: TaxFill): Rest {
  const fee = dec(fill.fee);
  const quantity = dec(fill.quantity);
  const gross = quantity.times(dec(fill.price)).times(dec(contractSize));
  const isBase = market === 'spot' && fill.feeCurrency === base;
  const priced = fill.feeCurrency === currency && !isBase ? fee : ZERO;
  const value = side === 'buy' ? gross.plus(priced) : gross.minus(priced);
  if (!isBase) return { left: quantity, value, fee };
  return { left: side === 'buy' ? quantity.minus(fee) : quantity.plus(fee), value, fee };
}

/** Takes `part` of what is left, with its share of the value. */
function shareOf(from: { left: Decimal; value: Decimal }, part: Decimal): Decimal {
  const isWhole = part.gte(from.left);
  const share = isWhole ? from.value : from.value.times(part).over(from.left, PLACES, 'half-even');
  from.left = isWhole ? ZERO : from.left.minus(part);
  from.value = from.value.minus(share);
  return share;
}

/** Before `shareOf` takes the quantity. */
function feeShare(rest: Rest, part: Decimal): Decimal {
  const share = part.gte(rest.left) ? rest.fee : rest.fee.times(part).over(rest.left, PLACES, 'half-even');
  rest.fee = rest.fee.minus(share);
  return share;
}
