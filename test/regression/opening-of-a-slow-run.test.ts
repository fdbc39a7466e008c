/**
 * Found by the fault simulator (seed 42731, law L1): an opening balance was dated by when it was written. Where the run that read it
 * went on for longer than the trades of others are looked for before an opening, what a human traded meanwhile was taken for held
 * by it, and booked as money that came in. An opening is as of its reading, which the journal keeps.
 */
import { expect, it } from 'vitest';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import type { VenuePosition } from '../../src/model/trading/account.ts';
import type { Reading } from '../../src/model/result.ts';
import { BTC, makeRig, PERP, settle, trading } from '../execution/rig.ts';

it('does not hold what others traded while its run went on, for a later process either', async () => {
  const rig = makeRig({ specs: [BTC, PERP] });
  const { venue, clock, journal } = rig;
  const first = createReconciler(rig.executor);
  first.start();
  await clock.advanceAsync(1000, 1000);
  const order = { symbol: BTC.symbol, side: 'buy', type: 'limit', price: '59000', quantity: '1' } as const;
  rig.executor.submit('maker', { kind: 'place', ...order });
  const { query } = venue;
  // The balances are read before the positions, which take long; this is traded in between.
  const trade = (): void => {
    const terms = { symbol: BTC.symbol, market: 'spot', side: 'buy', price: '1', quantity: '0.5' } as const;
    const costs = { fee: '0', feeCurrency: 'USDT', liquidity: 'taker' } as const;
    venue.trades.push({ tradeId: 'h1', orderId: 'o1', ...terms, ...costs, ts: clock.now() });
    venue.balancesNow = [trading('USDT', '999999.5'), trading('BTC', '10.5')];
  };
  let runs = 0;
  const positions = async (): Promise<Reading<VenuePosition>> => {
    // The second shows the same difference for half a minute, and takes it over.
    if (++runs === 2) trade();
    await new Promise<void>((resolve) => void clock.after(25_000, resolve));
    return query.positions();
  };
  Object.assign(venue, { query: { ...query, positions } });
  await clock.advanceAsync(70_000, 1000);
  expect(runs).toBe(2);
  Object.assign(venue, { query });
  first.stop();
  const next = makeRig({ specs: [BTC, PERP], journal, clock, venue, bootId: 'b2' });
  createReconciler(next.executor).start();
  await settle();
  await clock.advanceAsync(120_000, 1000);
  const moves = [...journal.read()].flatMap(({ entry }) =>
    entry.kind === 'adjustment' && entry.name === 'BTC' ? [`${entry.cause} ${entry.quantity}`] : [],
  );
  expect(moves).toEqual(['opening 10', 'trade of others 0.5']);
});
