/** An exit at market beside other own orders of its side: they make room for it, and it passes as an exit. */
import { describe, expect, it } from 'vitest';
import { bracket, oco, place, quote, stop, trailingStop } from '../../src/index.ts';
import { denials, PERP, type Rig } from '../execution/rig.ts';
import { fills, programOf, programRig, resting, rests, submit, SYMBOL } from './program-rig.ts';

const perpetual = (options = {}): Rig => programRig({ specs: [PERP], ...options });

function held(rig: Rig, symbol: string): string {
  return rig.executor.account('maker').position(symbol).quantity;
}

/** Buys at market, and it is filled. */
function bought(rig: Rig, symbol: string, quantity: string): void {
  submit(rig, place({ symbol, side: 'buy', type: 'market', quantity }));
  fills(rig, 'buy', '60001');
}

describe.each([
  ['a perpetual', PERP.symbol, perpetual],
  ['spot', SYMBOL, programRig],
] as const)('on %s', (_name, symbol, rigOf) => {
  it('a stop takes the place of a take-profit that rests beside it', () => {
    const rig = rigOf();
    bought(rig, symbol, '0.02');
    submit(rig, place({ symbol, side: 'sell', type: 'limit', price: 61_000, quantity: '0.02', reduceOnly: true }));
    submit(rig, stop({ symbol, side: 'sell', quantity: '0.02', trigger: 59_500 }));
    rig.venue.cancelMode = 'hold';
    rig.market.move(59_400);
    expect(resting(rig)).toEqual(['sell 0.02 @ 61000']);
    expect(rig.venue.sent.at(-1)).toMatchObject({ kind: 'cancel' });
    const { orderId } = rests(rig, 'sell');
    rig.venue.end(orderId, 'canceled');
    rig.venue.tell(orderId);
    expect(rig.venue.creates().at(-1)).toMatchObject({ side: 'sell', type: 'market', quantity: '0.02' });
    fills(rig, 'sell', '59400');
    expect(programOf(rig)).toMatchObject({ state: 'done', filled: '0.02' });
    expect(held(rig, symbol)).toBe('0');
  });

  it('the stop of a bracket leaves although the strategy quotes that side, and no quote comes before it', () => {
    const rig = rigOf();
    submit(
      rig,
      bracket({ entry: { symbol, side: 'buy', type: 'market', quantity: '0.02' }, stopLoss: { bps: 50 }, ref: 'b' }),
    );
    fills(rig, 'buy', '60001');
    const asks = quote(symbol, { bids: [], asks: [{ price: 61_000, quantity: '0.02' }] });
    submit(rig, asks);
    rig.venue.cancelMode = 'hold';
    rig.market.move(59_000);
    submit(rig, asks);
    expect(resting(rig)).toEqual(['sell 0.02 @ 61000']);
    const { orderId } = rests(rig, 'sell');
    rig.venue.end(orderId, 'canceled');
    rig.venue.tell(orderId);
    const sales = rig.venue.creates().filter(({ side }) => side === 'sell');
    // The quote that waited comes behind it.
    expect(sales.map(({ type, quantity }) => `${type} ${quantity}`)).toEqual([
      'limit 0.02',
      'market 0.02',
      'limit 0.02',
    ]);
    const exit = rig.venue.resting().find(({ type }) => type === 'market');
    rig.venue.tellFill(exit!.orderId, '0.02', '59000');
    expect(programOf(rig, 'b')).toMatchObject({ state: 'done' });
  });

  it('a partly blocked stop sells all', () => {
    const rig = rigOf();
    bought(rig, symbol, '0.02');
    submit(rig, quote(symbol, { bids: [], asks: [{ price: 61_000, quantity: '0.001' }] }));
    submit(rig, trailingStop({ symbol, side: 'sell', quantity: '0.02', bps: 50 }));
    rig.market.move(59_000);
    expect(rig.venue.creates().at(-1)).toMatchObject({ type: 'market', quantity: '0.02' });
  });

  it('an oco that comes with its entry waits for it', () => {
    const rig = rigOf();
    submit(rig, [
      place({ symbol, side: 'buy', type: 'limit', price: 59_900, quantity: '0.02' }),
      oco({
        symbol,
        legs: [
          place({ symbol, side: 'sell', type: 'limit', price: 61_000, quantity: '0.02' }),
          stop({ symbol, side: 'sell', quantity: '0.02', trigger: 59_000 }),
        ],
      }),
    ]);
    rig.clock.advance(60_000);
    expect(programOf(rig).state).toBe('working');
    // To wait is no denial.
    expect(denials(rig)).toEqual([]);
    fills(rig, 'buy', '59900');
    rig.clock.advance(1_000);
    expect(resting(rig)).toEqual(['sell 0.02 @ 61000']);
    rig.market.move(58_999);
    expect(rig.venue.creates().at(-1)).toMatchObject({ type: 'market', side: 'sell', quantity: '0.02' });
  });
});

it('on a perpetual the quotes of another strategy make room, too', () => {
  const rig = perpetual({ others: ['other'] });
  bought(rig, PERP.symbol, '0.02');
  rig.executor.submit('other', quote(PERP.symbol, { bids: [], asks: [{ price: 61_000, quantity: '0.02' }] }));
  submit(rig, stop({ symbol: PERP.symbol, side: 'sell', quantity: '0.02', trigger: 59_500 }));
  rig.market.move(59_400);
  expect(rig.venue.creates().at(-1)).toMatchObject({ type: 'market', side: 'sell', quantity: '0.02' });
});

it.each([
  ['maxTradesPerDay', { maxTradesPerDay: 1 }],
  ['budget', { budget: '1300' }],
  ['maxOrderValue', { maxOrderValue: '1250' }],
] as const)('on spot a stop on what is held is an exit, which %s does not hold back', (_name, limits) => {
  const rig = programRig({ limits });
  bought(rig, SYMBOL, '0.02');
  submit(rig, stop({ symbol: SYMBOL, side: 'sell', quantity: '0.02', trigger: 59_500 }));
  submit(rig, trailingStop({ symbol: SYMBOL, side: 'sell', quantity: '0.02', bps: 80 }));
  rig.market.move(59_400);
  for (let left = 2; left > 0 && rig.venue.resting().length > 0; left--) fills(rig, 'sell', '59400');
  // Both fired: what the first has sold the second does not sell again.
  expect(held(rig, SYMBOL)).toBe('0');
});

it('on spot a stop of a strategy that holds nothing and enters nothing is an order like any other', () => {
  const rig = programRig();
  submit(rig, stop({ symbol: SYMBOL, side: 'buy', quantity: '0.02', trigger: 60_500 }));
  rig.market.move(60_600);
  expect(rig.venue.creates()).toMatchObject([{ side: 'buy', type: 'market', quantity: '0.02' }]);
});
