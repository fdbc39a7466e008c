/**
 * A paper start journals what it grants at once. After a death before the first decision the next start compared only symbols that the
 * strategy declares or had traded: with none, its first decision found balances that were opened and not compared, and its orders
 * were denied for good (`not_reconciled`). What the newest lists say of a balance is compared when its symbol is first named.
 */
import { expect, it } from 'vitest';
import { bracket, place } from '../../src/index.ts';
import { createReconciler, type Reconciler } from '../../src/reconciler/reconciler.ts';
import { BTC, denials, makeRig, settle, trading, type Rig } from '../execution/rig.ts';

const { symbol } = BTC;
const GRANTED = { USDT: '1000000', BTC: '10' } as const;

/** A process has died right after its grants; the next one knows no symbol of its strategy. */
async function startedAgain(btc: string): Promise<{ readonly rig: Rig; readonly reconciler: Reconciler }> {
  const first = makeRig({ specs: [BTC] });
  const before = createReconciler(first.executor, { symbols: [] });
  before.start();
  for (const [currency, amount] of Object.entries(GRANTED)) before.granted({ currency, amount });
  before.stop();
  const { journal, venue, clock } = first;
  venue.balancesNow = [trading('USDT', GRANTED.USDT), trading('BTC', btc)];
  const rig = makeRig({ specs: [BTC], journal, venue, clock, bootId: 'b1_2' });
  const reconciler = createReconciler(rig.executor, { symbols: [] });
  reconciler.start();
  await settle();
  await clock.advanceAsync(2_000, 500);
  return { rig, reconciler };
}

it('the first decision after a restart is carried out where the lists say what the journal says', async () => {
  const { rig, reconciler } = await startedAgain(GRANTED.BTC);
  rig.executor.submit('maker', [
    bracket({ entry: { symbol, side: 'buy', type: 'market', quantity: '0.02' }, stopLoss: { bps: 50 } }),
    place({ symbol, side: 'buy', type: 'limit', price: 59_000, quantity: '0.01' }),
  ]);
  await settle();
  expect(denials(rig)).toEqual([]);
  expect(rig.venue.creates()).toMatchObject([{ type: 'market' }, { type: 'limit', price: '59000' }]);
  reconciler.stop();
});

it('takes no new risk on a balance that differs, and looks again at once', async () => {
  const { rig, reconciler } = await startedAgain('9');
  const { query } = rig.venue;
  let looks = 0;
  Object.assign(rig.venue, { query: { ...query, balances: () => (looks++, query.balances()) } });
  rig.executor.submit('maker', place({ symbol, side: 'buy', type: 'limit', price: 59_000, quantity: '0.01' }));
  expect(reconciler.gate.closedBecause(symbol)?.reason).toBe('not_reconciled');
  rig.executor.submit('maker', place({ symbol, side: 'buy', type: 'limit', price: 58_000, quantity: '0.01' }));
  expect(denials(rig)).toContain('not_reconciled');
  await rig.clock.advanceAsync(500, 250);
  expect(looks).toBe(1);
  reconciler.stop();
});
