/** What fills and payments came to, at the last mids of a recording. */
import { join } from 'node:path';
import { feeRates } from '../../clearing/fees.ts';
import { readJournal } from '../../journal/verify.ts';
import { Instruments } from '../../model/market/instrument.ts';
import { dec, ZERO, type Decimal } from '../../model/numbers/money.ts';
import { usOf } from '../../model/time.ts';
import { openTape } from '../../recording/tape/open-tape.ts';
import type { Tape } from '../../recording/tape/tape.ts';
import type { SimulationOptions } from '../../simulation/options.ts';
import type { Config } from '../config/schema.ts';
import { inModeOf } from '../connection/position-mode.ts';
import { measuredSimulation } from '../feed/measured-latency.ts';
import { modelFor } from '../feed/exchange-model.ts';
import { sessionFiles, type SessionFolder } from '../store/store.ts';
import { playScript } from './order-script.ts';
import { sessionTrace, type Payment, type SessionTrace } from './session-trace.ts';
import { TradeValue, type TradeFill } from './trade-value.ts';

/** Reporting currency. */
export interface Outcome {
  readonly pnl: Decimal;
  readonly trading: Decimal;
  readonly funding: Decimal;
  readonly fills: number;
}

export interface Material {
  readonly tape: Tape;
  readonly simulation: SimulationOptions;
  /** Of the session's last process. */
  readonly trace: SessionTrace;
  readonly seed: number;
  readonly start: Readonly<Record<string, string>>;
}

/** The recording is open while `use` runs. */
export async function withMaterial<T>(
  { record, path }: SessionFolder,
  config: Config,
  use: (material: Material) => T,
): Promise<T> {
  const trace = sessionTrace([...readJournal(path)], record.decidingFrom ?? 0);
  const tape = await openTape([join(path, sessionFiles.recording)], {
    baseLatencyUs: usOf(config.simulation.latency.baseMs),
  });
  try {
    const simulation = modelFor(tape, measuredSimulation(inModeOf(path, config)));
    return use({ tape, simulation, trace, seed: record.seed, start: config.account.start });
  } finally {
    tape.close();
  }
}

export function valueAt(
  { tape, simulation }: Pick<Material, 'tape' | 'simulation'>,
  marks: ReadonlyMap<string, Decimal>,
  reporting: string,
): TradeValue {
  const instruments = new Instruments(tape.instruments.map(({ spec }) => spec));
  return new TradeValue({ instruments, marks, reporting, rates: feeRates(simulation.fees) });
}

/** Of the session itself, out of its journal. Throws `drift_unpriced`. */
export function sessionOutcome(value: TradeValue, { fills, others, funding }: SessionTrace): Outcome {
  return outcomeOf(value, [...[...fills.values()].flat(), ...others], funding);
}

/** Throws `drift_unpriced`. */
export function outcomeOf(value: TradeValue, fills: readonly TradeFill[], payments: readonly Payment[]): Outcome {
  const trading = value.total(fills);
  const funding = payments.reduce(
    (sum, { currency, amount }) => sum.plus(dec(amount).times(value.worth(currency))),
    ZERO,
  );
  return { pnl: trading.plus(funding), trading, funding, fills: fills.length };
}

/** The prices of a recording at its end. */
export function lastMarks({ tape, simulation, start }: Material): ReadonlyMap<string, Decimal> {
  return playScript({ tape, simulation, start, arrivals: [] }).marks;
}
