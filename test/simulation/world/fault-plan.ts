/**
 * Which faults a seed brings and how often (swarm testing: each seed draws a subset and rates, all printed). Every fault
 * here can be survived by contract; `without` takes kinds out again, to shrink a failure.
 */
import type { Random } from '../../../src/model/ports.ts';

interface FaultRow {
  /** Highest chance that a seed draws: per request, per frame, journal write, second, start and so on, as `per` says. */
  readonly max: number;
  readonly per: 'request' | 'frame' | 'write' | 'second' | 'decision' | 'start' | 'seed';
  /** It may leave an order of unknown outcome, whose proof takes longer than the 45 s of the tight variant (INV-L1). */
  readonly slow?: true;
  /** Drawn in few seeds, and apart from the others: a seed without these runs as it would if there were none. */
  readonly seldom?: true;
  /** Of the seeds that may bring what is seldom; `SELDOM_SHARE` when left out. */
  readonly share?: number;
  /** Class B of docs/fault-model.md by itself, whatever else fails; absent: A. */
  readonly halts?: true;
}

/** Reliability §3.3, the menu. */
export const faultRows = {
  'request-refused': { max: 0.05, per: 'request' },
  'request-lost': { max: 0.15, per: 'request', slow: true },
  'request-late': { max: 0.05, per: 'request', slow: true },
  'request-slow': { max: 0.2, per: 'request', slow: true },
  'answer-lost': { max: 0.15, per: 'request', slow: true },
  'answer-late': { max: 0.1, per: 'request', slow: true },
  'answer-reset': { max: 0.1, per: 'request', slow: true },
  'status-before': { max: 0.1, per: 'request', slow: true },
  'status-after': { max: 0.1, per: 'request', slow: true },
  'answer-garbage': { max: 0.05, per: 'request', slow: true },
  'list-empty': { max: 0.05, per: 'request', slow: true },
  'rate-limit': { max: 0.03, per: 'request', slow: true },
  'hidden-limit': { max: 1, per: 'seed', slow: true },
  'read-lag': { max: 0.3, per: 'request', slow: true },
  'frame-lost': { max: 0.01, per: 'frame' },
  'frame-doubled': { max: 0.02, per: 'frame' },
  'frame-overtaken': { max: 0.01, per: 'frame' },
  'frame-garbage': { max: 0.005, per: 'frame' },
  'frame-slow': { max: 0.05, per: 'frame' },
  'frame-after-end': { max: 0.3, per: 'frame' },
  'control-lost': { max: 0.1, per: 'frame' },
  'login-refused': { max: 0.3, per: 'frame' },
  'socket-cut': { max: 0.01, per: 'second' },
  'socket-closed': { max: 0.01, per: 'second' },
  'socket-mute': { max: 0.005, per: 'second' },
  'channel-mute': { max: 0.005, per: 'second' },
  'connect-refused': { max: 0.3, per: 'request' },
  outage: { max: 0.002, per: 'second', slow: true },
  maintenance: { max: 0.0006, per: 'second', slow: true },
  kill: { max: 0.004, per: 'second', slow: true },
  'kill-at-start': { max: 0.2, per: 'second', slow: true },
  'kill-at-journal': { max: 0.003, per: 'write', slow: true },
  'kill-at-send': { max: 0.003, per: 'request', slow: true },
  pause: { max: 0.003, per: 'second', slow: true },
  suspend: { max: 0.002, per: 'second', slow: true },
  'clock-step': { max: 0.002, per: 'second', slow: true },
  'clock-drift': { max: 1, per: 'seed' },
  'disk-full': { max: 0.002, per: 'second', slow: true, halts: true },
  'disk-busy': { max: 0.002, per: 'write', slow: true },
  'disk-slow': { max: 0.001, per: 'write', slow: true },
  halt: { max: 0.002, per: 'second' },
  'venue-cancels': { max: 0.01, per: 'second' },
  'human-order': { max: 0.01, per: 'second' },
  'human-trade': { max: 0.005, per: 'second' },
  // What a transfer leaves is explained when it has been still for the lag of histories.
  'human-transfer': { max: 0.003, per: 'second', slow: true },
  'key-blocked': { max: 0.0005, per: 'second', slow: true },
  'kill-switch': { max: 0.004, per: 'second' },
  'strategy-throws': { max: 0.0003, per: 'decision' },
  'strategy-storm': { max: 0.01, per: 'decision' },
  'strategy-nonsense': { max: 0.05, per: 'decision' },
  'channel-forgotten': { max: 0.003, per: 'second', slow: true },
  // In seeds that trade a perpetual.
  'mark-jump': { max: 0.04, per: 'second' },
  'human-futures': { max: 0.02, per: 'second' },
  'sequence-reset': { max: 0.005, per: 'second' },
  'socket-half-open': { max: 0.005, per: 'second' },
  'frame-strange': { max: 0.01, per: 'frame' },
  'frame-burst': { max: 0.002, per: 'frame' },
  'slow-loop': { max: 0.05, per: 'second' },
  'request-doubled': { max: 0.05, per: 'request' },
  'suspend-at-send': { max: 0.01, per: 'request', slow: true },
  'power-loss': { max: 0.002, per: 'write', slow: true },
  'kill-at-reconnect': { max: 0.03, per: 'second' },
  'transfer-while-down': { max: 0.1, per: 'second', slow: true },
  'cancel-race': { max: 0.3, per: 'request' },
  // The gate stays shut for a minute.
  stranger: { max: 0.003, per: 'second', slow: true, halts: true },
  // Of the whole seed: limits of our own, turned down.
  'knob-deadlines': { max: 1, per: 'seed', slow: true },
  'knob-capacities': { max: 1, per: 'seed' },
  'knob-pages': { max: 1, per: 'seed' },
  'knob-waits': { max: 1, per: 'seed' },
  // The mark jumps while no private stream tells of it; a human makes up for what was lost.
  'jump-while-down': { max: 0.2, per: 'second', slow: true, seldom: true },
  'human-refills': { max: 0.02, per: 'second', slow: true, seldom: true },
  'ids-forgotten': { max: 0.01, per: 'second', slow: true, seldom: true },
  'positions-old': { max: 0.01, per: 'second', slow: true, seldom: true },
  // A process finds another journal than the one before it has left.
  'journal-restored': { max: 0.4, per: 'start', slow: true, seldom: true, halts: true },
  'journal-copied': { max: 0.3, per: 'start', slow: true, seldom: true, halts: true },
  'journal-cut': { max: 0.3, per: 'start', slow: true, seldom: true, halts: true },
  'journal-lost': { max: 0.2, per: 'start', slow: true, seldom: true, halts: true },
  // Position mode or margin type, which needs all that stands to go first; once more while nothing runs.
  'human-settings': { max: 0.006, per: 'second', slow: true, seldom: true },
  'settings-while-down': { max: 0.05, per: 'second', slow: true, seldom: true },
  // The clock of the exchange, by which it stamps and judges signatures.
  'venue-clock-step': { max: 0.006, per: 'second', slow: true, seldom: true },
  'venue-clock-drift': { max: 1, per: 'seed', seldom: true },
  'venue-clocks-differ': { max: 1, per: 'seed', seldom: true },
  // Other instances.
  'stranger-trades': { max: 0.004, per: 'second', slow: true, seldom: true, halts: true },
  'second-stack': { max: 0.006, per: 'second', slow: true, seldom: true, halts: true },
  // Steps, minima and the status of an instrument.
  'instrument-changes': { max: 0.02, per: 'second', slow: true, seldom: true, share: 0.1, halts: true },
  'instrument-changes-while-down': { max: 0.05, per: 'second', slow: true, seldom: true, share: 0.1, halts: true },
  // Drawn after all others, which are as they were without it. It is asked for again within a minute.
  'subscribe-refused': { max: 0.3, per: 'request', slow: true },
  // What own trades are said to be: of the whole seed the side of the taker, of single frames what contradicts the order.
  'taker-side': { max: 1, per: 'seed' },
  'own-trade-turned': { max: 0.05, per: 'frame' },
  // A halted symbol waits for its human.
  'own-trade-contradicts': { max: 0.05, per: 'frame', slow: true, seldom: true, halts: true },
  // A signal: the session ends by itself, with the stop policies of its strategies.
  'told-to-end': { max: 0.01, per: 'second', slow: true, seldom: true },
  // A push calls an order over that rests.
  'false-status': { max: 0.02, per: 'frame', slow: true, seldom: true },
  // The files of the journal are moved, removed, replaced or cut under the process.
  'journal-gone': { max: 0.005, per: 'second', slow: true, seldom: true, halts: true },
  'strategy-regrets': { max: 0.3, per: 'decision', seldom: true },
  // A human closes everything from another process, which may be killed.
  panic: { max: 0.004, per: 'second', slow: true, seldom: true },
  // Answers that are not so: a cancel as done, a create as refused.
  'false-cancel': { max: 0.1, per: 'request', slow: true, seldom: true },
  'false-refusal': { max: 0.05, per: 'request', slow: true, seldom: true },
  // A push of an own trade in terms that its order allows, and that are not its own.
  'own-trade-wrong': { max: 0.05, per: 'frame', slow: true, seldom: true, halts: true },
  // A create is answered as open or filled and is nowhere.
  'ghost-order': { max: 0.05, per: 'request', slow: true, seldom: true },
  // A push of an own trade does not know its fee yet, or has another one.
  'own-trade-fee': { max: 0.3, per: 'frame', seldom: true },
  // A human pauses a strategy for a while.
  'human-pauses': { max: 0.02, per: 'second', seldom: true },
  // A human cancels, closes, limits or ends what a strategy does, by commands to the session.
  'human-commands': { max: 0.03, per: 'second', seldom: true },
} as const satisfies Readonly<Record<string, FaultRow>>;

