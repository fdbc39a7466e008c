/**
 * Found by reading: `panic --flatten` added up the positions of all live sessions that ever were, of whatever account and
 * exchange, and its own orders stood in no journal: run a second time, as one does in an emergency, it sold all again.
 */
import { expect, it } from 'vitest';
import { createSession, unfinishedByTags } from '../../src/session/store/store.ts';
import { tempDir, until } from '../e2e/live-stack.ts';
import { holding, LIVE } from '../e2e/panic-setting.ts';
import { CREATE, market } from '../e2e/scenario.ts';

it('sells what is held once, however often it is called', () =>
  holding(async ({ world, flatten }) => {
    expect(await flatten()).toEqual(['sell 0.04997 accepted']);
    expect(await flatten()).toEqual([]);
    expect(world.alice.orders).toHaveLength(2);
  }));

it('sells what each strategy holds once when two are called at the same time', () =>
  holding(async ({ world, stack, flatten }) => {
    await until(() => stack.reconciler.gate.closedBecause('BTCUSDT') === null, 'the gate opens after the first fill');
    stack.act('maker', market('buy', '0.02'));
    await until(() => stack.executor.account('maker').position('BTCUSDT').quantity === '0.01999', 'the position');
    const both = await Promise.all([flatten(), flatten()]);
    expect(both.flat().toSorted()).toEqual(['sell 0.01999 accepted', 'sell 0.04997 accepted']);
    expect(world.alice.orders).toHaveLength(4);
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
  expect(unfinishedByTags(root, { mode: 'live', account: 'alice', exchange: 'http://127.0.0.1:1' }).size).toBe(1);
  expect(unfinishedByTags(root, { mode: 'live', account: 'alice', exchange: 'https://real.example' }).size).toBe(0);
  remove();
});
