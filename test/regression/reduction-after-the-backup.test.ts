/**
 * A reduction whose rows an older journal had lost was taken over for the first strategy of the session, which held nothing:
 * its fill would have turned that one's position over while the holder's stood unreduced in the books. And one of more than
 * anybody held was left to rest. Found by the simulator (seed 60823, R4).
 */
import { expect, it } from 'vitest';
import type { JournalEntry } from '../../src/model/entries/journal.ts';
import { entries, withOlderJournal } from '../journal/older-journal-rig.ts';
import { held } from '../execution/perpetual-rig.ts';
import { startReconciler } from '../execution/limit-rig.ts';
import { makeRig, PERP, type Rig } from '../execution/rig.ts';

const { symbol } = PERP;
const specs = [PERP];

/** The taker has bought 0.1 and rests a reduction of so much, which the journal of the next start has lost; the maker rests a buy. */
async function afterTheBackup(quantity: string): Promise<Rig> {
  const before = makeRig({ specs, bootId: 's1_1' });
  const { executor, venue, clock } = before;
  startReconciler(before);
  await clock.advanceAsync(61_000, 1000);
  const buy = { kind: 'place', symbol, side: 'buy', type: 'limit' } as const;
  executor.submit('maker', { ...buy, price: '59000', quantity: '0.01' });
  executor.submit('taker', { kind: 'place', symbol, side: 'buy', type: 'market', quantity: '0.1' });
  const [, bought] = venue.resting();
  venue.tellFill(bought!.orderId, '0.1', '60000');
  venue.positionsNow = [held('0.1')];
  await clock.advanceAsync(61_000, 1000);
  executor.submit('taker', { ...buy, side: 'sell', price: '61000', quantity: '0.1', reduceOnly: true });
  const lost = venue.resting().at(-1)!;
  Object.assign(lost, { quantity, reduceOnly: true });
  const isLost = (entry: JournalEntry): boolean => entry.kind === 'intent' && entry.intentId === 's1_1-3';
  const rig = await withOlderJournal(before, isLost, [], {}, specs);
  await rig.clock.advanceAsync(61_000, 1000);
  return rig;
}

function adopted(rig: Rig): readonly string[] {
  return entries(rig).flatMap((entry) =>
    entry.kind === 'intent' && entry.command === 'create' && entry.adoptedFrom !== undefined ? [entry.strategy] : [],
  );
}

it('takes a reduction over for the strategy that holds what it reduces', async () => {
  const rig = await afterTheBackup('0.1');
  expect(adopted(rig)).toEqual(['taker']);
  expect(rig.venue.resting().map(({ quantity }) => quantity)).toEqual(['0.01', '0.1']);
});

it('calls one back that reduces more than is held', async () => {
  const rig = await afterTheBackup('0.2');
  expect(adopted(rig)).toEqual(['taker']);
  expect(rig.venue.resting().map(({ quantity }) => quantity)).toEqual(['0.01']);
});
