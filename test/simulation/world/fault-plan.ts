/**
 * Which faults a seed brings and how often (swarm testing: each seed draws a subset and rates, all printed). Every fault
 * here can be survived by contract; `without` takes kinds out again, to shrink a failure.
 */
import type { Random } from '../../../src/model/ports.ts';

interface FaultRow {
  /** Highest chance that a seed draws: per request, per frame or per second, as `per` says. */
  readonly max: number;
  readonly per: 'request' | 'frame' | 'second';
}

/** Reliability §3.3, the menu. */
export const faultRows = {
  'request-refused': { max: 0.05, per: 'request' },
  'request-lost': { max: 0.15, per: 'request' },
  'request-late': { max: 0.05, per: 'request' },
  'request-slow': { max: 0.2, per: 'request' },
  'answer-lost': { max: 0.15, per: 'request' },
  'answer-late': { max: 0.1, per: 'request' },
  'answer-reset': { max: 0.1, per: 'request' },
  'status-before': { max: 0.1, per: 'request' },
  'status-after': { max: 0.1, per: 'request' },
  'answer-garbage': { max: 0.05, per: 'request' },
  'rate-limit': { max: 0.03, per: 'request' },
  'frame-lost': { max: 0.01, per: 'frame' },
  'frame-doubled': { max: 0.02, per: 'frame' },
  'frame-garbage': { max: 0.005, per: 'frame' },
  'frame-slow': { max: 0.05, per: 'frame' },
  'socket-cut': { max: 0.01, per: 'second' },
  'socket-mute': { max: 0.005, per: 'second' },
  'channel-mute': { max: 0.005, per: 'second' },
  'connect-refused': { max: 0.3, per: 'request' },
  outage: { max: 0.002, per: 'second' },
  kill: { max: 0.004, per: 'second' },
  'kill-at-journal': { max: 0.003, per: 'request' },
  'kill-at-send': { max: 0.003, per: 'request' },
  pause: { max: 0.003, per: 'second' },
  suspend: { max: 0.002, per: 'second' },
  'clock-step': { max: 0.002, per: 'second' },
  'disk-full': { max: 0.001, per: 'second' },
  'human-order': { max: 0.01, per: 'second' },
  'human-trade': { max: 0.005, per: 'second' },
  'kill-switch': { max: 0.0003, per: 'second' },
  'strategy-throws': { max: 0.0003, per: 'second' },
} as const satisfies Readonly<Record<string, FaultRow>>;

export type FaultKind = keyof typeof faultRows;

export const faultKinds = Object.keys(faultRows) as readonly FaultKind[];

/** A quarter of the seeds are calm in most ways, so that rare combinations are not drowned. */
const ENABLED_MIN = 0.15;
const ENABLED_MAX = 0.7;

export class FaultPlan {
  /** Chance of each enabled kind. */
  readonly rates: ReadonlyMap<FaultKind, number>;
  readonly #random: Random;
  readonly #counts = new Map<FaultKind, number>();
  #isOn = true;

  constructor(random: Random, without: ReadonlySet<FaultKind> = new Set()) {
    const draw = random.fork('plan');
    const share = ENABLED_MIN + draw.next() * (ENABLED_MAX - ENABLED_MIN);
    const rates = new Map<FaultKind, number>();
    for (const kind of faultKinds) {
      const isIn = draw.next() < share;
      const rate = faultRows[kind].max * draw.next();
      if (isIn && !without.has(kind)) rates.set(kind, rate);
    }
    this.rates = rates;
    this.#random = random.fork('faults');
  }

  /** From here on nothing fails: the liveness phase. */
  stop(): void {
    this.#isOn = false;
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  get counts(): ReadonlyMap<FaultKind, number> {
    return this.#counts;
  }

  /** Whether this fault strikes now. Draws only for kinds that are in the plan, so that a shrunk plan stays alike. */
  strikes(kind: FaultKind): boolean {
    const rate = this.rates.get(kind);
    if (rate === undefined || !this.#isOn || this.#random.next() >= rate) return false;
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
    return true;
  }

  /** Uniform between the two. */
  between(low: number, high: number): number {
    return low + this.#random.next() * (high - low);
  }

  pick<T>(from: readonly [T, ...T[]]): T {
    return from[Math.floor(this.#random.next() * from.length)] ?? from[0];
  }

  describe(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.rates].map(([kind, rate]) => [kind, Number(rate.toFixed(5))]));
  }
}