export type FaultKind = keyof typeof faultRows;

export const faultKinds = Object.keys(faultRows) as readonly FaultKind[];

/** A quarter of the seeds are calm in most ways, so that rare combinations are not drowned. */
const ENABLED_MIN = 0.15;
const ENABLED_MAX = 0.7;
/** Of the seldom kinds, in a seed that may bring them. */
const SELDOM_SHARE = 0.35;

interface PlanTerms {
  /** Kinds that are taken out again. */
  readonly without?: ReadonlySet<FaultKind> | undefined;
  /** Nothing that can leave an order of unknown outcome. */
  readonly tight?: boolean;
  /** The seldom kinds are drawn too. */
  readonly seldom?: boolean;
  /** Kinds that it brings whatever is drawn. */
  readonly also?: ReadonlySet<FaultKind> | undefined;
  /** Least chances, of a world that lives on these and has few other faults. */
  readonly least?: Partial<Readonly<Record<FaultKind, number>>> | undefined;
}

export class FaultPlan {
  /** Chance of each enabled kind. */
  readonly rates: ReadonlyMap<FaultKind, number>;
  readonly #random: Random;
  /** Of each kind its own, so that a plan without one kind draws alike for the others. */
  readonly #chance: ReadonlyMap<FaultKind, Random>;
  readonly #counts = new Map<FaultKind, number>();
  #isOn = true;

