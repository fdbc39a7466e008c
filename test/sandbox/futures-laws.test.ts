/**
 * The laws of futures under random operations of two users, with marks that jump: every asset sums to zero, no part of a
 * balance is negative, locks are exactly those of spot orders and margins, profit and loss are accounted to the last digit,
 * what events say is what REST says.
 */
import type { Side } from '../../src/model/trading/order.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Decimal, ZERO, dec, decimalText, greater } from '../../src/model/numbers/money.ts';
import { PositionRow } from '../../src/clearing/perpetual/position-row.ts';
import { initialMargin, openingValue } from '../../src/clearing/margin/initial-margin.ts';
import { orderReport, type Trader } from '../../src/sandbox/core/orders/order-record.ts';
import { isRefusal } from '../../src/sandbox/core/refusal.ts';
import { PERP, Pit, allItems } from './futures-pit.ts';

const HOUR = 3_600_000;
const both = new Set(['spot', 'derivative'] as const);
const who = fc.integer({ min: 0, max: 1 });
const side = fc.constantFrom('buy', 'sell');
const price = fc.integer({ min: 196, max: 204 }).map((value) => String(value * 100));
const seldom = fc.nat(4).map((value) => value === 0);
const quantity = fc.integer({ min: 1, max: 40 }).map((value) => decimalText(dec(value).div(10)));

/** Too little for a liquidation within twenty trades. */
const size = fc.integer({ min: 1, max: 40 }).map((value) => decimalText(dec(value).div(100)));

