/** First in first out against a slow count of single lots, in integers. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dec, decimalText, ZERO } from '../../../src/model/numbers/money.ts';
import { disposalsOf, type Disposal, type TaxFill } from '../../../src/operations/trades/fifo.ts';
import { csvLines, taxReport } from '../../../src/operations/trades/tax-rows.ts';
import { tradesIn } from '../../../src/operations/trades/session-fills.ts';
import { realizedValue } from '../../../src/spine/positions.ts';
import { replayRows } from '../../../src/spine/replay.ts';
import { BTC, makeRig, PERP } from '../../execution/rig.ts';

const T0 = Date.parse('2025-12-31T23:00:00Z');
const HOUR = 3_600_000;

const spot: TaxFill = {
  account: 'x/alice',
  session: 's1',
  strategy: 'maker',
  market: 'spot',
  symbol: 'BTCUSDT',
  positionSide: 'both',
  base: 'BTC',
  currency: 'USDT',
  contractSize: '1',
  tradeId: 't0',
  ts: T0,
  side: 'buy',
  price: '100',
  quantity: '1',
  fee: '0',
  feeCurrency: 'USDT',
};

function texts({ quantity, proceeds, cost, result, fee, lotTradeId }: Disposal): readonly (string | null)[] {
  const text = (value: typeof quantity | null): string | null => (value === null ? null : decimalText(value));
  return [...[quantity, proceeds, cost, result, fee].map(text), lotTradeId];
}

describe('disposals', () => {
  it('take the oldest lots first, with fees on both ends', () => {
    const fills: TaxFill[] = [
      { ...spot, tradeId: 'b1', price: '100', quantity: '1', fee: '1' },
      { ...spot, tradeId: 'b2', ts: T0 + HOUR, price: '200', quantity: '2', fee: '2' },
      { ...spot, tradeId: 's1', ts: T0 + 2 * HOUR, side: 'sell', price: '300', quantity: '2', fee: '6' },
    ];
    expect(disposalsOf(fills).map(texts)).toEqual([
      ['1', '297', '101', '196', '3', 'b1'],
      ['1', '297', '201', '96', '3', 'b2'],
    ]);
  });

  it('of spot know that a fee in base was never held, and that one on a sale leaves with it', () => {
    const fills: TaxFill[] = [
      { ...spot, tradeId: 'b1', price: '100', quantity: '1', fee: '0.1', feeCurrency: 'BTC' },
      {
        ...spot,
        tradeId: 's1',
        ts: T0 + 1,
        side: 'sell',
        price: '200',
        quantity: '0.8',
        fee: '0.1',
        feeCurrency: 'BTC',
      },
    ];
    expect(disposalsOf(fills).map(texts)).toEqual([['0.9', '160', '100', '60', '0.1', 'b1']]);
  });

  it('of spot without a purchase have proceeds, no cost and no result', () => {
    const fills: TaxFill[] = [
      { ...spot, tradeId: 'b1' },
      { ...spot, tradeId: 's1', ts: T0 + 1, side: 'sell', price: '200', quantity: '3', fee: '3' },
    ];
    expect(disposalsOf(fills).map(texts)).toEqual([
      ['1', '199', '100', '99', '1', 'b1'],
      ['2', '398', null, null, '2', null],
    ]);
  });

  it('of a short perpetual bring what the sale brought, by contract size', () => {
    const perp = { ...spot, market: 'derivative', symbol: 'P', contractSize: '0.1' } as const;
    const fills: TaxFill[] = [
      { ...perp, tradeId: 's1', side: 'sell', price: '1000', quantity: '2', fee: '1' },
      { ...perp, tradeId: 'b1', ts: T0 + 1, price: '900', quantity: '3', fee: '3' },
      { ...perp, tradeId: 's2', ts: T0 + 2, side: 'sell', price: '950', quantity: '1', fee: '0' },
    ];
    expect(disposalsOf(fills).map(texts)).toEqual([
      ['2', '199', '182', '17', '2', 's1'],
      ['1', '95', '91', '4', '0', 'b1'],
    ]);
  });

  it('equal a count of single lots, whatever is bought and sold, and lose nothing of any sum', () => {
    const fillArbitrary = fc.record({
      buys: fc.boolean(),
      lots: fc.integer({ min: 1, max: 7 }),
      price: fc.integer({ min: 1, max: 1000 }),
      feePerLot: fc.integer({ min: 0, max: 5 }),
      wait: fc.integer({ min: 0, max: 3 }),
    });
    fc.assert(
      fc.property(fc.array(fillArbitrary, { maxLength: 60 }), fc.boolean(), (drawn, isPerp) => {
        let ts = T0;
        const fills = drawn.map(({ buys, lots, price, feePerLot, wait }, index): TaxFill => {
          ts += wait;
          const side = buys ? 'buy' : 'sell';
          const what = { tradeId: `t${index}`, ts, side, price: String(price), quantity: String(lots) } as const;
          const market = isPerp ? 'derivative' : 'spot';
          return { ...spot, market, ...what, fee: String(feePerLot * lots) };
        });
        // One entry a lot: what it cost, or brought, with its fee.
        let longs: number[] = [];
        let shorts: number[] = [];
        const results = new Map<string, number>();
        let unknown = 0;
        for (const [index, { buys, lots, price, feePerLot }] of drawn.entries()) {
          for (let lot = 0; lot < lots; lot++) {
            const [held, ...more] = buys ? shorts : longs;
            const value = buys ? price + feePerLot : price - feePerLot;
            if (held === undefined && !buys && !isPerp) unknown++;
            else if (held === undefined && buys) longs.push(value);
            else if (held === undefined) shorts.push(value);
            else {
              const id = `t${index}`;
              results.set(id, (results.get(id) ?? 0) + (buys ? held - value : value - held));
              if (buys) shorts = more;
              else longs = more;
            }
          }
        }
        const found = disposalsOf(fills);
        const sums = new Map<string, number>();
        for (const { tradeId, result } of found)
          if (result !== null) sums.set(tradeId, (sums.get(tradeId) ?? 0) + result.toNumber());
        expect(Object.fromEntries(sums)).toEqual(Object.fromEntries(results));
        const lost = found.filter(({ cost }) => cost === null).reduce((sum, { quantity }) => sum.plus(quantity), ZERO);
        expect(lost.toNumber()).toBe(unknown);
      }),
      { numRuns: 300 },
    );
  });

  it('share what does not divide so that the last part takes the rest', () => {
    const fills: TaxFill[] = [
      { ...spot, tradeId: 'b1', price: '100', quantity: '3', fee: '0.1' },
      ...[1, 2, 3].map(
        (n) => ({ ...spot, tradeId: `s${n}`, ts: T0 + n, side: 'sell', price: '100', quantity: '1' }) as const,
      ),
    ];
    const found = disposalsOf(fills);
    expect(decimalText(found.reduce((sum, { cost }) => sum.plus(cost ?? ZERO), ZERO))).toBe('300.1');
    expect(found.map(({ cost }) => decimalText(cost ?? ZERO))[0]).toBe('100.033333333333333333');
  });
});

describe('the report of trades', () => {
  const lots = { ...spot, session: 'first', tradeId: 'b1', quantity: '2' };
  const first = { fills: [lots], fundings: [] };
  const sale = {
    ...spot,
    session: 'second',
    strategy: '=cmd,"x"',
    tradeId: 's1',
    ts: T0 + 2 * HOUR,
    side: 'sell',
    price: '150',
  } as const;

  it('takes lots of earlier years and sessions, and each trade once', () => {
    const copy = { fills: [{ ...lots, session: 'restored' }, sale], fundings: [] };
    const report = taxReport([first, copy], 2026);
    expect(report.sums).toEqual([
      {
        year: 2026,
        symbol: 'BTCUSDT',
        currency: 'USDT',
        disposals: 1,
        unknown: 0,
        proceeds: '150',
        cost: '100',
        result: '50',
        funding: '0',
      },
    ]);
    expect(taxReport([first, copy], 2025).rows).toEqual([]);
    const [head, line] = [...csvLines(report.rows)];
    expect(head).toBe(
      'date,session,strategy,market,symbol,side,quantity,price,fee,feeCurrency,proceeds,cost,result,currency,acquired,holdingDays,lotTradeId,tradeId\n',
    );
    expect(line).toBe(
      '2026-01-01T01:00:00.000Z,second," =cmd,""x""",spot,BTCUSDT,sell,1,150,0,USDT,150,100,50,USDT,2025-12-31T23:00:00.000Z,0,b1,s1\n',
    );
  });

  it('names fees that are in no result', () => {
    const report = taxReport([{ fills: [{ ...spot, fee: '0.01', feeCurrency: 'BNB' }], fundings: [] }], null);
    expect(report.otherFees).toEqual({ BNB: '0.01' });
  });

  it('of an executor’s journal equals what its positions realised, once they are flat', () => {
    const rig = makeRig({ specs: [BTC, { ...PERP, contractSize: '0.1' }], risk: { dailyLossFraction: 0 } });
    const trade = (symbol: string, side: 'buy' | 'sell', quantity: string, price: string): void => {
      rig.executor.submit('maker', { kind: 'place', symbol, side, type: 'limit', price, quantity });
      for (const { orderId } of rig.venue.resting()) {
        const half = decimalText(dec(quantity).div(dec('2')));
        for (const part of [half, half]) rig.venue.tellFill(orderId, part, price, { fee: '0.07', feeCurrency: 'USDT' });
      }
      rig.clock.advance(HOUR);
    };
    trade(BTC.symbol, 'buy', '0.02', '59990');
    trade(PERP.symbol, 'sell', '0.04', '60100');
    trade(BTC.symbol, 'buy', '0.04', '59900');
    trade(PERP.symbol, 'buy', '0.06', '60010');
    const funded = { symbol: PERP.symbol, positionSide: 'both', currency: 'USDT', amount: '-0.5' } as const;
    rig.executor.record({ kind: 'funding', id: 'f1', strategy: 'maker', ...funded });
    trade(BTC.symbol, 'sell', '0.06', '60200');
    trade(PERP.symbol, 'sell', '0.02', '59000');
    const rows = [...rig.journal.read()];
    const held = replayRows(rows).state.positions.all();
    expect(held.map(({ lots: left }) => left)).toEqual([0, 0]);
    const report = taxReport([tradesIn(rows, { session: 's', account: 'a' })], null);
    const result = report.sums.reduce((sum, one) => sum + Number(one.result) + Number(one.funding), 0);
    expect(result).toBeCloseTo(
      held.reduce((sum, position) => sum + realizedValue(position), 0),
      9,
    );
    expect(report.rows.filter(({ side }) => side === 'funding')).toMatchObject([{ result: '-0.5', currency: 'USDT' }]);
    expect(report.sums.map(({ unknown }) => unknown)).toEqual([0, 0]);
  });

  it('dates a funding by the exchange, not by when it was learned', () => {
    const rig = makeRig();
    rig.executor.submit('maker', { kind: 'place', symbol: PERP.symbol, side: 'buy', type: 'market', quantity: '0.1' });
    for (const { orderId } of rig.venue.resting()) rig.venue.tellFill(orderId, '0.1', '60000');
    const ts = rig.clock.now() + 1;
    rig.clock.advance(400 * 24 * HOUR);
    rig.venue.emit({ kind: 'funding', payment: { id: 'f1', symbol: null, currency: 'USDT', amount: '-0.5', ts } });
    const trades = tradesIn([...rig.journal.read()], { session: 's', account: 'a' });
    const year = new Date(ts).getUTCFullYear();
    expect(taxReport([trades], year).rows).toMatchObject([{ date: new Date(ts).toISOString(), result: '-0.5' }]);
    expect(taxReport([trades], year + 1).rows).toEqual([]);
  });
});
