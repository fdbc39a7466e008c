/**
 * Found by reading: `panic --flatten` added up the positions of all live sessions that ever were, of whatever account and
 * exchange, and its own orders stood in no journal: run a second time, as one does in an emergency, it sold all again.
 */
import { expect, it } from 'vitest';
import { flattenEverything, type FlattenOptions } from '../../src/session/panic-flatten.ts';
import type { JournalStore } from '../../src/model/journal.ts';
import { takePanicOrders } from '../../src/session/panic-orders.ts';
import { Problems } from '../../src/session/panic.ts';
import { createSession, findUnfinished, type NewSession } from '../../src/session/store.ts';
import { CREATE, market } from '../e2e/scenario.ts';
import { Stack, tempDir, until, World } from '../e2e/live-stack.ts';

const LIVE = { mode: 'live' as const, strategies: [], seed: 1, account: 'alice', suffix: 'a' };

interface Setting {
  readonly world: World;
  /** Ends the session and starts it anew, as `run` does. */
  readonly restart: () => Promise<Stack>;
  readonly flatten: (over?: Partial<FlattenOptions['owner']>) => Promise<readonly string[]>;
}

async function holding(run: (setting: Setting) => Promise<void>): Promise<void> {
  const world = await World.open();
  try {
    const { dir: root, remove } = tempDir();
    world.later(remove);
    const exchange = world.sandbox.restUrl;
    const session: NewSession = { ...LIVE, exchange, now: Date.now() };
    const folder = createSession(root, session);
    const stack = await Stack.start(world, { dir: folder.path });
    await stack.whenReady();
    stack.act('taker', market('buy', '0.05'));
    await until(() => stack.executor.account('taker').position('BTCUSDT').quantity === '0.049975', 'the position');
    const { connection } = stack;
    let count = 0;
    const flatten: Setting['flatten'] = async (over = {}) => {
      const owner = { account: 'alice', exchange, ...over };
      const options = {
        exchange: connection.exchange,
        instruments: connection.instruments,
        root,
        owner,
        unique: `p${count++}`,
        now: () => connection.clock.now(),
      };
      const { flattened } = await flattenEverything(options, new Problems());
      return flattened.map(({ quantity, outcome }) => `${quantity} ${outcome}`);
    };
    const restart = async (): Promise<Stack> => {
      await stack.stop();
      const wrap = (journal: JournalStore): JournalStore => {
        takePanicOrders(journal, folder, Date.now());
        return journal;
      };
      const next = await Stack.start(world, { dir: folder.path, bootId: 'b2', wrap });
      await next.whenReady();
      return next;
    };
    await run({ world, flatten, restart });
  } finally {
    await world.close();
  }
}

it('sells what is held once, however often it is called', () =>
  holding(async ({ world, flatten }) => {
    expect(await flatten()).toEqual(['sell 0.04997 accepted']);
    expect(await flatten()).toEqual([]);
    expect(world.alice.orders).toHaveLength(2);
  }));

it('does not sell again what it may have sold', () =>
  holding(async ({ world, flatten }) => {
    await world.faults({ match: CREATE, fault: 'dropAfterEffect', times: 1 });
    expect(await flatten()).toEqual(['sell 0.04997 unknown']);
    expect(await flatten()).toEqual([]);
    expect(world.alice.orders).toHaveLength(2);
  }));

it.each([{ answer: 'accepted' }, { answer: 'unknown' }])(
  'is seen by the next start, which no longer believes in what was sold: $answer',
  ({ answer }) =>
    holding(async ({ world, flatten, restart }) => {
      if (answer === 'unknown') await world.faults({ match: CREATE, fault: 'dropAfterEffect', times: 1 });
      expect(await flatten()).toEqual([`sell 0.04997 ${answer}`]);
      const next = await restart();
      const position = (): string => next.executor.account('taker').position('BTCUSDT').quantity;
      await until(() => position() === '0.000005', 'the position is what is left');
      expect(next.executor.unresolvedCount()).toBe(0);
      const fills = next.rows().flatMap(({ entry }) => (entry.kind === 'fill' ? [entry.fill.side] : []));
      expect(fills).toEqual(['buy', 'sell']);
      // It stands in the journal now, and is not counted a second time.
      expect(await flatten()).toEqual([]);
      expect(world.alice.orders).toHaveLength(2);
    }),
);

it('tries again what was refused', () =>
  holding(async ({ world, flatten }) => {
    const market = world.sandbox.sandbox.exchange.markets.get('BTCUSDT');
    if (market === undefined) throw new Error('no market');
    Object.assign(market, { halted: true });
    expect(await flatten()).toEqual(['sell 0.04997 refused']);
    Object.assign(market, { halted: false });
    expect(await flatten()).toEqual(['sell 0.04997 accepted']);
  }));

it('leaves alone what sessions of other accounts and exchanges hold', () =>
  holding(async ({ flatten }) => {
    expect(await flatten({ account: 'bob' })).toEqual([]);
    expect(await flatten({ exchange: 'https://elsewhere.example' })).toEqual([]);
  }));

it('resumes no session of another exchange', () => {
  const { dir: root, remove } = tempDir();
  createSession(root, { ...LIVE, exchange: 'http://127.0.0.1:1', now: 1 });
  expect(findUnfinished(root, 'live', [], 'alice', 'http://127.0.0.1:1')).not.toBeNull();
  expect(findUnfinished(root, 'live', [], 'alice', 'https://real.example')).toBeNull();
  remove();
});
