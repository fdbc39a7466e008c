/**
 * Found by a stranger whose strategy priced an order at NaN: it was denied, and the result of the session then held "NaN" as a
 * price, so that `status` and `report` could read nothing of the whole session.
 */
import { expect, it } from 'vitest';
import { makeRig } from '../execution/rig.ts';

it.each([
  [Number.NaN, '0.001', null, '0.001'],
  [60_000, Number.POSITIVE_INFINITY, '60000', '0'],
  ['sixty', 'many', null, '0'],
])('tells price %s and quantity %s of a denied order as amounts', (price, quantity, toldPrice, toldQuantity) => {
  const rig = makeRig();
  const amounts = { price, quantity } as { price: number; quantity: number };
  rig.executor.submit('maker', { kind: 'place', symbol: 'BTCUSDT', side: 'buy', type: 'limit', ...amounts });
  const told = rig.events.flatMap((event) => (event.kind === 'order' ? [event.order] : []));
  expect(told).toMatchObject([{ state: 'denied', price: toldPrice, quantity: toldQuantity }]);
});
