/** The period of a run, within the data. */
import { msOf } from '../../model/time.ts';
import type { Tape } from '../../recording/tape/tape.ts';

/** Smaller cuts are not reported. */
const SAID_MS = 60_000;

/** Unix ms; default: the ends of the data. */
export interface AskedPeriod {
  readonly fromMs?: number;
  readonly toMs?: number;
}

export interface RunPeriod {
  /** Unix ms. */
  readonly from: number;
  readonly to: number;
  readonly warnings: readonly string[];
}

export function periodWithin(tape: Tape, { fromMs, toMs }: AskedPeriod): RunPeriod {
  const [dataFrom, dataTo] = [msOf(tape.dataFromUs()), msOf(tape.dataToUs)];
  const warnings: string[] = [];
  if (fromMs !== undefined && dataFrom - fromMs > SAID_MS) {
    warnings.push(`the data begin at ${textOf(dataFrom)}, later than the period asked for: it begins there`);
  }
  if (toMs !== undefined && toMs - dataTo > SAID_MS) {
    warnings.push(`the data end at ${textOf(dataTo)}, earlier than the period asked for: it ends there`);
  }
  return {
    from: fromMs === undefined ? msOf(tape.fromUs) : Math.max(fromMs, dataFrom),
    // The last event may be long before the end that was asked for; passes beyond the first come after it.
    to: Math.max(toMs === undefined ? -Infinity : Math.min(toMs, dataTo), msOf(tape.toUs)),
    warnings,
  };
}

function textOf(ms: number): string {
  return new Date(ms).toISOString();
}
