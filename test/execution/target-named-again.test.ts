/**
 * A target that is named again and again, as candle strategies do: where no decision is journalled it costs nothing while
 * nothing has changed (`Targets.stands`), and what leaves is the same as where each one is worked through.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createMemoryJournal } from '../../src/journal/memory-store.ts';
import { makeRig, type Rig } from './rig.ts';

const SYMBOL = 'BTCUSDT';

type Step =
  | { readonly do: 'target'; readonly quantity: string; readonly times: number }
  | { readonly do: 'fill' | 'place' | 'cancelAll' | 'flatten' | 'halt' | 'resume' | 'wait' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('target' as const),
      quantity: fc.constantFrom('0', '0.01', '0.02', '0.00001'),
      times: fc.integer({ min: 1, max: 4 }),
    }),
  },
  { weight: 3, arbitrary: fc.constant<Step>({ do: 'fill' }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('place', 'cancelAll', 'flatten', 'halt', 'resume', 'wait').map((name) => ({ do: name })),
  },
);

/** Turns that began, beside what left. */
function live({ clock, venue, executor, market }: Rig, steps: readonly Step[]): readonly unknown[] {
  const turns: number[] = [];
  for (const one of steps) {
    if (one.do === 'target')
      for (let count = 0; count < one.times; count++) {
        executor.submit('maker', [{ kind: 'target', symbol: SYMBOL, quantity: one.quantity }]);
        turns.push(executor.turns);
      }
    else if (one.do === 'fill') for (const { orderId, quantity } of venue.resting()) venue.tellFill(orderId, quantity);
    else if (one.do === 'place')
      executor.submit('maker', [
        { kind: 'place', symbol: SYMBOL, side: 'buy', type: 'limit', price: '59000', quantity: '0.01' },
      ]);
    else if (one.do === 'cancelAll') executor.submit('maker', [{ kind: 'cancelAll' }]);
    else if (one.do === 'flatten') executor.submit('maker', [{ kind: 'flatten', symbol: SYMBOL }]);
    else if (one.do === 'halt') executor.human.pause('maker', true, 'by the test');
    else if (one.do === 'resume') executor.human.pause('maker', false, 'by the test');
    else {
      clock.advance(1000);
      market.move(market.bid / 100 + 1);
    }
  }
  return [venue.sent, executor.counters(), executor.account('maker').position(SYMBOL), turns];
}

it('leaves what it would leave if each one were worked through', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const [silent, kept] = [0, 100_000].map((rowsMax) => {
        const rig = makeRig({ journal: createMemoryJournal({ rowsMax }) });
        return live(rig, steps);
      });
      expect(silent).toEqual(kept);
    }),
    { numRuns: 300 },
  );
});

it('is worked through again once the position has changed', () => {
  const rig = makeRig({ journal: createMemoryJournal({ rowsMax: 0 }) });
  const hold = { kind: 'target', symbol: SYMBOL, quantity: '0.01' } as const;
  const held = (): string => rig.executor.account('maker').position(SYMBOL).quantity;
  rig.executor.submit('maker', [hold]);
  for (const { orderId, quantity } of rig.venue.resting()) rig.venue.tellFill(orderId, quantity);
  expect(held()).toBe('0.01');
  for (let count = 0; count < 3; count++) rig.executor.submit('maker', [hold]);
  expect(rig.venue.creates()).toHaveLength(1);
  rig.executor.submit('maker', [{ kind: 'flatten', symbol: SYMBOL }]);
  for (const { orderId, quantity } of rig.venue.resting()) rig.venue.tellFill(orderId, quantity);
  expect(held()).toBe('0');
  rig.executor.submit('maker', [hold]);
  expect(rig.venue.creates()).toHaveLength(3);
});
