/** Series that strategies plot. */
import type { Clock } from '../../../model/ports.ts';
import type { Plot } from '../../../strategy/context/context.ts';
import { BoundedSeries } from './bounded-series.ts';

const NAMES_MAX = 20;
const POINTS_MAX = 20_000;

export interface PlottedSeries {
  readonly name: string;
  readonly pane: string;
  readonly tag: string;
  readonly symbol: string | undefined;
  readonly series: BoundedSeries;
}

export class Plots {
  readonly #series: PlottedSeries[] = [];
  /** By strategy, name, symbol. */
  readonly #names = new Map<string, Map<string, Map<string | undefined, PlottedSeries>>>();
  /** Strategies repeat the same order of names. */
  #next = 0;
  readonly #warn: (text: string) => void;

  constructor(warn: (text: string) => void) {
    this.#warn = warn;
  }

  /** Of one strategy. */
  pen(tag: string, clock: Pick<Clock, 'now'>): Plot {
    return (name, value, pane, symbol) => {
      const series = this.#nextOf(tag, name, symbol) ?? this.#seriesOf(tag, name, pane, symbol);
      if (series === null) {
        this.#warn(`${tag} plots more than ${NAMES_MAX} names: those after the first ${NAMES_MAX} are left out`);
        return;
      }
      const atMs = clock.now();
      const last = series.length - 1;
      if (last >= 0 && series.ts[last]! >= atMs) series.value[last] = value;
      else series.push(atMs, value);
    };
  }

  all(): Iterable<PlottedSeries> {
    return this.#series;
  }

  #nextOf(tag: string, name: string, symbol: string | undefined): BoundedSeries | null {
    const next = this.#series[this.#next];
    if (next === undefined || next.name !== name || next.symbol !== symbol || next.tag !== tag) return null;
    this.#next = this.#next + 1 === this.#series.length ? 0 : this.#next + 1;
    return next.series;
  }

  #seriesOf(tag: string, name: string, pane: string, symbol: string | undefined): BoundedSeries | null {
    let names = this.#names.get(tag);
    if (names === undefined) this.#names.set(tag, (names = new Map()));
    let symbols = names.get(name);
    if (symbols === undefined) {
      if (names.size >= NAMES_MAX) return null;
      names.set(name, (symbols = new Map()));
    }
    let plotted = symbols.get(symbol);
    if (plotted === undefined) {
      plotted = { name, pane, tag, symbol, series: new BoundedSeries(POINTS_MAX) };
      symbols.set(symbol, plotted);
      this.#series.push(plotted);
    }
    this.#next = (this.#series.indexOf(plotted) + 1) % this.#series.length;
    return plotted.series;
  }
}
