import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CliIo } from '../../src/cli/command.ts';
import { build } from '../../src/cli/commands/explain/journal.ts';
import { openJournal } from '../../src/journal/sqlite-store.ts';
import { denials, makeRig, tempDir } from '../execution/rig.ts';
import { stateHash } from '../../src/spine/replay.ts';

let dir = '';
let remove = (): void => {};
beforeEach(() => {
  ({ dir, remove } = tempDir());
});
afterEach(() => remove());

let interrupted: Promise<string> = new Promise(() => {});
afterEach(() => {
  interrupted = new Promise(() => {});
});

async function run(...args: string[]): Promise<{ out: string; err: string; exit: number }> {
  const result = { out: '', err: '', exit: -1 };
  const io: CliIo = {
    out: (text) => void (result.out += text),
    err: (text) => void (result.err += text),
    isTty: false,
    env: {},
    cwd: dir,
    interrupted,
    exit: (code) => void (result.exit = code),
  };
  await new Command('tidewire').addCommand(build(io)).parseAsync(['journal', ...args], { from: 'user' });
  return result;
}

/** A session under data/sessions with one filled order; answers the hash of its live state. */
function session(): string {
  const journal = openJournal(join(dir, 'data', 'sessions', 's1'));
  const rig = makeRig({ journal });
  rig.executor.submit('maker', {
    kind: 'place',
    symbol: 'BTCUSDT',
    side: 'buy',
    type: 'limit',
    price: '59000',
    quantity: '0.01',
    ref: 'mine',
  });
  rig.venue.tellFill('v1', '0.01');
  rig.executor.close();
  const hash = stateHash(rig.executor.state);
  journal.close();
  return hash;
}

/** What an order is denied for when the restored session s2 starts as `bootId`. */
function denialsIn(bootId: string): readonly string[] {
  const journal = openJournal(join(dir, 'data', 'sessions', 's2'));
  const rig = makeRig({ journal, bootId });
  rig.executor.submit('maker', {
    kind: 'place',
    symbol: 'BTCUSDT',
    side: 'buy',
    type: 'limit',
    price: '59000',
    quantity: '0.01',
  });
  rig.executor.close();
  journal.close();
  return denials(rig);
}

describe('tidewire journal', () => {
  it('verify answers the contract, by id and by path, also beside a running session', async () => {
    const hash = session();
    const running = openJournal(join(dir, 'data', 'sessions', 's1'));
    for (const place of ['s1', 'data/sessions/s1', 'data/sessions/s1/journal.db']) {
      const { out, exit } = await run('verify', place, '--json');
      expect(JSON.parse(out)).toEqual({ ok: true, rows: running.lastSeq, brokenAt: null, stateHash: hash });
      expect(exit).toBe(0);
    }
    running.close();
  });

  it('journal/command/id-below-the-configured-folder', async () => {
    session();
    renameSync(join(dir, 'data', 'sessions'), join(dir, 'elsewhere'));
    writeFileSync(join(dir, 'mine.yaml'), 'journal: { dir: elsewhere }\n');
    expect(JSON.parse((await run('verify', 's1', '--config', 'mine.yaml', '--json')).out)).toMatchObject({ ok: true });
    const cleared = await run('clear-kill', 's1', '--reason', 'looked', '--config', 'mine.yaml', '--json');
    expect(JSON.parse(cleared.out)).toEqual({ ok: true, programs: [], dir: join(dir, 'elsewhere', 's1') });
  });

  it('verify of a place without a journal says so with exit 2', async () => {
    const { out, exit } = await run('verify', 'nowhere', '--json');
    expect(JSON.parse(out)).toMatchObject({ error: { code: 'journal_not_found' } });
    expect(exit).toBe(2);
  });

  it('show follows one order by its ref', async () => {
    session();
    const { out } = await run('show', 's1', '--ref', 'mine', '--json');
    const { rows } = JSON.parse(out) as { rows: { entry: { kind: string } }[] };
    expect(rows.map(({ entry }) => entry.kind)).toEqual(['intent', 'sending', 'outcome', 'fill', 'order']);
  });

  it('exports every row, backs up, and restores into a journal that waits for a human', async () => {
    session();
    const { out } = await run('export', 's1');
    expect(
      out
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { seq: number }).seq)[0],
    ).toBe(1);
    const whole = JSON.parse((await run('export', 's1', '--json')).out) as { rows: unknown[] };
    expect(`${whole.rows.map((row) => JSON.stringify(row)).join('\n')}\n`).toBe(out);
    const written = JSON.parse((await run('export', 's1', '--out', 'rows.jsonl', '--json')).out) as unknown;
    expect(written).toEqual({ file: join(dir, 'rows.jsonl'), rows: whole.rows.length });
    expect(readFileSync(join(dir, 'rows.jsonl'), 'utf8')).toBe(out);
    expect((await run('export', 's1', '--out', 'rows.jsonl')).exit).toBe(3);
    expect((await run('export', 's3', '--out', 'other.jsonl')).exit).toBe(2);
    expect(existsSync(join(dir, 'other.jsonl'))).toBe(false);
    expect((await run('backup', 's1', 'copy.db')).exit).toBe(0);
    expect((await run('restore', 'copy.db', 's2')).exit).toBe(0);
    expect((await run('restore', 'copy.db', 's2', '--json')).exit).toBe(3);
    expect((await run('acknowledge', 's1', '--reason', 'none')).exit).toBe(2);
    expect(denialsIn('b2')).toEqual(['restored']);
    expect((await run('acknowledge', 's2', '--reason', 'compared with the exchange')).exit).toBe(0);
    expect(denialsIn('b3')).toEqual([]);
    expect((await run('acknowledge', 's2', '--reason', 'again')).exit).toBe(2);
  });

  it('ends a backup at the first signal, and leaves nothing of it', async () => {
    session();
    interrupted = Promise.resolve('SIGTERM');
    const { out, exit } = await run('backup', 's1', 'backups/copy.db', '--json');
    expect(JSON.parse(out)).toMatchObject({ error: { code: 'backup_interrupted' } });
    expect(exit).toBe(1);
    expect(readdirSync(join(dir, 'backups'))).toEqual([]);
  });

  it('clears the kill switch of a stopped session', async () => {
    session();
    const journal = openJournal(join(dir, 'data', 'sessions', 's1'));
    makeRig({ journal, bootId: 'b2' }).executor.kill('test');
    journal.close();
    expect((await run('clear-kill', 's1', '--reason', 'looked at it')).exit).toBe(0);
    const cleared = openJournal(join(dir, 'data', 'sessions', 's1'));
    expect(makeRig({ journal: cleared, bootId: 'b3' }).executor.killed).toBe(false);
    cleared.close();
  });
});
