/**
 * The lockbox: the reserved last part of a period (docs/research.md). The ledger counts runs into it by content of the
 * data.
 */
import { usOf } from '../model/time.ts';
import { openTape } from '../recording/tape/open-tape.ts';
import type { SharedTape } from '../recording/tape/tape.ts';
import type { Config } from '../session/config/schema.ts';
import type { KnownData, Part } from './ledger/same-data.ts';
import { periodWithin, type AskedPeriod } from '../session/result/period.ts';
import { requireCurrencies } from '../session/result/start-currencies.ts';

/** Default share of the period. */
export const LOCKBOX_SHARE = 0.2;

export interface Split {
  /** The requested period within the data. */
  readonly period: Part;
  /** The usable part and the reserved part. */
  readonly research: Part;
  readonly lockbox: Part;
  /** Where the data do not cover the request. */
  readonly warnings: readonly string[];
  readonly data: KnownData;
}

export interface SplitOptions extends AskedPeriod {
  readonly config: Config;
  readonly data: readonly string[];
  /** Currencies that the data must have. */
  readonly startCurrencies?: readonly string[];
  /** 0: no lockbox. */
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
    const lockbox = lockboxOf({ from, to }, lockboxShare);
    const parts = { period: { from, to }, research: { from, to: lockbox.from }, lockbox };
    return { ...parts, warnings, data: { hash: tape.contentHash, parts: tape.parts() } };
  } finally {
    tape.close();
  }
}

/** Unix ms. */
export function lockboxOf({ from, to }: Part, share: number): Part {
  return { from: Math.round(to - share * (to - from)), to };
}
