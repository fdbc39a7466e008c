/**
 * Found by reading: after a restart the key of a command was known while its row was among the last 20,000, then the command
 * was carried out again; and one that failed after its row was written was answered as done once its key came again.
 */
import { afterEach, expect, it, vi } from 'vitest';
import { openJournal } from '../../src/journal/sqlite-store.ts';
import type { JournalStore } from '../../src/model/entries/journal.ts';
import { Orders } from '../../src/bridge/fleet/orders.ts';
import type { SessionLink } from '../../src/bridge/fleet/session-link.ts';
import { Replica } from '../../src/bridge/replica/replica.ts';
import { sessionErrors } from '../../src/session/errors.ts';
import type { RemoteOrder } from '../../src/session/remote/remote-order.ts';
import { KEYS_MAX, knowsKey, REMOTE_COMMAND } from '../../src/spine/command-keys.ts';
import { Replay, stateHash } from '../../src/spine/replay.ts';
import { replayOf, snapshotText } from '../../src/spine/snapshot/snapshot.ts';
import { tempDir } from '../execution/rig.ts';
import { remoteRig, type RemoteRig } from '../session/remote/remote-rig.ts';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0).reverse()) cleanup();
});

const PAUSE = { command: 'pause', strategy: 'maker', reason: 'looked at' } as const;
const WHO = 'api 127.0.0.1';

interface Setting {
  readonly rig: RemoteRig;
  readonly journal: JournalStore;
  /** Of a server that begins now. */
  readonly orders: () => Orders;
  readonly sent: RemoteOrder[];
}

function setting(): Setting {
  const { dir, remove } = tempDir();
  const journal = openJournal(dir);
  const rig = remoteRig({ journal });
  cleanups.push(remove, () => journal.close());
  const sent: RemoteOrder[] = [];
  const order: SessionLink['order'] = (wanted) => {
    sent.push(wanted);
    return rig.order(wanted);
  };
  const link: SessionLink = { order, ask: () => Promise.resolve(null), want: () => {} };
  const orders = (): Orders => {
    const replica = new Replica(dir);
    cleanups.push(() => replica.close());
    return new Orders({ clock: rig.clock, link: () => link, replica: () => replica });
  };
  return { rig, journal, orders, sent };
}

it('is known after a restart however many rows have come since', async () => {
  const { rig, journal, orders, sent } = setting();
  const first = await orders().give(PAUSE, WHO, 'once');
  expect(first).toMatchObject({ kind: 'done' });
  const notes = Array.from({ length: 20_100 }, () => ({ kind: 'note', strategy: 'maker', text: '"once"' }) as const);
  journal.append(rig.clock.now(), notes);
  const restarted = orders();
  expect(await restarted.give(PAUSE, 'telegram 1', 'once')).toEqual(first);
  await expect(restarted.give({ ...PAUSE, strategy: 'taker' }, WHO, 'once')).rejects.toMatchObject({
    code: 'bridge_key_reused',
  });
  expect(sent).toHaveLength(1);
  expect(await restarted.give(PAUSE, WHO, 'another')).toMatchObject({ kind: 'done' });
  expect(sent).toHaveLength(2);
});

/** Rows of commands with the keys `key-0`, `key-1` … */
function ordered(count: number): Replay {
  const replay = new Replay();
  for (let seq = 1; seq <= count; seq++) {
    const entry = { kind: 'record', name: REMOTE_COMMAND, data: { key: `key-${seq - 1}` } } as const;
    replay.row({ seq, ts: 1_767_571_200_000 + seq, entry });
  }
  return replay;
}

it('is remembered for so many commands, of which the oldest goes, and over a snapshot', () => {
  const { state } = ordered(KEYS_MAX + 1);
  const resumed = replayOf(snapshotText(ordered(KEYS_MAX + 1)));
  expect(state.commandKeys.size).toBe(KEYS_MAX);
  for (const one of [state, resumed.state])
    expect([0, 1, KEYS_MAX].map((count) => knowsKey(one, `key-${count}`))).toEqual([false, true, true]);
  expect(stateHash(resumed.state)).toBe(stateHash(state));
});

it('lies among the values of no strategy, and the running session knows what a replay of its journal knows', async () => {
  const { rig, journal, orders } = setting();
  await orders().give(PAUSE, WHO, 'once');
  const replay = new Replay();
  for (const row of journal.read()) replay.row(row);
  expect([...rig.executor.state.values]).toEqual([]);
  expect(knowsKey(rig.executor.state, 'once')).toBe(true);
  expect(stateHash(rig.executor.state)).toBe(stateHash(replay.state));
});

it('of a command that failed after its row gets the same failure, at once and after a restart', async () => {
  const { rig, orders, sent } = setting();
  vi.spyOn(rig.executor.human, 'pause').mockImplementation(() => {
    throw sessionErrors.make('remote_denied', 'not now', { field: 'strategy' });
  });
  const server = orders();
  const failure = await server.give(PAUSE, WHO, 'fails');
  expect(failure).toMatchObject({ kind: 'failed', code: 'remote_denied', message: 'not now', field: 'strategy' });
  expect(rig.commits.at(-1)?.filter((kind) => kind === 'record')).toHaveLength(2);
  expect(await server.give(PAUSE, WHO, 'fails')).toEqual(failure);
  expect(await orders().give(PAUSE, WHO, 'fails')).toEqual(failure);
  expect(sent).toHaveLength(1);
});
