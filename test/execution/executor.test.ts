import { describe, expect, it } from 'vitest';
import { createMemoryJournal } from '../../src/journal/memory-store.ts';
import type { Action } from '../../src/model/trading/action.ts';
import { alarms, denials, makeRig, PERP, START, trading, type Rig } from './rig.ts';

const place = (fields: Partial<Extract<Action, { kind: 'place' }>> = {}): Action => ({
  kind: 'place',
  symbol: 'BTCUSDT',
  side: 'buy',
  type: 'limit',
  price: '59000',
  quantity: '0.01',
  ...fields,
});

const quote = (bids: [string, string][], asks: [string, string][] = []): Action => ({
  kind: 'quote',
  symbol: 'BTCUSDT',
  bids: bids.map(([price, quantity]) => ({ price, quantity })),
  asks: asks.map(([price, quantity]) => ({ price, quantity })),
});

const target = (quantity: string, symbol = 'BTCUSDT'): Action => ({ kind: 'target', symbol, quantity });

function states(rig: Rig, ref: string): string[] {
  return rig.events.flatMap((event) => (event.kind === 'order' && event.order.ref === ref ? [event.order.state] : []));
}

function resting(rig: Rig): string[] {
  return rig.venue
    .resting()
    .map(({ side, price, quantity }) => `${side} ${quantity}@${price}`)
    .sort();
}

