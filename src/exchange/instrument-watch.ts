/**
 * Gate for instruments that change. A symbol closes when halted, or missing in two complete lists, until it trades
 * again. Changed steps or contract size close it until restored or the next start. Changed limits close nothing.
 */
import type { Instrument, InstrumentSpec, Market } from '../model/market/instrument.ts';
import { dec } from '../model/numbers/money.ts';
import type { Cancel, Clock, Gate, GateClosure, Logger } from '../model/ports.ts';
import type { Answer } from './client/operations/answer.ts';

const EVERY_MS = 300_000;
/** Joins several refusals. */
const DOUBT_MS = 1000;
/** Halts may be short. */
const SHUT_MS = 30_000;
const MISSING_MIN = 2;

/** Refusals that a changed instrument explains. */
const doubtful: ReadonlySet<string> = new Set([
  'off_tick',
  'off_lot',
  'below_minimum',
  'above_maximum',
  'symbol_halted',
  'unknown_symbol',
]);

export interface InstrumentWatchDeps {
  readonly traded: readonly Instrument[];
  readonly read: Readonly<Record<Market, () => Promise<Answer<readonly InstrumentSpec[]>>>>;
  readonly clock: Clock;
  readonly logger: Logger;
}

export class InstrumentWatch implements Gate {
  readonly name = 'instruments';
  readonly #deps: InstrumentWatchDeps;
  readonly #closures = new Map<string, GateClosure>();
  readonly #missing = new Map<string, number>();
  #traded: readonly Instrument[] = [];
  #cancels: Cancel[] = [];
  #doubt: Cancel | null = null;
  #again: Cancel | null = null;
  /** Unreadable frames are ignored until then. */
  #rest: Cancel | null = null;
  #isReading = false;

  constructor(deps: InstrumentWatchDeps) {
    this.#deps = deps;
    for (const instrument of deps.traded) this.cover(instrument);
  }

  /** From its first order on. */
  cover(instrument: Instrument): void {
    const { spec, symbol } = instrument;
    if (this.#traded.some((known) => known.symbol === symbol)) return;
    this.#traded = [...this.#traded, instrument];
    const closure = closureOf(spec, spec);
    if (closure !== null) this.#closures.set(symbol, closure);
  }

  closedBecause(symbol: string): GateClosure | null {
    return this.#closures.get(symbol) ?? null;
  }

  start(): void {
    this.#cancels.push(this.#deps.clock.every(EVERY_MS, () => void this.look()));
    this.#lookAgain();
  }

  stop(): void {
    for (const cancel of this.#cancels.splice(0)) cancel();
    for (const timer of [this.#doubt, this.#again, this.#rest]) timer?.();
    this.#doubt = null;
    this.#again = null;
    this.#rest = null;
  }

  refused(code: string): void {
    if (doubtful.has(code)) this.#wonder();
  }

  #wonder(): void {
    if (this.#doubt !== null || this.#cancels.length === 0) return;
    this.#doubt = this.#deps.clock.after(DOUBT_MS, () => {
      this.#doubt = null;
      void this.look();
    });
  }

  /** With finer steps most frames are off the grid. */
  unreadable(symbol: string): void {
    if (this.#rest !== null || this.#cancels.length === 0) return;
    if (!this.#traded.some((instrument) => instrument.symbol === symbol)) return;
    this.#rest = this.#deps.clock.after(SHUT_MS, () => (this.#rest = null));
    this.#wonder();
  }

  /** A failed read changes nothing. Never rejects. */
  async look(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      const { read, logger } = this.#deps;
      for (const market of new Set(this.#traded.map((instrument) => instrument.market))) {
        const answer = await read[market]();
        if (answer.kind === 'failed') logger.warn({ market }, `instruments could not be read: ${answer.error.message}`);
        else this.#compare(market, answer.value);
      }
    } finally {
      this.#isReading = false;
      this.#lookAgain();
    }
  }

  #lookAgain(): void {
    if (this.#closures.size === 0 || this.#again !== null || this.#cancels.length === 0) return;
    this.#again = this.#deps.clock.after(SHUT_MS, () => {
      this.#again = null;
      void this.look();
    });
  }

  #compare(market: Market, specs: readonly InstrumentSpec[]): void {
    const told = new Map(specs.map((spec) => [spec.symbol, spec]));
    for (const instrument of this.#traded) {
      if (instrument.market !== market) continue;
      const { symbol } = instrument;
      const now = told.get(symbol);
      const missing = now === undefined ? (this.#missing.get(symbol) ?? 0) + 1 : 0;
      this.#missing.set(symbol, missing);
      if (now !== undefined) this.#settle(symbol, closureOf(instrument.spec, now));
      else if (missing >= MISSING_MIN)
        this.#settle(symbol, { reason: 'symbol_halted', message: `${symbol} is not among the instruments any more` });
      else this.refused('unknown_symbol');
    }
  }

  #settle(symbol: string, closure: GateClosure | null): void {
    const before = this.#closures.get(symbol)?.message;
    if (closure === null) this.#closures.delete(symbol);
    else this.#closures.set(symbol, closure);
    if (before === closure?.message) return;
    if (closure === null) this.#deps.logger.warn({ symbol }, 'the instrument is again as it was at the start');
    else this.#deps.logger.error({ symbol }, closure.message);
  }
}

function closureOf(before: InstrumentSpec, now: InstrumentSpec): GateClosure | null {
  const { symbol } = before;
  const steps = (['tickSize', 'lotSize', 'contractSize'] as const).flatMap((name) => {
    const was = before[name] ?? '1';
    const is = now[name] ?? '1';
    return dec(was).eq(is) ? [] : [`${name} ${was} is ${is} now`];
  });
  if (steps.length > 0) return { reason: 'instrument_changed', message: `${symbol}: ${steps.join(', ')}` };
  return now.status === 'halted' ? { reason: 'symbol_halted', message: `${symbol} is halted` } : null;
}
