/** Reads the terms of programs into ticks, lots and milliseconds, or denies them. */
import { inspect } from 'node:util';
import { denied, type Denied } from '../model/trading/deny-reason.ts';
import type { Instrument } from '../model/market/instrument.ts';
import type { DecimalLike } from '../model/numbers/money.ts';
import type { Side } from '../model/trading/order.ts';
import type { ExitPrice, TriggerSource } from '../model/trading/program.ts';
import { parseDuration } from '../model/time.ts';
import { priceTicks, quantityLots } from '../risk/normalise.ts';

/** A denial of the named field, thrown within `parse` and returned by `parsed`. */
export class TermsDenied extends Error {
  readonly denied: Denied;

  constructor(reason: Denied) {
    super(reason.message);
    this.denied = reason;
  }
}

/** Runs a parser and returns a thrown denial. */
export function parsed<T>(parse: () => T): T | Denied {
  try {
    return parse();
  } catch (thrown) {
    if (thrown instanceof TermsDenied) return thrown.denied;
    throw thrown;
  }
}

export function refuse(reason: Parameters<typeof denied>[0], message: string, field?: string): never {
  throw new TermsDenied(denied(reason, message, field));
}

function accepted<T extends object | number>(value: T | Denied, field: string): T {
  if (typeof value === 'object' && 'kind' in value && value.kind === 'denied')
    throw new TermsDenied({ ...value, field });
  return value as T;
}

export function instrumentOf(found: Instrument | Denied): Instrument {
  return accepted(found, 'symbol');
}

const EXPECTED: Readonly<Record<string, string>> = {
  takeProfit: 'give a number, its text, {bps} from the entry, or a list of {price, fraction}',
  stopLoss: 'give a number, its text, or {bps} from the entry',
};

/** A strategy may pass values that its types forbid. */
function decimalLike(value: unknown, field: string): void {
  if (typeof value === 'number' || typeof value === 'string') return;
  if (typeof value === 'object' && value !== null && 'toFixed' in value) return;
  const shown = inspect(value, { depth: 0, breakLength: Infinity }).slice(0, 80);
  const expected = EXPECTED[field] ?? 'give a number or its text';
  refuse('not_finite', `${field} ${shown} is not a decimal number: ${expected}`, field);
}

export function ticksOf(instrument: Instrument, value: DecimalLike, field: string): number {
  decimalLike(value, field);
  return accepted(priceTicks(instrument, value), field);
}

export function lotsOf(instrument: Instrument, value: DecimalLike, field: string): number {
  decimalLike(value, field);
  const lots = accepted(quantityLots(instrument, value), field);
  const { limits, symbol, spec } = instrument;
  if (lots < limits.minLots)
    refuse(
      'below_minimum',
      `${symbol}: ${field} ${instrument.quantityText(lots)} is below the minimum ${spec.minQuantity}`,
      field,
    );
  return lots;
}

/** Refuses an order below the minimum notional at this price. `ticks`: NaN if unknown. */
export function checkNotional(instrument: Instrument, lots: number, ticks: number, field: string): void {
  const { limits, symbol, spec } = instrument;
  if (!(lots * ticks < limits.minTickLots)) return;
  const what = `${field} ${instrument.quantityText(lots)} at ${instrument.priceText(Math.round(ticks))}`;
  refuse('below_minimum', `${symbol}: ${what} is below the minimum notional ${spec.minNotional}; give more`, field);
}

export function durationOf(text: string, field: string): number {
  const ms = typeof text === 'string' ? parseDuration(text) : Number.NaN;
  if (!(ms > 0)) refuse('unsupported', `${field} must be a duration above 0 such as '30s', got ${String(text)}`, field);
  return ms;
}

export function numberOf(value: unknown, field: string, least: number, most: number): number {
  if (typeof value !== 'number' || !(value >= least) || !(value <= most))
    refuse('unsupported', `${field} must be a number from ${least} to ${most}, got ${String(value)}`, field);
  return value;
}

export function wholeOf(value: unknown, field: string, least: number, most: number): number {
  const found = numberOf(value, field, least, most);
  if (!Number.isInteger(found)) refuse('unsupported', `${field} is a whole number, got ${found}`, field);
  return found;
}

/** Price source of a trigger. Default: the side at which the exit trades. */
export function sourceOf({ market, symbol }: Instrument, by: TriggerSource = 'bid-ask'): TriggerSource {
  if (by === 'mark' && market === 'spot') refuse('unsupported', `${symbol}: spot has no mark price`, 'by');
  return by;
}

export function sideOf(value: unknown, field = 'side'): Side {
  if (value !== 'buy' && value !== 'sell') refuse('unsupported', `${field} is "buy" or "sell"`, field);
  return value;
}

/** `{bps}` from the entry: above 0. */
export interface Distance {
  readonly bps: number;
}

/** Ticks, or a distance from an entry price that is not known yet. */
export type ExitTerms = number | Distance;

/** `isBelow`: it is below the entry, and not below zero. */
export function exitOf(instrument: Instrument, value: ExitPrice, field: string, isBelow: boolean): ExitTerms {
  if (typeof value === 'object' && value !== null && 'bps' in value)
    return { bps: numberOf(value.bps, `${field}.bps`, 1e-6, isBelow ? 9_999 : 1e6) };
  return ticksOf(instrument, value, field);
}

/** Whole ticks, rounded away from the entry. `profit`: a take-profit of this entry side; otherwise a stop. */
export function exitTicks(exit: ExitTerms, entry: number, side: Side, profit: boolean): number {
  if (typeof exit === 'number') return exit;
  const up = (side === 'buy') === profit;
  const ticks = entry * (1 + ((up ? 1 : -1) * exit.bps) / 10_000);
  return Math.max(1, up ? Math.ceil(ticks - 1e-9) : Math.floor(ticks + 1e-9));
}

/** 1 for a buy, −1 for a sell. */
export function signOf(side: Side): number {
  return side === 'buy' ? 1 : -1;
}

/** Refuses an exit that is not on its side of the entry. `profit`: as for `exitTicks`. */
export function checkSide(instrument: Instrument, ticks: number, entry: number, side: Side, profit: boolean): void {
  const beyond = signOf(side) * (ticks - entry);
  if (profit ? beyond > 0 : beyond < 0) return;
  const [field, where] = profit ? ['takeProfit', 'winning'] : ['stopLoss', 'losing'];
  const from = Number.isNaN(entry)
    ? 'of a price, and there is none'
    : `of the entry ${instrument.priceText(Math.round(entry))}`;
  refuse('wrong_side', `${field} ${instrument.priceText(ticks)} is not on the ${where} side ${from}`, field);
}

/** A fee of a purchase on spot is taken from what was bought. */
export function paysInBase({ isSpot, side }: { readonly isSpot: boolean; readonly side: Side }): boolean {
  return isSpot && side === 'buy';
}

export function opposite(side: Side): Side {
  return side === 'buy' ? 'sell' : 'buy';
}

/** Lots may carry a fraction from a fee in base. */
export function whole(lots: number): number {
  return Math.floor(lots + 1e-9);
}

/** Sums of fractions are off by less. */
const NOISE = 1e-6;

/** Part of these lots that no order can sell: a fraction of a lot, or a missing quantity. */
export function fractionOf(lots: number): number {
  const rest = lots - Math.max(0, whole(lots));
  return Math.abs(rest) > NOISE ? rest : 0;
}
