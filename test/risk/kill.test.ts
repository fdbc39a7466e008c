/**
 * The kill switch under any interleaving (INV-K1, K2, K3): after the latch no byte that could add risk leaves, whatever was
 * queued; everything of ours is cancelled, also what appears later; the latch outlives a restart, a broken journal included.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import { PANIC_FLATTEN } from '../../src/risk/kill-switch.ts';
import { makeRig, TestVenue, type Rig } from '../execution/rig.ts';

const limit = {
  kind: 'place',
  symbol: 'BTCUSDT',
  side: 'buy',
  type: 'limit',
  price: '59000',
  quantity: '0.01',
} as const;

type Step = 'place' | 'quote' | 'target' | 'cancel' | 'queue' | 'release' | 'wait' | 'kill';
const steps = fc.array(fc.constantFrom<Step>('place', 'quote', 'target', 'cancel', 'queue', 'release', 'wait'), {
  minLength: 3,
  maxLength: 40,
});

function perform(rig: Rig, step: Step): void {
  const { executor, venue } = rig;
  if (step === 'place') executor.submit('maker', limit);
  if (step === 'quote')
    executor.submit('maker', {
      kind: 'quote',
      symbol: 'BTCUSDT',
      bids: [{ price: '59900', quantity: '0.02' }],
      asks: [{ price: '60100', quantity: '0.02' }],
    });
  if (step === 'target') executor.submit('taker', { kind: 'target', symbol: 'BTCUSDT', quantity: '0.03' });
  if (step === 'cancel') executor.submit('maker', { kind: 'cancelAll' });
  if (step === 'queue') venue.queueing = true;
  if (step === 'release') {
    venue.queueing = false;
    venue.release();
  }
  if (step === 'wait') rig.clock.advance(700);
  if (step === 'kill') executor.kill('test');
}

describe('after the kill', () => {
  it('no create leaves, whatever was queued before or asked after', () => {
    fc.assert(
      fc.property(steps, steps, (before, after) => {
        const rig = makeRig();
        for (const step of before) perform(rig, step);
        const sent = rig.venue.creates().length;
        perform(rig, 'kill');
        for (const step of after) perform(rig, step);
        perform(rig, 'release');
        expect(rig.venue.creates()).toHaveLength(sent);
        expect(rig.venue.resting()).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it('exits pass, but not beside a panic that closes what is held by itself, also where a kill came before it', () => {
    const exit = { ...limit, side: 'sell', price: '60500', quantity: '0.01', reduceOnly: true } as const;
    const holding = (): Rig => {
      const rig = makeRig();
      rig.executor.submit('maker', { ...limit, quantity: '0.02' });
      const [bought] = rig.venue.resting();
      rig.venue.tellFill(bought!.orderId, '0.02', '59000');
      rig.executor.kill('test');
      rig.executor.submit('maker', exit);
      expect(rig.venue.resting()).toHaveLength(1);
      return rig;
    };
    const rig = holding();
    rig.venue.queueing = true;
    rig.executor.submit('maker', { ...exit, price: '60600' });
    rig.executor.kill(PANIC_FLATTEN);
    rig.executor.submit('maker', { ...exit, price: '60700' });
    rig.venue.queueing = false;
    rig.venue.release();
    expect(rig.venue.resting()).toEqual([]);
    expect(rig.venue.creates()).toHaveLength(2);
    expect(rig.executor.state.killReason).toBe(PANIC_FLATTEN);
    const next = makeRig({ venue: rig.venue, journal: rig.journal, clock: rig.clock });
    next.executor.submit('maker', exit);
    expect(rig.venue.creates()).toHaveLength(2);
    next.executor.human.clearKill('a human looked');
    next.executor.submit('maker', exit);
    expect(rig.venue.creates()).toHaveLength(3);
  });

  it('an order that appears later, or whose cancel was lost, is cancelled too', async () => {
    const rig = makeRig();
    const reconciler = createReconciler(rig.executor, { markets: ['spot'] });
    reconciler.start();
    await rig.clock.advanceAsync(2_000);
    rig.executor.submit('maker', { ...limit, ref: 'stands' });
    rig.venue.createMode = 'never-arrives';
    rig.executor.submit('maker', { ...limit, price: '58000', ref: 'late' });
    const late = rig.venue.creates().at(-1);
    rig.venue.cancelMode = 'never-arrives';
    rig.executor.kill('test');
    expect(rig.venue.resting()).toHaveLength(1);
    if (late !== undefined) rig.venue.arrive(late);
    expect(rig.venue.resting()).toHaveLength(2);
    rig.venue.cancelMode = 'accept';
    await rig.clock.advanceAsync(60_000);
    expect(rig.venue.resting()).toEqual([]);
    reconciler.stop();
  });

  it('it stays on over a restart, and only a human opens it', () => {
    const rig = makeRig();
    rig.executor.kill('a human');
    const again = makeRig({ journal: rig.journal, clock: rig.clock, venue: new TestVenue(rig.clock), bootId: 'b2' });
    again.executor.submit('maker', limit);
    expect(again.venue.creates()).toEqual([]);
    again.executor.human.clearKill('looked into it');
    again.executor.submit('maker', limit);
    expect(again.venue.creates()).toHaveLength(1);
    const rows = [...rig.journal.read()].flatMap(({ entry }) =>
      entry.kind === 'kill' ? [[entry.on, entry.reason]] : [],
    );
    expect(rows).toEqual([
      [true, 'a human'],
      [false, 'looked into it'],
    ]);
  });

  it('it works with a journal that fails: latched, cancelled, nothing sent', () => {
    const rig = makeRig();
    rig.executor.submit('maker', limit);
    Object.assign(rig.journal, {
      append: () => {
        throw new Error('no space left on device');
      },
    });
    rig.executor.kill('disk');
    expect(rig.executor.killed).toBe(true);
    expect(rig.venue.resting()).toEqual([]);
    rig.executor.submit('maker', limit);
    expect(rig.venue.creates()).toHaveLength(1);
  });
});
