/**
 * Found from outside: a session that was killed did not start again after one of its symbols was taken away, since its
 * recording could not be continued; what it held had nobody to watch it.
 */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readManifest } from '../../src/recording/frames/manifest.ts';
import { listSessions } from '../../src/session/store/store.ts';
import { freshFolder, run, start } from '../e2e/cli.ts';

const STRATEGY = `
import { defineStrategy, z } from 'tidewire';
import { merge, ignoreElements } from 'rxjs';

export default defineStrategy({
  name: 'fewer',
  params: z.object({ also: z.string().default('') }),
  symbols: ({ also }) => ['BTCUSDT', ...(also === '' ? [] : [also])],
  setup: ({ market, params: { also } }) =>
    merge(market.top('BTCUSDT'), ...(also === '' ? [] : [market.top(also)])).pipe(ignoreElements()),
});
`;

it('start/goes-on-with-fewer-symbols-than-it-has-recorded', { timeout: 60_000 }, async () => {
  const cwd = freshFolder();
  const file = join(cwd, 'fewer.ts');
  writeFileSync(file, STRATEGY);
  const sessions = join(cwd, 'data', 'sessions');
  const first = start(['paper', file, '--param', 'also=ETHUSDT', '--json'], { cwd });
  await first.during('decisions', () =>
    listSessions(sessions)[0]?.record.decidingFrom === null ? undefined : listSessions(sessions)[0],
  );
  await first.signal('SIGKILL');
  const ended = await run(['paper', file, '--for', '1s', '--json'], { cwd });
  expect(ended.code, ended.stderr).toBe(0);
  const [session, ...others] = listSessions(sessions);
  expect(others).toEqual([]);
  expect(readdirSync(session!.path).filter((name) => name.startsWith('recording'))).toEqual(['recording']);
  expect(readManifest(join(session!.path, 'recording')).symbols).toEqual(['BTCUSDT', 'ETHUSDT']);
});
