import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, describe, expect, it } from 'vitest';
import { aboutBackup, backupJournal, restoreJournal } from '../../src/journal/backup.ts';
import { journalErrors } from '../../src/journal/errors.ts';
import { canonicalJson } from '../../src/model/text/canonical.ts';
import { openJournal } from '../../src/journal/sqlite-store.ts';
import { verifyJournal } from '../../src/journal/verify.ts';
import type { JournalEntry, JournalRow } from '../../src/model/entries/journal.ts';
import { dec } from '../../src/model/numbers/money.ts';
import { tempDir } from '../execution/rig.ts';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

function place(): string {
  const { dir, remove } = tempDir();
  cleanups.push(remove);
  return join(dir, 'session');
}

const note = (text: string): JournalEntry => ({ kind: 'note', strategy: 's', text });

function codeOf(run: () => unknown): string | undefined {
  try {
    run();
    return undefined;
  } catch (thrown) {
    return (thrown as { code?: string }).code;
  }
}

describe('the SQLite journal', () => {
  it('reads back what it wrote, in order, after reopening', () => {
    const dir = place();
    const journal = openJournal(dir);
    expect(journal.append(1.5, [note('a'), note('b')])).toBe(2);
    expect(journal.append(2, [note('c')])).toBe(3);
    journal.close();
    const again = openJournal(dir);
    expect([...again.read()].map(({ seq, ts, entry }) => [seq, ts, entry.kind === 'note' ? entry.text : ''])).toEqual([
      [1, 1.5, 'a'],
      [2, 1.5, 'b'],
      [3, 2, 'c'],
    ]);
    expect([...again.read(3)]).toHaveLength(1);
    again.close();
  });

  it('reads more rows than one page while being written', () => {
    const journal = openJournal(place());
    for (let batch = 0; batch < 5; batch++)
      journal.append(
        batch,
        Array.from({ length: 700 }, (_, index) => note(String(index))),
      );
    expect([...journal.read()].map(({ seq }) => seq)).toEqual(Array.from({ length: 3_500 }, (_, index) => index + 1));
    journal.close();
  });

  it('keeps its files from other users', () => {
    const dir = place();
    openJournal(dir).close();
    expect(statSync(dir).mode & 0o777).toBe(0o700);
    expect(statSync(join(dir, 'journal.db')).mode & 0o777).toBe(0o600);
    expect(statSync(join(dir, 'lock.db')).mode & 0o777).toBe(0o600);
  });

  it('refuses a second instance with exit 3, in this process and in another, and frees itself', () => {
    const dir = place();
    const journal = openJournal(dir);
    expect(codeOf(() => openJournal(dir))).toBe('journal_locked');
    const script = `
      import { openJournal } from ${JSON.stringify(new URL('../../src/journal/sqlite-store.ts', import.meta.url).href)};
      try { openJournal(process.argv[1]); console.log('opened'); } catch (error) { console.log(error.code, error.exit); }`;
    const other = spawnSync(process.execPath, ['--input-type=module', '-e', script, dir], { encoding: 'utf8' });
    expect(other.stdout.trim()).toBe('journal_locked 3');
    journal.close();
    openJournal(dir).close();
  });

  it('frees the lock and loses nothing when its process is killed', () => {
    const dir = place();
    const script = `
      import { openJournal } from ${JSON.stringify(new URL('../../src/journal/sqlite-store.ts', import.meta.url).href)};
      const journal = openJournal(process.argv[1]);
      for (let index = 0; index < 20; index++) journal.append(index, [{ kind: 'note', strategy: 's', text: String(index) }]);
      process.kill(process.pid, 'SIGKILL');`;
    const other = spawnSync(process.execPath, ['--input-type=module', '-e', script, dir], { encoding: 'utf8' });
    expect(other.signal).toBe('SIGKILL');
    const journal = openJournal(dir);
    expect(journal.lastSeq).toBe(20);
    journal.close();
    expect(verifyJournal(dir)).toMatchObject({ ok: true, rows: 20 });
  });

  it('writes all rows of an append or none, and says that the disk is full', () => {
    const dir = place();
    const journal = openJournal(dir, { maxBytes: 64 * 1024 });
    let written = 0;
    let code: string | undefined;
    while (code === undefined) {
      code = codeOf(() => {
        journal.append(written, [note('x'.repeat(2_000)), note('y'.repeat(2_000))]);
        written += 2;
      });
    }
    expect(code).toBe('journal_full');
    expect(journal.lastSeq).toBe(written);
    journal.close();
    const again = openJournal(dir);
    expect(again.lastSeq).toBe(written);
    again.append(1, [note('there is room again')]);
    again.close();
    expect(verifyJournal(dir)).toMatchObject({ ok: true, rows: written + 1 });
  });

  it('holds in the database that an intent is sent once only', () => {
    const journal = openJournal(place());
    journal.append(1, [{ kind: 'sending', intentId: 'i1' }]);
    expect(codeOf(() => journal.append(2, [note('with it'), { kind: 'sending', intentId: 'i1' }]))).toBe(
      'journal_failed',
    );
    expect(journal.lastSeq).toBe(1);
    journal.close();
  });

  it('refuses a file that is no journal, and a journal of a newer version', () => {
    const garbage = place();
    mkdirSync(garbage, { recursive: true });
    writeFileSync(join(garbage, 'journal.db'), 'not a database, but long enough to look like one'.repeat(50));
    expect(codeOf(() => openJournal(garbage))).toBe('journal_corrupt');

    const foreign = place();
    mkdirSync(foreign, { recursive: true });
    const other = new Database(join(foreign, 'journal.db'));
    other.exec('CREATE TABLE t (a)');
    other.close();
    expect(codeOf(() => openJournal(foreign))).toBe('journal_corrupt');

    const newer = place();
    openJournal(newer).close();
    const db = new Database(join(newer, 'journal.db'));
    db.pragma('user_version = 99');
    db.close();
    expect(codeOf(() => openJournal(newer))).toBe('journal_newer');
  });
});

