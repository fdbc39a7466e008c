/** Which session a start goes on with, and when a new one would abandon orders. */
import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openJournal } from '../../../src/journal/sqlite-store.ts';
import { Problems, tellSessions } from '../../../src/session/emergency/panic.ts';
import { sessionState } from '../../../src/session/upkeep/session-state.ts';
import { listSessions, writeSession } from '../../../src/session/store/store.ts';
import { claimSession, openFolder, type FolderWish } from '../../../src/session/store/open-folder.ts';
import type { PreparedStrategy } from '../../../src/session/strategies.ts';
import { makeRig } from '../../execution/rig.ts';

const NOW = 1_800_000_000_000;
const dirs: string[] = [];
afterEach(() => {
  for (const dir of dirs.splice(0)) rmSync(dir, { recursive: true, force: true });
});

function strategyOf(tag: string, params = {}): PreparedStrategy {
  const named = { tag, file: `${tag}.ts`, params, loaded: { definition: { name: tag } } };
  return named as unknown as PreparedStrategy;
}

function wishOf(mode: 'paper' | 'live'): FolderWish {
  const root = mkdtempSync(join(tmpdir(), 'tidewire-folders-'));
  dirs.push(root);
  return {
    root,
    mode,
    strategies: [strategyOf('maker')],
    seed: 1,
    account: 'alice',
    exchange: 'http://127.0.0.1:1',
    fresh: false,
  };
}

/** A session that died with one order open; `end`: it was cancelled or filled, and that is known. */
function crashed(wish: FolderWish, end: 'canceled' | 'filled' | null): string {
  const folder = openFolder(wish, NOW);
  const journal = openJournal(folder.path);
  const { executor, venue } = makeRig({ journal });
  executor.submit('maker', {
    kind: 'place',
    symbol: 'BTCUSDT',
    side: 'buy',
    type: 'limit',
    price: '59000',
    quantity: '0.01',
  });
  expect(venue.resting()).toHaveLength(1);
  if (end === 'canceled') executor.submit('maker', { kind: 'cancelAll' });
  if (end === 'filled') for (const { orderId } of venue.resting()) venue.tellFill(orderId, '0.01', '59000');
  journal.close();
  return folder.record.id;
}

describe('a start after a crash', () => {
  it('found from outside: compares no loss in one currency with a day that began in another', () => {
    const wish = { ...wishOf('paper'), reporting: 'BTC' };
    const { record } = openFolder(wish, NOW);
    expect(record.reporting).toBe('BTC');
    const other = { ...wish, reporting: 'USDT' };
    const refused = /counts its equity and its losses in BTC, and account.reporting is USDT/;
    expect(() => claimSession(other)).toThrow(refused);
    expect(() => openFolder(other, NOW + 1)).toThrow(refused);
    expect(openFolder(wish, NOW + 1).record.id).toBe(record.id);
    expect(openFolder({ ...other, fresh: true }, NOW + 2).record.id).not.toBe(record.id);
  });

  it('of an older session takes the currency that the configuration names', () => {
    const wish = wishOf('paper');
    const { record } = openFolder(wish, NOW);
    expect(record.reporting).toBeUndefined();
    const resumed = openFolder({ ...wish, reporting: 'USDT' }, NOW + 1).record;
    expect([resumed.id, resumed.reporting]).toEqual([record.id, 'USDT']);
  });

  it('goes on with the unfinished session', () => {
    const wish = wishOf('live');
    const id = crashed(wish, null);
    expect(openFolder(wish, NOW + 1).record).toMatchObject({ id, boots: 2 });
  });

  it('afresh is refused while the journal knows an open order, before anything is asked of the exchange', () => {
    const wish = wishOf('live');
    const id = crashed(wish, null);
    const refused = expect.objectContaining({ code: 'session_unfinished', exit: 3, details: { session: id } });
    expect(() => claimSession({ ...wish, fresh: true })).toThrow(refused);
    expect(() => openFolder({ ...wish, fresh: true }, NOW + 1)).toThrow(refused);
  });

  it('afresh is refused while an order program is at work, though no order rests', () => {
    const wish = wishOf('live');
    const folder = openFolder(wish, NOW);
    const journal = openJournal(folder.path);
    const { executor, venue } = makeRig({ journal });
    executor.submit('maker', {
      kind: 'stop',
      ref: 'guard',
      symbol: 'BTCUSDT',
      side: 'buy',
      quantity: '0.01',
      trigger: '61000',
    });
    expect(venue.resting()).toEqual([]);
    journal.close();
    expect(() => claimSession({ ...wish, fresh: true })).toThrow(/left guard at work/);
  });

  it('afresh is refused after a panic that found the session dead, though nothing is open', () => {
    const wish = wishOf('live');
    const id = crashed(wish, 'canceled');
    expect(tellSessions(wish.root, 'panic', new Problems())).toMatchObject([{ id }]);
    expect(() => claimSession({ ...wish, fresh: true })).toThrow(/the kill switch of .* is on: panic/);
    const [folder] = listSessions(wish.root);
    expect(sessionState(folder!).killed).toMatch(/panic/);
  });

  it('afresh is refused while money of the session is of unknown outcome', () => {
    const wish = wishOf('live');
    crashed(wish, 'canceled');
    const [folder] = listSessions(wish.root);
    const journal = openJournal(folder!.path);
    const request = {
      kind: 'transfer',
      from: 'unified-trading',
      to: 'funding',
      currency: 'USDT',
      amount: '5',
    } as const;
    const [last] = journal.read(journal.lastSeq);
    journal.append(last?.ts ?? NOW, [
      { kind: 'money-intent', intentId: 'm1', strategy: 'maker', request, before: null },
      { kind: 'money-sending', intentId: 'm1' },
    ]);
    journal.close();
    expect(sessionState(folder!).unresolved).toBe(1);
    expect(() => claimSession({ ...wish, fresh: true })).toThrow(/left 0 orders, and 1 order or movement of money/);
  });

  it('afresh is a session of its own once nothing is open, and always for paper', () => {
    const wish = wishOf('live');
    const id = crashed(wish, 'canceled');
    expect(openFolder({ ...wish, fresh: true }, NOW + 1_000).record.id).not.toBe(id);
    const paper = wishOf('paper');
    const other = crashed(paper, null);
    expect(openFolder({ ...paper, fresh: true }, NOW + 1_000).record.id).not.toBe(other);
  });
});

