/**
 * Found by a stranger: one push of an own trade told 7 of its 10 lots, all lists told the truth. The books were wrong from then on
 * without a word, and after a restart every order was denied for want of a comparison that could never come.
 */
import { expect, it } from 'vitest';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import type { Action } from '../../src/model/trading/action.ts';
import type { VenueFill } from '../../src/model/trading/fill.ts';
import { replayRows, stateHash } from '../../src/spine/replay.ts';
import { replayOf, snapshotText } from '../../src/spine/snapshot/snapshot.ts';
import { decisionsOf } from '../../src/operations/plan/decisions.ts';
import { alarms, BTC, denials, makeRig, trading, type Rig } from '../execution/rig.ts';

const { symbol } = BTC;
const ETH = { ...BTC, symbol: 'ETHUSDT', base: 'ETH' };

function started(options: Parameters<typeof makeRig>[0] = {}): Rig {
  const rig = makeRig({ specs: [BTC, ETH], limits: { maxPosition: '0.1' }, ...options });
  createReconciler(rig.executor, { markets: ['spot'] }).start();
  return rig;
}

function bid(price: string, quantity: string): Action {
  return { kind: 'place', symbol, side: 'buy', type: 'limit', price, quantity };
}

/** The maker buys 0.001; the list says so, and the stream says `told`. */
async function misled(told: Partial<VenueFill>, ended: 'filled' | 'canceled' = 'filled'): Promise<Rig> {
  const rig = started();
  const { venue, executor, clock } = rig;
  await clock.advanceAsync(5_000, 1000);
  executor.submit('maker', bid('60000', ended === 'filled' ? '0.001' : '0.002'));
  const [order] = venue.resting();
  const fill = venue.fill(order?.orderId ?? '', '0.001', '60000', { fee: '0.000001', feeCurrency: 'BTC' });
  venue.balancesNow = [trading('USDT', '999940'), trading('BTC', '10.000999')];
  venue.emit({ kind: 'fill', fill: { ...fill, ...told } });
  if (ended === 'canceled') venue.end(fill.orderId, 'canceled');
  venue.tell(fill.orderId);
  return rig;
}

function booksOf({ journal, executor }: Rig): Record<string, string> {
  const { state } = replayRows(journal.read());
  return {
    BTC: state.explainedBalance('BTC').toFixed(),
    USDT: state.explainedBalance('USDT').toFixed(),
    maker: executor.account('maker').position(symbol).quantity,
  };
}

const TRUE = { BTC: '10.000999', USDT: '999940', maker: '0.000999' };

function decisionIn({ journal }: Rig): ReturnType<typeof decisionsOf>[number] | undefined {
  return decisionsOf(replayRows(journal.read()).state, [])[0];
}

/** New risk is denied, and only for the contradiction. */
function denialOf(rig: Rig): string[] {
  const before = denials(rig).length;
  rig.executor.submit('maker', bid('59000', '0.001'));
  return denials(rig).slice(before);
}

function messages({ events }: Rig): string[] {
  return events.flatMap((event) => (event.kind === 'denied' ? [event.denied.message] : []));
}

const lies: readonly (readonly [string, Partial<VenueFill>, 'filled' | 'canceled'])[] = [
  ['less', { quantity: '0.0007' }, 'filled'],
  ['less, with a fee of so much', { quantity: '0.0007', fee: '0.0000007' }, 'filled'],
  ['more', { quantity: '0.0013' }, 'canceled'],
  ['another price', { price: '59000' }, 'filled'],
  ['less at another price', { quantity: '0.0007', price: '59000.5' }, 'filled'],
];

