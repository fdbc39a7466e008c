/**
 * `by: 'last'` is unknown until the first print after the program's start. Found from outside: where another program heard
 * prints already, a trailing stop began from one before its own start, and a check at the start named it.
 */
import { expect, it } from 'vitest';
import { stop, trailingStop } from '../../src/index.ts';
import { programRig, resting, submit, SYMBOL } from '../programs/program-rig.ts';

const far = stop({
  symbol: SYMBOL,
  side: 'buy',
  quantity: '0.01',
  reduceOnly: false,
  trigger: 64_000,
  by: 'last',
  ref: 'far',
});
const trail = trailingStop({
  symbol: SYMBOL,
  side: 'sell',
  quantity: '0.01',
  reduceOnly: false,
  distance: 400,
  by: 'last',
  ref: 'trail',
});

/** What was ordered after each print that follows the start of the trailing stop. */
function firedAt(isBeside: boolean, prints: readonly number[]): readonly (readonly string[])[] {
  const rig = programRig({ limits: { maxPosition: '1' } });
  if (isBeside) submit(rig, far);
  rig.market.print(60_800, 1);
  submit(rig, trail);
  return prints.map((price) => {
    rig.market.print(price, 1);
    return resting(rig);
  });
}

it.each([false, true])('a trailing stop begins at the first print after its start (beside another: %s)', (isBeside) => {
  expect(firedAt(isBeside, [60_300, 60_000, 59_900])).toEqual([[], [], ['sell 0.01 @ market']]);
});

it('a stop is judged at its start by the book while no print is known, whoever else has heard one', () => {
  const rig = programRig({ limits: { maxPosition: '1' } });
  submit(rig, far);
  rig.market.print(59_000, 1);
  submit(
    rig,
    stop({
      symbol: SYMBOL,
      side: 'sell',
      quantity: '0.01',
      reduceOnly: false,
      trigger: 59_500,
      by: 'last',
      ref: 'near',
    }),
  );
  expect(rig.events.filter(({ kind }) => kind === 'denied')).toEqual([]);
  expect(resting(rig)).toEqual([]);
  rig.market.print(59_400, 1);
  expect(resting(rig)).toEqual(['sell 0.01 @ market']);
});
