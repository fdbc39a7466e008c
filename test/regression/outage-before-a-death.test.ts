/**
 * Found by the fault simulator (seed 360, law F3 at the end): the exchange could not be read for minutes, a human traded
 * meanwhile, and the process, which had gone on writing rows, died. The next one read trades from the last row on: what came
 * before was never booked, and the difference was taken over without a name. So would a liquidation of our own have been, and
 * funding of longer ago. The journal says now how far the account was read.
 */
import { expect, it } from 'vitest';
import { replayRows, stateHash } from '../../src/spine/replay.ts';
import { createReconciler, type Reconciler } from '../../src/reconciler/reconciler.ts';
import type { OrderReport } from '../../src/model/trading/order.ts';
import { bought, byHand, held } from '../execution/perpetual-rig.ts';
import { alarms, makeRig, PERP, settle, type Rig } from '../execution/rig.ts';

const HOUR = 3_600_000;
const { symbol } = PERP;

/** Nothing can be read; the process lives on, writes rows and dies. */
async function outage({ rig, reconciler }: { readonly rig: Rig; readonly reconciler: Reconciler }): Promise<void> {
  for (const list of Object.keys(rig.venue.readable)) Object.assign(rig.venue.readable, { [list]: 'failed' });
  for (let passed = 0; passed < HOUR; passed += 300_000) {
    await rig.clock.advanceAsync(300_000, 5000);
    rig.executor.submit('maker', { kind: 'note', text: 'still here' });
  }
  reconciler.stop();
  for (const list of Object.keys(rig.venue.readable)) Object.assign(rig.venue.readable, { [list]: 'complete' });
}

async function again(rig: Rig): Promise<Rig> {
  const second = makeRig({ specs: [PERP], journal: rig.journal, clock: rig.clock, venue: rig.venue, bootId: 'b2' });
  createReconciler(second.executor).start();
  await settle();
  await rig.clock.advanceAsync(120_000, 1000);
  return second;
}

function booked(rig: Rig): string[] {
  return [...rig.journal.read()].flatMap(({ entry }) => {
    if (entry.kind === 'liquidation') return [`liquidation ${entry.fill.quantity}`];
    if (entry.kind === 'funding') return [`funding ${entry.amount}`];
    return entry.kind === 'adjustment' && entry.cause !== 'opening' ? [`${entry.cause} ${entry.quantity}`] : [];
  });
}

it('books what others traded while nothing could be read, although the process that could not read it wrote on', async () => {
  const first = await bought();
  byHand(first.rig, 't-by-hand', 'buy', '0.3', { orderId: 'by-hand' });
  first.rig.venue.positionsNow = [held('0.4')];
  await outage(first);
  const second = await again(first.rig);
  expect(booked(second)).toEqual(['trade of others 0.3']);
  expect(alarms(second)).toEqual([]);
  expect(stateHash(replayRows(second.journal.read()).state)).toBe(stateHash(second.executor.state));
});

it('books a liquidation of that time to the strategy whose position it closed', async () => {
  const first = await bought();
  const { rig } = first;
  byHand(rig, 't-liq', 'sell', '0.1', { orderId: 'liq' });
  const terms = {
    symbol,
    market: 'derivative',
    side: 'sell',
    type: 'market',
    timeInForce: 'ioc',
    price: null,
  } as const;
  const state = { filledQuantity: '0.1', averagePrice: '60000', status: 'filled', reason: 'liquidation' } as const;
  const times = { createdAt: rig.clock.now(), updatedAt: rig.clock.now() };
  const order: OrderReport = { orderId: 'liq', ...terms, quantity: '0.1', positionSide: 'both', ...state, ...times };
  rig.venue.orders.set('liq', order);
  rig.venue.positionsNow = [];
  await outage(first);
  const second = await again(rig);
  expect(booked(second)).toEqual(['liquidation 0.1']);
  expect(second.executor.account('maker').position(symbol).quantity).toBe('0');
});

it('books funding of that time', async () => {
  const first = await bought();
  const { clock } = first.rig;
  const paid = { id: 'f1', symbol, currency: 'USDT', amount: '-0.5', ts: clock.now() } as const;
  const isOut = (): boolean => first.rig.venue.readable.balances === 'failed';
  const funding = async (from: number) => {
    const asOf = clock.now();
    if (isOut()) return { kind: 'failed', asOf, reason: 'unreachable' } as const;
    return { kind: 'complete', asOf, items: paid.ts >= from ? [paid] : [] } as const;
  };
  Object.assign(first.rig.venue, { query: { ...first.rig.venue.query, funding } });
  await outage(first);
  expect(booked(await again(first.rig))).toEqual(['funding -0.5']);
});

it('says how far it has read once a minute at most', async () => {
  const { rig } = await bought();
  const before = rig.journal.lastSeq;
  await rig.clock.advanceAsync(HOUR, 5000);
  const rows = [...rig.journal.read(before + 1)].filter(({ entry }) => entry.kind === 'read-to');
  expect(rows.length).toBeGreaterThan(50);
  expect(rows.length).toBeLessThanOrEqual(60);
});

// Seed 5834 (L1): the first process of a journal could not read the account whole for minutes, and read no further back than now.
it('reads back to the beginning of a journal whose first process has never read everything', async () => {
  const rig = makeRig({ specs: [PERP] });
  rig.venue.readable.balances = 'failed';
  const reconciler = createReconciler(rig.executor);
  reconciler.start();
  await settle();
  await rig.clock.advanceAsync(61_000, 1000);
  byHand(rig, 't', 'buy', '0.3');
  rig.venue.positionsNow = [held('0.3')];
  await outage({ rig, reconciler });
  const second = await again(rig);
  const booked = [...second.journal.read()].flatMap(({ entry }) => (entry.kind === 'adjustment' ? [entry] : []));
  expect(booked.filter(({ cause }) => cause === 'trade of others')).toMatchObject([{ quantity: '0.3' }]);
});
