/**
 * Found by a stranger: `panic` counted every session that it latched as a running one that was stopped, also those that had died
 * or ended in order, and said without any session that starts are blocked, though only one under way would be.
 */
import { expect, it } from 'vitest';
import { acquireLock } from '../../src/journal/files/lock.ts';
import { createSession, writeSession, type SessionFolder } from '../../src/session/store/store.ts';
import { tempDir, World } from '../e2e/live-stack.ts';
import { LIVE, panic } from '../e2e/panic-setting.ts';

type Sessions = Readonly<Record<'runs' | 'died' | 'left' | 'over', () => SessionFolder>>;

async function withSessions(run: (world: World, root: string, sessions: Sessions) => Promise<void>): Promise<void> {
  const world = await World.open();
  try {
    const { dir: root, remove } = tempDir();
    world.later(remove);
    let count = 0;
    const died = (): SessionFolder =>
      createSession(root, { ...LIVE, exchange: world.sandbox.restUrl, now: Date.now(), suffix: `${count++}` });
    const ended = (left: boolean): SessionFolder => {
      const { path, record } = died();
      writeSession(path, { ...record, clean: true, left });
      return { path, record };
    };
    const runs = (): SessionFolder => {
      const folder = died();
      const lock = acquireLock(folder.path);
      world.later(() => lock.release());
      return folder;
    };
    await run(world, root, { runs, died, left: () => ended(true), over: () => ended(false) });
  } finally {
    await world.close();
  }
}

it('counts as stopped the one that runs, and beside it those that a start would resume', () =>
  withSessions(async (world, root, sessions) => {
    sessions.over();
    const ids = [sessions.runs(), sessions.died(), sessions.left()].map(({ record }) => record.id);
    const { said, document } = await panic(world, root);
    expect(said).toContain(
      '1 running session is stopped, 2 sessions that do not run are latched for their next start, and starts are blocked;',
    );
    expect(document.told.toSorted()).toEqual(ids.toSorted());
    expect(document.running).toEqual(ids.slice(0, 1));
  }));

it('says that none runs where the only one has died', () =>
  withSessions(async (world, root, sessions) => {
    const { record } = sessions.died();
    const { said, document } = await panic(world, root);
    expect(said).toMatch(/^1 session that does not run is latched for its next start, and starts are blocked;/m);
    expect(document).toMatchObject({ told: [record.id], running: [] });
  }));

it('claims no more than it does where there is none', () =>
  withSessions(async (world, root, sessions) => {
    sessions.over();
    const { said, document } = await panic(world, root);
    expect(said).toMatch(/^no session was found that runs or would be resumed, and a start under way is blocked;/m);
    expect(document).toMatchObject({ told: [], running: [] });
  }));
