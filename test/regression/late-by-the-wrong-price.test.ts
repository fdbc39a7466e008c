/** `exit_late` measured how far the price was beyond the trigger from the mid, where the trigger looks at another price. */
import { expect, it } from 'vitest';
import { bracket, oco, place, stop, trailingStop, type Action } from '../../src/index.ts';
import { createMemoryJournal } from '../../src/journal/memory-store.ts';
import { BTC, makeRig } from '../execution/rig.ts';
import { fills, programRig, rests, submit, SYMBOL } from '../programs/program-rig.ts';

const entry = { symbol: SYMBOL, side: 'buy', type: 'limit', price: 60_001, quantity: '0.02' } as const;
const leg = { symbol: SYMBOL, side: 'sell', quantity: '0.02' } as const;
const exit = stop({ ...leg, trigger: 59_700.99 });

// The bid falls to 59,593; the ask is 59,607 and the mid 59,600.
it.each<readonly [string, readonly Action[], string]>([
  ['a stop', [place(entry), exit], '107.99'],
  ['a stop by the mid', [place(entry), { ...exit, by: 'mid' }], '100.99'],
  ['a trailing stop', [place(entry), trailingStop({ ...leg, distance: 299.01 })], '107.99'],
  ['a bracket', [bracket({ entry, stopLoss: 59_700.99 })], '107.99'],
  [
    'an oco',
    [place(entry), oco({ symbol: SYMBOL, legs: [place({ ...leg, type: 'limit', price: 61_000 }), exit] })],
    '107.99',
  ],
])('programs: %s is late by what its own price lies beyond its trigger', (_, [first, ...rest], beyond) => {
  const journal = createMemoryJournal();
  const before = programRig({ journal });
  submit(before, first ?? []);
  fills(before, 'buy');
  for (const action of rest) submit(before, action);
  expect(before.venue.resting().length).toBeLessThan(2);
  const { clock, venue } = before;
  const rig = makeRig({ journal, clock, venue, bootId: 'b2', specs: [BTC], risk: { priceCollar: 0.5 } });
  rig.market.move(59_593);
  rig.market.ask = 5_960_700;
  rig.executor.goOn('maker');
  const late = rig.events.flatMap((event) =>
    event.kind === 'alarm' && event.code === 'exit_late' ? [event.message] : [],
  );
  expect(late).toEqual([expect.stringContaining(`fires ${beyond} beyond its trigger 59700.99`)]);
  expect(rests(rig, 'sell')).toBeDefined();
});
