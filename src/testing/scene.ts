/** What a test can read at any moment of a scenario. Quantities and money are exact text; times Unix ms. */
import type { Action } from '../model/trading/action.ts';
import type { Fill } from '../model/trading/fill.ts';
import type { OrderUpdate } from '../model/trading/order.ts';
import type { ProgramUpdate } from '../model/trading/program.ts';
import { freeBalance, unrealisedOf, type FreeBalance, type OpenPosition } from '../strategy/context/account-values.ts';
import type { ScenarioWorld } from './world.ts';

export interface ScenarioDenial {
  readonly reason: string;
  readonly message: string;
}

export class Readings {
  readonly #world: ScenarioWorld;

  constructor(world: ScenarioWorld) {
    this.#world = world;
  }

  get now(): number {
    return this.#world.clock.now();
  }

  /** Since the last `expect` of actions. */
  get actions(): readonly Action[] {
    return [...this.#world.actions];
  }

  /** Open ones, oldest first. */
  get orders(): readonly OrderUpdate[] {
    return this.#world.account.openOrders();
  }

  /** The newest state of every order, ended ones included. */
  get allOrders(): readonly OrderUpdate[] {
    return [...this.#world.orders.values()];
  }

  get fills(): readonly Fill[] {
    return [...this.#world.fills];
  }

  get denials(): readonly ScenarioDenial[] {
    return this.#world.denials.map(({ denied }) => denied);
  }

  get programs(): readonly ProgramUpdate[] {
    return this.#world.account.programs();
  }

  /** The strategy's own, valued at this moment; default: of the first instrument. */
  position(symbol: string = this.#world.instrument.symbol): OpenPosition {
    const position = this.#world.account.position(symbol);
    return { ...position, unrealised: unrealisedOf(position, this.#world.process.market) };
  }

  balance(currency: string): FreeBalance {
    return freeBalance(this.#world.account.balance(currency));
  }

  /** Of the account, in the quote currency of the first instrument; undefined without a price. */
  get equity(): number | undefined {
    return this.#world.process.engine.executor.equity();
  }

  /** SHA-256 of the journal: the same scenario has the same hash. */
  get journalHash(): string {
    return this.#world.journalHash();
  }
}
