/**
 * Found by the fault simulator (seed 98093, law F1): an older journal met a liquidation of twenty minutes ago together with what a
 * strategy had traded before it. One of those fills bore the stamp of a clock that was an hour ahead, so that the position it
 * opened counted as opened after the liquidation, which was booked over more than the strategy held. It is not booked by dates any more:
 * the symbol is shut until a poll decides.
 */
import { expect, it } from 'vitest';
import { liquidates, liquidationParts } from '../execution/perpetual-rig.ts';
import { denials, makeRig, PERP, type Rig } from '../execution/rig.ts';

const { symbol } = PERP;
const AGO_MS = 20 * 60_000;

function trades(rig: Rig, side: 'buy' | 'sell', quantity: string, stampMs: number): void {
  const { executor, venue, clock } = rig;
  executor.submit('maker', { kind: 'place', symbol, side, type: 'market', quantity });
  for (const { orderId } of venue.resting())
    venue.emit({ kind: 'fill', fill: { ...venue.fill(orderId, quantity, '60000'), ts: clock.now() + stampMs } });
}

/** What is booked and denied after a liquidation, where the strategy has sold with this stamp after it had bought less. */
async function afterSale(stampMs: number): Promise<readonly string[]> {
  const rig = makeRig({ specs: [PERP] });
  const { venue, executor, clock } = rig;
  trades(rig, 'sell', '0.06', stampMs);
  liquidates(rig, 'sell', '0.19');
  const trade = venue.trades.pop();
  const order = venue.orders.get('liq');
  if (trade === undefined || order === undefined) throw new Error('nothing was liquidated');
  const fill = { ...trade, ts: clock.now() - AGO_MS };
  // Shown with the trades of then: whose it was, its order says.
  venue.emit({ kind: 'fill', fill });
  trades(rig, 'buy', '0.18', -AGO_MS - 2_000);
  venue.emit({ kind: 'order', order });
  venue.emit({ kind: 'fill', fill });
  expect(executor.account('maker').position(symbol).quantity).toBe('0.12');
  await clock.advanceAsync(61_000);
  venue.emit({ kind: 'fill', fill });
  executor.submit('maker', { kind: 'place', symbol, side: 'buy', type: 'market', quantity: '0.1' });
  return [...liquidationParts(rig), ...denials(rig)];
}

it.each([3_600_000, -AGO_MS - 30_000, -1_000])(
  'is booked to nobody, whatever date the sale bears (%d ms)',
  async (stampMs) => {
    expect(await afterSale(stampMs)).toEqual(['liquidated']);
  },
);
