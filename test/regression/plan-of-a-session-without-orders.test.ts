/**
 * A live session that has traded nothing (killed before its first order, or made to move money alone) has no market in its
 * journal. `plan` and `reconcile` then read none, called that unreadable, and ended with 4 for ever.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { callCli } from '../cli/call-cli.ts';
import { documentOf, freshFolder, run } from '../e2e/cli.ts';
import { startExchange, writeExchangeConfig } from '../e2e/exchange-process.ts';

const idle = `import { defineStrategy, note } from 'tidewire';
import { map } from 'rxjs';

export default defineStrategy({
  name: 'idle',
  setup: ({ market }) => market.top('BTCUSDT').pipe(map(() => note('looked'))),
});
`;

it('plans and reconciles a session that has sent no order', async () => {
  const cwd = freshFolder();
  const exchange = await startExchange(cwd);
  const config = writeExchangeConfig(cwd, exchange.line);
  const strategy = join(cwd, 'idle.ts');
  writeFileSync(strategy, idle);
  const args = [
    'run',
    strategy,
    '--config',
    config,
    '--live',
    '--confirm',
    exchange.user.login,
    '--for',
    '1s',
    '--json',
  ];
  const ended = await run(args, { cwd, env: exchange.keys });
  expect(ended.code, ended.stderr).toBe(0);
  for (const [command, expected] of [
    ['plan', { complete: true, failures: [], nothingToDo: true }],
    ['reconcile', { complete: true, failures: [], changes: [] }],
  ] as const) {
    const { code, stdout, stderr } = await callCli([command, '--config', config, '--json'], cwd, {
      env: exchange.keys,
    });
    expect(documentOf({ code, signal: null, stdout, stderr })).toMatchObject(expected);
    expect(code).toBe(0);
  }
});
