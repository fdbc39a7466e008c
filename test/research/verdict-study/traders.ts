/**
 * The four shapes of the verdict study, each with one parameter: a coin that is thrown again and again, a trend follower, a maker
 * of a grid, and one that trades seldom. None of them looks ahead: what it holds follows from minutes that are over. Prices
 * are in ticks, positions in units.
 */
import type { Random } from '../../../src/model/ports.ts';

export const shapes = ['coin', 'trend', 'maker', 'few'] as const;
export type Shape = (typeof shapes)[number];

/** Trials of one search; the middle one is the one that an edge is planted for. */
export const TRIALS = 16;
export const PLANTED_TRIAL = 7;

export interface Change {
  readonly by: number;
  /** Null: at the market. */
  readonly limit: number | null;
}

export interface Trader {
  /** What it does at the end of a minute whose mid is this. */
  next(minute: number, mid: number): Change | null;
  readonly position: number;
}

export interface TraderOptions {
  readonly shape: Shape;
  readonly trial: number;
  readonly isLongOnly: boolean;
  /** The same for all trials of a search where they share one signal. */
  readonly signal: Signal;
  /** Ticks that a mid must pass a quote by before it is filled. */
  readonly queueTicks: number;
}

/** Directions drawn beforehand, without the market. */
export interface Signal {
  at(trial: number, index: number): 1 | -1;
}

/** Of planted edges all trials share one signal and come to it later or earlier; of nulls each trial has its own. */
export function signalOf(random: Random, isShared: boolean): Signal {
  const rows = Array.from({ length: isShared ? 1 : TRIALS }, (_, trial) => {
    const own = random.fork(`signal ${trial}`);
    return Array.from({ length: 4096 }, (): 1 | -1 => (own.next() < 0.5 ? 1 : -1));
  });
  return { at: (trial, index) => rows[trial % rows.length]![((index % 4096) + 4096) % 4096]! };
}

export function traderOf(options: TraderOptions): Trader {
  if (options.shape === 'maker') return new GridMaker(options);
  const { trial } = options;
  // Lags around that of the planted trial, ten minutes apart.
  const lag = 10 * Math.abs(trial - PLANTED_TRIAL);
  if (options.shape === 'trend') return new Taker(options, trendOf(60 + 30 * trial));
  if (options.shape === 'coin')
    return new Taker(options, ({ signal }, minute) => signal.at(trial, Math.floor((minute - lag) / 120)));
  return new Taker(options, ({ signal }, minute) => {
    const since = minute - lag - 37 * (trial % 3);
    return since >= 0 && since % 720 < 240 ? signal.at(trial, Math.floor(since / 720)) : 0;
  });
}

type Wanted = (options: TraderOptions, minute: number, mid: number) => number;

function trendOf(lookback: number): Wanted {
  const mids: number[] = [];
  let wanted = 0;
  return (_options, minute, mid) => {
    mids.push(mid);
    if (mids.length > lookback + 1) mids.shift();
    if (minute % 30 === 0 && mids.length > lookback) wanted = Math.sign(mid - mids[0]!) || wanted;
    return wanted;
  };
}

class Taker implements Trader {
  position = 0;
  readonly #options: TraderOptions;
  readonly #wanted: Wanted;

  constructor(options: TraderOptions, wanted: Wanted) {
    this.#options = options;
    this.#wanted = wanted;
  }

  next(minute: number, mid: number): Change | null {
    const side = this.#wanted(this.#options, minute, mid);
    const wanted = this.#options.isLongOnly ? Math.max(0, side) : side;
    const by = wanted - this.position;
    if (by === 0) return null;
    this.position = wanted;
    return { by, limit: null };
  }
}

const INVENTORY_MAX = 3;

/** Buys a step below its last price and sells a step above, up to three units either way. */
class GridMaker implements Trader {
  position = 0;
  readonly #step: number;
  readonly #queueTicks: number;
  readonly #least: number;
  #last: number | null = null;

  constructor({ trial, queueTicks, isLongOnly }: TraderOptions) {
    this.#step = 4 + trial;
    this.#queueTicks = queueTicks;
    this.#least = isLongOnly ? 0 : -INVENTORY_MAX;
  }

  next(_minute: number, mid: number): Change | null {
    this.#last ??= mid;
    const side =
      mid <= this.#last - this.#step - this.#queueTicks
        ? 1
        : mid >= this.#last + this.#step + this.#queueTicks
          ? -1
          : 0;
    if (side === 0) return null;
    const limit = this.#last - side * this.#step;
    const after = this.position + side;
    if (after > INVENTORY_MAX || after < this.#least) {
      this.#last = mid;
      return null;
    }
    this.#last = limit;
    this.position = after;
    return { by: side, limit };
  }
}
