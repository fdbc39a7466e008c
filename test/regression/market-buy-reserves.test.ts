/**
 * Found by reading: a market buy of unknown outcome reserved its quantity but none of the quote that it may have spent, so
 * the same money was promised a second time ("unknown keeps its reservation", reliability §0.1).
 */
import { expect, it } from 'vitest';
import { BTC, denials, makeRig, trading } from '../execution/rig.ts';

it('keeps the money of a market buy whose answer was lost', () => {
  const rig = makeRig({ specs: [BTC], risk: { maxOrderEquityFraction: 1, priceCollar: 1 } });
  rig.venue.emit({ kind: 'balances', balances: [trading('USDT', '1000'), trading('BTC', '0')], whole: true });
  rig.venue.createMode = 'never-arrives';
  rig.executor.submit('maker', { kind: 'place', symbol: 'BTCUSDT', side: 'buy', type: 'market', quantity: '0.01' });
  expect(rig.executor.unresolvedCount()).toBe(1);
  rig.executor.submit('maker', {
    kind: 'place',
    symbol: 'BTCUSDT',
    side: 'buy',
    type: 'limit',
    price: '59000',
    quantity: '0.01',
  });
  expect(denials(rig)).toEqual(['insufficient_balance']);
});
