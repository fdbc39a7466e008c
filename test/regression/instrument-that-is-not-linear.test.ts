/**
 * `data import --instrument` took an inverse contract without a word, whose profit and fees were then computed as of a linear one: wrong by
 * the factor of the price. Unknown keys of the file were dropped, and steps of zero or limits that leave no quantity were taken.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { callCli } from '../cli/call-cli.ts';
import { freshDir, writeFixture } from '../recording/fixtures.ts';

const PERP = {
  symbol: 'ABCUSDT',
  market: 'derivative',
  base: 'ABC',
  quote: 'USDT',
  settle: 'USDT',
  tickSize: '0.01',
  lotSize: '1',
  contractSize: '0.01',
};

async function imported(change: object) {
  const bars = ['timestamp,open,high,low,close,volume', '2024-01-01T00:00:00Z,1,2,1,2,5'].join('\n');
  const files = [
    writeFixture('bars.csv', bars),
    '--instrument',
    writeFixture('i.json', JSON.stringify({ ...PERP, ...change })),
  ];
  const out = join(freshDir(), 'out');
  const asked = ['--from', 'candles-csv', '--symbol', 'ABCUSDT', '--interval', '1m', '--out', out];
  const { code, stderr } = await callCli(['data', 'import', ...asked, ...files], freshDir());
  return { code, stderr, made: existsSync(out) };
}

it.each([
  [{ settle: 'ABC' }, 'it settles in ABC, not in its quote USDT: inverse and quanto contracts are not computed'],
  [{ settle: 'BTC' }, 'it settles in BTC, not in its quote USDT'],
  [{ minNotinal: '5' }, 'unknown key minNotinal; did you mean minNotional?'],
  [{ zzzzzzzzzzzzzzz: 1 }, 'unknown key zzzzzzzzzzzzzzz; known keys: symbol, market, base'],
  [{ minQuantity: '5', maxQuantity: '2' }, 'minQuantity 5 is above maxQuantity 2'],
  [{ base: 'USDT' }, 'base and quote are both USDT'],
  [{ base: '' }, 'base: '],
  [{ tickSize: '0' }, 'tickSize is 0, it must be above zero'],
  [{ lotSize: '0.00' }, 'lotSize is 0.00, it must be above zero'],
  [{ contractSize: '0' }, 'contractSize is 0, it must be above zero'],
])('data/import/refuses-an-instrument-with %j', async (change, why) => {
  const { code, stderr, made } = await imported(change);
  expect([code, made]).toEqual([2, false]);
  expect(stderr).toContain('import_bad_instrument');
  expect(stderr).toContain(why);
});

it('data/import/takes-a-linear-contract', async () => {
  expect(await imported({})).toMatchObject({ code: 0, made: true });
});
