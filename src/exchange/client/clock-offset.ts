/**
 * Offset between local and exchange clock, from the sample with the shortest round trip. Signatures are valid for 30 s:
 * the gate closes beyond 10 s.
 */
import type { Cancel, Clock, Gate, GateClosure, Logger } from '../../model/ports.ts';

export interface ClockSample {
  /** Local Unix ms. */
  readonly sentAt: number;
  readonly receivedAt: number;
  /** Exchange Unix ms. */
  readonly serverTime: number;
  /** Half the resolution of `serverTime`: 0.5 for ms, 500 for a Date header. */
  readonly resolutionMs: number;
}

export interface ClockEstimate {
  /** Exchange time − local time. */
  readonly offsetMs: number;
  /** The true offset is within ± this. */
  readonly uncertaintyMs: number;
  /** Local Unix ms. */
  readonly measuredAt: number;
}

export const OFFSET_WARN_MS = 2000;
export const OFFSET_HALT_MS = 10_000;
const UNCERTAINTY_HALT_MS = 5000;
const SAMPLES_PER_ROUND = 5;
/** For asymmetric routes. */
const SIGMAS = 3;
const ROUND_EVERY_MS = 60_000;
/** If both clocks were off by the allowed maximum at the start. */
const SLEW_MS_MAX = 2 * OFFSET_HALT_MS;
const PRECISE_FOR_MS = 5 * ROUND_EVERY_MS;

export function estimateOffset(samples: readonly ClockSample[]): ClockEstimate | null {
  let best: ClockEstimate | null = null;
  for (const { sentAt, receivedAt, serverTime, resolutionMs } of samples) {
    const roundTrip = receivedAt - sentAt;
    if (!(roundTrip >= 0) || !Number.isFinite(serverTime)) continue;
    const uncertaintyMs = roundTrip / 2 + resolutionMs;
    if (best !== null && uncertaintyMs >= best.uncertaintyMs) continue;
    best = { offsetMs: serverTime - (sentAt + receivedAt) / 2, uncertaintyMs, measuredAt: receivedAt };
  }
  return best;
}

/** Whole seconds: the middle of the second ± 500 ms. */
export function dateSample(header: string | undefined, sentAt: number, receivedAt: number): ClockSample | null {
  const date = header === undefined ? Number.NaN : Date.parse(header);
  return Number.isNaN(date) ? null : { sentAt, receivedAt, serverTime: date + 500, resolutionMs: 500 };
}

function correctedClock(local: Clock, offsetMs: () => number): Clock {
  return Object.freeze({
    now: () => local.now() + offsetMs(),
    nowUs: () => local.nowUs() + Math.round(offsetMs() * 1000),
    after: (delayMs: number, run: () => void) => local.after(delayMs, run),
    every: (intervalMs: number, run: () => void) => local.every(intervalMs, run),
  });
}

export interface ClockOffsetDeps {
  readonly clock: Clock;
  /** Never rejects. */
  readonly sample: () => Promise<ClockSample | null>;
  /** Wall clock minus monotonic clock, ms: grows while the machine sleeps. */
  readonly lead?: (() => number) | undefined;
  readonly logger: Logger;
}

export class ClockOffset {
  readonly #deps: ClockOffsetDeps;
  #estimate: ClockEstimate | null = null;
  /** Local Unix ms of the last round that read the time operation. */
  #measuredAt: number | null = null;
  #round: Promise<ClockEstimate | null> | null = null;
  #timer: Cancel | null = null;
  #advance: ((ms: number) => void) | undefined;
  /** Of the last clock advance not explained by sleep, local Unix ms. */
  #slewedAt = Number.NEGATIVE_INFINITY;
  /** `lead` when the clocks last agreed, plus corrections since. */
  #leadMs: number;
  /** Wall-clock lead that the exchange's clock has not shown yet, ms. */
  #hiddenMs = 0;
  /** Exchange time; timers run on the local clock. */
  readonly clock: Clock;
  readonly gate: Gate;

