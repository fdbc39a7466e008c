import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { Problems, tellSessions } from '../../../src/session/emergency/panic.ts';
import { createSession, listSessions, readSession, type NewSession } from '../../../src/session/store/store.ts';

const session: NewSession = {
  mode: 'live',
  strategies: [{ name: 'maker', tag: 'maker', file: 'maker.ts', params: {} }],
  seed: 1,
  account: 'alice',
  exchange: 'http://127.0.0.1:1',
  now: 1_700_000_000_000,
  suffix: 'aaaa',
};

describe('sessions on disk', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'tidewire-store-'));
  });

  it('are none where there is no folder, and other folders are no sessions', () => {
    expect(listSessions(join(root, 'nowhere'))).toEqual([]);
    mkdirSync(join(root, 'other'));
    expect(listSessions(root)).toEqual([]);
  });

  it('are listed newest first', () => {
    createSession(root, session);
    createSession(root, { ...session, now: session.now + 5000, suffix: 'bbbb' });
    expect(listSessions(root).map(({ record }) => record.id.slice(-4))).toEqual(['bbbb', 'aaaa']);
  });

  it.each(['{"version":1,', '{"version":9}'])('that cannot be read are an error, not nothing: %s', (text) => {
    const { path } = createSession(root, session);
    writeFileSync(join(path, 'session.json'), text);
    const refusal = expect.objectContaining({ code: 'session_unreadable', exit: 5 });
    expect(() => readSession(path)).toThrow(refusal);
    expect(() => listSessions(root)).toThrow(refusal);
  });

  it('whose record is gone are an error where a journal is there, not nothing', () => {
    const { path } = createSession(root, session);
    rmSync(join(path, 'session.json'));
    expect(listSessions(root)).toEqual([]);
    writeFileSync(join(path, 'journal.db'), '');
    expect(() => listSessions(root)).toThrow(expect.objectContaining({ code: 'session_unreadable', exit: 5 }));
  });

  it('that cannot be read do not stop a panic, which tells them too', () => {
    const broken = createSession(root, session).path;
    writeFileSync(join(broken, 'session.json'), '{');
    writeFileSync(join(broken, 'journal.db'), '');
    const whole = createSession(root, { ...session, suffix: 'bbbb' }).record.id;
    const problems = new Problems();
    expect(tellSessions(root, 'panic', problems)).toHaveLength(2);
    expect(tellSessions(root, 'panic', new Problems()).map(({ id }) => id)).toContain(whole);
    expect(problems.list()).toHaveLength(1);
    expect(problems.list()[0]).toContain(broken);
  });
});
