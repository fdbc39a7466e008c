import { expect, it } from 'vitest';
import { onGrid } from '../../src/clearing/grid.ts';
import { priceTicks, quantityLots } from '../../src/risk/normalise.ts';
import { Instrument } from '../../src/model/market/instrument.ts';

const instrument = new Instrument({
  symbol: 'AAABBB',
  market: 'spot',
  base: 'AAA',
  quote: 'BBB',
  tickSize: '0.01',
  lotSize: '0.001',
  minQuantity: '0.001',
  maxQuantity: '100000000000000',
  minNotional: '1',
  status: 'trading',
});

function refusalOf(price: string, quantity: string) {
  const answer = onGrid(instrument, { price, quantity, closes: false, touchTicks: 0 });
  return answer.kind === 'refusal' ? [answer.code, answer.field, answer.message] : 'on the grid';
}

it('clearing/grid/a price or quantity of more steps than a number holds is above the maximum, and says so', () => {
  expect(refusalOf('90071992547409.91', '1')).toBe('on the grid');
  expect(refusalOf('90071992547409.92', '1')).toEqual([
    'above_maximum',
    'price',
    'price 90071992547409.92 is above the maximum 90071992547409.91',
  ]);
  expect(refusalOf('1', '9007199254740.991')).toBe('on the grid');
  expect(refusalOf('1', '9007199254740.992')).toEqual([
    'above_maximum',
    'quantity',
    'quantity 9007199254740.992 is above the maximum 9007199254740.991',
  ]);
  expect(refusalOf('1', '100000000000000.001')[2]).toContain('above the maximum 100000000000000');
  expect(refusalOf('1.001', '1')[0]).toBe('off_tick');
});

it('clearing/grid/an action that says such a price or quantity is denied for the same reason', () => {
  expect(priceTicks(instrument, '90071992547409.92')).toMatchObject({ reason: 'above_maximum', field: 'price' });
  expect(priceTicks(instrument, 1e20)).toMatchObject({ reason: 'above_maximum', field: 'price' });
  expect(quantityLots(instrument, '9007199254740.992')).toMatchObject({ reason: 'above_maximum', field: 'quantity' });
  expect(priceTicks(instrument, '1.001')).toMatchObject({ reason: 'off_tick' });
});
