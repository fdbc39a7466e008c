/** Found by a stranger: the exchange's id of an order that the bot had cancelled was ambiguous with the cancel's own intent. */
import { expect, it } from 'vitest';
import { lookUp } from '../../src/operations/why/order-lookup.ts';
import { place } from '../execution/limit-rig.ts';
import { makeRig } from '../execution/rig.ts';

it.each(['cancel', 'cancelAll'] as const)('why/by-the-id-of-the-exchange-after-%s', (kind) => {
  const { executor, journal, venue } = makeRig();
  executor.submit('maker', { ...place, ref: 'one' });
  executor.submit('maker', { ...place, ref: 'two' });
  executor.submit('maker', kind === 'cancel' ? { kind, ref: 'one' } : { kind });
  expect(venue.orders.get('v1')?.status).toBe('canceled');
  const [order] = lookUp(journal.read(), 'one').intentIds;
  expect(order).toBeDefined();
  // The answer to the cancel names it, too.
  const cancel = [...journal.read()].find(({ entry }) => entry.kind === 'intent' && entry.command === 'cancel')!;
  const { intentId } = cancel.entry as { readonly intentId: string };
  const answer = [...journal.read()].find(({ entry }) => entry.kind === 'outcome' && entry.intentId === intentId)!;
  const report = { ...venue.orders.get('v1')! };
  const rows = [...journal.read()].map((row) =>
    row.seq === answer.seq
      ? { ...row, entry: { kind: 'outcome', intentId, outcome: { kind: 'accepted', order: report } } as const }
      : row,
  );
  expect(lookUp(rows, 'v1').intentIds).toEqual([order]);
});
