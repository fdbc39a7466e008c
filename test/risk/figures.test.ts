/** The figures that `why` and `why-not` show are those that decided: law over orders, and the lines that people read. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RiskFigure } from '../../src/model/trading/deny-reason.ts';
import { riskLines } from '../../src/operations/why/risk-text.ts';
import { makeRig, PERP, BTC, type Rig } from '../execution/rig.ts';

const risk = {
  maxOrderQuantity: '0.05',
  maxOrderValue: '2900',
  maxPositionValue: '4000',
  maxGrossValue: '6000',
  maxNetValue: '5000',
  maxOpenNotional: '5500',
  maxOpenOrders: 4,
  drawdownFraction: 0.5,
  symbols: { BTCUSDT: { maxPosition: '0.06', maxOpenOrders: 3 } },
};
const limits = { maxPosition: '0.055', maxOrderValue: '2800', maxGrossValue: '5800' };

function rig(): Rig {
  return makeRig({ risk, limits, specs: [BTC, PERP], explains: true });
}

interface Judged {
  readonly denied: string | null;
  readonly risk: readonly RiskFigure[];
}

function rows(of: Rig): Judged[] {
  return [...of.journal.read()].flatMap(({ entry }): Judged[] => {
    if (entry.kind === 'intent' && entry.command === 'create') return [{ denied: null, risk: entry.risk ?? [] }];
    return entry.kind === 'denial' ? [{ denied: entry.reason, risk: entry.risk ?? [] }] : [];
  });
}

const order = fc.record({
  kind: fc.constant('place' as const),
  symbol: fc.constantFrom('BTCUSDT', 'BTCUSDTPERP'),
  side: fc.constantFrom('buy' as const, 'sell' as const),
  type: fc.constant('limit' as const),
  price: fc.constantFrom('50000', '58000', '59990', '60010', '62000'),
  quantity: fc.integer({ min: 1, max: 60 }).map((lots) => (lots / 1_000).toFixed(3)),
});

describe('figures', () => {
  it('of an order that was sent are all within their limits; of one that was denied the one that denied is not (law)', () => {
    let seen = 0;
    fc.assert(
      fc.property(fc.array(order, { minLength: 1, maxLength: 12 }), (orders) => {
        const of = rig();
        for (const action of orders) of.executor.submit('maker', action);
        for (const { denied, risk: figures } of rows(of)) {
          if (denied === null)
            for (const [check, whose, value, limit] of figures)
              expect(value, `${check} ${whose}`).toBeLessThanOrEqual(limit);
          const own = figures.filter(([check]) => check === denied);
          if (own.length > 0) {
            seen++;
            expect(own.some(([, , value, limit]) => value > limit)).toBe(true);
          }
        }
      }),
      { numRuns: 60 },
    );
    expect(seen).toBeGreaterThan(20);
  });

  it('count what works, and say whose limit it is', () => {
    const of = rig();
    const terms = { kind: 'place', symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '59990' } as const;
    of.executor.submit('maker', { ...terms, quantity: '0.03' });
    of.executor.submit('maker', { ...terms, quantity: '0.03' });
    const [sent, denied] = rows(of);
    expect(sent?.risk).toContainEqual(['max_position', 'maker', 0.03, 0.055]);
    expect(denied?.denied).toBe('max_position');
    expect(denied?.risk).toContainEqual(['max_position', 'maker', 0.06, 0.055]);
    expect(denied?.risk).toContainEqual(['max_open_orders', 'BTCUSDT', 2, 3]);
  });

  it('tell how much was sent lately, how near a latch is, and of budget and losses of the strategy', () => {
    const of = makeRig({
      risk: { messagesPerSecond: 10, maxOrderValuePerHour: '100000' },
      limits: {
        messagesPerMinute: 5,
        maxOrderValuePerMinute: '5000',
        budget: '4000',
        maxDailyLoss: '100',
        maxDrawdown: '50',
        repeatedExecutions: { count: 3, windowMs: 60_000 },
        rejectsInARow: 4,
      },
      specs: [BTC],
      explains: true,
    });
    const terms = { kind: 'place', symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '60000' } as const;
    of.executor.submit('maker', { ...terms, quantity: '0.02' });
    const [first] = of.executor.account('maker').openOrders();
    of.venue.tellFill(first?.orderId ?? '', '0.01');
    of.venue.createMode = 'refuse';
    of.executor.submit('maker', { ...terms, price: '59999', quantity: '0.01' });
    of.venue.createMode = 'accept';
    of.executor.submit('maker', { ...terms, quantity: '0.01' });
    const { risk: figures = [] } = rows(of).at(-1) ?? {};
    const ofCheck = (check: string): readonly RiskFigure[] => figures.filter(([name]) => name === check);
    expect(ofCheck('message_rate')).toEqual([
      ['message_rate', 'the account, second', 3, 10],
      ['message_rate', 'maker, minute', 3, 5],
    ]);
    expect(ofCheck('order_flow')).toEqual([
      ['order_flow', 'the account, hour', 2_399.99, 100_000],
      ['order_flow', 'maker, minute', 2_399.99, 5_000],
    ]);
    expect(ofCheck('strategy_latched')).toEqual([
      ['strategy_latched', 'maker, fills', 1, 3],
      ['strategy_latched', 'maker, refusals', 1, 4],
    ]);
    expect(ofCheck('strategy_budget')[0]?.[2]).toBeCloseTo(1_800, 0);
    const ofMaker = figures.filter(([, whose]) => whose === 'maker').map(([check]) => check);
    expect(ofMaker).toEqual(expect.arrayContaining(['strategy_budget', 'daily_loss', 'drawdown']));
  });

  it('are not made where nobody will ask', () => {
    const of = makeRig({ risk, limits });
    of.executor.submit('maker', {
      kind: 'place',
      symbol: 'BTCUSDT',
      side: 'buy',
      type: 'limit',
      price: '59990',
      quantity: '0.03',
    });
    expect(rows(of)).toEqual([{ denied: null, risk: [] }]);
  });

  it('read as check, worst case, limit and result', () => {
    const figures: readonly RiskFigure[] = [
      ['max_position', 'maker', 0.06, 0.055],
      ['daily_loss', 'the account', -12.5, 20_000],
    ];
    expect(riskLines(figures, 'max_position')).toEqual([
      '    DENIED  max_position of maker: 0.06 of 0.055 (109.1 %)',
      '    passed  daily_loss of the account: -12.5 of 20000 (-0.1 %)',
    ]);
    expect(riskLines(undefined, null)).toEqual([]);
  });
});