describe('placing', () => {
  it('sends the canonical text and tells each state once', () => {
    const rig = makeRig();
    rig.executor.submit('maker', place({ price: 59000.1, quantity: 0.0123 }));
    expect(rig.venue.creates()).toEqual([
      {
        market: 'spot',
        symbol: 'BTCUSDT',
        side: 'buy',
        type: 'limit',
        timeInForce: 'gtc',
        price: '59000.1',
        quantity: '0.0123',
        clientOrderId: 'tw-b1-1',
      },
    ]);
    expect(states(rig, 'maker-1')).toEqual(['pending', 'open']);
    expect(rig.executor.counters()).toMatchObject({ submitted: 1, accepted: 1, denied: 0 });
  });

  it.each<[string, Partial<Extract<Action, { kind: 'place' }>>]>([
    ['off_tick', { price: '59000.005' }],
    ['off_tick', { price: 59000.005 }],
    ['off_lot', { quantity: '0.000001' }],
    ['not_finite', { price: Number.NaN }],
    ['not_finite', { quantity: '1e-3' }],
    ['not_positive', { quantity: '-1' }],
    ['not_positive', { price: 0 }],
    ['below_minimum', { quantity: '0.00001' }],
    ['above_maximum', { quantity: '101' }],
    ['missing_price', { price: undefined }],
    ['unknown_symbol', { symbol: 'NOPE' }],
    ['price_collar', { price: '56000' }],
    ['would_cross', { price: '60001', postOnly: true }],
    ['max_order_value', { quantity: '90', price: '60000' }],
    ['unsupported', { type: 'market' }],
  ])('denies before sending: %s %j', (reason, fields) => {
    const rig = makeRig();
    rig.executor.submit('maker', place(fields));
    expect(denials(rig)).toEqual([reason]);
    expect(rig.venue.sent).toEqual([]);
    expect(states(rig, 'maker-1')).toEqual(['denied']);
  });

  it('says what, with the values, in a denial', () => {
    const rig = makeRig();
    rig.executor.submit('maker', place({ price: '59000.005' }));
    const [event] = rig.events.filter(({ kind }) => kind === 'denied');
    expect(event).toMatchObject({
      denied: {
        message: 'BTCUSDT: price 59000.005 is not a multiple of the tick size 0.01; the nearest is 59000',
        field: 'price',
      },
    });
  });

  it.each([
    ['0.0010001', '0.001'],
    ['0.0000001', '0.00001'],
    [0.0010049, '0.001'],
    [0.0010051, '0.00101'],
  ])('says the nearest quantity of one that is off the lots, and what rounds by itself: %s', (quantity, nearest) => {
    const rig = makeRig();
    rig.executor.submit('maker', place({ quantity }));
    const [event] = rig.events.filter(({ kind }) => kind === 'denied');
    const message = expect.stringMatching(
      `${quantity} is not a multiple of the lot size 0\\.00001; the nearest is ${nearest}\\. .*\`flatten\` or \`target\` 0, which round`,
    );
    expect(event).toMatchObject({ denied: { reason: 'off_lot', message, field: 'quantity' } });
  });

  it('takes a number within a millionth of a tick and no text that is off', () => {
    const rig = makeRig();
    rig.executor.submit('maker', place({ price: 0.1 + 0.2 + 58999.7 }));
    expect(rig.venue.creates()[0]?.price).toBe('59000');
  });

  it('never uses a ref twice, and numbers on past refs that a strategy chose', () => {
    const rig = makeRig();
    rig.executor.submit('maker', [
      place({ ref: 'a' }),
      place({ ref: 'a', price: '58000' }),
      place({ ref: 'maker-1', price: '58001' }),
      place({ price: '58002' }),
    ]);
    expect(denials(rig)).toEqual(['duplicate_ref']);
    expect(
      rig.executor
        .account('maker')
        .openOrders()
        .map(({ ref }) => ref),
    ).toEqual(['a', 'maker-1', 'maker-2']);
  });

  it('denies a placement like an unresolved one only while that is unresolved', () => {
    const rig = makeRig();
    rig.venue.createMode = 'hold';
    rig.executor.submit('maker', [place(), place()]);
    expect(denials(rig)).toEqual(['duplicate_order']);
    rig.venue.createMode = 'accept';
    rig.venue.answer('b1-1', { kind: 'accepted', order: { ...rig.venue.resting()[0]! } });
    rig.executor.submit('maker', place());
    expect(rig.venue.creates()).toHaveLength(2);
  });

  it('drops what waited longer than its time to live', () => {
    const rig = makeRig();
    rig.venue.queueing = true;
    rig.executor.submit('maker', place());
    rig.clock.advance(10_001);
    rig.venue.release();
    expect(rig.venue.sent).toEqual([]);
    expect(denials(rig)).toEqual(['expired']);
  });

  it('is handed over once: a second dispatch of the same intent is denied', () => {
    const rig = makeRig();
    const { venue } = rig;
    const send = venue.send.bind(venue);
    venue.send = (command, onDispatch) => {
      send(command, onDispatch);
      expect(onDispatch()).toMatchObject({ kind: 'denied', reason: 'duplicate_order' });
    };
    rig.executor.submit('maker', place());
    expect(venue.creates()).toHaveLength(1);
  });

  it('stops repeating what was refused three times in a row, until a while has passed', () => {
    const rig = makeRig();
    rig.venue.createMode = 'refuse';
    for (let count = 0; count < 6; count++) rig.executor.submit('maker', place());
    expect(rig.venue.creates()).toHaveLength(3);
    expect(denials(rig)).toEqual(['repeated_rejects', 'repeated_rejects', 'repeated_rejects']);
    rig.clock.advance(60_001);
    rig.venue.createMode = 'accept';
    rig.executor.submit('maker', place());
    expect(rig.executor.counters().accepted).toBe(1);
  });

  it('keeps to fifty messages a second, and cancels pass', () => {
    const rig = makeRig();
    for (let count = 0; count < 60; count++) rig.executor.submit('maker', place({ price: String(59000 - count) }));
    expect(rig.venue.creates()).toHaveLength(50);
    expect(denials(rig)).toEqual(Array.from({ length: 10 }, () => 'message_rate'));
    rig.executor.submit('maker', { kind: 'cancelAll' });
    expect(rig.venue.resting()).toEqual([]);
  });

  it('spends a balance to the last unit and not beyond it', () => {
    const rig = makeRig({ risk: { maxOrderEquityFraction: 1 } });
    rig.venue.balancesNow = [trading('USDT', '590'), trading('BTC', '1')];
    rig.venue.emit({ kind: 'balances', balances: rig.venue.balancesNow, whole: true });
    rig.executor.submit('maker', place({ quantity: '0.01' }));
    rig.executor.submit('maker', place({ quantity: '0.0001' }));
    expect(rig.venue.creates()).toHaveLength(1);
    expect(denials(rig)).toEqual(['insufficient_balance']);
  });

  it('denies new risk after the loss of the day, and reducing passes', () => {
    const rig = makeRig();
    rig.executor.submit('maker', place({ side: 'buy', type: 'market', price: undefined, quantity: '1' }));
    rig.venue.tellFill('v1', '1', '60001');
    rig.venue.emit({ kind: 'balances', balances: [trading('USDT', '500000')], whole: false });
    rig.executor.submit('maker', place());
    expect(denials(rig)).toEqual(['daily_loss']);
    rig.executor.submit('maker', { kind: 'flatten' });
    expect(rig.venue.creates().at(-1)).toMatchObject({ side: 'sell', quantity: '1', type: 'market' });
  });
});

