/** Found from outside: the ref of a transfer moved money again, and the limit of the day began anew, after each orderly end. */
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { freshFolder, run } from '../e2e/cli.ts';
import { startExchange, writeExchangeConfig } from '../e2e/exchange-process.ts';
import { entriesOf } from '../e2e/session-view.ts';
import { listSessions } from '../../src/session/store/store.ts';

const STRATEGY = `
import { defineStrategy, transfer, z } from 'tidewire';
import { from, map, mergeMap, take } from 'rxjs';
export default defineStrategy({
  name: 'saver',
  params: z.object({ refs: z.string() }),
  symbols: () => ['BTCUSDT'],
  setup: ({ clock, params }) =>
    clock.every('1s').pipe(
      take(1),
      mergeMap(() => from(params.refs.split('+'))),
      map((ref) => transfer({ from: 'unified-trading', to: 'funding', currency: 'USDT', amount: '40', ref })),
    ),
});
`;

const LIMITS =
  "{ transfers: { routes: [['unified-trading', 'funding']], max: { USDT: '40' }, maxPerDay: { USDT: '100' } } }";

it('transfers/a-ref-and-the-sum-of-the-day-outlive-an-orderly-end', async () => {
  const cwd = freshFolder();
  const exchange = await startExchange(cwd);
  const config = writeExchangeConfig(cwd, exchange.line);
  const file = join(cwd, 'saver.ts');
  writeFileSync(file, STRATEGY);
  appendFileSync(config, `strategies: [{ file: ${file}, limits: ${LIMITS} }]\n`);
  const live = ['run', '--config', config, '--live', '--confirm', exchange.user.login, '--for', '4s', '--json'];
  const moved: unknown[] = [];
  for (const more of [['r1'], ['r1+r2'], ['r3', '--new']]) {
    const [refs, ...flags] = more;
    const ended = await run([...live, '--param', `refs=${refs}`, ...flags], { cwd, env: exchange.keys });
    expect(ended.code, ended.stderr).toBe(0);
    const newest = listSessions(join(cwd, 'data', 'sessions')).toSorted(
      (one, other) => other.record.startedAt - one.record.startedAt,
    )[0];
    const path = newest?.path ?? '';
    moved.push([
      ...entriesOf(path, 'money-intent').map(({ ref }) => ref),
      ...entriesOf(path, 'denial').map(({ reason }) => reason),
    ]);
  }
  expect(moved).toEqual([['r1'], ['r2', 'duplicate_ref'], ['daily_transfer']]);
});
