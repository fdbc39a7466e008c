/**
 * Blocks new risk after a symbol's first fills, or a contradicted side, until a snapshot shows that balance or position
 * moved as booked.
 */
import type { Balance, VenuePosition } from '../model/account.ts';
import type { Market } from '../model/instrument.ts';
import { dec, ZERO, type Decimal } from '../model/money.ts';
import { positionName } from '../spine/positions.ts';
import { quantitiesOf, totalsOf } from './account-rows.ts';
import { POSITION_SIDES } from './compared-currencies.ts';
import type { ReconcileGate } from './gate.ts';
import type { ReconcilerPort } from './port.ts';

export class MovedAsBooked {
  readonly #port: ReconcilerPort;
  readonly #gate: ReconcileGate;
  readonly #tolerance: Decimal;
  /** Name → unexplained part while nothing was to be proved. */
  readonly #before = new Map<string, Decimal>();
  /** Markets with a snapshot in this process: what it lacked was zero. */
  readonly #read = new Set<Market>();

  constructor(port: ReconcilerPort, gate: ReconcileGate) {
    this.#port = port;
    this.#gate = gate;
    this.#tolerance = dec(port.deps.options.reconcile.balanceTolerance);
  }

  /** The snapshot must be newer than the newest fill. */
  balances(rows: readonly Balance[]): void {
    this.#look('spot', totalsOf(rows), (currency) => this.#port.state.explainedBalance(currency));
  }

  positions(rows: readonly VenuePosition[]): void {
    this.#look('derivative', quantitiesOf(rows), (name) => this.#port.state.explainedPosition(name));
  }

  #look(market: Market, told: ReadonlyMap<string, Decimal>, explained: (name: string) => Decimal): void {
    const beyond = (name: string): Decimal => (told.get(name) ?? ZERO).minus(explained(name));
    const sought = new Set<string>();
    for (const symbol of this.#gate.unproved) {
      const names = this.#namesOf(symbol, market);
      if (names.length > 0 && names.every((name) => this.#isProved(market, name, beyond(name))))
        this.#gate.unproved.delete(symbol);
      else for (const name of names) sought.add(name);
    }
    this.#read.add(market);
    for (const name of told.keys()) if (!sought.has(name)) this.#before.set(name, beyond(name));
  }

  /** A fill before the first snapshot leaves the earlier amount unknown. */
  #isProved(market: Market, name: string, now: Decimal): boolean {
    const subject = market === 'spot' ? 'balance' : 'position';
    if (!this.#read.has(market) && this.#port.state.openedAt(subject, name) === undefined) return true;
    const before = this.#before.get(name) ?? ZERO;
    return [ZERO, before].some((one) => now.minus(one).abs().lte(this.#tolerance));
  }

  #namesOf(symbol: string, market: Market): readonly string[] {
    const instrument = this.#port.deps.instruments.find(symbol);
    if (instrument?.market !== market) return [];
    return market === 'spot' ? [instrument.base] : POSITION_SIDES.map((side) => positionName(symbol, side));
  }
}
