/**
 * A session that was started again with other parameters went on with what the old ones began and said nothing; the
 * execution strategies gave no order to whoever asked for another one, without a word.
 */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startSandbox } from '../../src/sandbox/server.ts';
import { systemClock } from '../../src/session/clock/system-clock.ts';
import { Customer } from '../cli/operations/customer.ts';
import { beforeRemoval, documentOf, strategyFile } from '../e2e/cli.ts';
import { entriesOf, sessions } from '../e2e/session-view.ts';

it('names the parameters that changed, and what keeps its terms or is not given', async () => {
  const sandbox = await startSandbox({ port: 0, seed: 7, clock: systemClock });
  beforeRemoval(() => void sandbox.stop());
  const customer = new Customer(sandbox);
  const run = (...params: readonly string[]) => {
    const named = ['overSeconds=5', 'slices=4', ...params].flatMap((param) => ['--param', param]);
    const live = ['--live', '--confirm', customer.user.login];
    return customer.begin(['run', strategyFile('twap-execution'), ...live, ...named, '--for', '6s']);
  };
  const first = run('quantity=0.02', 'urgency=high');
  await first.during('a fill', async () => {
    const [session] = await sessions(customer.cwd, ['--config', join(customer.cwd, 'c.yaml')]);
    return session === undefined || entriesOf(session.path, 'fill').length === 0 ? undefined : true;
  });
  await first.signal('SIGKILL');

  const second = await run('quantity=0.01', 'side=sell', 'urgency=high').ended;
  const changed =
    'twap-execution is resumed with other parameters than before: side "buy" → "sell", quantity "0.02" → "0.01"';
  const { warnings } = documentOf<{ warnings: readonly string[] }>(second);
  const said = warnings.find((warning) => warning.startsWith(changed));
  expect(said, warnings.join('\n')).toMatch(
    /; programs at work keep the terms they began with: parent-\d+ \(twap BTCUSDT, 0\.0\d+ of 0\.02 filled\)$/,
  );
  expect(second.stderr).toContain(changed);
  expect(second.stderr).toContain('no order is given: this session gave its parent before');

  const third = await run('quantity=0.01', 'side=sell', 'urgency=high').ended;
  expect(third.code, third.stderr).toBe(0);
  expect(third.stderr).not.toContain('other parameters than before');
  expect(third.stderr).toContain('no order is given: this session gave its parent before');
  const [session] = await sessions(customer.cwd, ['--config', join(customer.cwd, 'c.yaml')]);
  expect(entriesOf(session!.path, 'fill').every(({ fill }) => fill.side === 'buy')).toBe(true);
});
