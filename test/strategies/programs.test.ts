/** The strategies of the library that order programs carry out, in scenarios. */
import { describe, expect, it } from 'vitest';
import { scenario, type Scenario } from '../../src/testing/index.ts';
import basis from '../../strategies/basis.ts';
import dca from '../../strategies/dca.ts';
import grid from '../../strategies/grid.ts';
import pov from '../../strategies/pov-execution.ts';
import rebalancer from '../../strategies/rebalancer.ts';
import twap from '../../strategies/twap-execution.ts';

const PRICE = 60_000;

describe('grid', () => {
  const begun = () =>
    scenario({ strategy: grid, params: { levels: 5, rangeBps: 100 } })
      .book({ bid: PRICE - 0.5, ask: PRICE + 0.5 })
      .advance('1m');

  it('buys below, sells one level above what it bought, and goes on after a crash', async () => {
    const scene = await begun();
    expect(scene.orders.map(({ side, leg }) => `${side} ${leg}`)).toEqual([
      'buy level:1',
      'buy level:2',
      'buy level:3',
    ]);
    const bought = Number(scene.orders.at(-1)?.price);
    await scene
      .fill({ leg: 'level:3' })
      .crash()
      .book({ bid: PRICE - 0.5, ask: PRICE + 0.5 });
    const [sale] = scene.orders.filter(({ side }) => side === 'sell');
    expect(Number(sale?.price)).toBeGreaterThan(bought);
    await scene.fill({ side: 'sell' }).expect({ fills: [{ side: 'buy' }, { side: 'sell' }], denials: [] });
  });

  it('does not buy again what the fee in base took, however fine the lots are', async () => {
    const fine = { lotSize: '0.00000001', minQuantity: '0.00000001', minNotional: '0', tickSize: '0.01' };
    const at = {
      symbol: 'BTCUSDT',
      market: 'spot',
      base: 'BTC',
      quote: 'USDT',
      maxQuantity: '1000',
      status: 'trading',
      ...fine,
    } as const;
    const scene = await scenario({ strategy: grid, at, params: { levels: 5, rangeBps: 100 } })
      .book({ bid: PRICE - 0.5, ask: PRICE + 0.5 })
      .advance('1m')
      .fill({ leg: 'level:3' })
      .advance('1m');
    expect(scene.orders.map(({ leg }) => leg)).toEqual(['level:1', 'level:2', 'level:3:close']);
    expect(scene.orders.find(({ side }) => side === 'sell')?.quantity).toBe('0.0019996');
    expect(scene.denials).toEqual([]);
  });

  it('follows a price that has risen out of the grid', async () => {
    const scene = await begun().book({ bid: 62_000, ask: 62_001 }).advance('2m');
    expect(scene.orders.length).toBeGreaterThan(0);
    for (const { price } of scene.orders) expect(Number(price)).toBeGreaterThan(61_000);
  });

  it('sells everything below the grid and lays a new one around the price', async () => {
    const scene = await begun().fill({ leg: 'level:3' }).book({ bid: 58_000, ask: 58_001 }).advance('2m');
    expect(scene.fills.at(-1)).toMatchObject({ side: 'sell' });
    expect(scene.position().isFlat).toBe(true);
    expect(scene.orders.length).toBeGreaterThan(0);
    for (const { price } of scene.orders) expect(Number(price)).toBeLessThan(58_000);
  });
});

describe('dca', () => {
  const begun = () =>
    scenario({ strategy: dca, params: { steps: 3, stepBps: 100, growth: 2 } })
      .book({ bid: PRICE - 0.5, ask: PRICE + 0.5 })
      .advance('1s');

  it('buys more on the way down and sells all above the average', async () => {
    const scene = await begun().book({ bid: 59_410, ask: 59_411 }).fill({ leg: 'level:2' });
    expect(scene.fills.map(({ quantity }) => quantity)).toEqual(['0.001', '0.002']);
    const [target] = scene.orders.filter(({ side }) => side === 'sell');
    // 0.001 at 60,000 and 0.002 at 59,400: 59,600 on average, and half a per cent.
    expect(Number(target?.price)).toBeGreaterThan(59_800);
    expect(Number(target?.price)).toBeLessThan(59_900);
    await scene.fill({ side: 'sell' }).expect({ orders: [], denials: [] });
  });

  it('begins a new round after the cooldown, one alone', async () => {
    const scene = await begun().book({ bid: PRICE + 400, ask: PRICE + 401 });
    expect(scene.fills.map(({ side }) => side)).toEqual(['buy', 'sell']);
    expect(scene.position().isFlat).toBe(true);
    await scene.advance('6m');
    expect(scene.fills.at(-1)).toMatchObject({ side: 'buy', quantity: '0.001' });
    expect(scene.programs).toHaveLength(1);
  });
});