  constructor(deps: ClockOffsetDeps) {
    this.#deps = deps;
    this.#leadMs = this.#lead();
    this.clock = correctedClock(deps.clock, () => this.#estimate?.offsetMs ?? 0);
    this.gate = Object.freeze({ name: 'clock', closedBecause: () => this.#closedBecause() });
  }

  get estimate(): ClockEstimate | null {
    return this.#estimate;
  }

  /** Ms. */
  get doubtMs(): number {
    if (this.#estimate === null) return 0;
    return Math.abs(this.#estimate.offsetMs) + SIGMAS * this.#estimate.uncertaintyMs;
  }

  /**
   * `advance` moves the local clock after machine sleep. Without evidence of sleep only possible drift is corrected,
   * and the gate stays closed meanwhile.
   */
  async start(advance?: (ms: number) => void): Promise<ClockEstimate | null> {
    this.#advance = advance;
    this.#timer ??= this.#deps.clock.every(ROUND_EVERY_MS, () => void this.measure());
    return this.measure();
  }

  stop(): void {
    this.#timer?.();
    this.#timer = null;
  }

  measure(): Promise<ClockEstimate | null> {
    this.#round ??= this.#runRound().finally(() => {
      this.#round = null;
    });
    return this.#round;
  }

  /** While the time operation is unreadable. A sharper sample wins. */
  observeDate(sample: ClockSample): void {
    const now = this.#deps.clock.now();
    if (this.#measuredAt !== null && now - this.#measuredAt <= PRECISE_FOR_MS) return;
    const estimate = estimateOffset([sample]);
    const last = this.#estimate;
    if (estimate === null) return;
    const sharper = last === null || estimate.uncertaintyMs < last.uncertaintyMs;
    if (sharper || now - last.measuredAt > ROUND_EVERY_MS) this.#estimate = estimate;
  }

  async #runRound(): Promise<ClockEstimate | null> {
    const leadMs = this.#lead();
    const samples: ClockSample[] = [];
    for (let count = 0; count < SAMPLES_PER_ROUND; count++) {
      const sample = await this.#deps.sample();
      if (sample === null) break;
      samples.push(sample);
    }
    const estimate = estimateOffset(samples);
    if (estimate === null) {
      this.#deps.logger.warn({}, "the exchange's time could not be read");
      return this.#estimate;
    }
    const { offsetMs, measuredAt } = estimate;
    if (Math.abs(offsetMs) > OFFSET_WARN_MS)
      this.#deps.logger.warn({ ...estimate }, 'the local clock differs from the exchange');
    const byMs = this.#behindBy(estimate);
    if (byMs > 0) this.#advance?.(byMs);
    // Lead from before the round: sleep during the round shows in the next.
    else if (Math.abs(offsetMs) <= OFFSET_HALT_MS) {
      this.#hiddenMs = Math.max(0, this.#hiddenMs + leadMs - this.#leadMs);
      this.#leadMs = leadMs;
    }
    this.#estimate = { ...estimate, offsetMs: offsetMs - byMs, measuredAt: measuredAt + byMs };
    this.#measuredAt = this.#estimate.measuredAt;
    return this.#estimate;
  }

  #behindBy({ offsetMs, measuredAt }: ClockEstimate): number {
    if (this.#advance === undefined || offsetMs <= OFFSET_WARN_MS) return 0;
    const aheadMs = this.#lead() - this.#leadMs;
    const sleptMs = Math.min(offsetMs, aheadMs);
    if (sleptMs > OFFSET_WARN_MS && offsetMs - sleptMs <= OFFSET_HALT_MS) {
      this.#leadMs += sleptMs;
      return sleptMs;
    }
    // Hidden lead must appear exactly when the exchange's clock is corrected.
    const allMs = aheadMs + this.#hiddenMs;
    if (offsetMs > OFFSET_HALT_MS && this.#hiddenMs > OFFSET_WARN_MS && Math.abs(offsetMs - allMs) <= OFFSET_HALT_MS) {
      this.#leadMs += aheadMs;
      this.#hiddenMs = 0;
      return Math.min(offsetMs, allMs);
    }
    if (offsetMs > SLEW_MS_MAX || measuredAt - this.#slewedAt < ROUND_EVERY_MS / 2) return 0;
    this.#slewedAt = measuredAt + OFFSET_WARN_MS;
    this.#hiddenMs = Math.max(0, this.#hiddenMs - OFFSET_WARN_MS);
    return OFFSET_WARN_MS;
  }

  #lead(): number {
    return this.#deps.lead?.() ?? 0;
  }

  #closedBecause(): GateClosure | null {
    const estimate = this.#estimate;
    if (estimate === null) return { reason: 'clock_doubt', message: "the exchange's time is not known yet" };
    const { offsetMs, uncertaintyMs } = estimate;
    if (Math.abs(offsetMs) > OFFSET_HALT_MS) {
      const message = `the local clock is ${(offsetMs / 1000).toFixed(1)} s off the exchange, at most ${OFFSET_HALT_MS / 1000} s are allowed`;
      return { reason: 'clock_doubt', message };
    }
    if (uncertaintyMs <= UNCERTAINTY_HALT_MS) return null;
    return { reason: 'clock_doubt', message: `the exchange's time is known to ± ${Math.round(uncertaintyMs)} ms only` };
  }
}
