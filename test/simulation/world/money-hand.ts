/**
 * A human who moves money: by commands to the session that runs (those that it takes: `src/session/remote/remote-moves.ts`) and by
 * the command line. What did not happen, or is in doubt, is tried again now and then, with the same ref. Others give codes and take
 * them, and deposits arrive.
 */
import { dec, decimalText } from '../../../src/model/numbers/money.ts';
import type { VirtualClock } from '../../../src/simulation/clock/virtual-clock.ts';
import type { MoneyRecord } from '../../../src/spine/money/state.ts';
import { canonicalRequest, fingerprintOf, secretHashOf } from '../../../src/spine/money/content.ts';
import type { HandMove } from '../../../src/treasury/by-hand.ts';
import type { Random } from '../../../src/model/ports.ts';
import type { FaultPlan } from './fault-plan.ts';
import type { MoneyCommands } from './money-commands.ts';
import { COIN, FIAT, MoneySide } from './money-side.ts';
import type { Process } from './process.ts';
import type { VenueSide } from './venue-side.ts';

/** Of the seconds, at a share of 1. */
const RATE = 0.4;
const MOST = 300;
const LEAST = 11;
const AGAIN_SHARE = 0.25;
/** When nothing fails any more. */
const LOOK_S = 15;

const unmoved: ReadonlySet<MoneyRecord['fate']> = new Set(['unknown', 'refused', 'absent', 'not-sent', 'denied']);

/** One that was killed as it sent is in doubt only for the next command that looks. */
const inDoubt: ReadonlySet<MoneyRecord['fate']> = new Set(['unknown', 'sending']);

type Way = 'session' | 'command line';

export interface MoneyHandOptions {
  readonly clock: VirtualClock;
  readonly venue: VenueSide;
  readonly plan: FaultPlan;
  readonly random: Random;
  /** Of the seconds in which it does something. */
  readonly share: number;
  readonly commands: MoneyCommands;
  readonly process: () => Process | null;
}

export class MoneyHand {
  readonly #options: MoneyHandOptions;
  readonly #side: MoneySide;
  /** By content. */
  readonly #moves = new Map<string, HandMove>();
  /** Two journals cannot tell whose redemption the history shows: neither answer nor list names both. */
  readonly #redeems: Way;
  /** Withdrawals and applications that it took back once. */
  readonly #taken = new Set<string>();
  /** Each amount is another one: so the exchange's books name the command. */
  #serial = 0;
  #seconds = 0;

  constructor(options: MoneyHandOptions) {
    this.#options = options;
    this.#side = new MoneySide(options.venue);
    this.#redeems = options.random.next() < 0.5 ? 'session' : 'command line';
  }

  everySecond(): void {
    const { plan, share, commands, random } = this.#options;
    this.#seconds++;
    if (!plan.isOn) {
      if (this.#seconds % LOOK_S === 0 && commands.records.some(({ fate }) => inDoubt.has(fate))) commands.begin(null);
      return;
    }
    if (random.next() >= share * RATE) return;
    const chance = random.next();
    if (chance < 0.1) this.#side.deposit(this.#amount());
    else if (chance < 0.2) this.#side.take();
    else if (chance < 0.6) this.#bySession();
    else this.#byCommandLine();
  }

  #bySession(): void {
    const process = this.#options.process();
    const money = process?.hasStarted === true ? process.engine?.executor.state.money : undefined;
    if (process === null || money === undefined) return;
    const move = this.#again(money.records()) ?? this.#draw('session');
    if (move !== null) process.moves(move);
  }

