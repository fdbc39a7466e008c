import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cancel, cancelAll, flatten, note, place, quote, target } from 'tidewire';
import { dec } from '../../src/model/numbers/money.ts';
import { actionProblem } from '../../src/strategy/action-shape.ts';

describe('builders make plain frozen data', () => {
  test('place', () => {
    const action = place({
      symbol: 'BTCUSDT',
      side: 'buy',
      type: 'limit',
      price: 60000.5,
      quantity: '0.001',
      ref: 'a',
      postOnly: true,
    });
    expect(action).toEqual({
      kind: 'place',
      symbol: 'BTCUSDT',
      side: 'buy',
      type: 'limit',
      price: 60000.5,
      quantity: '0.001',
      ref: 'a',
      postOnly: true,
    });
    expect(Object.isFrozen(action)).toBe(true);
    expect(place({ symbol: 'BTCUSDT', side: 'sell', type: 'market', quantity: 1 })).not.toHaveProperty('ref');
  });

  test('the rest of the table', () => {
    expect(cancel({ ref: 'a' })).toEqual({ kind: 'cancel', ref: 'a' });
    expect(cancelAll()).toEqual({ kind: 'cancelAll' });
    expect(cancelAll({ tag: 'x' })).toEqual({ kind: 'cancelAll', tag: 'x' });
    expect(
      quote('S', { bids: [{ price: 1, quantity: 2 }], asks: [] }, { tag: 't', tolerance: { priceTicks: 2 } }),
    ).toEqual({
      kind: 'quote',
      symbol: 'S',
      bids: [{ price: 1, quantity: 2 }],
      asks: [],
      tag: 't',
      tolerance: { priceTicks: 2 },
    });
    expect(target('S', { quantity: dec('0.1'), via: { limit: { price: 5 } } })).toMatchObject({
      kind: 'target',
      symbol: 'S',
    });
    expect(flatten()).toEqual({ kind: 'flatten' });
    expect(flatten('S')).toEqual({ kind: 'flatten', symbol: 'S' });
    expect(note('text', { a: 1 })).toEqual({ kind: 'note', text: 'text', data: { a: 1 } });
  });
});

describe('a wrong shape is refused on the line that makes it', () => {
  // As an untyped caller would write them.
  const loose = { place, cancel, quote, target, note } as unknown as Readonly<
    Record<string, (...args: unknown[]) => unknown>
  >;

  test.each([
    ['place', [{ symbol: '', side: 'buy', type: 'market', quantity: 1 }], 'place: symbol must be text, got empty text'],
    [
      'place',
      [{ symbol: 'S', side: 'long', type: 'market', quantity: 1 }],
      "place: side must be one of buy, sell, got 'long'",
    ],
    [
      'place',
      [{ symbol: 'S', side: 'buy', type: 'stop', quantity: 1 }],
      "place: type must be one of limit, market, got 'stop'",
    ],
    [
      'place',
      [{ symbol: 'S', side: 'buy', type: 'limit', quantity: null }],
      'place: quantity must be a number, text or Decimal, got null',
    ],
    [
      'place',
      [{ symbol: 'S', side: 'buy', type: 'limit', quantity: 1, timeInForce: 'fok' }],
      "place: timeInForce must be one of gtc, ioc, got 'fok'",
    ],
    [
      'place',
      [{ symbol: 'S', side: 'buy', type: 'limit', quantity: 1, postOnly: 1 }],
      'place: postOnly must be true or false, got 1',
    ],
    ['cancel', [{ ref: 'r'.repeat(201) }], 'cancel: ref has 201 characters, at most 200 are taken'],
    ['note', ['n'.repeat(10_001)], 'note: text has 10001 characters, at most 10000 are taken'],
    ['cancel', [{}], 'cancel: ref must be text, got undefined'],
    [
      'quote',
      ['S', { bids: [{ price: 1 }], asks: [] }],
      'quote: bids[0].quantity must be a number, text or Decimal, got undefined',
    ],
    ['quote', ['S', { bids: [], asks: {} }], 'quote: asks must be an array of {price, quantity}'],
    ['quote', ['S', { bids: [], asks: [] }, { tolerance: { ticks: 1 } }], 'quote: tolerance has no ticks'],
    ['target', ['S', {}], 'target: quantity must be a number'],
    ['target', ['S', { quantity: 1, via: 'twap' }], "target: via must be 'market', {limit: {price}} or one program"],
    ['note', [5], 'note: text must be text, got 5'],
  ])('%s %j', (name, args, message) => {
    expect(() => loose[name]?.(...args)).toThrow(
      expect.objectContaining({ code: 'strategy_action_invalid', message: expect.stringContaining(message) }),
    );
  });

  test('nothing that is not an action passes, and nothing makes the check throw', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        expect(actionProblem(value)).toEqual(expect.any(String));
      }),
    );
    fc.assert(
      fc.property(
        fc.constantFrom('place', 'cancel', 'quote', 'target', 'toString', '__proto__'),
        // With a name in `ref`, which the generator likes, a cancel is one.
        fc.dictionary(
          fc.string().filter((key) => key !== 'ref'),
          fc.anything(),
        ),
        (kind, fields) => {
          expect(actionProblem({ ...fields, kind })).toEqual(expect.any(String));
        },
      ),
    );
  });
});