describe('answers', () => {
  it('keeps a lost answer unknown and reserved', () => {
    const rig = makeRig({ limits: { maxPosition: '0.015' } });
    rig.venue.createMode = 'ack-lost';
    rig.executor.submit('maker', place());
    expect(states(rig, 'maker-1')).toEqual(['pending', 'unknown']);
    expect(rig.executor.unresolvedCount()).toBe(1);
    rig.executor.submit('maker', place({ price: '58000' }));
    expect(denials(rig)).toEqual(['max_position']);
  });

  it('finds a lost order by its client id on the stream', () => {
    const rig = makeRig();
    rig.venue.createMode = 'ack-lost';
    rig.executor.submit('maker', place());
    rig.venue.tell('v1');
    expect(states(rig, 'maker-1')).toEqual(['pending', 'unknown', 'open']);
  });

  it('books a fill that overtook the answer, with and without client ids', () => {
    for (const clientOrderIds of [true, false]) {
      const rig = makeRig({ clientOrderIds });
      rig.venue.createMode = 'hold';
      rig.executor.submit('maker', place());
      rig.venue.tellFill('v1', '0.01');
      rig.venue.answer('b1-1', { kind: 'accepted', order: { ...rig.venue.orders.get('v1')! } });
      expect(rig.executor.account('maker').position('BTCUSDT').quantity).toBe('0.01');
      expect(rig.executor.account('maker').orderByRef('maker-1')?.state).toBe('filled');
      expect(rig.events.filter(({ kind }) => kind === 'fill')).toHaveLength(1);
    }
  });

  it('does not count a duplicated outcome, report or fill twice', () => {
    const rig = makeRig();
    rig.executor.submit('maker', place());
    const trade = rig.venue.fill('v1', '0.004');
    for (let count = 0; count < 3; count++) {
      rig.venue.emit({ kind: 'fill', fill: trade });
      rig.venue.tell('v1');
      rig.venue.answer('b1-1', { kind: 'accepted', order: { ...rig.venue.orders.get('v1')! } });
    }
    expect(rig.executor.account('maker').position('BTCUSDT').quantity).toBe('0.004');
    expect(rig.executor.counters()).toMatchObject({ submitted: 1, accepted: 1 });
    expect(rig.events.filter(({ kind }) => kind === 'fill')).toHaveLength(1);
  });

  it('takes fees in base off the position', () => {
    const rig = makeRig();
    rig.executor.submit('maker', place());
    rig.venue.tellFill('v1', '0.01', '59000', { fee: '0.00001', feeCurrency: 'BTC' });
    expect(rig.executor.account('maker').position('BTCUSDT').quantity).toBe('0.00999');
  });

  it('books a fill after the cancel, raises the alarm, and keeps the order closed', () => {
    const rig = makeRig();
    rig.executor.submit('maker', place());
    rig.executor.submit('maker', { kind: 'cancel', ref: 'maker-1' });
    expect(rig.executor.account('maker').orderByRef('maker-1')?.state).toBe('canceled');
    const trade = rig.venue.fill('v1', '0.002');
    rig.venue.emit({ kind: 'fill', fill: trade });
    expect(rig.executor.account('maker').position('BTCUSDT').quantity).toBe('0.002');
    expect(rig.executor.account('maker').orderByRef('maker-1')?.state).toBe('canceled');
    expect(alarms(rig)).toEqual(['late_fill']);
  });

  it('raises the alarm when more is said to be filled than was ordered, and leaves it to the list whether it was', () => {
    const rig = makeRig();
    rig.executor.submit('maker', place());
    rig.venue.tellFill('v1', '0.011');
    expect(rig.executor.account('maker').position('BTCUSDT').quantity).toBe('0');
    expect(alarms(rig)).toEqual(['fill_contradiction', 'overfill']);
  });

  it('treats "client id exists" as a question, not as a refusal', () => {
    const rig = makeRig();
    rig.venue.createMode = 'refuse';
    rig.venue.refusal = 'duplicate_client_order_id';
    rig.executor.submit('maker', place());
    expect(states(rig, 'maker-1')).toEqual(['pending', 'unknown']);
  });

  it('closes what surely never left', () => {
    const rig = makeRig();
    rig.venue.createMode = 'not-sent';
    rig.executor.submit('maker', place());
    expect(states(rig, 'maker-1')).toEqual(['pending', 'denied']);
    expect(rig.executor.unresolvedCount()).toBe(0);
  });

  it('does not believe an acknowledgement of a cancel without a report', () => {
    const rig = makeRig();
    rig.venue.cancelMode = 'no-effect';
    rig.executor.submit('maker', place());
    rig.executor.submit('maker', { kind: 'cancel', ref: 'maker-1' });
    expect(rig.executor.account('maker').openOrders()).toHaveLength(1);
  });

  it('takes in all that the venue says at one moment before anybody hears of it', () => {
    const rig = makeRig();
    rig.executor.submit('maker', place());
    const account = rig.executor.account('maker');
    const seen: unknown[] = [];
    account.listen((event) => {
      if (event.kind === 'fill') seen.push([account.openOrders().length, account.balance('BTC').total]);
    });
    const fill = rig.venue.fill('v1', '0.01');
    const held = trading('BTC', '7.01');
    rig.venue.emit(
      { kind: 'fill', fill },
      { kind: 'order', order: rig.venue.orders.get('v1')! },
      { kind: 'balances', balances: [held], whole: false },
    );
    expect(seen).toEqual([[0, '7.01']]);
    expect(states(rig, 'maker-1').at(-1)).toBe('filled');
  });

  it('lets a strategy act on an event without disturbing the order of events', () => {
    const rig = makeRig();
    const seen: string[] = [];
    rig.executor.account('maker').listen((event) => {
      if (event.kind !== 'order') return;
      seen.push(`${event.order.ref} ${event.order.state}`);
      if (event.order.ref === 'maker-1' && event.order.state === 'pending')
        rig.executor.submit('maker', place({ price: '58000' }));
    });
    rig.executor.submit('maker', place());
    expect(seen).toEqual(['maker-1 pending', 'maker-1 open', 'maker-2 pending', 'maker-2 open']);
  });
});

