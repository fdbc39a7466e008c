/**
 * One fault at a time against the whole live stack: what the exchange did and what was told of it differ, and in the end
 * both agree, nothing was sent twice and nothing was forgotten (reliability §1.1, §1.2, §3.3).
 */
import { describe, expect, it } from 'vitest';
import { CANCEL, CANCEL_MANY, CREATE, limit, market, scenario } from './scenario.ts';
import { SYMBOL, until } from './live-stack.ts';

const price = '59980';

describe.concurrent.each([true, false])('with clientOrderIds %s', (ids) => {
  it('trades without faults', () =>
    scenario({ ids }, async ({ world, stack }) => {
      stack.act('maker', limit('buy', price, '0.01', 'a'), market('buy'));
      await until(() => stack.executor.account('maker').position(SYMBOL).quantity !== '0', 'the purchase');
      await stack.whenReady();
      stack.act('maker', market('sell', '0.005'));
      await until(() => world.alice.orders.length === 3, 'three orders');
      world.trade('bob', 'sell', price, '2.004', true);
      stack.act('maker', { kind: 'cancel', ref: 'a' });
    }));

  it.each([
    ['is lost with its answer', { fault: 'drop' }, 0],
    ['arrives and its answer is lost', { fault: 'dropAfterEffect' }, 1],
    ['is answered with 500', { fault: 'status', status: 500 }, 0],
    ['is answered with 404', { fault: 'status', status: 404 }, 0],
    ['is answered with 429', { fault: 'status', status: 429 }, 0],
    ['is answered with 302', { fault: 'status', status: 302 }, 0],
    ['is answered with 418', { fault: 'status', status: 418 }, 0],
    ['meets a rate limit', { fault: 'rateLimit', ms: 300 }, 0],
    ['is slow', { fault: 'delay', ms: 250 }, 1],
  ])('a resting create that %s', (_what, fault, arrived) =>
    scenario({ ids }, async ({ world, stack }) => {
      await world.faults({ match: CREATE, times: 1, ...fault });
      stack.act('maker', limit('buy', price, '0.01', 'a'));
      await until(() => stack.creates === 1, 'the create leaves');
      if (arrived === 1) await until(() => world.alice.orders.length === 1, 'the order arrives');
      await until(() => stack.executor.unresolvedCount() === 0, 'the order is proved one way');
      expect(world.alice.orders).toHaveLength(arrived);
      const order = stack.executor.account('maker').orderByRef('a');
      expect(order?.state).toBe(arrived === 1 ? 'open' : 'never_arrived');
    }),
  );

  it('keeps what an unknown order reserves until it is proved absent', () =>
    scenario(
      { ids, alarms: [] },
      async ({ world, stack }) => {
        await world.faults({ match: CREATE, times: 1, fault: 'drop' });
        stack.act('maker', limit('buy', price, '9', 'a'));
        await until(
          () => stack.executor.unresolvedCount() === 1 && stack.states().includes('a unknown'),
          'a is unknown',
        );
        stack.act('maker', limit('buy', '59979', '9', 'b'), limit('buy', price, '9', 'c'));
        expect(stack.executor.account('maker').orderByRef('b')?.reason).toBe('insufficient_balance');
        expect(stack.executor.account('maker').orderByRef('c')?.state).toBe('denied');
        await until(() => stack.executor.unresolvedCount() === 0, 'a is proved absent');
        stack.act('maker', limit('buy', price, '9', 'd'));
        await until(() => world.alice.active.size === 1, 'd stands');
      },
      { maxOrderEquityFraction: 1 },
    ));

  it('books a fill whose order was never answered (O03, O07)', () =>
    scenario({ ids }, async ({ world, stack }) => {
      await world.faults({ match: CREATE, times: 1, fault: 'dropAfterEffect' });
      stack.act('taker', market('buy', '0.02'));
      await until(() => world.alice.trades.length === 1, 'the trade');
      await until(() => stack.executor.account('taker').position(SYMBOL).quantity === '0.01999', 'the position');
    }));

  it('books a fill whose order was never answered while nothing is pushed', () =>
    scenario({ ids }, async ({ world, stack }) => {
      await world.faults(
        { match: CREATE, times: 1, fault: 'dropAfterEffect' },
        { fault: 'mute', match: { channel: '*' } },
      );
      stack.act('taker', market('buy', '0.02'));
      await until(() => world.alice.trades.length === 1, 'the trade');
    }));

  it.each([
    ['is lost', { fault: 'drop' }],
    ['happens and its answer is lost', { fault: 'dropAfterEffect' }],
    ['is answered with 500', { fault: 'status', status: 500 }],
    ['is answered with 404', { fault: 'status', status: 404 }],
    ['meets a rate limit', { fault: 'rateLimit', ms: 200 }],
  ])('a cancel that %s is repeated until it is proved', (_what, fault) =>
    scenario({ ids }, async ({ world, stack }) => {
      stack.act('maker', limit('buy', price, '0.01', 'a'));
      await until(() => stack.states().includes('a open'), 'a stands');
      await world.faults({ match: CANCEL, times: 2, ...fault }, { fault: 'mute', match: { channel: '*' } });
      stack.act('maker', { kind: 'cancel', ref: 'a' });
      await until(() => stack.states().includes('a canceled'), 'a is gone');
      expect(world.alice.active.size).toBe(0);
    }),
  );

  it('fills before the cancel arrives (O08, O10)', () =>
    scenario({ ids }, async ({ world, stack }) => {
      stack.act('maker', limit('buy', '59995', '0.01', 'a'));
      await until(() => stack.states().includes('a open'), 'a stands');
      await world.faults(
        { match: CANCEL, times: 1, fault: 'delay', ms: 200 },
        { fault: 'delay', ms: 250, match: { channel: `${SYMBOL}@my-trades` } },
      );
      stack.act('maker', { kind: 'cancel', ref: 'a' });
      world.trade('bob', 'sell', '59995', '0.01', true);
      await until(() => stack.states().includes('a filled'), 'a is filled');
    }));

  it('cancels what could not be cancelled before it was known', () =>
    scenario({ ids }, async ({ world, stack }) => {
      await world.faults({ match: CREATE, times: 1, fault: 'dropAfterEffect' });
      stack.act('maker', limit('buy', price, '0.01', 'a'));
      stack.act('maker', { kind: 'cancel', ref: 'a' });
      await until(() => world.alice.orders.length === 1 && world.alice.active.size === 0, 'a came and went');
    }));

  it.each(['my-trades', 'order-info', 'order-history'])('does without %s', (channel) =>
    scenario({ ids }, async ({ world, stack }) => {
      await world.faults({ fault: 'mute', match: { channel: `${SYMBOL}@${channel}` } });
      stack.act('maker', limit('buy', '59995', '0.03', 'a'), limit('buy', price, '0.01', 'b'));
      await until(() => world.alice.active.size === 2, 'both stand');
      world.trade('bob', 'sell', '59995', '0.01', true);
      world.trade('bob', 'sell', '59995', '0.02', true);
      stack.act('maker', { kind: 'cancel', ref: 'b' });
      await until(() => stack.executor.account('maker').position(SYMBOL).quantity === '0.029994', 'the position');
    }),
  );

  it('does without every other push', () =>
    scenario({ ids }, async ({ world, stack }) => {
      await world.faults({ fault: 'gap', match: { channel: `${SYMBOL}@*` } });
      stack.act('maker', limit('buy', '59995', '0.03', 'a'));
      await until(() => world.alice.active.size === 1, 'a stands');
      for (let part = 0; part < 3; part++) world.trade('bob', 'sell', '59995', '0.01', true);
    }));

  it('finds what happened while the socket was down (S25)', () =>
    scenario({ ids }, async ({ world, stack }) => {
      stack.act('maker', limit('buy', '59995', '0.02', 'a'), limit('buy', price, '0.01', 'b'));
      await until(() => world.alice.active.size === 2, 'both stand');
      await world.faults({ fault: 'disconnect', times: 1 });
      world.trade('bob', 'sell', '59995', '0.02', true);
      stack.act('maker', limit('buy', '59970', '0.01', 'c'));
      await until(() => stack.executor.account('maker').position(SYMBOL).quantity !== '0', 'the position');
    }));

  it('counts orders of a human as risk and never touches them (O31)', () =>
    scenario(
      { ids },
      async ({ world, stack, foreign }) => {
        foreign.push(world.trade('alice', 'buy', '59985', '0.01'));
        stack.act('maker', limit('buy', price, '0.01', 'a'), { kind: 'cancelAll' });
        await until(() => stack.states().includes('a canceled'), 'a is gone');
        stack.clock.deliver(stack.connection.clock.nowUs(), () => stack.executor.kill('test'));
        for (let run = 0; run < 3; run++) await stack.reconciler.runNow();
        expect(world.alice.active.size).toBe(1);
      },
      {},
      ['killed'],
    ));

  it('sends nothing after a kill, and cancels what turns up later (K1, K2)', () =>
    scenario({ ids, alarms: ['killed'] }, async ({ world, stack }) => {
      stack.act('maker', limit('buy', price, '0.01', 'a'), limit('buy', '59979', '0.01', 'b'));
      await until(() => world.alice.active.size === 2, 'both stand');
      await world.faults(
        { match: CREATE, times: 1, fault: 'dropAfterEffect' },
        { match: CANCEL, times: 2, fault: 'drop' },
        { match: CANCEL_MANY, times: 1, fault: 'status', status: 500 },
      );
      stack.act('maker', limit('buy', '59978', '0.01', 'c'));
      await until(() => world.alice.orders.length === 3, 'c arrives');
      stack.clock.deliver(stack.connection.clock.nowUs(), () => stack.executor.kill('test'));
      const before = stack.creates;
      stack.act('taker', market('buy'), limit('sell', '60100'), {
        kind: 'quote',
        symbol: SYMBOL,
        bids: [{ price: 59970, quantity: '0.01' }],
        asks: [],
      });
      await until(() => world.alice.active.size === 0, 'nothing stands');
      expect(stack.creates).toBe(before);
    }));

  it('does not send a create that waited for the gate of a lost stream', () =>
    scenario({ ids }, async ({ world, stack }) => {
      await world.faults({ fault: 'disconnect', times: 1 });
      await until(() => !stack.ready, 'the gate closes');
      stack.act('maker', limit('buy', price, '0.01', 'a'));
      expect(stack.executor.account('maker').orderByRef('a')?.reason).toMatch(/stream_down|not_reconciled/);
      await stack.whenReady();
      expect(world.alice.orders).toHaveLength(0);
    }));

  it('quotes through lost answers without doubling a leg', () =>
    scenario({ ids }, async ({ world, stack }) => {
      await world.faults({ match: CREATE, times: 2, fault: 'dropAfterEffect' });
      for (let step = 0; step < 12; step++) {
        const bid = 59_980 - (step % 3);
        stack.act('maker', {
          kind: 'quote',
          symbol: SYMBOL,
          bids: [{ price: bid, quantity: '0.01' }],
          asks: [{ price: bid + 60, quantity: '0.01' }],
        });
        await stack.reconciler.runNow();
      }
      await until(() => stack.executor.unresolvedCount() === 0, 'all is proved');
      stack.act('maker', { kind: 'quote', symbol: SYMBOL, bids: [{ price: 59_970, quantity: '0.01' }], asks: [] });
      await until(() => world.alice.active.size === 1, 'one leg stands');
    }));

  it('reaches a target once, whatever is said and lost on the way (O02, O37)', () =>
    scenario({ ids }, async ({ world, stack }) => {
      await world.faults(
        { match: CREATE, times: 1, fault: 'dropAfterEffect' },
        { fault: 'mute', match: { channel: `${SYMBOL}@*` } },
      );
      const target = { kind: 'target', symbol: SYMBOL, quantity: '0.05' } as const;
      stack.act('taker', target, target);
      await until(() => world.alice.orders.length === 1, 'the order arrives');
      for (let step = 0; step < 5; step++) {
        stack.act('taker', target);
        await stack.reconciler.runNow();
      }
      await until(() => stack.executor.unresolvedCount() === 0, 'all is proved');
      expect(world.alice.orders.filter(({ order }) => order.side === 'buy')).toHaveLength(1);
    }));

  it('flattens once, after what is on its way is proved', () =>
    scenario({ ids }, async ({ world, stack }) => {
      stack.act('taker', market('buy', '0.05'));
      await until(() => stack.executor.account('taker').position(SYMBOL).quantity !== '0', 'the position');
      await stack.whenReady();
      await world.faults(
        { match: CREATE, times: 1, fault: 'dropAfterEffect' },
        { fault: 'mute', match: { channel: `${SYMBOL}@*` } },
      );
      stack.act('taker', limit('sell', '60100', '0.02', 'x'));
      stack.act('taker', { kind: 'flatten' }, { kind: 'flatten' });
      await until(() => world.alice.active.size === 0 && world.alice.orders.length === 3, 'flat');
      const sold = world.alice.trades
        .filter(({ side }) => side === 'sell')
        .reduce((sum, { quantity }) => sum + Number(quantity), 0);
      expect(sold).toBeCloseTo(0.04997, 8);
    }));
});
