/** Laws of the money areas under random operations of two users, the clock included. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dec, ZERO, type Decimal } from '../../src/model/numbers/money.ts';
import { nextState, transactionStatuses, withdrawalTransitions } from '../../src/exchange/interface/states.ts';
import { accountTypes } from '../../src/clearing/accounts.ts';
import { assumedDefaults } from '../../src/sandbox/core/assumptions.ts';
import type { Code } from '../../src/sandbox/core/money/codes.ts';
import { Exchange } from '../../src/sandbox/core/exchange.ts';
import type { FiatApplication } from '../../src/sandbox/core/money/fiat-applications.ts';
import { currencyNetworks as currencyNetworksOf } from '../../src/sandbox/core/money/networks.ts';
import { isRefusal } from '../../src/sandbox/core/refusal.ts';
import type { User } from '../../src/sandbox/core/identity/users.ts';
import type { Withdrawal } from '../../src/sandbox/core/money/withdrawals.ts';

const START = 1_700_000_000_000;
const { overdraft: overdraftTerms, crypto, fiat, withdrawals } = assumedDefaults;
const currencyNetworks = currencyNetworksOf(crypto);
const who = fc.nat(1);
const pick = fc.nat(1000);
/** Of what the users own, so that some do not suffice. */
const size = fc.integer({ min: 0, max: 13 });

const operation = fc.oneof(
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('transfer' as const),
      who,
      from: fc.constantFrom(...accountTypes),
      to: fc.constantFrom(...accountTypes),
      currency: fc.constantFrom('USDT', 'BTC', 'RUB'),
      size,
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('draw' as const), who, size }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('pay' as const), who, size }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('code' as const), who, size, forBob: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('redeem' as const), who, pick }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('address' as const), who, route: fc.nat(currencyNetworks.length - 1) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('withdraw' as const), who, pick, size, fails: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel' as const), who, pick }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('apply' as const),
      who,
      size,
      type: fc.constantFrom('deposit' as const, 'withdrawal' as const),
      trigger: fc.constantFrom('create' as const, 'submit' as const),
      method: fc.constantFrom('card', 'sandbox-reject', 'sandbox-fail'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('confirm' as const), who, pick }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), who, pick }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      ms: fc.constantFrom(1000, 60_000, 90_000, 600_000, 86_400_000),
    }),
  },
);
type Operation = typeof operation extends fc.Arbitrary<infer Value> ? Value : never;

class World {
  readonly exchange = new Exchange({ seed: 3, startMs: START, clientOrderIds: true });
  readonly users: readonly User[] = this.exchange.users.map(({ login }) => this.exchange.identity.userByLogin(login)!);
  readonly codes: Code[] = [];
  readonly withdrawals: Withdrawal[] = [];
  readonly applications: FiatApplication[] = [];
  /** Statuses of withdrawals as last seen. */
  readonly #seen = new Map<Withdrawal, Withdrawal['transaction']['status']>();
  #randoms = 0;
  now = START;

