/**
 * Which balances are compared with what the journal explains: those that trading moves. Where perpetuals settle, profit, funding
 * and margin that the exchange does not name move the balance too. Used by the check of the account.
 */
import type { Instrument } from '../../model/instrument.ts';
import { positionName } from '../positions.ts';
import type { ReconcilerPort } from './port.ts';

export const POSITION_SIDES = ['both', 'long', 'short'] as const;

export class ComparedCurrencies {
  readonly #port: ReconcilerPort;
  readonly #watched: ReadonlySet<string>;
  readonly #movedAt: (name: string) => number;

  /** `watched`: symbols that are going to be traded. `movedAt`: when others last traded what moves a position, Unix ms. */
  constructor(port: ReconcilerPort, watched: ReadonlySet<string>, movedAt: (name: string) => number) {
    this.#port = port;
    this.#watched = watched;
    this.#movedAt = movedAt;
  }

  /** Currencies that only spot trading moves. */
  ofSpot(): ReadonlySet<string> {
    const traded = this.#port.tradedSymbols();
    const settled = this.settled();
    const spot = this.#all('spot').filter(({ symbol }) => traded.has(symbol) || this.#watched.has(symbol));
    return new Set(spot.flatMap(({ base, quote }) => [base, quote]).filter((currency) => !settled.has(currency)));
  }

  /** Where a perpetual settles that is held, or that anybody has traded: somebody else's profit, fees and funding are not named. */
  settled(): ReadonlySet<string> {
    const traded = this.#port.tradedSymbols();
    const isUsed = (name: string): boolean => this.#movedAt(name) > 0 || !this.#port.explainedPosition(name).isZero();
    const perpetuals = this.#all('derivative').filter(
      ({ symbol }) => traded.has(symbol) || POSITION_SIDES.some((side) => isUsed(positionName(symbol, side))),
    );
    return new Set(perpetuals.map(({ settle }) => settle));
  }

  /** Where perpetuals settle that nobody has traded yet, and that no spot trading moves. */
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
