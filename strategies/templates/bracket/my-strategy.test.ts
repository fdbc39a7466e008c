// npx vitest run strategies/my-strategy.test.ts
import { scenario, type Scenario, type Scene } from 'tidewire/testing';
import { expect, test } from 'vitest';
import strategy from './my-strategy.ts';

const params = { lookback: 5, stopBps: 50, takeProfitBps: 100, quantity: '0.01' };
const warmup = [60_000, 60_010, 60_000, 60_010, 60_000, 60_010];

/** It has bought at 60,100.01: the stop is 0.5 % below, the take-profit 1 % above. */
function entered(): Scenario {
  return scenario({ strategy, params, warmup })
    .candles([60_000, 60_100])
    .expect([{ kind: 'bracket' }]);
}

function filled(scene: Scene): readonly (string | undefined)[] {
  return scene.allOrders.filter(({ state }) => state === 'filled').map(({ leg }) => leg);
}

test('buys a new high, and its take-profit rests', async () => {
  const scene = await entered();
  expect(scene.fills).toMatchObject([{ side: 'buy', quantity: '0.01' }]);
  expect(scene.orders).toMatchObject([{ side: 'sell', leg: 'takeProfit:1' }]);
});

test('leaves at its stop', async () => {
  const scene = await entered().book({ bid: 59_700, ask: 59_701 }).advance('1s');
  expect(filled(scene)).toEqual(['entry', 'stopLoss']);
  expect(scene.position().isFlat).toBe(true);
});

test('leaves with its profit', async () => {
  const scene = await entered().fill({ leg: 'takeProfit:1' });
  expect(scene.position().isFlat).toBe(true);
  expect(scene.programs).toMatchObject([{ state: 'done', reason: 'takeProfit' }]);
});

test('keeps its stop through a crash', async () => {
  const scene = await entered().crash().book({ bid: 59_700, ask: 59_701 }).advance('1s');
  expect(filled(scene)).toEqual(['entry', 'stopLoss']);
});
