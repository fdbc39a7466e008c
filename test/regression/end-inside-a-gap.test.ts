/**
 * A run whose end was asked for inside a gap of the data ended at the last event before the gap, and was annualised over too
 * few days, without a word; its start inside a gap was as asked.
 */
import { afterAll, expect, it } from 'vitest';
import { SYMBOL, World, type Row } from '../conformance/contracts-world.ts';

const world = new World();
afterAll(() => world.close());

const HOUR = 3_600_000;
const T0 = 472_222 * HOUR;

function bar(hour: number): Row {
  const openTime = T0 + hour * HOUR;
  const prices = { open: '100', high: '100', low: '100', close: '100' };
  return { ts: openTime, symbol: SYMBOL, type: 'candle', intervalMs: HOUR, openTime, ...prices, volume: '1000' };
}

it('figures/period/an-end-inside-a-gap', async () => {
  const { path } = await world.record([0, 1, 2, 100, 101, 102].map((hour) => bar(hour)));
  const at = (hour: number): string => new Date(T0 + hour * HOUR).toISOString();
  const period = async (from: number, to: number) => {
    const { result } = await world.run('scripted.ts', [path], '--from', at(from), '--to', at(to));
    return [(result.period.from - T0) / HOUR, (result.period.to - T0) / HOUR];
  };
  expect(await period(0, 50)).toEqual([0, 50]);
  expect(await period(50, 103)).toEqual([50, 103]);
});
