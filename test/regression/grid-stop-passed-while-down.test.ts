/** A grid whose stop was passed while no session ran left without `exit_late`, since its levels are cancelled first. */
import { expect, it } from 'vitest';
import { grid } from '../../src/index.ts';
import { createMemoryJournal } from '../../src/journal/memory-store.ts';
import { BTC, makeRig } from '../execution/rig.ts';
import { fills, programRig, submit, SYMBOL } from '../programs/program-rig.ts';

const action = grid({
  symbol: SYMBOL,
  low: 59_800,
  high: 60_200,
  levels: 3,
  quantity: '0.02',
  side: 'long',
  stopLoss: 59_700.99,
});

// The bid falls to 59,593, and the ask to 59,607.
it.each([
  ['with a cell filled', true, ['fires 107.99 beyond its trigger 59700.99']],
  ['holding nothing', false, []],
] as const)('programs: a grid %s says how late its stop is', (_, isFilled, said) => {
  const journal = createMemoryJournal();
  const before = programRig({ journal });
  submit(before, action);
  if (isFilled) fills(before, 'buy');
  expect(before.venue.resting().length).toBeGreaterThan(0);
  const { clock, venue } = before;
  const rig = makeRig({ journal, clock, venue, bootId: 'b2', specs: [BTC], risk: { priceCollar: 0.5 } });
  rig.market.move(59_593);
  rig.market.ask = 5_960_700;
  rig.executor.goOn('maker');
  const late = rig.events.flatMap((event) =>
    event.kind === 'alarm' && event.code === 'exit_late' ? [event.message] : [],
  );
  expect(late).toEqual(said.map((words) => expect.stringContaining(words)));
});
