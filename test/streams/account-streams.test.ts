import { describe, expect, it } from 'vitest';
import type { AccountEvent, Balance, StrategyAccount, StrategyPosition } from '../../src/model/trading/account.ts';
import type { Fill } from '../../src/model/trading/fill.ts';
import type { OrderState, OrderUpdate } from '../../src/model/trading/order.ts';
import type { ProgramUpdate } from '../../src/model/trading/program.ts';
import { accountStreams } from '../../src/streams/account-streams.ts';

function order(ref: string, state: OrderState): OrderUpdate {
  return Object.freeze({
    ts: 1,
    ref,
    tag: 'maker',
    symbol: 'BTCUSDT',
    side: 'buy',
    type: 'limit',
    timeInForce: 'gtc',
    price: '100',
    quantity: '1',
    filledQuantity: '0',
    averagePrice: null,
    state,
  });
}

const position: StrategyPosition = {
  symbol: 'BTCUSDT',
  market: 'spot',
  positionSide: 'both',
  quantity: '1',
  size: 1,
  isFlat: false,
  entryPrice: '100',
  realizedPnl: '0',
};

const balance: Balance = {
  account: 'unified-trading',
  currency: 'USDT',
  available: '5',
  locked: '0',
  total: '5',
};

const fill: Fill = {
  tradeId: 't1',
  orderId: 'o1',
  symbol: 'BTCUSDT',
  market: 'spot',
  side: 'buy',
  price: '100',
  quantity: '1',
  fee: '0',
  feeCurrency: 'BTC',
  liquidity: 'maker',
  ts: 1,
  ref: 'a',
  tag: 'maker',
};

/** The part of an account that the streams use, as the executor keeps it: state first, then the event. */
class Account implements StrategyAccount {
  readonly listeners = new Set<(event: AccountEvent) => void>();
  readonly orders = new Map<string, OrderUpdate>();
  past: readonly Fill[] = [];

  emit(event: AccountEvent): void {
    if (event.kind === 'order') this.orders.set(event.order.ref, event.order);
    for (const listener of this.listeners) listener(event);
  }

  change(ref: string, state: OrderState): void {
    this.emit({ kind: 'order', order: order(ref, state) });
  }

  openOrders(): readonly OrderUpdate[] {
    return [...this.orders.values()];
  }

  orderByRef(ref: string): OrderUpdate | undefined {
    return this.orders.get(ref);
  }

  programs(): readonly ProgramUpdate[] {
    return [];
  }

  programByRef(): undefined {
    return undefined;
  }

  fillsSince(): readonly Fill[] {
    return this.past;
  }

  position(): StrategyPosition {
    return position;
  }

  positions(): readonly StrategyPosition[] {
    return [position];
  }

  balance(): Balance {
    return balance;
  }

  balances(): readonly Balance[] {
    return [balance];
  }

  listen(listener: (event: AccountEvent) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }
}

describe('fills since a cursor', () => {
  it('lists what is past, then tells what is new; a fill that is still on its way comes once', () => {
    const account = new Account();
    account.past = [fill, { ...fill, tradeId: 't2' }];
    const seen: string[] = [];
    accountStreams(account)
      .fillsSince(undefined)
      .subscribe(({ cursor }) => seen.push(cursor));
    account.emit({ kind: 'fill', fill: { ...fill, tradeId: 't2' } });
    account.emit({ kind: 'fill', fill: { ...fill, tradeId: 't3' } });
    expect(seen).toEqual(['BTCUSDT/t1', 'BTCUSDT/t2', 'BTCUSDT/t3']);
  });
});

