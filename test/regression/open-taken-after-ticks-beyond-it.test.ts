/**
 * With `exchange: candles` beside ticks of another symbol a decision up to a second after a bar's close took the open of the
 * next bar, though it had seen ticks of after that open.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { BARS_FROM, bar, limit, marketOrder, told, trade, World } from '../conformance/contracts-world.ts';

let world: World;
beforeAll(() => (world = new World()));
afterAll(() => world.close());

const MINUTE = 60_000;
const OPEN = BARS_FROM + 2 * MINUTE;
const OTHER = { symbol: 'BBBUSDT' };

const bars = [0, 1, 2, 3, 4].map((minute) => {
  const price = 100 + 10 * minute;
  return bar(minute, [price, price + 5, price - 5, price + 1]);
});

/** Ticks of the other symbol, each received 2 ms after it. */
function ticks(...at: readonly number[]): readonly object[] {
  return at.map((ms) => trade(ms, '50', '1', 'buy', OTHER));
}

async function taken(rows: readonly object[], at: number, action: object): Promise<readonly string[]> {
  const all = [...bars, ...rows] as Parameters<World['play']>[0];
  const result = await world.play(all, [{ at, actions: [action] }], { config: CONFIG });
  return told(result.fills).map((text) => text.replace(/^\d+/, (ms) => `${(Number(ms) - BARS_FROM) / MINUTE}`));
}

const CONFIG = 'simulation: { exchange: candles }\nrisk: { priceCollar: 0.5 }\n';
const buys = marketOrder('buy', '1', 'a');
const AT_NEXT = ['3 a buy 1@130.013 taker'];
const AT_THIS = ['2 a buy 1@120.012 taker'];

it('bars/open/is-not-taken-by-a-decision-that-has-seen-ticks-of-after-it', async () => {
  expect(await taken(ticks(OPEN + 300), OPEN + 500, buys)).toEqual(AT_NEXT);
  expect(await taken(ticks(OPEN + 300), OPEN + 302, buys)).toEqual(AT_NEXT);
});

it('bars/open/nor-by-a-limit-that-would-cross-at-it', async () => {
  expect(await taken([], OPEN + 500, limit('buy', '122', '1', 'a'))).toEqual(['2 a buy 1@120 taker']);
  expect(await taken(ticks(OPEN + 300), OPEN + 500, limit('buy', '122', '1', 'a'))).toEqual([]);
});

it('bars/open/is-taken-by-a-decision-before-any-tick-of-after-it', async () => {
  expect(await taken([], OPEN + 500, buys)).toEqual(AT_THIS);
  expect(await taken(ticks(OPEN - 300, OPEN + 600), OPEN + 500, buys)).toEqual(AT_THIS);
  // Happened before, and is received after it.
  expect(await taken(ticks(OPEN - 1), OPEN + 500, buys)).toEqual(AT_THIS);
});

it('bars/open/is-taken-by-a-decision-at-the-receipt-of-the-close', async () => {
  const late = bars.map((row, index) => (index === 1 ? { ...row, recv: OPEN + 400 } : row));
  const rows = [...late, ...ticks(OPEN + 100)] as Parameters<World['play']>[0];
  const run = async (at: number) => {
    const options = { config: CONFIG };
    return told((await world.play(rows, [{ at, actions: [buys] }], options)).fills).map((text) =>
      text.replace(/^\d+ /, ''),
    );
  };
  expect(await run(OPEN + 400)).toEqual(['a buy 1@120.012 taker']);
  expect(await run(OPEN + 300)).toEqual(['a buy 1@130.013 taker']);
});
