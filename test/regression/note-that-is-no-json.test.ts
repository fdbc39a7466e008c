/** Found by a stranger: a note with a cycle ended its strategy with a bare `RangeError` of the engine. It is refused by name. */
import { expect, it } from 'vitest';
import { note } from '../../src/strategy/actions.ts';

it.each([
  [
    'a cycle',
    () => {
      const data: { self?: unknown } = {};
      data.self = data;
      return data;
    },
  ],
  ['a bigint', () => ({ size: 1n })],
])('%s is refused where it is made', (_, make) => {
  const refused = {
    code: 'strategy_action_invalid',
    message: expect.stringContaining('data cannot be kept as JSON: '),
  };
  expect(() => note('x', make())).toThrow(expect.objectContaining(refused));
  expect(note('x', { fine: [1, null] })).toEqual({ kind: 'note', text: 'x', data: { fine: [1, null] } });
});