const step = fc.oneof(
  {
    weight: 16,
    arbitrary: fc.record({
      kind: fc.constant('limit' as const),
      who,
      side,
      price,
      quantity,
      ioc: fc.boolean(),
      reduceOnly: seldom,
      long: fc.boolean(),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constant('market' as const), who, side, quantity, long: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('close' as const), who, long: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('cancel' as const), who, pick: fc.nat(20) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('leverage' as const), who, leverage: fc.integer({ min: 1, max: 100 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('isolated' as const), who, isolated: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('hedge' as const), who, hedge: fc.boolean() }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('mark' as const), price: fc.integer({ min: 140, max: 260 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('spot' as const),
      who,
      price: fc.integer({ min: 50, max: 130 }),
      quantity,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('withdraw' as const), who, share: fc.integer({ min: 1, max: 3 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('funding' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** What a listener of the private channels believes. */
class Listener {
  readonly orders = new Map<string, object>();
  readonly positions = new Map<string, object>();
  readonly balances = new Map<string, object>();

  hear(pit: Pit): void {
    const { outbox } = pit.exchange;
    for (const record of outbox.orders) this.orders.set(record.orderId, orderReport(record));
    for (const [slot, userId] of outbox.positions) {
      this.positions.set(`${userId} ${slot.symbol} ${slot.side}`, lasting(new PositionRow(slot)));
    }
    for (const pocket of outbox.balances) {
      this.balances.set(`${pocket.owner.userId} ${pocket.owner.account} ${pocket.currency}`, pocket.row());
    }
    outbox.clear();
  }
}

/** The part of a position that changes by events alone, not with mark and balance. */
function lasting({
  quantity,
  entryPrice,
  leverage,
  marginType,
  margin,
  realizedPnl,
}: ReturnType<Pit['positions']>[number]) {
  return { quantity, entryPrice, leverage, marginType, margin, realizedPnl };
}

class Run {
  readonly pit = new Pit();
  readonly users: readonly Trader[] = [this.pit.alice, this.pit.bob];
  readonly listener = new Listener();
  /** What the insurance gained or lost by taking positions over below or above the mark. */
  taken: Decimal = ZERO;
  #deposits: Decimal[] = [dec(10_000), dec(10_000)];
  #seen = [0, 0];

  constructor() {
    this.pit.mark(20_000);
    for (const user of this.users) this.pit.exchange.futures.settings.setLeverage(user, PERP, 20);
  }

  apply(given: Step): void {
    if (given.kind === 'mark') this.pit.mark(given.price * 100);
    else if (given.kind === 'funding') this.pit.at(this.pit.now + 8 * HOUR);
    else this.#act(this.users[given.who]!, given);
    this.pit.exchange.futures.check(this.pit.now);
    this.#countLiquidations();
    this.listener.hear(this.pit);
  }

  #act(user: Trader, given: Exclude<Step, { kind: 'mark' } | { kind: 'funding' }>): void {
    const { exchange, now } = this.pit;
    const { settings, trading } = exchange.futures;
    const mode = exchange.futures.accountOf(user).mode;
    const sideOf = (long: boolean) => (mode === 'hedge' ? (long ? 'long' : 'short') : 'both');
    if (given.kind === 'limit') {
      const { ioc, long, reduceOnly, ...rest } = given;
      const order = { timeInForce: ioc ? 'ioc' : 'gtc', positionSide: sideOf(long), reduceOnly } as const;
      this.pit.place(user, { ...order, side: rest.side, price: rest.price, quantity: rest.quantity });
    } else if (given.kind === 'market') {
      const order = { type: 'market', timeInForce: 'ioc', positionSide: sideOf(given.long) } as const;
      this.pit.place(user, { ...order, side: given.side, quantity: given.quantity });
    } else if (given.kind === 'close') trading.close(user, { symbol: PERP, positionSide: sideOf(given.long) }, now);
    else if (given.kind === 'cancel') this.#cancel(user, given.pick);
    else if (given.kind === 'leverage') settings.setLeverage(user, PERP, given.leverage);
    else if (given.kind === 'isolated') settings.setMarginType(user, PERP, given.isolated ? 'isolated' : 'cross');
    else if (given.kind === 'hedge') settings.setMode(user, given.hedge ? 'hedge' : 'one-way');
    else if (given.kind === 'spot') {
      const order = { symbol: 'BTCUSDT', side: 'buy', type: 'limit', timeInForce: 'gtc' } as const;
      exchange.placeSpot(user, { ...order, price: String(given.price * 100), quantity: given.quantity }, now);
    } else this.#withdraw(given.who, given.share);
  }

  #cancel(user: Trader, pick: number): void {
    const active = this.pit.exchange.orders.active(user, { markets: both });
    const record = active[pick % Math.max(1, active.length)];
    if (record !== undefined) this.pit.exchange.orders.cancel(user, record.orderId, { markets: both }, this.pit.now);
  }

  #withdraw(index: number, share: number): void {
    const { wallet } = this.users[index]!;
    const amount = wallet.pocket('USDT').available.times(share).div(10).toDecimalPlaces(2, 'down');
    if (wallet.pocket('USDT').pay(amount, 'outside')) this.#deposits[index] = this.#deposits[index]!.minus(amount);
  }

  #countLiquidations(): void {
    const mark = this.pit.exchange.futures.perpetuals.get(PERP)!.mark!;
    for (const [index, user] of this.users.entries()) {
      const { orders } = user.history!;
      for (const record of orders.slice(this.#seen[index])) {
        if (record.reason !== 'liquidation' || record.order.type !== 'market') continue;
        const size = record.market.instrument.exactQuantity(record.filledLots);
        const gain = mark.times(size).minus(record.filledValue);
        this.taken = this.taken.plus(record.order.side === 'sell' ? gain : gain.neg());
      }
      this.#seen[index] = orders.length;
    }
  }

  /** Everything must hold after every step. */
  check(): void {
    const { exchange } = this.pit;
    for (const [asset, sum] of exchange.accounts.totals()) expect([asset, sum.toFixed()]).toEqual([asset, '0']);
    let realized = ZERO;
    let covered = ZERO;
    for (const [index, user] of this.users.entries()) {
      this.#locks(user);
      const result = this.#result(user);
      realized = realized.plus(result.moved);
      const total = dec(user.wallet.pocket('USDT').row().total);
      const paid = total.minus(this.#deposits[index]!.plus(result.moved).minus(result.fees));
      expect(paid.gte(0)).toBe(true);
      covered = covered.plus(paid);
    }
    const { accounts } = exchange;
    expect(accounts.ofExchange('market', 'USDT').plus(realized).plus(this.taken).toFixed()).toBe('0');
    const fees = this.users.reduce((sum, user) => sum.plus(liquidationFees(user)), ZERO);
    expect(accounts.ofExchange('insurance', 'USDT').plus(covered).minus(this.taken).minus(fees).toFixed()).toBe('0');
  }

  #locks(user: Trader): void {
    const { exchange } = this.pit;
    const account = exchange.futures.accountOf(user);
    const { book } = account.holdingOf(exchange.futures.perpetuals.get(PERP)!);
    const available = user.wallet.pocket('USDT').available;
    const locked = user.wallet.pocket('USDT').unavailable;
    expect(available.gte(0) && locked.gte(0)).toBe(true);
    const spot = exchange.orders.active(user, { markets: new Set(['spot']) });
    const isolated = account.openSlots().reduce((sum, slot) => sum.plus(slot.owned), ZERO);
    const held = spot.reduce((sum, record) => sum.minus(record.locked), locked).minus(isolated);
    const need = this.#need(user);
    expect(book.need.toFixed()).toBe(need.toFixed());
    expect(held.gte(0) && held.lte(need)).toBe(true);
    if (held.lt(need)) {
      expect(available.toFixed()).toBe('0');
      for (const slot of book.slots) {
        const opening = (side: Side): string => slot.orders.opening(side, slot.quantity).toFixed();
        expect([opening('buy'), opening('sell')]).toEqual(['0', '0']);
      }
    }
    for (const slot of book.slots) if (!slot.isOpen) expect(slot.owned.toFixed()).toBe('0');
    for (const record of exchange.orders.active(user, { markets: new Set(['derivative']) })) {
      const slot = account.slot(exchange.futures.perpetuals.get(PERP)!, record.order.positionSide!);
      if (!slot.onlyCloses(record.order.side, record.order.reduceOnly)) continue;
      const left = record.market.instrument.exactQuantity(record.leftLots);
      expect(left.lte(slot.closable(record.order.side))).toBe(true);
    }
    const state = book.crossState();
    expect(state.isLiquidated).toBe(false);
    for (const slot of account.openSlots()) {
      if (slot.holding.isIsolated) expect(book.isolatedState(slot).isLiquidated).toBe(false);
    }
  }

  /** Reckoned anew from the lists of orders and positions. */
  #need(user: Trader): Decimal {
    const { exchange } = this.pit;
    const account = exchange.futures.accountOf(user);
    const { book, terms } = account.holdingOf(exchange.futures.perpetuals.get(PERP)!);
    const { leverage, marginType } = terms;
    const active = exchange.orders.active(user, { markets: new Set(['derivative']) });
    let need = ZERO;
    for (const slot of book.slots) {
      const orders = active
        .filter((record) => record.order.positionSide === slot.side)
        .filter((record) => !slot.onlyCloses(record.order.side, record.order.reduceOnly))
        .map((record) => ({
          side: record.order.side,
          price: record.market.instrument.exactPrice(record.order.ticks!),
          quantity: record.market.instrument.exactQuantity(record.leftLots),
        }));
      const [buys, sells] = (['buy', 'sell'] as const).map((side) => openingValue(side, slot.quantity, orders));
      need = need.plus(initialMargin(greater(buys!, sells!), leverage));
      if (marginType === 'cross') need = need.plus(initialMargin(slot.exposure.cost, leverage));
    }
    return need;
  }

  /** Profit and funding, and fees, as the user's own records have them; positions are the sum of the trades. */
  #result(user: Trader): { readonly moved: Decimal; readonly fees: Decimal } {
    let moved = ZERO;
    let fees = ZERO;
    const sizes = new Map<string, Decimal>();
    for (const trade of user.history!.trades) {
      if (trade.market !== 'derivative') continue;
      moved = moved.plus(trade.realizedPnl!);
      fees = fees.plus(trade.fee);
      const signed = trade.side === 'buy' ? dec(trade.quantity) : dec(trade.quantity).neg();
      sizes.set(trade.positionSide!, (sizes.get(trade.positionSide!) ?? ZERO).plus(signed));
    }
    const { items } = this.pit.exchange.money.transactions.list(user.userId, { type: 'funding' }, allItems);
    for (const { amount } of items) moved = moved.plus(amount);
    for (const slot of this.pit.exchange.futures.accountOf(user).book('USDT')?.slots ?? []) {
      expect(slot.quantity.toFixed()).toBe((sizes.get(slot.side) ?? ZERO).toFixed());
      if (slot.side === 'long') expect(slot.quantity.gte(0)).toBe(true);
      if (slot.side === 'short') expect(slot.quantity.lte(0)).toBe(true);
    }
    return { moved, fees };
  }

  /** The picture of the events against the lists. */
  compare(): void {
    const { exchange } = this.pit;
    for (const user of this.users) {
      const active = exchange.orders.active(user, { markets: both }).map(orderReport);
      for (const report of active) expect(this.listener.orders.get(report.orderId)).toEqual(report);
      for (const record of user.history!.orders) {
        expect(this.listener.orders.get(record.orderId)).toEqual(orderReport(record));
      }
      for (const position of this.pit.positions(user)) {
        const name = `${user.userId} ${position.symbol} ${position.positionSide}`;
        expect(this.listener.positions.get(name)).toEqual(lasting(position));
      }
      const open = this.pit
        .positions(user)
        .map((position) => `${user.userId} ${position.symbol} ${position.positionSide}`);
      for (const [name, position] of this.listener.positions) {
        if (name.startsWith(user.userId) && !open.includes(name)) expect(position).toMatchObject({ quantity: '0' });
      }
      const row = this.listener.balances.get(`${user.userId} unified-trading USDT`);
      if (row !== undefined) expect(row).toEqual(user.wallet.pocket('USDT').row());
    }
  }
}

function liquidationFees(user: Trader): Decimal {
  const liquidations = new Set(
    user.history!.orders.filter((record) => record.reason === 'liquidation' && record.order.type === 'market'),
  );
  const ids = new Set([...liquidations].map((record) => record.orderId));
  return user.history!.trades.reduce((sum, trade) => (ids.has(trade.orderId) ? sum.plus(trade.fee) : sum), ZERO);
}

describe('futures laws', () => {
  it('hold under any operations and any marks', () => {
    let liquidations = 0;
    let trades = 0;
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 80, size: 'max' }), (steps) => {
        const run = new Run();
        for (const each of steps) {
          run.apply(each);
          run.check();
        }
        run.compare();
        for (const user of run.users) {
          trades += user.history!.trades.length;
          liquidations += run.pit.closed(user).filter(({ reason }) => reason === 'liquidation').length;
        }
      }),
      { numRuns: 150 },
    );
    // The operations do meet what they are for.
    expect(trades).toBeGreaterThan(300);
    expect(liquidations).toBeGreaterThan(15);
  }, 60_000);

  it('two users who trade with each other only: what one wins the other loses', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(side, price, size), { minLength: 1, maxLength: 20 }), (rows) => {
        const pit = new Pit({ fees: { maker: '0', taker: '0' } });
        pit.mark(20_000);
        for (const user of [pit.alice, pit.bob]) pit.exchange.futures.settings.setLeverage(user, PERP, 20);
        for (const [direction, at, traded] of rows) {
          const rest = pit.place(pit.bob, { side: direction === 'buy' ? 'sell' : 'buy', price: at, quantity: traded });
          if (isRefusal(rest)) continue;
          pit.place(pit.alice, { side: direction, price: at, quantity: traded, timeInForce: 'ioc' });
          pit.exchange.orders.cancelMany(pit.bob, null, { markets: both }, pit.now);
        }
        const [alice, bob] = [pit.alice, pit.bob].map((user) => pit.positions(user)[0]);
        expect(
          dec(alice?.quantity ?? '0')
            .plus(bob?.quantity ?? '0')
            .toFixed(),
        ).toBe('0');
        const equity = [pit.alice, pit.bob].map((user) =>
          dec(pit.money(user).split(' ')[2]!).plus(pit.positions(user)[0]?.unrealizedPnl ?? '0'),
        );
        const insured = pit.exchange.accounts.ofExchange('insurance', 'USDT');
        expect(equity[0]!.plus(equity[1]!).plus(insured).toFixed()).toBe('20000');
      }),
      { numRuns: 100 },
    );
  });
});