  #byCommandLine(): void {
    const { commands } = this.#options;
    if (commands.isRunning) return;
    const move = this.#again(commands.records) ?? this.#draw('command line');
    if (move !== null) commands.begin(move);
  }

  #again(records: readonly MoneyRecord[]): HandMove | null {
    if (this.#options.random.next() >= AGAIN_SHARE) return null;
    const left = records.filter(({ strategy, fate }) => strategy === '' && unmoved.has(fate));
    return this.#moves.get(this.#pick(left)?.fingerprint ?? '') ?? null;
  }

  #draw(way: Way): HandMove | null {
    const { random } = this.#options;
    const chance = random.next();
    if (chance < 0.2) return way === this.#redeems ? this.#redeem() : null;
    if (chance < 0.4) return this.#takeBack();
    const amount = this.#amount();
    if (way === 'session') {
      if (chance < 0.7)
        return this.#made({ kind: 'transfer', from: 'overdraft', to: 'unified-trading', currency: COIN, amount });
      return this.#side.owed.gt(amount) ? this.#made({ kind: 'overdraftPay', amount }) : null;
    }
    if (chance < 0.5) return this.#offer();
    if (chance < 0.6) return this.#made({ kind: 'codeCreate', currency: COIN, amount });
    if (chance < 0.75) {
      const address = `TLa2f6VPqDgRE67v1736s7bJ8Ray5wYjU7${random.next() < 0.2 ? '-fail' : ''}`;
      return this.#made({ kind: 'withdraw', currency: COIN, network: 'TRC20', address, amount });
    }
    if (chance < 0.82) {
      const applicationId = this.#pick(this.#side.drafts);
      return applicationId === undefined ? null : this.#made({ kind: 'fiatConfirm', applicationId });
    }
    const type = random.next() < 0.5 ? 'deposit' : 'withdrawal';
    const kind = chance < 0.9 ? 'fiatCreate' : 'fiatSubmit';
    return this.#made({ kind, type, currency: FIAT, amount: String(100 + this.#serial), method: 'card' });
  }

  #redeem(): HandMove | null {
    const code = this.#side.give(this.#amount(), `code-${this.#serial}-${this.#options.random.next()}`);
    return code === null ? null : this.#made({ kind: 'codeRedeem' }, { code });
  }

  /** A new one, or a step of one: whether the exchange takes it or not. */
  #offer(): HandMove {
    const chance = this.#options.random.next();
    const price = decimalText(
      dec(++this.#serial)
        .div(100)
        .plus(90),
    );
    const one = this.#pick(this.#side.advertisements.filter(({ status }) => status !== 'canceled'));
    if (one === undefined || chance < 0.3) {
      const terms = { price, minLimit: '100', maxLimit: '5000', paymentMethodIds: ['1'], comment: '' };
      return this.#made({ kind: 'advertise', marketId: 'USDTRUB', side: 'buy', amount: this.#amount(), ...terms });
    }
    const { advertisementId } = one;
    if (chance < 0.45) return this.#made({ kind: 'editAdvertisement', advertisementId, price });
    if (chance < 0.6) return this.#made({ kind: 'activateAdvertisement', advertisementId });
    const kind = chance < 0.85 ? 'deactivateAdvertisement' : 'deleteAdvertisement';
    return this.#made({ kind, advertisementId });
  }

  #takeBack(): HandMove | null {
    const currency = this.#options.random.next() < 0.6 ? COIN : FIAT;
    const id = this.#pick(this.#side.open(currency).filter((each) => !this.#taken.has(each)));
    if (id === undefined) return null;
    this.#taken.add(id);
    return this.#made(
      currency === COIN ? { kind: 'cancelWithdrawal', transactionId: id } : { kind: 'fiatDelete', applicationId: id },
    );
  }

  #made(request: HandMove['request'], secrets: NonNullable<HandMove['secrets']> = {}): HandMove {
    const move = { request, secrets, ref: `hand-${this.#serial}` };
    this.#moves.set(fingerprintOf(canonicalRequest(request), secretHashOf(secrets)), move);
    return move;
  }

  /** No finer than the exchange takes, and so none that a strategy transfers. */
  #amount(): string {
    const whole = LEAST + Math.floor(this.#options.random.next() * (MOST - LEAST));
    return `${whole}.${String(++this.#serial).padStart(4, '0')}`;
  }

  #pick<T>(from: readonly T[]): T | undefined {
    return from[Math.floor(this.#options.random.next() * from.length)];
  }
}