describe('a start with other strategies after a crash', () => {
  const others = (wish: FolderWish): FolderWish => ({ ...wish, strategies: [strategyOf('other')] });

  it('is refused while the journal knows an open order, and goes on with neither', () => {
    const wish = wishOf('live');
    const id = crashed(wish, null);
    const refused = expect.objectContaining({ code: 'session_unfinished', exit: 3, details: { session: id } });
    expect(() => claimSession(others(wish))).toThrow(refused);
    expect(() => openFolder(others(wish), NOW + 1)).toThrow(refused);
    expect(() => claimSession({ ...others(wish), fresh: true })).toThrow(refused);
    expect(listSessions(wish.root)).toHaveLength(1);
    claimSession(wish).release();
  });

  it('names what is held, and is not asked about another account, nor by paper', () => {
    const wish = wishOf('live');
    const id = crashed(wish, 'filled');
    const elsewhere = openFolder({ ...others(wish), account: 'bob' }, NOW + 1);
    const { givesUp, record } = openFolder(others(wish), NOW + 2_000);
    expect([elsewhere.givesUp, record.id === id]).toEqual([[], false]);
    expect(givesUp).toEqual([`0.01 BTCUSDT of maker stays with ${id}: no strategy of the new session knows of it`]);
    const paper = wishOf('paper');
    crashed(paper, null);
    expect(openFolder(others(paper), NOW + 1_000).givesUp).toEqual([]);
  });
});

describe('a start with one strategy more', () => {
  const more = (wish: FolderWish, ...tags: readonly string[]): FolderWish => ({
    ...wish,
    strategies: tags.map((tag) => strategyOf(tag, { size: 2 })),
  });

  it('goes on with what the others left, and names all of them in their order', () => {
    const wish = wishOf('live');
    const id = crashed(wish, null);
    const { record, strategies } = openFolder(more(wish, 'other', 'maker'), NOW + 1);
    expect([record.id, strategies.map(({ tag }) => tag)]).toEqual([id, ['maker', 'other']]);
    expect(listSessions(wish.root)[0]?.record.strategies.map(({ tag, params }) => ({ tag, params }))).toEqual([
      { tag: 'maker', params: { size: 2 } },
      { tag: 'other', params: { size: 2 } },
    ]);
    // In another order they are the same.
    expect(openFolder(more(wish, 'other', 'maker'), NOW + 2).record).toMatchObject({ id, boots: 3 });
  });

  it('is refused where two sessions left something, which one journal cannot hold', () => {
    const wish = wishOf('live');
    crashed(wish, null);
    const second = openFolder({ ...more(wish, 'other'), root: `${wish.root}-second` }, NOW + 1_000);
    expect(second.record.boots).toBe(1);
    renameSync(second.path, join(wish.root, second.record.id));
    dirs.push(`${wish.root}-second`);
    // The newer one is continued, so the order of the older one would be forgotten.
    expect(() => claimSession(more(wish, 'maker', 'other'))).toThrow(/left 1 orders/);
  });

  it('says whose strategies to start alone where both hold something', () => {
    const wish = wishOf('live');
    const first = crashed(wish, 'filled');
    const second = openFolder({ ...more(wish, 'other'), root: `${wish.root}-second` }, NOW + 1_000);
    renameSync(second.path, join(wish.root, second.record.id));
    dirs.push(`${wish.root}-second`);
    const why = `${first} left 0.01 BTCUSDT of maker; ${second.record.id}, which is unfinished too,`;
    const way = 'No session knows both: start maker alone first';
    expect(() => claimSession(more(wish, 'maker', 'other'))).toThrow(new RegExp(`${why}.*${way}`));
  });

  it('is a session of its own on paper', () => {
    const wish = wishOf('paper');
    const id = crashed(wish, null);
    expect(openFolder(more(wish, 'maker', 'other'), NOW + 1_000).record.id).not.toBe(id);
  });
});

