/** The self-assessment out of real journals: what stood, what changed, what was held back, and what is wrong. */
import Database from 'better-sqlite3';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openJournal } from '../../../src/journal/sqlite-store.ts';
import { selfCheck } from '../../../src/operations/selfcheck/selfcheck.ts';
import { selfCheckText } from '../../../src/operations/selfcheck/selfcheck-text.ts';
import { createSession, type SessionFolder } from '../../../src/session/store/store.ts';
import { HandClock, makeRig, START, tempDir, TestVenue, type RigOptions } from '../../execution/rig.ts';

const limit = {
  kind: 'place',
  symbol: 'BTCUSDT',
  side: 'buy',
  type: 'limit',
  price: '59990',
  quantity: '0.01',
} as const;
const DAY_MS = 86_400_000;

function traded(root: string): SessionFolder {
  const folder = createSession(root, {
    mode: 'live',
    strategies: [{ name: 'maker', tag: 'maker', file: 'maker.ts', params: {} }],
    seed: 1,
    account: 'alice',
    exchange: 'https://x.example',
    now: START,
    suffix: 'ab12',
  });
  const clock = new HandClock();
  const boot = (bootId: string, options: RigOptions, work: (rig: ReturnType<typeof makeRig>) => void): void => {
    const journal = openJournal(folder.path);
    const rig = makeRig({ journal, clock, venue: new TestVenue(clock), bootId, explains: true, ...options });
    work(rig);
    rig.executor.close();
    journal.close();
    clock.advance(60_000);
  };
  boot('b1', { limits: { maxPosition: '0.02' } }, ({ executor, venue }) => {
    executor.submit('maker', limit);
    executor.submit('maker', { ...limit, quantity: '0.5' });
    venue.tellFill(venue.resting()[0]?.orderId ?? '', '0.015');
    executor.human.overrideLimit({
      id: 'o1',
      limit: 'risk.maxOrderValue',
      value: '2500',
      until: clock.now() + 60_000,
      reason: 'rebalancing',
    });
  });
  boot('b2', { limits: { maxPosition: '0.03' } }, () => {});
  boot('b3', { limits: { maxPosition: '0.03' } }, () => {});
  return folder;
}

describe('selfcheck', () => {
  it('lists orders, denials, alarms, overrides, halts, changes of limits and their use', () => {
    const { dir, remove } = tempDir();
    const check = selfCheck([traded(dir)], START, START + DAY_MS);
    const [session] = check.sessions;
    expect(session?.facts).toMatchObject({
      boots: 3,
      orders: { maker: 1 },
      fills: 0,
      denials: { max_position: 1 },
      alarms: { fill_contradiction: 1, limit_override: 1 },
      overrides: [{ reason: 'rebalancing' }],
    });
    expect(session?.facts?.controls).toHaveLength(2);
    expect(session?.facts?.utilisation).toContainEqual(
      expect.objectContaining({ check: 'max_position', whose: 'maker', most: 0.5, limit: 0.02 }),
    );
    expect(check.ok).toBe(false);
    expect(check.problems).toEqual([expect.stringContaining('halt of BTCUSDT still on')]);
    const text = selfCheckText(check);
    expect(text).toContain('strategies.0.limits.maxPosition: 0.02 → 0.03');
    expect(text).toContain('risk.maxOrderValue: none → 2500');
    expect(text).toContain('Reviewed by');
    remove();
  });

  it('leaves out what is not of the period, and says when a journal is not whole', () => {
    const { dir, remove } = tempDir();
    const folder = traded(dir);
    expect(selfCheck([folder], START + DAY_MS, START + 2 * DAY_MS).sessions).toEqual(
      [expect.objectContaining({ problems: [] })].slice(1),
    );
    const db = new Database(join(folder.path, 'journal.db'));
    db.exec("UPDATE journal SET body = replace(body, '0', '1') WHERE seq = 3");
    db.close();
    const check = selfCheck([folder], START, START + DAY_MS);
    expect(check.ok).toBe(false);
    expect(check.problems.join()).toMatch(/not whole|cannot be read/);
    remove();
  });
});
