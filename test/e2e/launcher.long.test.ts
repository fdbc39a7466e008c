/**
 * `bin/tidewire.js` on a Node that is too old for tidewire: it starts a second process, passes on the signals that can be
 * caught, and the second process ends in order when the first is gone. Skipped where no such Node is installed.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { callCli } from '../cli/call-cli.ts';
import { beforeRemoval, freshFolder, root, start, strategyFile, until } from './cli.ts';
import { sessions, type SessionView } from './session-view.ts';

const OLD_NODE = '/usr/bin/node';
const LOWEST_MAJOR = 24;
const version = spawnSync(OLD_NODE, ['--version'], { encoding: 'utf8' }).stdout ?? '';
const isOld = existsSync(OLD_NODE) && Number(/^v(\d+)/.exec(version)?.[1] ?? LOWEST_MAJOR) < LOWEST_MAJOR;

const GUARDED = `
import { bracket, defineStrategy } from 'tidewire';
import { map, take } from 'rxjs';

export default defineStrategy({
  name: 'guarded',
  setup: ({ market }) =>
    market.top('BTCUSDT').pipe(
      take(1),
      map(() =>
        bracket({
          ref: 'guarded',
          entry: { symbol: 'BTCUSDT', side: 'buy', type: 'market', quantity: '0.002' },
          takeProfit: { bps: 400 },
          stopLoss: { bps: 400 },
        }),
      ),
    ),
});
`;

interface Program {
  readonly state: string;
  readonly children: readonly string[];
}

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

  it('launcher/SIGKILL/leaves-order-programs-to-the-next-start', async () => {
    const cwd = freshFolder();
    const file = join(cwd, 'guarded.ts');
    writeFileSync(file, GUARDED);
    const args = [join(root, 'bin', 'tidewire.js'), 'paper', file, '--json'];
    const launcher = spawn(OLD_NODE, args, { cwd, stdio: 'ignore' });
    beforeRemoval(() => launcher.kill('SIGKILL'));
    const programs = async (): Promise<readonly Program[]> => {
      const { code, stdout } = await callCli(['programs', '--json'], cwd);
      return code === 0 ? (JSON.parse(stdout) as { programs: readonly Program[] }).programs : [];
    };
    const { pid } = await until('an order of the bracket', async () =>
      (await sessions(cwd)).find(({ openOrders }) => openOrders.length > 0),
    );
    launcher.kill('SIGKILL');
    await until('the end of the second process', () => (isAlive(pid ?? 0) ? undefined : true));
    const [left] = await programs();
    expect(left).toMatchObject({ ref: 'guarded', state: 'working' });
    const again = start(['paper', file, '--json'], { cwd });
    // A take-profit of the second process rests, whether or not the first had placed one.
    const before = left?.children.length ?? 0;
    await again.during('the exit', async () =>
      (await sessions(cwd)).some(({ openOrders }) => openOrders.length > 0) &&
      ((await programs())[0]?.children.length ?? 0) > before
        ? true
        : undefined,
    );
    await again.signal('SIGKILL');
  });
});
