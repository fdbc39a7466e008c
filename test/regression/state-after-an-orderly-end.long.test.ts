/** Found by use: `state` began anew with each restart that found the strategy flat after an orderly end. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { freshFolder, run } from '../e2e/cli.ts';
import { startExchange, writeExchangeConfig } from '../e2e/exchange-process.ts';
import { entriesOf } from '../e2e/session-view.ts';
import { listSessions } from '../../src/session/store/store.ts';

const STRATEGY = `
import { defineStrategy, note, z } from 'tidewire';
import { map, take } from 'rxjs';
export default defineStrategy({
  name: 'counter',
  symbols: () => ['BTCUSDT'],
  setup({ state, clock }) {
    const starts = state(z.number(), 0, 'starts');
    starts.set(starts.get() + 1);
    return clock.every('100ms').pipe(take(1), map(() => note('starts', { starts: starts.get() })));
  },
});
`;

it('state/continues-in-the-next-live-session', async () => {
  const cwd = freshFolder();
  const exchange = await startExchange(cwd);
  const config = writeExchangeConfig(cwd, exchange.line);
  const file = join(cwd, 'counter.ts');
  writeFileSync(file, STRATEGY);
  const live = ['run', file, '--config', config, '--live', '--confirm', exchange.user.login, '--for', '2s', '--json'];
  const starts: unknown[] = [];
  for (const more of [[], [], ['--new'], []]) {
    const ended = await run([...live, ...more], { cwd, env: exchange.keys });
    expect(ended.code, ended.stderr).toBe(0);
    const newest = listSessions(join(cwd, 'data', 'sessions')).toSorted(
      (one, other) => other.record.startedAt - one.record.startedAt,
    )[0];
    const [told] = entriesOf(newest?.path ?? '', 'note').filter(({ text }) => text === 'starts');
    starts.push(told?.data);
  }
  expect(starts).toEqual([{ starts: 1 }, { starts: 2 }, { starts: 1 }, { starts: 2 }]);
});
