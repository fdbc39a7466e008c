/** The page knows working orders by the entries alone, in whatever order reports and fills come. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { add } from '../../web/dashboard/src/state/exact.ts';
import { OwnOrders } from '../../web/dashboard/src/state/own-orders.ts';
import type { EntryRow } from '../../web/dashboard/src/wire/types.ts';
import { decimalText, dec } from '../../src/model/numbers/money.ts';

let count = 0;
const row = (kind: string, entry: Readonly<Record<string, unknown>>): EntryRow => {
  const seq = ++count;
  return { seq, ts: 1_700_000_000_000 + seq, kind, entry: { kind, ...entry } };
};

const create = (n: number): EntryRow =>
  row('intent', {
    command: 'create',
    intentId: `i-${n}`,
    strategy: 'maker',
    ref: `maker-${n}`,
    tag: 'maker',
    origin: 'quote',
    reduceOnly: false,
    postOnly: true,
    order: { symbol: 'BTCUSDT', side: 'buy', type: 'limit', timeInForce: 'gtc', price: '100.5', quantity: '0.3' },
  });
const report = (n: number, status: string, filledQuantity: string): Readonly<Record<string, unknown>> => {
  return { orderId: `x-${n}`, status, filledQuantity, averagePrice: null };
};
const accepted = (n: number): EntryRow =>
  row('outcome', { intentId: `i-${n}`, outcome: { kind: 'accepted', order: report(n, 'new', '0') } });
const fill = (n: number, quantity: string): EntryRow =>
  row('fill', { intentId: `i-${n}`, fill: { quantity, orderId: `x-${n}` } });

const told = (rows: readonly EntryRow[]): OwnOrders => {
  const own = new OwnOrders();
  for (const each of rows) own.apply(each);
  return own;
};
const shown = (own: OwnOrders): readonly string[] =>
  own.rows.map(({ ref, state, filledQuantity }) => `${ref} ${state} ${filledQuantity}`);

test('dashboard/orders/follow-the-life-of-an-order', () => {
  const life = [create(1), row('sending', { intentId: 'i-1' }), accepted(1)];
  expect(shown(told(life.slice(0, 1)))).toEqual(['maker-1 pending 0']);
  expect(shown(told(life.slice(0, 2)))).toEqual(['maker-1 sending 0']);
  expect(shown(told(life))).toEqual(['maker-1 open 0']);
  expect(shown(told([...life, fill(1, '0.1')]))).toEqual(['maker-1 partially_filled 0.1']);
  expect(shown(told([...life, fill(1, '0.1'), fill(1, '0.2')]))).toEqual([]);
});

test('dashboard/orders/a-fill-counts-once-beside-its-report', () => {
  const before = [create(1), accepted(1)];
  const told1 = row('order', { intentId: 'i-1', report: report(1, 'partially_filled', '0.2') });
  expect(shown(told([...before, told1, fill(1, '0.2')]))).toEqual(['maker-1 partially_filled 0.2']);
  expect(shown(told([...before, fill(1, '0.2'), told1]))).toEqual(['maker-1 partially_filled 0.2']);
});

test('dashboard/orders/a-cancel-shows-until-the-order-is-gone', () => {
  const cancel = [
    row('intent', { command: 'cancel', intentId: 'c-1', targets: ['i-1'] }),
    row('sending', { intentId: 'c-1' }),
  ];
  const own = told([create(1), accepted(1), ...cancel]);
  expect(shown(own)).toEqual(['maker-1 canceling 0']);
  own.apply(row('order', { intentId: 'i-1', report: report(1, 'canceled', '0') }));
  expect(shown(own)).toEqual([]);
});

test('dashboard/orders/an-unknown-outcome-stays-until-it-is-resolved', () => {
  const own = told([create(1), row('outcome', { intentId: 'i-1', outcome: { kind: 'unknown', reason: 'timeout' } })]);
  expect(shown(own)).toEqual(['maker-1 unknown 0']);
  own.apply(row('closed', { intentId: 'i-1', state: 'never_arrived', reason: 'never_arrived', message: '' }));
  expect(shown(own)).toEqual([]);
});

test('dashboard/orders/an-order-of-a-snapshot-is-known-by-its-id', () => {
  const own = new OwnOrders();
  own.load(told([create(1), accepted(1)]).rows);
  own.apply(fill(1, '0.1'));
  expect(shown(own)).toEqual(['maker-1 partially_filled 0.1']);
  own.apply(row('order', { intentId: 'i-1', report: report(1, 'canceled', '0.1') }));
  expect(shown(own)).toEqual([]);
});

test('dashboard/exact/sums-of-decimal-text-are-exact', () => {
  const decimal = fc
    .tuple(fc.bigInt(-(10n ** 24n), 10n ** 24n), fc.nat(12))
    .map(([digits, scale]) => decimalText(dec(digits.toString()).div(dec((10n ** BigInt(scale)).toString()))));
  fc.assert(
    fc.property(decimal, decimal, (a, b) => {
      expect(add(a, b)).toBe(decimalText(dec(a).plus(dec(b))));
    }),
  );
});
