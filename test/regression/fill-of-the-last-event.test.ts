/**
 * A backtest ended with its data, and fills of the last moments were still on their way back when the stop policy was
 * `leave`: they moved the equity and were missing among the fills, and their orders stayed open. Found by the parity runs.
 */
import { expect, it } from 'vitest';
import { datasetOf } from '../parity/dataset.ts';
import type { Rules } from '../parity/rules.ts';
import { playSession } from '../parity/tidewire.ts';

const START_MS = 1_800_000_000_000;

const rules: Rules = {
  mode: 'default',
  exchange: 'partial-fill',
  queue: { model: 'risk-averse' },
  nettingWindowUs: 100_000,
  latency: { model: 'constant' },
  entryUs: 25_000,
  responseUs: 25_000,
  maker: '0.0002',
  taker: '0.0005',
  quote: '100000',
  base: '10',
};

function line(afterMs: number, data: object): string {
  return `${START_MS + afterMs}000000 ${JSON.stringify(data)}`;
}

const lines = [
  line(1, { lastUpdateId: 10, bids: [['100.1', '2.001']], asks: [['100.2', '3']] }),
  ...Array.from({ length: 30 }, (_, index) => {
    const ms = 100 + 100 * index;
    const ids = { U: 11 + index, u: 11 + index };
    const data = { e: 'depthUpdate', E: START_MS + ms, s: 'BTCUSDT', ...ids, b: [['99.9', `${1 + index}`]], a: [] };
    return line(ms + 1, { stream: 'btcusdt@depth', data });
  }),
  line(3006, {
    stream: 'btcusdt@trade',
    data: { e: 'trade', E: START_MS + 3005, T: START_MS + 3005, s: 'BTCUSDT', t: 1, p: '100', q: '1', m: true },
  }),
];

it('tells the fills of the last event of the data', async () => {
  const dataset = await datasetOf('last event', 'BTCUSDT', lines);
  const order = { kind: 'place', ref: 'a', side: 'buy', price: 1001, quantity: 1000, timeInForce: 'gtc' } as const;
  const { orders, position } = await playSession(dataset, [{ ...order, us: (START_MS + 1000) * 1000 }], rules);
  dataset.close();
  expect(orders.map(({ state, fills }) => [state, fills.length])).toEqual([['filled', 1]]);
  expect(position).toBe('0.9998');
});
