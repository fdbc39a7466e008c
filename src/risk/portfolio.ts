/**
 * Portfolio limits over all symbols, with all live orders filled in the worse direction:
 *
 *   line = symbol × position side:  lots ─ sells … lots … lots + buys
 *   gross = Σ max(|lots + buys|, |lots − sells|) · price      net = max(Σ (lots + buys) · price, −Σ (lots − sells) · price)
 */
import { denied, type Denied } from '../model/deny-reason.ts';
import type { Instrument } from '../model/instrument.ts';
import { positionName, type HeldPosition } from '../spine/positions.ts';
import { reservedLots } from '../spine/orders/order-machine.ts';
import type { OwnOrder } from '../spine/orders/own-order.ts';
import type { Candidate } from './facts.ts';
import { isWithin } from './checks/within.ts';

export interface PortfolioLimits {
  readonly maxOpenNotional: number;
  readonly maxGrossValue: number;
  readonly maxNetValue: number;
}

/** Lots of one position that no strategy holds, and of external orders. */
export interface ExternalLine {
  readonly instrument: Instrument;
  readonly name: string;
  readonly lots: number;
  readonly buyLots: number;
  readonly sellLots: number;
}

export interface PortfolioSource {
  readonly positions: Iterable<HeldPosition>;
  /** Without those that count as gone. */
  readonly live: Iterable<OwnOrder>;
  readonly external: Iterable<ExternalLine>;
  /** Reporting value of one lot at the mid; NaN when unknown. */
  lotValue(instrument: Instrument): number;
  /** Reporting value of one tick × one lot. */
  unitValue(instrument: Instrument): number;
}

interface Line {
  readonly value: number;
  lots: number;
  buys: number;
  sells: number;
}

export interface Portfolio {
  readonly openNotional: number;
  readonly gross: number;
  readonly net: number;
  /** Including the candidate. */
  readonly grossAfter: number;
  readonly netAfter: number;
}

export function portfolioOf(order: Candidate, source: PortfolioSource): Portfolio {
  const lines = new Map<string, Line>();
  const lineOf = (instrument: Instrument, name: string): Line => {
    let line = lines.get(name);
    if (line === undefined)
      lines.set(name, (line = { value: source.lotValue(instrument), lots: 0, buys: 0, sells: 0 }));
    return line;
  };
  let openNotional = 0;
  for (const { instrument, positionSide, lots } of source.positions)
    if (lots !== 0) lineOf(instrument, positionName(instrument.symbol, positionSide)).lots += lots;
  for (const { instrument, name, lots, buyLots, sellLots } of source.external) {
    // An empty line needs no price.
    if (lots === 0 && buyLots === 0 && sellLots === 0) continue;
    const line = lineOf(instrument, name);
    line.lots += lots;
    line.buys += buyLots;
    line.sells += sellLots;
    if (buyLots + sellLots > 0) openNotional += (buyLots + sellLots) * line.value;
  }
  for (const own of source.live) {
    const reserved = reservedLots(own.progress);
    if (reserved === 0) continue;
    const line = lineOf(own.instrument, positionName(own.instrument.symbol, own.positionSide));
    if (own.sign > 0) line.buys += reserved;
    else line.sells += reserved;
    openNotional += reserved * (own.isMarket ? line.value : own.ticks * source.unitValue(own.instrument));
  }
  const before = sumsOf(lines.values());
  const line = lineOf(order.instrument, positionName(order.instrument.symbol, order.positionSide));
  if (order.side === 'buy') line.buys += order.lots;
  else line.sells += order.lots;
  const after = sumsOf(lines.values());
  return { openNotional, ...before, grossAfter: after.gross, netAfter: after.net };
}

function sumsOf(lines: Iterable<Line>): { readonly gross: number; readonly net: number } {
  let gross = 0;
  let up = 0;
  let down = 0;
  for (const { value, lots, buys, sells } of lines) {
    gross += Math.max(Math.abs(lots + buys), Math.abs(lots - sells)) * value;
    up += (lots + buys) * value;
    down += (lots - sells) * value;
  }
  return { gross, net: Math.max(up, -down) };
}

/** An order that does not raise a sum passes above the limit, because prices may have raised it. */
export function portfolioDenial(
  order: Candidate,
  value: number,
  portfolio: Portfolio,
  limits: PortfolioLimits,
  whose: string,
): Denied | null {
  const { symbol } = order.instrument;
  const open = portfolio.openNotional + value;
  const text = (amount: number): string => (Number.isNaN(amount) ? 'an unknown value' : amount.toFixed(2));
  if (limits.maxOpenNotional !== Number.POSITIVE_INFINITY && !isWithin(open, limits.maxOpenNotional)) {
    const message = `${symbol}: orders of ${whose} would be worth ${text(open)}, above ${limits.maxOpenNotional}`;
    return denied('max_open_notional', message);
  }
  const { gross, grossAfter, net, netAfter } = portfolio;
  if (exceeds(grossAfter, gross, limits.maxGrossValue)) {
    const message = `${symbol}: positions of ${whose} could be worth ${text(grossAfter)} gross, above ${limits.maxGrossValue}`;
    return denied('max_gross', message);
  }
  if (exceeds(netAfter, net, limits.maxNetValue)) {
    const message = `${symbol}: positions of ${whose} could be worth ${text(netAfter)} net, above ${limits.maxNetValue}`;
    return denied('max_net', message);
  }
  return null;
}

function exceeds(after: number, before: number, limit: number): boolean {
  return limit !== Number.POSITIVE_INFINITY && !(isWithin(after, limit) || after <= before);
}
