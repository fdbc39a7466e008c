import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, plainJson } from '../../src/model/canonical.ts';
import { dec } from '../../src/model/money.ts';

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
