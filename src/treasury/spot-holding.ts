/**
 * Whether own trades explain the base holding of a spot order by hand. Pure. A symbol joins base and quote; a currency
 * that was split wrongly is not explained, and the outcome stays unknown.
 */
import type { VenueFill } from '../model/trading/fill.ts';
import { dec, decimalText, ZERO, type Decimal } from '../model/numbers/money.ts';
import { itemsOf } from '../model/result.ts';
import { TRADING_ACCOUNT } from '../spine/balances.ts';
import { open, type Case, type MoneyVerdict } from './evidence.ts';

const PREFIX = `${TRADING_ACCOUNT}/`;

/** Change of a currency by a trade; negative when it takes. */
function change({ symbol, side, quantity, price, fee, feeCurrency }: VenueFill, currency: string): Decimal {
  const sign = side === 'buy' ? 1 : -1;
  const moved = symbol.startsWith(currency)
    ? dec(quantity).times(sign)
    : symbol.endsWith(currency)
      ? dec(quantity).times(price).times(-sign)
      : ZERO;
  return feeCurrency === currency ? moved.minus(fee) : moved;
}

/** Null when the earlier total and the trades explain the present one. `fills`: those of all spot pairs. */
export function unexplainedHolding(of: Case<'spotOrder'>, fills: readonly VenueFill[]): MoneyVerdict | null {
  const { before } = of.record;
  if (before === null) return open('the balances before are not known');
  const { symbol } = of.request;
  const now = new Map(
    itemsOf(of.evidence.balances)
      .filter(({ account }) => account === TRADING_ACCOUNT)
      .map(({ currency, total }) => [currency, total]),
  );
  const earlier = (currency: string): string => before.totals[`${PREFIX}${currency}`] ?? '0';
  const known = [...now.keys(), ...Object.keys(before.totals).map((key) => key.slice(PREFIX.length))];
  const base = known
    .filter((currency) => symbol.startsWith(currency) && currency !== symbol)
    .toSorted((a, b) => b.length - a.length)[0];
  if (base === undefined) {
    return fills.some((fill) => fill.symbol === symbol)
      ? open(`no balance shows what trades of ${symbol} moved`)
      : null;
  }
  // A trade during the poll is in both.
  const traded = fills.filter(({ ts }) => ts >= before.at).reduce((sum, fill) => sum.plus(change(fill, base)), ZERO);
  const held = dec(now.get(base) ?? '0');
  if (held.eq(traded.plus(earlier(base)))) return null;
  return open(
    `${earlier(base)} ${base} was held and ${decimalText(traded)} came by trades, but ${decimalText(held)} is held now`,
  );
}
