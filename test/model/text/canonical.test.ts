import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, plainJson } from '../../../src/model/text/canonical.ts';
import { dec } from '../../../src/model/numbers/money.ts';

describe('canonical JSON', () => {
  it('sorts keys in UTF-16 order, however many there are', () => {
    const keys = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue(), { maxKeys: 80 });
    fc.assert(
      fc.property(keys, (value) => {
        expect(canonicalJson(value)).toBe(byHand(value));
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

describe('plain JSON', () => {
  it('has the canonical text of the value that it copies', () => {
    fc.assert(
      fc.property(fc.anything({ withDate: true, withNullPrototype: true }), (value) => {
        fc.pre(!hasProtoKey(value));
        expect(canonicalJson(plainJson(value))).toBe(canonicalJson(value));
      }),
    );
  });

  it('turns decimals into text and leaves out what is not there', () => {
    expect(plainJson({ price: dec('0.10'), tag: undefined, legs: [{ quantity: 3 }, undefined] })).toEqual({
      price: '0.1',
      legs: [{ quantity: 3 }, null],
    });
  });

  it('is a copy', () => {
    const action = { bids: [{ price: '1' }] };
    const plain = plainJson(action);
    action.bids[0] = { price: '2' };
    expect(plain).toEqual({ bids: [{ price: '1' }] });
  });
});

/** A key of this name sets a prototype when it is assigned; no action has one. */
function hasProtoKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, item]) => key === '__proto__' || hasProtoKey(item));
}

function byHand(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(byHand).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const pairs = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${pairs.map(([key, item]) => `${JSON.stringify(key)}:${byHand(item)}`).join(',')}}`;
}
