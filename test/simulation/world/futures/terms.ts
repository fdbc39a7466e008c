/**
 * Whether a seed trades a perpetual, and how its account holds it. Drawn from a fork of its own, so that a seed without
 * futures is what it would be if there were none.
 */
import type { Random } from '../../../../src/model/ports.ts';

export const PERPETUAL = 'BTCUSDTPERP';

/** A share of the seeds. */
const FUTURES_SHARE = 0.3;
/** Of those: no spot strategy runs beside. */
const ALONE_SHARE = 0.5;
const HEDGE_SHARE = 0.45;
const ISOLATED_SHARE = 0.5;
/** Of what the account has at most: the least is soon lost. */
const PURSE_MIN = 2_500;
const PURSE_MORE = 40_000;

/** Makes funding fall due every 169 s: even short seeds see some. */
export const FUNDING_INTERVAL_HOURS = 0.047;

export interface FuturesTerms {
  readonly mode: 'one-way' | 'hedge';
  readonly marginType: 'isolated' | 'cross';
  readonly leverage: number;
  /** USDT that the account begins with. */
  readonly purse: string;
  /** Only the perpetual is traded. */
  readonly isAlone: boolean;
}

/** `wanted`: undefined lets the seed decide. */
export function futuresTerms(random: Random, wanted?: boolean): FuturesTerms | null {
  const draw = random.fork('futures');
  const isIn = draw.next() < FUTURES_SHARE;
  if (!(wanted ?? isIn)) return null;
  const leverages = [1, 3, 10, 20, 20, 50, 50] as const;
  return {
    mode: draw.next() < HEDGE_SHARE ? 'hedge' : 'one-way',
    marginType: draw.next() < ISOLATED_SHARE ? 'isolated' : 'cross',
    leverage: leverages[Math.floor(draw.next() * leverages.length)] ?? 1,
    purse: String(Math.round(PURSE_MIN + draw.next() ** 2 * PURSE_MORE)),
    isAlone: draw.next() < ALONE_SHARE,
  };
}
