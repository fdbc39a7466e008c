/** Balances that trading moves. Settlement currencies are separate, because not all their changes are itemised. */
import type { Instrument } from '../model/instrument.ts';
import { positionName } from '../spine/positions.ts';
import type { ReconcilerPort } from './port.ts';

export const POSITION_SIDES = ['both', 'long', 'short'] as const;

export class ComparedCurrencies {
  readonly #port: ReconcilerPort;
  readonly #watched: ReadonlySet<string>;
  readonly #movedAt: (name: string) => number;

  /** `movedAt`: Unix ms of the newest external trade. */
  constructor(port: ReconcilerPort, watched: ReadonlySet<string>, movedAt: (name: string) => number) {
    this.#port = port;
    this.#watched = watched;
    this.#movedAt = movedAt;
  }

  ofSpot(): ReadonlySet<string> {
    const traded = new Set(this.#port.state.orders.symbols());
    const settled = this.settled();
    const spot = this.#all('spot').filter(({ symbol }) => traded.has(symbol) || this.#watched.has(symbol));
    return new Set(spot.flatMap(({ base, quote }) => [base, quote]).filter((currency) => !settled.has(currency)));
  }

  /** Of perpetuals that anybody holds or traded. */
  settled(): ReadonlySet<string> {
    const traded = new Set(this.#port.state.orders.symbols());
    const isUsed = (name: string): boolean =>
      this.#movedAt(name) > 0 || !this.#port.state.explainedPosition(name).isZero();
    const perpetuals = this.#all('derivative').filter(
      ({ symbol }) => traded.has(symbol) || POSITION_SIDES.some((side) => isUsed(positionName(symbol, side))),
    );
    return new Set(perpetuals.map(({ settle }) => settle));
  }

  /** Of watched perpetuals that nobody traded. */
  settledLater(): readonly string[] {
    const others = new Set([...this.ofSpot(), ...this.settled()]);
    return this.#all('derivative')
      .filter(({ symbol, settle }) => this.#watched.has(symbol) && !others.has(settle))
      .map(({ settle }) => settle);
  }

  #all(market: Instrument['market']): readonly Instrument[] {
    return this.#port.deps.instruments.all().filter((instrument) => instrument.market === market);
  }
}
