/**
 * Found by reading: a start with one strategy more was a session of its own. The strategy that held a position before began with
 * nothing and bought it once more; with a program at work, or an order, the start was refused and no strategy could be added.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { listSessions } from '../../src/session/store/store.ts';
import { freshFolder, run } from '../e2e/cli.ts';
import { startExchange, writeExchangeConfig } from '../e2e/exchange-process.ts';

const holds = (name: string, quantity: string): string => `
import { defineStrategy, target } from 'tidewire';
import { map, take } from 'rxjs';

export default defineStrategy({
  name: '${name}',
  symbols: () => ['BTCUSDT'],
  setup: ({ market }) => market.top('BTCUSDT').pipe(take(1), map(() => target('BTCUSDT', { quantity: '${quantity}' }))),
});
`;

it('joins the session of the others, which go on with what they hold', async () => {
  const cwd = freshFolder();
  const exchange = await startExchange(cwd);
  writeFileSync(join(cwd, 'early.ts'), holds('early', '0.01'));
  writeFileSync(join(cwd, 'late.ts'), holds('late', '0.02'));
  const start = async (...names: readonly string[]) => {
    const strategies = names.map((name) => `  - { file: ${name}.ts }\n`).join('');
    const config = writeExchangeConfig(cwd, exchange.line, `strategies:\n${strategies}`);
    const args = ['run', '--config', config, '--live', '--confirm', exchange.user.login, '--json', '--for', '5s'];
    return run(args, { cwd, env: exchange.keys });
  };
  const sessions = () => listSessions(join(cwd, 'data', 'sessions'));
  const bought = async () =>
    (await exchange.orderHistory()).map(({ quantity }) => Number(quantity)).toSorted((a, b) => a - b);

  const alone = await start('early');
  expect(alone.code, alone.stderr).toBe(0);
  expect(await bought()).toEqual([0.01]);
  const [first] = sessions();

  const both = await start('late', 'early');
  expect(both.code, both.stderr).toBe(0);
  expect(both.stderr).toContain(`resuming ${first?.record.id}`);
  expect(await bought()).toEqual([0.01, 0.02]);
  expect(sessions().map(({ record }) => record.strategies.map(({ tag }) => tag))).toEqual([['early', 'late']]);

  const replayed = await run(['replay', sessions()[0]!.path, '--json'], { cwd, env: exchange.keys });
  expect(replayed.code, replayed.stdout).toBe(0);

  const less = await start('early');
  expect(less.code, less.stderr).toBe(3);
  expect(less.stdout).toContain('session_unfinished');
  expect(await bought()).toEqual([0.01, 0.02]);

  const again = await start('early', 'late');
  expect(again.code, again.stderr).toBe(0);
  expect(await bought()).toEqual([0.01, 0.02]);
}, 180_000);
