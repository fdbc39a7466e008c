/**
 * The lockbox: the last part of a period, kept until a strategy is decided on (docs/research.md). `sweep` and `validate` end
 * before it, `backtest` where asked; what has run into it is counted in the trial ledger, by the content of the data and
 * not by their name.
 */
import { usOf } from '../model/time.ts';
import { openTape } from '../recording/open-tape.ts';
import type { SharedTape } from '../recording/tape.ts';
import type { Config } from '../session/config/schema.ts';
import { periodWithin, type AskedPeriod } from '../session/period.ts';
import { requireCurrencies } from '../session/start-currencies.ts';

/** Share of the period, unless another is asked for. */
export const LOCKBOX_SHARE = 0.2;

/** Unix ms. */
interface Part {
  readonly from: number;
  readonly to: number;
}

export interface Split {
  /** All that was asked for, as far as the data reach. */
  readonly period: Part;
  /** What may be looked at, and what is kept. */
  readonly research: Part;
  readonly lockbox: Part;
  /** Where the data do not reach as far as was asked. */
  readonly warnings: readonly string[];
  readonly contentHash: string;
}

export interface SplitOptions extends AskedPeriod {
  readonly config: Config;
  readonly data: readonly string[];
  /** Currencies to begin with that a human has named: the data must have them. */
  readonly startCurrencies?: readonly string[];
  /** 0: nothing is kept. */
  readonly lockboxShare: number;
}

/** Opens the data for their period. @throws what opening data throws */
export async function splitOf(options: SplitOptions, shared: readonly SharedTape[] | null = null): Promise<Split> {
  const { config, data, fromMs, toMs, lockboxShare } = options;
  const tape = await openTape(data, {
    baseLatencyUs: usOf(config.simulation.latency.baseMs),
    ...(fromMs === undefined ? {} : { fromMs }),
    ...(toMs === undefined ? {} : { toMs }),
    ...(shared === null ? {} : { shared }),
  });
  try {
    requireCurrencies(options.startCurrencies ?? [], tape.instruments, 'the data');
    const { from, to, warnings } = periodWithin(tape, options);
    const border = borderOf({ from, to }, lockboxShare);
    const parts = { period: { from, to }, research: { from, to: border }, lockbox: { from: border, to } };
    return { ...parts, warnings, contentHash: tape.contentHash };
  } finally {
    tape.close();
  }
}

/** Where the lockbox of a period begins, Unix ms. */
export function borderOf({ from, to }: Part, share: number): number {
  return Math.round(to - share * (to - from));
}