describe('quoting', () => {
  it('sends the fewest requests, and none for the same set', () => {
    const rig = makeRig();
    rig.executor.submit('maker', quote([['59990', '0.01']], [['60010', '0.01']]));
    expect(rig.venue.sent).toHaveLength(2);
    rig.executor.submit('maker', quote([['59990', '0.01']], [['60010', '0.01']]));
    expect(rig.venue.sent).toHaveLength(2);
    rig.executor.submit('maker', quote([['59990', '0.01']], [['60011', '0.01']]));
    expect(rig.venue.sent).toHaveLength(4);
    expect(resting(rig)).toEqual(['buy 0.01@59990', 'sell 0.01@60011']);
  });

  it('lets a requote of two sides leave by one commit, cancels and creates', () => {
    const journal = createMemoryJournal();
    let commits = 0;
    const append = journal.append.bind(journal);
    const rig = makeRig({ journal: { ...journal, append: (ts, rows) => (commits++, append(ts, rows)) } });
    rig.executor.submit('maker', quote([['59990', '0.01']], [['60010', '0.01']]));
    rig.venue.createMode = 'hold';
    rig.venue.cancelMode = 'hold';
    commits = 0;
    rig.executor.submit('maker', quote([['59980', '0.01']], [['60020', '0.01']]));
    expect(rig.venue.sent).toHaveLength(6);
    expect(commits).toBe(1);
  });

  it('compares with what is in flight', () => {
    const rig = makeRig();
    rig.venue.createMode = 'hold';
    rig.executor.submit('maker', quote([['59990', '0.01']]));
    rig.executor.submit('maker', quote([['59990', '0.01']]));
    expect(rig.venue.sent).toHaveLength(1);
  });

  it('cancels an order that was in flight when the set changed, as soon as it is acknowledged', () => {
    const rig = makeRig();
    rig.venue.createMode = 'hold';
    rig.executor.submit('maker', quote([['59990', '0.01']]));
    rig.executor.submit('maker', quote([]));
    expect(rig.venue.sent).toHaveLength(1);
    rig.venue.answer('b1-1', { kind: 'accepted', order: { ...rig.venue.orders.get('v1')! } });
    expect(rig.venue.resting()).toEqual([]);
  });

  it('replenishes a filled quantity with the next quote only', () => {
    const rig = makeRig();
    rig.executor.submit('maker', quote([['59990', '0.01']]));
    rig.venue.tellFill('v1', '0.004');
    expect(rig.venue.sent).toHaveLength(1);
    rig.executor.submit('maker', quote([['59990', '0.01']]));
    expect(rig.venue.creates().at(-1)?.quantity).toBe('0.004');
    expect(rig.venue.sent).toHaveLength(2);
  });

  it('waits for the proof of a cancel when both orders together would pass the balance', () => {
    const rig = makeRig({ risk: { maxOrderEquityFraction: 1 } });
    rig.venue.emit({ kind: 'balances', balances: [trading('USDT', '650')], whole: false });
    rig.executor.submit('maker', quote([['59990', '0.01']]));
    rig.venue.cancelMode = 'hold';
    rig.executor.submit('maker', quote([['59995', '0.01']]));
    expect(rig.venue.creates()).toHaveLength(1);
    expect(denials(rig)).toEqual([]);
    rig.venue.end('v1', 'canceled');
    rig.venue.tell('v1');
    expect(rig.venue.creates().map(({ price }) => price)).toEqual(['59990', '59995']);
  });

  it('keeps only the newest set while a cancel is on its way', () => {
    const rig = makeRig({ limits: { maxOpenOrders: 1 } });
    rig.executor.submit('maker', quote([['59990', '0.01']]));
    rig.venue.cancelMode = 'hold';
    for (const price of ['59991', '59992', '59993']) rig.executor.submit('maker', quote([[price, '0.01']]));
    rig.venue.end('v1', 'canceled');
    rig.venue.tell('v1');
    expect(rig.venue.creates().map(({ price }) => price)).toEqual(['59990', '59993']);
  });

  it('denies a leg that is off the grid and lets nothing old stand for it', () => {
    const rig = makeRig();
    rig.executor.submit('maker', quote([['59990', '0.01']], [['60010', '0.01']]));
    rig.executor.submit('maker', quote([['59990.001', '0.01']], [['60010', '0.01']]));
    expect(denials(rig)).toEqual(['off_tick']);
    expect(resting(rig)).toEqual(['sell 0.01@60010']);
  });

  it('is cleared by cancel, cancelAll and flatten', () => {
    for (const action of [{ kind: 'cancel', ref: 'maker-1' }, { kind: 'cancelAll' }, { kind: 'flatten' }] as const) {
      const rig = makeRig();
      rig.executor.submit('maker', quote([['59990', '0.01']]));
      rig.executor.submit('maker', action);
      expect(rig.venue.resting()).toEqual([]);
      rig.executor.submit('maker', quote([['59990', '0.01']]));
      expect(resting(rig)).toEqual(['buy 0.01@59990']);
    }
  });

  it('withdraws what still waits at the venue instead of sending and cancelling it', () => {
    const rig = makeRig();
    rig.venue.queueing = true;
    rig.executor.submit('maker', quote([['59990', '0.01']]));
    rig.executor.submit('maker', quote([['59991', '0.01']]));
    rig.venue.release();
    expect(rig.venue.creates().map(({ price }) => price)).toEqual(['59991']);
  });
});

