/**
 * One sequence: a fresh world and its models, taken through the steps. After each the whole visible state is compared,
 * after some the histories too. Throws `Mismatch` at the first difference.
 */
import { agree, Mismatch } from './mismatch.ts';
import { KeysModel } from './keys.ts';
import type { KeysStep } from './keys-step.ts';
import { MoneyModel, type MoneyStep } from './money.ts';
import { P2pModel } from './p2p.ts';
import type { P2pStep } from './p2p-step.ts';
import { Setting } from './setting.ts';
import { SpotModel, type SpotStep } from './spot.ts';
import { World } from './world.ts';

export type Step = SpotStep | MoneyStep | P2pStep | KeysStep | { readonly kind: 'wait'; readonly ms: number };

/** The exchange looks at its sockets once a second. */
const SOCKET_SWEEP_MS = 1100;
/** Histories are read whole after this many steps, and at the end. */
const FULL_EVERY = 15;

/** Changes the exchange behind the models' back: how the tests prove that the checker sees. */
export type Tamper = (world: World) => void;

export class Session {
  readonly #world = new World();
  readonly #setting: Setting;
  readonly #spot: SpotModel;
  readonly #money: MoneyModel;
  readonly #p2p: P2pModel;
  readonly #keys: KeysModel;
  #isSettled = false;

  constructor(reached: Map<string, number>, tamper: Tamper = () => {}) {
    this.#setting = new Setting(this.#world, reached);
    this.#setting.now = this.#world.now;
    this.#spot = new SpotModel(this.#setting);
    this.#money = new MoneyModel(this.#setting);
    this.#p2p = new P2pModel(this.#setting);
    this.#keys = new KeysModel(this.#setting);
    tamper(this.#world);
  }

  take(step: Step): void {
    // Every command has a millisecond of its own, so that "newest first" has one meaning.
    const ms = step.kind === 'wait' ? step.ms : 1;
    this.#keys.ping();
    this.#world.wait(ms);
    this.#isSettled = ms > SOCKET_SWEEP_MS;
    this.#setting.fire();
    switch (step.kind) {
      case 'wait':
        return;
      case 'place':
      case 'cancel':
      case 'cancel-many':
        return this.#spot.take(step);
      case 'advertise':
      case 'move-advertisement':
      case 'edit':
      case 'respond':
      case 'move-trade':
      case 'go-on':
        return this.#p2p.take(step);
      case 'create-key':
      case 'delete-key':
      case 'use-key':
      case 'open-socket':
      case 'block-key':
      case 'log-in':
      case 'use-token':
        return this.#keys.take(step);
      default:
        return this.#money.take(step);
    }
  }

  check(full: boolean): void {
    agree('exchange time', String(this.#world.sandbox.now()), String(this.#setting.now));
    this.#setting.check();
    this.#spot.check(full);
    this.#money.check(full);
    this.#p2p.check(full);
    this.#keys.check(this.#isSettled);
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
