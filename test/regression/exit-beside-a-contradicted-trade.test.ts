/**
 * Found by reading: a push told more of a trade than the list of own trades. An exit that rested went on selling all that was
 * booked, and so coins of the user's own; any other exit was denied whole, so that not even a stop sold what was held for sure.
 */
import { describe, expect, it } from 'vitest';
import type { Action } from '../../src/model/trading/action.ts';
import type { VenueFill } from '../../src/model/trading/fill.ts';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import { bracket } from '../../src/strategy/programs.ts';
import { alarms, denials, type Rig } from '../execution/rig.ts';
import { Stack, SYMBOL, tempDir, until, World } from '../e2e/live-stack.ts';
import { limit } from '../e2e/scenario.ts';
import { fills, programOf, programRig, resting, rests, submit } from '../programs/program-rig.ts';

type Told = '0.03' | '0.08';

interface Setting {
  readonly world: World;
  readonly stack: Stack;
  /** What is sold of the coins that were bought, and of those that were there before. */
  readonly sold: () => string;
  /** The list of own trades is read again, and contradicts. */
  readonly contradict: () => Promise<void>;
  readonly decide: (choice: 'as-booked' | 'as-listed') => void;
}

function exit(quantity: string, price: string, ref: string): Action {
  return { ...limit('sell', price, quantity, ref), reduceOnly: true } as Action;
}

/** The maker has bought 0.05, less a fee of 0.00001; the push tells `told`, and no list can be read yet. */
async function misled(told: Told, run: (setting: Setting) => Promise<void>): Promise<void> {
  const world = await World.open();
  try {
    const { dir, remove } = tempDir();
    world.later(remove);
    const stack = await Stack.start(world, { dir });
    await stack.whenReady();
    const held = (): string => stack.executor.account('maker').position(SYMBOL).quantity;
    world.frames = (text) =>
      text.includes('"liquidity":"maker"') ? text.replace('"quantity":"0.05"', `"quantity":"${told}"`) : text;
    await world.faults({ match: { path: '*/list/my' }, fault: 'status', status: 503 });
    stack.act('maker', limit('buy', '59995', '0.1', 'entry'));
    await until(() => world.alice.active.size === 1, 'it rests');
    world.trade('bob', 'sell', '59995', '0.05', true);
    await until(() => held() === `${told.slice(0, 3)}${Number(told.at(-1)) - 1}999`, 'the trade is booked');
    stack.act('maker', { kind: 'cancel', ref: 'entry' });
    await until(() => stack.states().includes('entry canceled'), 'the rest is cancelled');
    const sold = (): string => {
      const lots = world.alice.trades.flatMap(({ side, quantity }) =>
        side === 'sell' ? [Number(quantity) * 1e5] : [],
      );
      return String(Math.round(lots.reduce((sum, one) => sum + one, 0)) / 1e5);
    };
    const contradict = async (): Promise<void> => {
      await world.faults();
      await until(() => stack.executor.state.contradicted.size === 1, 'the list contradicts');
    };
    const decide = (choice: string): void => {
      const { human, state } = stack.executor;
      const [id = ''] = state.contradicted.keys();
      stack.clock.deliver(stack.connection.clock.nowUs(), () => human.division(id, choice, 'looked')());
    };
    await run({ world, stack, sold, contradict, decide });
    expect(stack.violations).toEqual([]);
  } finally {
    await world.close();
  }
}

describe('beside a contradicted trade a session sells what books and list both hold:', () => {
  it('a flatten, which says once what is left', () =>
    misled('0.08', async ({ stack, sold, contradict }) => {
      await contradict();
      stack.act('maker', { kind: 'flatten', symbol: SYMBOL });
      await until(() => stack.executor.state.flattening.size === 0, 'the flatten is over');
      expect(sold()).toBe('0.04999');
      const stuck = stack.alarms().filter((alarm) => alarm.startsWith('flatten_stuck'));
      expect(stuck).toHaveLength(1);
      expect(stuck[0]).toContain('booked as 0.08 at 59995, but the list of own trades shows 0.05');
    }));

  it('no more than is booked, however much is listed, until the word', () =>
    misled('0.03', async ({ stack, sold, contradict, decide }) => {
      await contradict();
      stack.act('maker', exit('0.03', '59000', 'more'), exit('0.0299', '59000', 'both'));
      await until(() => stack.states().includes('both filled'), 'what both hold is sold');
      expect(stack.denials()).toEqual(['overfilled']);
      decide('as-listed');
      stack.act('maker', { kind: 'flatten', symbol: SYMBOL });
      await until(() => stack.executor.state.flattening.size === 0, 'the flatten is over');
      expect(sold()).toBe('0.04999');
    }));

  it.each([
    { choice: 'as-booked', left: '0.0799' },
    { choice: 'as-listed', left: '0.04999' },
  ] as const)('a stop, and after the word "$choice" what it leaves', ({ choice, left }) =>
    misled('0.08', async ({ world, stack, sold, contradict, decide }) => {
      stack.act('maker', {
        kind: 'stop',
        symbol: SYMBOL,
        side: 'sell',
        quantity: '0.0799',
        trigger: '59900',
        ref: 'guard',
      });
      await contradict();
      world.trade('bob', 'buy', '59800', '2');
      world.trade('bob', 'sell', '59850', '3', true);
      await until(() => sold() === '0.04999', 'what both hold is sold');
      await until(() => stack.denials().includes('overfilled'), 'the rest is denied');
      expect(sold()).toBe('0.04999');
      decide(choice);
      await until(() => stack.executor.programs()[0]?.state !== 'working', 'the end of the stop');
      expect(sold()).toBe(left);
    }),
  );

  it('an order, and cancels one that rests for more', () =>
    misled('0.08', async ({ world, stack, sold, contradict }) => {
      stack.act('maker', exit('0.0799', '60500', 'rests'));
      await until(() => world.alice.active.size === 1, 'the exit rests');
      await contradict();
      await until(() => stack.states().includes('rests canceled'), 'the exit is cancelled');
      expect(world.alice.active.size).toBe(0);
      stack.act('maker', exit('0.05', '59000', 'more'), exit('0.0499', '59000', 'both'));
      await until(() => stack.states().includes('both filled'), 'what both hold is sold');
      expect(stack.denials()).toEqual(['overfilled']);
      expect(sold()).toBe('0.0499');
    }));
});