it('rebalancer trades once a share is off by the band, back to its weight', async () => {
  const scene = await scenario({ strategy: rebalancer, account: { USDT: '60000', BTC: '1' } })
    .book({ bid: PRICE - 0.5, ask: PRICE + 0.5 })
    .advance('15m')
    .expect({ fills: [] })
    .book({ bid: 66_000, ask: 66_001 })
    .advance('15m');
  expect(scene.fills).toMatchObject([{ side: 'sell' }]);
  const worth = Number(scene.balance('BTC').total) * 66_000;
  expect(worth / (worth + Number(scene.balance('USDT').total))).toBeCloseTo(0.5, 3);
  await scene.advance('1h').expect({ fills: [{}], denials: [] });
});

describe('basis', () => {
  const [spot, perpetual] = ['BTCUSDT', 'BTCUSDTPERP'];
  const books = (scene: Scenario, far: number): Scenario =>
    scene
      .book({ symbol: spot, bid: PRICE - 0.5, ask: PRICE + 0.5 })
      .book({ symbol: perpetual, bid: far - 0.5, ask: far + 0.5 })
      .advance('3s');

  it('goes in when the perpetual is dear, hedged to the lot, and out of all of it when it is not', async () => {
    const scene = await books(scenario({ strategy: basis, at: [spot, perpetual] }), PRICE + 60);
    expect(scene.fills).toEqual([]);
    await books(scene.advance('1s'), PRICE + 200);
    expect(scene.position(spot).size).toBeCloseTo(0.01, 4);
    expect(scene.position(perpetual).size).toBeCloseTo(-0.01, 3);
    await books(scene.advance('1s'), PRICE - 10);
    expect(scene.position(perpetual).size).toBe(0);
    expect(scene.position(spot).isFlat).toBe(true);
    expect(scene.denials).toEqual([]);
  });
});

describe('twap-execution', () => {
  it('ends with the exact quantity, once for ever', async () => {
    const params = { quantity: '0.01', overSeconds: 60, slices: 6 };
    const scene = await scenario({ strategy: twap, params }).book({ bid: 59_999, ask: 60_001 }).advance('30s').crash();
    await scene.book({ bid: 59_999, ask: 60_001 }).advance('2m');
    const bought = scene.fills.reduce((sum, { quantity }) => sum + Number(quantity), 0);
    expect(bought).toBeCloseTo(0.01, 9);
    const note = scene.actions.find(({ kind }) => kind === 'note');
    expect(note).toMatchObject({ text: 'parent done', data: { filled: '0.01' } });
    await scene.crash().book({ bid: 59_998, ask: 60_001 }).advance('2m');
    expect(scene.allOrders.every(({ parent }) => parent?.startsWith('parent-') === true)).toBe(true);
    expect(scene.fills.reduce((sum, { quantity }) => sum + Number(quantity), 0)).toBeCloseTo(0.01, 9);
  });
});

describe('pov-execution', () => {
  const params = { quantity: '0.01', participation: 0.1, overSeconds: 120 };

  it('waits for a narrow spread, then takes its share of what is printed', async () => {
    const scene = await scenario({ strategy: pov, params }).book({ bid: 59_900, ask: 60_000 }).advance('5s');
    expect(scene.programs).toEqual([]);
    await scene.book({ bid: 59_999, ask: 60_000 }).advance('1s').trade({ price: 60_000, quantity: 0.05, side: 'buy' });
    expect(scene.fills).toMatchObject([{ side: 'buy', quantity: '0.005' }]);
    await scene.trade({ price: 60_000, quantity: 5, side: 'buy' }).advance('1s');
    expect(scene.fills.reduce((sum, { quantity }) => sum + Number(quantity), 0)).toBeCloseTo(0.01, 9);
    expect(scene.actions.at(-1)).toMatchObject({ kind: 'note', text: 'parent done: filled' });
  });

  it('says what is left where nobody trades', async () => {
    const scene = await scenario({ strategy: pov, params }).book({ bid: 59_999, ask: 60_000 }).advance('3m');
    expect(scene.actions.at(-1)).toMatchObject({ kind: 'note', text: 'parent failed: 0.01 is left at the end' });
  });
});