describe('targets', () => {
  it('buys the difference once, however often it is said', () => {
    const rig = makeRig();
    rig.executor.submit('maker', [target('0.5'), target('0.5')]);
    expect(rig.venue.creates()).toHaveLength(1);
    rig.venue.tellFill('v1', '0.5', '60001');
    rig.executor.submit('maker', target('0.5'));
    expect(rig.venue.creates()).toHaveLength(1);
    rig.executor.submit('maker', target('0.2'));
    expect(rig.venue.creates().at(-1)).toMatchObject({ side: 'sell', quantity: '0.3', type: 'market' });
  });

  it('follows a target that changed while its order was on its way', () => {
    const rig = makeRig();
    rig.executor.submit('maker', target('0.5'));
    rig.executor.submit('maker', target('0'));
    expect(rig.venue.creates()).toHaveLength(1);
    rig.venue.tellFill('v1', '0.5', '60001');
    expect(rig.venue.creates().at(-1)).toMatchObject({ side: 'sell', quantity: '0.5' });
  });

  it('is no order and no denial below a lot or a minimum', () => {
    const rig = makeRig();
    rig.executor.submit('maker', target('0.5'));
    rig.venue.tellFill('v1', '0.5', '60001', { fee: '0.00005', feeCurrency: 'BTC' });
    rig.executor.submit('maker', target('0.5'));
    expect(rig.venue.creates()).toHaveLength(1);
    expect(denials(rig)).toEqual([]);
  });

  it('reduces first and then opens through zero on a perpetual', () => {
    const rig = makeRig();
    rig.executor.submit('maker', target('0.3', PERP.symbol));
    rig.venue.tellFill('v1', '0.3', '60001');
    rig.executor.submit('maker', target('-0.2', PERP.symbol));
    expect(rig.venue.creates().at(-1)).toMatchObject({ side: 'sell', quantity: '0.3', reduceOnly: true });
    rig.venue.tellFill('v3', '0.3', '60000');
    expect(rig.venue.creates().at(-1)).toMatchObject({ side: 'sell', quantity: '0.2', reduceOnly: false });
    rig.venue.tellFill('v5', '0.2', '60000');
    expect(rig.executor.account('maker').position(PERP.symbol).quantity).toBe('-0.2');
  });

  it('does so on spot, where an order for both would be denied whole above a limit, and the position stay', () => {
    const rig = makeRig();
    rig.executor.submit('maker', target('0.3'));
    rig.venue.tellFill('v1', '0.3', '60001');
    rig.executor.submit('maker', target('-0.2'));
    expect(rig.venue.creates().at(-1)).toMatchObject({ side: 'sell', quantity: '0.3' });
    rig.venue.tellFill('v3', '0.3', '60000');
    expect(rig.venue.creates().at(-1)).toMatchObject({ side: 'sell', quantity: '0.2' });
  });

  it('replaces its own limit order when the price changes', () => {
    const rig = makeRig();
    const via = (price: string): Action => ({
      kind: 'target',
      symbol: 'BTCUSDT',
      quantity: '0.1',
      via: { limit: { price } },
    });
    rig.executor.submit('maker', via('59000'));
    rig.executor.submit('maker', via('59000'));
    expect(rig.venue.sent).toHaveLength(1);
    rig.executor.submit('maker', via('59100'));
    expect(resting(rig)).toEqual(['buy 0.1@59100']);
  });

  it('means its own position, not the balance of the account', () => {
    const rig = makeRig();
    rig.executor.submit('maker', target('0'));
    expect(rig.venue.sent).toEqual([]);
  });
});

