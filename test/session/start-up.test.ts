/** What a start asks of disk, clock and build before it goes on with a journal (reliability §4.3). */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createMemoryJournal } from '../../src/journal/memory-store.ts';
import { openJournal } from '../../src/journal/sqlite-store.ts';
import { readJournal, verifyJournal } from '../../src/journal/verify.ts';
import { sessionOfBoot } from '../../src/spine/intent-id.ts';
import { replayRows } from '../../src/spine/replay.ts';
import { silentLogger, type Logger } from '../../src/model/ports.ts';
import { approveBuild } from '../../src/session/store/approve-build.ts';
import { buildDoubt, buildId, lastBuild, requireBuild } from '../../src/session/store/build.ts';
import { configSchema } from '../../src/session/config/schema.ts';
import { freeSpace, probeWrites, requireFreeSpace, spaceDoubt } from '../../src/session/store/disk.ts';
import { bootIdOf, openSessionJournal, startFacts, untilLastRow } from '../../src/session/start-up.ts';
import { createSession, type SessionFolder } from '../../src/session/store/store.ts';
import { HandClock } from '../execution/rig.ts';

/** Where a `HandClock` begins. */
const NOW = new HandClock().now();
const dirs: string[] = [];
afterEach(() => {
  for (const dir of dirs.splice(0)) rmSync(dir, { recursive: true, force: true });
});

function tempDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'tidewire-start-'));
  dirs.push(dir);
  return dir;
}

const config = configSchema.parse({});

function sessionOf(mode: 'paper' | 'live'): SessionFolder {
  const strategies = [{ name: 'maker', tag: 'maker', file: 'maker.ts', params: {} }];
  const owner = { account: 'alice', exchange: 'http://127.0.0.1' };
  return createSession(tempDir(), { mode, strategies, seed: 1, ...owner, now: NOW, suffix: 'abcd' });
}

function startRow(dir: string, build: string, ts = NOW): void {
  const journal = openJournal(dir);
  journal.append(ts, [
    { kind: 'session', event: 'start', boot: 1, bootId: 'b1', facts: { account: 'alice', mode: 'live', build } },
  ]);
  journal.close();
}

describe('the disk', () => {
  it('must have a gigabyte, and ten times the journal', () => {
    const dir = tempDir();
    expect(freeSpace(dir).wantedBytes).toBe(1e9);
    expect(freeSpace(dir, 300e6).wantedBytes).toBe(3e9);
    expect(spaceDoubt('there', { freeBytes: 2e9, wantedBytes: 3e9 })).toBe(
      'there has 2.0 GB left; its journal wants 3.0 GB',
    );
    expect(spaceDoubt('there', { freeBytes: 3e9, wantedBytes: 3e9 })).toBeNull();
    expect(() => requireFreeSpace(dir, 1e18)).toThrow(expect.objectContaining({ code: 'disk_low', exit: 3 }));
  });

  it('is written to before it is trusted, and one that cannot be written has a name', () => {
    expect(probeWrites(tempDir()).medianMs).toBeGreaterThan(0);
    const file = join(tempDir(), 'file');
    writeFileSync(file, '');
    expect(() => probeWrites(join(file, 'folder'))).toThrow(expect.objectContaining({ code: 'not_writable' }));
  });
});

describe('the clock', () => {
  const journal = createMemoryJournal();
  journal.append(NOW + 3_000, [{ kind: 'note', strategy: 's', text: 'last' }]);

  it('that is seconds before the last row is waited for', async () => {
    const clock = new HandClock();
    let isReady = false;
    const ready = untilLastRow(journal, clock).then(() => {
      isReady = true;
    });
    clock.advance(2_999);
    await Promise.resolve();
    expect(isReady).toBe(false);
    clock.advance(1);
    await ready;
    expect(isReady).toBe(true);
  });

  it('that was set back is refused', async () => {
    journal.append(NOW + 11_000, [{ kind: 'note', strategy: 's', text: 'of the future' }]);
    await expect(untilLastRow(journal, new HandClock())).rejects.toMatchObject({
      code: 'clock_behind_journal',
      exit: 3,
    });
  });
});