describe('account streams', () => {
  it('positions and balances start with what is; orders and fills do not replay', () => {
    const account = new Account();
    const streams = accountStreams(account);
    account.change('a', 'open');
    const seen: string[] = [];
    streams.orders().subscribe(({ ref, state }) => seen.push(`order ${ref} ${state}`));
    streams.fills().subscribe(({ tradeId }) => seen.push(`fill ${tradeId}`));
    streams.positions().subscribe(({ quantity }) => seen.push(`position ${quantity}`));
    streams.balances().subscribe(({ total }) => seen.push(`balance ${total}`));
    expect(seen).toEqual(['position 1', 'balance 5']);
    account.emit({ kind: 'fill', fill });
    account.change('a', 'filled');
    account.emit({ kind: 'position', position: { ...position, quantity: '2' } });
    account.emit({ kind: 'balance', balance: { ...balance, total: '6' } });
    expect(seen.slice(2)).toEqual(['fill t1', 'order a filled', 'position 2', 'balance 6']);
  });

  it('one order: its state now, its changes, and the end when it is closed', () => {
    const account = new Account();
    const streams = accountStreams(account);
    account.change('a', 'open');
    const states: string[] = [];
    streams.order('a').subscribe({ next: ({ state }) => states.push(state), complete: () => states.push('end') });
    account.change('b', 'open');
    account.change('a', 'canceling');
    account.change('a', 'canceled');
    account.change('a', 'filled');
    expect(states).toEqual(['open', 'canceling', 'canceled', 'end']);
  });

  it('one order that is not there yet, and one that is closed already', () => {
    const account = new Account();
    const streams = accountStreams(account);
    const states: string[] = [];
    streams.order('later').subscribe({ next: ({ state }) => states.push(state), complete: () => states.push('end') });
    account.change('later', 'pending');
    account.change('later', 'denied');
    streams.order('later').subscribe({ next: ({ state }) => states.push(state), complete: () => states.push('end') });
    expect(states).toEqual(['pending', 'denied', 'end', 'denied', 'end']);
    expect(account.listeners.size).toBe(0);
  });

  it('misses nothing that a subscriber itself causes while it is given the current state', () => {
    const account = new Account();
    const streams = accountStreams(account);
    account.change('a', 'open');
    const states: string[] = [];
    streams.order('a').subscribe(({ state }) => {
      states.push(state);
      if (state === 'open') account.change('a', 'canceling');
    });
    account.change('a', 'canceled');
    expect(states).toEqual(['open', 'canceling', 'canceled']);
  });

  it('every subscriber sees the same order of events, even when one of them causes the next', () => {
    const account = new Account();
    const streams = accountStreams(account);
    const first: string[] = [];
    const second: string[] = [];
    streams.orders().subscribe(({ state }) => {
      first.push(state);
      if (state === 'open') account.change('a', 'canceling');
    });
    streams.orders().subscribe(({ state }) => second.push(state));
    account.change('a', 'open');
    expect(first).toEqual(['open', 'canceling']);
    expect(second).toEqual(first);
  });

  it('an order that is filled is told once, also where the venue and the fills round its average price apart', () => {
    const account = new Account();
    const told: (string | null)[] = [];
    accountStreams(account)
      .orders()
      .subscribe(({ state, averagePrice }) => told.push(`${state} ${averagePrice ?? 'unknown'}`));
    const filled = { ...order('a', 'filled'), filledQuantity: '1' };
    for (const averagePrice of [null, '59978.838666666666666667', '59978.838666667', '59978.838666667']) {
      account.emit({ kind: 'order', order: { ...filled, averagePrice } });
    }
    expect(told).toEqual(['filled unknown', 'filled 59978.838666666666666667']);
  });

  it('one listener however many subscribe, none when they have gone: 1,000 times', () => {
    const account = new Account();
    const streams = accountStreams(account);
    for (let round = 0; round < 1000; round++) {
      const subscriptions = [
        streams.orders().subscribe(),
        streams.fills().subscribe(),
        streams.positions().subscribe(),
        streams.order('a').subscribe(),
      ];
      expect(account.listeners.size).toBe(1);
      for (const subscription of subscriptions) subscription.unsubscribe();
      expect(account.listeners.size).toBe(0);
    }
  });
});
