/**
 * A `command` of `alerts` that hangs kept the process of a session for 3 s more after its end had waited the 3 s that
 * docs/risk.md says. Once nobody waits for it, it keeps nothing.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { silentLogger } from '../../src/model/ports.ts';
import { alertOptions, sinksOf } from '../../src/session/alerts/options.ts';
import { AlertService } from '../../src/session/alerts/service.ts';
import { beforeRemoval, freshFolder } from '../e2e/cli.ts';
import { HandClock } from '../execution/rig.ts';

/** What keeps this process. */
const kept = (): readonly string[] =>
  process.getActiveResourcesInfo().filter((name) => name === 'ProcessWrap' || name === 'PipeWrap');

test('a hanging command of alerts keeps the process no longer than its queue waits', async () => {
  const file = join(freshFolder(), 'pid');
  const hang = `require('node:fs').writeFileSync(${JSON.stringify(file)}, String(process.pid) + '\\n'); setInterval(() => {}, 1000)`;
  const clock = new HandClock();
  const sinks = sinksOf(alertOptions.parse([{ kind: 'command', run: [process.execPath, '-e', hang] }]));
  const alerts = new AlertService({ sinks, session: 's', mode: 'paper', clock, logger: silentLogger });
  const before = kept();
  alerts.page('failed', 'it failed', 'Read the log.');
  expect(kept()).toContain('ProcessWrap');
  await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8').endsWith('\n')).toBe(true);
  beforeRemoval(() => void process.kill(Number(readFileSync(file, 'utf8'))));
  const closed = alerts.close();
  clock.advance(3_000);
  await closed;
  await expect.poll(() => kept()).toEqual(before);
});