describe('the id of a start', () => {
  it('never comes again, also when an older copy of the whole folder is put back, and names its session', () => {
    const folder = sessionOf('live');
    const bootId = (boots: number, seconds: number): string =>
      bootIdOf({ ...folder, record: { ...folder.record, boots } }, NOW + seconds * 1000);
    // The third start, and the third once more after the folder of the second was put back.
    const ids = [bootId(1, 0), bootId(2, 0), bootId(3, 40), bootId(3, 3600), bootId(12, 3600), bootId(3, 3e7)];
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(ids.map(sessionOfBoot)).size).toBe(1);
    expect(ids.every((id) => /^[a-z0-9]+_abcd_\d+_\d+$/.test(id) && id.length <= 32)).toBe(true);
  });
});

describe('the build', () => {
  it('has the version and a hash, and stands in the start row beside that of the configuration', () => {
    expect(buildId()).toMatch(/^\d+\.\d+\.\d+\+[0-9a-f]{12}$/);
    const facts = startFacts(config);
    expect(facts['build']).toBe(buildId());
    expect(facts['config']).toMatch(/^[0-9a-f]{16}$/);
    const other = { ...config, risk: { ...config.risk, maxOrderValue: '1' } };
    expect(startFacts(other)['config']).not.toBe(facts['config']);
  });

  it('that is older than the journal is refused in every mode, another one is a doubt', () => {
    expect(buildDoubt(null, '0.1.0+a')).toBeNull();
    expect(buildDoubt('0.1.0+a', '0.1.0+a')).toBeNull();
    expect(buildDoubt('0.1.0+a', '0.1.0+b')).toContain('0.1.0+b');
    expect(buildDoubt('0.9.9+a', '0.10.0+a')).toContain('0.9.9+a');
    expect(() => buildDoubt('0.10.0+a', '0.9.9+b')).toThrow(
      expect.objectContaining({ code: 'journal_newer', exit: 5 }),
    );
    expect(() => requireBuild('0.1.0+a', '0.1.0+b')).toThrow(
      expect.objectContaining({ code: 'build_changed', exit: 3 }),
    );
  });

  it('of another hash does not go on with a live session until a human approves it; paper is told', async () => {
    const clock = new HandClock();
    const live = sessionOf('live');
    startRow(live.path, '0.0.1+aaaaaaaaaaaa');
    const start = { mode: 'live', config, folder: live, clock, logger: silentLogger } as const;
    await expect(openSessionJournal(start)).rejects.toMatchObject({ code: 'build_changed' });
    expect(approveBuild(live.path, 'read the notes', NOW)).toEqual({ last: '0.0.1+aaaaaaaaaaaa', now: buildId() });
    expect(lastBuild(live.path)).toBe(buildId());
    const journal = await openSessionJournal(start);
    journal.close();
    expect(() => approveBuild(live.path, 'again', NOW)).toThrow(expect.objectContaining({ code: 'build_approved' }));
    // It is still the journal of its first owner.
    expect(replayRows(readJournal(live.path)).state.owner).toMatchObject({ account: 'alice', mode: 'live' });
    expect(verifyJournal(live.path)).toMatchObject({ ok: true });

    const paper = sessionOf('paper');
    startRow(paper.path, '0.0.1+aaaaaaaaaaaa');
    const warned: string[] = [];
    const logger: Logger = { ...silentLogger, warn: (_, text) => warned.push(text ?? '') };
    (await openSessionJournal({ mode: 'paper', config, folder: paper, clock, logger })).close();
    expect(warned.join()).toContain('0.0.1+aaaaaaaaaaaa');
  });

  it('of a newer version is told before anything is written, in every mode', async () => {
    const paper = sessionOf('paper');
    startRow(paper.path, '999.0.0+aaaaaaaaaaaa');
    const clock = new HandClock();
    const start = { mode: 'paper', config, folder: paper, clock, logger: silentLogger } as const;
    await expect(openSessionJournal(start)).rejects.toMatchObject({ code: 'journal_newer' });
  });
});
