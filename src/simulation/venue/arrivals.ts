/**
 * When commands reach the simulated venue. In virtual time the command lane runs after venue events of the same
 * instant. On live data `watermark.ts` decides, since such events may arrive later.
 */
import type { Cancel, Clock } from '../../model/ports.ts';
import type { Lane } from '../clock/virtual-clock.ts';

/** The virtual clock, or one paced with real time. */
export interface LaneClock extends Clock {
  schedule(us: number, lane: Lane, run: () => void): Cancel;
}

export interface Arrivals {
  /** Runs `command` at exchange time `us`, in submission order. */
  submit(us: number, symbols: () => ReadonlySet<string>, command: () => void): void;
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