describe('flatten, stop and kill', () => {
  it('cancels first, then closes with what was filled meanwhile', () => {
    const rig = makeRig();
    rig.executor.submit('maker', place({ quantity: '0.01' }));
    rig.venue.tellFill('v1', '0.004');
    rig.venue.cancelMode = 'hold';
    rig.executor.submit('maker', { kind: 'flatten' });
    expect(rig.venue.creates()).toHaveLength(1);
    rig.venue.tellFill('v1', '0.001');
    rig.venue.end('v1', 'canceled');
    rig.venue.tell('v1');
    expect(rig.venue.creates().at(-1)).toMatchObject({ side: 'sell', type: 'market', quantity: '0.005' });
  });

  it('tries what a thin book left over again, a bounded number of times', () => {
    const rig = makeRig();
    rig.executor.submit('maker', target('0.5'));
    rig.venue.tellFill('v1', '0.5', '60001');
    rig.executor.submit('maker', { kind: 'flatten' });
    for (let count = 0; count < 20; count++) {
      for (const order of rig.venue.resting()) {
        rig.venue.end(order.orderId, 'expired');
        rig.venue.tell(order.orderId);
      }
      rig.clock.advance(1_000);
    }
    expect(rig.venue.creates()).toHaveLength(6);
    expect(alarms(rig)).toContain('flatten_stuck');
  });

  it('says that a symbol is not known of which everything should be cancelled', () => {
    const rig = makeRig();
    rig.executor.submit('maker', place());
    rig.executor.submit('maker', { kind: 'cancelAll', symbol: 'btcusdt' });
    expect(denials(rig)).toEqual(['unknown_symbol']);
    expect(resting(rig)).toEqual(['buy 0.01@59000']);
    rig.executor.submit('maker', { kind: 'cancelAll', symbol: PERP.symbol });
    rig.executor.submit('maker', { kind: 'cancelAll', symbol: 'BTCUSDT' });
    expect(denials(rig)).toEqual(['unknown_symbol']);
    expect(resting(rig)).toEqual([]);
  });

  it('closes nothing else when the symbol that it names is not known', () => {
    const rig = makeRig();
    rig.executor.submit('maker', place({ quantity: '0.01' }));
    rig.venue.tellFill('v1', '0.004');
    rig.executor.submit('maker', { kind: 'flatten', symbol: 'BTC-USDT' });
    expect(rig.venue.sent.map(({ kind }) => kind)).toEqual(['create']);
    expect(denials(rig)).toEqual(['unknown_symbol']);
    rig.executor.submit('maker', { kind: 'flatten', symbol: 'BTCUSDT' });
    expect(rig.venue.sent.map(({ kind }) => kind)).toEqual(['create', 'cancel', 'create']);
    expect(denials(rig)).toEqual(['unknown_symbol']);
  });

  it('cancels own resting orders that a new one would meet before sending it', () => {
    const rig = makeRig();
    rig.executor.submit('maker', place({ side: 'sell', price: '60001' }));
    rig.venue.cancelMode = 'hold';
    rig.executor.submit('taker', place({ price: '60001' }));
    expect(rig.venue.sent.map(({ kind }) => kind)).toEqual(['create', 'cancel']);
    rig.venue.end('v1', 'canceled');
    rig.venue.tell('v1');
    expect(rig.venue.sent.map(({ kind }) => kind)).toEqual(['create', 'cancel', 'create']);
  });

  it('gives up an order whose way is not cleared in time', () => {
    const rig = makeRig();
    rig.executor.submit('maker', place({ side: 'sell', price: '60001' }));
    rig.venue.cancelMode = 'hold';
    rig.executor.submit('taker', place({ price: '60001' }));
    rig.clock.advance(10_000);
    expect(denials(rig)).toEqual(['expired']);
  });

  it('carries out the stop policy, denies what comes later and says when it is done', () => {
    const rig = makeRig();
    rig.executor.submit('maker', [place(), target('0.5')]);
    rig.venue.tellFill('v2', '0.49', '60001');
    rig.executor.stop('maker', 'flatten');
    rig.executor.submit('maker', place({ price: '58000' }));
    expect(denials(rig)).toEqual(['stopping']);
    const [closing] = rig.venue.resting();
    expect(closing).toMatchObject({ side: 'sell', quantity: '0.49' });
    expect(rig.events.some(({ kind }) => kind === 'stopped')).toBe(false);
    rig.venue.tellFill(closing!.orderId, '0.49', '60000');
    expect(rig.events.filter(({ kind }) => kind === 'stopped')).toEqual([{ kind: 'stopped', strategy: 'maker' }]);
  });

  it('disturbs no other strategy', () => {
    const rig = makeRig();
    rig.executor.submit('maker', place());
    rig.executor.submit('taker', place({ price: '58000' }));
    rig.executor.stop('maker', 'cancel');
    expect(resting(rig)).toEqual(['buy 0.01@58000']);
  });

  it('sends nothing new after the kill, cancels everything, also what appears later, and lets reducing pass', () => {
    const rig = makeRig();
    rig.executor.submit('maker', place());
    rig.venue.createMode = 'ack-lost';
    rig.executor.submit('maker', place({ price: '58000' }));
    rig.venue.createMode = 'accept';
    rig.executor.kill('test');
    rig.executor.submit('taker', place({ price: '57500' }));
    expect(denials(rig)).toEqual(['killed']);
    expect(resting(rig)).toEqual(['buy 0.01@58000']);
    rig.venue.tell('v2');
    expect(rig.venue.resting()).toEqual([]);
  });

  it('stops at the last moment what was queued at the venue when the kill came', () => {
    const rig = makeRig();
    rig.venue.queueing = true;
    rig.executor.submit('maker', place());
    rig.executor.kill('test');
    rig.venue.release();
    expect(rig.venue.creates()).toEqual([]);
  });

  it('closes for new risk behind a gate, and lets cancels and reducing orders pass', () => {
    let closed = false;
    const gate = {
      name: 'test',
      closedBecause: () => (closed ? ({ reason: 'stale_data', message: 'old' } as const) : null),
    };
    const rig = makeRig({ gates: [gate] });
    rig.executor.submit('maker', [place(), target('0.5')]);
    rig.venue.tellFill('v2', '0.49', '60001');
    closed = true;
    rig.executor.submit('maker', place({ price: '58000' }));
    expect(denials(rig)).toEqual(['stale_data']);
    rig.executor.submit('maker', { kind: 'flatten' });
    expect(resting(rig)).toEqual(['sell 0.49@null']);
  });
});

describe('limits of a strategy', () => {
  it('holds its own limits and budget, not those of others', () => {
    const rig = makeRig({ limits: { maxOrderQuantity: '0.02', budget: '1500' } });
    rig.executor.submit('maker', [
      place({ quantity: '0.03' }),
      place({ quantity: '0.02' }),
      place({ quantity: '0.02', price: '58000' }),
    ]);
    rig.executor.submit('taker', place({ quantity: '0.03' }));
    expect(denials(rig)).toEqual(['max_order_size', 'strategy_budget']);
    expect(rig.executor.counters('taker')).toMatchObject({ submitted: 1, denied: 0 });
  });

  it('gives each strategy its own account and its own orders', () => {
    const rig = makeRig();
    rig.executor.submit('maker', place({ ref: 'x' }));
    rig.executor.submit('taker', place({ ref: 'x', price: '58000' }));
    rig.executor.submit('taker', { kind: 'cancel', ref: 'x' });
    expect(resting(rig)).toEqual(['buy 0.01@59000']);
    expect(rig.executor.account('taker').openOrders()).toEqual([]);
    expect(rig.executor.account('maker').orderByRef('x')?.ts).toBe(START);
  });
});