describe('a start with one strategy less', () => {
  it('is refused where the one that stays would not know what it holds', () => {
    const wish = wishOf('live');
    const both = { ...wish, strategies: [strategyOf('maker'), strategyOf('other')] };
    const id = crashed(both, 'filled');
    const refused = expect.objectContaining({
      code: 'session_unfinished',
      message: `${id} left 0.01 BTCUSDT of maker; a new session would begin as if nothing were held, and could buy it again`,
    });
    expect(() => claimSession(wish)).toThrow(refused);
    expect(openFolder({ ...wish, fresh: true }, NOW + 2_000).givesUp).toHaveLength(1);
  });
});

describe('a start afresh after a crash', () => {
  it.each(['paper', 'live'] as const)('of %s says what it leaves behind, where that is money', (mode) => {
    const wish = wishOf(mode);
    const id = crashed(wish, 'filled');
    const { givesUp } = openFolder({ ...wish, fresh: true }, NOW + 1_000);
    const told = `0.01 BTCUSDT of maker stays with ${id}: no strategy of the new session knows of it`;
    expect(givesUp).toEqual(mode === 'live' ? [told] : []);
  });

  it('says nothing where nothing was held, nor of a session that is gone on with', () => {
    const flat = wishOf('live');
    crashed(flat, 'canceled');
    expect(openFolder({ ...flat, fresh: true }, NOW + 1_000).givesUp).toEqual([]);
    const held = wishOf('live');
    crashed(held, 'filled');
    expect(openFolder(held, NOW + 1_000)).toMatchObject({ resumed: 'did not end orderly', givesUp: [] });
  });
});

describe('a start after an orderly end', () => {
  /** A session that has ended in order. */
  function ended(wish: FolderWish, now: number, left: boolean): string {
    const { path, record } = openFolder(wish, now);
    writeSession(path, { ...record, clean: true, left, endedAt: now + 1000 });
    return record.id;
  }

  it('begins another session, and goes on with one that has left something', () => {
    const wish = wishOf('live');
    const first = ended(wish, NOW, false);
    const second = ended(wish, NOW + 10_000, true);
    expect(second).not.toBe(first);
    const third = openFolder(wish, NOW + 20_000);
    expect(third.record).toMatchObject({ id: second, boots: 2, left: false });
    expect(third.resumed).toBe('left orders, a position, a latch, a pause or a halt');
  });

  it('says that the kill switch was on only while it is', () => {
    const wish = wishOf('live');
    crashed(wish, 'canceled');
    const switched = (on: boolean): string | null => {
      const [folder] = listSessions(wish.root);
      const journal = openJournal(folder!.path);
      const [last] = journal.read(journal.lastSeq);
      journal.append(last?.ts ?? NOW, [{ kind: 'kill', on, reason: 'by hand' }]);
      journal.close();
      writeSession(folder!.path, { ...folder!.record, clean: true, latched: true, endedAt: NOW + 1000 });
      return openFolder(wish, NOW + 2000).resumed;
    };
    expect(switched(true)).toBe('ended with its kill switch on');
    expect(switched(false)).toBe('was killed, and cleared since');
  });

  it('goes on with nothing that an earlier session left, which --new has given up', () => {
    const wish = wishOf('live');
    const given = ended(wish, NOW, true);
    const last = ended({ ...wish, fresh: true }, NOW + 10_000, false);
    const next = openFolder(wish, NOW + 20_000);
    expect([given, last]).not.toContain(next.record.id);
    expect(next.resumed).toBeNull();
  });
});