  run(step: Operation): void {
    const { money, timers } = this.exchange;
    if (step.kind === 'wait') {
      this.now += step.ms;
      timers.fire(this.now);
      return;
    }
    const user = this.users[step.who]!;
    switch (step.kind) {
      case 'transfer':
        money.transfers.transfer(user.userId, { ...step, amount: dec(step.size).times(2_000_000) }, this.now);
        money.transfers.transfer(user.userId, { ...step, amount: dec(step.size) }, this.now);
        return;
      case 'draw': {
        const route = { from: 'overdraft', to: 'unified-trading', currency: overdraftTerms.currency } as const;
        money.transfers.transfer(user.userId, { ...route, amount: dec(step.size).times('500.01') }, this.now);
        return;
      }
      case 'pay':
        money.overdrafts.pay(user.userId, dec(step.size).times(500), this.now);
        return;
      case 'code': {
        const wanted = { currency: 'USDT', amount: dec(step.size).times(9000), comment: undefined };
        const recipient = step.forBob ? this.users[1] : undefined;
        keep(this.codes, money.codes.create(user, { ...wanted, recipient }, this.#random(), this.now));
        return;
      }
      case 'redeem':
        money.codes.redeem(user, picked(this.codes, step.pick)?.secret ?? 'none', this.now);
        return;
      case 'address':
        money.addresses.issue(user.userId, currencyNetworks[step.route]!, this.#random());
        return;
      default:
        this.#wallet(step, user);
    }
  }

  #wallet(
    step: Extract<Operation, { kind: 'withdraw' | 'cancel' | 'apply' | 'confirm' | 'delete' }>,
    user: User,
  ): void {
    const { money } = this.exchange;
    switch (step.kind) {
      case 'withdraw': {
        const route = currencyNetworks[step.pick % currencyNetworks.length]!;
        const other = money.addresses.latest(this.users[step.pick % 2]!.userId, route);
        const place = isRefusal(other) ? { address: 'outside' } : { address: other.address, memo: other.memo };
        const destination = step.fails ? { address: 'outside-fail' } : place;
        const request = { route, ...destination, amount: route.minAmount.times(step.size * 900) };
        keep(this.withdrawals, money.withdrawals.submit(user.userId, request, this.now));
        return;
      }
      case 'cancel':
        money.withdrawals.cancel(
          user.userId,
          picked(this.withdrawals, step.pick)?.transaction.transactionId ?? 'x',
          this.now,
        );
        return;
      case 'apply': {
        const request = { ...step, currency: 'RUB', amount: dec(step.size).times(900_000), details: undefined };
        keep(this.applications, money.fiat.create(user.userId, request, step.trigger, this.now));
        return;
      }
      default: {
        const id = picked(this.applications, step.pick)?.transaction.transactionId ?? 'x';
        money.fiat[step.kind](user.userId, id, this.now);
      }
    }
  }

  check(): void {
    const { accounts, money } = this.exchange;
    for (const [currency, total] of accounts.totals()) expect(`${currency} ${total.toFixed()}`).toBe(`${currency} 0`);
    for (const { userId } of this.users) {
      for (const row of accounts.rows(userId)) {
        expect([row.currency, row.available.startsWith('-'), row.locked.startsWith('-')]).toEqual([
          row.currency,
          false,
          false,
        ]);
      }
      const { principal } = money.overdrafts.loan(userId);
      expect(principal.gte(0) && principal.lte(overdraftTerms.limit)).toBe(true);
    }
    const lent = sum(this.users.map(({ userId }) => money.overdrafts.loan(userId).principal));
    expect(accounts.ofExchange('lender', 'USDT').neg().toFixed()).toBe(lent.toFixed());
    const open = sum(this.codes.filter((code) => code.status === 'active').map((code) => code.amount));
    expect(accounts.ofExchange('codes', 'USDT').toFixed()).toBe(open.toFixed());
    this.#checkLocks();
    this.#checkMoves();
  }

  /** What is locked on `funding` is what open withdrawals and applications hold. */
  #checkLocks(): void {
    for (const { userId } of this.users) {
      const wallet = this.exchange.accounts.wallet(userId, 'funding');
      for (const currency of ['USDT', 'BTC', 'ETH', 'RUB']) {
        const held = [
          ...this.withdrawals
            .filter(({ transaction: { status } }) => status === 'submitted' || status === 'processing')
            .map(({ transaction, amount, route }) => ({ transaction, amount: amount.plus(route.fee) })),
          ...this.applications
            .filter(({ transaction: { status } }) => status === 'submitted' || status === 'processing')
            .filter(({ type }) => type === 'withdrawal'),
        ].filter(({ transaction }) => transaction.userId === userId && transaction.currency === currency);
        const expected = sum(held.map(({ amount }) => amount));
        expect(wallet.pocket(currency).unavailable.toFixed()).toBe(expected.toFixed());
      }
    }
  }

  /** A withdrawal moves along the rows of the table; in one look it may have moved twice. */
  #checkMoves(): void {
    const triggers = ['cancel', 'take', 'fail', 'complete'] as const;
    const reachable = (from: Withdrawal['transaction']['status']): string[] =>
      triggers.flatMap((trigger) => nextState(withdrawalTransitions, from, trigger) ?? []);
    for (const withdrawal of this.withdrawals) {
      const { status } = withdrawal.transaction;
      const before = this.#seen.get(withdrawal) ?? 'submitted';
      const near = reachable(before);
      const far = near.flatMap((each) => reachable(transactionStatuses.find((name) => name === each)!));
      expect([before, ...near, ...far]).toContain(status);
      this.#seen.set(withdrawal, status);
    }
  }

  #random(): string {
    return (this.#randoms++).toString(16).padStart(12, '0').padEnd(64, 'a');
  }
}

function keep<Item extends object>(list: Item[], made: Item | object): void {
  if (!isRefusal(made)) list.push(made as Item);
}

function picked<Item>(list: readonly Item[], index: number): Item | undefined {
  return list[index % Math.max(1, list.length)];
}

function sum(amounts: readonly Decimal[]): Decimal {
  return amounts.reduce((total, each) => total.plus(each), ZERO);
}

describe('the money areas', () => {
  it('keep balances non-negative, sums zero and locks exact under any operations', () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 80, size: 'max' }), (steps) => {
        const world = new World();
        for (const step of steps) {
          world.run(step);
          world.check();
        }
        // Whatever is under way ends by itself and leaves nothing locked.
        world.run({ kind: 'wait', ms: 86_400_000 });
        world.check();
        for (const { transaction } of world.withdrawals) {
          expect(['completed', 'failed', 'canceled']).toContain(transaction.status);
        }
        for (const { userId } of world.users) {
          for (const row of world.exchange.accounts.rows(userId)) expect(row.locked).toBe('0');
        }
      }),
      { numRuns: 200 },
    );
  });

  it('bound what is open per user', () => {
    const { exchange, users } = new World();
    const { userId } = users[0]!;
    const { money } = exchange;
    const route = currencyNetworks[0]!;
    const count = (make: () => object): number => {
      let made = 0;
      for (;;) {
        const result = make();
        if (isRefusal(result)) {
          expect(result.code).toBe('limit_reached');
          return made;
        }
        made++;
      }
    };
    const withdrawal = { route, address: 'outside', amount: route.minAmount };
    const application = {
      type: 'deposit',
      currency: 'RUB',
      amount: dec(100),
      method: 'x',
      details: undefined,
    } as const;
    let serial = 0;
    expect(count(() => money.withdrawals.submit(userId, withdrawal, START))).toBe(withdrawals.openMax);
    expect(count(() => money.fiat.create(userId, application, 'create', START))).toBe(fiat.openMax);
    expect(count(() => money.addresses.issue(userId, route, String(serial++).padStart(64, '0')))).toBe(
      crypto.addressesMax,
    );
    exchange.timers.fire(START + 1_000_000);
    expect(count(() => money.withdrawals.submit(userId, withdrawal, START))).toBe(withdrawals.openMax);
  });
});