it.each(lies)('%s: halts, rings, and the choice of the plan brings agreement', async (_what, told, ended) => {
  const rig = await misled(told, ended);
  await rig.clock.advanceAsync(20_000, 1000);
  expect(alarms(rig)).toEqual(['fill_contradiction']);
  expect(denialOf(rig)).toEqual(['overfilled']);
  // To let go of the halt alone is not enough: the books are still wrong.
  rig.executor.human.resume(symbol, 'looked');
  expect(denialOf(rig)).toEqual(['overfilled']);
  const decision = decisionIn(rig);
  expect(decision).toMatchObject({ kind: 'trade', choices: [{ name: 'as-listed' }, { name: 'as-booked' }] });
  rig.executor.human.division(decision?.id ?? '', 'as-listed', 'the list of the exchange shows it')();
  expect(booksOf(rig)).toEqual(TRUE);
  await rig.clock.advanceAsync(90_000, 1000);
  expect(decisionIn(rig)).toBeUndefined();
  expect(denialOf(rig)).toEqual([]);
  expect(booksOf(rig)).toEqual(TRUE);
  expect(alarms(rig)).toEqual(['fill_contradiction']);
  const { state } = replayRows(rig.journal.read());
  expect(stateHash(state)).toBe(stateHash(rig.executor.state));
});

it('opens the symbol with the choice alone, and is not asked again', async () => {
  const rig = await misled({ quantity: '0.0007' });
  await rig.clock.advanceAsync(20_000, 1000);
  const { id = '' } = decisionIn(rig) ?? {};
  rig.executor.human.division(id, 'as-listed', 'looked')();
  expect(() => rig.executor.human.division(id, 'as-listed', 'looked')()).toThrow(/was decided: as-listed/);
  await rig.clock.advanceAsync(20_000, 1000);
  expect(denialOf(rig)).toEqual([]);
});

it('after a death before the lists were read: the next process sees it, says it, and its choice ends it', async () => {
  const rig = await misled({ quantity: '0.0007' });
  const { journal, clock, venue } = rig;
  const again = started({ journal, clock, venue, bootId: 'b2' });
  await clock.advanceAsync(60_000, 1000);
  expect(alarms(again)).toEqual(['fill_contradiction']);
  expect(decisionIn(again)).toMatchObject({ id: 'trade/BTCUSDT/t2' });
  // Another symbol of the same money, which cannot be compared before.
  again.executor.submit('maker', { ...bid('3000', '0.01'), symbol: ETH.symbol } as Action);
  expect(messages(again)).toEqual([
    'ETHUSDT: the balance/USDT was not compared with the journal since the start, because trades of maker-1 are missing: `tidewire plan` shows what ends it',
  ]);
  const third = started({ journal, clock, venue, bootId: 'b3' });
  third.executor.human.division('trade/BTCUSDT/t2', 'as-listed', 'looked')();
  await clock.advanceAsync(60_000, 1000);
  expect(booksOf(third)).toEqual(TRUE);
  expect(denialOf(third)).toEqual([]);
  expect(alarms(third)).toEqual([]);
});

it('is remembered by a snapshot, and so are the terms of each trade', async () => {
  const rig = await misled({ quantity: '0.0007' });
  await rig.clock.advanceAsync(20_000, 1000);
  const replay = replayRows(rig.journal.read());
  expect([...replayOf(snapshotText(replay)).state.contradicted]).toEqual([...replay.state.contradicted]);
});

it('lets go once the list, which was wrong for one answer, shows the trade as booked again', async () => {
  const rig = await misled({});
  const { venue, clock } = rig;
  await clock.advanceAsync(20_000, 1000);
  const index = venue.trades.length - 1;
  const [fill] = venue.trades.slice(index);
  venue.trades[index] = { ...fill!, quantity: '0.003' };
  await clock.advanceAsync(12_000, 1000);
  expect(alarms(rig)).toEqual(['fill_contradiction']);
  expect(denialOf(rig)).toEqual(['overfilled']);
  venue.trades[index] = fill!;
  await clock.advanceAsync(12_000, 1000);
  expect(decisionIn(rig)).toBeUndefined();
  expect(denialOf(rig)).toEqual([]);
  expect(booksOf(rig)).toEqual(TRUE);
  const { state } = replayRows(rig.journal.read());
  expect(stateHash(state)).toBe(stateHash(rig.executor.state));
});
