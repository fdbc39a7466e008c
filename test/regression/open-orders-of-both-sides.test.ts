/**
 * Found by reading: in hedge mode the limit of a symbol's open orders counted only those of the order's own position side, so
 * that long and short together could reach twice the limit.
 */
import { expect, it } from 'vitest';
import type { Action } from '../../src/model/trading/action.ts';
import { denials, makeRig, PERP } from '../execution/rig.ts';

const buy = {
  kind: 'place',
  symbol: PERP.symbol,
  side: 'buy',
  type: 'limit',
  price: '59000',
  quantity: '0.1',
} as const;
const long: Action = { ...buy, positionSide: 'long' };
const short: Action = { ...buy, side: 'sell', price: '61000', positionSide: 'short' };

it('risk/open-orders/counts-both-position-sides-of-a-symbol', () => {
  const symbols = { [PERP.symbol]: { maxOpenOrders: 1 } };
  const rig = makeRig({ specs: [PERP], risk: { symbols }, explains: true });
  rig.executor.submit('maker', [long, short]);
  expect(rig.venue.creates()).toHaveLength(1);
  expect(denials(rig)).toEqual(['max_open_orders']);
  const figures = [...rig.journal.read()].flatMap(({ entry }) => (entry.kind === 'denial' ? (entry.risk ?? []) : []));
  expect(figures).toContainEqual(['max_open_orders', PERP.symbol, 2, 1]);
});
