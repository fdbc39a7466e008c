/**
 * Bars of several symbols that open or close at one moment. They come one after another, and a state between them never
 * was: a hedged account would seem to fall. So they are looked at together, once the last of them has come.
 */
import { shorten } from '../../model/shorten.ts';
import type { Happening } from '../matching/working-order.ts';
import type { SymbolVenue } from './symbol-venue.ts';

export interface InstantPorts {
  /** Positions of several symbols share their collateral. */
  readonly isShared: () => boolean;
  /** At the present marks; exchange time, µs. */
  readonly liquidate: (us: number) => void;
  readonly look: (symbol: SymbolVenue, us: number) => void;
  /** What is observed meanwhile is transient. */
  readonly together: (isOn: boolean) => void;
}

/** A bar that closed. */
interface Closed {
  readonly symbol: SymbolVenue;
  readonly open: number;
  readonly low: number;
  readonly high: number;
}

export class BarInstant {
  readonly #ports: InstantPorts;
  /** Exchange time; NaN: none. */
  us = Number.NaN;
  #isOpening = false;
  readonly #symbols = new Set<SymbolVenue>();
  readonly #closed: Closed[] = [];

  constructor(ports: InstantPorts) {
    this.#ports = ports;
  }

  /** False: the event is looked at by itself. `isSeveral`: so many symbols are known. */
  takes(symbol: SymbolVenue, event: Happening, isSeveral: boolean): boolean {
    if (!this.#holds(event)) this.end();
    if (Number.isNaN(this.us)) {
      if (!isSeveral || !(event.kind === 'bar-open' || isClose(event))) return false;
      this.us = event.exchangeUs;
      this.#isOpening = event.kind === 'bar-open';
      this.#ports.together(true);
    }
    this.#symbols.add(symbol);
    if (isClose(event)) this.#closed.push({ symbol, open: event.open, low: event.low, high: event.high });
    return true;
  }

  end(): void {
    const { us } = this;
    if (Number.isNaN(us)) return;
    this.us = Number.NaN;
    const { isShared, look, together } = this.#ports;
    if (this.#closed.length > 0 && isShared()) this.#lookInside(us);
    for (const symbol of this.#symbols) look(symbol, us);
    this.#symbols.clear();
    shorten(this.#closed);
    together(false);
  }

  /** Closes come before the opens of the same moment. */
  #holds(event: Happening): boolean {
    if (event.exchangeUs !== this.us) return false;
    return event.kind === 'bar-open' ? this.#isOpening : !(this.#isOpening && isClose(event));
  }

  /** All at their lows, and all at their highs: no bar shows which went first. */
  #lookInside(us: number): void {
    const closes = this.#closed.map(({ symbol }) => symbol.engine.midHalfTicks);
    for (const extreme of ['low', 'high'] as const) {
      for (const { symbol, open, [extreme]: price } of this.#closed) symbol.suppose(open, price);
      this.#ports.liquidate(us);
    }
    for (const [index, { symbol }] of this.#closed.entries()) symbol.settle(closes[index]!);
  }
}

function isClose(event: Happening): event is Extract<Happening, { readonly kind: 'candle' }> {
  return event.kind === 'candle' && event.closed;
}
