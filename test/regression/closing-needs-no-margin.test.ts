/**
 * Found by a stranger who recomputed the margin: an order without `reduceOnly` that only closes a perpetual was denied
 * with `insufficient_balance` where more than half of the margin was in use, and of a quote on both sides one leg was.
 * Of the two directions of a position the venue holds margin for what the worse one would open, and so does the check.
 */
import { expect, it } from 'vitest';
import { denials, makeRig, PERP, type Rig } from '../execution/rig.ts';

const { symbol } = PERP;
const order = { kind: 'place', symbol, type: 'limit' } as const;

/** One that has bought 1 at 60,000 without leverage, and has as much as is said left. */
function holding(available: string): Rig {
  const rig = makeRig({ specs: [PERP], risk: { maxOrderEquityFraction: 100 } });
  rig.executor.submit('maker', { kind: 'place', symbol, side: 'buy', type: 'market', quantity: '1' });
  for (const { orderId, quantity } of rig.venue.resting()) rig.venue.tellFill(orderId, quantity, '60000');
  has(rig, available, '60000');
  return rig;
}

function sent({ venue }: Rig): string[] {
  return venue.creates().map(({ side, quantity, positionSide }) => `${side} ${quantity} ${positionSide ?? ''}`);
}

function has(rig: Rig, available: string, locked: string): void {
  const balance = { account: 'unified-trading', currency: 'USDT', available, locked, total: '1000000' } as const;
  rig.venue.emit({ kind: 'balances', balances: [balance], whole: false });
}

it('an order that closes needs none, and one that turns the position needs it for what it opens beyond', () => {
  const rig = holding('600');
  rig.executor.submit('maker', { ...order, side: 'sell', price: '61000', quantity: '1' });
  expect(sent(rig).slice(1)).toEqual(['sell 1 both']);
  // 0.02 × 61,000 more than what the position holds would be open: above 600.
  rig.executor.submit('maker', { ...order, side: 'sell', price: '61000', quantity: '0.02' });
  expect(denials(rig)).toEqual(['insufficient_balance']);
});

it('an order that adds needs all of it', () => {
  const rig = holding('600');
  rig.executor.submit('maker', { ...order, side: 'buy', price: '59000', quantity: '0.02' });
  expect(denials(rig)).toEqual(['insufficient_balance']);
  rig.executor.submit('maker', { ...order, side: 'buy', price: '59000', quantity: '0.01' });
  expect(sent(rig).slice(1)).toEqual(['buy 0.01 both']);
});

it('both sides of a quote stand on the margin of the greater', () => {
  const rig = makeRig({ specs: [PERP], risk: { maxOrderEquityFraction: 100 } });
  has(rig, '70000', '0');
  const quantity = '1';
  rig.executor.submit('maker', {
    kind: 'quote',
    symbol,
    bids: [{ price: '59000', quantity }],
    asks: [{ price: '61000', quantity }],
  });
  expect(sent(rig)).toEqual(['buy 1 both', 'sell 1 both']);
  has(rig, '9000', '61000');
  rig.executor.submit('taker', { ...order, side: 'sell', price: '61500', quantity: '1' });
  expect(denials(rig)).toEqual(['insufficient_balance']);
});

it('in hedge mode each side is for itself', () => {
  const rig = makeRig({ specs: [PERP], risk: { maxOrderEquityFraction: 100 } });
  has(rig, '70000', '0');
  rig.executor.submit('maker', { ...order, side: 'buy', price: '59000', quantity: '1', positionSide: 'long' });
  has(rig, '11000', '59000');
  rig.executor.submit('maker', { ...order, side: 'sell', price: '61000', quantity: '1', positionSide: 'short' });
  expect(sent(rig)).toEqual(['buy 1 long']);
  expect(denials(rig)).toEqual(['insufficient_balance']);
});
