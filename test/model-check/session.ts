/**
 * One sequence: a fresh world and its models, taken through the steps. After each the whole visible state is compared,
 * after some the histories too. Throws `Mismatch` at the first difference.
 */
import { agree, Mismatch } from './mismatch.ts';
import { FuturesModel } from './futures.ts';
import type { FuturesStep } from './futures-step.ts';
import { KeysModel } from './keys.ts';
import type { KeysStep } from './keys-step.ts';
import { MoneyModel } from './money.ts';
import type { MoneyStep } from './money-step.ts';
import { P2pModel } from './p2p.ts';
import type { P2pStep } from './p2p-step.ts';
import { Setting } from './setting.ts';
import { SpotModel } from './spot.ts';
import type { SpotStep } from './spot-step.ts';
import { World } from './world.ts';

export type Step =
  | SpotStep
  | MoneyStep
  | P2pStep
  | KeysStep
  | FuturesStep
  | { readonly kind: 'resubscribe'; readonly who: number; readonly channel: string }
  | { readonly kind: 'wait'; readonly ms: number };

/** The exchange looks at its sockets once a second. */
const SOCKET_SWEEP_MS = 1100;
/** Areas that a step does not touch are read after this many. */
const WIDE_EVERY = 5;
/** Histories are read whole after this many steps, and at the end. */
const FULL_EVERY = 15;

/** Changes the exchange behind the models' back: how the tests prove that the checker sees. */
export type Tamper = (world: World) => void;

type Touched = 'spot' | 'futures' | 'money' | 'p2p' | 'keys' | 'all';

export class Session {
  readonly #world = new World();
  readonly #setting: Setting;
  readonly #spot: SpotModel;
  readonly #money: MoneyModel;
  readonly #p2p: P2pModel;
  readonly #keys: KeysModel;
  readonly #futures: FuturesModel;
  #isSettled = false;
  #touched: Touched = 'all';

  constructor(reached: Map<string, number>, tamper: Tamper = () => {}) {
    this.#setting = new Setting(this.#world, reached);
    this.#setting.now = this.#world.now;
    this.#spot = new SpotModel(this.#setting);
    this.#money = new MoneyModel(this.#setting, (person) => this.#futures.accounts.openLosses(person));
    this.#p2p = new P2pModel(this.#setting);
    this.#keys = new KeysModel(this.#setting);
    this.#futures = new FuturesModel(this.#setting, this.#spot);
    this.#spot.afterCommand = () => this.#followFutures();
    tamper(this.#world);
  }

  take(step: Step): void {
    // Every command has a millisecond of its own, so that "newest first" has one meaning.
    const ms = step.kind === 'wait' ? step.ms : 1;
    this.#keys.ping();
    this.#world.wait(ms);
    this.#isSettled = ms > SOCKET_SWEEP_MS;
    const hasFired = this.#setting.fire();
    this.#touched = step.kind === 'wait' || hasFired ? 'all' : areaOf(step);
    this.#spot.begin();
    this.#followFutures();
    this.#command(step);
    this.#followFutures();
  }

  /** Marks move with every command, so positions may have been liquidated after any. */
  #followFutures(): void {
    this.#futures.follow();
    this.#futures.accounts.sync(this.#spot);
  }

  #command(step: Step): void {
    if (step.kind === 'wait') return;
    if (step.kind === 'resubscribe') this.#setting.person(step.who).feed.resubscribe(step.channel);
    else if (isFutures(step)) this.#futures.take(step);
    else if (isSpot(step)) this.#spot.take(step);
    else if (isP2p(step)) this.#p2p.take(step);
    else if (isKeys(step)) this.#keys.take(step);
    else this.#money.take(step);
  }

  /**
   * Money, sums, transactions and events after every step; of the rest what the step was about, `wide`: everything;
   * `full`: histories, too.
   */
  check(wide: boolean, full: boolean): void {
    const isDue = (area: Touched): boolean => wide || full || this.#touched === 'all' || this.#touched === area;
    agree('exchange time', String(this.#world.sandbox.now()), String(this.#setting.now));
    this.#setting.check();
    if (isDue('spot')) this.#spot.check(full);
    if (isDue('futures')) this.#futures.check(full);
    if (isDue('money')) this.#money.check(full);
    if (isDue('p2p')) this.#p2p.check(full);
    if (isDue('keys')) this.#keys.check(this.#isSettled);
    this.#setting.checkTransactions(full);
  }

  close(): void {
    this.#world.close();
  }
}

const spotKinds = new Set<string>(['place', 'cancel', 'cancel-many']);
const futuresKinds = new Set<string>(['f-place', 'f-cancel', 'f-close', 'leverage', 'margin-type', 'mode', 'quote']);
const p2pKinds = new Set<string>(['advertise', 'move-advertisement', 'edit', 'respond', 'move-trade', 'go-on']);
const keysKinds = new Set<string>([
  'create-key',
  'delete-key',
  'use-key',
  'open-socket',
  'block-key',
  'log-in',
  'use-token',
]);

function isSpot(step: Step): step is SpotStep {
  return spotKinds.has(step.kind);
}

function isP2p(step: Step): step is P2pStep {
  return p2pKinds.has(step.kind);
}

function isKeys(step: Step): step is KeysStep {
  return keysKinds.has(step.kind);
}

function isFutures(step: Step): step is FuturesStep {
  return futuresKinds.has(step.kind);
}

function areaOf(step: Step): Touched {
  // A quote is both.
  if (step.kind === 'quote' || step.kind === 'resubscribe') return 'all';
  if (isFutures(step)) return 'futures';
  if (isSpot(step)) return 'spot';
  if (isP2p(step)) return 'p2p';
  return isKeys(step) ? 'keys' : 'money';
}

/** Plays steps in a new world; throws a `Mismatch` that names the step. */
export function play(steps: readonly Step[], reached: Map<string, number>, tamper?: Tamper): void {
  const session = new Session(reached, tamper);
  try {
    for (const [index, step] of steps.entries()) {
      try {
        session.take(step);
        const wide = index % WIDE_EVERY === WIDE_EVERY - 1;
        session.check(wide, index % FULL_EVERY === FULL_EVERY - 1 || index === steps.length - 1);
      } catch (thrown) {
        const text = thrown instanceof Mismatch ? thrown.message : String((thrown as Error).stack);
        throw new Mismatch(`step ${index + 1} ${JSON.stringify(step)}\n${text}`);
      }
    }
  } finally {
    session.close();
  }
}
