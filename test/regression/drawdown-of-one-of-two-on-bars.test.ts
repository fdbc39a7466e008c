/**
 * Found by a stranger: on bars the curve of each of several strategies marked the position from before a limit's fill at the
 * close after it, a state that never was. One that traded alone had another drawdown than the whole.
 */
import { afterAll, expect, it } from 'vitest';
import type { Stats } from '../../src/statistics/stats.ts';
import { SYMBOL, World, type Row } from '../conformance/contracts-world.ts';

const world = new World();
afterAll(() => world.close());

const MINUTE = 60_000;
const T0 = 28_333_334 * MINUTE;

function bars(symbol: string): readonly Row[] {
  return Array.from({ length: 120 }, (_, minute) => {
    const openTime = T0 + minute * MINUTE;
    const [open, close] = [minute - 1, minute].map((at) => 100 + 3 * Math.sin(at / 5) + ((at * 7) % 5) / 4);
    const prices = { open, high: Math.max(open!, close!) + 0.4, low: Math.min(open!, close!) - 0.4, close };
    const texts = Object.fromEntries(Object.entries(prices).map(([name, price]) => [name, price!.toFixed(2)]));
    return { ts: openTime, symbol, type: 'candle', intervalMs: MINUTE, openTime, ...texts, volume: '100000' };
  });
}

const MAKER = `
import { defineCandleStrategy, quote } from 'tidewire';
export default defineCandleStrategy({
  name: 'maker', symbols: () => ['${SYMBOL}'], interval: '1m',
  onCandle({ close }) {
    const leg = (price: number) => [{ price: price.toFixed(2), quantity: '50' }];
    return quote('${SYMBOL}', { bids: leg(close - 0.2), asks: leg(close + 0.2) });
  },
});
`;

const IDLE = (symbol: string): string => `
import { defineCandleStrategy } from 'tidewire';
export default defineCandleStrategy({ name: 'idle', symbols: () => ['${symbol}'], interval: '1m', onCandle: () => [] });
`;

const NAMES = ['netPnl', 'maxDrawdownPct', 'maxDrawdownDurationMs', 'ulcer', 'recoveryMs', 'sharpe'] as const;

it.each([SYMBOL, 'BBBUSDT'])('has the figures of the whole where the other, on %s, never trades', async (other) => {
  const files = [world.write('maker.ts', MAKER), world.write('idle.ts', IDLE(other))];
  const { path } = await world.record(other === SYMBOL ? bars(SYMBOL) : [...bars(SYMBOL), ...bars(other)]);
  const config = `account: { start: { USDT: "100000", AAA: "500" } }
strategies: [${files.map((file) => `{ file: ${file} }`).join(', ')}]
`;
  const flags = ['--config', world.write('two.yaml', config), '--data', path, '--result', 'two.json'];
  const printed = await world.command('backtest', ...flags);
  expect([printed.exit, printed.err]).toEqual([0, expect.anything()]);
  const { stats, strategies } = JSON.parse(world.read('two.json')) as {
    readonly stats: Stats;
    readonly strategies: readonly { readonly fills: number; readonly stats: Stats }[];
  };
  expect(strategies[0]!.fills).toBeGreaterThan(50);
  for (const name of NAMES) expect(strategies[0]!.stats[name], name).toBeCloseTo(stats[name]!, 9);
});
