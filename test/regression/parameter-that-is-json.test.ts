/**
 * A parameter that is an object was refused without a word that JSON is wanted, its parts were called a misspelling of it,
 * and a date was called an object with no keys.
 */
import { expect, test } from 'vitest';
import { defineStrategy, z } from 'tidewire';
import { requirePlainParams, resolveParams } from '../../src/strategy/loading/params.ts';

const definition = defineStrategy({
  name: 'mine',
  params: z.object({ obj: z.object({ a: z.number() }).default({ a: 1 }), dt: z.date().optional() }),
  setup() {},
});

test.each([
  ['obj', '{a:2}', `obj: Invalid input: expected object, received string (got '{a:2}'; write JSON with quoted names`],
  ['obj.a', '5', `mine has no parameter obj.a; give obj whole, as JSON: obj='{"a": …}'`],
])('strategy/parameters/%s=%s', (name, text, message) => {
  expect(() => resolveParams(definition, {}, { [name]: text })).toThrow(message);
});

test('strategy/parameters/a-date-is-called-one', () => {
  const params = resolveParams(definition, {}, { dt: '2026-01-01' });
  expect(() => requirePlainParams(definition, params)).toThrow('mine: dt: a Date is not plain JSON');
});
