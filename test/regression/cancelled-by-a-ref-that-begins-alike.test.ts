/**
 * Found by reading: the parts of a split exit were found by the text of their ref, so that cancelling `a` also cancelled
 * another order, which the strategy had named `a#note`.
 */
import { expect, it } from 'vitest';
import { replayRows } from '../../src/spine/replay.ts';
import { replayOf, snapshotText } from '../../src/spine/snapshot/snapshot.ts';
import { BTC, makeRig, PERP, type Rig } from '../execution/rig.ts';

const { symbol } = PERP;
const buy = { kind: 'place', symbol, side: 'buy', type: 'limit', price: '59000', quantity: '0.01' } as const;
const limits = { risk: { maxOrderQuantity: '0.03', maxOrderEquityFraction: 1 }, specs: [BTC, PERP] };

const refs = ({ executor }: Rig): readonly string[] =>
  executor
    .account('maker')
    .openOrders()
    .map(({ ref }) => ref);

it('execution/cancel/leaves-a-ref-that-begins-alike', () => {
  const rig = makeRig(limits);
  rig.executor.submit('maker', [
    { ...buy, ref: 'a' },
    { ...buy, ref: 'a#note', price: '58000' },
  ]);
  rig.executor.submit('maker', { kind: 'cancel', ref: 'a' });
  expect(refs(rig)).toEqual(['a#note']);
});

it('execution/cancel/takes-the-parts-of-its-exit-alone', () => {
  const rig = makeRig(limits);
  for (let bought = 0; bought < 2; bought++) {
    rig.executor.submit('maker', { ...buy, quantity: '0.03', price: '60001' });
    rig.venue.tellFill(rig.venue.resting()[0]!.orderId, '0.03');
  }
  const exit = { ...buy, side: 'sell', price: '60100', quantity: '0.06', reduceOnly: true } as const;
  rig.executor.submit('maker', [
    { ...buy, ref: 'out#2' },
    { ...exit, ref: 'out' },
  ]);
  expect(refs(rig)).toEqual(['out#2', 'out', 'out#3']);
  const { state } = replayOf(snapshotText(replayRows(rig.journal.read())));
  expect(state.orders.byRef('maker', 'out#3')?.partOf).toBe('out');
  expect(state.orders.byRef('maker', 'out#2')?.partOf).toBeUndefined();
  rig.executor.submit('maker', { kind: 'cancel', ref: 'out' });
  expect(refs(rig)).toEqual(['out#2']);
});
