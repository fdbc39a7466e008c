/**
 * Whether a seed trades a perpetual, and how its account holds it. Drawn from a fork of its own, so that a seed without
 * futures is what it would be if there were none.
 */
import type { Random } from '../../../../src/model/ports.ts';
import type { FaultKind } from '../fault-plan.ts';

export const PERPETUAL = 'BTCUSDTPERP';

/** Of the base. */
export const LOT = '0.0001';

/** A share of the seeds. */
const FUTURES_SHARE = 0.3;
/** Of those: no spot strategy runs beside. */
const ALONE_SHARE = 0.5;
const HEDGE_SHARE = 0.45;
const ISOLATED_SHARE = 0.5;
/** Of what the account has at most: the least is soon lost. */
const PURSE_MIN = 2_500;
const PURSE_MORE = 40_000;
/** Where accounts are ruined: a few hundred USDT behind positions of tens of thousands. */
const RUINED_PURSE_MIN = 100;
const RUINED_PURSE_MORE = 500;
const RUINED_ISOLATED_SHARE = 0.3;

/** What such a world lives on: marks that jump, also while nobody is told, and processes and purses that begin anew. */
export const ruinFaults: Partial<Readonly<Record<FaultKind, number>>> = {
  'mark-jump': 0.01,
  'jump-while-down': 0.1,
  'human-futures': 0.02,
  'human-refills': 0.01,
  kill: 0.005,
  outage: 0.003,
  'kill-switch': 0.001,
};

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
  /** Nothing but margin limits what the strategies risk. */
  readonly isReckless?: true;
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

/** A small purse at high leverage: what is held is liquidated again and again. */
export function ruinTerms(random: Random): FuturesTerms {
  const draw = random.fork('ruin');
  return {
    mode: draw.next() < HEDGE_SHARE ? 'hedge' : 'one-way',
    marginType: draw.next() < RUINED_ISOLATED_SHARE ? 'isolated' : 'cross',
    leverage: draw.next() < 0.7 ? 50 : 20,
    purse: String(Math.round(RUINED_PURSE_MIN + draw.next() * RUINED_PURSE_MORE)),
    isAlone: draw.next() < 0.7,
    isReckless: true,
  };
}

/** As adjustments name it. */
export function nameOf(side: string): string {
  return side === 'both' ? PERPETUAL : `${PERPETUAL}/${side}`;
}
