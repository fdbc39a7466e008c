/** The makers of the library, in scenarios: where they quote, how a fill moves them, when they step aside. */
import { describe, expect, it } from 'vitest';
import { scenario, type Scenario, type Scene } from '../../src/testing/index.ts';
import avellanedaStoikov from '../../strategies/avellaneda-stoikov.ts';
import glft from '../../strategies/glft-maker.ts';
import microprice from '../../strategies/microprice-maker.ts';
import vpin from '../../strategies/vpin-maker.ts';

const MID = 60_000;

interface Quotes {
  readonly bid: number;
  readonly ask: number;
}

/** NaN where nothing rests. */
function quotesOf(scene: Scene): Quotes {
  const priceOf = (side: string): number => Number(scene.orders.find((order) => order.side === side)?.price);
  return { bid: priceOf('buy'), ask: priceOf('sell') };
}

/** Books whose mid swings by `swing`, each followed by a trade `depth` away from it. */
function swings(begun: Scenario, swing: number, looks: number): Scenario {
  let scene = begun;
  for (let look = 0; look < looks; look++) {
    const mid = MID + (look % 2 === 0 ? swing : -swing);
    // Depths of an exponential distribution, one after another.
    const depth = Math.round(-300 * Math.log(((look * 7) % 19) / 19 + 0.03)) / 100;
    const side = look % 4 < 2 ? 'buy' : 'sell';
    scene = scene
      .book({ bid: mid - 0.5, ask: mid + 0.5 })
      .trade({ price: mid + (side === 'buy' ? depth : -depth), quantity: 0.01, side })
      .advance('500ms');
  }
  return scene;
}

describe.each([
  ['avellaneda-stoikov', avellanedaStoikov, { window: 20, feeBps: 1 }],
  ['glft-maker', glft, { window: 20, feeBps: 1, gamma: 2 }],
] as const)('%s', (_, strategy, params) => {
  it('quotes both sides around the mid, wider where the price moves more', async () => {
    const calm = quotesOf(await swings(scenario({ strategy, params }), 1, 30));
    const wild = quotesOf(await swings(scenario({ strategy, params }), 4, 30));
    expect(calm.bid).toBeLessThan(MID);
    expect(calm.ask).toBeGreaterThan(MID);
    expect(wild.ask - wild.bid).toBeGreaterThan(calm.ask - calm.bid);
  });

  it('leans away from what it holds, and at its limit quotes the way back alone', async () => {
    const begun = (maxPosition: number) => swings(scenario({ strategy, params: { ...params, maxPosition } }), 2, 30);
    const flat = quotesOf(await begun(0.01));
    const long = quotesOf(await begun(0.01).fill({ side: 'buy' }).advance('500ms'));
    expect(long.bid).toBeLessThan(flat.bid);
    expect(long.ask).toBeLessThan(flat.ask);
    const full = await begun(0.0009).fill({ side: 'buy' }).advance('500ms');
    expect(full.fills).toHaveLength(1);
    expect(full.orders.map(({ side }) => side)).toEqual(['sell']);
    expect(full.denials).toEqual([]);
  });
});

it('glft-maker quotes nothing while nobody trades', async () => {
  let scene = scenario({ strategy: glft, params: { window: 20 } });
  for (let look = 0; look < 30; look++)
    scene = scene.book({ bid: MID - 1, ask: MID + 1 + (look % 2) }).advance('500ms');
  await scene.expect({ orders: [] });
});

it('microprice-maker quotes around the microprice, not the mid', async () => {
  const at = (trust: number, bidQuantity: number) =>
    scenario({ strategy: microprice, params: { trust, halfSpreadBps: 1 } }).book({
      bid: MID - 2,
      ask: MID + 2,
      bidQuantity,
      askQuantity: 1,
    });
  // Nine bid for one asked: the microprice is 1.6 above the mid.
  const [even, heavy, blind] = [await at(1, 1), await at(1, 9), await at(0, 9)].map(quotesOf);
  expect(even).toEqual({ bid: MID - 6, ask: MID + 6 });
  expect(heavy).toEqual({ bid: MID + 1.6 - 6.01, ask: MID + 1.6 + 6.01 });
  expect(blind).toEqual(even);
});

it('vpin-maker waits for its buckets, quotes in even flow and withdraws when all of it is bought', async () => {
  const trade = (side: 'buy' | 'sell') => ({ price: side === 'buy' ? MID + 1 : MID - 1, quantity: 0.1, side });
  const strategy = vpin;
  const params = { bucket: 0.2, buckets: 4, halfSpreadBps: 2 };
  let quiet = scenario({ strategy, params })
    .book({ bid: MID - 1, ask: MID + 1 })
    .expect({ orders: [] });
  for (let index = 0; index < 4; index++) quiet = quiet.trade(trade('buy')).trade(trade('sell'));
  const scene = await quiet.book({ bid: MID - 1, ask: MID + 1.01 }).advance('1s');
  expect(scene.orders.map(({ side }) => side).toSorted()).toEqual(['buy', 'sell']);
  let wild = scene.fill({ side: 'buy' });
  for (let index = 0; index < 8; index++) wild = wild.trade(trade('buy'));
  await wild
    .book({ bid: MID - 1, ask: MID + 1 })
    .advance('1s')
    .expect({ orders: [], fills: [{ side: 'buy' }] });
});