describe('in virtual time', () => {
  /** An order of the maker trades 0.001, and the push tells it otherwise. */
  async function contradicted(rig: Rig, entry: Action, told: Partial<VenueFill>): Promise<void> {
    const { venue, clock, executor } = rig;
    createReconciler(executor, { markets: ['spot'] }).start();
    await clock.advanceAsync(5_000, 1000);
    submit(rig, entry);
    const { orderId } = rests(rig, 'side' in entry && entry.side === 'sell' ? 'sell' : 'buy');
    const fill = venue.fill(orderId, '0.001');
    venue.emit({ kind: 'fill', fill: { ...fill, ...told } });
    venue.tell(orderId);
    await clock.advanceAsync(20_000, 1000);
    expect(executor.state.contradicted.size).toBe(1);
  }

  /** What is sent from now on, as `side quantity`. */
  function since({ venue }: Rig): () => string[] {
    const before = venue.creates().length;
    return () =>
      venue
        .creates()
        .slice(before)
        .map(({ side, quantity }) => `${side} ${quantity}`);
  }

  const entry = limit('buy', '60000', '0.002');
  const more = { quantity: '0.0015' };
  const flatten = { kind: 'flatten', symbol: SYMBOL } as const;

  it('a bracket sells it at its take-profit or its stop, and says once what has no exit', async () => {
    const rig = programRig();
    const terms = { symbol: SYMBOL, side: 'buy', type: 'limit', price: 60_000, quantity: '0.002' } as const;
    await contradicted(rig, bracket({ entry: terms, takeProfit: 60_600, stopLoss: 59_400 }), more);
    expect(resting(rig)).toEqual(['sell 0.001 @ 60600']);
    const sent = since(rig);
    rig.market.move(59_400);
    fills(rig, 'sell', '59400');
    await rig.clock.advanceAsync(60_000, 1000);
    expect(sent()).toEqual(['sell 0.001']);
    expect(programOf(rig).state).toBe('failed');
    expect(alarms(rig).filter((code) => code === 'program_failed')).toHaveLength(1);
  });

  it('what was sold is bought back by as much as both say', async () => {
    const rig = programRig();
    await contradicted(rig, limit('sell', '60001', '0.002'), more);
    const sent = since(rig);
    submit(rig, flatten);
    expect(sent()).toEqual(['buy 0.001']);
  });

  it('what a sale is told to be short of counts once, as not booked, and a flatten does not wait for it', async () => {
    const rig = programRig();
    submit(rig, limit('buy', '60000', '0.003'));
    fills(rig, 'buy');
    await contradicted(rig, limit('sell', '60001', '0.001'), { quantity: '0.0005' });
    const sent = since(rig);
    submit(rig, flatten);
    expect(sent()).toEqual(['sell 0.002']);
  });

  it('no strategy sells for another', async () => {
    const rig = programRig();
    rig.executor.submit('taker', limit('buy', '60000', '0.003'));
    fills(rig, 'buy');
    await contradicted(rig, limit('buy', '59999', '0.002'), more);
    const sent = since(rig);
    submit(rig, exit('0.0015', '60100', 'more'));
    submit(rig, exit('0.001', '60100', 'both'));
    rig.executor.submit('taker', exit('0.003', '60100', 'others'));
    expect(sent()).toEqual(['sell 0.001', 'sell 0.003']);
    expect(denials(rig)).toEqual(['overfilled']);
  });

  it('all is sold where the prices alone differ', async () => {
    const rig = programRig();
    await contradicted(rig, entry, { price: '59990' });
    const sent = since(rig);
    submit(rig, flatten);
    expect(sent()).toEqual(['sell 0.001']);
  });

  it('nothing leaves where the symbol is halted for another reason too, until a human has said both', async () => {
    const rig = programRig();
    await contradicted(rig, entry, more);
    const [{ orderId } = { orderId: '' }] = rig.venue.orders.values();
    rig.venue.emit({ kind: 'fill', fill: { ...rig.venue.fill(orderId, '0.001'), quantity: '0.1' } });
    const sent = since(rig);
    submit(rig, exit('0.0005', '60100', 'a'));
    const [id = ''] = rig.executor.state.contradicted.keys();
    rig.executor.human.division(id, 'as-listed', 'looked')();
    submit(rig, exit('0.0005', '60100', 'b'));
    expect(sent()).toEqual([]);
    rig.executor.human.resume(SYMBOL, 'looked');
    submit(rig, exit('0.0005', '60100', 'c'));
    expect(sent()).toEqual(['sell 0.0005']);
  });
});
