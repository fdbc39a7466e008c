/**
 * A market order was judged by the best price alone, whatever that offered: in a thin book it passed the value of an order
 * by 9 % and the collar by any distance (reliability M17). An exit passes all the same.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { sweep } from '../../src/model/book/sweep.ts';
import { BID, type BookSide } from '../../src/model/market/market-event.ts';
import { marketOrder, SYMBOL, World, type Row } from '../conformance/contracts-world.ts';

const world = new World();
afterAll(() => world.close());

const MINUTE = 60_000;
const T0 = 28_333_334 * MINUTE;

function rows(asks: readonly (readonly [string, string])[]): Row[] {
  const bids = [
    ['99', '1'],
    ['70', '100000'],
  ];
  return [0, 1, 2, 3, 4].map((minute) => ({
    ts: T0 + minute * MINUTE,
    symbol: SYMBOL,
    type: 'snapshot',
    bids,
    asks,
  }));
}

const THIN = [
  ['101', '1'],
  ['120', '100000'],
] as const;

/** `limits`: of the section `risk`. */
async function bought(quantity: string, limits: string, leaves = false) {
  const { path } = await world.record(rows(THIN));
  const config = `
simulation: { fees: { maker: 0, taker: 0 } }
risk: { maxOrderEquityFraction: 100, dailyLossFraction: 1, ${limits} }
`;
  const steps = [
    { at: T0 + MINUTE + 1, actions: [marketOrder('buy', quantity, 'in')] },
    ...(leaves
      ? [{ at: T0 + 2 * MINUTE + 1, actions: [{ ...marketOrder('sell', quantity, 'out'), reduceOnly: true }] }]
      : []),
  ];
  const flags = ['--param', `steps=${JSON.stringify(steps)}`, '--config', world.write('thin.yaml', config)];
  const { result } = await world.run('scripted.ts', [path], ...flags);
  const denials = result['denials'] as readonly { readonly reason: string }[];
  return { prices: result.fills.map(({ price }) => price), denials: denials.map(({ reason }) => reason) };
}

describe('risk/market-order-in-a-thin-book', () => {
  it('denies what the book fills beyond the collar', async () => {
    expect(await bought('1', 'priceCollar: 0.05')).toEqual({ prices: ['101'], denials: [] });
    expect(await bought('2', 'priceCollar: 0.05')).toEqual({ prices: [], denials: ['price_collar'] });
    expect(await bought('2', 'priceCollar: 0.21')).toEqual({ prices: ['101', '120'], denials: [] });
  });

  it('values it by what it would pay', async () => {
    // 101 + 120
    expect(await bought('2', 'priceCollar: 1, maxOrderValue: 220.99')).toEqual({
      prices: [],
      denials: ['max_order_value'],
    });
    expect(await bought('2', 'priceCollar: 1, maxOrderValue: 221')).toEqual({ prices: ['101', '120'], denials: [] });
  });

  it('lets an exit pass', async () => {
    const { prices, denials } = await bought('2', 'priceCollar: 0.21', true);
    expect([prices, denials]).toEqual([['101', '120', '99', '70'], []]);
  });
});

it('risk/market-order-in-a-thin-book: counts what is not shown at the worst price', () => {
  const levels = [
    [100, 2],
    [90, 3],
  ] as const;
  const book = {
    walk: (side: BookSide, visit: (ticks: number, lots: number) => boolean) => {
      if (side === BID) levels.every(([ticks, lots]) => visit(ticks, lots));
    },
  };
  expect(sweep(book, 'sell', 2)).toEqual({ meanTicks: 100, worstTicks: 100, shownLots: 2 });
  expect(sweep(book, 'sell', 4)).toEqual({ meanTicks: 95, worstTicks: 90, shownLots: 4 });
  expect(sweep(book, 'sell', 10)).toEqual({ meanTicks: 92, worstTicks: 90, shownLots: 5 });
  expect(sweep(book, 'buy', 1)).toBeUndefined();
});

it('risk/sale-below-the-bid: is valued by what it is paid', async () => {
  const { path } = await world.record(rows(THIN));
  const sell = { kind: 'place', symbol: SYMBOL, side: 'sell', type: 'limit', quantity: '2', reduceOnly: false };
  const steps = [
    { at: T0 + MINUTE + 1, actions: [marketOrder('buy', '1', 'in')] },
    { at: T0 + 2 * MINUTE + 1, actions: [marketOrder('buy', '1', 'more')] },
    { at: T0 + 3 * MINUTE + 1, actions: [{ ...sell, price: '95', ref: 'below' }] },
  ];
  const run = async (maxOrderValue: string) => {
    const limits = `maxOrderEquityFraction: 100, symbols: { ${SYMBOL}: { maxOrderValue: ${maxOrderValue} } }`;
    const config = world.write('paid.yaml', `risk: { ${limits} }\nsimulation: { fees: { maker: 0, taker: 0 } }\n`);
    return (await world.run('scripted.ts', [path], '--param', `steps=${JSON.stringify(steps)}`, '--config', config))
      .result;
  };
  const [above, below] = [await run('198'), await run('197.9')];
  expect(above.fills.map(({ price }) => price)).toEqual(['101', '120', '99']);
  expect(below.fills.map(({ price }) => price)).toEqual(['101', '120']);
});
