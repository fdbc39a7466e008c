/** Laws of P2P under random operations of two users, the clock included, and the price-bound rules. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dec, ZERO } from '../../src/model/numbers/money.ts';
import {
  advertisementTransitions,
  p2pTradeTransitions,
  type AdvertisementStatus,
  type P2pTradeStatus,
} from '../../src/exchange/interface/states.ts';
import { Exchange } from '../../src/sandbox/core/exchange.ts';
import { priceBounds } from '../../src/model/funds/p2p-price-rule.ts';
import { assumedDefaults } from '../../src/sandbox/core/assumptions.ts';
import { p2pMarketsOf } from '../../src/sandbox/core/p2p/markets.ts';
import type { User } from '../../src/sandbox/core/identity/users.ts';

const START = 1_700_000_000_000;
const market = p2pMarketsOf(assumedDefaults.p2p)[0]!;
const who = fc.nat(1);
const pick = fc.nat(20);

const operation = fc.oneof(
  fc.record({
    kind: fc.constant('advertise' as const),
    who,
    side: fc.constantFrom('buy' as const, 'sell' as const),
    amount: fc.constantFrom('1', '50', '3000.5', '9000', '20000'),
    price: fc.constantFrom('85.5', '95.1234', '104.5', '105'),
  }),
  fc.record({
    kind: fc.constant('shift' as const),
    who,
    pick,
    trigger: fc.constantFrom('activate' as const, 'deactivate' as const, 'delete' as const),
  }),
  fc.record({ kind: fc.constant('edit' as const), who, pick, amount: fc.constantFrom('1', '70', '9000') }),
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('respond' as const),
      who,
      pick,
      part: fc.constantFrom('0', '0.5', '1', '1.5'),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('move' as const),
      who,
      pick,
      trigger: fc.constantFrom(
        'start' as const,
        'start' as const,
        'pay' as const,
        'pay' as const,
        'cancel' as const,
        'confirm' as const,
        'dispute' as const,
      ),
    }),
  },
  // The right side takes the next step, so that most trades come far.
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('go on' as const), who, pick, appeals: fc.boolean() }),
  },
  fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(1000, 300_000, 600_000, 1_800_000) }),
);
type Operation = typeof operation extends fc.Arbitrary<infer Value> ? Value : never;

const answer = { kind: 'respond', who: 1, pick: 0, part: '0.5' } as const;
const goOn = { kind: 'go on', who: 0, pick: 0, appeals: false } as const;
const appeal = { ...goOn, appeals: true } as const;
const cancel = { kind: 'move', who: 1, pick: 0, trigger: 'cancel' } as const;
const wait = { kind: 'wait', ms: 1_800_000 } as const;
const shift = { kind: 'shift', who: 0, pick: 0 } as const;

/** Every move of a trade, and an advertisement from its creation to its completion: tried before the random ones. */
const everyMove: Operation[] = [
  { kind: 'advertise', who: 0, side: 'sell', amount: '50', price: '95.1234' },
  { ...shift, trigger: 'deactivate' },
  { ...shift, trigger: 'activate' },
  answer,
  wait,
  answer,
  cancel,
  answer,
  goOn,
  cancel,
  answer,
  goOn,
  goOn,
  appeal,
  wait,
  answer,
  goOn,
  goOn,
  { ...appeal, who: 1 },
  wait,
  { ...answer, part: '1' },
  goOn,
  goOn,
  goOn,
];

class World {
  readonly exchange = new Exchange({ seed: 3, startMs: START, clientOrderIds: true });
  readonly users = this.exchange.users.map(({ login }) => this.exchange.identity.userByLogin(login)!);
  readonly p2p = this.exchange.money.p2p;
  now = START;
  /** Statuses as last announced, and every move seen. */
  readonly #seen = new Map<string, string | null>();
  readonly moves = new Set<string>();

  constructor() {
    this.p2p.announce = (change) => {
      const isTrade = change.kind === 'trade';
      const id = isTrade ? `t${change.trade.tradeId}` : `a${change.advertisement.advertisementId}`;
      const status = isTrade ? change.trade.status : change.advertisement.status;
      const before = this.#seen.get(id) ?? null;
      this.#seen.set(id, status);
      if (before === status) return;
      const rows: readonly { from: P2pTradeStatus | AdvertisementStatus | null; to: string }[] = isTrade
        ? p2pTradeTransitions
        : advertisementTransitions;
      expect(rows.some(({ from, to }) => from === before && to === status)).toBe(true);
      this.moves.add(`${change.kind}: ${before ?? ''} to ${status}`);
    };
  }

