/**
 * `panic --flatten` sold a position twice, the second time a human's own coins, when a copy or a restored backup of the session
 * lay beside its folder; and the copy that went on did not know what was sold. Real processes on a real sandbox without agents.
 */
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { crash, SPOT, type Setting } from '../e2e/crash-setting.ts';
import { documentOf, run } from '../e2e/cli.ts';
import { sessions } from '../e2e/session-view.ts';

const BOUGHT = { symbol: SPOT, quantity: 'sell 0.01999', outcome: 'accepted' };

interface Status {
  readonly id: string;
  readonly path: string;
  readonly positions: readonly { readonly quantity: string }[];
}

/** Killed with 0.02 bought. */
async function bought(setting: Setting): Promise<Status> {
  const bot = setting.start({ symbol: SPOT, side: 'buy', type: 'market', quantity: '0.02' });
  await setting.journalled(bot, 'fill');
  await bot.signal('SIGKILL');
  const [session] = await sessions(setting.cwd, ['--config', setting.config]);
  return session as never;
}

function command(setting: Setting, ...args: readonly string[]) {
  return run([...args, '--config', setting.config], { cwd: setting.cwd, env: setting.env() });
}

it('panic/flatten/copy-of-a-folder-counts-once', () =>
  crash(async (setting) => {
    const { id, path } = await bought(setting);
    cpSync(path, `${path}.bak`, { recursive: true });
    const { code, flattened, problems } = await setting.panic();
    expect({ code, flattened }).toEqual({ code: 0, flattened: [BOUGHT] });
    expect(problems).toEqual([expect.stringContaining('holds the same session as')]);
    expect(await setting.panic()).toMatchObject({ code: 0, flattened: [] });
    expect(setting.orders).toBe(2);

    const status = await command(setting, 'status');
    expect(status.stdout).toMatch(/TWICE: .*\.bak/);
    const healed = await command(setting, 'reconcile', id);
    expect(healed.code, healed.stderr).toBe(0);
    const rows = documentOf<{ sessions: readonly Status[] }>(await command(setting, 'status', id, '--json'));
    expect(rows.sessions).toMatchObject([{ positions: [] }]);
  }));

it('panic/flatten/restored-backup-beside-its-session-counts-once', () =>
  crash(async (setting) => {
    const { id, path } = await bought(setting);
    const file = join(setting.cwd, 'backup.db');
    expect((await command(setting, 'journal', 'backup', id, file)).code).toBe(0);
    const restored = await command(setting, 'journal', 'restore', file, join(path, '..', 'NEW'));
    expect(restored.stderr).toContain(`${path} is the same session`);
    const { code, flattened, problems } = await setting.panic();
    expect({ code, flattened }).toEqual({ code: 0, flattened: [BOUGHT] });
    expect(problems).toEqual([expect.stringContaining('holds the same session as')]);
    // Whichever is left knows of the sale.
    rmSync(path, { recursive: true });
    expect(await setting.panic()).toMatchObject({ code: 0, flattened: [] });
    expect(setting.orders).toBe(2);
  }));

it('panic/flatten/older-backup-beside-its-session-is-not-believed', () =>
  crash(async (setting) => {
    const { id, path } = await bought(setting);
    const file = join(setting.cwd, 'backup.db');
    expect((await command(setting, 'journal', 'backup', id, file)).code).toBe(0);
    expect(await setting.panic()).toMatchObject({ code: 0, flattened: [BOUGHT] });
    await command(setting, 'journal', 'restore', file, join(path, '..', 'NEW'));
    expect(await setting.panic()).toMatchObject({ code: 0, flattened: [] });
    expect(setting.orders).toBe(2);
  }));
