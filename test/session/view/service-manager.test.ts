/** What systemd hears of a session: by a program in place of systemd-notify that writes down its arguments. */
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { tellServiceManager } from '../../../src/session/view/service-manager.ts';
import { lines } from '../../bridge/metrics/lines.ts';
import { HandClock } from '../../execution/rig.ts';

let folder: string;
let heard: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidewire-notify-'));
  heard = join(folder, 'heard');
  const program = join(folder, 'systemd-notify');
  writeFileSync(program, `#!/bin/sh\necho "$NOTIFY_SOCKET|$TIDEWIRE_API_SECRET|$*" >> ${heard}\n`);
  chmodSync(program, 0o700);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const told = (): readonly string[] =>
  existsSync(heard)
    ? readFileSync(heard, 'utf8')
        .trim()
        .split('\n')
        .map((line) => line.replace('/run/notify||', ''))
    : [];

test('session/service-manager/says ready, alive within half of the limit, and stopping; its status when it changes', async () => {
  const clock = new HandClock();
  let status = 'paper-1: running';
  const env = {
    NOTIFY_SOCKET: '/run/notify',
    WATCHDOG_USEC: '30000000',
    PATH: `${folder}:/usr/bin:/bin`,
    TIDEWIRE_API_SECRET: 'not for it',
  };
  const stop = tellServiceManager({ env, clock, logger: lines(), status: () => status });
  await expect.poll(told).toEqual(['READY=1 STATUS=paper-1: running']);
  clock.advance(14_999);
  status = 'paper-1: killed';
  clock.advance(1);
  await expect.poll(() => told().at(-1)).toBe('WATCHDOG=1');
  clock.advance(5_000);
  await expect.poll(() => told().at(-1)).toBe('STATUS=paper-1: killed');
  stop();
  await expect.poll(() => told().at(-1)).toBe('STOPPING=1');
  clock.advance(60_000);
  expect(told()).toHaveLength(4);
});

test('session/service-manager/without a service manager nothing is started; without its program the log says so once', async () => {
  const clock = new HandClock();
  const logger = lines();
  const deps = { clock, logger, status: () => '' };
  tellServiceManager({ ...deps, env: { PATH: folder } })();
  expect(told()).toEqual([]);
  rmSync(join(folder, 'systemd-notify'));
  const stop = tellServiceManager({ ...deps, env: { NOTIFY_SOCKET: 'x', WATCHDOG_USEC: '1000000', PATH: folder } });
  await expect.poll(() => logger.all).toEqual(['{"reason":"ENOENT"} systemd is not notified']);
  clock.advance(5_000);
  stop();
  expect(logger.all).toHaveLength(1);
});