  run(step: Operation): void {
    const { p2p, now } = this;
    if (step.kind === 'wait') {
      this.now += step.ms;
      this.exchange.timers.fire(this.now);
      return;
    }
    const user = this.users[step.who]!;
    if (step.kind === 'advertise') {
      const { side } = step;
      const amount = dec(step.amount);
      const limits = { minLimit: dec(10), maxLimit: dec(10_000_000), paymentMethodIds: ['1'], comment: '' };
      p2p.advertisements.create(user, { market, side, amount, price: dec(step.price), ...limits }, now);
      return;
    }
    if (step.kind === 'go on') {
      this.#goOn(user, step.pick, step.appeals);
      return;
    }
    const advertisement = p2p.advertisements.all[step.pick % Math.max(1, p2p.advertisements.all.length)];
    if (advertisement === undefined) return;
    if (step.kind === 'shift') p2p.advertisements.move(user, advertisement, step.trigger, now);
    else if (step.kind === 'edit') p2p.advertisements.edit(user, advertisement, { amount: dec(step.amount) }, now);
    else if (step.kind === 'respond') {
      const amount = advertisement.available.times(step.part).toDecimalPlaces(4);
      p2p.trades.respond(user, { advertisement, amount, paymentMethodId: '1' }, now);
    } else {
      const trades = p2p.trades.ofUser(user);
      const trade = trades[step.pick % Math.max(1, Math.min(5, trades.length))];
      if (trade !== undefined) p2p.trades.move(user, trade, step.trigger, now);
    }
  }

  #goOn(user: User, pick: number, appeals: boolean): void {
    const { trades } = this.p2p;
    const open = trades.ofUser(user).filter(({ status }) => status !== 'complete' && status !== 'cancel');
    const trade = open[pick % Math.max(1, open.length)];
    if (trade === undefined) return;
    if (trade.status === 'open:wait-confirm') trades.move(trade.advertisement.maker, trade, 'start', this.now);
    else if (trade.status === 'open') trades.move(trade.buyer, trade, 'pay', this.now);
    else if (appeals) trades.move(user, trade, 'dispute', this.now);
    else if (trade.status === 'send-payment-document') trades.move(trade.seller, trade, 'confirm', this.now);
  }

  check(): void {
    const { accounts } = this.exchange;
    for (const [currency, total] of accounts.totals()) expect([currency, total.toFixed()]).toEqual([currency, '0']);
    for (const user of this.users) {
      for (const row of accounts.rows(user.userId)) {
        expect([row.available.startsWith('-'), row.locked.startsWith('-')]).toEqual([false, false]);
      }
      const open = this.p2p.trades.ofUser(user).filter(({ status }) => status !== 'complete' && status !== 'cancel');
      expect(open.length).toBeLessThanOrEqual(5);
      const held = open.filter(({ seller }) => seller === user).reduce((sum, { base }) => sum.plus(base), ZERO);
      expect(accounts.wallet(user.userId, 'p2p').pocket('USDT').unavailable.toFixed()).toBe(held.toFixed());
      for (const side of ['buy', 'sell']) {
        const active = this.p2p.advertisements.ownedBy(user).filter((ad) => ad.side === side && ad.status === 'active');
        expect(active.length).toBeLessThanOrEqual(3);
      }
    }
    for (const { available } of this.p2p.advertisements.all) expect(available.isNegative()).toBe(false);
  }
}

describe('P2P', () => {
  it('keeps balances non-negative, sums zero, escrow exact and moves along the tables under any operations', () => {
    const moves = new Set<string>();
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 100, size: 'max' }), (steps) => {
        const world = new World();
        for (const step of steps) {
          world.run(step);
          world.check();
        }
        for (const move of world.moves) moves.add(move);
      }),
      { numRuns: 100, examples: [[everyMove]] },
    );
    // The test itself reached the moves that it means to try.
    for (const { from, to } of p2pTradeTransitions) expect([...moves]).toContain(`trade: ${from ?? ''} to ${to}`);
    expect([...moves]).toEqual(
      expect.arrayContaining(['advertisement: active to completed', 'advertisement: deactivated to active']),
    );
  });
});

describe('the price-bound rules', () => {
  const spread = { bid: dec(90), ask: dec(100) };

  it('count from the fixed price or from the spread of the spot pair', () => {
    const anchor = priceBounds({ kind: 'anchor', price: '95', ask: 10, bid: 20 }, () => null);
    expect([anchor?.low.toFixed(), anchor?.high.toFixed()]).toEqual(['85.5', '114']);
    const rule = { kind: 'spread', symbol: 'USDTRUB', ask: 10, bid: 5 } as const;
    const bounds = priceBounds(rule, () => spread);
    expect([bounds?.low.toFixed(), bounds?.high.toFixed()]).toEqual(['81', '105']);
  });

  it('allow no price without a spread to measure from', () => {
    expect(priceBounds({ kind: 'spread', symbol: 'USDTRUB', ask: 10, bid: 5 }, () => null)).toBeNull();
  });
});
