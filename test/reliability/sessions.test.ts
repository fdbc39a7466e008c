/** Entries of the catalogue about clocks, restarts and the journal that no other room shows. */
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, vi } from 'vitest';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import { createMemoryJournal } from '../../src/journal/memory-store.ts';
import { openJournal } from '../../src/journal/sqlite-store.ts';
import { prepareDatabase } from '../../src/journal/schema.ts';
import type { JournalEntry } from '../../src/model/entries/journal.ts';
import { journalSchema } from '../../src/journal/options.ts';
import { createSystemClock } from '../../src/session/clock/system-clock.ts';
import { requireCertificates } from '../../src/session/connection/certificates.ts';
import { place } from '../../src/strategy/actions.ts';
import { BTC, HandClock, makeRig, settle, START, tempDir, TestVenue } from '../execution/rig.ts';

const root = join(import.meta.dirname, '..', '..');
const terms = { symbol: BTC.symbol, side: 'buy', type: 'limit', price: '59000', quantity: '0.001' } as const;
const DAY_MS = 24 * 3_600_000;

describe('a restarted process', () => {
  it('names no intent twice over restarts, whatever the clock says', () => {
    const journal = createMemoryJournal();
    for (let boot = 0; boot < 4; boot++) {
      // The clock of every process begins at the same instant, as after a step back.
      const rig = makeRig({ journal, bootId: 'same' });
      for (let count = 0; count < 3; count++) rig.executor.submit('maker', place(terms));
    }
    const intents = [...journal.read()].flatMap(({ entry }) => (entry.kind === 'intent' ? [entry.intentId] : []));
    expect(intents.length).toBeGreaterThanOrEqual(4);
    expect(new Set(intents).size).toBe(intents.length);
  });

  it('reads its trades from where it left off, ten days ago', async () => {
    const journal = createMemoryJournal();
    makeRig({ journal }).executor.submit('maker', place(terms));
    const clock = new HandClock();
    clock.advance(10 * DAY_MS);
    const venue = new TestVenue(clock);
    const asked: number[] = [];
    const query = { ...venue.query };
    Object.assign(venue.query, {
      ownTrades: (request: Parameters<typeof query.ownTrades>[0]) => {
        asked.push(request.from);
        return query.ownTrades(request);
      },
    });
    const rig = makeRig({ journal, clock, venue, bootId: 'b2' });
    await createReconciler(rig.executor, { markets: ['spot'] }).runNow();
    await settle();
    expect(Math.max(...asked)).toBeLessThanOrEqual(START);
  });
});

describe('a timer', () => {
  it('of forty days comes after forty days, once', () => {
    vi.useFakeTimers();
    try {
      let fired = 0;
      createSystemClock().after(40 * DAY_MS, () => fired++);
      vi.advanceTimersByTime(39 * DAY_MS);
      expect(fired).toBe(0);
      vi.advanceTimersByTime(2 * DAY_MS);
      expect(fired).toBe(1);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('the journal', () => {
  it('syncs every commit, also after the first write', () => {
    const { dir, remove } = tempDir();
    openJournal(dir).close();
    const path = join(dir, 'journal.db');
    const db = new Database(path);
    prepareDatabase(db, path, { durability: 'full' });
    db.exec('CREATE TABLE probe (n INTEGER); INSERT INTO probe VALUES (1)');
    expect(db.pragma('synchronous', { simple: true })).toBe(2);
    expect(db.pragma('journal_mode', { simple: true })).toBe('wal');
    db.close();
    remove();
  });

  it('knows no durability that loses commits', () => {
    expect(journalSchema.parse({}).durability).toBe('full');
    for (const durability of ['off', 'OFF', 0, 'none'])
      expect(journalSchema.safeParse({ durability }).success).toBe(false);
  });

  it('keeps its log bounded beside a reader', () => {
    const { dir, remove } = tempDir();
    const journal = openJournal(dir, { durability: 'normal' });
    const note: JournalEntry = { kind: 'note', strategy: 'maker', text: 'x'.repeat(4000) };
    const batch = Array.from({ length: 500 }, () => note);
    let largest = 0;
    for (let round = 0; round < 24; round++) {
      journal.append(round, batch);
      // Another part of the program reads a page now and then, and stops half way.
      for (const row of journal.read(Math.max(1, journal.lastSeq - 10))) if (row.seq % 2 === 0) break;
      largest = Math.max(largest, statSync(join(dir, 'journal.db-wal')).size);
    }
    expect(largest).toBeLessThan(48 * 1024 * 1024);
    journal.close();
    remove();
  });
});

describe('a backtest', () => {
  it('is the same in every time zone', () => {
    const command = [
      'backtest',
      join(root, 'strategies/spread-maker.ts'),
      '--data',
      join(root, 'data/sample'),
      '--json',
    ];
    const results = ['UTC', 'Asia/Kathmandu', 'America/New_York'].map((zone) => {
      const { stdout, status } = spawnSync(process.execPath, [join(root, 'bin/tidewire.js'), ...command], {
        env: { ...process.env, TZ: zone },
        encoding: 'utf8',
      });
      expect(status).toBe(0);
      // The run hash is another one: a strategy may ask for the time zone, which is an input then.
      const { period, orders, fills, stats } = JSON.parse(stdout) as Readonly<Record<string, unknown>>;
      return { period, orders, fills, stats };
    });
    expect(results[0]?.fills).toBeGreaterThan(0);
    expect(results[1]).toEqual(results[0]);
    expect(results[2]).toEqual(results[0]);
  });
});

describe('a live session', () => {
  it('refuses a certificate check that is switched off', () => {
    const exchange = { baseUrl: 'https://a.example', gatewayUrl: 'https://b.example', wsUrl: 'wss://c.example' };
    expect(() => requireCertificates({ NODE_TLS_REJECT_UNAUTHORIZED: '0' }, exchange)).toThrow(/certificate/);
    for (const env of [{}, { NODE_TLS_REJECT_UNAUTHORIZED: '1' }])
      expect(() => requireCertificates(env, exchange)).not.toThrow();
  });

  it('refuses an address that is not encrypted, but for the loopback of a sandbox', () => {
    const here = { baseUrl: 'http://127.0.0.1:1', gatewayUrl: 'sandbox', wsUrl: 'ws://localhost:1' };
    expect(() => requireCertificates({}, here)).not.toThrow();
    for (const [name, url] of [
      ['baseUrl', 'http://a.example'],
      ['gatewayUrl', 'HTTP://192.0.2.2'],
      ['wsUrl', 'ws://c.example'],
    ])
      expect(() => requireCertificates({}, { ...here, [name!]: url })).toThrow(
        expect.objectContaining({ code: 'live_unencrypted', message: expect.stringContaining(url!) }),
      );
  });
});
