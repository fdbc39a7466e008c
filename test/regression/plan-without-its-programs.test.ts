/** `plan` named resting orders alone: a stop that waited for its trigger was not among what a restart continues with. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { callCli } from '../cli/call-cli.ts';
import { startExchange, writeExchangeConfig } from '../e2e/exchange-process.ts';
import { documentOf, freshFolder, start } from '../e2e/cli.ts';

const guarded = `import { defineStrategy, stop } from 'tidewire';
import { map, take } from 'rxjs';

export default defineStrategy({
  name: 'guarded',
  setup: ({ market }) =>
    market.top('BTCUSDT').pipe(
      take(1),
      map(() => stop({ ref: 'far', symbol: 'BTCUSDT', side: 'buy', quantity: '0.001', trigger: '99999' })),
    ),
});
`;

interface Shown {
  readonly programs: readonly { readonly ref: string; readonly state: string }[];
}

it('plan/programs-at-work/are-what-a-restart-continues-with', async () => {
  const cwd = freshFolder();
  const exchange = await startExchange(cwd);
  const config = writeExchangeConfig(cwd, exchange.line);
  const strategy = join(cwd, 'guarded.ts');
  writeFileSync(strategy, guarded);
  const call = (...argv: string[]): ReturnType<typeof callCli> => callCli(argv, cwd, { env: exchange.keys });
  const args = ['run', strategy, '--config', config, '--live', '--confirm', exchange.user.login, '--json'];
  const live = start(args, { cwd, env: exchange.keys });
  await live.during('a stop at work', async () => {
    const shown = await call('programs', '--json');
    return shown.code === 0 && shown.stdout.includes('"working"') ? true : undefined;
  });
  await live.signal('SIGKILL');

  const planned = await call('plan', '--config', config, '--json');
  const { programs } = documentOf<Shown>({ ...planned, signal: null });
  expect(programs).toMatchObject([{ ref: 'far', kind: 'stop', state: 'working', next: { trigger: '99999' } }]);
  const { stdout } = await call('plan', '--config', config);
  expect(stdout).toMatch(
    /= continues with\n +stop far: 0\/0\.001 filled, BTCUSDT of guarded; it waits for .+, trigger 99999\n/,
  );
});
