/**
 * Divides by a human's choice what the exchange liquidated, or what external trades closed of the strategies'
 * positions. Pure and exact: shares are multiples of the lot, and fees and fills add up.
 */
import type { VenueFill } from '../../model/trading/fill.ts';
import { dec, decimalText, smaller, ZERO, type Decimal } from '../../model/numbers/money.ts';
import { positionName } from '../../spine/positions.ts';
import type { StateView } from '../../spine/trading-state.ts';
import type { UndividedLiquidation } from '../../spine/undivided.ts';

export const PRO_RATA = 'pro-rata';
/** No strategy held it. */
export const NONE = 'none';
const ALL_OF = 'all:';
/** Key of the external part. No strategy tag is empty. */
const OTHERS = '';

/** Decimal places of a part of a fee. The last part takes the rest. */
const FEE_PLACES = 18;

type Quantities = ReadonlyMap<string, Decimal>;

export interface Share {
  readonly strategy: string;
  readonly fill: VenueFill;
}

const CLOSED = 'closed/';

/** Closed by external trades: both sides agree, and the choice needs a price. */
export function isClosedByOthers({ id }: { readonly id: string }): boolean {
  return id.startsWith(CLOSED);
}

/**
 * Perpetual positions of which the account holds less than the strategies' books, because external trades closed them.
 * Each is one fill without a price. The id names both quantities, so a further trade makes a displayed id stale.
 */
export function closedByOthers(state: StateView): readonly UndividedLiquidation[] {
  const perpetuals = state.positions.all().filter(({ instrument }) => instrument.market === 'derivative');
  const byName = Map.groupBy(perpetuals, ({ instrument, positionSide }) =>
    positionName(instrument.symbol, positionSide),
  );
  return [...byName].flatMap(([name, [first, ...more]]) => {
    if (first === undefined) return [];
    const { symbol } = first.instrument;
    const held = sumOf([first, ...more].map(({ position }) => position.quantity));
    const others = state.adjustments.get(`position/${name}`) ?? ZERO;
    const isLong = held.isPositive();
    const isAgainst = !held.isZero() && !others.isZero() && isLong !== others.isPositive();
    if (!isAgainst || state.undivided.all.some((one) => one.symbol === symbol)) return [];
    const holders = [first, ...more].filter(
      ({ position: { quantity } }) => !quantity.isZero() && quantity.isPositive() === isLong,
    );
    const fill: VenueFill = {
      tradeId: '',
      orderId: '',
      market: 'derivative',
      symbol,
      positionSide: first.positionSide,
      side: isLong ? 'sell' : 'buy',
      price: '0',
      quantity: decimalText(smaller(held.abs(), others.abs())),
      fee: '0',
      feeCurrency: first.instrument.settle,
      liquidity: 'taker',
      ts: 0,
    };
    const one = {
      id: `${CLOSED}${name}/${decimalText(held)}/${decimalText(others)}`,
      orderId: '',
      symbol,
      fills: [fill],
      holders: holders.map(({ strategy, position }) => ({ strategy, quantity: decimalText(position.quantity.abs()) })),
      others: undefined,
    };
    return [one];
  });
}

/** Parses `CHOICE@PRICE`. A choice without a price may contain an `@`. */
export function choiceAndPrice(among: readonly string[], said: string): readonly [choice: string, price?: string] {
  if (among.includes(said)) return [said];
  const [, choice = said, price] = /^(.+)@(\d+(?:\.\d+)?)$/.exec(said) ?? [];
  return price === undefined || !dec(price).isPositive() ? [said] : [choice, price];
}

/** A strategy cannot carry more of an external close than it holds. */
export function choicesOf(one: Pick<UndividedLiquidation, 'id' | 'fills' | 'holders'>): readonly string[] {
  const whole = sumOf(one.fills.map(({ quantity }) => dec(quantity)));
  const able = isClosedByOthers(one) ? one.holders.filter(({ quantity }) => dec(quantity).gte(whole)) : one.holders;
  return [PRO_RATA, ...able.map(({ strategy }) => `${ALL_OF}${strategy}`), NONE];
}

/** Base units by strategy; undefined for an unknown choice. */
export function quantitiesOf(
  {
    fills,
    holders,
    others = '0',
  }: Pick<UndividedLiquidation, 'fills' | 'holders'> & { readonly others?: string | undefined },
  choice: string,
  lot: Decimal,
): Quantities | undefined {
  const whole = sumOf(fills.map(({ quantity }) => dec(quantity)));
  if (choice === NONE) return new Map();
  if (choice === PRO_RATA) {
    const held = new Map(holders.map(({ strategy, quantity }) => [strategy, dec(quantity)]));
    held.set(OTHERS, dec(others));
    const shares = new Map(proRata(smaller(whole, sumOf(held.values())), held, lot));
    shares.delete(OTHERS);
    return shares;
  }
  const one = holders.find(({ strategy }) => choice === `${ALL_OF}${strategy}`);
  return one === undefined ? undefined : new Map([[one.strategy, whole]]);
}

export function sharesOf(fills: readonly VenueFill[], quantities: Quantities, lot: Decimal): readonly Share[] {
  let left = quantities;
  return fills.flatMap((fill) => {
    const parts = proRata(smaller(dec(fill.quantity), sumOf(left.values())), left, lot);
    left = new Map([...left].map(([strategy, quantity]) => [strategy, quantity.minus(parts.get(strategy) ?? ZERO)]));
    return partsOf(fill, [...parts]).map(([strategy, part]): Share => ({ strategy, fill: part }));
  });
}

/** Splits a fill and its fee. The quantities must not exceed the fill. */
export function partsOf<Holder>(
  fill: VenueFill,
  quantities: readonly (readonly [holder: Holder, quantity: Decimal])[],
): readonly (readonly [holder: Holder, part: VenueFill])[] {
  const whole = dec(fill.quantity);
  // Realised profit belongs to the whole fill. Each strategy's profit follows from its own cost.
  const { realizedPnl: _whole, ...terms } = fill;
  let left = whole;
  let feeLeft = dec(fill.fee);
  return quantities.flatMap(([holder, quantity]) => {
    if (quantity.isZero()) return [];
    left = left.minus(quantity);
    const fee = left.isZero() ? feeLeft : dec(fill.fee).times(quantity).div(whole).toDecimalPlaces(FEE_PLACES);
    feeLeft = feeLeft.minus(fee);
    return [[holder, { ...terms, quantity: decimalText(quantity), fee: decimalText(fee) }] as const];
  });
}

function proRata(total: Decimal, weights: Quantities, lot: Decimal): Quantities {
  const sum = sumOf(weights.values());
  if (sum.isZero()) return new Map();
  const parts = [...weights].map(([strategy, weight]) => {
    const exact = total.times(weight);
    const part = exact.over(sum.times(lot), 0, 'down').times(lot);
    return { strategy, part, remainder: exact.minus(part.times(sum)) };
  });
  let left = total.minus(sumOf(parts.map(({ part }) => part)));
  const shares = new Map(parts.map(({ strategy, part }) => [strategy, part]));
  for (const { strategy, part } of parts.toSorted((one, other) => other.remainder.cmp(one.remainder))) {
    const more = smaller(left, lot);
    shares.set(strategy, part.plus(more));
    left = left.minus(more);
  }
  return shares;
}

function sumOf(amounts: Iterable<Decimal>): Decimal {
  return [...amounts].reduce((sum, amount) => sum.plus(amount), ZERO);
}
