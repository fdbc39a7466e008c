/** Laws that hold for any market and any orders: M4, A2, A4 and determinism (T4). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dec, ZERO } from '../../src/model/numbers/money.ts';
import type { MarketEvent } from '../../src/model/market/market-event.ts';
import { simulationOptions } from '../../src/simulation/options.ts';
import { SimulatedExchange } from '../../src/simulation/venue/exchange.ts';
import { OwnLevel } from '../../src/simulation/matching/own-level.ts';
import { riskAverse } from '../../src/simulation/matching/queue.ts';
import { buy, instruments, perpetual, prob, quote, snapshot, spot, trade } from './market.ts';
import { TestSession } from './session.ts';

const price = fc.integer({ min: 90, max: 110 });
const lots = fc.integer({ min: 1, max: 20 });
const isPerpetual = fc.boolean();

type Step =
  | { readonly kind: 'depth'; readonly rows: readonly (readonly [number, number])[]; readonly mid: number }
  | { readonly kind: 'trade'; readonly taker: 'buy' | 'sell'; readonly price: number; readonly lots: number }
  | { readonly kind: 'quote'; readonly bid: number; readonly spread: number; readonly lots: number }
  | {
      readonly kind: 'place';
      readonly side: 'buy' | 'sell';
      readonly price: number | null;
      readonly lots: number;
      readonly ioc: boolean;
      readonly reduceOnly: boolean;
    }
  | { readonly kind: 'cancel'; readonly index: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('depth' as const),
    rows: fc.array(fc.tuple(price, fc.integer({ min: 0, max: 20 })), { maxLength: 6 }),
    mid: price,
  }),
  fc.record({
    kind: fc.constant('trade' as const),
    taker: fc.constantFrom<'buy' | 'sell'>('buy', 'sell'),
    price,
    lots,
  }),
  fc.record({ kind: fc.constant('quote' as const), bid: price, spread: fc.integer({ min: 1, max: 4 }), lots }),
  fc.record({
    kind: fc.constant('place' as const),
    side: fc.constantFrom<'buy' | 'sell'>('buy', 'sell'),
    price: fc.option(price),
    lots: fc.oneof(lots, fc.constant(900)),
    ioc: fc.boolean(),
    reduceOnly: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('cancel' as const), index: fc.nat(20) }),
);
const script = fc.array(fc.tuple(step, isPerpetual), { maxLength: 80 });

function marketEvent(move: Exclude<Step, { kind: 'place' | 'cancel' }>, onPerpetual: boolean, us: number): MarketEvent {
  const over = { instrument: onPerpetual ? perpetual : spot, exchangeUs: us };
  if (move.kind === 'trade') return trade(move.taker, move.price, move.lots, over);
  if (move.kind === 'quote') return quote([move.bid, move.lots], [move.bid + move.spread, move.lots], over);
  const bids = Object.fromEntries(move.rows.filter(([ticks]) => ticks <= move.mid));
  const asks = Object.fromEntries(move.rows.filter(([ticks]) => ticks > move.mid));
  return snapshot(bids, asks, over);
}

function check(exchange: SimulatedExchange): void {
  for (const [asset, sum] of exchange.purse.totals()) expect(sum.toFixed(), `sum of ${asset}`).toBe('0');
  for (const balance of exchange.purse.balances()) {
    expect(dec(balance.available).gte(ZERO) && dec(balance.locked).gte(ZERO)).toBe(true);
    expect(dec(balance.available).plus(balance.locked).toFixed()).toBe(dec(balance.total).toFixed());
  }
}

describe('laws', () => {
  it.each(['partial-fill', 'no-partial-fill', 'l1'] as const)(
    'A2, A4: every asset sums to zero, total = available + locked, nothing is negative (%s)',
    (model) => {
      fc.assert(
        fc.property(script, (steps) => {
          const exchange = new SimulatedExchange({
            instruments,
            options: simulationOptions.parse({ exchange: model }),
            start: {},
            sync: () => ({ rule: 'none', start: 'updates' }),
          });
          exchange.open();
          steps.forEach(([move, onPerpetual], index) => {
            if (move.kind === 'cancel') exchange.cancel(`sim-${move.index}`, index);
            else if (move.kind === 'place') {
              exchange.create(
                {
                  market: onPerpetual ? 'derivative' : 'spot',
                  symbol: onPerpetual ? 'AAABBBPERP' : 'AAABBB',
                  side: move.side,
                  type: move.price === null ? 'market' : 'limit',
                  timeInForce: move.ioc ? 'ioc' : 'gtc',
                  price: move.price === null ? null : String(move.price),
                  quantity: String(move.lots),
                  clientOrderId: `c${index}`,
                  ...(onPerpetual && move.reduceOnly ? { reduceOnly: true } : {}),
                },
                index,
              );
            } else exchange.onMarket(marketEvent(move, onPerpetual, index));
            check(exchange);
          });
          for (const record of exchange.store.openOrders()) exchange.cancel(record.orderId, 1000);
          for (const balance of exchange.purse.balances()) {
            const margin = exchange.purse.wallet.pocket(balance.currency).margin.toFixed();
            expect(dec(balance.locked).toFixed(), 'nothing but margin stays locked').toBe(margin);
          }
        }),
        { numRuns: 150 },
      );
    },
  );

  it('M4: never more is filled than printed, in order of the queue, for any queue model', () => {
    const event = fc.oneof(
      fc.record({ kind: fc.constant('join' as const), lots }),
      fc.record({ kind: fc.constant('print' as const), lots }),
      fc.record({ kind: fc.constant('restate' as const), lots: fc.integer({ min: 0, max: 40 }) }),
    );
    fc.assert(
      fc.property(
        fc.array(event, { maxLength: 60 }),
        fc.constantFrom(riskAverse, prob),
        fc.boolean(),
        (events, model, nets) => {
          const level = new OwnLevel(100, 10);
          events.forEach((move, index) => {
            if (move.kind === 'join') level.join(buy(`o${index}`, 100, move.lots), true);
            else if (move.kind === 'restate') level.restated(move.lots, index * 30_000, model, nets ? 100_000 : 0);
            else {
              let filled = 0;
              let passed = false;
              level.print(move.lots, index * 30_000, 'partial', model, nets ? 100_000 : 0, (order, quantity) => {
                expect(passed, 'an order behind one that still waits').toBe(false);
                filled += quantity;
                order.lots -= quantity;
                passed = order.lots > 0;
              });
              expect(filled).toBeLessThanOrEqual(move.lots);
              level.orders.splice(0, level.orders.length, ...level.orders.filter((order) => order.lots > 0));
            }
            let floor = 0;
            for (const order of level.orders) {
              expect(order.front).toBeGreaterThanOrEqual(floor);
              floor = order.front;
            }
          });
        },
      ),
      { numRuns: 500 },
    );
  });

  it('T4: the same inputs and seed give the same events, byte for byte', () => {
    const run = (steps: readonly (readonly [Step, boolean])[]): string => {
      const session = new TestSession({ latency: { model: 'lognormal' } });
      session.venue.start();
      steps.forEach(([move, onPerpetual], index) => {
        if (move.kind === 'cancel') session.cancel(`sim-${move.index}`);
        else if (move.kind === 'place')
          session.place({
            side: move.side,
            price: move.price === null ? null : String(move.price),
            quantity: String(move.lots),
          });
        else session.market(marketEvent(move, onPerpetual, index * 10_000));
      });
      session.pass(10_000);
      return JSON.stringify(session.told);
    };
    fc.assert(
      fc.property(script, (steps) => {
        expect(run(steps)).toBe(run(steps));
      }),
      { numRuns: 30 },
    );
  });

  it('a depth update that changes nothing near own orders moves nobody', () => {
    const level = new OwnLevel(100, 10);
    const order = buy('a', 100, 5);
    level.join(order, true);
    level.restated(10, 1, prob, 100_000);
    expect([order.front, order.past]).toEqual([10, []]);
  });
});
