/**
 * Found by the fault simulator (futures, seed 1): in hedge mode one strategy holds both sides of a perpetual, so a payment
 * of funding has two rows of that strategy. The journal took the second for the first once more and refused it: from then
 * on nothing could be written, and each start ended the same way.
 */
import { expect, it } from 'vitest';
import { openJournal } from '../../src/journal/sqlite-store.ts';
import { makeRig, PERP, tempDir } from '../execution/rig.ts';

it('books a payment to both sides of one strategy', () => {
  const { dir, remove } = tempDir();
  const journal = openJournal(dir);
  try {
    const rig = makeRig({ journal });
    const place = { kind: 'place', symbol: PERP.symbol, type: 'market' } as const;
    rig.executor.submit('maker', [
      { ...place, side: 'buy', quantity: '0.4', positionSide: 'long' },
      { ...place, side: 'sell', quantity: '0.1', positionSide: 'short' },
    ]);
    for (const { orderId, quantity } of rig.venue.resting()) rig.venue.tellFill(orderId, quantity, '60000');
    const payment = { id: 'f1', symbol: null, currency: 'USDT', amount: '-0.3', ts: rig.clock.now() };
    rig.venue.emit({ kind: 'funding', payment });
    const rows = [...journal.read()].flatMap(({ entry }) => (entry.kind === 'funding' ? [entry] : []));
    expect(rows.map(({ positionSide, amount }) => [positionSide, amount])).toEqual([
      ['long', '-0.4'],
      ['short', '0.1'],
    ]);
    const events = rig.events.flatMap((event) => (event.kind === 'alarm' ? [event.code] : []));
    expect(events).toEqual([]);
  } finally {
    journal.close();
    remove();
  }
});
