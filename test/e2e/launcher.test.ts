/**
 * `bin/tidewire.js` on a Node that is too old for tidewire: it starts a second process, passes on the signals that can be
 * caught, and the second process ends in order when the first is gone. Skipped where no such Node is installed.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { beforeRemoval, freshFolder, root, strategyFile, until } from './cli.ts';
import { sessions, type SessionView } from './session-view.ts';

const OLD_NODE = '/usr/bin/node';
const LOWEST_MAJOR = 24;
const version = spawnSync(OLD_NODE, ['--version'], { encoding: 'utf8' }).stdout ?? '';
const isOld = existsSync(OLD_NODE) && Number(/^v(\d+)/.exec(version)?.[1] ?? LOWEST_MAJOR) < LOWEST_MAJOR;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe.skipIf(!isOld)('the launcher on an older Node', () => {
  it.each([
    ['SIGINT', 0],
    ['SIGTERM', 0],
    ['SIGHUP', 0],
    ['SIGKILL', null],
  ] as const)('launcher/%s/ends-the-session-in-order', async (signal, code) => {
    const cwd = freshFolder();
    const args = [join(root, 'bin', 'tidewire.js'), 'paper', strategyFile('spread-maker'), '--json'];
    const launcher = spawn(OLD_NODE, args, { cwd, stdio: 'ignore' });
    beforeRemoval(() => launcher.kill('SIGKILL'));
    const exited = new Promise((resolve) => launcher.on('exit', resolve));
    const one = (found: (view: SessionView) => boolean): Promise<SessionView> =>
      until('the session', async () => (existsSync(join(cwd, 'data')) ? (await sessions(cwd)).find(found) : undefined));
    const { pid } = await one(({ openOrders }) => openOrders.length > 0);
    expect(pid).not.toBe(launcher.pid);
    launcher.kill(signal);
    expect(await exited).toBe(code);
    await until('the end of the second process', () => (isAlive(pid ?? 0) ? undefined : true));
    expect(await one(() => true)).toMatchObject({ clean: true, openOrders: [] });
  });
});