describe('verify', () => {
  function written(rows: number): string {
    const dir = place();
    const journal = openJournal(dir);
    for (let row = 0; row < rows; row++) journal.append(row, [note(`row ${row} of the journal`)]);
    journal.close();
    return dir;
  }

  it('finds the row whose text was changed, the one that is missing and the one that was added', () => {
    const tamper = (sql: string): { dir: string; brokenAt: number | null } => {
      const dir = written(20);
      const db = new Database(join(dir, 'journal.db'));
      db.exec(sql);
      db.close();
      return { dir, brokenAt: verifyJournal(dir).brokenAt };
    };
    const changed = tamper(`UPDATE journal SET body = replace(body, 'row 6', 'row 9') WHERE seq = 7`);
    expect(changed.brokenAt).toBe(7);
    expect(codeOf(() => openJournal(changed.dir))).toBe('journal_corrupt');
    expect(tamper('DELETE FROM journal WHERE seq = 7').brokenAt).toBe(8);
    expect(tamper('UPDATE journal SET ts = 99 WHERE seq = 3').brokenAt).toBe(3);
    expect(
      tamper(`INSERT INTO journal SELECT 21, ts, kind, once, body, hash FROM journal WHERE seq = 20`).brokenAt,
    ).toBe(21);
  });

  it('finds a flipped byte anywhere in the text of a row', () => {
    const dir = written(3);
    const path = join(dir, 'journal.db');
    const whole = readFileSync(path);
    const at = whole.indexOf('row 1 of the journal');
    expect(at).toBeGreaterThan(0);
    for (let offset = 0; offset < 20; offset++) {
      const bytes = Buffer.from(whole);
      bytes[at + offset] = (bytes[at + offset] ?? 0) ^ 1;
      writeFileSync(path, bytes);
      expect(verifyJournal(dir)).toMatchObject({ ok: false, brokenAt: 2 });
    }
    writeFileSync(path, whole);
    expect(verifyJournal(dir).ok).toBe(true);
  });

  it('says that a file cut short is broken instead of throwing', () => {
    const dir = written(500);
    const path = join(dir, 'journal.db');
    const whole = readFileSync(path);
    for (const part of [0.9, 0.5, 0.1]) {
      writeFileSync(path, whole.subarray(0, Math.floor(whole.length * part)));
      expect(verifyJournal(dir).ok).toBe(false);
    }
  });
});

