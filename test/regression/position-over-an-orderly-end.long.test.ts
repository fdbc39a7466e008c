/**
 * Found by reading: a session that ended in order while its strategy held something was over, so that the next start began
 * another one in which the strategy held nothing, and bought what it should hold once more.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { listSessions } from '../../src/session/store/store.ts';
import { freshFolder, run } from '../e2e/cli.ts';
import { startExchange, writeExchangeConfig } from '../e2e/exchange-process.ts';

const HOLDS = `
import { defineStrategy, target } from 'tidewire';
import { map, take } from 'rxjs';

export default defineStrategy({
  name: 'holds',
  symbols: () => ['BTCUSDT'],
  setup: ({ market }) => market.top('BTCUSDT').pipe(take(1), map(() => target('BTCUSDT', { quantity: '0.01' }))),
});
`;

it('goes on with what the strategy holds', async () => {
  const cwd = freshFolder();
  const exchange = await startExchange(cwd);
  const config = writeExchangeConfig(cwd, exchange.line);
  const strategy = join(cwd, 'holds.ts');
  writeFileSync(strategy, HOLDS);
  const args = ['run', strategy, '--config', config, '--live', '--confirm', exchange.user.login, '--json'];
  const sessions = () => listSessions(join(cwd, 'data', 'sessions'));
  const bought = async () => (await exchange.orderHistory()).length;

  const first = await run([...args, '--for', '5s'], { cwd, env: exchange.keys });
  expect(first.code, first.stderr).toBe(0);
  expect(await bought()).toBe(1);
  expect(sessions()[0]?.record).toMatchObject({ clean: true, left: true });
  const second = await run([...args, '--for', '5s'], { cwd, env: exchange.keys });
  expect(second.code, second.stderr).toBe(0);
  expect(second.stderr).toContain('which left orders, a position, a latch, a pause or a halt');
  expect(await bought()).toBe(1);
  expect(sessions()).toHaveLength(1);

  // Who wants to begin with nothing says so.
  const fresh = await run([...args, '--for', '5s', '--new'], { cwd, env: exchange.keys });
  expect(fresh.code, fresh.stderr).toBe(0);
  expect(fresh.stderr).toMatch(/^warn 0\.0\d+ BTCUSDT of holds stays with \S+: no strategy of the new session/m);
  expect(await bought()).toBe(2);
  expect(sessions()).toHaveLength(2);
}, 120_000);
