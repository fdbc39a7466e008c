/**
 * Found by a stranger who ended a session with Ctrl-C: a strategy that was latched, and held nothing, traded on in the next
 * session, though nobody had enabled it.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { listSessions } from '../../src/session/store/store.ts';
import { freshFolder, run } from '../e2e/cli.ts';
import { startExchange, writeExchangeConfig } from '../e2e/exchange-process.ts';
import { entriesOf } from '../e2e/session-view.ts';

const TURNS = `
import { defineStrategy, target } from 'tidewire';
import { map } from 'rxjs';

export default defineStrategy({
  name: 'turns',
  symbols: () => ['BTCUSDT'],
  setup: ({ clock, account }) =>
    clock.every('500ms').pipe(
      map(() => target('BTCUSDT', { quantity: account.position('BTCUSDT').quantity === '0' ? '0.01' : '0' })),
    ),
});
`;

it('keeps the latch until a human takes it off', async () => {
  const cwd = freshFolder();
  const exchange = await startExchange(cwd);
  const latches = 'risk: { repeatedExecutions: { count: 2, windowMs: 60000 } }\n';
  const config = writeExchangeConfig(cwd, exchange.line, latches);
  const strategy = join(cwd, 'turns.ts');
  writeFileSync(strategy, TURNS);
  const args = [
    'run',
    strategy,
    '--config',
    config,
    '--live',
    '--confirm',
    exchange.user.login,
    '--json',
    '--for',
    '6s',
  ];
  const sessions = () => listSessions(join(cwd, 'data', 'sessions'));

  const first = await run(args, { cwd, env: exchange.keys });
  expect(first.code, first.stderr).toBe(0);
  const [session] = sessions();
  expect(session?.record).toMatchObject({ clean: true, left: true });
  expect(entriesOf(session?.path ?? '', 'latch')).toHaveLength(1);
  const traded = (await exchange.orderHistory()).length;
  const second = await run(args, { cwd, env: exchange.keys });
  expect(second.code, second.stderr).toBe(0);
  expect(sessions()).toHaveLength(1);
  expect((await exchange.orderHistory()).length).toBe(traded);
}, 60_000);
