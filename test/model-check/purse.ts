/**
 * The money of the model: per user, account and currency an available and a locked amount. Nothing may fall below zero;
 * a step that would do so is an error of the model itself.
 */
import { amount, amountText, type Amount } from './amount.ts';
import { agree, agreeLines, Mismatch, lineOf } from './mismatch.ts';
import type { Person, World } from './world.ts';

const OVERVIEW = '/api/v1/accounting/client/report-account/accounts/overview';

const MARGIN_ACCOUNT = 'unified-trading';
const MARGIN_CURRENCY = 'USDT';

export interface Pocket {
  available: Amount;
  locked: Amount;
  /** Perpetuals draw on it: how much of it is locked is read from the exchange and held to a law of its own. */
  isMargin: boolean;
}

interface BalanceRow {
  readonly account: string;
  readonly currency: string;
  readonly available: string;
  readonly locked: string;
  readonly total: string;
}

export class Purse {
  readonly #pockets = new Map<string, Map<string, Pocket>>();
  /** Counts changes. */
  #version = 0;

  constructor(world: World) {
    for (const person of world.people) {
      const rows = world.read(person, OVERVIEW);
      for (const { account, currency, available } of rows as readonly BalanceRow[]) {
        this.pocket(person, account, currency).available = amount(available);
      }
    }
  }

  pocket(person: Person, account: string, currency: string): Pocket {
    let own = this.#pockets.get(person.login);
    if (own === undefined) this.#pockets.set(person.login, (own = new Map()));
    const name = `${account}/${currency}`;
    let pocket = own.get(name);
    if (pocket === undefined) own.set(name, (pocket = { available: 0n, locked: 0n, isMargin: false }));
    return pocket;
  }

  available(person: Person, account: string, currency: string): Amount {
    return this.pocket(person, account, currency).available;
  }

  /** `change` and `lock` may be below zero. */
  move(person: Person, account: string, currency: string, change: Amount, lock: Amount = 0n): void {
    const pocket = this.pocket(person, account, currency);
    this.#version++;
    pocket.available += change;
    pocket.locked += lock;
    if ((pocket.available >= 0n && pocket.locked >= 0n) || pocket.isMargin) return;
    throw new RangeError(`the model overdraws ${person.login}'s ${account} ${currency}`);
  }

  /** A profit, a fee, funding. */
  margin(person: Person, change: Amount): void {
    this.pocket(person, MARGIN_ACCOUNT, MARGIN_CURRENCY).isMargin = true;
    this.move(person, MARGIN_ACCOUNT, MARGIN_CURRENCY, change);
  }

  /**
   * Takes over how much is locked; the sum has to be the model's. It may be greater where the exchange's insurance paid a
   * loss: then nothing may be left available.
   */
  adopt(person: Person, world: World): Pocket {
    const pocket = this.pocket(person, MARGIN_ACCOUNT, MARGIN_CURRENCY);
    pocket.isMargin = true;
    const rows = world.read(person, OVERVIEW) as readonly BalanceRow[];
    const row = rows.find((each) => each.account === MARGIN_ACCOUNT && each.currency === MARGIN_CURRENCY);
    const total = amount(row?.total ?? '0');
    const available = amount(row?.available ?? '0');
    const own = pocket.available + pocket.locked;
    if (total < own || (total > own && available > 0n)) {
      agree(`total USDT of ${person.login}`, amountText(total), amountText(own));
    }
    this.#version++;
    pocket.available = available;
    pocket.locked = amount(row?.locked ?? '0');
    return pocket;
  }

  /** REST equals the model; total = available + locked; events equal REST. */
  check(world: World): void {
    for (const person of world.people) {
      const rows = world.readChanged(person, OVERVIEW, `${this.#version} ${person.feed.frames}`);
      if (rows === undefined) continue;
      const told = new Map<string, string>();
      const actual = new Map<string, string>();
      for (const row of rows as readonly BalanceRow[]) {
        const { account, currency, available, locked, total } = row;
        if (amount(available) < 0n || amount(locked) < 0n || amount(available) + amount(locked) !== amount(total)) {
          throw new Mismatch(`${person.login}'s balance is wrong in itself: ${lineOf(row)}`);
        }
        told.set(`${account}/${currency}`, lineOf(row));
        if (total !== '0') actual.set(`${account}/${currency}`, `${available} + ${locked}`);
      }
      const expected = new Map<string, string>();
      for (const [name, { available, locked }] of this.#pockets.get(person.login) ?? []) {
        if (available + locked !== 0n) expected.set(name, `${amountText(available)} + ${amountText(locked)}`);
      }
      agreeLines(`balance of ${person.login}`, actual, expected);
      this.#checkFeed(person, told);
    }
  }

  /** A row that was never told is one that never changed since the snapshot had no such currency. */
  #checkFeed({ login, feed }: Person, told: ReadonlyMap<string, string>): void {
    const zeros = [...feed.balances].filter(([name, line]) => told.has(name) || !line.includes('total:"0"'));
    agreeLines(`events (first) and REST (second) of ${login}'s balances`, new Map(zeros), told);
    const margin = 'unified-trading/USDT';
    const line = feed.margin.get(margin);
    if (line !== told.get(margin)) {
      throw new Mismatch(
        `HLORD@my-balances of ${login} says ${line ?? 'nothing'}, REST ${told.get(margin) ?? 'nothing'}`,
      );
    }
  }
}
