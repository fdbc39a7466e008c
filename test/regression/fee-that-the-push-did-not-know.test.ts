/**
 * Found by a stranger: an exchange pushed trades with a fee of 0 and listed the true one. The books kept the pushed fee without a
 * word, so that a strategy lost thirteen times its daily limit while it was said to have lost nothing.
 */
import { expect, it } from 'vitest';
import { KeptFills } from '../../src/session/recorder/kept-fills.ts';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import type { Fill, VenueFill } from '../../src/model/trading/fill.ts';
import { tradesIn } from '../../src/operations/trades/session-fills.ts';
import { replayRows, stateHash } from '../../src/spine/replay.ts';
import { alarms, BTC, denials, makeRig, trading, type Rig } from '../execution/rig.ts';

const { symbol } = BTC;

/** Buys 0.001; the list states a fee of 0.000001 BTC. */
async function misled(pushed: Partial<VenueFill>): Promise<Rig> {
  const rig = makeRig({ specs: [BTC], limits: { maxPosition: '0.1' } });
  createReconciler(rig.executor, { markets: ['spot'] }).start();
  const { venue, executor, clock } = rig;
  await clock.advanceAsync(5_000, 1000);
  executor.submit('maker', { kind: 'place', symbol, side: 'buy', type: 'limit', price: '60000', quantity: '0.001' });
  const [order] = venue.resting();
  const fill = venue.fill(order?.orderId ?? '', '0.001', '60000', { fee: '0.000001', feeCurrency: 'BTC' });
  venue.balancesNow = [trading('USDT', '999940'), trading('BTC', '10.000999')];
  venue.emit({ kind: 'fill', fill: { ...fill, ...pushed } });
  venue.tell(fill.orderId);
  await clock.advanceAsync(90_000, 1000);
  return rig;
}

const pushes: readonly (readonly [string, Partial<VenueFill>, number])[] = [
  ['as listed', {}, 0],
  ['as listed, in other digits', { fee: '0.0000010' }, 0],
  ['none', { fee: '0' }, 1],
  ['an estimate', { fee: '0.0000012' }, 1],
  ['of another currency', { fee: '0.06', feeCurrency: 'USDT' }, 2],
];

it.each(pushes)('a fee pushed %s is booked as listed, once', async (_, pushed, corrections) => {
  const rig = await misled(pushed);
  const { journal, executor } = rig;
  const { state, fills } = replayRows(journal.read());
  expect([...journal.read()].filter(({ entry }) => entry.kind === 'fill')).toHaveLength(1 + corrections);
  expect(fills).toBe(1);
  expect(state.explainedBalance('BTC').toFixed()).toBe('10.000999');
  expect(state.explainedBalance('USDT').toFixed()).toBe('999940');
  expect(executor.account('maker').position(symbol).quantity).toBe('0.000999');
  expect(stateHash(state)).toBe(stateHash(executor.state));
  expect(alarms(rig)).toEqual([]);
  executor.submit('maker', { kind: 'place', symbol, side: 'buy', type: 'limit', price: '59000', quantity: '0.001' });
  expect(denials(rig)).toEqual([]);
  const costs = (rows: readonly { readonly fee: string; readonly feeCurrency: string }[]): readonly string[] =>
    rows.map(({ fee, feeCurrency }) => `${Number(fee)} ${feeCurrency}`).toSorted();
  const expected = pushed.feeCurrency === undefined ? ['0.000001 BTC'] : ['0 USDT', '0.000001 BTC'];
  expect(costs(tradesIn(journal.read(), { session: 's', account: 'a' }).fills)).toEqual(expected);
  const kept = new KeptFills({ rowsMax: 100, packs: false, isOpen: () => false });
  for (const event of rig.events) if (event.kind === 'fill') keep(kept, event.fill);
  expect(costs(kept.list())).toEqual(expected);
});

function keep(kept: KeptFills, fill: Fill): void {
  const atFill = { mid: null, midAfter: [null, null, null], queueAhead: null } as const;
  kept.add(fill, atFill, { strategy: 'maker', orderTs: null, arrivalMid: null, quoteRate: null, feeValue: null });
}
