/**
 * A package that adds an enumerable key to Object.prototype ended `paper` as an internal error, and, where it came while
 * the strategies ran, stopped healthy ones for an unknown key of their own actions.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { bracket, place, quote, target } from 'tidewire';
import { actionProblem, sound } from '../../src/strategy/action-shape.ts';
import { freshFolder, run } from '../e2e/cli.ts';

const open = Object.prototype as { polluted?: unknown };

afterEach(() => {
  delete open.polluted;
});

test('strategy/polluted-prototype/actions-have-own-keys-only', () => {
  open.polluted = 1;
  const leg = { price: 1, quantity: 1 };
  const order = { symbol: 'S', side: 'buy', type: 'limit', price: 1, quantity: 1 } as const;
  for (const action of [
    quote('S', { bids: [leg], asks: [leg] }, { tag: 't' }),
    bracket({ entry: place(order), takeProfit: 2 }),
    target('S', { quantity: 1, via: { twap: { over: '1m' } } }),
  ])
    expect(actionProblem(action)).toBeUndefined();
  // A target that is named again is still known.
  sound.target = null;
  expect(target('S', { quantity: 2 })).toBe(target('S', { quantity: 2 }));
  expect(() => place({ ...order, polluted: 1 } as never)).toThrow("place: there is no 'polluted'");
});

test('strategy/polluted-prototype/paper-runs-and-says-it', async () => {
  const cwd = freshFolder();
  mkdirSync(join(cwd, 'lib'));
  writeFileSync(join(cwd, 'lib', 'old.js'), 'Object.prototype.extend2 = function () {};\n');
  writeFileSync(
    join(cwd, 'mine.ts'),
    `import './lib/old.js';
     import { defineStrategy, quote, z } from 'tidewire';
     import { map } from 'rxjs';
     export default defineStrategy({
       name: 'mine',
       params: z.object({ symbol: z.string().default('BTCUSDT') }),
       setup: ({ market, params: { symbol } }) =>
         market.top(symbol, { every: '100ms' }).pipe(
           map(({ bid }) => {
             // As a package that is loaded late.
             Object.assign(Object.prototype, { later: 1 });
             return quote(symbol, { bids: [{ price: bid, quantity: 0.001 }], asks: [] });
           }),
         ),
     });\n`,
  );
  const ended = await run(['paper', 'mine.ts', '--for', '1s', '--no-dashboard'], { cwd });
  expect(ended.code, ended.stderr).toBe(0);
  expect(ended.stderr).toContain('adds Object.prototype.extend2, which a backtest refuses');
});