describe('backup and restore', () => {
  it('copies a journal that is in use, and restores it in amnesia mode', async () => {
    const dir = place();
    const journal = openJournal(dir);
    journal.append(5, [note('a'), note('b')]);
    const copy = join(place(), 'copy.db');
    expect(await backupJournal(dir, copy)).toMatchObject({ ok: true, rows: 2 });
    journal.append(6, [note('after')]);
    journal.close();
    await expect(backupJournal(dir, copy)).rejects.toMatchObject({ code: 'journal_exists' });

    const target = place();
    expect(await restoreJournal(copy, target)).toMatchObject({ ok: true, rows: 3 });
    const restored = openJournal(target);
    expect([...restored.read(3)][0]?.entry).toMatchObject({ kind: 'restored', event: 'restored' });
    restored.close();
    await expect(restoreJournal(copy, target)).rejects.toMatchObject({ code: 'journal_exists' });
  });

  it('restores every row of a journal that was copied with its log', async () => {
    const dir = place();
    const journal = openJournal(dir);
    journal.append(1, [note('first')]);
    journal.idle();
    for (let row = 0; row < 300; row++) journal.append(2, [note(`row ${row}`)]);
    // As a crash leaves it: nearly everything lies in the log.
    const left = place();
    mkdirSync(left);
    for (const file of ['journal.db', 'journal.db-wal']) copyFileSync(join(dir, file), join(left, file));
    journal.close();
    const target = place();
    expect(verifyJournal(left)).toMatchObject({ ok: true, rows: 301 });
    expect(await restoreJournal(left, target)).toMatchObject({ ok: true, rows: 302 });
    expect([...openedRows(target)].slice(0, 301)).toEqual([...openedRows(dir)]);
  });

  function openedRows(dir: string): readonly JournalRow[] {
    const journal = openJournal(dir);
    const rows = [...journal.read()];
    journal.close();
    return rows;
  }

  /** Some 700 pages: seven pieces of a copy. */
  function large(): { readonly dir: string; readonly journal: ReturnType<typeof openJournal> } {
    const dir = place();
    const journal = openJournal(dir);
    cleanups.unshift(() => journal.close());
    journal.append(
      1,
      Array.from({ length: 4000 }, (_, row) => note(`${row} ${'a'.repeat(450)}`)),
    );
    return { dir, journal };
  }

  it('takes no log of another journal that lies at its place for its own', async () => {
    const dir = place();
    const journal = openJournal(dir);
    journal.append(1, [note('one'), note('two')]);
    journal.close();
    const elsewhere = place();
    const other = openJournal(elsewhere);
    cleanups.unshift(() => other.close());
    for (let row = 0; row < 50; row++) other.append(2, [note(`of another journal ${row}`)]);
    const log = join(elsewhere, 'journal.db-wal');
    const target = place();
    mkdirSync(target);
    const copy = join(target, 'copy.db');
    copyFileSync(log, `${copy}-wal`);
    copyFileSync(log, join(target, 'journal.db-wal'));
    expect(await backupJournal(dir, copy)).toMatchObject({ ok: true, rows: 2 });
    expect(verifyJournal(copy)).toMatchObject({ ok: true, rows: 2 });
    expect(await restoreJournal(copy, target)).toMatchObject({ ok: true, rows: 3 });
  });

  it('copies one state of a journal that commits after every piece of the copy, and comes to an end', async () => {
    const { dir, journal } = large();
    const rows = journal.lastSeq;
    const copy = join(place(), 'copy.db');
    let steps = 0;
    const step = (): void => {
      steps += 1;
      if (steps > 100) throw new Error('the copy begins anew at every commit');
      journal.append(1 + steps, [note('meanwhile')]);
    };
    expect(await backupJournal(dir, copy, { step })).toMatchObject({ ok: true, rows });
    expect(steps).toBeGreaterThan(5);
    // Not one piece was copied twice.
    expect(steps).toBeLessThanOrEqual(1 + Math.ceil(statSync(copy).size / 4096 / 100));
    expect(journal.lastSeq).toBe(rows + steps);
    expect(verifyJournal(dir)).toMatchObject({ ok: true, rows: rows + steps });
  });

  it('leaves nothing of a backup that is ended between two pieces, and does not keep the journal from its writer', async () => {
    const { dir, journal } = large();
    const copy = join(place(), 'copy.db');
    let steps = 0;
    const step = (): void => {
      if (++steps === 3) throw journalErrors.make('backup_interrupted', 'enough');
    };
    await expect(backupJournal(dir, copy, { step })).rejects.toMatchObject({ code: 'backup_interrupted' });
    expect(readdirSync(dirname(copy))).toEqual([]);
    journal.append(2, [note('after')]);
    expect(verifyJournal(dir)).toMatchObject({ ok: true, rows: journal.lastSeq });
  });

  it('gives the copy its name when it is whole and marked: a death before leaves none that somebody would trust', async () => {
    const dir = place();
    const journal = openJournal(dir);
    journal.append(
      1,
      Array.from({ length: 500 }, () => note('a'.repeat(200))),
    );
    journal.close();
    const at = place();
    const copy = join(at, 'copy.db');
    const restored = place();
    const dying = `
      import fs from 'node:fs';
      import { syncBuiltinESMExports } from 'node:module';
      const { backupJournal, restoreJournal } = await import(process.argv[1]);
      const [source, target, command] = process.argv.slice(2);
      fs.renameSync = () => process.kill(process.pid, 'SIGKILL');
      syncBuiltinESMExports();
      if (command === 'backup') await backupJournal(source, target, { about: 'about it' });
      else await restoreJournal(source, target);`;
    const module = new URL('../../src/journal/backup.ts', import.meta.url).href;
    const die = (...argv: string[]) =>
      spawnSync(process.execPath, ['--input-type=module', '-e', dying, module, ...argv], { encoding: 'utf8' });

    expect(die(dir, copy, 'backup')).toMatchObject({ signal: 'SIGKILL' });
    expect(existsSync(copy)).toBe(false);
    const drafts = readdirSync(at).filter((name) => name.endsWith('.partial'));
    expect(drafts).toHaveLength(1);
    expect(verifyJournal(join(at, drafts[0] ?? ''))).toMatchObject({ ok: true, rows: 500 });
    expect(aboutBackup(join(at, drafts[0] ?? ''))).toBe('about it');

    expect(die(dir, restored, 'restore')).toMatchObject({ signal: 'SIGKILL' });
    expect(existsSync(join(restored, 'journal.db'))).toBe(false);
    expect(await restoreJournal(dir, restored)).toMatchObject({ ok: true, rows: 501 });
  });

  /** A verified backup of two rows, alone in its folder. */
  async function backedUp(): Promise<string> {
    const dir = place();
    const journal = openJournal(dir);
    journal.append(1, [note('one'), note('two')]);
    journal.close();
    const copy = join(place(), 'copy.db');
    await backupJournal(dir, copy);
    return copy;
  }

  it('makes a backup that needs nothing beside it to be read', async () => {
    const copy = await backedUp();
    // Read and write version of the file's header: 2 is a file with a log, which SQLite makes where there is none.
    expect([...readFileSync(copy).subarray(18, 20)]).toEqual([1, 1]);
    expect(verifyJournal(copy)).toMatchObject({ ok: true, rows: 2 });
    expect(aboutBackup(copy)).toBe('');
    expect(readdirSync(dirname(copy))).toEqual(['copy.db']);
    expect(await restoreJournal(copy, place())).toMatchObject({ ok: true, rows: 3 });
    expect(readdirSync(dirname(copy))).toEqual(['copy.db']);
  });

  // Modes mean nothing to root.
  it.skipIf(process.getuid?.() === 0)('reads a backup in a folder that cannot be written', async () => {
    const copy = await backedUp();
    chmodSync(copy, 0o400);
    chmodSync(dirname(copy), 0o500);
    cleanups.unshift(() => chmodSync(dirname(copy), 0o700));
    expect(verifyJournal(copy)).toMatchObject({ ok: true, rows: 2 });
    expect(await restoreJournal(copy, place())).toMatchObject({ ok: true, rows: 3 });
  });

  it('says of a journal with a log, where that cannot be opened, what to do instead of that it is broken', async () => {
    const copy = await backedUp();
    const db = new Database(copy);
    db.pragma('journal_mode = WAL');
    db.close();
    // As on a read-only disk, for root too: no log can be opened there.
    mkdirSync(`${copy}-wal`);
    expect(codeOf(() => verifyJournal(copy))).toBe('journal_unreadable');
    await expect(restoreJournal(copy, place())).rejects.toMatchObject({ code: 'journal_unreadable', exit: 2 });
    rmdirSync(`${copy}-wal`);
    expect(verifyJournal(copy)).toMatchObject({ ok: true, rows: 2 });
  });

  it('leaves nothing behind when the copy cannot be verified', async () => {
    const dir = place();
    const journal = openJournal(dir);
    journal.append(1, [note('one'), note('two')]);
    journal.close();
    const db = new Database(join(dir, 'journal.db'));
    db.exec(`UPDATE journal SET body = '{}' WHERE seq = 1`);
    db.close();
    const copy = join(place(), 'copy.db');
    await expect(backupJournal(dir, copy)).rejects.toMatchObject({ code: 'journal_corrupt' });
    expect(readdirSync(dirname(copy))).toEqual([]);
  });
});

it('canonical JSON sorts keys, leaves out what is absent and writes decimals as text', () => {
  expect(canonicalJson({ b: 1, a: [undefined, { d: dec('1.50'), c: null }], u: undefined })).toBe(
    '{"a":[null,{"c":null,"d":"1.5"}],"b":1}',
  );
});
