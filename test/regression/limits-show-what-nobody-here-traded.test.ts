/**
 * A perpetual was held before the start. The checks counted it, `limits show` and `plan` did not: 60 % of
 * `maxPosition` were shown as used where the next order was denied.
 */
import { expect, it } from 'vitest';
import type { VenuePosition } from '../../src/model/trading/account.ts';
import { limitsUsed } from '../../src/operations/limits-used.ts';
import { standingLimits } from '../../src/operations/plan/standing-limits.ts';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import { riskSchema } from '../../src/risk/options.ts';
import { replayRows } from '../../src/spine/replay.ts';
import { makeRig, PERP } from '../execution/rig.ts';

const SHORT: VenuePosition = {
  symbol: PERP.symbol,
  positionSide: 'both',
  quantity: '-0.042',
  entryPrice: '60000',
  markPrice: '60000',
  leverage: '10',
  marginType: 'cross',
  margin: '0',
  liquidationPrice: null,
  unrealizedPnl: '0',
  realizedPnl: '0',
  updatedAt: 0,
};

it('shows the position that the checks compare', async () => {
  const risk = { maxPosition: '0.05' };
  const rig = makeRig({ specs: [PERP], risk, explains: true });
  rig.venue.positionsNow = [SHORT];
  createReconciler(rig.executor).start();
  await rig.clock.advanceAsync(61_000, 1_000);
  const sell = (quantity: string): void =>
    rig.executor.submit('maker', {
      kind: 'place',
      symbol: PERP.symbol,
      side: 'sell',
      type: 'limit',
      price: '60010',
      quantity,
    });
  sell('0.005');
  sell('0.004');
  expect(rig.venue.creates()).toHaveLength(1);
  const denied = rig.events.flatMap((event) => (event.kind === 'denied' ? [event.denied.message] : []));
  expect(denied).toEqual(['BTCUSDTPERP: the position of the account could reach 0.051, above 0.05']);
  const { state } = replayRows(rig.journal.read());
  const known = { now: rig.clock.now(), reporting: 'USDT', dayLoss: null, strategyLosses: {} };
  expect(limitsUsed(state, known).find(({ name }) => name === 'maxPosition')).toMatchObject({
    used: '0.047',
    share: 0.94,
  });
  expect(
    standingLimits(state, { risk: riskSchema.parse(risk), strategies: new Map(), reporting: 'USDT' }),
  ).toContainEqual({
    limit: 'maxPosition',
    of: PERP.symbol,
    stands: '0.047',
    allowed: '0.05',
    passed: true,
  });
});
