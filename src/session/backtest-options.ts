/** What a backtest runs over, and how. */
import type { Action } from '../model/trading/action.ts';
import type { Logger } from '../model/ports.ts';
import type { SharedTape } from '../recording/tape/tape.ts';
import type { Config } from './config/schema.ts';
import type { RecordedSignals } from './signals/recorded-signals.ts';
import type { PreparedStrategy } from './strategies.ts';
import type { Warmup } from './feed/warmup.ts';

export interface BacktestOptions {
  readonly config: Config;
  readonly strategies: readonly PreparedStrategy[];
  readonly data: readonly string[];
  readonly shared?: readonly SharedTape[];
  readonly fromMs?: number;
  readonly toMs?: number;
  readonly startCurrencies?: readonly string[];
  readonly seed: number;
  readonly repeat: number;
  readonly logger: Logger;
  readonly sampleMs?: number;
  /** Unix ms; default: start of the data. */
  readonly startAtMs?: number;
  /** Values of `state` that the strategies begin with, by key. */
  readonly values?: ReadonlyMap<string, string>;
  /** Unix ms; default: end of the data. */
  readonly stopAtMs?: number;
  /** Receive times are not repaired (T2). */
  readonly asReceived?: boolean;
  readonly asPaper?: boolean;
  /** Every event is delivered at its time; the result is the same. */
  readonly plain?: boolean;
  /** In place of what lies before the period. */
  readonly warmup?: Warmup;
  /** Delivered at their times; `hash` stands for them in the run hash. */
  readonly signals?: Pick<RecordedSignals, 'signals' | 'hash' | 'path'>;
  readonly onActions?: (ts: number, tag: string, actions: readonly Action[]) => void;
  readonly loading?: (fraction: number) => void;
  /** Element 0 counts steps. */
  readonly steps?: Int32Array;
  readonly loaded?: (events: number) => void;
}
