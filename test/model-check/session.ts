/**
 * One sequence: a fresh world and its models, taken through the steps. After each the whole visible state is compared,
 * after some the histories too. Throws `Mismatch` at the first difference.
 */
import { agree, Mismatch } from './mismatch.ts';
import { MoneyModel, type MoneyStep } from './money.ts';
import { Setting } from './setting.ts';
import { SpotModel, type SpotStep } from './spot.ts';
import { World } from './world.ts';

export type Step = SpotStep | MoneyStep | { readonly kind: 'wait'; readonly ms: number };

/** Histories are read whole after this many steps, and at the end. */
const FULL_EVERY = 15;

/** Changes the exchange behind the models' back: how the tests prove that the checker sees. */
export type Tamper = (world: World) => void;

export class Session {
  readonly #world = new World();
  readonly #setting: Setting;
  readonly #spot: SpotModel;
  readonly #money: MoneyModel;

  constructor(reached: Map<string, number>, tamper: Tamper = () => {}) {
    this.#setting = new Setting(this.#world, reached);
    this.#setting.now = this.#world.now;
    this.#spot = new SpotModel(this.#setting);
    this.#money = new MoneyModel(this.#setting);
    tamper(this.#world);
  }

  take(step: Step): void {
    const { kind } = step;
    // Every command has a millisecond of its own, so that "newest first" has one meaning.
    this.#world.wait(kind === 'wait' ? step.ms : 1);
    this.#setting.fire();
    if (kind === 'wait') return;
    if (kind === 'place' || kind === 'cancel' || kind === 'cancel-many') this.#spot.take(step);
    else this.#money.take(step);
  }

  check(full: boolean): void {
    agree('exchange time', String(this.#world.sandbox.now()), String(this.#setting.now));
    this.#setting.check();
    this.#spot.check(full);
    this.#money.check(full);
    this.#setting.checkTransactions(full);
  }

  close(): void {
    this.#world.close();
  }
}

/** Plays steps in a new world; throws a `Mismatch` that names the step. */
export function play(steps: readonly Step[], reached: Map<string, number>, tamper?: Tamper): void {
  const session = new Session(reached, tamper);
  try {
    for (const [index, step] of steps.entries()) {
      try {
        session.take(step);
        session.check(index % FULL_EVERY === FULL_EVERY - 1 || index === steps.length - 1);
      } catch (thrown) {
        const text = thrown instanceof Mismatch ? thrown.message : String((thrown as Error).stack);
        throw new Mismatch(`step ${index + 1} ${JSON.stringify(step)}\n${text}`);
      }
    }
  } finally {
    session.close();
  }
}