  constructor(random: Random, terms: PlanTerms = {}) {
    const { without = new Set(), tight = false, seldom = false, also = new Set(), least } = terms;
    const draw = random.fork('plan');
    const drawSeldom = random.fork('seldom');
    const more = draw.next() * (ENABLED_MAX - ENABLED_MIN);
    const share = least === undefined ? ENABLED_MIN + more : ENABLED_MIN;
    const rates = new Map<FaultKind, number>();
    for (const kind of faultKinds) {
      const row: FaultRow = faultRows[kind];
      const from = row.seldom === true ? drawSeldom : draw;
      const isDrawn = from.next() < (row.seldom === true ? (row.share ?? SELDOM_SHARE) : share);
      const drawn = row.max * from.next();
      const isIn = (isDrawn && (seldom || row.seldom !== true)) || also.has(kind);
      const rate = Math.max(isIn ? drawn : 0, least?.[kind] ?? 0);
      if ((isIn || rate > 0) && !without.has(kind) && !(tight && row.slow === true)) rates.set(kind, rate);
    }
    this.rates = rates;
    this.#random = random.fork('faults');
    this.#chance = new Map(faultKinds.map((kind) => [kind, random.fork(`fault ${kind}`)]));
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

  /** Whether this fault strikes now. */
  strikes(kind: FaultKind): boolean {
    const rate = this.rates.get(kind);
    const chance = this.#chance.get(kind);
    if (rate === undefined || chance === undefined || !this.#isOn || chance.next() >= rate) return false;
    this.count(kind);
    return true;
  }

  /** Of a kind that is there for the whole seed: how strong, in 0 to 1; 0 when it is not in the plan or over. */
  strength(kind: FaultKind): number {
    return this.#isOn ? (this.rates.get(kind) ?? 0) : 0;
  }

  /** A fault of the seed took effect. */
  count(kind: FaultKind): void {
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
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
