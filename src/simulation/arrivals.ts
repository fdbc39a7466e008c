/**
 * When commands reach the simulated venue. In virtual time the clock's command lane decides, after the venue events of
 * the same instant (rule T4). On live data `watermark.ts` decides, which knows that news of an instant comes later.
 */
import type { Cancel, Clock } from '../model/ports.ts';
import type { Lane } from './virtual-clock.ts';

/** A clock with lanes: the virtual clock, or one that paces it with real time. */
export interface LaneClock extends Clock {
  schedule(us: number, lane: Lane, run: () => void): Cancel;
}

export interface Arrivals {
  /** Runs `command` once it has arrived at exchange time `us`. Commands run in the order in which they were submitted. */
  submit(us: number, symbols: () => ReadonlySet<string>, command: () => void): void;
  /** A market event of a symbol is about to be matched. */
  beforeMarket(symbol: string, exchangeUs: number): void;
}

export function directArrivals(clock: LaneClock): Arrivals {
  return {
    submit: (us, _symbols, command) => {
      clock.schedule(us, 'command', command);
    },
    beforeMarket: () => {},
  };
}
